//! Everything SQLite: notebooks and block trees in `notes.db`, the tables that callers query in `index.db`.
//!
//! `notes.db` is authoritative: one row per document, its tree as JSON. `index.db` has the tables `blocks`, `spans`,
//! `refs`, `attributes`, `assets` and the full-text index under SiYuan's names, and is derived from the trees.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

use crate::answer::Refusal;
use crate::moment::ticks;
use crate::siyuan::Siyuan;

mod documents;
mod index;
mod notebooks;
mod refs;
mod search;
mod select;
pub(crate) mod tags;
mod tree;
mod trees;
mod whole;

#[cfg(test)]
mod tests;

pub(crate) use notebooks::Notebook;
pub(crate) use refs::name_of;
pub(crate) use search::{Search, SearchPage};
pub(crate) use tree::Tree;
pub(crate) use trees::{DocumentEntry, path_ids};

/// The files of the databases, each with its schema in a connection to both.
const FILES: [(&str, &str); 2] = [("notes.db", "notes"), ("index.db", "main")];

/// The two databases: one connection for writing, and as many for reading as are needed.
#[derive(Debug)]
pub(crate) struct Store {
    siyuan: Siyuan,
    folder: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
    /// Connections to the index only, for the statements of callers.
    selectors: Mutex<Vec<Connection>>,
    lag: Mutex<Lag>,
}

/// The part of the index that is not visible yet.
#[derive(Debug, Default)]
struct Lag {
    /// The time for which a write stays invisible; zero when nothing lags.
    for_so_long: Duration,
    before: Option<EarlierIndex>,
}

/// The state before the first invisible write, and the time until which it is shown.
#[derive(Debug)]
struct EarlierIndex {
    /// The index alone, for the statements of callers.
    index: Connection,
    both: Connection,
    until: Duration,
}

/// A connection inside a read or a write.
#[derive(Debug)]
pub(crate) struct Db<'c>(&'c Connection, Siyuan);

impl Db<'_> {
    /// The version of SiYuan whose notes these are.
    pub(crate) fn siyuan(&self) -> Siyuan {
        self.1
    }

    /// Runs `f` and rolls back what it wrote if it says so, or fails.
    pub(crate) fn attempt(&self, f: impl FnOnce() -> Result<bool, Refusal>) -> Result<(), Refusal> {
        self.0.execute_batch("SAVEPOINT attempt")?;
        let done = f();
        let kept = matches!(done, Ok(true));
        self.0.execute_batch(if kept {
            "RELEASE attempt"
        } else {
            "ROLLBACK TO attempt; RELEASE attempt"
        })?;
        done.map(drop)
    }
}

