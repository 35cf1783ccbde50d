//! The Chinese texts of the panel, as a Chinese page has loaded them: the modules hold English only.
//!
//! The file consists of sections with an empty line between them. The first line of a section is its name, and each
//! other line a text, in the order of the declarations. The recipe writes it with the modules that read it.

use std::sync::OnceLock;

static LOADED: OnceLock<&'static str> = OnceLock::new();

/// Takes the content of the file; once, because the texts live as long as the page. Empty means not loaded.
pub fn load(file: String) {
    if !file.is_empty() {
        LOADED.get_or_init(|| file.leak());
    }
}

/// Whether the language of a page is Chinese.
pub(super) fn is_chinese(lang: &str) -> bool {
    lang.get(..2).is_some_and(|it| it.eq_ignore_ascii_case("zh"))
}

/// The texts of a declaration in a page's language. English stands in for a section that is missing or of another
/// length.
pub(super) fn words<W, const N: usize>(
    lang: &str,
    name: &str,
    english: &'static W,
    chinese: &'static OnceLock<W>,
    made: fn([&'static str; N]) -> W,
) -> &'static W {
    if !is_chinese(lang) {
        return english;
    }
    if let Some(known) = chinese.get() {
        return known;
    }
    match section(name).try_into() {
        Ok(lines) => chinese.get_or_init(|| made(lines)),
        Err(_) => english,
    }
}

/// The lines of a section; none where it is missing.
pub(super) fn section(name: &str) -> Vec<&'static str> {
    // Natively, where only tests read them, no page has to load anything.
    #[cfg(not(target_arch = "wasm32"))]
    load(super::file::panel_zh());
    let mut sections = LOADED.get().into_iter().flat_map(|file| file.split("\n\n"));
    sections
        .find_map(|it| it.strip_prefix(name)?.strip_prefix('\n'))
        .map(|it| it.lines().collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page may have been sent half a file, or one of another version.
    #[test]
    fn english_stands_in_for_sections_that_do_not_fit() {
        static TWO: OnceLock<[&str; 2]> = OnceLock::new();
        static NONE: OnceLock<[&str; 1]> = OnceLock::new();
        assert_eq!(words("zh_CN", "PanelWords", &["a", "b"], &TWO, |it| it), &["a", "b"]);
        assert_eq!(words("zh_CN", "Panel", &["a"], &NONE, |it| it), &["a"]);
        assert!(TWO.get().is_none() && NONE.get().is_none());
    }
}
