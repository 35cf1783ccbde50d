//! `/api/av`: databases, reading.

use serde_json::{Map, Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::av::database::{Database, UNTITLED};
use crate::av::show::{self, ViewRequest};
use crate::av::value::ValueKind;
use crate::kernel::Kernel;
use crate::store::Db;

pub(super) mod change;

/// An optional text; a value of another type is refused.
fn maybe<'a>(args: &'a Args, name: &str) -> Result<&'a str, Refusal> {
    if args.get(name).is_some() { args.text(name) } else { Ok("") }
}

fn number(args: &Args, name: &str, default: i64) -> Result<i64, Refusal> {
    let given = args.get(name).map(|given| given.as_f64().ok_or_else(Refusal::panicked)).transpose()?;
    Ok(given.map_or(default, |number| number as i64))
}

fn flag(args: &Args, name: &str, default: bool) -> Result<bool, Refusal> {
    let given = args.get(name).map(|given| given.as_bool().ok_or_else(Refusal::panicked)).transpose()?;
    Ok(given.unwrap_or(default))
}

/// A view with its rows; a missing database is created unless the caller forbids it.
pub(super) fn render(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    let request = ViewRequest {
        carrier: maybe(args, "blockID")?,
        view: maybe(args, "viewID")?,
        query: maybe(args, "query")?,
        page: number(args, "page", 1)?,
        page_size: number(args, "pageSize", -1)?,
        group_paging: match args.get("groupPaging") {
            None => Map::new(),
            Some(given) => given.as_object().cloned().ok_or_else(Refusal::panicked)?,
        },
        ignore_rows: flag(args, "ignoreRows", false)?,
    };
    let create = flag(args, "createIfNotExist", true)?;
    if !maybe(args, "targetItemID")?.is_empty() {
        return Err(Refusal::not_here("targetItemID"));
    }
    if !crate::id::is_node_id(id) {
        return Err(Refusal::new("invalid ID argument"));
    }
    kernel.store.write(|db| {
        if db.find_database(id)?.is_none() {
            if !create {
                return Err(Refusal::new("attribute view not found"));
            }
            db.save_database(&mut Database::new(id))?;
            if !request.carrier.is_empty() {
                db.add_carrier(id, request.carrier)?;
            }
        }
        show::show(db, id, &request)
    })
}

pub(super) fn get(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    kernel.store.read(|db| Ok(json!({ "av": db.find_database(id)? })))
}

/// The definitions of all columns, or of the named ones.
pub(super) fn keys_by_database(kernel: &Kernel, args: &Args) -> Outcome {
    keys(kernel, args.text("avID")?, None)
}

pub(super) fn keys_by_id(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("keyIDs")?;
    keys(kernel, args.text("avID")?, Some(&ids).filter(|ids| !ids.is_empty()))
}

fn keys(kernel: &Kernel, database: &str, only: Option<&Vec<&str>>) -> Outcome {
    kernel.store.read(|db| {
        let columns = db.find_database(database)?.map(|database| database.columns).unwrap_or_default();
        let keys = columns.iter().map(|column| &column.key);
        let keys = keys.filter(|key| only.is_none_or(|ids| ids.contains(&key.id.as_str())));
        Ok(keys.map(|key| json!(key)).collect())
    })
}

/// The databases a block is a row of, with its cells.
pub(super) fn keys_of_block(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text_or("id", "");
    if !args.text_or("avID", "").is_empty() {
        return Err(Refusal::not_here("the cells of a row by its id"));
    }
    kernel.store.write(|db| {
        let tree = db.tree_of(id)?;
        let node = tree.as_ref().and_then(|tree| tree.root.find(id));
        let mut out = Vec::new();
        for av in node.map(crate::av::rows_of).unwrap_or_default() {
            let Some(mut database) = db.find_database(&av)? else { continue };
            let Some(item) = database.row_of_block(id).map(|row| row.item.clone()) else {
                db.unbind(&av, id)?;
                break;
            };
            out.extend(cells_of(db, &mut database, &item)?);
        }
        Ok(Value::Array(out))
    })
}

