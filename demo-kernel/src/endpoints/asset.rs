//! `/api/asset`: files that documents show.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use crate::answer::{Args, FormPart, Outcome, Refusal};
use crate::kernel::Kernel;

pub(crate) mod index;
pub(super) mod search;
pub(crate) mod used;

/// Stores the files of a form; an existing one with the same name and content keeps its path.
pub(super) fn upload(kernel: &Kernel, form: Option<Vec<FormPart>>) -> Outcome {
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
        let path = keep(kernel, folder, name, &part.bytes)?;
        kernel.assets.came(&path);
        done.insert(name.to_owned(), json!(path));
    }
    if done.is_empty() && !form.is_empty() {
        return Err(Refusal::new("Failed to insert asset file, please reopen the document"));
    }
    Ok(json!({ "errFiles": Value::Null, "succMap": done }))
}

/// The number of bytes kept of a file's name.
const LONGEST_NAME: usize = 189;

/// A file's name as the kernel cleans it.
pub(super) fn clean_name(name: &str) -> String {
    let signs = name.chars().filter(|c| !"~[]()!`&{}=#%$;".contains(*c));
    let name: String = signs.map(|c| if "/\\:*?\"'<>|".contains(c) { '_' } else { c }).collect();
    let (stem, end) = name.rsplit_once('.').unwrap_or((&name, ""));
    let end = if end.is_empty() { String::new() } else { format!(".{}", end.to_lowercase()) };
    let mut length = (LONGEST_NAME - end.len().min(LONGEST_NAME)).min(stem.len());
    while !stem.is_char_boundary(length) {
        length -= 1;
    }
    format!("{}{end}", stem.get(..length).unwrap_or_default())
}

/// Writes an asset below `data/` and returns its path there.
pub(crate) fn keep(kernel: &Kernel, folder: &str, name: &str, bytes: &[u8]) -> Result<String, Refusal> {
    let name = clean_name(name);
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

/// The file of an asset, if the path names an existing one.
pub(super) fn find(kernel: &Kernel, path: &str) -> Option<PathBuf> {
    let path = used::without_query(path.trim());
    let plain = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    let file = kernel.file(&format!("/data/{path}")).ok()?;
    (path.starts_with("assets/") && plain && file.exists()).then_some(file)
}

/// The texts in which databases name files.
fn texts_of_databases(kernel: &Kernel) -> Result<Vec<String>, Refusal> {
    kernel.store.read(|db| {
        let columns = db.databases()?.into_iter().flat_map(|database| database.columns);
        let files = columns.flat_map(|column| column.values).flat_map(|cell| cell.m_asset);
        Ok(files.map(|file| file.content).collect())
    })
}

/// Milliseconds since 1970.
pub(super) fn millis(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |past| i64::try_from(past.as_millis()).unwrap_or_default())
}

/// A size as people read it.
pub(super) fn size(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB"];
    let unit = if bytes < 1024 { 0 } else { bytes.ilog2() / 10 }.min(3);
    match unit {
        0 => format!("{bytes} B"),
        _ => format!(
            "{:.2} {}",
            bytes as f64 / f64::from(1_u32 << (10 * unit)),
            units.get(unit as usize).unwrap_or(&"B")
        ),
    }
}

pub(super) fn stat(kernel: &Kernel, args: &Args) -> Outcome {
    let missing = || Refusal::code(1, "");
    let meta = find(kernel, args.text("path")?).ok_or_else(missing)?.metadata().map_err(|_| missing())?;
    let updated = meta.modified().map_or(0, millis);
    let created = meta.created().map_or(updated, millis);
    Ok(json!({
        "size": meta.len(),
        "hSize": size(meta.len()),
        "created": created,
        "hCreated": crate::id::clock(created / 1000),
        "updated": updated,
        "hUpdated": crate::id::clock(updated / 1000),
    }))
}

/// No picture is read: the program for it is missing, as on most machines.
pub(super) fn read_picture(_: &Kernel, args: &Args) -> Outcome {
    args.text("path")?;
    let why = "Tesseract OCR is not installed or configured, please refer to the User Guide - Assets section for \
               configuration";
    Err(Refusal::new(why).closing_after(7000))
}

const OCR_TEXTS: &str = "/data/assets/ocr-texts.json";

/// The text recognized in a picture; there is no recognition here, but the text can be set.
pub(super) fn ocr_text(kernel: &Kernel, args: &Args) -> Outcome {
    let path = args.text_or("path", "");
    let texts = kernel.json_file(OCR_TEXTS);
    Ok(json!({ "text": texts.get(path).and_then(Value::as_str).unwrap_or_default() }))
}

pub(super) fn set_ocr_text(kernel: &Kernel, args: &Args) -> Outcome {
    let (path, text) = (args.text("path")?, args.text("text")?);
    let mut texts = kernel.json_file(OCR_TEXTS).as_object().cloned().unwrap_or_default();
    texts.insert(path.to_owned(), json!(text));
    kernel.write_file(OCR_TEXTS, Value::Object(texts).to_string().as_bytes())?;
    Ok(Value::Null)
}
