//! Finds the kernel's address: a flag, the environment, the running kernels of this machine, the usual port (B-094).

use std::path::PathBuf;

use serde_json::Value;

use crate::watchdog;

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
        let Some(given) = given else { return Ok(Address::Found) };
        if !["http://", "https://"].iter().any(|scheme| given.starts_with(scheme)) {
            return Err("The address of SiYuan must start with http:// or https://, such as \
                http://127.0.0.1:6806."
                .to_owned());
        }
        Ok(Address::Given(given.trim_end_matches('/').to_owned()))
    }

    /// Whether traffic to this address is encrypted. Traffic within this machine is not: nobody can listen in.
    pub(crate) fn is_encrypted(&self) -> bool {
        matches!(self, Address::Given(url) if url.starts_with("https://"))
    }

    /// The address to call now, without a slash at the end.
    pub fn url(&self) -> String {
        match self {
            Address::Given(url) => url.clone(),
            Address::Found => found().into_iter().next().unwrap_or_else(|| USUAL.to_owned()),
        }
    }
}

/// The addresses of the kernels that run on this machine; the first is the one that is called.
pub(crate) fn found() -> Vec<String> {
    let ports = running(&port_file().unwrap_or_default(), watchdog::is_running);
    ports.into_iter().map(|port| format!("http://127.0.0.1:{port}")).collect()
}

/// The content of the file in which running kernels record their ports.
fn port_file() -> Option<Vec<u8>> {
    let home: PathBuf = std::env::home_dir()?;
    std::fs::read(home.join(".config").join("siyuan").join("port.json")).ok()
}

/// The ports of running kernels, from a file that maps process ids to ports.
fn running(file: &[u8], is_running: impl Fn(u32) -> bool) -> Vec<u16> {
    let Ok(Value::Object(map)) = serde_json::from_slice(file) else { return Vec::new() };
    let mut ports: Vec<u16> = map
        .iter()
        .filter(|(pid, _)| pid.parse().is_ok_and(&is_running))
        .filter_map(|(_, port)| {
            port.as_str().map_or_else(|| port.as_u64()?.try_into().ok(), |it| it.parse().ok())
        })
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
        assert!(Address::new(Some("127.0.0.1:6806"), None).is_err());
        assert!(Address::new(Some("https://127.0.0.1:6806"), None).unwrap().is_encrypted());
    }

    /// B-094: a kernel that has ended is skipped; among several the usual one wins.
    #[test]
    fn discovery_skips_ended_kernels() {
        let file = br#"{"10": "6806", "11": "40001", "12": 40002, "x": "1"}"#;
        assert_eq!(running(file, |_| true), [6806, 40001, 40002]);
        assert_eq!(running(file, |pid| pid != 10), [40001, 40002]);
        assert_eq!(running(file, |pid| pid == 12), [40002]);
        assert_eq!(running(file, |_| false), Vec::<u16>::new());
        assert_eq!(running(b"{torn", |_| true), Vec::<u16>::new());
    }
}