fn cells_of(db: &Db<'_>, database: &mut Database, item: &str) -> Result<Option<Value>, Refusal> {
    let blocks = db.carriers_there(&database.id)?;
    if blocks.is_empty() {
        return Ok(None);
    }
    let view = database.view.clone();
    let rendered = show::row(db, database, &view, item)?;
    database.complete_key_order();
    db.save_database(database)?;
    let order = database.key_order.clone().unwrap_or_default();
    let mut columns: Vec<_> =
        database.columns.iter().filter(|c| c.key.kind != ValueKind::LineNumber).collect();
    columns.sort_by_key(|column| order.iter().position(|key| *key == column.key.id));
    let cells = columns.into_iter().map(|column| {
        let shown = rendered.as_ref().and_then(|item| item.cell(&column.key.id));
        let values: Vec<_> = shown.or_else(|| column.value(item)).into_iter().collect();
        if values.is_empty() {
            return json!({ "key": column.key });
        }
        json!({ "key": column.key, "values": values })
    });
    let cells: Vec<Value> = cells.collect();
    Ok(Some(json!({
        "avID": database.id, "avName": database.shown_name(), "blockIDs": blocks, "keyValues": cells,
    })))
}

/// The primary cells, the last changed first.
pub(super) fn primary_values(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    let (page, size) = (number(args, "page", 1)?, number(args, "pageSize", -1)?);
    let keyword = maybe(args, "keyword")?.to_lowercase();
    kernel.store.read(|db| {
        let mut database = db.database(id)?;
        let name = database.shown_name().to_owned();
        let primary = database.primary()?;
        let mut values = Vec::new();
        for value in std::mem::take(&mut primary.values) {
            let block = value.block.clone().unwrap_or_default();
            let is_there = value.is_detached || db.root_of(&block.id)?.is_some();
            if is_there && value.shown(true).to_lowercase().contains(&keyword) {
                values.push((block.updated, value));
            }
        }
        values.sort_by_key(|(updated, _)| std::cmp::Reverse(*updated));
        let size = usize::try_from(if size < 1 { 16 } else { size }).unwrap_or(16);
        let start = usize::try_from(page - 1).map_err(|_| Refusal::panicked())?.saturating_mul(size);
        if start > values.len() {
            return Err(Refusal::panicked());
        }
        primary.values = values.into_iter().map(|(_, value)| value).skip(start).take(size).collect();
        Ok(json!({ "name": name, "blockIDs": db.carriers_there(id)?, "rows": primary }))
    })
}

pub(super) fn items_by_blocks(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, blocks) = (args.text("avID")?, args.texts("blockIDs")?);
    kernel.store.read(|db| {
        let database = db.find_database(id)?;
        let item = |block: &str| {
            let row = database.as_ref().and_then(|database| database.row_of_block(block));
            row.map(|row| row.item.clone()).unwrap_or_default()
        };
        let pairs = blocks.iter().map(|block| ((*block).to_owned(), json!(item(block))));
        Ok(Value::Object(pairs.collect()))
    })
}

pub(super) fn blocks_by_items(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, items) = (args.text("avID")?, args.texts("itemIDs")?);
    kernel.store.read(|db| {
        let database = db.find_database(id)?;
        let block = |item: &str| {
            let row = database.as_ref().and_then(|database| database.row(item));
            row.and_then(|row| row.block.as_ref()).map(|block| block.id.clone()).unwrap_or_default()
        };
        let pairs = items.iter().map(|item| ((*item).to_owned(), json!(block(item))));
        Ok(Value::Object(pairs.collect()))
    })
}

pub(super) fn filter_sort(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, carrier) = (args.text("id")?, args.text("blockID")?);
    kernel.store.read(|db| {
        let Some(database) = db.find_database(id)? else {
            return Ok(json!({ "filters": null, "sorts": null }));
        };
        let view = database.view_or_current(&db.shown_view(carrier)?)?;
        Ok(json!({ "filters": view.filters, "sorts": view.sorts }))
    })
}

