//! The title of a document, as the kernel keeps it.

use super::incoming::would_run_in_value;
use crate::args::Checked;
use crate::error::ToolError;
use crate::path::MAX_TITLE;
use crate::spec::Interpreter;

/// The expected form of a title that SiYuan may show as HTML.
const PLAIN: &str = "a title without active HTML";

/// Refuses an argument whose titles would act where SiYuan shows them as HTML.
pub fn check<'a>(argument: &str, titles: impl IntoIterator<Item = &'a str>) -> Result<(), ToolError> {
    let acts = titles.into_iter().any(would_run_in_value);
    if acts { Err(ToolError::field(argument, PLAIN)) } else { Ok(()) }
}

/// A title: 1 to 512 characters, no slash, tab or line break, not `.` or `..`, no blanks at its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title(String);

impl Checked for Title {
    const MOST: usize = MAX_TITLE;
    // SiYuan escapes titles, except in the names of a database's groups.
    const READ_BY: &'static [Interpreter] = &[Interpreter::Html];
    const EXPECTED: &'static str = "a title of 1 to 512 characters";

    fn parse(text: &str) -> Result<Title, &'static str> {
        // The kernel never stores blanks at the ends.
        let title = text.trim_matches(' ');
        if title.is_empty() || title.chars().count() > MAX_TITLE {
            return Err(Title::EXPECTED);
        }
        if title.contains(['/', '\t', '\n', '\r']) {
            return Err("a title without slashes, tabs and line breaks");
        }
        if matches!(title, "." | "..") {
            return Err("a title other than . and ..");
        }
        if would_run_in_value(title) {
            return Err(PLAIN);
        }
        Ok(Title(title.to_owned()))
    }
}

impl Title {
    /// The title.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Checked, Title};

    #[test]
    fn title_that_the_kernel_changes_is_refused() {
        for wrong in ["", "   ", ".", "..", "a/b", "a\tb", "a\nb", &"x".repeat(513)] {
            assert!(Title::parse(wrong).is_err(), "{wrong:?}");
        }
        // S16: the name of a database's group is HTML, and so is the markup behind it.
        for markup in
            ["<iframe src=\\\\e.org>", "x\" onclick=\"y", "&lt;img src=x onerror=y>", "<style>", "<!--"]
        {
            assert!(Title::parse(markup).is_err(), "{markup}");
        }
        assert!(Title::parse("Vec<T> & \"others\": it's 5 < 6").is_ok());
        assert_eq!(Title::parse(" Garden .. ").unwrap().as_str(), "Garden ..");
        assert!(Title::parse(&"小".repeat(512)).is_ok());
    }
}
