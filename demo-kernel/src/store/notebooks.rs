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
    /// Settings that nothing here looks at.
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

    /// What the kernel makes of a setting for a notebook that does not exist.
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

    /// Takes over the settings that are given and known.
    pub(crate) fn set_conf(&mut self, given: &Map<String, Value>) {
        for (key, value) in given {
            match (key.as_str(), value) {
                ("name", Value::String(name)) => self.name.clone_from(name),
                ("icon", Value::String(icon)) => self.icon.clone_from(icon),
                ("closed", Value::Bool(closed)) => self.closed = *closed,
                ("sortMode", mode) => self.sort_mode = mode.as_i64().unwrap_or(self.sort_mode),
                (other, value) if self.extra.contains_key(other) => {
                    self.extra.insert(other.to_owned(), value.clone());
                }
                _ => {}
            }
        }
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

    /// A new notebook goes before all others.
    pub(crate) fn create_notebook(&self, name: &str) -> Result<Notebook, Refusal> {
        let notebook = Notebook::new(&crate::id::new_id(), name);
        self.0.execute("UPDATE notebook SET sort = sort + 1", [])?;
        self.save_notebook(&notebook)?;
        self.create_notebook_document(&notebook)?;
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
