//! Tests of the scanner and the writers against results of the real kernel.

use proptest::prelude::*;

use super::write::{Style, write};
use super::*;

/// The document of a text, with ids in order.
fn tree(text: &str) -> Node {
    let mut root = Node::new(Kind::Document);
    root.attrs.set("type", "doc");
    root.children = scan(text);
    root
}

fn plain(text: &str) -> String {
    write(&tree(text), Style::Plain)
}

/// All ids become `id`, all times go, so that a test can be read.
fn kramdown(text: &str, style: Style) -> String {
    let mut root = tree(text);
    root.walk_mut(&mut |node| {
        node.id = "id".into();
        node.attrs.set("updated", "");
    });
    write(&root, style).trim_end_matches("\n\n{: id=\"id\" type=\"doc\"}").to_owned()
}

#[test]
fn markdown_output_matches_the_kernel() {
    for (given, wanted) in [
        ("* one\n* two", "- one\n- two"),
        ("- a\n  - b\n    - c\n- d", "- a\n\n  - b\n\n    - c\n- d"),
        ("1. first\n2. second\n   1. inner", "1. first\n2. second\n\n   1. inner"),
        ("- [ ] open\n- [x] done", "- [ ] open\n- [X] done"),
        ("| a | b |\n| - | -: |\n| 1 | 2 |\n| `c` | **d** |", "|a|b|\n| ------| --: |\n|1|2|\n|`c`|**d**|"),
        (
            "H~2~O, x^2^, ==m==, ~~s~~ and <u>u</u>",
            "H<sub>2</sub>O, x<sup>2</sup>, ==m==, ~~s~~ and <u>u</u>",
        ),
        ("> [!NOTE] Title\n> inside", "> [!NOTE] ✏️ Title\n> inside"),
        ("{{{row\nleft\n\nright\n}}}", "{{{row\nleft\n\nright\n\n}}}"),
        ("{{ SELECT * FROM blocks }}", "{{SELECT * FROM blocks}}"),
        ("$$\ne = mc^2\n$$", "$$\ne = mc^2\n$$"),
        ("***", "---"),
        ("# Heading #\ntext", "# Heading\n\ntext"),
        ("![alt](assets/none.png \"title\")", "![alt](assets/none.png \"title\")"),
        ("**a *b* c** [l **x**](u)", "**a** ***b*** **c** [l ](u)**[x](u)**"),
        ("a :dog: b", "a 🐶\u{fe0f} b"),
    ] {
        assert_eq!(plain(given), wanted, "of {given}");
    }
}

#[test]
fn kramdown_output_matches_the_kernel() {
    assert_eq!(
        kramdown("- one\n  - two", Style::Kramdown),
        "- {: id=\"id\"}one\n  {: id=\"id\"}\n\n  - {: id=\"id\"}two\n    {: id=\"id\"}\n  {: id=\"id\"}\n{: id=\"id\"}"
    );
    assert_eq!(kramdown("#a# and #b#", Style::Kramdown), "#a#\u{200b} and #b#\n{: id=\"id\"}");
    assert_eq!(kramdown("#a# again", Style::Kramdown), "#a# again\n{: id=\"id\"}");
    assert_eq!(
        kramdown("`c` **d**", Style::Textmark),
        "\u{200b}<span data-type=\"code\">c</span>\u{200b} <span data-type=\"strong\">d</span>\n{: id=\"id\"}"
    );
    assert_eq!(kramdown("> q", Style::Kramdown), "> q\n> {: id=\"id\"}\n>\n{: id=\"id\"}");
    assert_eq!(kramdown("", Style::Kramdown), "{: id=\"id\" type=\"doc\"}");
}

#[test]
fn attribute_lists_attach_to_their_block() {
    let text = "one\n{: id=\"20250101000000-aaaaaaa\" custom-a=\"1\"}\n\n{: id=\"20250101000000-bbbbbbb\"}\n\n- {: \
                id=\"20250101000000-ccccccc\"}[X] x\n  {: id=\"20250101000000-ddddddd\"}\n{: id=\"20250101000000-eeeeeee\"}";
    let blocks = scan(text);
    let ids: Vec<&str> = blocks.iter().map(|b| b.id.get(15..16).unwrap()).collect();
    assert_eq!(ids, ["a", "b", "e"]);
    assert_eq!(blocks[0].attrs.get("custom-a"), Some("1"));
    assert_eq!(blocks[1].kind, Kind::Paragraph);
    let item = &blocks[2].children[0];
    assert_eq!(
        (item.id.get(15..16), &item.kind),
        (Some("c"), &Kind::Item { marker: "-".into(), task: Some('X') })
    );
    assert_eq!(item.children[0].id.get(15..16), Some("d"));
}

