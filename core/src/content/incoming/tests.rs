//! Tests of incoming Markdown: the dropped, the completed and the refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_lock::OnceCell;
use futures_util::FutureExt;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::config::Cache;
use crate::cx::World;
use crate::error::ErrorType;
use crate::permission::{FEW, Level};
use crate::process::Process;
use crate::spec::{Access, ActionSpec, Danger, Effect, Tier, Tool};
use crate::testing::{ATTIC, FakeKernel, GARDEN, PRIVATE, Seen};

const SPEC: ActionSpec = ActionSpec {
    tool: Tool::Block,
    name: "check",
    doc: "",
    slots: &[],
    access: Access::Some(Level::Write),
    effect: Effect::Write,
    worst: Effect::Write,
    danger: Danger::None,
    deed: None,
    idempotent: false,
    calls: CALLS,
    examples: &[],
    default_on: true,
    tier: Tier::Basic,
    since: "0.1.0",
    aliases: &[],
};

const READABLE: &str = "20250101000000-readabl";
const HIDDEN: &str = "20250101000000-hidden0";
const MISSING: &str = "20250101000000-missing";
const SHOWING: &str = "20250101000000-showing";
pub(super) const OLD: &str = "20250101000000-oldold0";
const FOREIGN: &str = "20250101000000-foreign";

pub(in crate::content) fn kernel() -> FakeKernel {
    let row = |id: &str, notebook: &str, kind: &str, content: &str| json!({ "id": id, "box": notebook, "type": kind, "content": content, "hpath": "/Beds/North bed" });
    let rows = [
        row(READABLE, ATTIC, "p", "it's\nwarm"),
        row(HIDDEN, PRIVATE, "p", "quicksilver"),
        row(SHOWING, GARDEN, "query_embed", "quicksilver"),
    ];
    let places = rows.clone();
    FakeKernel::new()
        .answer("/api/sqlite/flushTransaction", |_| Value::Null)
        .answer("/api/filetree/getPathByID", move |ask| {
            match places.iter().find(|row| row["id"] == ask["id"]) {
                Some(row) => json!({ "notebook": row["box"], "path": format!("/{FOREIGN}.sy") }),
                None => json!({ "code": -1, "msg": "tree not found", "data": null }),
            }
        })
        .answer("/api/query/sql", move |ask| {
            let stmt = ask["stmt"].as_str().unwrap_or_default();
            rows.iter().filter(|row| stmt.contains(row["id"].as_str().unwrap_or_default())).cloned().collect()
        })
}

/// The routes that were called.
fn asked(kernel: &FakeKernel) -> Vec<&'static str> {
    kernel.asked().iter().map(|(path, _)| *path).collect()
}

pub(in crate::content) fn checked(
    kernel: &FakeKernel,
    markdown: &str,
    kept: &ReplacedContent,
) -> Result<Incoming, ToolError> {
    checked_by(&SPEC, kernel, markdown, kept)
}

fn checked_by(
    spec: &'static ActionSpec,
    kernel: &FakeKernel,
    markdown: &str,
    kept: &ReplacedContent,
) -> Result<Incoming, ToolError> {
    let (cache, process, observer) = (Cache::default(), Process::default(), Seen::default());
    let world = World { kernel, source: &cache, process: &process, observer: &observer, author: None };
    async {
        let scope = cache.policy(kernel).await.scope.clone();
        check(&Cx::new(&world, spec, scope, Arc::new(OnceCell::new())), markdown, kept).await
    }
    .now_or_never()
    .unwrap()
}

/// An action that forgot `..incoming`, or a part of it, fails for any text, not only for the rare text for which the
/// helper makes a request.
#[test]
fn action_without_declared_incoming_calls_fails_at_once() {
    static FORGETFUL: ActionSpec = ActionSpec { calls: &[query::SQL], ..SPEC };
    let error = checked_by(&FORGETFUL, &kernel(), "plain", &ReplacedContent::nothing()).unwrap_err();
    assert_eq!(error.kind, ErrorType::Internal);
    assert!(checked_by(&SPEC, &kernel(), "plain", &ReplacedContent::nothing()).is_ok());
}

pub(super) fn new(markdown: &str) -> Result<Incoming, ToolError> {
    checked(&kernel(), markdown, &ReplacedContent::nothing())
}

