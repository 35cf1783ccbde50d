//! The title of a document, as the kernel keeps it.

use crate::args::Checked;
use crate::path::MAX_TITLE;
use crate::spec::Interpreter;

/// A title: 1 to 512 characters, no slash, tab or line break, not `.` or `..`, no blanks at its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title(String);

impl Checked for Title {
    const MOST: usize = MAX_TITLE;
    // SiYuan escapes titles wherever it shows them.
    const READ_BY: &'static [Interpreter] = &[];
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
        assert_eq!(Title::parse(" Garden .. ").unwrap().as_str(), "Garden ..");
        assert!(Title::parse(&"小".repeat(512)).is_ok());
    }
}
