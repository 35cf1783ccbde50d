//! Tests that run the views and statements in SQLite itself.

use rusqlite::Connection;
use serde_json::{Map, Value, json};

use super::*;
use crate::kernel::api::query::Row;
use crate::kernel::sql;

pub(super) const OPEN: &str = "20250101000000-garden0";
pub(super) const OTHER: &str = "20250101000000-attic00";
pub(super) const HIDDEN: &str = "20250101000000-private";

/// The indexes of the kernel (3.7.3) by table.
const INDEXES: [(&str, &[&str]); 4] = [
    ("blocks", &["id", "parent_id", "root_id", "root_id, id, hash"]),
    ("spans", &["root_id"]),
    ("assets", &["root_id"]),
    ("attributes", &["block_id", "root_id"]),
];

/// The columns of the tables of the kernel.
const TABLES: [(&str, &str); 6] = [
    (
        "blocks",
        "id, parent_id, root_id, hash, box, path, hpath, name, alias, memo, tag, content, fcontent, markdown, \
         length, type, subtype, ial, sort, created, updated",
    ),
    (
        "refs",
        "id, def_block_id, def_block_parent_id, def_block_root_id, def_block_path, block_id, root_id, box, path, \
         content, markdown, type",
    ),
    ("attributes", "id, name, value, type, block_id, root_id, box, path"),
    ("spans", "id, block_id, root_id, box, path, content, markdown, type, ial"),
    ("assets", "id, block_id, root_id, box, docpath, path, name, title, hash"),
    ("file_annotation_refs", "id, file_path, annotation_id, block_id, root_id, box, path, content, type"),
];

/// The tables as the kernel has them; columns without a value are empty.
pub(super) fn index(rows: &[(&str, Value)]) -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    for (table, columns) in TABLES {
        connection.execute(&format!("CREATE TABLE {table} ({columns})"), []).unwrap();
        for indexed in INDEXES.iter().filter(|it| it.0 == table).flat_map(|it| it.1) {
            let name = indexed.replace(", ", "_");
            connection
                .execute(&format!("CREATE INDEX idx_{table}_{name} ON {table}({indexed})"), [])
                .unwrap();
        }
    }
    for (table, row) in rows {
        connection.execute(&insert(table, row), []).unwrap();
    }
    connection
}

/// The statement that inserts a row.
pub(super) fn insert(table: &str, row: &Value) -> String {
    let (_, columns) = TABLES.into_iter().find(|it| it.0 == table).unwrap();
    let each = columns.split(", ").map(|it| match &row[it] {
        Value::Number(number) => number.to_string(),
        value => sql::text(value.as_str().unwrap_or_default()),
    });
    format!("INSERT INTO {table} VALUES ({})", each.collect::<Vec<_>>().join(", "))
}

