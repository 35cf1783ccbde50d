//! The name of a notebook, as the kernel keeps it and as nobody takes it for an id.

use serde_json::Value;

use crate::args::{Arg, Plain, Spot};
use crate::id::resembles_id;
use crate::path::MAX_TITLE;
use crate::spec::Kind;

/// A name: 1 to 512 characters, no slash and line break, no blanks at its ends, nothing that resembles an id.
///
/// Every action that names a notebook takes this: a notebook called like a document would stand in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotebookName(String);

impl NotebookName {
    /// Reads a name; the error says what was expected.
    pub fn parse(text: &str) -> Result<NotebookName, &'static str> {
        let name = text.trim();
        if name.is_empty() || name.chars().count() > MAX_TITLE {
            return Err("a name of 1 to 512 characters, not only blanks");
        }
        if name.contains(['/', '\n', '\r']) {
            return Err("a name without / and line breaks");
        }
        if resembles_id(name) {
            return Err("a name that cannot be taken for an id");
        }
        Ok(NotebookName(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[diagnostic::do_not_recommend]
impl Plain for NotebookName {}

impl Arg for NotebookName {
    const KIND: Kind = Kind::Text { min: 1, max: MAX_TITLE };

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value.as_ref().and_then(Value::as_str).map(NotebookName::parse) {
            Some(Ok(name)) => Some(name),
            Some(Err(expected)) => spot.expected(expected),
            None => spot.expected("a name of 1 to 512 characters"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NotebookName;

    #[test]
    fn what_the_kernel_would_change_or_take_for_an_id_is_refused() {
        let long = "x".repeat(513);
        for wrong in
            ["", "   ", "a/b", "a\nb", &long, "20250101000000-garden0", " 20250101000000-garden0\u{200b}"]
        {
            assert!(NotebookName::parse(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(NotebookName::parse(" Seeds ").map(|it| it.as_str().to_owned()), Ok("Seeds".to_owned()));
    }
}
