//! Input for the settings about files and prompts: what makes sense there.

/// Whether a text is the whole path of a folder on some system, or empty for none.
pub fn is_folder(typed: &str) -> bool {
    let is_drive = |it: &str| {
        let mut chars = it.chars();
        chars.next().is_some_and(|c| c.is_ascii_alphabetic())
            && chars.next() == Some(':')
            && matches!(chars.next(), Some('/' | '\\'))
    };
    let is_plain = !typed.chars().any(char::is_control);
    let is_share = typed.starts_with("\\\\") && typed.len() > 2;
    typed.is_empty() || (is_plain && (typed.starts_with('/') || is_drive(typed) || is_share))
}

/// Whether a text is a tag, or empty for none.
pub fn is_tag(typed: &str) -> bool {
    !typed.contains('#') && !typed.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_whole_paths() {
        for folder in ["", "/home/me/exchange", "/", "C:\\Exchange", "d:/x", "\\\\nas\\share"] {
            assert!(is_folder(folder), "{folder}");
        }
        for other in ["exchange", "./x", "~/x", "C:", "C:x", "\\\\", "/a\u{7}", "é:\\x"] {
            assert!(!is_folder(other), "{other}");
        }
    }

    #[test]
    fn tags_have_no_number_signs() {
        assert!(is_tag("") && is_tag("prompt/mine") && is_tag("提示词"));
        assert!(!is_tag("#prompt#") && !is_tag("a\nb"));
    }
}