fn kept() -> ReplacedContent {
    ReplacedContent::of(&format!(
        "a\n{{: id=\"{OLD}\" updated=\"20250101000000\" custom-avs=\"av\"}}\n\n```\n{{: id=\"{FOREIGN}\"}}\n```\n{{: id=\"20250101000000-code000\"}}"
    ))
}

#[test]
fn foreign_ids_are_dropped_and_reported() {
    let text = format!(
        "x\n{{: id=\"{FOREIGN}\" custom-note=\"1\" updated=\"2\" custom-avs=\"y\"}}\n\n- {{: id=\"{OLD}\"}}z"
    );
    let incoming = new(&text).unwrap();
    assert_eq!(incoming.markdown, "x\n{: custom-note=\"1\"}\n\n- z");
    assert_eq!(incoming.ids_dropped, [FOREIGN, OLD]);
}

#[test]
fn ids_of_replaced_blocks_are_kept_once() {
    let text = format!(
        "x\n{{: id=\"{OLD}\" custom-avs=\"av\" updated=\"other\" custom-riff-decks=\"y\"}}\n\ny\n{{: id=\"{OLD}\"}}"
    );
    let incoming = checked(&kernel(), &text, &kept()).unwrap();
    assert_eq!(incoming.markdown, format!("x\n{{: id=\"{OLD}\" custom-avs=\"av\"}}\n\ny\n"));
    assert_eq!(incoming.ids_dropped, [OLD]);
    // The binding to a database stays even if the text omits it.
    let incoming = checked(&kernel(), &format!("x\n{{: id=\"{OLD}\"}}"), &kept()).unwrap();
    assert_eq!(incoming.markdown, format!("x\n{{: id=\"{OLD}\" custom-avs=\"av\"}}"));
}

/// The kernel prints the database of a row before its id; that is no reference to a block.
#[test]
fn text_of_a_row_may_change() {
    const AV: &str = "20250601000000-avplant";
    let old = format!("old\n{{: custom-avs=\"{AV}\" id=\"{OLD}\" updated=\"20250101000000\"}}");
    let incoming =
        checked(&kernel(), &format!("new\n{{: id=\"{OLD}\"}}"), &ReplacedContent::of(&old)).unwrap();
    assert_eq!(incoming.markdown, format!("new\n{{: id=\"{OLD}\" custom-avs=\"{AV}\"}}"));
    assert!(recheck(&incoming.markdown, &incoming.markdown, &old).is_ok());
}

/// An id that an agent put into code earlier must not become one that it may use later.
#[test]
fn id_in_replaced_code_is_foreign() {
    let incoming = checked(&kernel(), &format!("x\n{{: id=\"{FOREIGN}\"}}"), &kept()).unwrap();
    assert_eq!(incoming.ids_dropped, [FOREIGN]);
}

#[test]
fn attribute_lists_in_code_are_text() {
    let fenced = format!("```\n{{: id=\"{FOREIGN}\"}}\n```\n");
    for code in
        ["`{: id=\"x\" a='1'}`", "- [ ] use `{: onclick=\"x\"}`", "see [a](b), `{: a=1}`", "a | `{: b}` | c"]
    {
        let text = format!("{fenced}{code}");
        assert_eq!(new(&text).unwrap(), Incoming { markdown: text, ids_dropped: vec![] });
    }
    // An id in a line may be a reference to a parser that cuts the line elsewhere.
    assert_eq!(new(&format!("`{{: id=\"{FOREIGN}\"}}`")).unwrap_err().kind, ErrorType::NotFound);
}

/// Without the first list, the first line is raw HTML, and the fence below it is not a fence.
#[test]
fn text_is_checked_again_after_escaping() {
    let list = format!("{{: id=\"{FOREIGN}\"}}");
    let incoming = new(&format!("{list}<div>\n```\n{list}")).unwrap();
    assert_eq!((incoming.markdown.as_str(), incoming.ids_dropped.len()), ("<div>\n```\n", 2));
}