#[test]
fn references_and_tags_parse_as_spans() {
    let spans = inline::parse("see ((20250101000000-aaaaaaa 'It *is*')) and #tag one#, not C# and F#");
    let kinds: Vec<&str> = spans.iter().map(|s| s.kind.as_str()).collect();
    assert_eq!(kinds, ["", "block-ref", "", "tag", ""]);
    assert_eq!(spans[1].text, "It *is*");
    assert_eq!(spans[3].text, "tag one");
    assert_eq!(inline::parse("`((20250101000000-aaaaaaa))`")[0].text, "((20250101000000-aaaaaaa))");
}

#[test]
fn block_content_matches_the_kernels_index() {
    let content = |text: &str| plain::content(&tree(text).children[0], plain::Take::Targets);
    assert_eq!(content("- one\n  - two\n- three"), " one two three");
    assert_eq!(content("{{{row\nleft\n\nright\n}}}"), " leftright");
    assert_eq!(content("> [!NOTE] T\n> in"), " NOTE ✏️ T in");
    assert_eq!(content("[link](https://example.com \"t\")"), "link t https://example.com");
    assert_eq!(content("![alt](a.png \"t\")"), "alt a.png t");
    assert_eq!(content("| a | b |\n| - | - |\n| 1 | 2 |"), "a b 1 2");
}

#[test]
fn editor_dom_parses_back() {
    let mut root = tree(
        "# H\n\n- [x] a **b** `c`\n  1. d\n\n> q\n\n```rs\nx\n```\n\n$$\nm\n$$\n\n| a | b |\n| - | -: |\n| 1 | #t# |\n\n{{{col\nl\n\nr\n}}}\n\n---",
    );
    root.children[0].attrs.set("custom-a", "x \"y\" <z>");
    assert_eq!(read_dom(&dom::blocks(&root.children, 1)), root.children);
    assert_eq!(read_dom("x")[0].spans, [Span::plain("x")]);
}

#[test]
fn scanner_accepts_any_input() {
    for text in
        ["> ".repeat(5000), "- ".repeat(5000), "*".repeat(9999), "[".repeat(5000), "{{{row\n".repeat(3000)]
    {
        let root = tree(&text);
        assert!(!write(&root, Style::Kramdown).is_empty());
    }
    assert!(!read_dom(&"<div data-type=\"NodeList\">".repeat(5000)).is_empty());
}

/// Some Markdown that means one thing only.
fn inline_text() -> impl Strategy<Value = String> {
    // Emoji occur in plain text only: inside marks the kernel adds spaces around them.
    let word = "[a-zA-Z0-9中文é]{1,6}";
    let part = prop_oneof![
        4 => "[a-zA-Z0-9中文é😀]{1,6}",
        1 => word.prop_map(|w| format!("**{w}**")),
        1 => word.prop_map(|w| format!("*{w}*")),
        1 => word.prop_map(|w| format!("`{w}|`")),
        1 => word.prop_map(|w| format!("#{w}/x#")),
        1 => word.prop_map(|w| format!("[{w}](https://example.com/{w} \"{w}\")")),
        1 => word.prop_map(|w| format!("((20250101000000-abcdefg '{w}'))")),
        1 => word.prop_map(|w| format!("${w}^2$")),
        1 => word.prop_map(|w| format!("~~{w}~~ \\* <{w}")),
        1 => word.prop_map(|w| format!("**{w}**{{: style=\"color: var(--b3-{w});\"}}")),
        1 => word.prop_map(|w| format!("==*{w}*== <u>{w}</u> <kbd>{w}</kbd>")),
        1 => word.prop_map(|w| format!("((20250101000000-abcdefg \"{w}\")) ![{w}](assets/{w}.png \"{w}\")")),
    ];
    prop::collection::vec(part, 1..6).prop_map(|parts| format!("w {}", parts.join(" ")))
}

/// Text for the value of an attribute: quotes, braces, escapes, line breaks, characters of all kinds.
fn value() -> impl Strategy<Value = String> {
    "[a-z\"'&<>{}\\\\ \n=;:中😀]{0,12}[a-z]"
}

