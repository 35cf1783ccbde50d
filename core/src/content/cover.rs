//! The picture above a document, in the form in which the kernel stores it.

use super::incoming::would_run_in_value;
use crate::args::Checked;
use crate::id::AssetPath;
use crate::spec::Interpreter;

const HEAD: &str = "background-image:url(";

/// A picture of the workspace or of the web.
///
/// The kernel stores any style and its page applies it, so only an address without marks of CSS is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover(String);

impl Checked for Cover {
    const MOST: usize = 512;
    const READ_BY: &'static [Interpreter] = &[Interpreter::Css];
    const EXPECTED: &'static str =
        "a picture: assets/... or https://..., without quotes, parentheses and blanks";

    fn parse(text: &str) -> Result<Cover, &'static str> {
        let is_plain = |it: char| !it.is_whitespace() && !it.is_control() && !"\"'()\\;<>{}`&".contains(it);
        let is_known =
            AssetPath::parse(text).is_some() || text.strip_prefix("https://").is_some_and(|it| it.len() > 2);
        let usable = is_known && text.chars().count() <= Cover::MOST && text.chars().all(is_plain);
        if usable && !would_run_in_value(text) { Ok(Cover(text.to_owned())) } else { Err(Cover::EXPECTED) }
    }
}

impl Cover {
    /// The style as the kernel stores it.
    pub fn style(&self) -> String {
        format!("{HEAD}{})", self.0)
    }

    /// The asset, if the picture is one of the workspace.
    pub fn asset(&self) -> Option<AssetPath> {
        AssetPath::parse(&self.0)
    }
}

/// The picture in a stored style; any other style as it is.
pub fn of_style(style: &str) -> &str {
    let address = style.strip_prefix(HEAD).and_then(|it| it.trim_end_matches(';').strip_suffix(')'));
    address.map_or(style, |it| it.trim_matches(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_stay_addresses_are_taken() {
        for wrong in [
            "",
            "https://",
            "http://a.example/x.png",
            "javascript:alert(1)",
            "assets/../conf/conf.json",
            "assets/a.png);background:url(x",
            "https://a.example/\"x",
            "https://a.example/x y.png",
            "https://a.example/api/icon/getDynamicIcon?type=8",
            "/assets/a.png",
        ] {
            assert!(Cover::parse(wrong).is_err(), "{wrong}");
        }
        let cover = Cover::parse("assets/a-20250101000000-aaaaaaa.png").unwrap();
        assert!(cover.asset().is_some());
        assert_eq!(of_style(&cover.style()), "assets/a-20250101000000-aaaaaaa.png");
        assert_eq!(of_style("background-image:url(\"assets/b.png\");"), "assets/b.png");
        assert_eq!(of_style("linear-gradient(red)"), "linear-gradient(red)");
        assert!(Cover::parse("https://a.example/x.png?w=1").unwrap().asset().is_none());
    }
}
