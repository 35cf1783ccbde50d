//! Finds the kernel's address: a flag, the environment, the running kernels of this machine, the usual port (B-094).

use std::path::PathBuf;

use axum::http::Uri;
use puppy_core::visible;
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::words::FileWords;
use crate::{ports, watchdog};

/// The default address of SiYuan.
const USUAL: &str = "http://127.0.0.1:6806";
/// The port of [`USUAL`]; among several running kernels the one on this port wins.
const USUAL_PORT: u16 = 6806;

/// The source of the kernel's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A person named it.
    Given(String),
    /// Found on this machine; looked up again whenever nothing listens there.
    Found,
}

impl Address {
    /// Takes the flag, then `SIYUAN_API_URL`, and otherwise looks for a kernel.
    ///
    /// # Errors
    /// Returns a sentence for the user if the address cannot be called.
    pub fn new(flag: Option<&str>, environment: Option<&str>) -> Result<Address, String> {
        let given = [flag, environment].into_iter().flatten().map(str::trim).find(|it| !it.is_empty());
        given.map_or(Ok(Address::Found), Address::given)
    }

    /// Takes an address that a person wrote.
    ///
    /// # Errors
    /// Returns a sentence for the user if the address cannot be called.
    pub(crate) fn given(text: &str) -> Result<Address, String> {
        let text = text.trim();
        if parsed(text).is_none_or(|it| it.query().is_some()) {
            return Err(FileWords::here().bad_address().to_owned());
        }
        Ok(Address::Given(text.trim_end_matches('/').to_owned()))
    }

    /// Whether traffic to this address is encrypted. Traffic within this machine is not: nobody can listen in.
    pub(crate) fn is_encrypted(&self) -> bool {
        matches!(self, Address::Given(url) if url.starts_with("https://"))
    }

    /// Like `url`, without holding up its thread: asking the operating system about ports takes tens of milliseconds.
    pub(crate) async fn search(&self) -> String {
        let address = self.clone();
        spawn_blocking(move || address.url()).await.unwrap_or_else(|_| USUAL.to_owned())
    }

    /// The address to call now, without a slash at the end.
    pub fn url(&self) -> String {
        match self {
            Address::Given(url) => url.clone(),
            Address::Found => found().into_iter().next().unwrap_or_else(|| USUAL.to_owned()),
        }
    }
}

/// An address for people: without the name and password that it may hold, and with hidden characters shown.
pub(crate) fn shown(url: &str) -> String {
    let bare = url.split_once("://").map(|(scheme, rest)| {
        let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        format!("{scheme}://{}{path}", host.rsplit('@').next().unwrap_or_default())
    });
    visible::shown(bare.as_deref().unwrap_or(url)).into_owned()
}

/// The parts of an address that can be called.
pub(crate) fn parsed(url: &str) -> Option<Uri> {
    let has_scheme = ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme));
    let uri: Uri = url.parse().ok().filter(|_| has_scheme && !url.contains('#'))?;
    uri.host().is_some_and(|it| !it.is_empty()).then_some(uri)
}

/// Whether an address holds the name or the password of a person.
pub(crate) fn names_a_person(url: &str) -> bool {
    parsed(url.trim()).is_some_and(|it| it.authority().is_some_and(|it| it.as_str().contains('@')))
}

/// The addresses of the kernels that run on this machine; the first is the one that is called.
///
/// The id of a kernel that has ended may be another process by now, which must not get the kernel's token: a kernel is
/// the process that holds its port.
pub(crate) fn found() -> Vec<String> {
    let is_kernel = |pid: u32, port: u16| watchdog::is_running(pid) && ports::is_held_by(port, pid);
    let ports = running(&port_file().unwrap_or_default(), is_kernel);
    ports.into_iter().map(|port| format!("http://127.0.0.1:{port}")).collect()
}

/// The content of the file in which running kernels record their ports.
fn port_file() -> Option<Vec<u8>> {
    let home: PathBuf = std::env::home_dir()?;
    std::fs::read(home.join(".config").join("siyuan").join("port.json")).ok()
}

/// The ports of running kernels, from a file that maps process ids to ports.
fn running(file: &[u8], is_kernel: impl Fn(u32, u16) -> bool) -> Vec<u16> {
    let Ok(Value::Object(map)) = serde_json::from_slice(file) else { return Vec::new() };
    let port_of = |port: &Value| -> Option<u16> {
        port.as_str().map_or_else(|| port.as_u64()?.try_into().ok(), |it| it.parse().ok())
    };
    let mut ports: Vec<u16> = map
        .iter()
        .filter_map(|(pid, port)| Some((pid.parse().ok()?, port_of(port)?)))
        .filter(|(pid, port)| is_kernel(*pid, *port))
        .map(|(_, port)| port)
        .collect();
    ports.sort_unstable_by_key(|port| (*port != USUAL_PORT, *port));
    ports.dedup();
    ports
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-094: the flag wins over the environment; a wrong address is reported before anything is sent.
    #[test]
    fn flag_wins_over_the_environment() {
        let both = Address::new(Some("http://127.0.0.1:1/"), Some("http://127.0.0.1:2"));
        assert_eq!(both, Ok(Address::Given("http://127.0.0.1:1".to_owned())));
        let environment = Address::new(None, Some(" http://127.0.0.1:2 "));
        assert_eq!(environment, Ok(Address::Given("http://127.0.0.1:2".to_owned())));
        assert_eq!(Address::new(None, Some("")), Ok(Address::Found));
        for wrong in
            ["127.0.0.1:6806", "http://", "http://:1", "http://a b", "ftp://a", "http://a/?q", "http://a#b"]
        {
            assert!(Address::new(Some(wrong), None).is_err(), "{wrong}");
        }
        assert!(Address::given("").is_err());
        assert!(Address::new(Some("https://127.0.0.1:6806"), None).unwrap().is_encrypted());
    }

    #[test]
    fn addresses_are_shown_without_a_password() {
        assert_eq!(shown("http://127.0.0.1:6806"), "http://127.0.0.1:6806");
        assert_eq!(shown("https://ana:secret@notes.example/x@y"), "https://notes.example/x@y");
        assert_eq!(shown("https://ana:secret@notes.example?x@y"), "https://notes.example?x@y");
        assert_eq!(shown("http://a\u{1b}[2J"), "http://a⟨U+001B⟩[2J");
        assert!(
            names_a_person("http://ana@h")
                && names_a_person("http://:pw@h")
                && !names_a_person("http://h/a@b")
        );
    }

    /// B-094: a kernel that has ended is skipped; among several the usual one wins.
    #[test]
    fn discovery_skips_ended_kernels() {
        let file = br#"{"10": "6806", "11": "40001", "12": 40002, "x": "1"}"#;
        assert_eq!(running(file, |_, _| true), [6806, 40001, 40002]);
        assert_eq!(running(file, |pid, _| pid != 10), [40001, 40002]);
        assert_eq!(running(file, |_, port| port == 40002), [40002]);
        assert_eq!(running(file, |_, _| false), Vec::<u16>::new());
        assert_eq!(running(b"{torn", |_, _| true), Vec::<u16>::new());
    }
}
