//! Tests of `file.save_template`: what is saved, what is not, and in which form.

use serde_json::json;

use super::as_template;
use crate::dispatch::{Approval, Engine};
use crate::error::ErrorType;
use crate::spec::Tool;
use crate::testing::world::{Nobody, call};
use crate::tools::file::testing::{ask, refused, with_templates};

#[test]
fn a_template_is_saved_and_replaced_only_when_asked() {
    let engine = Engine::new(with_templates("rw"), Nobody);
    let save = |text: &str, overwrite: bool| {
        let sent = json!({ "action": "save_template", "template": "new/Day.md", "text": text, "overwrite": overwrite });
        ask(&engine, &sent)
    };
    assert_eq!(save("# .action{now | date \"2006-01-02\"}", false).unwrap().data["changed"], true);
    assert_eq!(save("# .action{now | date \"2006-01-02\"}", false).unwrap().data["changed"], false);
    assert_eq!(save("other", false).unwrap_err().kind, ErrorType::Conflict);
    let sent =
        json!({ "action": "save_template", "template": "new/Day.md", "text": "other", "overwrite": true });
    let asked = call(&engine, Tool::File, &sent, &Approval::Missing).unwrap_err();
    assert_eq!(asked.details["danger"], "Replaces the template new/Day.md.");
    assert_eq!(save("other", true).unwrap().data["changed"], true);
    let read = json!({ "action": "read_template", "template": "new/Day.md" });
    assert_eq!(ask(&engine, &read).unwrap().body.as_deref(), Some("other"));
    let of_document = json!({ "action": "save_template", "template": "Beds.md", "id": "{/Garden/Beds}" });
    ask(&engine, &of_document).unwrap();
    let read =
        ask(&engine, &json!({ "action": "read_template", "template": "Beds.md" })).unwrap().body.unwrap();
    assert!(read.starts_with("roses") && !read.contains("type=\"doc\""), "{read}");
}

/// B-058, F2: no template is saved that reads notes, or that becomes active content when it is filled in.
#[test]
fn harmful_templates_are_not_saved() {
    let engine = Engine::new(with_templates("rw"), Nobody);
    for text in [
        // S2 and S3 of the third review.
        "hello\n{.action{print \":\"} memo='\" style=\"position:fixed\" onmouseover=\"x\" x=\"'}",
        "a.action{print `\n\n`}{{//!js_esc_newline_x}}.action{print `\n\n`}b",
        "see ((20261124.action{print \"1\"}35556-098u6j8 'x')) end",
        ".action{querySQL \"DELETE FROM blocks\"}",
        ".action{range queryBlocks \"SELECT 1\"}.action{end}",
        ".action{(getBlock \"x\").Content}",
        "<.action{print \"script\"}>",
        "{.action{print \":\"} onclick=\"x\"}",
        ".action{1)) -1 | print \":\" | printf \"%s\" ((2}",
        ".action{define \"a\"}x.action{end}",
        ".action{now",
        "<script>alert(1)</script>",
        "<img src=x on.action{\"\"}error=alert(1)>",
        "<img src=x onerror=alert(1)>",
        "text\n{: id=\"20250101000000-hijack0\"}",
        "((20250101000000-never00 'x'))",
    ] {
        let sent = json!({ "action": "save_template", "template": "Bad.md", "text": text });
        let kind = refused(&engine, &sent).0;
        assert!(matches!(kind, ErrorType::Validation | ErrorType::NotFound), "{text}: {kind:?}");
    }
    assert_eq!(
        refused(&engine, &json!({ "action": "read_template", "template": "Bad.md" })).0,
        ErrorType::NotFound
    );
    // A document of a closed notebook is none.
    let engine = Engine::new(with_templates("none"), Nobody);
    let sent = json!({ "action": "save_template", "template": "Bad.md", "id": "{/Private/Diary}" });
    assert_eq!(refused(&engine, &sent).0, ErrorType::NotFound);
}

/// S2: what an action prints is words, whatever it computes, and the template is saved in the form that does this.
#[test]
fn a_saved_template_prints_words() {
    let engine = Engine::new(with_templates("rw"), Nobody);
    let text = "a .action{print \"<!\"} .action{print \"<script>\"} .action{`{: onclick=\"x\"}`}.";
    let save = |text: &str| {
        ask(&engine, &json!({ "action": "save_template", "template": "Words.md", "text": text }))
    };
    save(text).unwrap();
    let read = json!({ "action": "read_template", "template": "Words.md" });
    let saved = ask(&engine, &read).unwrap().body.unwrap();
    assert!(saved.contains("(toString (print \"<script>\"))"), "{saved}");
    // The saved form is saved again as it is.
    assert_eq!(save(&saved).unwrap().data["changed"], false);
    let sent = json!({ "action": "render_template", "id": "{/Garden/Beds}", "template": "Words.md", "insert": true });
    assert_eq!(ask(&engine, &sent).unwrap().body.as_deref(), Some("a – script onclick x."));
}

/// The kernel prints attributes in any order, differently from call to call.
#[test]
fn the_text_of_a_document_does_not_depend_on_the_order_of_attributes() {
    let document = |first: &str, second: &str| {
        format!(
            "Mint.\n{{: {first} {second} memo=\"x\"}}\n\n* {{: {second} {first}}}Sage\n{{: {first} {second}}}\n\n{{: id=\"20250101000000-aaaaaaa\" type=\"doc\"}}"
        )
    };
    let (id, updated) = ("id=\"20250101000000-bbbbbbb\"", "updated=\"20250101000000\"");
    let text = as_template(&document(id, updated));
    assert_eq!(text, as_template(&document(updated, id)));
    assert_eq!(text, "Mint.\n{: memo=\"x\"}\n\n* Sage\n");
}
