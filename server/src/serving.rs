//! The record of a running HTTP server: its process and the SiYuan that it serves, for `status` and `doctor`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::folders;

/// The record of a server.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    pid: u32,
    /// The address of SiYuan.
    siyuan: String,
}

/// A record that is removed with its server.
#[derive(Debug)]
pub(crate) struct Noted {
    file: PathBuf,
    record: Record,
}

impl Drop for Noted {
    fn drop(&mut self) {
        // Another server may have the port by now.
        if read(&self.file).as_ref() == Some(&self.record) {
            let _ = std::fs::remove_file(&self.file);
        }
        // The last server takes the empty folder along.
        if let Some(folder) = self.file.parent() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Notes which SiYuan the server at a port serves. Nothing depends on it, so it may fail.
pub(crate) fn note(port: u16, siyuan: String) -> Option<Noted> {
    let file = file(port)?;
    let record = Record { pid: std::process::id(), siyuan };
    std::fs::create_dir_all(file.parent()?).ok()?;
    std::fs::write(&file, serde_json::to_vec(&record).ok()?).ok()?;
    Some(Noted { file, record })
}

/// The address of the SiYuan that a process serves at a port.
pub(crate) fn siyuan_of(port: u16, pid: u32) -> Option<String> {
    read(&file(port)?).filter(|it| it.pid == pid).map(|it| it.siyuan)
}

/// Whether two addresses lead to one SiYuan.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let plain = |it: &str| it.trim_end_matches('/').replace("//localhost:", "//127.0.0.1:");
    plain(one) == plain(other)
}

fn file(port: u16) -> Option<PathBuf> {
    Some(folders::data()?.join("serving").join(format!("{port}.json")))
}

fn read(file: &PathBuf) -> Option<Record> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_are_the_same() {
        assert!(is_same("http://localhost:6806", "http://127.0.0.1:6806/"));
        assert!(!is_same("http://127.0.0.1:6806", "http://127.0.0.1:7810"));
    }

    /// A server removes its own record, and not that of a later one at its port.
    #[test]
    fn a_record_goes_with_its_server() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("1.json");
        let record = |siyuan: &str| Record { pid: 1, siyuan: siyuan.to_owned() };
        for (stored, stays) in [("http://a", false), ("http://b", true)] {
            std::fs::write(&file, serde_json::to_vec(&record(stored)).unwrap()).unwrap();
            drop(Noted { file: file.clone(), record: record("http://a") });
            assert_eq!(file.exists(), stays, "{stored}");
            assert_eq!(folder.path().exists(), stays, "the last one takes the folder along");
            std::fs::create_dir_all(folder.path()).unwrap();
        }
    }
}
