//! Files and folders of the workspace as a zip.

use std::path::Path;

use serde_json::{Value, json};

use super::pack::{Pack, file_name};
use crate::answer::{Args, Outcome, Refusal};
use crate::endpoints::{file, history};
use crate::kernel::{Kernel, clean};
use crate::moment;

pub(in crate::endpoints) fn pack(kernel: &Kernel, args: &Args) -> Outcome {
    let given = args.get("name").map_or(Ok(""), |_| args.text("name"))?;
    let name = file_name(given.rsplit('/').next().unwrap_or_default());
    if args.get("paths").is_none() {
        return Err(Refusal { data: json!(""), ..Refusal::code(1, "[paths] is required") });
    }
    let paths = args.texts("paths")?;
    let name = match (given.is_empty(), name.as_str()) {
        (true, _) => {
            let now = moment::now();
            crate::go_date::format(now, "export-2006-01-02_15-04-05")
        }
        (false, "" | "." | "..") => "resources".to_owned(),
        (false, name) => name.to_owned(),
    };
    let failed = |why: String| Refusal::code(1, why).closing_after(7000);
    let mut pack = Pack::default();
    let top = Path::new(&name);
    pack.add_folder(top);
    for path in paths {
        let from = clean(&kernel.workspace, path);
        if !from.starts_with(&kernel.workspace) {
            return Err(failed(format!("resource path [{path}] is not in workspace")));
        }
        file::refuse_notes(path)?;
        if !from.exists() {
            let why = format!("lstat {}: no such file or directory", from.display());
            return Err(failed(format!("Export failed: {why}")));
        }
        add(&mut pack, &from, &top.join(from.file_name().unwrap_or_default()))?;
    }
    let id: u128 = moment::draw(|dice| dice.u128(..));
    let name = format!("{id:032x}-{name}.zip");
    pack.write(kernel, &name)?;
    Ok(Value::from_iter([("path", format!("temp/export/{name}"))]))
}

/// A file, or a folder with its contents.
fn add(pack: &mut Pack, from: &Path, to: &Path) -> Result<(), Refusal> {
    if from.is_file() {
        pack.add(to, std::fs::read(from)?);
        return Ok(());
    }
    pack.add_folder(to);
    let mut failed = None;
    history::files(from, &mut |file| match (std::fs::read(file), file.strip_prefix(from)) {
        (Ok(bytes), Ok(rest)) => pack.add(to.join(rest), bytes),
        (Err(error), _) => failed = Some(error),
        _ => {}
    });
    failed.map_or(Ok(()), |error| Err(error.into()))
}
