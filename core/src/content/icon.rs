//! An icon of a document or notebook, in the form in which the kernel keeps it.

use serde_json::Value;

use crate::args::{Arg, Plain, Spot};
use crate::spec::Kind;

/// Most characters of what a caller writes for an icon.
const MOST: usize = 256;
/// Endings of pictures. The page asks the kernel for whatever stands here, and one of its addresses runs SQL.
const PICTURES: [&str; 9] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "ico"];
const EXPECTED: &str =
    "an emoji, its code points in hex such as 1f331, or a path such as emojis/plants/leaf.png";

/// Code points in hex joined by `-`, or the path of a picture below the folder of emojis.
///
/// The kernel stores any text here and its page shows it, so nothing else is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Icon(String);

impl Icon {
    /// Reads an emoji, its code points, or `emojis/<file>`; the error says what was expected.
    pub fn parse(text: &str) -> Result<Icon, &'static str> {
        kernel_form(text).map(Icon).ok_or(EXPECTED)
    }

    /// As the kernel keeps it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn kernel_form(icon: &str) -> Option<String> {
    if icon.chars().count() > MOST {
        return None;
    }
    if let Some(file) = icon.strip_prefix("emojis/") {
        let plain = |it: char| it.is_alphanumeric() || "_-. /".contains(it);
        let usable = file.chars().all(plain)
            && file.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
            && !file.starts_with("api/")
            && file
                .rsplit_once('.')
                .is_some_and(|(_, kind)| PICTURES.contains(&kind.to_lowercase().as_str()));
        return usable.then(|| file.to_owned());
    }
    let is_hex = |part: &str| {
        (2..=6).contains(&part.len()) && u32::from_str_radix(part, 16).ok().and_then(char::from_u32).is_some()
    };
    if icon.split('-').all(is_hex) {
        return Some(icon.to_lowercase());
    }
    let is_text = |it: char| {
        it.is_ascii_alphabetic() || it.is_whitespace() || it.is_control() || "<>&\"'/".contains(it)
    };
    if !icon.is_ascii() && icon.chars().count() <= 16 && !icon.contains(is_text) {
        let points: Vec<String> = icon.chars().map(|it| format!("{:x}", u32::from(it))).collect();
        return Some(points.join("-"));
    }
    None
}

#[diagnostic::do_not_recommend]
impl Plain for Icon {}

impl Arg for Icon {
    const KIND: Kind = Kind::Text { min: 1, max: MOST };

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value.as_ref().and_then(Value::as_str).map(Icon::parse) {
            Some(Ok(icon)) => Some(icon),
            _ => spot.expected(EXPECTED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Icon;

    #[test]
    fn icons_are_read_as_the_kernel_keeps_them() {
        for (icon, kept) in
            [("\u{1f331}", "1f331"), ("1F331", "1f331"), ("emojis/plants/leaf.png", "plants/leaf.png")]
        {
            assert_eq!(Icon::parse(icon).as_ref().map(Icon::as_str), Ok(kept), "{icon}");
        }
        for icon in [
            "",
            "leaf",
            "emojis/../conf.png",
            "emojis/",
            "emojis/leaf",
            "emojis/api/icon/getDynamicIcon?type=8&content=x.png",
            "emojis/api/icon/x.png",
            "emojis/leaf.png?x=.png",
            "emojis/%61pi/x.png",
            "<b>\u{1f331}",
            "<img src=x>",
            "1f331\"><b",
        ] {
            assert!(Icon::parse(icon).is_err(), "{icon}");
        }
    }
}
