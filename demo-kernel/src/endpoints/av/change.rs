//! `/api/av`: databases, changing.

use serde_json::{Value, json};

use super::maybe;
use crate::answer::{Args, Outcome, Refusal};
use crate::av::rows::RowPlace;
use crate::av::show::{self, ViewRequest};
use crate::av::value::read;
use crate::av::{cells, columns, rows, views};
use crate::kernel::Kernel;

/// Rows are added one by one, from the last to the first; those before a bad one stay.
pub(crate) fn add_rows(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("avID")?;
    let place = RowPlace {
        carrier: maybe(args, "blockID")?,
        view: maybe(args, "viewID")?,
        group: maybe(args, "groupID")?,
        previous: maybe(args, "previousID")?,
    };
    let sources = args.list("srcs")?;
    if sources.iter().any(|source| !source.is_object()) {
        return Err(Refusal::panicked());
    }
    let ignore = super::flag(args, "ignoreDefaultFill", false)?;
    let now = crate::id::now_ms();
    for source in sources.iter().rev() {
        kernel.store.write(|db| rows::add(db, id, source, place, ignore, now))?;
    }
    Ok(Value::Null)
}

pub(crate) fn append_rows(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("avID")?;
    let mut given = Vec::new();
    for row in args.list("blocksValues")? {
        let cells = row.as_array().ok_or_else(Refusal::panicked)?;
        given.push(cells.iter().map(read).collect::<Result<Vec<_>, _>>()?);
    }
    kernel.store.write(|db| rows::append(db, id, given))?;
    Ok(Value::Null)
}

pub(crate) fn remove_rows(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("avID")?;
    let items: Vec<String> = args.texts("srcIDs")?.into_iter().map(str::to_owned).collect();
    kernel.store.write(|db| rows::remove(db, id, &items))?;
    Ok(Value::Null)
}

pub(crate) fn set_cell(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, key) = (args.text("avID")?, args.text("keyID")?);
    let item = row_of("/api/av/setAttributeViewBlockAttr", &Value::Object(args.0.clone()))?;
    let value = args.get("value").ok_or_else(Refusal::panicked)?;
    let value = kernel.store.write(|db| cells::set(db, id, key, &item, value))?;
    Ok(json!({ "value": value }))
}

/// The row that a cell is set in; its former name is refused.
fn row_of(path: &str, given: &Value) -> Result<String, Refusal> {
    match (given.get("itemID"), given.get("rowID")) {
        (Some(item), _) => item.as_str().map(str::to_owned).ok_or_else(Refusal::panicked),
        (None, Some(_)) => Err(Refusal::new(format!(
            "[{path}] parameter [rowID] is deprecated, visit \
             [https://github.com/siyuan-note/siyuan/issues/15727] for details"
        ))),
        (None, None) => Ok(String::new()),
    }
}

/// Cells before a bad one stay set.
pub(crate) fn set_cells(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, values) = (args.text("avID")?, args.list("values")?);
    kernel.store.read(|db| db.database(id).map(drop))?;
    for given in values {
        let key = given.get("keyID").and_then(Value::as_str).ok_or_else(Refusal::panicked)?;
        let item = row_of("/api/av/batchSetAttributeViewBlockAttrs", given)?;
        let value = given.get("value").unwrap_or(&Value::Null);
        kernel.store.write(|db| cells::set(db, id, key, &item, value))?;
    }
    Ok(Value::Null)
}

pub(crate) fn add_key(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, key) = (args.text("avID")?, args.text("keyID")?);
    let (name, kind) = (args.text("keyName")?, args.text("keyType")?);
    let (icon, previous) = (args.text("keyIcon")?, args.text("previousKeyID")?);
    kernel.store.write(|db| columns::add(db, id, (key, name, icon), kind, previous))?;
    Ok(Value::Null)
}

pub(crate) fn remove_key(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, key) = (args.text("avID")?, args.text("keyID")?);
    let both = super::flag(args, "removeRelationDest", false)?;
    kernel.store.write(|db| columns::remove(db, id, key, both))?;
    Ok(Value::Null)
}

pub(crate) fn sort_key(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, key, previous) = (args.text("avID")?, args.text("keyID")?, args.text("previousKeyID")?);
    kernel.store.write(|db| columns::sort(db, id, key, previous))?;
    Ok(Value::Null)
}

/// The kernel takes the view's id for that of a block here, so the last shown view is changed.
pub(crate) fn sort_view_key(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, view) = (args.text("avID")?, maybe(args, "viewID")?);
    let (key, previous) = (args.text("keyID")?, args.text("previousKeyID")?);
    kernel.store.write(|db| views::sort_field(db, id, view, key, previous))?;
    Ok(Value::Null)
}

pub(crate) fn set_filters(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, carrier) = (args.text("avID")?, args.text("blockID")?);
    let data = Value::Array(args.list("data")?.clone());
    kernel.store.write(|db| views::set_filters(db, id, carrier, &data))?;
    Ok(Value::Null)
}

pub(crate) fn set_sorts(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, carrier) = (args.text("avID")?, args.text("blockID")?);
    let data = Value::Array(args.list("data")?.clone());
    kernel.store.write(|db| views::set_sorts(db, id, carrier, &data))?;
    Ok(Value::Null)
}

pub(crate) fn set_group(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, carrier) = (args.text("avID")?, args.text("blockID")?);
    let group = args.get("group").filter(|group| group.is_object()).ok_or_else(Refusal::panicked)?;
    kernel.store.write(|db| {
        views::set_group(db, id, carrier, group)?;
        show::show(db, id, &shown_by(carrier))
    })
}

pub(crate) fn change_layout(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, carrier) = (args.text("avID")?, args.text("blockID")?);
    let layout = args.text("layoutType")?;
    kernel.store.write(|db| {
        views::change_layout(db, id, carrier, layout)?;
        show::show(db, id, &shown_by(carrier))
    })
}

fn shown_by(carrier: &str) -> ViewRequest<'_> {
    ViewRequest { carrier, page: 1, page_size: -1, ..ViewRequest::default() }
}

pub(crate) fn show_view(kernel: &Kernel, args: &Args) -> Outcome {
    let (carrier, view, id) = (args.text("id")?, args.text("viewID")?, args.text("avID")?);
    kernel.store.write(|db| views::show_on(db, id, carrier, view))?;
    Ok(Value::Null)
}

/// A copy of a database and the id of a block for it; the block is the caller's to insert.
pub(crate) fn duplicate(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("avID")?;
    kernel.store.write(|db| {
        let database = db.database(id)?;
        let (new, block) = (crate::id::new_id(), crate::id::new_id());
        let text = serde_json::to_string(&database).map_err(|e| Refusal::new(e.to_string()))?;
        let mut copy: crate::av::database::Database =
            serde_json::from_str(&text.replace(id, &new)).map_err(|e| Refusal::new(e.to_string()))?;
        if !copy.name.is_empty() {
            let now = crate::id::clock(crate::id::now_ms() / 1000);
            copy.name = format!("{} (Duplicated {now})", database.name);
        }
        for relation in copy.columns.iter_mut().filter_map(|column| column.key.relation.as_mut()) {
            if relation.is_two_way {
                (relation.is_two_way, relation.back_key) = (false, String::new());
            }
        }
        db.save_database(&mut copy)?;
        db.add_carrier(&new, &block)?;
        copy.bound_blocks().iter().try_for_each(|bound| db.bind(&new, bound))?;
        Ok(json!({ "avID": new, "blockID": block }))
    })
}
