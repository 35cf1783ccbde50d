//! This machine: the servers that SiYuan's windows started, the port, the certificate, our own folder.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, SystemTime};

use axum::http::Uri;
use puppy_core::config::{HttpSettings, PORT};
use puppy_core::visible;
use serde::Deserialize;
use tokio::net::{TcpSocket, TcpStream};

use super::Finding;
use crate::ports::{self, Holder};
use crate::{folders, http, watchdog};

pub(super) const SERVER: &str = "HTTP server";
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

/// Looks at this machine; the settings of the server are `None` if they cannot be read.
pub(super) async fn look(settings: Option<HttpSettings>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(folder) = folders::data() else {
        let says = "This user has no home folder, so nothing can be stored on this machine.";
        return vec![Finding::note("own folder", says, "Set HOME.")];
    };
    let running: Vec<Record> =
        records(&folder.join("run")).into_iter().filter(|it| watchdog::is_running(it.pid)).collect();
    for (at, record) in running.iter().enumerate() {
        let is_second = running.iter().take(at).any(|it| it.pid == record.pid || it.url == record.url);
        findings.push(if is_second { second(record) } else { server(record).await });
    }
    if running.is_empty() {
        findings.push(match &settings {
            Some(settings) => port(settings.port()),
            None => unknown_port(),
        });
    }
    findings.extend(certificate(&folder, settings.is_some_and(|it| it.is_encrypted())));
    if folder.is_dir() && tempfile::tempfile_in(&folder).is_err() {
        let says = format!("{} is not writable.", folders::shown(&folder));
        findings.push(Finding::bad("own folder", says, "Give this user write access to it."));
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
    let again = "Restart it in SiYuan: MCP Puppy, Connection.";
    if record.url.is_empty() {
        return Finding::note(SERVER, "A SiYuan window is starting it.", "");
    }
    if !answers(&record.url).await {
        let says = format!("Its process {} is running but does not answer at {url}.", record.pid);
        return Finding::bad(SERVER, says, again);
    }
    let says = format!("Version {version} listens at {url} (process {}).", record.pid);
    if record.parent.is_some_and(|it| !watchdog::is_running(it)) {
        let fix = format!("End process {}, because nothing else will stop it.", record.pid);
        return Finding::bad(SERVER, format!("{says} The SiYuan window that started it is closed."), fix);
    }
    if record.version == own { Finding::good(SERVER, says) } else { Finding::note(SERVER, says, again) }
}

/// A further record of a server that another record names, so that one of two workspaces has none.
fn second(record: &Record) -> Finding {
    let url = visible::shown(&record.url);
    let says = format!("Two workspaces use one server, {url} (process {}).", record.pid);
    let fix = "Restart the server in both workspaces, each on its own port: MCP Puppy, Connection.";
    Finding::bad(SERVER, says, fix)
}

/// Whether something listens at an address.
async fn answers(url: &str) -> bool {
    let Ok(uri) = url.parse::<Uri>() else { return false };
    let (Some(host), Some(port)) = (uri.host(), uri.port_u16()) else { return false };
    let host = host.trim_matches(['[', ']']).to_owned();
    matches!(tokio::time::timeout(PATIENCE, TcpStream::connect((host, port))).await, Ok(Ok(_)))
}

/// The port of a server that no window started: free, or held by one that a person started.
fn port(port: u16) -> Finding {
    if reserve(port).is_some() {
        return Finding::good(SERVER, format!("No SiYuan window runs a server. Port {port} is free."));
    }
    if let Some(own) = listening(port) {
        return own;
    }
    let fix = "Stop that program, or choose another port in SiYuan: MCP Puppy, Connection.";
    match ports::holder(port) {
        Some(Holder { pid, name }) => {
            let name = visible::shown(&name);
            Finding::bad(SERVER, format!("Port {port} is taken by {name} (process {pid})."), fix)
        }
        None => Finding::bad(SERVER, format!("Port {port} is not available."), fix),
    }
}

/// The server if its settings cannot be read: it may use any port, and the default one is tried.
fn unknown_port() -> Finding {
    listening(PORT).unwrap_or_else(|| {
        let says = format!("No SiYuan window runs a server. Its port could not be read (default: {PORT}).");
        Finding::note(SERVER, says, "")
    })
}

/// A server of this program that listens at a port.
fn listening(port: u16) -> Option<Finding> {
    let Holder { pid, .. } = ports::holder(port).filter(|it| it.name.starts_with("siyuan-puppy"))?;
    Some(Finding::good(SERVER, format!("Listening on port {port} (process {pid}).")))
}

/// Binds a port without listening, so that it blocks neither a server nor another check. `None` if the port is taken.
fn reserve(port: u16) -> Option<TcpSocket> {
    let socket = TcpSocket::new_v4().ok()?;
    // On Windows it would share the port of another program.
    if !cfg!(windows) {
        socket.set_reuseaddr(true).ok()?;
    }
    socket.bind(SocketAddr::from(([127, 0, 0, 1], port))).ok()?;
    Some(socket)
}

/// The certificate that was made here, if there is one and the server uses it.
fn certificate(folder: &Path, is_used: bool) -> Option<Finding> {
    const ABOUT: &str = "certificate";
    let until = http::local_until(folder).filter(|_| is_used)?;
    let fix = "Restart the server, which creates a new certificate. Then make clients trust it.";
    Some(match until {
        Err(why) => Finding::bad(ABOUT, why, fix),
        Ok(until) => {
            let day = chrono::DateTime::<chrono::Local>::from(until).format("%Y-%m-%d");
            let says = format!("It expires on {day}.");
            match until.duration_since(SystemTime::now()) {
                Err(_) => Finding::bad(ABOUT, format!("It expired on {day}."), fix),
                Ok(left) if left < LAST => Finding::note(ABOUT, says, fix),
                Ok(_) => Finding::good(ABOUT, says),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::State;
    use tokio::net::TcpListener;

    /// B-103: a server is what its process and its address say; torn records and ended processes are none.
    #[tokio::test]
    async fn servers_are_judged_by_process_and_address() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
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
        assert!(matches!(port(taken).state, State::Bad(_)));
        drop(listener);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.json"), r#"{"pid":1,"url":"x","version":"1","made":"m"}"#)
            .unwrap();
        std::fs::write(folder.path().join("b.json"), "{torn").unwrap();
        std::fs::write(folder.path().join("a.log"), "{}").unwrap();
        assert_eq!(records(folder.path()).len(), 1);
        assert!(records(&folder.path().join("none")).is_empty());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn checks_of_a_port_are_not_in_the_way() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        assert!(reserve(port).is_none());
        drop(listener);
        let first = reserve(port).unwrap();
        assert!(reserve(port).is_some());
        assert!(TcpListener::bind(("127.0.0.1", port)).await.is_ok());
        drop(first);
    }
}
