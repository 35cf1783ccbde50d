//! Tests of the judge: blocks that pass, and single parts that do not.

use super::*;

const BLOCK_ID: &str = "20250101000000-block00";
const OTHER: &str = "20250101000000-other00";

fn paragraph(attributes: &str, inside: &str) -> String {
    format!(
        "<div data-node-id=\"{BLOCK_ID}\" data-node-index=\"1\" data-type=\"NodeParagraph\" class=\"p\"{attributes} \
         updated=\"20250101000000\"><div contenteditable=\"true\" spellcheck=\"false\">{inside}</div><div \
         class=\"protyle-attr\" contenteditable=\"false\">\u{200b}</div></div>"
    )
}

fn ids(references: &[&str]) -> AllowedIds {
    let set = |ids: &[&str]| ids.iter().map(|it| (*it).to_owned()).collect();
    AllowedIds { fresh: set(&[BLOCK_ID]), references: set(references) }
}

fn found(dom: &str) -> Option<String> {
    judge(dom, "", &ids(&[])).err()
}

#[test]
fn ordinary_blocks_pass() {
    for (attributes, inside) in [
        ("", "text &lt;script&gt; <span data-type=\"strong em\">x</span><br />"),
        (" memo=\"a note\" custom-a=\"1\" style=\"color: red;\"", "x"),
        ("", "<span data-type=\"a\" data-href=\"https://e.org/?a=b&amp;c=d\" data-title=\"\"></span>"),
        (
            "",
            "<span data-type=\"inline-math\" data-subtype=\"math\" data-content=\"E = mc^2\" class=\"render-node\"></span>",
        ),
        ("", "<img src=\"assets/a.png\" data-src=\"assets/a.png\" alt=\"a\" loading=\"lazy\">"),
    ] {
        let inside = inside.replace(" data-title=\"\"", "");
        assert_eq!(found(&paragraph(attributes, &inside)), None, "{attributes} {inside}");
    }
}

#[test]
fn parts_that_agents_may_not_write_are_found() {
    for (attributes, inside) in [
        (" onclick=\"x\"", ""),
        (" custom-avs=\"x\"", ""),
        (" custom-sy-readonly=\"true\"", ""),
        (" id=\"x\"", ""),
        (" data-av-id=\"x\"", ""),
        (" style=\"position: fixed\"", ""),
        (" memo=\"&quot;&gt;&lt;img src=x onerror=y&gt;\"", ""),
        ("", "<script></script>"),
        ("", "<b onclick=\"x\"></b>"),
        ("", "<iframe src=\"https://e.org\"></iframe>"),
        ("", "<span data-type=\"strong\" class=\"b3-dialog\"></span>"),
        ("", "<span data-type=\"a\" data-href=\"javascript:x\"></span>"),
        ("", "<span data-type=\"a\" data-href=\"file:///x\"></span>"),
        ("", "<span data-type=\"a\" data-href=\"/api/icon/getDynamicIcon?type=8\"></span>"),
        ("", "<span data-type=\"a\" data-href=\"siyuan://blocks/20250101000000-other00\"></span>"),
        ("", "<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"20250101000000-other00\">x</span>"),
        ("", "<span data-type=\"inline-math\" data-subtype=\"math\" data-content=\"\\href{x}{y}\"></span>"),
        ("", "<div data-type=\"NodeWidget\"></div>"),
        ("", "<div data-type=\"NodeAttributeView\" data-av-id=\"x\"></div>"),
        ("", "<div data-type=\"NodeBlockQueryEmbed\" data-content=\"DELETE FROM blocks\"></div>"),
        ("", "<div data-type=\"NodeCodeBlock\" data-subtype=\"echarts\" data-content=\"{}\"></div>"),
        ("", "<protyle-html data-content=\"&lt;script&gt;x&lt;/script&gt;\"></protyle-html>"),
        ("", "<div data-node-id=\"20250101000000-other00\"></div>"),
        ("", "<div data-node-id=\"20250101000000-block00\"></div>"),
        ("", "<use xlink:href=\"#message\"></use>"),
        ("", "</div></div><div><div>x</b>"),
    ] {
        let dom = paragraph(attributes, inside);
        assert!(found(&dom).is_some(), "{attributes} {inside}");
    }
}

#[test]
fn readable_blocks_may_be_referred_to() {
    let dom = paragraph(
        "",
        &format!("<span data-type=\"block-ref\" data-subtype=\"s\" data-id=\"{OTHER}\">x</span>"),
    );
    assert_eq!(judge(&dom, "", &ids(&[OTHER])), Ok(()));
    assert_eq!(judge(&dom, "", &ids(&[])), Err(format!("a reference to {OTHER}")));
    assert_eq!(judge(&dom, &dom, &ids(&[])), Ok(()));
}

/// The replaced block may be written again, but neither twice nor elsewhere.
#[test]
fn parts_of_the_replaced_block_stay_where_they_are() {
    let old = paragraph(" custom-avs=\"x\"", "<iframe src=\"https://e.org\"></iframe>");
    let none = AllowedIds::default();
    assert_eq!(judge(&old, &old, &none), Ok(()));
    assert_eq!(judge(&format!("{old}{old}"), &old, &none), Err(format!("a block of the id {BLOCK_ID}")));
    let moved = old.replace(BLOCK_ID, OTHER);
    let fresh = AllowedIds { fresh: BTreeSet::from([OTHER.to_owned()]), ..AllowedIds::default() };
    assert_eq!(judge(&moved, &old, &fresh), Err(format!("custom-avs=x of {OTHER}")));
    let database = paragraph("", "<div data-type=\"NodeAttributeView\" data-av-id=\"x\"></div>");
    assert_eq!(judge(&database, &database, &none), Ok(()));
    let twice = paragraph("", &"<div data-type=\"NodeAttributeView\" data-av-id=\"x\"></div>".repeat(2));
    assert_eq!(judge(&twice, &database, &none), Err("the database x".to_owned()));
}