pub(super) fn mirrors(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("avID")?;
    kernel.store.read(|db| {
        let blocks = db.carriers_there(id)?;
        let shown: Vec<Value> = blocks.iter().map(|id| json!({ "refID": id, "defIDs": [] })).collect();
        Ok(json!({ "refDefs": shown }))
    })
}

/// Relation columns, or columns that a rollup can show.
pub(super) fn relation_keys(kernel: &Kernel, args: &Args) -> Outcome {
    keys_named(kernel, args, |key| key.kind == ValueKind::Relation && key.relation.is_some())
}

pub(super) fn rollup_keys(kernel: &Kernel, args: &Args) -> Outcome {
    keys_named(kernel, args, |key| !matches!(key.kind, ValueKind::Rollup | ValueKind::LineNumber))
}

fn keys_named(kernel: &Kernel, args: &Args, fits: fn(&crate::av::database::Key) -> bool) -> Outcome {
    let (id, keyword) = (args.text("avID")?, args.text("keyword")?.to_lowercase());
    kernel.store.read(|db| {
        let columns = db.find_database(id)?.map(|database| database.columns).unwrap_or_default();
        let keys = columns.iter().map(|column| &column.key);
        let found = keys.filter(|key| fits(key) && key.name.to_lowercase().contains(&keyword));
        Ok(json!({ "keys": found.collect::<Vec<_>>() }))
    })
}

/// Databases that a block shows, by name; at most 12.
pub(super) fn search(kernel: &Kernel, args: &Args) -> Outcome {
    let keyword = args.text("keyword")?.to_lowercase();
    let excludes = if args.get("excludes").is_some() { args.texts("excludes")? } else { Vec::new() };
    kernel.store.read(|db| {
        let mut found = Vec::new();
        for database in db.databases()? {
            let name = database.name.to_lowercase();
            let hit = keyword.split_whitespace().all(|word| name.contains(word));
            if hit && !excludes.contains(&database.id.as_str()) && !db.carriers(&database.id)?.is_empty() {
                found.push(database);
            }
        }
        found.truncate(12);
        let mut results = Vec::new();
        for database in found {
            let blocks = db.carriers_there(&database.id)?;
            let Some(block) = blocks.first() else { continue };
            let tree = db.need_tree(block)?;
            let notebook = db.notebook(&tree.notebook)?.map(|notebook| notebook.name).unwrap_or_default();
            let hpath = notebook + &db.hpath(&tree.path)?;
            let name = if database.name.is_empty() { "" } else { &database.name };
            let entry = |view: &str, id: &str, layout: &str| {
                json!({
                    "avID": database.id, "avName": name, "viewName": view, "viewID": id, "viewLayout": layout,
                    "blockID": block, "hPath": hpath,
                })
            };
            let views = database.views.iter().map(|view| entry(&view.name, &view.id, view.layout.name()));
            let children: Vec<Value> = views.collect();
            let mut parent = entry("", "", "");
            if let Some(parent) = parent.as_object_mut() {
                parent.insert("children".into(), json!(children));
            }
            results.push(parent);
        }
        Ok(json!({ "results": results }))
    })
}

/// Databases that no block shows and no shown database leads to.
pub(super) fn unused(kernel: &Kernel, _: &Args) -> Outcome {
    kernel.store.read(|db| {
        let databases = db.databases()?;
        let mut used = Vec::new();
        for database in &databases {
            if !db.carriers_there(&database.id)?.is_empty() {
                used.push(database.id.clone());
            }
        }
        let mut at = 0;
        while let Some(id) = used.get(at).cloned() {
            let columns = databases.iter().filter(|d| d.id == id).flat_map(|d| &d.columns);
            for relation in columns.filter_map(|column| column.key.relation.as_ref()) {
                if !used.contains(&relation.database) {
                    used.push(relation.database.clone());
                }
            }
            at += 1;
        }
        let shown = databases.iter().filter(|database| !used.contains(&database.id)).map(|database| {
            let name = if database.name.is_empty() { UNTITLED } else { database.name.as_str() };
            json!({ "item": database.id, "name": name })
        });
        Ok(shown.collect())
    })
}
