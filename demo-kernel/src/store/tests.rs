//! Tests of the store: the rows that a change writes, and those that it leaves alone.

use serde_json::{Value, json};

use super::*;
use crate::edit::{self, Place};

/// A store with one notebook and one document, and their ids; dropping it removes its folder.
struct TestStore {
    store: Store,
    notebook: String,
    id: String,
    _folder: tempfile::TempDir,
}

fn store(markdown: &str) -> TestStore {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let made = store.write(|db| {
        let notebook = db.create_notebook("Garden")?;
        Ok((notebook.id.clone(), document(db, &notebook.id, "/", "Doc", markdown)?))
    });
    let (notebook, id) = made.unwrap();
    TestStore { store, notebook, id, _folder: folder }
}

fn document(
    db: &Db<'_>,
    notebook: &str,
    folder: &str,
    title: &str,
    markdown: &str,
) -> Result<String, Refusal> {
    let mut tree = Tree::new(notebook, folder, &crate::id::new_id(), title);
    tree.root.children = edit::parse(crate::Siyuan::V3_7, "markdown", markdown);
    let id = tree.id().to_owned();
    db.add(tree)?;
    Ok(id)
}

fn query(store: &Store, statement: &str) -> Value {
    store.query(statement, "readonly").unwrap().rows
}

#[test]
fn only_changed_rows_are_rewritten() {
    let TestStore { store, id, _folder, .. } = store("one\n\ntwo #tag#\n\nthree");
    let before = query(
        &store,
        "SELECT rowid AS r, content FROM blocks WHERE type = 'p' AND content <> '' ORDER BY rowid",
    );
    store
        .write(|db| {
            let mut tree = db.need_tree(&id)?;
            let third = tree.root.children[2].id.clone();
            edit::insert(
                &mut tree.root,
                edit::parse(crate::Siyuan::V3_7, "markdown", "new"),
                Place::Before(&third),
            )
            .unwrap();
            let gone = tree.root.children[0].id.clone();
            edit::remove(&mut tree.root, &gone).unwrap();
            db.save(&tree)
        })
        .unwrap();
    let after = query(
        &store,
        "SELECT rowid AS r, content FROM blocks WHERE type = 'p' AND content <> '' ORDER BY rowid",
    );
    assert_eq!(after[0], before[1], "a block that stayed keeps its row");
    assert_eq!(after[1], before[2]);
    assert_eq!(after[2]["content"], "new");
    assert_eq!(after.as_array().unwrap().len(), 3);
    assert_eq!(query(&store, "SELECT content FROM blocks_fts WHERE blocks_fts MATCH 'one'"), json!([]));
    assert_eq!(query(&store, "SELECT count(*) AS n FROM blocks_fts WHERE blocks_fts MATCH 'tag'")[0]["n"], 1);
    // The integrity check reports an index with rows too many or too few.
    let check = "INSERT INTO blocks_fts (blocks_fts) VALUES ('integrity-check')";
    store.write(|db| Ok(db.0.execute(check, [])?)).unwrap();
}

#[test]
fn refused_transaction_is_rolled_back() {
    let TestStore { store, id, _folder, .. } = store("one");
    let refused: Result<(), _> = store.write(|db| {
        db.rename_tree(db.need_tree(&id)?, "Other")?;
        Err(Refusal::new("no"))
    });
    assert_eq!(refused.unwrap_err().msg, "no");
    assert_eq!(store.read(|db| db.hpath(&db.need_tree(&id)?.path)).unwrap(), "/Doc");
    assert_eq!(query(&store, "SELECT count(*) AS n FROM blocks WHERE content = 'Other'")[0]["n"], 0);
}

#[test]
fn renaming_a_document_updates_descendant_hpaths() {
    let TestStore { store, notebook, id, _folder } = store("one");
    store
        .write(|db| {
            let folder = db.need_tree(&id)?.folder();
            document(db, &notebook, &folder, "Child", "text below")?;
            db.rename_tree(db.need_tree(&id)?, "Renamed")
        })
        .unwrap();
    let hpaths = query(&store, "SELECT hpath FROM blocks WHERE content = 'text below'");
    assert_eq!(hpaths[0]["hpath"], "/Renamed/Child");
    let found = store.read(|db| db.ids_by_hpath(&notebook, "/Renamed/Child")).unwrap();
    assert_eq!(found.len(), 1);
}

#[test]
fn moving_a_document_moves_its_descendants() {
    let TestStore { store, notebook, id, _folder } = store("one");
    let (other, child) = store
        .write(|db| {
            let folder = db.need_tree(&id)?.folder();
            let child = document(db, &notebook, &folder, "Child", "text below")?;
            let other = db.create_notebook("Other")?.id;
            db.move_tree(db.need_tree(&id)?, &other, "/")?;
            Ok((other, child))
        })
        .unwrap();
    let tree = store.read(|db| db.need_tree(&child)).unwrap();
    assert_eq!((tree.notebook, tree.path), (other.clone(), format!("/{id}/{child}.sy")));
    let rows = query(
        &store,
        &format!("SELECT count(*) AS n FROM blocks WHERE box = '{other}' AND content = 'text below'"),
    );
    assert_eq!(rows[0]["n"], 1);
}

#[test]
fn closed_notebook_is_not_indexed() {
    let TestStore { store, notebook, id, _folder } = store("one");
    let set_closed = |closed| {
        store
            .write(|db| {
                let mut found = db.notebook(&notebook)?.unwrap();
                found.closed = closed;
                db.save_notebook(&found)?;
                db.index_notebook(&found)
            })
            .unwrap();
    };
    let count = || query(&store, "SELECT count(*) AS n FROM blocks WHERE content = 'one'")[0]["n"].clone();
    set_closed(true);
    assert!(store.read(|db| db.root_of(&id)).unwrap().is_none());
    assert!(store.read(|db| db.is_in_closed_notebook(&id)).unwrap());
    assert_eq!(count(), 0);
    set_closed(false);
    assert!(store.read(|db| db.root_of(&id)).unwrap().is_some());
    assert_eq!(count(), 1);
}

#[test]
fn search_finds_words_of_any_length() {
    let TestStore { store, _folder, .. } = store("green pear 梨子 和 苹果 ab\n\nanother");
    let count = |query: &str, method: i64| {
        let search = Search {
            query: query.to_owned(),
            method,
            types: vec!["p"],
            paths: Vec::new(),
            order: 0,
            page: 1,
            size: 10,
        };
        store.search(&search).unwrap().matched
    };
    for (query, method, expected) in [
        ("PEAR", 0, 1),
        ("ear", 0, 1),
        ("苹果", 0, 1),
        ("果", 0, 1),
        ("pear ab", 0, 1),
        ("pear zz", 0, 0),
        ("\"苹果\" AND \"ab\"", 1, 1),
        ("苹果 OR nothing", 1, 1),
        ("it''s", 1, 0),
        ("gr.*n", 3, 1),
        ("(", 3, 0),
    ] {
        assert_eq!(count(query, method), expected, "{query}");
    }
}
