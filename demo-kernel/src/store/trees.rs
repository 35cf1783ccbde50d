//! Block trees in the store.

use rusqlite::params;

use super::{Db, Notebook};
use crate::answer::Refusal;

impl Db<'_> {
    /// How many documents lie directly below a storage path that ends with a slash.
    pub(crate) fn count_below(&self, notebook: &str, folder: &str) -> Result<i64, Refusal> {
        let depth = folder.matches('/').count() as i64;
        let mut query = self.0.prepare_cached(
            "SELECT count(*) FROM tree WHERE box = ?1 AND id <> box AND substr(path, 1, length(?2)) = ?2
             AND length(path) - length(replace(path, '/', '')) = ?3",
        )?;
        Ok(query.query_row(params![notebook, folder, depth], |row| row.get(0))?)
    }

    /// Documents, bytes and the newest change of a notebook.
    pub(crate) fn notebook_size(&self, notebook: &str) -> Result<(i64, i64, i64), Refusal> {
        let mut query = self.0.prepare_cached(
            "SELECT count(*) FILTER (WHERE id <> box), coalesce(sum(length(root)), 0) FROM tree WHERE box = ?1",
        )?;
        let now = crate::id::now_ms() / 1000;
        Ok(query.query_row([notebook], |row| Ok((row.get(0)?, row.get(1)?, now)))?)
    }

    pub(crate) fn create_notebook_document(&self, _: &Notebook) -> Result<(), Refusal> {
        Ok(())
    }

    pub(crate) fn rename_notebook_document(&self, _: &Notebook) -> Result<(), Refusal> {
        Ok(())
    }

    pub(crate) fn index_notebook(&self, _: &Notebook) -> Result<(), Refusal> {
        Ok(())
    }

    pub(crate) fn remove_notebook(&self, id: &str) -> Result<(), Refusal> {
        self.0.execute("DELETE FROM notebook WHERE id = ?1", [id])?;
        Ok(())
    }
}