/// F2: text that the parser may read as a list and this product does not becomes plain text, or is refused where a
/// backslash cannot be inserted.
#[test]
fn ambiguous_attribute_lists_become_text() {
    for (text, sent) in [
        ("x\n{: memo='\" onmouseover=\"y'}", "x\n\\{: memo='\" onmouseover=\"y'}"),
        ("- {: a=1}x", "- \\{: a=1}x"),
        ("set {: x } of {: y }", "set \\{: x } of \\{: y }"),
        ("**x**{: A=\"1\"}", "**x**\\{: A=\"1\"}"),
        ("x\n{: a=\"1\" a=\"2\"}", "x\n\\{: a=\"1\" a=\"2\"}"),
        ("{: .note }\n{:toc}\n{:ok, x}", "{: .note }\n{:toc}\n{:ok, x}"),
        ("x \\{: a='1'}", "x \\{: a='1'}"),
    ] {
        assert_eq!(new(text).unwrap().markdown, sent, "{text}");
    }
    for text in
        ["<div>\n{: a='1'}", "`a\n`{: a='1'}", "[{: a='1'}](b)", "$a {: b=1}$", "x\n{: data-av-id=\"x\"}"]
    {
        assert_eq!(new(text).unwrap_err().kind, ErrorType::Validation, "{text}");
    }
    for list in
        [format!("{{: id='{FOREIGN}'}}"), format!("{{:\nid=\"{FOREIGN}\"}}"), format!("{{: a id={FOREIGN}}}")]
    {
        assert_eq!(new(&format!("x\n{list}")).unwrap_err().kind, ErrorType::NotFound, "{list}");
    }
}

#[test]
fn document_attribute_list_is_removed() {
    let text = format!("x\n\n{{: id=\"{FOREIGN}\" title=\"T\" type=\"doc\"}}");
    assert_eq!(new(&text).unwrap(), Incoming { markdown: "x\n\n".to_owned(), ids_dropped: vec![] });
}

#[test]
fn missing_anchors_are_completed_by_one_query() {
    let kernel = kernel();
    let text = format!(
        "(({READABLE})) and (({READABLE} \"mine\")) and (({SHOWING})) 小 [l](siyuan://blocks/{READABLE})"
    );
    let incoming = checked(&kernel, &text, &ReplacedContent::nothing()).unwrap();
    let expected = text
        .replace(&format!("(({READABLE}))"), &format!("(({READABLE} 'it’s warm'))"))
        .replace(&format!("(({SHOWING}))"), &format!("(({SHOWING} 'North bed'))"));
    assert_eq!(incoming.markdown, expected);
    let place = "/api/filetree/getPathByID";
    assert_eq!(asked(&kernel), [place, place, "/api/query/sql"]);
}

/// B-055: a hidden block and a missing one answer the same, after the same requests.
#[test]
fn references_must_be_readable() {
    let answers: Vec<_> = [HIDDEN, MISSING]
        .into_iter()
        .map(|id| {
            let kernel = kernel();
            let error =
                checked(&kernel, &format!("(({id} 'x')) (({READABLE}))"), &ReplacedContent::nothing())
                    .unwrap_err();
            assert_eq!((error.kind, &error.details["ids"]), (ErrorType::NotFound, &json!([id])));
            (error.message, asked(&kernel))
        })
        .collect();
    assert_eq!(answers[0], answers[1]);
    assert!(!answers[0].0.contains("quicksilver"));
}

/// F17: the index still lists a block in an open notebook that was just moved into a closed one.
#[test]
fn reference_to_a_block_moved_into_a_closed_notebook_is_refused() {
    let moved = |text: &str| {
        let flushed = Arc::new(AtomicBool::new(false));
        let index = flushed.clone();
        let kernel = kernel()
            .answer("/api/filetree/getPathByID", |_| json!({ "notebook": PRIVATE, "path": format!("/{FOREIGN}.sy") }))
            .answer("/api/sqlite/flushTransaction", move |_| {
                flushed.store(true, Ordering::Relaxed);
                Value::Null
            })
            .answer("/api/query/sql", move |ask| {
                let notebook = if index.load(Ordering::Relaxed) { PRIVATE } else { GARDEN };
                let stmt = ask["stmt"].as_str().unwrap_or_default();
                let ids = stmt.split('\'').filter(|it| it.ends_with("moved0"));
                ids.map(|id| json!({ "id": id, "box": notebook, "type": "p", "content": "quicksilver", "hpath": "/x" })).collect()
            });
        (checked(&kernel, text, &ReplacedContent::nothing()), asked(&kernel))
    };
    let reference = |at: usize| format!("((202501010000{at:02}-0moved0))");
    let (few, _) = moved(&reference(0));
    assert_eq!(few.unwrap_err().kind, ErrorType::NotFound);
    let (many, asked) = moved(&(0..=FEW).map(reference).collect::<String>());
    assert_eq!(many.unwrap_err().kind, ErrorType::NotFound);
    assert_eq!(asked, ["/api/sqlite/flushTransaction", "/api/query/sql"]);
}

