//! Names, values and descriptions, which SiYuan shows as HTML in some places and between the quotes of an attribute in
//! others.

use super::active::active;
use super::addresses::Addresses;
use super::folded::folded;
use super::stored::forms;
use super::swallowing::swallows;
use super::tags::UnsafeMarkup;

/// Whether a value would run or place something where it is displayed.
///
/// SiYuan puts some names, values and descriptions into its window as HTML, or between the quotes of an attribute, and
/// more HTML behind them: that closes or becomes a part of what they leave open.
pub fn would_run_in_value(value: &str) -> bool {
    forms(value).iter().any(|it| would_run_as_shown(it))
}

fn would_run_as_shown(value: &str) -> bool {
    if would_run_in_picture(value) || swallows(value) {
        return true;
    }
    let bare = [("", ">"), ("", "\">"), ("", "'>")].iter().filter(|_| value.contains(['<', '&']));
    // No element has this name: of its attributes, only those count that act.
    let quoted = [("<a: title=\"", "\">"), ("<a: title='", "'>")];
    let quoted = quoted.iter().filter(|_| value.contains(['"', '\'', '&']));
    bare.chain(quoted).any(|(before, behind)| {
        let shown = format!("{before}{value}{behind}");
        would_run_in_picture(&shown) || !UnsafeMarkup::of(&shown).is_empty()
    })
}

/// Whether a picture, in which any element may stand, would run something.
pub fn would_run_in_picture(text: &str) -> bool {
    folded(text).is_none_or(|it| active(&it).is_some())
}

/// Whether the value of a cell is an address that only the web, mail or a telephone opens, or none.
pub fn is_plain_address(value: &str) -> bool {
    let link = format!("[x]({value})");
    !would_run_in_value(&link) && Addresses::of(&link).beyond(&Addresses::default()).is_none()
}

/// Whether a text is no markup, written out or as character references. SiYuan puts some names into its window as HTML
/// after it has decoded them.
pub fn is_plain(text: &str) -> bool {
    forms(text).iter().all(|it| is_plain_as_shown(it))
}

fn is_plain_as_shown(text: &str) -> bool {
    folded(text).is_some_and(|it| !it.contains(['<', '>']) && active(&it).is_none())
}

#[cfg(test)]
#[path = "values_tests.rs"]
mod tests;