/// A block with an attribute list behind it, or without one.
fn attributed(text: String, given: Option<(String, String)>) -> String {
    let Some((own, bookmark)) = given else { return text };
    let mut attrs = Attrs::default();
    attrs.set("custom-own", &own);
    attrs.set("bookmark", &bookmark);
    format!("{text}\n{}", attrs.write(&crate::id::new_id()))
}

fn block_text() -> impl Strategy<Value = String> {
    let indented = |text: String, by: &str| text.replace('\n', &format!("\n{by}"));
    let leaf = prop_oneof![
        inline_text(),
        (1..7_usize, inline_text()).prop_map(|(level, text)| format!("{} {text}", "#".repeat(level))),
        "[a-z`~ \n]{0,12}".prop_map(|text| format!("`````rs\n{text}\n`````")),
        "[a-z^_ ]{1,8}".prop_map(|text| format!("$$\n{text}x\n$$")),
        (inline_text(), inline_text()).prop_map(|(a, b)| format!(
            "| a | {} |\n| - | :-: |\n| 1 | {} |",
            a.replace('|', ""),
            b.replace('|', "")
        )),
        Just("---".to_owned()),
        Just("{{ SELECT * FROM blocks WHERE type = 'h' }}".to_owned()),
        inline_text().prop_map(|text| format!("<div>\n{}\n</div>", text.replace(['<', '`'], ""))),
    ];
    let leaf = (leaf, prop::option::of((value(), value()))).prop_map(|(text, given)| attributed(text, given));
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 1..3), any::<bool>()).prop_map(move |(parts, ordered)| {
                let marker = if ordered { "1. " } else { "- " };
                format!("{marker}{}", indented(parts.join("\n\n"), if ordered { "   " } else { "  " }))
            }),
            (prop::collection::vec(inner.clone(), 1..4), any::<bool>()).prop_map(move |(items, done)| {
                let mark = if done { "- [x] " } else { "* " };
                let item = |text: String| format!("{mark}w\n\n  {}", indented(text, "  "));
                items.into_iter().map(item).collect::<Vec<_>>().join("\n")
            }),
            prop::collection::vec(inner.clone(), 1..3)
                .prop_map(move |p| format!("> {}", indented(p.join("\n\n"), "> "))),
            inner.clone().prop_map(move |p| format!("> [!TIP] Title\n> {}", indented(p, "> "))),
            prop::collection::vec(inner, 1..3).prop_map(|p| format!("{{{{{{col\n{}\n}}}}}}", p.join("\n\n"))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// Written, read and written again, Kramdown keeps every block, id and attribute, whatever its line endings.
    #[test]
    fn kramdown_is_lossless(parts in prop::collection::vec(block_text(), 1..4)) {
        let root = tree(&parts.join("\n\n"));
        for style in [Style::Kramdown, Style::Textmark] {
            let written = write(&root, style);
            prop_assert_eq!(&scan(&written), &root.children, "{}", written);
            prop_assert_eq!(&scan(&written.replace('\n', "\r\n")), &root.children, "{}", written);
            prop_assert_eq!(write(&root, style), written);
        }
    }

    /// The value of an attribute survives a round trip.
    #[test]
    fn attribute_lists_are_lossless(values in prop::collection::vec(value(), 1..5)) {
        let mut given = Attrs::default();
        values.iter().enumerate().for_each(|(at, value)| given.set(&format!("custom-{at}"), value));
        let written = given.write("20250101000000-abcdefg");
        let (mut read, taken) = attrs::read(&written).unwrap();
        prop_assert_eq!(taken, written.len());
        prop_assert_eq!(read.get("id"), Some("20250101000000-abcdefg"));
        read.set("id", "");
        prop_assert_eq!(read, given);
    }

    /// Editor DOM keeps every block too.
    #[test]
    fn editor_dom_is_lossless(parts in prop::collection::vec(block_text(), 1..4)) {
        let root = tree(&parts.join("\n\n"));
        prop_assert_eq!(read_dom(&dom::blocks(&root.children, 1)), root.children);
    }

    /// No text makes it panic.
    #[test]
    fn parsing_any_text_does_not_panic(text in "(?s)[-*>#`$|:{}\\[\\]()<> \n0-9.a-c]{0,200}") {
        let root = tree(&text);
        prop_assert!(write(&root, Style::Kramdown).contains(&root.id));
    }
}
