//! The settings of a notebook that actions show and change, by the kernel's names.

use serde_json::{Map, Value};

use crate::output::put;
use crate::permission::{Grants, Level};

/// The settings that are shown; all others stay with the kernel, encryption keys first of all.
const SHOWN: [&str; 7] = [
    "dailyNoteSavePath",
    "dailyNoteTemplatePath",
    "docCreateSaveBox",
    "docCreateSavePath",
    "refCreateSaveBox",
    "refCreateSavePath",
    "sortMode",
];

/// A setting that names a notebook, and the one that names a path in it.
pub(super) const PAIRS: [(&str, &str); 2] =
    [("docCreateSaveBox", "docCreateSavePath"), ("refCreateSaveBox", "refCreateSavePath")];

/// The settings that the caller may see. A setting that names a hidden notebook is left out together with the path in
/// it, so that it looks like one that is not set (B-055).
pub(super) fn shown(mut conf: Map<String, Value>, grants: &Grants) -> Map<String, Value> {
    for (notebook, path) in PAIRS {
        let id = conf.get(notebook).and_then(Value::as_str).unwrap_or_default();
        if !id.is_empty() && grants.level_of(id) < Level::Read {
            conf.remove(notebook);
            conf.remove(path);
        }
    }
    let mut kept = Map::new();
    for key in SHOWN {
        put(&mut kept, key, conf.remove(key).unwrap_or_default());
    }
    kept
}
