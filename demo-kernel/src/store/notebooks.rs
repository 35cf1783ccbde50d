//! Notebooks in the store.

use rusqlite::{OptionalExtension, Row, params};
use serde_json::{Map, Value, json};

use super::Db;
use crate::answer::Refusal;

/// A notebook with its settings.
#[derive(Debug, Clone)]
pub(crate) struct Notebook {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) icon: String,
    pub(crate) sort: i64,
    pub(crate) sort_mode: i64,
    pub(crate) closed: bool,
    /// Settings that this kernel ignores.
    extra: Map<String, Value>,
}

impl Notebook {
    fn new(id: &str, name: &str) -> Notebook {
        let extra = json!({
            "refCreateSaveBox": "",
            "refCreateSavePath": "",
            "docCreateSaveBox": "",
            "docCreateSavePath": "",
            "dailyNoteSavePath": "/daily note/{{now | date \"2006/01\"}}/{{now | date \"2006-01-02\"}}",
            "dailyNoteTemplatePath": "",
        });
        Notebook {
            id: id.to_owned(),
            name: name.to_owned(),
            icon: String::new(),
            sort: 0,
            sort_mode: 15,
            closed: false,
            extra: extra.as_object().cloned().unwrap_or_default(),
        }
    }

    /// The notebook that the kernel assumes for a setting of a missing one.
    pub(crate) fn ghost(id: &str) -> Notebook {
        Notebook { closed: true, ..Notebook::new(id, "Untitled") }
    }

    /// The settings as `getNotebookConf` shows them.
    pub(crate) fn conf(&self) -> Value {
        let mut conf = self.extra.clone();
        for (key, value) in [
            ("name", json!(self.name)),
            ("icon", json!(self.icon)),
            ("sort", json!(self.sort)),
            ("sortMode", json!(self.sort_mode)),
            ("closed", json!(self.closed)),
            ("encrypted", json!(false)),
            ("boxCrypt", Value::Null),
        ] {
            conf.insert(key.into(), value);
        }
        Value::Object(conf)
    }

    /// Applies the given known settings; paths begin with a slash, templates end in `.md`.
    pub(crate) fn set_conf(&mut self, given: &Value) -> Result<(), Refusal> {
        let wrong = |value: &Value, what: &str, kind: &str| {
            let value = match value {
                Value::Bool(_) => "bool",
                Value::Number(_) => "number",
                Value::String(_) => "string",
                Value::Array(_) => "array",
                _ => "object",
            };
            Refusal::new(format!("json: cannot unmarshal {value} into Go {what} of type {kind}"))
        };
        let given = given.as_object().ok_or_else(|| wrong(given, "value", "conf.BoxConf"))?;
        let mut changed = self.clone();
        for (key, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            let wrong = |kind: &str| wrong(value, &format!("struct field BoxConf.{key}"), kind);
            let text = || value.as_str().ok_or_else(|| wrong("string"));
            let number = || value.as_i64().ok_or_else(|| wrong("int"));
            match key.as_str() {
                "name" => text()?.clone_into(&mut changed.name),
                "icon" => text()?.clone_into(&mut changed.icon),
                "closed" => changed.closed = value.as_bool().ok_or_else(|| wrong("bool"))?,
                "sort" => changed.sort = number()?,
                "sortMode" => changed.sort_mode = number()?,
                other if changed.extra.contains_key(other) => {
                    changed.extra.insert(other.to_owned(), json!(clean_setting(other, text()?)?));
                }
                _ => {}
            }
        }
        *self = changed;
        Ok(())
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Notebook> {
        let extra: String = row.get("extra")?;
        Ok(Notebook {
            id: row.get("id")?,
            name: row.get("name")?,
            icon: row.get("icon")?,
            sort: row.get("sort")?,
            sort_mode: row.get("sort_mode")?,
            closed: row.get("closed")?,
            extra: serde_json::from_str(&extra).unwrap_or_default(),
        })
    }
}

/// A path in the settings as the kernel cleans it.
fn clean_setting(key: &str, value: &str) -> Result<String, Refusal> {
    let value = value.split('/').map(str::trim).collect::<Vec<_>>().join("/");
    let slashed = |value: String| if value.starts_with('/') { value } else { format!("/{value}") };
    match key {
        _ if value.is_empty() => Ok(value),
        "dailyNoteSavePath" if value == "/" => Err(Refusal::new("The daily note storage path cannot be /")),
        "dailyNoteSavePath" => Ok(slashed(value)),
        "dailyNoteTemplatePath" if value.ends_with(".md") => Ok(slashed(value)),
        "dailyNoteTemplatePath" => Ok(slashed(value + ".md")),
        _ => Ok(value),
    }
}

impl Db<'_> {
    /// All notebooks in their order.
    pub(crate) fn notebooks(&self) -> Result<Vec<Notebook>, Refusal> {
        let mut query = self.0.prepare_cached("SELECT * FROM notebook ORDER BY sort, id")?;
        let rows = query.query_map([], Notebook::from_row)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(crate) fn notebook(&self, id: &str) -> Result<Option<Notebook>, Refusal> {
        let mut query = self.0.prepare_cached("SELECT * FROM notebook WHERE id = ?1")?;
        Ok(query.query_row([id], Notebook::from_row).optional()?)
    }

    /// A notebook that is open, or the kernel's refusal.
    pub(crate) fn open_notebook(&self, id: &str) -> Result<Notebook, Refusal> {
        self.notebook(id)?.filter(|n| !n.closed).ok_or_else(|| Refusal::new("Query notebook failed"))
    }

    /// A new notebook becomes the first.
    pub(crate) fn create_notebook(&self, name: &str) -> Result<Notebook, Refusal> {
        let notebook = self.create_empty_notebook(name)?;
        self.create_notebook_document(&notebook)?;
        Ok(notebook)
    }

    /// The same without a document of its own.
    pub(crate) fn create_empty_notebook(&self, name: &str) -> Result<Notebook, Refusal> {
        let notebook = Notebook::new(&crate::id::new_id(), name);
        self.0.execute("UPDATE notebook SET sort = sort + 1", [])?;
        self.save_notebook(&notebook)?;
        Ok(notebook)
    }

    pub(crate) fn save_notebook(&self, notebook: &Notebook) -> Result<(), Refusal> {
        let extra = Value::Object(notebook.extra.clone()).to_string();
        let Notebook { id, name, icon, sort, sort_mode, closed, .. } = notebook;
        let mut save = self.0.prepare_cached("REPLACE INTO notebook VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
        save.execute(params![id, name, icon, sort, sort_mode, closed, extra])?;
        Ok(())
    }
}
