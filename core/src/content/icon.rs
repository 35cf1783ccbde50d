//! The icon of a document or notebook, in the form in which the kernel stores it.

use crate::args::Checked;
use crate::spec::Interpreter;

/// File endings of pictures. The page requests any address that is stored here, and one of its addresses runs SQL.
const PICTURES: [&str; 9] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "ico"];

/// Code points in hex joined by `-`, or the path of a picture below the folder of emojis.
///
/// The kernel stores any text here and its page displays it, so no other form is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Icon(String);

impl Checked for Icon {
    const MOST: usize = 256;
    const READ_BY: &'static [Interpreter] = &[Interpreter::Html];
    const EXPECTED: &'static str =
        "an emoji, its code points in hex such as 1f331, or a path such as emojis/plants/leaf.png";

    fn parse(text: &str) -> Result<Icon, &'static str> {
        kernel_form(text).map(Icon).ok_or(Icon::EXPECTED)
    }
}

impl Icon {
    /// The icon as the kernel stores it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn kernel_form(icon: &str) -> Option<String> {
    if icon.chars().count() > Icon::MOST {
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

#[cfg(test)]
mod tests {
    use super::{Checked, Icon};

    #[test]
    fn icon_parses_to_the_kernels_form() {
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