/// A block that the index lists in two notebooks may be in the closed one.
#[test]
fn reference_to_a_block_in_two_notebooks_is_refused() {
    let row = |id: &str, notebook: &str| json!({ "id": id, "box": notebook, "type": "p", "content": "quicksilver", "hpath": "/x" });
    let kernel = kernel().answer("/api/query/sql", move |ask| {
        let ids = ask["stmt"]
            .as_str()
            .unwrap_or_default()
            .split('\'')
            .filter(|it| it.ends_with("double"))
            .map(str::to_owned);
        ids.flat_map(|id| [row(&id, GARDEN), row(&id, PRIVATE)]).collect()
    });
    let text: String = (0..=FEW).map(|at| format!("((202501010000{at:02}-0double))")).collect();
    assert_eq!(checked(&kernel, &text, &ReplacedContent::nothing()).unwrap_err().kind, ErrorType::NotFound);
}

#[test]
fn text_without_references_makes_no_request() {
    let kernel = kernel();
    checked(&kernel, "plain ((text))", &ReplacedContent::nothing()).unwrap();
    assert_eq!(kernel.asked(), []);
}

#[test]
fn active_content_and_foreign_databases_are_refused() {
    for text in [
        "<script>x</script>",
        "x\n{: onclick=\"y\"}",
        "{{//!js return 1}}",
        "> {{DELETE FROM blocks}}",
        "- {{SELECT 1; SELECT 2}}",
        "{{\nnot closed",
        "<div data-type=\"NodeAttributeView\" data-av-id=\"20250101000000-foreign\"></div>",
    ] {
        assert_eq!(new(text).unwrap_err().kind, ErrorType::Validation, "{text}");
    }
    for text in
        ["{{SELECT * FROM blocks LIMIT 5}}", "a {{ b }} c", "```\n{{ b }}\n```", "{{{row\na\n\nb\n}}}"]
    {
        assert_eq!(new(text).unwrap().markdown, text);
    }
    let database = "<div data-type=\"NodeAttributeView\" data-av-id=\"20250101000000-ownown0\"></div>";
    assert!(checked(&kernel(), database, &ReplacedContent::of(database)).is_ok());
}

/// S0: an embed is printed, one that was there stays, and its ids are judged as printed.
#[test]
fn embeds_are_printed_kept_or_refused() {
    let text = "- {{ select * from blocks where length&lt;3 }}\n- b";
    assert_eq!(new(text).unwrap().markdown, "- {{SELECT * FROM blocks WHERE length < 3 LIMIT 64}}\n- b");
    let old = format!("{{{{SELECT 1; DROP TABLE x}}}}\n{{: id=\"{OLD}\"}}");
    assert_eq!(checked(&kernel(), &old, &ReplacedContent::of(&old)).unwrap().markdown, old);
    assert!(checked(&kernel(), "{{SELECT 2; DROP TABLE x}}", &ReplacedContent::of(&old)).is_err());
    let hidden = HIDDEN.replacen('2', "&#50;", 1);
    let text = format!("{{{{SELECT * FROM blocks WHERE id = '{hidden}'}}}}");
    assert_eq!(new(&text).unwrap_err().kind, ErrorType::NotFound);
    // A backtick of the statement makes no code of the text after it.
    assert!(new("{{SELECT * FROM blocks /* ` */}}\n`{: onclick=\"x\"}`").is_err());
}

/// S0: the anchor of a reference is text of a note. In the statement of an embed it would be SQL.
#[test]
fn no_anchor_is_put_into_an_embed() {
    let old = format!("{{{{SELECT * FROM blocks WHERE content = '(({READABLE}))'}}}}");
    let text = format!("{old}\n\n(({READABLE}))");
    let sent = checked(&kernel(), &text, &ReplacedContent::of(&old)).unwrap().markdown;
    assert_eq!(sent, format!("{old}\n\n(({READABLE} 'it’s warm'))"));
    assert!(new(&old).is_err());
}

