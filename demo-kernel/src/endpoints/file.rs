//! `/api/file`: files below the workspace folder.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::handler::FileOutcome;
use crate::answer::{Args, FormPart, Outcome, Refusal};
use crate::http::content_type;
use crate::kernel::Kernel;

mod stored;

pub(super) fn get_file(kernel: &Kernel, args: &Args) -> FileOutcome {
    let path = args.field_filled("path")?;
    let file = kernel.file(path)?;
    if let Some(text) = stored::text(kernel, path)? {
        return Ok(("application/json".into(), text.into_bytes()));
    }
    // A document that could not be loaded is a file here too.
    if !file.is_file() {
        refuse_notes(path)?;
    }
    if file.is_dir() {
        return Err(Refusal::code(409, "path is a directory"));
    }
    let Ok(bytes) = std::fs::read(&file) else {
        return Err(Refusal::code(404, "file does not exist"));
    };
    let kind = kind_of(&file, &bytes);
    Ok((kind, bytes))
}

/// The type by extension if known, else by content.
fn kind_of(file: &Path, bytes: &[u8]) -> String {
    let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "jsonl" => "application/x-ndjson".into(),
        "sy" => "application/json".into(),
        "log" => "text/x-log; charset=utf-8".into(),
        "yaml" | "yml" => "application/x-yaml".into(),
        "toml" => "application/toml".into(),
        known if !known.is_empty() && content_type(file) != "application/octet-stream" => content_type(file),
        "bin" => content_type(file),
        _ => sniffed(bytes).into(),
    }
}

fn sniffed(bytes: &[u8]) -> &'static str {
    let json =
        serde_json::from_slice::<Value>(bytes).is_ok_and(|value| value.is_object() || value.is_array());
    match std::str::from_utf8(bytes).map(str::trim_start) {
        _ if json => "application/json",
        Ok("") if bytes.is_empty() => "text/plain",
        Ok(text) if text.starts_with("<p>") || text.to_ascii_lowercase().starts_with("<!doctype html") => {
            "text/html; charset=utf-8"
        }
        Ok(_) => "text/plain; charset=utf-8",
        Err(_) => "application/octet-stream",
    }
}

/// Documents are in the database here, not in `.sy` files, so "missing" would be wrong.
pub(super) fn refuse_notes(path: &str) -> Result<(), Refusal> {
    let below = path.trim_start_matches('/').strip_prefix("data/").unwrap_or_default();
    let first = below.split('/').next().unwrap_or_default();
    if crate::id::is_node_id(first) { Err(Refusal::not_here("the files of notebooks")) } else { Ok(()) }
}

pub(super) fn put_file(kernel: &Kernel, form: Option<Vec<FormPart>>) -> Outcome {
    let form = form.unwrap_or_default();
    let text = |name: &str| {
        let part = form.iter().find(|part| part.name == name)?;
        std::str::from_utf8(&part.bytes).ok()
    };
    let path =
        text("path").filter(|p| !p.is_empty()).ok_or_else(|| Refusal::code(400, "path must not be empty"))?;
    let file = kernel.file(path)?;
    if path.contains([':', '?', '*', '"', '<', '>', '|', '\\']) {
        let why =
            "invalid file path. For details, please check https://github.com/siyuan-note/siyuan/issues/14658";
        return Err(Refusal::code(400, why));
    }
    refuse_notes(path)?;
    if text("isDir") == Some("true") {
        make_folder(&file)?;
    } else {
        let part = form.iter().find(|part| part.name == "file" && part.file_name.is_some());
        let part = part.ok_or_else(|| Refusal::code(400, "Field [file] must not be empty"))?;
        if file.is_dir() {
            return Err(Refusal::code(400, "path is a directory"));
        }
        if stored::take(kernel, path, &part.bytes)? {
            return Ok(Value::Null);
        }
        file.parent().map_or(Ok(()), make_folder)?;
        kernel.write_file(path, &part.bytes)?;
    }
    let is_file = file.is_file();
    if let Some(given) = text("modTime") {
        let wrong = |_| Refusal::code(500, format!("strconv.ParseInt: parsing \"{given}\": invalid syntax"));
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(given.parse().map_err(wrong)?);
        std::fs::File::open(&file)?.set_modified(time)?;
    }
    if is_file {
        tell_others(kernel, path, text("app").unwrap_or_default());
    }
    Ok(Value::Null)
}

/// Since SiYuan 3.8.3 every other page hears that the storage of a plugin changed; a write without a page is sent to
/// all of them.
fn tell_others(kernel: &Kernel, path: &str, page: &str) {
    let below = path.trim_start_matches('/').strip_prefix("data/storage/petal/");
    let Some((plugin, _)) = below.and_then(|rest| rest.split_once('/')).filter(|_| kernel.siyuan.is_newer())
    else {
        return;
    };
    let message = json!({
        "cmd": "reloadPlugin",
        "code": 0,
        "msg": "",
        "data": { "dataChangePlugins": [plugin], "dataChangeReason": "overwrite" },
    });
    kernel.pages.say_to_others(page, &message.to_string());
}

/// A folder with all above it; a file in the way is named as Go names it.
fn make_folder(folder: &Path) -> Result<(), Refusal> {
    let in_the_way = folder.ancestors().find(|path| path.is_file());
    match in_the_way {
        Some(file) => Err(Refusal::new(format!("mkdir {}: not a directory", file.display()))),
        None => Ok(std::fs::create_dir_all(folder)?),
    }
}

