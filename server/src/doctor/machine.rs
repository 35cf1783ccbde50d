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
use crate::words::{AboutWords, DoctorWords};
use crate::{folders, http, serving, watchdog};

/// The longest wait for a server on this machine.
const PATIENCE: Duration = Duration::from_secs(1);
/// The last days of a certificate, in which a person is warned.
const LAST: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The record of a server, as the window that started it wrote it.
#[derive(Debug, Deserialize)]
struct WindowRecord {
    pid: u32,
    /// The process of the window.
    parent: Option<u32>,
    url: String,
    version: String,
}

/// Looks at this machine; the settings of the server are `None` if they cannot be read, and the address of SiYuan if it is
/// not known.
pub(super) async fn look(settings: Option<HttpSettings>, siyuan: Option<&str>) -> Vec<Finding> {
    let (own_folder, words) = (AboutWords::here().own_folder(), DoctorWords::here());
    let mut findings = Vec::new();
    let Some(folder) = folders::data() else {
        return vec![Finding::note(own_folder, words.no_home(), words.set_home())];
    };
    let running: Vec<WindowRecord> =
        records(&folder.join("run")).into_iter().filter(|it| watchdog::is_running(it.pid)).collect();
    for (at, record) in running.iter().enumerate() {
        let is_second = running.iter().take(at).any(|it| it.pid == record.pid || it.url == record.url);
        findings.push(if is_second { second(record) } else { server(record).await });
    }
    if running.is_empty() {
        findings.push(match &settings {
            Some(settings) => port(settings.port(), siyuan),
            None => unknown_port(siyuan),
        });
    }
    findings.extend(certificate(&folder, settings.is_some_and(|it| it.is_encrypted())));
    if folder.is_dir() && tempfile::tempfile_in(&folder).is_err() {
        let says = words.not_writable(folders::shown(&folder));
        findings.push(Finding::bad(own_folder, says, words.make_writable()));
    }
    findings
}

fn records(folder: &Path) -> Vec<WindowRecord> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let records = files.filter(|it| it.extension().is_some_and(|it| it == "json"));
    records.filter_map(|it| serde_json::from_slice(&std::fs::read(it).ok()?).ok()).collect()
}

/// A server whose process runs.
async fn server(record: &WindowRecord) -> Finding {
    let own = env!("CARGO_PKG_VERSION");
    let (url, version) = (visible::shown(&record.url), visible::shown(&record.version));
    let (about, words) = (AboutWords::here().server(), DoctorWords::here());
    if record.url.is_empty() {
        return Finding::note(about, words.server_starting(), "");
    }
    if !answers(&record.url).await {
        return Finding::bad(about, words.server_silent(record.pid, url), words.server_restart());
    }
    let says = words.server_listens(version, url, record.pid);
    if record.parent.is_some_and(|it| !watchdog::is_running(it)) {
        return Finding::bad(about, words.server_alone(says), words.server_end(record.pid));
    }
    if record.version == own {
        Finding::good(about, says)
    } else {
        Finding::note(about, says, words.server_restart())
    }
}

/// A further record of a server that another record names, so that one of two workspaces has none.
fn second(record: &WindowRecord) -> Finding {
    let url = visible::shown(&record.url);
    let words = DoctorWords::here();
    Finding::bad(AboutWords::here().server(), words.server_shared(url, record.pid), words.server_shared_fix())
}

/// Whether something listens at an address.
async fn answers(url: &str) -> bool {
    let Ok(uri) = url.parse::<Uri>() else { return false };
    let (Some(host), Some(port)) = (uri.host(), uri.port_u16()) else { return false };
    let host = host.trim_matches(['[', ']']).to_owned();
    matches!(tokio::time::timeout(PATIENCE, TcpStream::connect((host, port))).await, Ok(Ok(_)))
}

/// The port of a server that no window started: free, or held by one that a person started.
fn port(port: u16, siyuan: Option<&str>) -> Finding {
    let (about, words) = (AboutWords::here().server(), DoctorWords::here());
    if reserve(port).is_some() {
        return Finding::good(about, words.port_free(port));
    }
    if let Some(own) = listening(port, siyuan) {
        return own;
    }
    let says = match ports::holder(port) {
        Some(Holder { pid, name }) => words.port_taken(port, visible::shown(&name), pid),
        None => words.port_unusable(port),
    };
    Finding::bad(about, says, words.port_fix())
}

/// The server if its settings cannot be read: it may use any port, and the default one is tried.
fn unknown_port(siyuan: Option<&str>) -> Finding {
    listening(PORT, siyuan).unwrap_or_else(|| {
        Finding::note(AboutWords::here().server(), DoctorWords::here().port_unknown(PORT), "")
    })
}

/// A server of this program that listens at a port, for this SiYuan or another one.
fn listening(port: u16, siyuan: Option<&str>) -> Option<Finding> {
    let Holder { pid, .. } = ports::holder(port).filter(|it| it.name.starts_with("siyuan-puppy"))?;
    let (about, words) = (AboutWords::here().server(), DoctorWords::here());
    let Some(served) = serving::siyuan_of(port, pid) else {
        return Some(Finding::good(about, words.port_listening(port, pid)));
    };
    let shown = visible::shown(&served);
    Some(match siyuan {
        Some(own) if !serving::is_same(own, &served) => {
            Finding::note(about, words.port_elsewhere(port, pid, shown), words.port_elsewhere_fix())
        }
        _ => Finding::good(about, words.port_serving(port, pid, shown)),
    })
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
    let (about, words) = (AboutWords::here().certificate(), DoctorWords::here());
    let until = http::local_until(folder).filter(|_| is_used)?;
    let fix = words.certificate_fix();
    Some(match until {
        Err(why) => Finding::bad(about, why, fix),
        Ok(until) => {
            let day = chrono::DateTime::<chrono::Local>::from(until).format("%Y-%m-%d");
            match until.duration_since(SystemTime::now()) {
                Err(_) => Finding::bad(about, words.certificate_over(day), fix),
                Ok(left) if left < LAST => Finding::note(about, words.certificate_until(day), fix),
                Ok(_) => Finding::good(about, words.certificate_until(day)),
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
        let record = |url: &str, version: &str| WindowRecord {
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
        assert!(matches!(port(taken, None).state, State::Bad(_)));
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