impl Store {
    /// New, empty databases in a folder; those of an earlier start are dropped.
    pub(crate) fn open(folder: &Path) -> Result<Store, Refusal> {
        for (name, _) in FILES {
            for tail in ["", "-wal", "-shm"] {
                match std::fs::remove_file(folder.join(format!("{name}{tail}"))) {
                    Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e.into()),
                    _ => {}
                }
            }
        }
        let writer = connect(folder)?;
        writer.execute_batch(include_str!("store/schema.sql"))?;
        Ok(Store::over(folder, writer))
    }

    /// The databases that lie in a folder.
    pub(crate) fn open_as_it_is(folder: &Path) -> Result<Store, Refusal> {
        Ok(Store::over(folder, connect(folder)?))
    }

    fn over(folder: &Path, writer: Connection) -> Store {
        Store {
            siyuan: Siyuan::default(),
            folder: folder.to_owned(),
            writer: Mutex::new(writer),
            readers: Mutex::default(),
            selectors: Mutex::default(),
            lag: Mutex::default(),
        }
    }

    /// The same store as one of a version of SiYuan.
    pub(crate) fn of(self, siyuan: Siyuan) -> Store {
        Store { siyuan, ..self }
    }

    /// Runs `f` in a transaction; a refusal rolls it back.
    pub(crate) fn write<T>(&self, f: impl FnOnce(&Db<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let mut writer = lock(&self.writer);
        self.keep_for_readers()?;
        let transaction = writer.transaction()?;
        let done = f(&Db(&transaction, self.siyuan))?;
        transaction.commit()?;
        Ok(done)
    }

    /// Runs `f` on one state of the databases, in parallel with writers.
    pub(crate) fn read<T>(&self, f: impl FnOnce(&Db<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        borrow(&self.readers, || connect(&self.folder), |connection| f(&Db(connection, self.siyuan)))
    }

    /// Makes the index lag behind writes, or stops that.
    pub(crate) fn set_lag(&self, for_so_long: Duration) {
        *lock(&self.lag) = Lag { for_so_long, before: None };
    }

    /// Ends the lag: shows the index as it is.
    pub(crate) fn settle(&self) {
        lock(&self.lag).before = None;
    }

    /// Starts or stops doubling new rows.
    pub(crate) fn set_twice(&self, twice: bool) -> Result<(), Refusal> {
        lock(&self.writer).execute("UPDATE twice SET on_ = ?1", [twice])?;
        Ok(())
    }

    /// While the index lags, keeps its state for readers that come before the next write becomes visible.
    fn keep_for_readers(&self) -> Result<(), Refusal> {
        let mut lag = lock(&self.lag);
        let shown = lag.before.as_ref().is_some_and(|before| ticks() < before.until);
        if lag.for_so_long.is_zero() || shown {
            return Ok(());
        }
        // A transaction sees each database as it was at its first read.
        let (index, both) = (open(&self.folder)?, connect(&self.folder)?);
        index.execute_batch("BEGIN; SELECT count(*) FROM (SELECT 1 FROM blocks LIMIT 1);")?;
        both.execute_batch(
            "BEGIN; SELECT count(*) FROM (SELECT 1 FROM blocks LIMIT 1);
             SELECT count(*) FROM (SELECT 1 FROM tree LIMIT 1);",
        )?;
        lag.before = Some(EarlierIndex { index, both, until: ticks() + lag.for_so_long });
        Ok(())
    }

    /// Runs `f` on the visible index, which may lag: for lists that the real kernel makes with SQL.
    pub(crate) fn read_index<T>(&self, f: impl FnOnce(&Db<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let lag = self.lag_now();
        if let Some(before) = &lag.before {
            return on_savepoint(&before.both, |connection| f(&Db(connection, self.siyuan)));
        }
        drop(lag);
        self.read(f)
    }

    /// The lag, without writes that are visible by now.
    fn lag_now(&self) -> MutexGuard<'_, Lag> {
        let mut lag = lock(&self.lag);
        lag.before.take_if(|before| ticks() >= before.until);
        lag
    }

    /// Runs `f` on the index alone and rolls back its writes.
    fn select<T>(&self, f: impl FnOnce(&Connection) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let lag = self.lag_now();
        if let Some(before) = &lag.before {
            return on_savepoint(&before.index, f);
        }
        drop(lag);
        borrow(&self.selectors, || open(&self.folder), f)
    }
}

/// Runs `f` and rolls back its writes.
fn on_savepoint<T>(
    connection: &Connection,
    f: impl FnOnce(&Connection) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    connection.execute_batch("SAVEPOINT one")?;
    let done = f(connection);
    connection.execute_batch("ROLLBACK TO one; RELEASE one")?;
    done
}

/// Runs `f` in a transaction on an idle connection or a new one, and rolls back its writes.
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
    // A panic in one request must not end all others; the transaction it held was rolled back.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A connection to the index.
fn open(folder: &Path) -> Result<Connection, Refusal> {
    let connection = Connection::open(folder.join("index.db"))?;
    connection.busy_timeout(Duration::from_secs(10))?;
    select::add_functions(&connection)?;
    // The data does not outlive the process, so there is no need to wait for the disk.
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
