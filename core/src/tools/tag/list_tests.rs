//! Tests of `tag.list`.

use serde_json::{Value, json};

use crate::error::ToolError;
use crate::output::Reply;
use crate::spec::Tool;
use crate::testing::{ATTIC, FakeKernel, GARDEN, PRIVATE, call, engine};

const TABLE: &str = "/data/storage/petal/siyuan-mcp-puppy/notebookPermissions";

fn list(kernel: FakeKernel, mut arguments: Value) -> (Reply, Vec<(&'static str, Value)>) {
    arguments["action"] = json!("list");
    let engine = engine(kernel);
    let reply = call(&engine, Tool::Tag, arguments);
    (reply, engine.kernel.asked())
}

fn kernel(rows: Value) -> FakeKernel {
    FakeKernel::new().answer("/api/query/sql", move |_| rows.clone())
}

fn stmt(arguments: Value) -> String {
    let (reply, asked) = list(kernel(json!([])), arguments);
    reply.unwrap();
    let [(path, body)] = asked.as_slice() else { panic!("one request, not {asked:?}") };
    assert_eq!((*path, &body["mode"]), ("/api/query/sql", &json!("readonly")));
    body["stmt"].as_str().unwrap().to_owned()
}

fn label(name: &str, blocks: u64) -> Value {
    json!({ "label": name, "box": GARDEN, "n_blocks": blocks, "n_docs": 1, "n_all": 3 })
}

#[test]
fn labels_come_with_counts() {
    let (reply, _) = list(kernel(json!([label("fruit", 2), label("fruit/red", 1)])), json!({}));
    let expected = json!({
        "kind": "tag",
        "items": [{ "label": "fruit", "blocks": 2, "documents": 1 }, { "label": "fruit/red", "blocks": 1, "documents": 1 }],
        "total": 3
    });
    assert_eq!(Value::Object(reply.unwrap().data), expected);
}

/// B-026, B-055: one request, over the readable notebooks only, in the total too.
#[test]
fn only_readable_notebooks_are_asked_for() {
    for arguments in [
        json!({}),
        json!({ "kind": "bookmark" }),
        json!({ "label": "x" }),
        json!({ "kind": "bookmark", "label": "x" }),
    ] {
        let stmt = stmt(arguments);
        let readable = format!("s.box IN ('{GARDEN}','{ATTIC}')");
        assert_eq!(stmt.matches(&readable).count(), 2, "{stmt}");
        assert!(!stmt.contains(PRIVATE) && stmt.contains(" LIMIT 201"), "{stmt}");
    }
    let closed = json!({ GARDEN: "none", PRIVATE: "none", ATTIC: "none" }).to_string();
    let (reply, asked) = list(kernel(json!([label("x", 1)])).file(TABLE, &closed), json!({}));
    assert_eq!((reply.unwrap().data["total"].clone(), asked.len()), (json!(0), 0));
}

#[test]
fn a_row_of_a_hidden_notebook_is_dropped() {
    let mut hidden = label("quicksilver", 1);
    hidden["box"] = json!(PRIVATE);
    let (reply, _) = list(kernel(json!([label("fruit", 2), hidden])), json!({}));
    let data = Value::Object(reply.unwrap().data).to_string();
    assert!(data.contains("fruit") && !data.contains("quicksilver"), "{data}");
}

#[test]
fn a_notebook_narrows_and_a_hidden_one_is_not_found() {
    assert!(stmt(json!({ "notebook": "Garden" })).contains(&format!("s.box IN ('{GARDEN}')")));
    for name in ["Private", "Nowhere"] {
        let (reply, asked) = list(kernel(json!([])), json!({ "notebook": name }));
        assert_eq!((reply.unwrap_err(), asked.len()), (ToolError::not_found(), 0), "{name}");
    }
}

#[test]
fn what_a_caller_writes_stays_a_literal() {
    for arguments in [json!({ "query": "o'x" }), json!({ "label": "o'x" }), json!({ "cursor": "3.o'x" })] {
        let stmt = stmt(arguments);
        assert!(stmt.contains("'o''x"), "{stmt}");
        assert!(!stmt.contains("ESCAPE"), "the kernel's printer of statements panics on it");
    }
}

#[test]
fn a_query_is_found_in_any_case_of_any_script() {
    let stmt = stmt(json!({ "query": "äPfel" }));
    for spelling in ["'äpfel'", "'Äpfel'"] {
        assert!(stmt.contains(&format!("instr(lower(s.content), {spelling}) > 0")), "{stmt}");
    }
}

#[test]
fn a_label_lists_its_blocks_and_a_tag_those_of_its_subtags() {
    let tag = stmt(json!({ "label": "fruit" }));
    assert!(tag.contains("(s.content = 'fruit' OR instr(s.content, 'fruit/') = 1)"), "{tag}");
    let bookmark = stmt(json!({ "kind": "bookmark", "label": "fruit" }));
    assert!(
        bookmark.contains("s.name = 'bookmark'")
            && bookmark.contains("s.value = 'fruit'")
            && !bookmark.contains("instr"),
        "{bookmark}"
    );
    let row = json!({ "id": "b1", "type": "p", "hpath": "/Plants", "box": GARDEN, "root_id": "d1", "content": "a\n  #fruit#", "updated": "20250101000000", "n_all": 1 });
    let (reply, _) = list(kernel(json!([row])), json!({ "label": "fruit" }));
    let expected = json!({
        "label": "fruit", "total": 1,
        "items": [{ "id": "b1", "type": "p", "doc": "d1", "hpath": "/Plants", "notebook": GARDEN, "text": "a #fruit#" }]
    });
    assert_eq!(Value::Object(reply.unwrap().data), expected);
}

/// K19: what a database or a query embed shows may come from any notebook.
#[test]
fn text_that_shows_other_notebooks_is_withheld() {
    for kind in ["av", "query_embed"] {
        let row = json!({ "id": "b1", "type": kind, "hpath": "/P", "box": GARDEN, "root_id": "d1", "content": "quicksilver", "updated": "20250101000000", "n_all": 1 });
        let (reply, _) = list(kernel(json!([row.clone()])), json!({ "kind": "bookmark", "label": "x" }));
        assert_eq!(reply.unwrap().data["items"][0].get("text"), None, "{kind}");
        let open = kernel(json!([row])).file(TABLE, "{}");
        assert_eq!(list(open, json!({ "label": "x" })).0.unwrap().data["items"][0]["text"], "quicksilver");
    }
}

/// B-029: a page begins after the last row of the one before.
#[test]
fn pages_go_on_after_the_last_row() {
    let rows = json!([label("a", 5), label("B", 5), label("c", 4)]);
    let (reply, _) = list(kernel(rows), json!({ "sort": "count", "limit": 2 }));
    let data = reply.unwrap().data;
    assert_eq!((data["items"].as_array().unwrap().len(), &data["next"]), (2, &json!("5.B")));
    let by_count = stmt(json!({ "sort": "count", "limit": 2, "cursor": "5.B" }));
    assert!(by_count.contains("HAVING (COUNT(DISTINCT s.block_id) < 5 OR (COUNT(DISTINCT s.block_id) = 5 AND (lower(s.content) > lower('B')"), "{by_count}");
    let by_name = stmt(json!({ "cursor": "5.B" }));
    assert!(by_name.contains("HAVING (lower(s.content) > lower('B') OR"), "{by_name}");
    let blocks = stmt(json!({ "label": "x", "cursor": "20250101000000.20250101000000-plants0" }));
    assert!(blocks.contains("b.updated < '20250101000000' OR"), "{blocks}");
    let (reply, asked) = list(kernel(json!([])), json!({ "cursor": "B" }));
    assert_eq!((reply.unwrap_err().fields[0].field.as_str(), asked.len()), ("cursor", 0));
}
