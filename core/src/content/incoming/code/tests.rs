//! Tests of code detection in incoming Markdown.

use proptest::prelude::*;

use super::mask;

fn seen(markdown: &str) -> bool {
    mask(markdown).text.contains('X')
}

#[test]
fn plain_code_is_blanked_out() {
    for code in [
        "```\nX\n```",
        "text\n\n~~~js\nX\n\n{{X}}\n~~~\nafter",
        "- item\n  ```\n  X\n  ```",
        "a `X` b ``X ` X`` c",
        "## `X`",
        "```\nX",
        "<b>a</b>\n\n```\nX\n```",
        "<div>\na\n</div>\n\na `X`",
        "$$\na\n$$\n`X`",
        "- a\n  - b\n\n    ```\n    X\n    ```",
        "[a](https://example.org) and `X`",
        "- [ ] a `X`",
        "| a `b` | `X` |",
    ] {
        assert!(!seen(code), "{code}");
    }
}

/// Each of these is text, or may be, to some reader of Markdown.
#[test]
fn possible_text_is_not_blanked_out() {
    for text in [
        "<div>\n```\n</div>\nX",
        "<!--\n```\n-->\nX\n```",
        "<div>\n```\n\nX\n```",
        "<div>\n- a\n\n    ```\n    X\n    ```",
        "<<<<<<< a\n\n```\nX\n```",
        "$$\n$$ a\n```\nX\n```",
        "$$\n{: id=\"x\"}\n```\nX\n```",
        "    ```\nX\n    ```",
        "- - - -\n        ```\n        X",
        "{{{row\n```\n}}}\nX\n```",
        "``` a~b\nX\n```",
        "```\na\n```\u{a0}\n```\nX",
        "a ` | `X` | ` b",
        "[a](`) `X` [b](`)",
        "`<span data-type=\"x\">` `X`",
        "$$\n```\n$$\nX",
        "- ```\nX",
        "- ```\n  a\n  ```\n  X",
        "> ```\nX",
        "- {: a=\"1\"}```\n  a\n  ```\n  X",
        "- > {: a=\"1\"}- ```\n  a\n  ```\n  X",
        "  ```\nX",
        "```\na\n    ```\nX",
        "~~~\n```\nX\n```\n~~~",
        "a `\n- X`",
        "<a title=\"`\" X=\"`\">",
        "((1 '`')) X '`'",
        "$`$ X $`$",
        "\\`X`",
        "`a\n`X`",
        "``X`",
    ] {
        assert!(seen(text), "{text}");
    }
}

#[test]
fn open_fence_reports_its_closing_marker() {
    assert_eq!(mask("a\n  ~~~~js\n  X").closing.as_deref(), Some("  ~~~~"));
    assert_eq!(mask("```\nX\n```").closing, None);
}

proptest! {
    #[test]
    fn blanking_keeps_offsets(text in "[a-c`~<>$#{}(\\\\ \n\u{5c0f}-]{0,60}") {
        let masked = mask(&text).text;
        prop_assert_eq!(masked.len(), text.len());
        for (at, letter) in masked.char_indices().filter(|(_, it)| *it != ' ') {
            prop_assert!(text[at..].starts_with(letter));
        }
    }
}
