//! The name of a notebook, in the form that the kernel stores and that nobody mistakes for an id.

use super::incoming::is_plain;
use crate::args::Checked;
use crate::id::resembles_id;
use crate::path::MAX_TITLE;
use crate::spec::Interpreter;

/// A name: 1 to 512 characters, no slash or line break, no blanks at its ends, nothing that resembles an id.
///
/// Every action that names a notebook takes this type, because a notebook named like a document's id would stand in
/// for that document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotebookName(String);

impl Checked for NotebookName {
    const MOST: usize = MAX_TITLE;
    // SiYuan shows the names in a list of choices as HTML.
    const READ_BY: &'static [Interpreter] = &[Interpreter::Html];
    const EXPECTED: &'static str = "a name of 1 to 512 characters";

    fn parse(text: &str) -> Result<NotebookName, &'static str> {
        let name = text.trim();
        if name.is_empty() || name.chars().count() > MAX_TITLE {
            return Err("a name of 1 to 512 characters, not only blanks");
        }
        if name.contains(['/', '\n', '\r']) {
            return Err("a name without / and line breaks");
        }
        if !is_plain(name) {
            return Err("a name without < and >, not even as character references or percent codes");
        }
        if resembles_id(name) {
            return Err("a name that does not look like an id");
        }
        Ok(NotebookName(name.to_owned()))
    }
}

impl NotebookName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Checked, NotebookName};

    #[test]
    fn name_that_the_kernel_changes_or_takes_for_an_id_is_refused() {
        let long = "x".repeat(513);
        for wrong in
            ["", "   ", "a/b", "a\nb", &long, "20250101000000-garden0", " 20250101000000-garden0\u{200b}"]
        {
            assert!(NotebookName::parse(wrong).is_err(), "{wrong:?}");
        }
        // S18: the list of notebooks for a daily note shows names as HTML.
        for markup in ["<input type=image src=x onerror=y>", "&lt;b", "%3Cb", "a<b", "&\u{e000}lt;b"] {
            assert!(NotebookName::parse(markup).is_err(), "{markup}");
        }
        assert!(NotebookName::parse("R&D \"2026\": it's 100%").is_ok());
        assert_eq!(NotebookName::parse(" Seeds ").map(|it| it.as_str().to_owned()), Ok("Seeds".to_owned()));
    }
}
