//! This machine: the servers that SiYuan's windows started, the port, the certificate, our own folder.

use std::net::IpAddr;
use std::path::Path;
use std::time::{Duration, SystemTime};

use axum::http::Uri;
use puppy_core::config::HttpSettings;
use puppy_core::render::visible;
use serde::Deserialize;
use tokio::net::TcpStream;

use super::Finding;
use crate::ports::{self, Holder};
use crate::{folders, http, watchdog};

const SERVER: &str = "HTTP server";
/// The longest wait for a server on this machine.
const PATIENCE: Duration = Duration::from_secs(1);
/// The last days of a certificate, of which a person is told.
const LAST: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The record of a server, as the window that started it wrote it.
#[derive(Debug, Deserialize)]
struct Record {
    pid: u32,
    /// The process of the window.
    parent: Option<u32>,
    url: String,
    version: String,
}

pub(super) async fn look(settings: HttpSettings) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(folder) = folders::data() else {
        let says = "This user has no home folder, so nothing can be kept on this machine.";
        return vec![Finding::note("own folder", says, "Set HOME.")];
    };
    let running: Vec<Record> =
        records(&folder.join("run")).into_iter().filter(|it| watchdog::is_running(it.pid)).collect();
    for (at, record) in running.iter().enumerate() {
        let is_second = running.iter().take(at).any(|it| it.pid == record.pid || it.url == record.url);
        findings.push(if is_second { second(record) } else { server(record).await });
    }
    if running.is_empty() {
        findings.push(port(settings.port()).await);
    }
    findings.extend(certificate(&folder, settings.is_encrypted()));
    if folder.is_dir() && tempfile::tempfile_in(&folder).is_err() {
        let says = format!("{} cannot be written.", folders::shown(&folder));
        findings.push(Finding::bad("own folder", says, "Let this user write into it."));
    }
    findings
}

fn records(folder: &Path) -> Vec<Record> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let records = files.filter(|it| it.extension().is_some_and(|it| it == "json"));
    records.filter_map(|it| serde_json::from_slice(&std::fs::read(it).ok()?).ok()).collect()
}

/// A server whose process runs.
async fn server(record: &Record) -> Finding {
    let own = env!("CARGO_PKG_VERSION");
    let (url, version) = (visible::shown(&record.url), visible::shown(&record.version));
    let again = "Start it again in SiYuan: the settings of the plugin, Connection.";
    if record.url.is_empty() {
        return Finding::note(SERVER, "A window of SiYuan is starting it.", "");
    }
    if !answers(&record.url).await {
        let says = format!("Its process {} runs, and does not answer at {url}.", record.pid);
        return Finding::bad(SERVER, says, again);
    }
    let says = format!("Version {version} listens at {url} (process {}).", record.pid);
    if record.parent.is_some_and(|it| !watchdog::is_running(it)) {
        let mend = format!("End process {}: it outlived its window, and nobody ends it.", record.pid);
        return Finding::bad(SERVER, format!("{says} The window of SiYuan that started it is gone."), mend);
    }
    if record.version == own { Finding::good(SERVER, says) } else { Finding::note(SERVER, says, again) }
}

/// A further record of a server that another record names, so that one of two workspaces has none.
fn second(record: &Record) -> Finding {
    let url = visible::shown(&record.url);
    let says = format!("Two workspaces name one server, {url} (process {}).", record.pid);
    let mend = "Start the server again in both workspaces, each with a port of its own: the settings of the plugin, Connection.";
    Finding::bad(SERVER, says, mend)
}

/// Whether something listens at an address.
async fn answers(url: &str) -> bool {
    let Ok(uri) = url.parse::<Uri>() else { return false };
    let (Some(host), Some(port)) = (uri.host(), uri.port_u16()) else { return false };
    let host = host.trim_matches(['[', ']']).to_owned();
    matches!(tokio::time::timeout(PATIENCE, TcpStream::connect((host, port))).await, Ok(Ok(_)))
}

/// The port of a server that no window started: free, or held by one that a person started.
async fn port(port: u16) -> Finding {
    if http::listen(IpAddr::from([127, 0, 0, 1]), port).await.is_ok() {
        return Finding::good(SERVER, format!("None runs, and port {port} is free."));
    }
    let mend = "Stop that one, or choose another port in SiYuan: the settings of the plugin, Connection.";
    match ports::holder(port) {
        Some(Holder { pid, name }) if name.starts_with("siyuan-puppy") => {
            Finding::good(SERVER, format!("One listens at port {port} (process {pid})."))
        }
        Some(Holder { pid, name }) => {
            let name = visible::shown(&name);
            Finding::bad(SERVER, format!("Its port {port} is taken by {name} (process {pid})."), mend)
        }
        None => Finding::bad(SERVER, format!("Its port {port} cannot be had."), mend),
    }
}

/// The certificate that was made here, if there is one and the server uses it.
fn certificate(folder: &Path, is_used: bool) -> Option<Finding> {
    const ABOUT: &str = "certificate";
    let until = http::local_until(folder).filter(|_| is_used)?;
    let mend = "Start the server again, which makes a new one, and let clients trust it.";
    Some(match until {
        Err(why) => Finding::bad(ABOUT, why, mend),
        Ok(until) => {
            let day = chrono::DateTime::<chrono::Local>::from(until).format("%Y-%m-%d");
            let says = format!("It is valid until {day}.");
            match until.duration_since(SystemTime::now()) {
                Err(_) => Finding::bad(ABOUT, format!("It was valid until {day}."), mend),
                Ok(left) if left < LAST => Finding::note(ABOUT, says, mend),
                Ok(_) => Finding::good(ABOUT, says),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::State;

    /// B-103: a server is what its process and its address say; torn records and ended processes are none.
    #[tokio::test]
    async fn servers_are_judged_by_process_and_address() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let record = |url: &str, version: &str| Record {
            pid: 1,
            parent: None,
            url: url.to_owned(),
            version: version.to_owned(),
        };
        let state = async |url: &str, version: &str| server(&record(url, version)).await.state;
        assert_eq!(state(&url, env!("CARGO_PKG_VERSION")).await, State::Good);
        assert_eq!(state(&url, "0.0.1").await, State::Note);
        assert_eq!(state("", "0.0.1").await, State::Note);
        assert!(matches!(state("http://127.0.0.1:9/mcp", "0.0.1").await, State::Bad(_)));
        assert!(matches!(state("nowhere", "0.0.1").await, State::Bad(_)));
        let taken = listener.local_addr().unwrap().port();
        assert!(matches!(port(taken).await.state, State::Bad(_)));
        drop(listener);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.json"), r#"{"pid":1,"url":"x","version":"1","made":"m"}"#)
            .unwrap();
        std::fs::write(folder.path().join("b.json"), "{torn").unwrap();
        std::fs::write(folder.path().join("a.log"), "{}").unwrap();
        assert_eq!(records(folder.path()).len(), 1);
        assert!(records(&folder.path().join("none")).is_empty());
    }
}
