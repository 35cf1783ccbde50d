//! Tests of blocks and references in exported Markdown.

use super::*;

fn plain() -> MarkdownOptions {
    MarkdownOptions {
        references: References::Unchanged,
        quote_embeds: true,
        title: false,
        image_tags: false,
        lift_headings: false,
        files: None,
    }
}

#[test]
fn export_flattens_super_blocks_and_breaks_lines_hard() {
    let nodes = crate::markdown::scan("{{{row\na\nb\n\nc\n\n}}}");
    assert_eq!(text_of(nodes, &plain(), &[], write_plain), "a  \nb\n\nc");
    let nodes = crate::markdown::scan("#t# x <kbd>k</kbd>");
    assert_eq!(text_of(nodes, &plain(), &[], write_plain), "#t#\u{200b} x <kbd>k</kbd>");
}

#[test]
fn export_renders_references_as_configured() {
    let id = "20250101000000-abcdefg";
    let shown = |references: References, own: &[&str], notes: &[Footnote]| {
        let mut node = crate::markdown::scan(&format!("see (({id} 'it'))")).remove(0);
        let own = own.iter().map(|id| (*id).to_owned()).collect();
        let options = MarkdownOptions { references, ..plain() };
        refer(&mut node.spans, &options, &own, notes, &mut HashSet::new());
        text_of(vec![node], &options, &[], write_plain)
    };
    let note = [Footnote { id: id.into(), text: "it".into() }];
    assert_eq!(shown(References::Links, &[], &[]), format!("see [it](siyuan://blocks/{id})"));
    assert_eq!(shown(References::Texts, &[], &[]), "see it");
    assert_eq!(shown(References::Unchanged, &[], &[]), format!("see (({id} 'it'))"));
    assert_eq!(shown(References::Footnotes, &[id], &[]), format!("see [it](#{id})"));
    assert_eq!(shown(References::Footnotes, &[], &note), "see it[^1]");
}

#[test]
fn exported_section_can_start_at_level_one() {
    let mut nodes = crate::markdown::scan("### a\n\n#### b");
    lift(&mut nodes, 2);
    assert_eq!(text_of(nodes, &plain(), &[], write_plain), "## a\n\n### b");
}
