//! Daily notes: one document per day at a path from the notebook's settings.

use serde_json::{Value, json};

use crate::answer::{Args, Outcome, Refusal};
use crate::endpoints::block::write::into_parent;
use crate::endpoints::template;
use crate::kernel::Kernel;
use crate::store::Db;

pub(crate) fn create(kernel: &Kernel, args: &Args) -> Outcome {
    let notebook = args.text("notebook")?;
    kernel.store.write(|db| Ok(json!({ "id": of_today(db, notebook)? })))
}

/// The document of today, created if missing.
fn of_today(db: &Db<'_>, notebook: &str) -> Result<String, Refusal> {
    let open = db.notebook(notebook)?.filter(|n| !n.closed);
    let conf = open.ok_or_else(|| Refusal::code(1, "notebook not found"))?.conf();
    let setting = |name: &str| conf.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let path = setting("dailyNoteSavePath");
    if matches!(path.as_str(), "" | "/") {
        return Err(Refusal::new("Please specify the daily note save path in the Notebook Settings"));
    }
    let path = template::sprig(db, &path)?;
    let found = db.ids_by_hpath(notebook, &path)?.into_iter().next().map(|entry| entry.id);
    let id = match found {
        Some(id) => id,
        None if !setting("dailyNoteTemplatePath").is_empty() => {
            return Err(Refusal::not_here("templates for daily notes"));
        }
        None => super::create(db, notebook, &path, "", |_, _| Ok(()))?,
    };
    let today = crate::id::stamp().get(..8).unwrap_or_default().to_owned();
    let mut tree = db.need_tree(&id)?;
    let name = format!("custom-dailynote-{today}");
    if tree.root.attrs.get(&name).is_none() {
        tree.root.attrs.set(&name, &today);
        db.save(&tree)?;
    }
    Ok(id)
}

pub(crate) fn append(kernel: &Kernel, args: &Args) -> Outcome {
    put(kernel, args, true)
}

pub(crate) fn prepend(kernel: &Kernel, args: &Args) -> Outcome {
    put(kernel, args, false)
}

/// Puts blocks at the end or start of today's note.
fn put(kernel: &Kernel, args: &Args, last: bool) -> Outcome {
    let (data, kind) = (args.text("data")?, args.text("dataType")?);
    let notebook = args.id("notebook")?;
    kernel.store.write(|db| {
        let failed = |refusal: Refusal| match refusal.code {
            1 | -1 => Refusal::new(format!("create daily note failed: {}", refusal.msg)),
            _ => refusal,
        };
        let id = of_today(db, notebook).map_err(failed)?;
        let value = json!({ "data": data, "dataType": kind, "parentID": id });
        Ok(json!([crate::endpoints::block::write::transaction(&[into_parent(db, &value, last)?])]))
    })
}
