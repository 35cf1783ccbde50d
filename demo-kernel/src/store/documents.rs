//! JSON documents besides the block trees: databases, the blocks that show them, decks of flashcards.

use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Db;
use crate::answer::Refusal;

fn unreadable(error: &serde_json::Error) -> Refusal {
    Refusal::new(format!("a stored document cannot be read: {error}"))
}

impl Db<'_> {
    /// The document of that kind and id.
    pub(crate) fn document<T: DeserializeOwned>(&self, kind: &str, id: &str) -> Result<Option<T>, Refusal> {
        let mut query = self.0.prepare_cached("SELECT body FROM document WHERE kind = ?1 AND id = ?2")?;
        let body: Option<String> = query.query_row([kind, id], |row| row.get(0)).optional()?;
        body.map(|body| serde_json::from_str(&body).map_err(|e| unreadable(&e))).transpose()
    }

    /// All documents of a kind with their ids, the last changed first.
    pub(crate) fn documents<T: DeserializeOwned>(&self, kind: &str) -> Result<Vec<(String, T)>, Refusal> {
        let mut query =
            self.0.prepare_cached("SELECT id, body FROM document WHERE kind = ?1 ORDER BY changed DESC")?;
        let rows = query.query_map([kind], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let rows = rows.collect::<Result<Vec<(String, String)>, _>>()?;
        rows.into_iter()
            .map(|(id, body)| Ok((id, serde_json::from_str(&body).map_err(|e| unreadable(&e))?)))
            .collect()
    }

    /// Writes a document; the same text again is no change.
    pub(crate) fn save_document(
        &self,
        kind: &str,
        id: &str,
        document: &impl Serialize,
    ) -> Result<(), Refusal> {
        let body = serde_json::to_string(document).map_err(|e| unreadable(&e))?;
        self.0
            .prepare_cached(
                "INSERT INTO document VALUES (?1, ?2, (SELECT coalesce(max(changed), 0) + 1 FROM document), ?3)
                 ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body, changed = excluded.changed
                 WHERE body <> excluded.body",
            )?
            .execute(params![kind, id, body])?;
        Ok(())
    }

    pub(crate) fn remove_document(&self, kind: &str, id: &str) -> Result<(), Refusal> {
        self.0.prepare_cached("DELETE FROM document WHERE kind = ?1 AND id = ?2")?.execute([kind, id])?;
        Ok(())
    }

    /// All that is stored, as files by name: trees, notebooks, databases, decks.
    pub(crate) fn everything(&self) -> Result<Vec<(String, String)>, Refusal> {
        let mut query = self.0.prepare_cached(
            "SELECT box || path, root FROM tree
             UNION ALL SELECT id || '/conf.json', name || icon || sort || sort_mode || closed || extra FROM notebook
             UNION ALL SELECT kind || '/' || id || '.json', body FROM document ORDER BY 1",
        )?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