/// S0: two pieces that join to an embed.
#[test]
fn joined_pieces_make_no_embed() {
    let embed = "{{SELECT 1; DROP TABLE x}}";
    assert!(recheck(embed, "a {{SELECT 1; DROP TABLE x}}", "").is_err());
    assert!(recheck(embed, "", "SELECT 1; DROP TABLE x").is_err());
    assert!(recheck(&format!("{embed}\n\n{embed}"), "", embed).is_err());
    assert!(recheck("{{SELECT 2; DROP TABLE x}}", "", embed).is_err());
    assert!(recheck(embed, "", embed).is_ok());
    let new = "{{SELECT * FROM blocks LIMIT 5}}";
    assert!(recheck(&format!("{embed}\n\n{new}"), new, embed).is_ok());
}

/// Links to pages among the assets: a click would run them in SiYuan's window. Those that a block has already stay.
#[test]
fn new_links_to_pages_are_refused() {
    let (kernel, old) = (kernel(), "see [plan](assets/plan.html)");
    for text in [
        "[x](assets/a.html)",
        "[x](/assets/lists/a-20250101000000-abcdefg.XHTML)",
        "[x](assets/a.%68tml \"title\")",
        "[x](%61ssets/a.html)",
        "[x](assets\\a.html)",
        "[x](<../assets/a.htm?x=1>)",
        "[x]: http://127.0.0.1:6806/assets/a.xml#top",
        "<a href=\"assets/a.ht&#109;l\">x</a>",
        "<iframe src='assets/a.svgz'></iframe>",
        "assets/a.png and [x](assets/a.html)",
        "[x](assets/a.html/)",
        "[x](assets/a.html/?x)",
        "<iframe src=\"assets/lists/a.html/\"></iframe>",
    ] {
        let error = new(text).unwrap_err();
        assert!(error.message.contains("links to pages"), "{text}: {error:?}");
        assert!(recheck(text, "", "").is_err(), "{text}");
        assert!(checked(&kernel, &format!("{old}\n\n{text}"), &ReplacedContent::of(old)).is_err(), "{text}");
    }
    for text in [
        "[x](assets/a.png) and a.html",
        "[x](assets/a.html.txt)",
        "[x](assets/a.htmls)",
        "[x](https://example.org/a.html)",
        "`[x](assets/a.html)`",
        "a page of assets/",
    ] {
        assert!(new(text).is_ok(), "{text}");
    }
    assert!(new(old).is_err());
    let again = format!("more, {old}");
    assert!(checked(&kernel, &again, &ReplacedContent::of(old)).is_ok());
    assert!(recheck(&again, "", old).is_ok());
}

#[test]
fn joined_text_is_checked_again() {
    let old = format!("a (({READABLE} 'x'))\n{{: id=\"{OLD}\"}}");
    let sound = format!("new (({MISSING} 'x'))\n\n{old}");
    assert!(recheck(&sound, &format!("new (({MISSING} 'x'))"), &old).is_ok());
    for (sent, checked) in [
        (format!("x\n{{: id=\"{FOREIGN}\"}}"), String::new()),
        (format!("{old}\n\n{old}"), String::new()),
        (format!("(({HIDDEN} 'x'))"), format!("```\n(({HIDDEN} 'x'))\n```")),
    ] {
        assert!(recheck(&sent, &checked, &old).is_err(), "{sent}");
    }
}

#[test]
fn an_open_fence_is_closed() {
    assert_eq!(new("```\nx\n").unwrap().markdown, "```\nx\n```");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 512, ..ProptestConfig::default() })]

    /// Whatever the text, no new id gets out as an attribute.
    #[test]
    fn foreign_id_never_becomes_an_attribute(parts in prop::collection::vec(prop::sample::select(vec![
        "{: id=\"20250101000000-foreign\"}", "{:id=\"20250101000000-foreign\" a=\"b\"}", "```", "~~~", "`", "``",
        "\n", "\n\n", "  ", "    ", "- ", "> ", "1. ", "$$", "$", "<div>", "<!--", "-->", "((", "x", "{: a=\"", "}",
    ]), 0..14)) {
        let text = parts.concat();
        if let Ok(incoming) = new(&text) {
            let outside = code::mask(&incoming.markdown).text;
            prop_assert!(!outside.contains("foreign\""), "{} -> {}", text, incoming.markdown);
        }
    }
}
