//! The template of a database's column, as it may be stored.

use super::incoming::would_run_in_value;
use super::template::{self, Marks, TemplateUse};
use crate::error::ToolError;

/// Prints the template of a column: its cells are HTML in the page, also where nothing is filled in.
///
/// # Errors
/// Returns the error for the argument `template`.
pub fn printed(text: &str) -> Result<String, ToolError> {
    let settled = template::settle(text, (Marks::File, TemplateUse::Cell), "template")?;
    if would_run_in_value(text) || text.contains(['<', '&']) {
        let expected = "a text without < and &, because SiYuan shows it as HTML";
        return Err(ToolError::field("template", expected));
    }
    Ok(settled.printed())
}
