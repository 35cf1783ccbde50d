//! Icons of notebooks as text.

/// The picture of a notebook without one of its own, and of one whose picture is a file.
const PLAIN: &str = "\u{1f5c3}";

/// The icon of a notebook, which SiYuan stores as code points: `1f468-200d-1f33e`.
pub fn notebook(icon: &str) -> String {
    let character = |code: &str| char::from_u32(u32::from_str_radix(code, 16).ok()?);
    let characters: Option<String> = icon.split('-').map(character).collect();
    characters
        .filter(|it| !it.chars().any(|character| character.is_ascii() || character.is_control()))
        .unwrap_or_else(|| PLAIN.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icons_are_read_from_code_points() {
        assert_eq!(notebook("1f33b"), "\u{1f33b}");
        assert_eq!(notebook("1f468-200d-1f33e"), "\u{1f468}\u{200d}\u{1f33e}");
        for other in ["", "api/icon/x.svg", "picture.png", "3c", "110000"] {
            assert_eq!(notebook(other), PLAIN, "{other}");
        }
    }
}
