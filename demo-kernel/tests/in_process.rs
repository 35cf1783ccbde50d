//! The kernel in process: two that get the same requests answer the same, and time passes only on request.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop at the first surprise")]

use demo_kernel::{Content, Demo, Moment, Switches};
use serde_json::{Value, json};
use tempfile::TempDir;

const START: Moment = Moment { ms: 1_750_000_000_000, seed: 1 };

fn demo() -> (Demo, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Demo::open(folder.path(), Content::Empty, START).unwrap(), folder)
}

fn copy(of: &Demo) -> (Demo, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (of.copy(folder.path()).unwrap(), folder)
}

fn data(demo: &Demo, path: &str, body: &Value) -> Value {
    let answer = demo.answer(&format!("/api/{path}"), body.to_string().as_bytes());
    let mut envelope: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!((answer.status, &envelope["code"]), (200, &json!(0)), "{path}: {envelope}");
    envelope["data"].take()
}

fn notebook(demo: &Demo, name: &str) -> Value {
    data(demo, "notebook/createNotebook", &json!({ "name": name }))["notebook"]["id"].take()
}

fn document(demo: &Demo, notebook: &Value, path: &str, markdown: &str) -> Value {
    let body = json!({ "notebook": notebook, "path": path, "markdown": markdown });
    data(demo, "filetree/createDocWithMd", &body)
}

fn count(demo: &Demo, word: &str) -> Value {
    let statement = format!("SELECT count(*) AS n FROM blocks WHERE content = '{word}'");
    data(demo, "query/sql", &json!({ "stmt": statement }))[0]["n"].take()
}

/// Tags are kept alike whether they come with a document or are set later, and the index decodes them once more.
#[test]
fn tags_are_kept_alike_however_they_come() {
    let (demo, _folder) = demo();
    let garden = notebook(&demo, "Garden");
    let set = " R&amp;D , x_esc_newline_y,R&amp;D";
    let body = json!({ "notebook": garden, "path": "/Given", "markdown": "", "tags": set });
    let given = data(&demo, "filetree/createDocWithMd", &body);
    let later = document(&demo, &garden, "/Later", "");
    data(&demo, "attr/setBlockAttrs", &json!({ "id": later, "attrs": { "tags": set } }));
    for id in [given, later] {
        let attrs = data(&demo, "attr/getBlockAttrs", &json!({ "id": id }));
        assert_eq!(attrs["tags"], "R&amp;D,x\ny");
        let statement = format!("SELECT tag FROM blocks WHERE id = '{}' LIMIT 1", id.as_str().unwrap());
        let rows = data(&demo, "query/sql", &json!({ "stmt": statement }));
        assert_eq!(rows[0]["tag"], "#R&D# #x\ny#");
    }
}

#[test]
fn equal_requests_get_equal_answers() {
    let (first, second) = (demo(), demo());
    let ids = [&first.0, &second.0].map(|demo| {
        let garden = notebook(demo, "Garden");
        let made = document(demo, &garden, "/Beds/North", "one\n\n* two\n* three");
        let children = data(demo, "block/getChildBlocks", &json!({ "id": made }));
        (garden, made, children)
    });
    assert_eq!(ids[0], ids[1]);
    assert_eq!(first.0.dump().unwrap(), second.0.dump().unwrap());
}

/// The work that a request needs does not show in the ids of the next one.
#[test]
fn ids_do_not_depend_on_a_requests_work() {
    let (first, second) = (demo(), demo());
    let garden = notebook(&first.0, "Garden");
    assert_eq!(notebook(&second.0, "Garden"), garden);
    document(&first.0, &garden, "/Long", "one\n\ntwo #tag#\n\nthree\n\nfour");
    document(&second.0, &garden, "/Long", "one");
    assert_eq!(notebook(&first.0, "Shed"), notebook(&second.0, "Shed"));
}

#[test]
fn index_lags_until_the_set_moment() {
    let (demo, _folder) = demo();
    let garden = notebook(&demo, "Garden");
    demo.set_switches(Switches { index_lag: 3_000, ..Switches::default() }).unwrap();
    document(&demo, &garden, "/Doc", "late");
    assert_eq!(count(&demo, "late"), 0);
    demo.set_moment(Moment { ms: START.ms + 2_999, seed: 2 });
    assert_eq!(count(&demo, "late"), 0);
    demo.set_moment(Moment { ms: START.ms + 3_000, seed: 2 });
    assert_eq!(count(&demo, "late"), 1);
}

#[test]
fn copied_kernel_is_complete_and_independent() {
    let (demo, _folder) = demo();
    let garden = notebook(&demo, "Garden");
    document(&demo, &garden, "/Doc", "both");
    assert_eq!(demo.put_file("/data/storage/note", b"kept").status, 200);
    let (copy, _copied) = copy(&demo);
    assert_eq!(copy.dump().unwrap(), demo.dump().unwrap());
    assert_eq!(copy.answer("/api/file/getFile", br#"{"path": "/data/storage/note"}"#).body, b"kept");
    document(&copy, &garden, "/Other", "one");
    assert_eq!((count(&copy, "one"), count(&demo, "one")), (json!(1), json!(0)));
}

/// An emptied notebook leaves only data that others hold about it.
#[test]
fn emptied_notebook_equals_a_new_one() {
    let (demo, _folder) = demo();
    let (garden, shed) = (notebook(&demo, "Garden"), notebook(&demo, "Shed"));
    let tools = document(&demo, &shed, "/Tools", "a rake\n\n* and a spade");
    let note = document(&demo, &garden, "/Note", &format!("see (({} 'tools'))", tools.as_str().unwrap()));
    data(&demo, "block/appendBlock", &json!({ "parentID": shed, "dataType": "markdown", "data": "own" }));
    demo.empty_notebook(shed.as_str().unwrap()).unwrap();
    assert_eq!(data(&demo, "block/checkBlockExist", &json!({ "id": tools })), false);
    let own = data(&demo, "block/getChildBlocks", &json!({ "id": shed }));
    assert_eq!((own.as_array().unwrap().len(), &own[0]["markdown"]), (1, &Value::Null));
    let statement = "SELECT box FROM blocks WHERE content <> '' AND id <> box";
    let rows = data(&demo, "query/sql", &json!({ "stmt": statement }));
    assert!(rows.as_array().unwrap().iter().all(|row| row["box"] == garden), "{rows}");
    let text = data(&demo, "block/getChildBlocks", &json!({ "id": note }));
    assert_eq!(text[0]["markdown"], format!("see (({} 'tools'))", tools.as_str().unwrap()));
}

/// A parent of another notebook is not one: the titles of the path are made here, as the real kernel does it.
#[test]
fn parent_in_another_notebook_is_ignored() {
    let (demo, _folder) = demo();
    let (garden, shed) = (notebook(&demo, "Garden"), notebook(&demo, "Shed"));
    let tools = document(&demo, &shed, "/Tools", "");
    let body = json!({ "notebook": garden, "path": "/Tools/rake", "parentID": tools, "markdown": "x" });
    let rake = data(&demo, "filetree/createDocWithMd", &body);
    let there = data(&demo, "filetree/getPathByID", &json!({ "id": rake }));
    let made = data(&demo, "filetree/getIDsByHPath", &json!({ "notebook": garden, "path": "/Tools" }));
    assert_eq!(there["notebook"], garden);
    assert_eq!(there["path"], format!("/{}/{}.sy", made[0].as_str().unwrap(), rake.as_str().unwrap()));
}
