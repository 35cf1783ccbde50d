//! `/api/notebook`: the notebooks and their settings.

use serde_json::{Value, json};

use super::shape::put;
use crate::answer::{Args, Outcome, Refusal};
use crate::kernel::Kernel;
use crate::store::{Db, Notebook};

pub(super) fn list(kernel: &Kernel, args: &Args) -> Outcome {
    let with_cards = args.bool_or("flashcard", false);
    let notebooks = kernel.store.read(|db| {
        let mut shown = Vec::new();
        for notebook in db.notebooks()? {
            let mut entry = show(db, &notebook)?;
            if with_cards {
                let Some(counts) = super::riff::counts(db, &notebook.id, "/")? else { continue };
                super::riff::COUNTS.iter().zip(counts).for_each(|(name, n)| put(&mut entry, name, json!(n)));
            }
            shown.push(entry);
        }
        Ok(Value::Array(shown))
    })?;
    Ok(json!({ "boxDocEnabled": kernel.switches.get().notebook_documents, "notebooks": notebooks }))
}

fn show(db: &Db<'_>, notebook: &Notebook) -> Outcome {
    let documents = if notebook.closed { 0 } else { db.count_below(&notebook.id, "/")? };
    Ok(json!({
        "id": notebook.id,
        "name": notebook.name,
        "icon": notebook.icon,
        "sort": notebook.sort,
        "sortMode": notebook.sort_mode,
        "closed": notebook.closed,
        "subFileCount": documents,
        "newFlashcardCount": 0,
        "dueFlashcardCount": 0,
        "flashcardCount": 0,
        "encrypted": false,
        "unlocked": false,
    }))
}

pub(super) fn create(kernel: &Kernel, args: &Args) -> Outcome {
    let name = clean_name(args.field_text("name")?)?;
    let has_document = kernel.switches.get().notebook_documents;
    kernel.store.write(|db| {
        let notebook =
            if has_document { db.create_notebook(&name)? } else { db.create_empty_notebook(&name)? };
        Ok(json!({ "notebook": show(db, &notebook)? }))
    })
}

/// A notebook's name as the kernel cleans it.
fn clean_name(name: &str) -> Result<String, Refusal> {
    let name: String = name.chars().filter(|c| !matches!(c, '/' | '\n' | '\r' | '\t')).collect();
    let name = name.trim();
    match name.chars().count() {
        0 => Ok("Untitled".into()),
        513.. => Err(Refusal::new("Maximum length is limited to 512 characters")),
        _ => Ok(name.to_owned()),
    }
}

pub(super) fn rename(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("notebook")?;
    let name = clean_name(args.field_text("name")?).map_err(|refusal| refusal.closing_after(5000))?;
    kernel.store.write(|db| {
        let Some(mut notebook) = db.notebook(id)?.filter(|n| !n.closed) else {
            return Err(Refusal::new("Query notebook failed").closing_after(5000));
        };
        notebook.name = name;
        db.save_notebook(&notebook)?;
        db.rename_notebook_document(&notebook)?;
        Ok(Value::Null)
    })
}

/// An unknown id creates a closed notebook with that id, as in the real kernel; callers must expect it.
pub(super) fn set_icon(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, icon) = (args.id("notebook")?, args.field_text("icon")?);
    kernel.store.write(|db| {
        let mut notebook = db.notebook(id)?.unwrap_or_else(|| Notebook::ghost(id));
        notebook.icon = icon.to_owned();
        db.save_notebook(&notebook)?;
        Ok(Value::Null)
    })
}

pub(super) fn remove(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.field_text("notebook")?;
    if !crate::id::is_node_id(id) {
        return Err(Refusal::new("invalid ID argument"));
    }
    kernel.store.write(|db| {
        if let Some(notebook) = db.notebook(id)? {
            db.trees_in(id)?.iter().try_for_each(|tree| super::history::keep(kernel, tree, "delete"))?;
            super::history::keep_notebook(kernel, &notebook)?;
        }
        db.remove_notebook(id)?;
        Ok(Value::Null)
    })
}

pub(super) fn open(kernel: &Kernel, args: &Args) -> Outcome {
    args.field_filled("notebook")?;
    set_closed(kernel, args, false)
}

pub(super) fn close(kernel: &Kernel, args: &Args) -> Outcome {
    set_closed(kernel, args, true)
}

fn set_closed(kernel: &Kernel, args: &Args, closed: bool) -> Outcome {
    let id = args.id("notebook")?;
    kernel.store.write(|db| {
        let Some(mut notebook) = db.notebook(id)? else {
            let why = "can not open file, just support open folder only";
            return if closed { Ok(Value::Null) } else { Err(Refusal::new(why)) };
        };
        if notebook.closed != closed {
            notebook.closed = closed;
            db.save_notebook(&notebook)?;
            db.index_notebook(&notebook)?;
        }
        Ok(Value::Null)
    })
}

pub(super) fn change_sort(kernel: &Kernel, args: &Args) -> Outcome {
    let ids = args.texts("notebooks")?;
    kernel.store.write(|db| {
        for (sort, id) in (1..).zip(ids) {
            if let Some(mut notebook) = db.notebook(id)? {
                notebook.sort = sort;
                db.save_notebook(&notebook)?;
            }
        }
        Ok(Value::Null)
    })
}

fn found(db: &Db<'_>, id: &str) -> Result<Notebook, Refusal> {
    db.notebook(id)?.ok_or_else(|| Refusal::new(format!("notebook [{id}] not found")))
}

pub(super) fn get_conf(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("notebook")?;
    let notebook = kernel.store.read(|db| found(db, id))?;
    Ok(json!({ "box": id, "name": notebook.name, "conf": notebook.conf() }))
}

/// Keys that are left out stay as they are.
pub(super) fn set_conf(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("notebook")?;
    kernel.store.write(|db| {
        let mut notebook = found(db, id)?;
        if let Some(given) = args.get("conf") {
            notebook.set_conf(given)?;
        }
        db.save_notebook(&notebook)?;
        Ok(notebook.conf())
    })
}

pub(super) fn get_info(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.id("notebook")?;
    kernel.store.read(|db| {
        let notebook = found(db, id).and_then(|notebook| match notebook.closed {
            true => Err(Refusal::new(format!("notebook [{id}] not found"))),
            false => Ok(notebook),
        })?;
        let (documents, size, changed) = db.notebook_size(id)?;
        let made = crate::id::seconds_of(id.get(..14).unwrap_or_default());
        Ok(json!({ "boxInfo": {
            "id": id,
            "name": notebook.name,
            "docCount": documents,
            "size": size,
            "hSize": format!("{size} B"),
            "mtime": changed,
            "ctime": made,
            "hMtime": crate::id::clock(changed),
            "hCtime": crate::id::clock(made),
        } }))
    })
}
