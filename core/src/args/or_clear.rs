//! A text that is set, or cleared by an empty one.

use super::{Arg, Checked, Plain, Spot, Value};
use crate::spec::{Kind, ReadBy};

/// A checked text; the empty one clears what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrClear<T>(Option<T>);

impl<T> OrClear<T> {
    /// The text, unless it is to be cleared.
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

#[diagnostic::do_not_recommend]
impl<T> Plain for OrClear<T> {}

#[diagnostic::do_not_recommend]
impl<T: Checked> Arg for OrClear<T> {
    const KIND: Kind = Kind::Text { min: 0, max: <T as Checked>::MOST };
    const READ_BY: ReadBy = ReadBy::These(T::READ_BY);

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        if value.as_ref().and_then(Value::as_str) == Some("") {
            return Some(OrClear(None));
        }
        T::take(value, spot).map(|text| OrClear(Some(text)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::OrClear;
    use crate::args::taken;
    use crate::content::icon::Icon;

    #[test]
    fn only_the_empty_text_clears() {
        let icon = |text: &str| {
            taken::<OrClear<Icon>>(json!(text)).map(|it| it.get().map(|it| it.as_str().to_owned()))
        };
        assert_eq!(icon(""), Some(None));
        assert_eq!(icon("1f331"), Some(Some("1f331".to_owned())));
        assert_eq!(icon(" "), None);
    }
}
