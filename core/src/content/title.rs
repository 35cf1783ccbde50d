//! The title of a document, as the kernel keeps it.

use serde_json::Value;

use crate::args::{Arg, Plain, Spot};
use crate::path::MAX_TITLE;
use crate::spec::Kind;

/// A title: 1 to 512 characters, no slash, tab or line break, not `.` or `..`, no blanks at its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title(String);

impl Title {
    /// Reads a title; the error says what was expected.
    pub fn parse(text: &str) -> Result<Title, &'static str> {
        // The kernel never stores blanks at the ends.
        let title = text.trim_matches(' ');
        if title.is_empty() || title.chars().count() > MAX_TITLE {
            return Err("a title of 1 to 512 characters");
        }
        if title.contains(['/', '\t', '\n', '\r']) {
            return Err("a title without slashes, tabs and line breaks");
        }
        if matches!(title, "." | "..") {
            return Err("a title other than . and ..");
        }
        Ok(Title(title.to_owned()))
    }

    /// The title.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[diagnostic::do_not_recommend]
impl Plain for Title {}

impl Arg for Title {
    const KIND: Kind = Kind::Text { min: 1, max: MAX_TITLE };

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value.as_ref().and_then(Value::as_str).map(Title::parse) {
            Some(Ok(title)) => Some(title),
            Some(Err(expected)) => spot.expected(expected),
            None => spot.expected("a title of 1 to 512 characters"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Title;

    #[test]
    fn what_the_kernel_would_change_is_refused() {
        for wrong in ["", "   ", ".", "..", "a/b", "a\tb", "a\nb", &"x".repeat(513)] {
            assert!(Title::parse(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(Title::parse(" Garden .. ").unwrap().as_str(), "Garden ..");
        assert!(Title::parse(&"小".repeat(512)).is_ok());
    }
}