pub(super) fn read_dir(kernel: &Kernel, args: &Args) -> Outcome {
    let path = args.field_text("path")?;
    let folder = kernel.file(path)?;
    let stored = stored::entries(kernel, path)?.unwrap_or_default();
    if !folder.exists() && stored.is_empty() {
        return Err(Refusal::code(404, "path does not exist"));
    }
    if folder.exists() && !folder.is_dir() {
        return Err(Refusal::code(409, "path is not a directory"));
    }
    let now = u64::try_from(crate::id::now_ms() / 1000).unwrap_or_default();
    let mut entries: Vec<(String, bool, bool, u64)> =
        stored.into_iter().map(|(name, is_dir)| (name, is_dir, false, now)).collect();
    if !folder.exists() {
        return Ok(shown_entries(entries));
    }
    for entry in std::fs::read_dir(folder)?.flatten() {
        let Ok(meta) = entry.metadata() else { continue };
        let updated = meta.modified().ok().and_then(|t| t.duration_since(SystemTime::UNIX_EPOCH).ok());
        let name = entry.file_name().to_string_lossy().into_owned();
        if !entries.iter().any(|(known, ..)| *known == name) {
            entries.push((name, meta.is_dir(), meta.is_symlink(), updated.map_or(0, |t| t.as_secs())));
        }
    }
    Ok(shown_entries(entries))
}

fn shown_entries(mut entries: Vec<(String, bool, bool, u64)>) -> Value {
    entries.sort();
    let show = |(name, is_dir, is_symlink, updated): &(String, bool, bool, u64)| json!({ "isDir": is_dir, "isSymlink": is_symlink, "name": name, "updated": updated });
    entries.iter().map(show).collect()
}

pub(super) fn remove_file(kernel: &Kernel, args: &Args) -> Outcome {
    let path = args.field_filled("path")?;
    let file = kernel.file(path)?;
    refuse_notes(path)?;
    if file.is_dir() {
        std::fs::remove_dir_all(file)?;
    } else if file.exists() {
        std::fs::remove_file(file)?;
    } else if !stored::remove(kernel, path)? {
        return Err(Refusal::code(404, "path does not exist"));
    }
    tell_others(kernel, path, args.text_or("app", ""));
    Ok(Value::Null)
}

pub(super) fn rename_file(kernel: &Kernel, args: &Args) -> Outcome {
    let (old, new) = (args.field_filled("path")?, args.field_filled("newPath")?);
    refuse_notes(old).and(refuse_notes(new))?;
    let from = kernel.file(old)?;
    if !from.exists() {
        return Err(Refusal::code(404, "Field [path]: path does not exist"));
    }
    let to = kernel.file(new)?;
    if to.exists() {
        return Err(Refusal::code(409, "Field [newPath]: path already exists"));
    }
    to.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    std::fs::rename(from, to)?;
    Ok(Value::Null)
}

/// A path on this machine that is free: a number is put behind the name. Paths of the workspace are always free,
/// for the real kernel looks for them at the machine's root.
pub(super) fn unique_name(kernel: &Kernel, args: &Args) -> Outcome {
    let path = args.field_filled("path")?;
    let below = Path::new(path).strip_prefix(&kernel.workspace).ok().map(|rest| kernel.workspace.join(rest));
    let Some(file) = below.filter(|file| file.exists()) else { return Ok(json!({ "path": path })) };
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let end = file.extension().map(|_| format!(".{}", part(file.extension()))).unwrap_or_default();
    let stem = part(file.file_stem());
    let free = (1..).map(|n| file.with_file_name(format!("{stem} ({n}){end}"))).find(|file| !file.exists());
    Ok(json!({ "path": free.unwrap_or(file).to_string_lossy() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, Options, Siyuan};

    /// The pages that hear of a write: all others on 3.8, none on 3.7, and nobody of what is no plugin's storage.
    #[test]
    fn other_pages_hear_of_changed_storage() {
        for (siyuan, path, expected) in [
            (Siyuan::V3_8, "/data/storage/petal/puppy/settings", 1),
            (Siyuan::V3_8, "/data/storage/petal/petals.json", 0),
            (Siyuan::V3_8, "/temp/puppy/settings", 0),
            (Siyuan::V3_7, "/data/storage/petal/puppy/settings", 0),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let workspace = folder.path().to_owned();
            let options =
                Options { siyuan, port: 0, workspace, content: Content::Empty, token: None, stage: None };
            let kernel = crate::open::open(options).unwrap();
            let [mut own, mut other] = ["own", "other"].map(|page| kernel.pages.join(vec![page.to_owned()]));
            let mut form = FormPart::file(path, b"{}");
            form.push(FormPart { name: "app".into(), file_name: None, bytes: "own".into() });
            put_file(&kernel, Some(form)).unwrap();
            let args = json!({ "path": path, "app": "own" });
            let mut heard = 0;
            while let Ok(message) = other.messages.try_recv() {
                assert!(message.text.contains(r#""dataChangePlugins":["puppy"]"#), "{}", message.text);
                heard += 1;
            }
            remove_file(&kernel, &Args(args.as_object().cloned().unwrap())).unwrap();
            heard += u64::from(other.messages.try_recv().is_ok());
            assert_eq!(heard, 2 * expected, "{siyuan:?} {path}");
            assert!(own.messages.try_recv().is_err(), "its own write");
        }
    }

    #[test]
    fn plugin_storage_file_type_is_detected_by_content() {
        assert_eq!(kind_of(Path::new("mcpToolsConfig"), b"{}"), "application/json");
        assert_eq!(kind_of(Path::new("puppySettings"), b"not json {"), "text/plain; charset=utf-8");
        assert_eq!(kind_of(Path::new("a.json"), b""), "application/json");
        assert_eq!(kind_of(Path::new("a.jsonl"), b"{}\n{}"), "application/x-ndjson");
    }
}
