//! Everything SQLite: notebooks and block trees in `notes.db`, the tables that callers query in `index.db`.
//!
//! `notes.db` is the truth: one row a document, its tree as JSON. `index.db` has the tables `blocks`, `spans`,
//! `refs`, `attributes`, `assets` and the full-text index, with SiYuan's names, and is written from the trees.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

use crate::answer::Refusal;

mod documents;
mod index;
mod notebooks;
mod refs;
mod search;
mod select;
mod trees;

#[cfg(test)]
mod tests;

pub(crate) use notebooks::Notebook;
pub(crate) use refs::Reference;
pub(crate) use search::Search;
pub(crate) use trees::{Entry, Tree, path_ids};

/// The two databases: one connection that writes, and as many as are needed that read.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
    /// These see the index only; the statements of callers run on them.
    selectors: Mutex<Vec<Connection>>,
}

/// A connection inside a read or a write.
#[derive(Debug)]
pub(crate) struct Db<'c>(&'c Connection);

impl Store {
    /// New, empty databases in a folder; those of an earlier start are dropped.
    pub(crate) fn open(folder: &Path) -> Result<Store, Refusal> {
        for name in ["notes.db", "index.db"] {
            for tail in ["", "-wal", "-shm"] {
                match std::fs::remove_file(folder.join(format!("{name}{tail}"))) {
                    Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e.into()),
                    _ => {}
                }
            }
        }
        let writer = connect(folder)?;
        writer.execute_batch(include_str!("store/schema.sql"))?;
        Ok(Store {
            folder: folder.to_owned(),
            writer: Mutex::new(writer),
            readers: Mutex::default(),
            selectors: Mutex::default(),
        })
    }

    /// Runs `f` in a transaction; a refusal takes back what it wrote.
    pub(crate) fn write<T>(&self, f: impl FnOnce(&Db<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let mut writer = lock(&self.writer);
        let transaction = writer.transaction()?;
        let done = f(&Db(&transaction))?;
        transaction.commit()?;
        Ok(done)
    }

    /// Runs `f` on one state of the databases, beside writers.
    pub(crate) fn read<T>(&self, f: impl FnOnce(&Db<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        borrow(&self.readers, || connect(&self.folder), |connection| f(&Db(connection)))
    }

    /// Runs `f` on the index alone; what it writes is taken back.
    fn select<T>(&self, f: impl FnOnce(&Connection) -> Result<T, Refusal>) -> Result<T, Refusal> {
        borrow(&self.selectors, || open(&self.folder), f)
    }
}

/// Runs `f` in a transaction on a connection that waits, or on a new one; nothing is kept of what it wrote.
fn borrow<T>(
    waiting: &Mutex<Vec<Connection>>,
    new: impl FnOnce() -> Result<Connection, Refusal>,
    f: impl FnOnce(&Connection) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let found = lock(waiting).pop();
    let mut connection = match found {
        Some(connection) => connection,
        None => new()?,
    };
    let transaction = connection.transaction()?;
    let done = f(&transaction);
    drop(transaction);
    lock(waiting).push(connection);
    done
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic in one request must not end all others; a transaction it held was rolled back.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A connection to the index.
fn open(folder: &Path) -> Result<Connection, Refusal> {
    let connection = Connection::open(folder.join("index.db"))?;
    connection.busy_timeout(Duration::from_secs(10))?;
    select::add_functions(&connection)?;
    // Nothing here outlives a start, so the disk need not be waited for.
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;")?;
    Ok(connection)
}

/// A connection to both databases.
fn connect(folder: &Path) -> Result<Connection, Refusal> {
    let connection = open(folder)?;
    connection.execute("ATTACH ?1 AS notes", [folder.join("notes.db").to_string_lossy()])?;
    connection.execute_batch("PRAGMA notes.journal_mode = WAL; PRAGMA notes.synchronous = OFF;")?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}
