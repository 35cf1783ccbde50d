//! Go templates with the basics of Sprig: enough for template files, `renderSprig` and template columns.
//!
//! `parse` makes a tree of a text, `run` executes it, `functions` are what it can call, `value` what it works on.
//! Functions that Sprig or SiYuan have and this does not are refused as "not here" (HTTP 501), never guessed.

mod call;
mod clock;
mod functions;
mod lex;
mod lists;
mod numbers;
mod parse;
mod print;
mod run;
mod times;
mod tree;
mod value;

#[cfg(test)]
mod tests;

use crate::answer::Refusal;
use crate::store::Db;

pub(crate) use value::Any;

/// The delimiters of actions.
pub(crate) const BRACES: (&str, &str) = ("{{", "}}");
/// The same in template files and columns.
pub(crate) const ACTION: (&str, &str) = (".action{", "}");

/// Renders a template on some data. The refusal carries the bare message.
pub(crate) fn render(
    db: &Db<'_>,
    text: &str,
    delimiters: (&str, &str),
    data: &Any,
) -> Result<String, Refusal> {
    let tree = parse::parse(text, delimiters)?;
    run::run(db, &tree, data)
}

/// The names of fields that a template looks at, also in the form `index . "name"`.
pub(crate) fn names_in(text: &str, delimiters: (&str, &str)) -> Vec<String> {
    parse::parse(text, delimiters).map(|tree| tree.names()).unwrap_or_default()
}
