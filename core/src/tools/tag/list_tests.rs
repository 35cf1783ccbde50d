//! Tests of `tag.list`.

use expect_test::expect;
use serde_json::{Value, json};

use crate::output::Reply;
use crate::spec::Tool;
use crate::testing::world::{World, check, world};
use crate::testing::{FakeKernel, GARDEN, PRIVATE, call, engine};

const TABLE: &str = "/data/storage/petal/siyuan-mcp-puppy/notebookPermissions";

/// Tags and a bookmark in two notebooks, and the same in one that is closed to agents.
fn tagged() -> World {
    let tags = |world: World, notebook: &str| {
        let world = world
            .doc(&format!("/{notebook}/Plants"), "apple #fruit# and #fruit/red#\n\nplum #Fruit# it's #o'x#")
            .doc(&format!("/{notebook}/More"), "pear #fruit#\n\n#Äpfel#");
        for block in ["Plants#1", "More#0"] {
            let id = world.id(&format!("/{notebook}/{block}"));
            world.ask("attr/setBlockAttrs", &json!({ "id": id, "attrs": { "bookmark": "later" } }));
        }
        world
    };
    let world = world().notebook("Attic", "").notebook("Private", "none");
    let world = ["Garden", "Attic", "Private"].into_iter().fold(world, tags);
    world.ask("sqlite/flushTransaction", &json!({}));
    world
}

/// B-026, B-055: one request; what lies in Private counts nowhere.
#[test]
fn labels_come_with_counts() {
    check("tag.list", tagged(), &json!({}), &expect![[""]]);
    check("tag.list", tagged(), &json!({ "sort": "count" }), &expect![[""]]);
    check("tag.list", tagged(), &json!({ "kind": "bookmark" }), &expect![[""]]);
}

#[test]
fn a_notebook_narrows_and_a_hidden_one_is_not_found() {
    check("tag.list", tagged(), &json!({ "notebook": "Attic" }), &expect![[""]]);
    check("tag.list", tagged(), &json!({ "notebook": "Private" }), &expect![[""]]);
    check("tag.list", tagged(), &json!({ "notebook": "Nowhere" }), &expect![[""]]);
}

/// Who may read nothing gets nothing, and nobody is asked.
#[test]
fn without_a_readable_notebook_there_are_no_labels() {
    let world = World::new().notebook("Private", "none").doc("/Private/Plants", "#fruit#");
    check("tag.list", world, &json!({}), &expect![[""]]);
}

#[test]
fn a_query_is_found_in_any_case_of_any_script() {
    check("tag.list", tagged(), &json!({ "query": "FRUIT", "notebook": "Garden" }), &expect![[""]]);
    check("tag.list", tagged(), &json!({ "query": "äpfel", "notebook": "Garden" }), &expect![[""]]);
    check("tag.list", tagged(), &json!({ "query": "o'", "notebook": "Garden" }), &expect![[""]]);
}

#[test]
fn a_label_lists_its_blocks_and_a_tag_those_of_its_subtags() {
    let within = |arguments: Value| {
        let mut all = json!({ "notebook": "Garden" });
        all.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
        all
    };
    check("tag.list", tagged(), &within(json!({ "label": "fruit" })), &expect![[""]]);
    check("tag.list", tagged(), &within(json!({ "label": "o'x" })), &expect![[""]]);
    check("tag.list", tagged(), &within(json!({ "kind": "bookmark", "label": "later" })), &expect![[""]]);
}

/// B-029: a page begins after the last row of the one before.
#[test]
fn pages_go_on_after_the_last_row() {
    check("tag.list", tagged(), &json!({ "sort": "count", "limit": 2 }), &expect![[""]]);
    check("tag.list", tagged(), &json!({ "sort": "count", "limit": 2, "cursor": "2.Fruit" }), &expect![[""]]);
    check("tag.list", tagged(), &json!({ "cursor": "1.o'x" }), &expect![[""]]);
    check("tag.list", tagged(), &json!({ "cursor": "B" }), &expect![[""]]);
}

fn list(kernel: FakeKernel, mut arguments: Value) -> (Reply, Vec<(&'static str, Value)>) {
    arguments["action"] = json!("list");
    let engine = engine(kernel);
    let reply = call(&engine, Tool::Tag, arguments);
    (reply, engine.kernel.asked())
}

fn kernel(rows: Value) -> FakeKernel {
    FakeKernel::new().answer("/api/query/sql", move |_| rows.clone())
}

/// The second lock: a kernel that answers too much.
#[test]
fn a_row_of_a_hidden_notebook_is_dropped() {
    let label = |name: &str, notebook: &str| json!({ "label": name, "box": notebook, "blocks": 1, "documents": 1, "n_all": 2 });
    let rows = json!([label("fruit", GARDEN), label("quicksilver", PRIVATE)]);
    let (reply, _) = list(kernel(rows), json!({}));
    let data = Value::Object(reply.unwrap().data).to_string();
    assert!(data.contains("fruit") && !data.contains("quicksilver"), "{data}");
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
