//! Tests of replacing a document: the blocks that stay, the text that is sent, the texts that are refused.

use proptest::prelude::*;

use super::*;
use crate::content::blocks;

fn id(at: usize) -> String {
    format!("20250101000000-{at:07}")
}

/// A document as the kernel prints it.
fn printed(texts: &[&str]) -> Vec<TopBlock> {
    let blocks: Vec<String> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| format!("{text}\n{{: id=\"{}\" custom-a=\"{at}\"}}", id(at)))
        .collect();
    kramdown::blocks(&blocks.join("\n\n"))
}

fn against(old: &[&str], markdown: &str) -> Overwrite {
    compare(&printed(old), markdown)
}

#[test]
fn equal_blocks_keep_id_and_attributes() {
    let what = against(&["# T", "one", "two"], "# T\n\nnew\nline\n\ntwo");
    assert_eq!(what.kept, BTreeSet::from([id(0), id(2)]));
    assert_eq!(
        what.data,
        format!(
            "# T\n{{: id=\"{}\" custom-a=\"0\"}}\n\nnew\nline\n\ntwo\n{{: id=\"{}\" custom-a=\"2\"}}",
            id(0),
            id(2)
        )
    );
    assert_eq!((what.old - what.kept.len(), what.changed), (1, true));
}

/// F7: a list of 300 items and a table of 300 rows count as 300, and so does a text whose blocks only keep their ids.
#[test]
fn replaced_count_includes_nested_blocks() {
    let item = |at: usize| format!("- {{: id=\"{}\"}}a\n  {{: id=\"{}\"}}", id(1_000 + at), id(2_000 + at));
    let items: Vec<String> = (0..300).map(item).collect();
    let list = kramdown::blocks(&format!("{}\n{{: id=\"{}\"}}", items.join("\n"), id(10)));
    let rows = format!("| a |\n| - |\n{}", "| b |\n".repeat(300));
    let table = printed(&[rows.trim_end()]);
    for old in [&list, &table] {
        let what = compare(old, "new");
        assert_eq!((old.len(), what.old - what.kept.len()), (1, 1));
        assert!((300..=303).contains(&what.replaced) && what.replaces_much(), "{}", what.replaced);
        assert!(!compare(old, &old[0].markdown()).replaces_much());
    }
    let texts: Vec<String> = (0..60).map(|at| format!("text {at}")).collect();
    let old = printed(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let renamed: Vec<String> = (0..60).map(|at| format!("other {at}\n{{: id=\"{}\"}}", id(at))).collect();
    let what = compare(&old, &renamed.join("\n\n"));
    assert_eq!((what.kept.len(), what.replaced, what.replaces_much()), (60, 60, true));
}

/// F7: an approval covers the whole text that is replaced, in whatever order the kernel prints attributes.
#[test]
fn attribute_order_does_not_change_the_approved_text() {
    let one = "a\n{: id=\"x\" custom-a=\"1\" updated=\"2\"}";
    let other = "a\n{: updated=\"2\" id=\"x\" custom-a=\"1\"}";
    assert_eq!(canonical(one), canonical(other));
    assert_ne!(canonical(one), canonical(&other.replace("\"1\"", "\"3\"")));
    assert_ne!(canonical(one), canonical(&one.replace('a', "b")));
}

#[test]
fn overwriting_with_the_same_text_changes_nothing() {
    let what = against(&["# T", "one\ntwo", "- a\n\n  - b"], "# T\n\none  \ntwo\n\n- a\n  - b\n");
    assert!(!what.changed && !what.replaces_much());
}

/// Markdown cannot express that two adjacent lists are two.
#[test]
fn adjacent_lists_stay_separate() {
    let what = against(&["- a", "- b", "c"], "- a\n\n- b\n\nd");
    assert_eq!(what.kept, BTreeSet::from([id(0), id(1)]));
    assert!(what.data.ends_with(&format!("- b\n{{: id=\"{}\" custom-a=\"1\"}}\n\nd", id(1))));
    assert!(!against(&["- a", "- b"], "- a\n\n- b").changed);
}

#[test]
fn blank_lines_in_code_are_compared() {
    assert!(against(&["```\na\n\nb\n```"], "```\na\nb\n```").changed);
}

#[test]
fn nested_ids_stay_in_their_list() {
    let list = format!("- {{: id=\"{}\"}}a\n  {{: id=\"{}\"}}\n{{: id=\"{}\"}}", id(11), id(12), id(10));
    let old = kramdown::blocks(&list);
    let what = compare(&old, "intro\n\n- a");
    assert_eq!(what.data, format!("intro\n\n{list}"));
}

#[test]
fn attributes_in_the_new_text_win_and_the_id_stays() {
    let what = against(
        &["one", "two"],
        &format!("changed\n{{: id=\"{}\"}}\n\ntwo\n{{: id=\"{}\" custom-a=\"9\"}}", id(0), id(1)),
    );
    assert_eq!(what.kept, BTreeSet::from([id(0), id(1)]));
    assert!(what.changed && what.data.contains("custom-a=\"9\"") && !what.data.contains("custom-a=\"1\""));
    let same = against(&["one"], &format!("one\n{{: custom-a=\"0\" id=\"{}\"}}", id(0)));
    assert!(!same.changed);
}

/// The same id twice would give two blocks one id.
#[test]
fn id_of_a_kept_block_is_not_reused() {
    let what = against(&["one"], &format!("one\n\nother\n{{: id=\"{}\" custom-b=\"1\"}}", id(0)));
    assert_eq!(
        what.data,
        format!("one\n{{: id=\"{}\" custom-a=\"0\"}}\n\nother\n{{: custom-b=\"1\"}}", id(0))
    );
}

#[test]
fn overwriting_unwritable_blocks_is_refused_by_type() {
    for (kramdown, kind) in [
        (
            "<div data-type=\"NodeAttributeView\" data-av-id=\"x\" data-av-type=\"table\"></div>",
            Some("database"),
        ),
        ("row\n{: id=\"x\" custom-avs=\"y\"}", Some("database row")),
        ("<iframe data-subtype=\"widget\"></iframe>", Some("widget")),
        ("{{SELECT * FROM blocks}}", Some("embed")),
        ("{{{row\na\n\nb\n}}}", None),
        ("plain", None),
    ] {
        assert_eq!(fragile(kramdown), kind, "{kramdown}");
    }
    let error = refuse_fragile(&printed(&["a", "{{SELECT 1}}"])).unwrap_err();
    assert_eq!(error.details["blocks"], json!([{ "id": id(1), "kind": "embed" }]));
}

proptest! {
    /// After any rewrite, the text that is sent matches the caller's, and no id occurs twice.
    #[test]
    fn sent_text_matches_the_callers_text(
        old in prop::collection::vec("[ab]{1,2}", 0..6),
        new in prop::collection::vec("[abc]{1,2}", 0..6),
    ) {
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let what = against(&old, &new.join("\n\n"));
        let sent = kramdown::blocks(&format!("{}\n", what.data));
        let said: Vec<String> = sent.iter().flat_map(|it| {
            blocks::split(&it.kramdown).iter().map(|it| kramdown::strip(it)).collect::<Vec<_>>()
        }).collect();
        prop_assert_eq!(&said, &new);
        prop_assert_eq!(what.changed, old != new);
        let ids: Vec<&str> = sent.iter().filter_map(|it| it.attributes.id()).collect();
        prop_assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    }
}
