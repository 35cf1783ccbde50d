//! `/api/asset`: files that documents show.

use serde_json::{Map, Value, json};

use crate::answer::{Outcome, Refusal};
use crate::http::Part;
use crate::kernel::Kernel;

/// Takes the files of a form; one that is there already, with the same name and content, keeps its path.
pub(super) fn upload(kernel: &Kernel, form: Option<Vec<Part>>) -> Outcome {
    let Some(form) = form else {
        return Err(Refusal::new("request Content-Type isn't multipart/form-data"));
    };
    let folder = form.iter().find(|part| part.name == "assetsDirPath");
    let folder = folder.and_then(|part| std::str::from_utf8(&part.bytes).ok()).unwrap_or("/assets/");
    let folder = folder.trim_matches('/');
    if folder != "assets" && !folder.starts_with("assets/") {
        return Err(Refusal::not_here("uploads outside of assets"));
    }
    let mut done = Map::new();
    for part in form.iter().filter(|part| part.name == "file[]") {
        let name = part.file_name.as_deref().unwrap_or("file");
        done.insert(name.to_owned(), json!(keep(kernel, folder, name, &part.bytes)?));
    }
    if done.is_empty() {
        return Err(Refusal::new("Failed to insert asset file, please reopen the document"));
    }
    Ok(json!({ "errFiles": Value::Null, "succMap": done }))
}

/// Writes an asset below `data/` and answers its path there.
pub(crate) fn keep(kernel: &Kernel, folder: &str, name: &str, bytes: &[u8]) -> Result<String, Refusal> {
    let name: String =
        name.chars().map(|c| if matches!(c, '/' | '\\' | ':' | '?') { '_' } else { c }).collect();
    let (stem, end) = match name.rsplit_once('.') {
        Some((stem, end)) => (stem.to_owned(), format!(".{end}")),
        None => (name, String::new()),
    };
    let path = kernel.file(&format!("/data/{folder}"))?;
    std::fs::create_dir_all(&path)?;
    for entry in std::fs::read_dir(&path)?.flatten() {
        let known = entry.file_name().to_string_lossy().into_owned();
        let id = known.strip_prefix(&format!("{stem}-")).and_then(|rest| rest.strip_suffix(&end));
        if id.is_some_and(crate::id::is_node_id) && std::fs::read(entry.path()).is_ok_and(|old| old == bytes)
        {
            return Ok(format!("{folder}/{known}"));
        }
    }
    let path = format!("{folder}/{stem}-{}{end}", crate::id::new_id());
    kernel.write_file(&format!("/data/{path}"), bytes)?;
    Ok(path)
}