pub(super) fn ask(index: &Connection, statement: &str) -> Vec<Row> {
    let mut statement = index.prepare(statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let rows = statement.query_map([], |row| {
        let mut map = Map::new();
        for (at, name) in names.iter().enumerate() {
            map.insert(
                name.clone(),
                match row.get::<_, rusqlite::types::Value>(at)? {
                    rusqlite::types::Value::Integer(number) => json!(number),
                    rusqlite::types::Value::Text(text) => json!(text),
                    _ => Value::Null,
                },
            );
        }
        Ok(Row(map))
    });
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

fn seen(index: &Connection, table: Table, visibility: &Visibility) -> Vec<Row> {
    ask(index, &format!("SELECT * FROM {} AS v", table.view(visibility)))
}

fn some_hidden() -> Visibility {
    Visibility::new([OPEN, OTHER], true)
}

fn ids(rows: &[Row]) -> Vec<&str> {
    rows.iter().map(|row| row.text("id")).collect()
}

/// B-055: through the narrowed views, a hidden notebook might as well not be in the index.
#[test]
fn view_equals_the_table_without_hidden_notebooks() {
    let mut open = Vec::new();
    let mut hidden = Vec::new();
    for table in Table::FOR_CALLERS {
        for (id, notebook) in [("1", OPEN), ("2", OTHER), ("3", HIDDEN)] {
            let row = json!({ "id": id, "box": notebook, "content": "text", "length": 4, "name": "memo", "def_block_id": "1" });
            let rows = if notebook == HIDDEN { &mut hidden } else { &mut open };
            rows.push((table.name(), row));
        }
    }
    // A readable block refers to a hidden one, whose text the anchor repeats.
    hidden.push(("refs", json!({ "id": "4", "box": OPEN, "def_block_id": "3", "content": "secret" })));
    let without = index(&open);
    let with = index(&open.into_iter().chain(hidden).collect::<Vec<_>>());
    for table in Table::FOR_CALLERS {
        let expected: Vec<_> = seen(&without, table, &some_hidden()).into_iter().map(|it| it.0).collect();
        let rows: Vec<_> = seen(&with, table, &some_hidden()).into_iter().map(|it| it.0).collect();
        assert_eq!(rows, expected, "{}", table.name());
        assert_eq!(rows.len(), 2, "{}", table.name());
        assert!(seen(&with, table, &Visibility::new([], true)).is_empty());
    }
}

/// K19, F15: the content that blocks show and the databases that they are rows of may come from any notebook.
#[test]
fn view_withholds_text_from_elsewhere_while_a_notebook_is_hidden() {
    let block = |id: &str, kind: &str, markdown: &str, ial: &str| {
        let text = json!({
            "id": id, "box": OPEN, "type": kind, "markdown": markdown, "ial": ial, "content": "secret",
            "fcontent": "secret", "length": 6,
        });
        ("blocks", text)
    };
    let database = "<div data-type=\"NodeAttributeView\" data-av-id=\"20250101000000-rowsrow\"></div>";
    let mut rows = vec![
        block("av", "av", database, ""),
        block("embed", "query_embed", "{{SELECT * FROM blocks}}", ""),
        block("quote with av", "b", &format!("> {database}"), ""),
        block("super with embed", "s", "{{{row\n{{SELECT 1}}\n\nb\n}}}", ""),
        block("tab with av", "tab", &format!("Spring\n\n{database}"), ""),
        block("new kind with embed", "mindmap_item", "- {{SELECT 1}}", ""),
        block("tab", "tab", "secret", ""),
        block("plain", "p", "secret", ""),
        block("quote", "b", "> secret", ""),
        block("super", "s", "{{{row\na\n\nb\n}}}", ""),
        block("row", "p", "secret", "{: id=\"row\" custom-avs=\"20250101000000-rowsrow\"}"),
        block("named", "p", "secret", "{: id=\"named\" memo=\"x\"}"),
    ];
    for name in ["memo", "custom-avs", "av-names", "custom-sy-av-s-text-20250101000000-rowsrow"] {
        rows.push(("attributes", json!({ "id": name, "name": name, "box": OPEN })));
    }
    let index = index(&rows);
    let with_text = |visibility: &Visibility| {
        let rows = seen(&index, Table::Blocks, visibility);
        for row in &rows {
            let (content, length) = (row.text("content"), row.number("length"));
            assert_eq!((content, length), (row.text("fcontent"), content.len() as u64), "{row:?}");
        }
        let has = |row: &&Row| !row.text("content").is_empty();
        rows.iter().filter(has).map(|row| row.text("id").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(with_text(&some_hidden()), ["tab", "plain", "quote", "super", "row", "named"]);
    let nothing_hidden = Visibility::new([OPEN, OTHER], false);
    assert_eq!(with_text(&nothing_hidden).len(), 12);
    let attributes = |visibility: &Visibility| {
        let blocks = seen(&index, Table::Blocks, visibility);
        let with_ial = blocks.iter().filter(|row| !row.text("ial").is_empty()).count();
        (with_ial, seen(&index, Table::Attributes, visibility).len())
    };
    assert_eq!((attributes(&some_hidden()), attributes(&nothing_hidden)), ((1, 1), (2, 4)));
}

/// K19: a check of mentions and a change of a document's tags see what the views withhold.
#[test]
fn raw_statements_read_text_that_views_withhold() {
    let (name, tags) = ("leaf.png", "{: id=\"doc\" tags=\"herb\" custom-avs=\"20250101000000-rowsrow\"}");
    let index = index(&[
        ("blocks", json!({ "id": "doc", "box": OPEN, "type": "d", "ial": tags })),
        ("blocks", json!({ "id": "av", "box": OTHER, "type": "av", "content": "a cell with leaf.png" })),
    ]);
    let mentions = Select::from(Table::Blocks).filter(contains("b.content", name));
    assert_eq!(page(&index, &mentions).rows.len(), 0);
    let rows = ask(&index, Raw::mentions(name).print());
    assert_eq!(rows.iter().map(|row| row.text("box")).collect::<Vec<_>>(), [OTHER]);
    let lists = Select::from(Table::Blocks).columns(["b.ial"]).filter(eq("b.id", "doc"));
    assert_eq!(page(&index, &lists).rows[0].text("ial"), "");
    let rows = ask(&index, Raw::attribute_lists(["doc", "none"].into_iter()).print());
    assert_eq!(rows.iter().map(|row| row.text("ial")).collect::<Vec<_>>(), [tags]);
}

/// Documents A, A/B and C, and a reference from C to B.
fn documents() -> Connection {
    let doc = |id: &str, path: &str, title: &str, updated: &str| {
        (
            "blocks",
            json!({ "id": id, "box": OPEN, "root_id": id, "path": path, "content": title, "type": "d", "updated": updated }),
        )
    };
    index(&[
        doc("a", "/a.sy", "Sage", "20250101000001"),
        doc("b", "/a/b.sy", "sage", "20250101000002"),
        doc("c", "/c.sy", "Mint", "20250101000002"),
        (
            "refs",
            json!({ "id": "r", "box": OPEN, "block_id": "c", "root_id": "c", "def_block_id": "b", "path": "/c.sy" }),
        ),
    ])
}

fn page(index: &Connection, select: &Select) -> RowPage {
    let rows = ask(index, &select.print(&some_hidden()));
    select.page(rows)
}

/// An order, the keys of a row in it, and the expected ids.
type Sorted = (fn(Select) -> Select, fn(&Row) -> Vec<StartKey>, [&'static str; 3]);

/// B-029: consecutive pages have every row once, in one order, and each page has the total.
#[test]
fn consecutive_pages_contain_every_row_once() {
    let index = documents();
    let select = || Select::from(Table::Blocks).columns(["content", "updated"]).counted();
    let sorted: [Sorted; 3] = [
        (
            |it| it.order([Order::Down("updated"), Order::Up("id")]),
            |row| {
                vec![
                    StartKey::Text(row.text("updated").to_owned()),
                    StartKey::Text(row.text("id").to_owned()),
                ]
            },
            ["b", "c", "a"],
        ),
        (
            |it| it.order([Order::Name("content"), Order::Up("content")]),
            |row| vec![StartKey::Text(row.text("content").to_owned()); 2],
            ["c", "a", "b"],
        ),
        (
            |it| it.order([Order::Most("root_id"), Order::Up("id")]),
            |row| vec![StartKey::Number(1), StartKey::Text(row.text("id").to_owned())],
            ["a", "b", "c"],
        ),
    ];
    for (order, keys, expected) in sorted {
        let select = || order(select().columns(["id"]));
        let all = page(&index, &select().limit(3));
        assert_eq!((ids(&all.rows), all.more, all.total), (expected.to_vec(), false, Some(3)));
        let (mut after, mut found) = (Vec::new(), Vec::new());
        loop {
            let next = page(&index, &select().limit(1).after(after));
            assert_eq!(next.total, Some(3));
            let row = next.rows.into_iter().next().unwrap();
            found.push(row.text("id").to_owned());
            after = keys(&row);
            if !next.more {
                break;
            }
        }
        assert_eq!(found, expected);
        let past = page(&index, &select().limit(1).after(after));
        assert_eq!((past.rows.len(), past.total), (0, None));
    }
}

#[test]
fn filters_match_their_names() {
    let index = documents();
    let found = |filter: RowCondition| {
        let rows = page(
            &index,
            &Select::from(Table::Blocks).columns(["id"]).filter(filter).order([Order::Up("id")]),
        );
        rows.rows.iter().map(|row| row.text("id")).collect::<String>()
    };
    assert_eq!(found(eq("content", "Sage")), "a");
    assert_eq!(found(is_not("content", "Sage")), "bc");
    assert_eq!(found(same("id", "root_id")), "abc");
    assert_eq!(found(in_list("id", ["a", "c", "x"])), "ac");
    assert_eq!(found(in_list("id", [])), "");
    assert_eq!(found(not_in("id", ["a"])), "bc");
    assert_eq!(found(contains("content", "ag")), "ab");
    assert_eq!(found(starts_with("path", "/a/")), "b");
    assert_eq!(found(in_any_case("content", "SAGE")), "ab");
    assert_eq!(found(any([eq("id", "a"), eq("id", "c")])), "ac");
    assert_eq!(found(any([])), "");
    assert_eq!(found(not(eq("id", "a")).and(eq("type", "d"))), "bc");
    // A caller's text stays a value.
    for text in ["x' OR '1'='1", "'", "x\0' OR 1 --"] {
        assert_eq!(
            found(any([eq("content", text), contains("content", text), in_any_case("content", text)])),
            "",
            "{text:?}"
        );
    }
}

#[test]
fn joined_rows_are_counted_per_group() {
    let index = documents();
    let select = Select::from(Table::Refs)
        .join(Table::Blocks, "b.id", "r.def_block_id")
        .filter(eq("b.content", "sage"))
        .per(["r.box"])
        .count("r.block_id", "n");
    let rows = page(&index, &select).rows;
    assert_eq!(rows.iter().map(|row| (row.text("box"), row.number("n"))).collect::<Vec<_>>(), [(OPEN, 1)]);
}

#[test]
fn a_table_can_be_joined_twice() {
    let back = Select::documents()
        .join(Table::Refs, "r.root_id", "b.id")
        .join_as("t", Table::Blocks, "t.id", "r.def_block_id")
        .filter(eq("t.root_id", "b"));
    assert_eq!(ids(&page(&documents(), &back).rows), ["c"]);
}

/// F15: a readable document is found by a database that the caller names; nothing tells which others it is a row of.
#[test]
fn rows_are_found_by_their_database_alone() {
    let mut rows = Vec::new();
    for (id, notebook, databases) in [
        ("one", OPEN, "20250101000000-shelf00,20250101000000-secret0"),
        ("two", OPEN, "20250101000000-secret0"),
        ("three", HIDDEN, "20250101000000-shelf00"),
    ] {
        rows.push(("blocks", json!({ "id": id, "root_id": id, "box": notebook, "type": "d" })));
        rows.push((
            "attributes",
            json!({ "id": id, "root_id": id, "box": notebook, "name": "custom-avs", "value": databases }),
        ));
    }
    let found = page(&index(&rows), &Select::documents().filter(is_row_of("20250101000000-shelf00"))).rows;
    assert_eq!(ids(&found), ["one"]);
    assert!(!format!("{found:?}").contains("secret0"));
}
