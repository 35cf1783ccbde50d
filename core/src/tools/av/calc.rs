//! Calculations over the values of a column, in this product's words and in the kernel's.

use crate::error::ToolError;

/// The kernel's operators. In words they are written with `_` and in lower case; one that runs a template is left out.
const OPERATORS: [&str; 21] = [
    "Unique values",
    "Count all",
    "Count values",
    "Count unique values",
    "Count empty",
    "Count not empty",
    "Percent empty",
    "Percent not empty",
    "Percent unique values",
    "Sum",
    "Average",
    "Median",
    "Min",
    "Max",
    "Range",
    "Earliest",
    "Latest",
    "Checked",
    "Unchecked",
    "Percent checked",
    "Percent unchecked",
];

/// The kernel's operator for a word; `none` for no calculation.
pub(super) fn operator(field: &str, word: &str) -> Result<&'static str, ToolError> {
    if word == "none" {
        return Ok("");
    }
    OPERATORS.into_iter().find(|it| operator_word(it) == operator_word(word)).ok_or_else(|| {
        let known: Vec<String> = OPERATORS.into_iter().map(operator_word).collect();
        ToolError::field(field, format!("none or one of {}", known.join(", ")))
    })
}

/// The word for an operator.
pub(super) fn operator_word(operator: &str) -> String {
    operator.to_lowercase().replace(' ', "_")
}
