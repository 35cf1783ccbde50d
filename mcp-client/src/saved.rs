//! The servers that a person keeps: own sidecar first, then others by address, as they lie in the plugin's storage.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::limits::Limits;

/// The name in the file under which the limits lie; no server has it.
pub const LIMITS: &str = "limits";
/// The least length of a secret whose last characters are shown.
const LONG: usize = 12;
/// The number of its characters that are shown.
const TAIL: usize = 4;

/// A server that a person keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedServer {
    /// The name, which no other has.
    pub name: String,
    /// The address.
    pub url: String,
    /// The headers; their values are secrets.
    pub headers: Vec<SecretHeader>,
    /// Whether it is connected when the playground opens.
    pub enabled: bool,
    /// Whether requests go through the kernel, because the server does not admit pages.
    pub through_kernel: bool,
}

/// A header whose value is shown masked.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretHeader {
    /// The name.
    pub name: String,
    value: String,
}

impl SecretHeader {
    /// A header.
    #[must_use]
    pub fn new(name: &str, value: &str) -> SecretHeader {
        SecretHeader { name: name.to_owned(), value: value.to_owned() }
    }

    /// The value, for requests and for the storage only.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.value
    }

    /// Dots, and the last characters of a value that is long enough.
    #[must_use]
    pub fn masked(&self) -> String {
        let count = self.value.chars().count();
        let shown = if count < LONG { 0 } else { TAIL };
        let tail: String = self.value.chars().skip(count - shown).collect();
        format!("••••••••{tail}")
    }
}

impl std::fmt::Debug for SecretHeader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ••••", self.name)
    }
}

/// A server in the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredServer {
    url: String,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    headers: Map<String, Value>,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    through_kernel: bool,
}

fn yes() -> bool {
    true
}

/// The file: an object from name to server, with the limits under a name of their own. Its texts may be secrets.
///
/// Another window, another device or a later version may have written it, so what is not changed stays, entries and
/// keys that make no sense here included.
#[derive(Clone, Default, PartialEq)]
pub struct File(Map<String, Value>);

impl File {
    /// Reads the file; `None` if it is no object.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<File> {
        serde_json::from_slice(bytes).ok().map(File)
    }

    /// The text of the file.
    #[must_use]
    pub fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// The servers. Entries that cannot be read are left out.
    #[must_use]
    pub fn servers(&self) -> Vec<SavedServer> {
        let read = self.0.iter().filter_map(|(name, entry)| {
            let stored: StoredServer =
                serde_json::from_value(entry.clone()).ok().filter(|_| name != LIMITS)?;
            let header = |(name, value): (String, Value)| {
                Some(SecretHeader { name, value: value.as_str()?.to_owned() })
            };
            Some(SavedServer {
                name: name.clone(),
                url: stored.url,
                headers: stored.headers.into_iter().filter_map(header).collect(),
                enabled: stored.enabled,
                through_kernel: stored.through_kernel,
            })
        });
        read.collect()
    }

    /// The limits of connections.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.0.get(LIMITS).map(Limits::read).unwrap_or_default()
    }

    /// Changes the limits of connections.
    pub fn set_limits(&mut self, limits: Limits) {
        let mut entry = self.object(LIMITS);
        limits.write(&mut entry);
        self.0.insert(LIMITS.to_owned(), Value::Object(entry));
    }

    /// Keeps servers in the place of another, or as new ones.
    pub fn keep(&mut self, before: Option<&str>, fresh: &[SavedServer]) {
        let earlier = before.map(|name| self.object(name)).unwrap_or_default();
        let fresh: Vec<(String, Value)> =
            fresh.iter().map(|it| (it.name.clone(), it.written(earlier.clone()))).collect();
        let mut kept = Map::new();
        for (name, entry) in std::mem::take(&mut self.0) {
            if before == Some(name.as_str()) {
                kept.extend(fresh.clone());
            } else {
                kept.insert(name, entry);
            }
        }
        // Those that had no place come last.
        kept.extend(fresh);
        self.0 = kept;
    }

    /// Changes whether a server is connected when the playground opens.
    pub fn enable(&mut self, name: &str, is: bool) {
        if let Some(Value::Object(entry)) = self.0.get_mut(name) {
            entry.insert("enabled".to_owned(), is.into());
        }
    }

    /// Forgets a server.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|own, _| own != name);
    }

    fn object(&self, name: &str) -> Map<String, Value> {
        self.0.get(name).and_then(Value::as_object).cloned().unwrap_or_default()
    }
}

impl SavedServer {
    /// Its entry, written over an earlier one.
    fn written(&self, earlier: Map<String, Value>) -> Value {
        let stored = StoredServer {
            url: self.url.clone(),
            headers: self.headers.iter().map(|it| (it.name.clone(), it.value.as_str().into())).collect(),
            enabled: self.enabled,
            through_kernel: self.through_kernel,
        };
        let mut entry = earlier;
        // Optional settings that are not written now no longer apply.
        entry.retain(|key, _| !["headers", "throughKernel"].contains(&key.as_str()));
        if let Ok(Value::Object(stored)) = serde_json::to_value(stored) {
            entry.extend(stored);
        }
        Value::Object(entry)
    }
}

/// The list as it is shown: the own sidecar, then the others, without one that has its name.
#[must_use]
pub fn listed(own: SavedServer, others: Vec<SavedServer>) -> Vec<SavedServer> {
    let name = own.name.clone();
    std::iter::once(own).chain(others.into_iter().filter(|it| it.name != name)).collect()
}

/// A text of a client's configuration: the servers that a page can reach, and the names of those that it cannot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PastedServers {
    /// The servers, under names that are free.
    pub servers: Vec<SavedServer>,
    /// The names of servers that are programs: a page starts none.
    pub programs: Vec<String>,
    /// The names of entries with neither an address nor a program.
    pub unreadable: Vec<String>,
}

/// Reads a pasted `mcpServers`, in the shapes of the known clients; `None` if it is no such text.
///
/// A name that is taken gets a number. A header that refers to an environment variable cannot be resolved in a page and
/// stays as it is, to be filled in.
#[must_use]
pub fn paste(text: &str, known: &[SavedServer]) -> Option<PastedServers> {
    let Value::Object(mut all) = serde_json::from_str(text.trim()).ok()? else { return None };
    let inner = ["mcpServers", "servers", "mcp"].into_iter().find_map(|key| all.remove(key));
    let entries = match inner {
        Some(Value::Object(mut entries)) => match entries.remove("servers") {
            Some(Value::Object(deeper)) => deeper,
            Some(_) | None => entries,
        },
        Some(_) => return None,
        None => all,
    };
    let mut pasted = PastedServers::default();
    let known = known.iter().map(|it| it.name.as_str());
    let mut taken: Vec<String> = known.chain([LIMITS]).map(str::to_owned).collect();
    for (name, entry) in entries {
        let url = ["url", "httpUrl", "serverUrl"].iter().find_map(|key| entry.get(*key)?.as_str());
        let Some(url) = url.map(str::trim).filter(|it| is_web(it)) else {
            let is_program = entry.get("command").is_some_and(Value::is_string);
            if is_program { &mut pasted.programs } else { &mut pasted.unreadable }.push(name);
            continue;
        };
        let headers = entry.get("headers").and_then(Value::as_object).into_iter().flatten();
        let enabled = entry.get("disabled") != Some(&Value::Bool(true));
        let mut names = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name} {n}")));
        let name = names.find(|it| !taken.contains(it)).unwrap_or_default();
        taken.push(name.clone());
        pasted.servers.push(SavedServer {
            name,
            url: url.to_owned(),
            headers: headers
                .filter_map(|(name, value)| Some(SecretHeader::new(name, value.as_str()?)))
                .collect(),
            enabled: enabled && entry.get("enabled") != Some(&Value::Bool(false)),
            through_kernel: false,
        });
    }
    let is_empty = pasted == PastedServers::default();
    (!is_empty).then_some(pasted)
}

/// Whether a text is an address that a page can send requests to.
fn is_web(url: &str) -> bool {
    let start: String = url.chars().take(8).collect::<String>().to_ascii_lowercase();
    start.starts_with("http://") || start.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use crate::limits::Limit;

    use super::*;

    fn saved(name: &str) -> SavedServer {
        let headers = vec![SecretHeader::new("Authorization", "Bearer 0123456789abcdef")];
        SavedServer {
            name: name.into(),
            url: "http://x/mcp".into(),
            headers,
            enabled: true,
            through_kernel: false,
        }
    }

    /// B-200: kept in the plugin's storage, own sidecar first.
    #[test]
    fn servers_survive_the_file_and_the_own_one_is_first() {
        let all = vec![
            saved("a"),
            SavedServer { enabled: false, through_kernel: true, headers: Vec::new(), ..saved("b") },
        ];
        let mut file = File::default();
        file.keep(None, &all);
        let file = File::parse(file.to_json().as_bytes()).unwrap();
        assert!(file.servers() == all);
        let odd =
            File::parse(br#"{"a":{"url":"http://x"},"b":7,"c":{},"limits":{"url":"http://y"}}"#).unwrap();
        assert_eq!(odd.servers().len(), 1);
        assert!(File::parse(b"{").is_none() && File::parse(b"[]").is_none());
        let own = SavedServer { url: "http://127.0.0.1:36806/mcp".into(), ..saved("siyuan") };
        let shown = listed(own.clone(), vec![saved("a"), saved("siyuan")]);
        assert_eq!(shown, [own, saved("a")]);
    }

    /// B-200: what another window or a later version wrote stays.
    #[test]
    fn a_change_touches_its_own_entry_only() {
        let before = r#"{"a":{"url":"http://a","headers":{"k":"v"},"throughKernel":true,"of_tomorrow":1},"odd":7,"b":{"url":"http://b"},"limits":{"x":1}}"#;
        let change = |change: &dyn Fn(&mut File)| {
            let mut file = File::parse(before.as_bytes()).unwrap();
            change(&mut file);
            file.to_json()
        };
        assert_eq!(change(&|_| {}), before);
        let plain = [SavedServer { headers: Vec::new(), ..saved("c") }];
        assert_eq!(
            change(&|it| it.keep(Some("a"), &plain)),
            r#"{"c":{"url":"http://x/mcp","of_tomorrow":1,"enabled":true},"odd":7,"b":{"url":"http://b"},"limits":{"x":1}}"#
        );
        let added = change(&|it| it.keep(None, &plain));
        assert!(added.ends_with(r#""limits":{"x":1},"c":{"url":"http://x/mcp","enabled":true}}"#), "{added}");
        // It was removed elsewhere.
        assert!(change(&|it| it.keep(Some("gone"), &plain)).contains(r#""c":{"url""#));
        assert_eq!(change(&|it| it.enable("gone", true)), before);
        assert!(change(&|it| it.enable("b", false)).contains(r#""b":{"url":"http://b","enabled":false}"#));
        assert!(change(&|it| it.remove("a")).starts_with(r#"{"odd":7,"b":"#));
        let limits = Limits::default().with(Limit::Call, "60").unwrap();
        let limited = change(&|it| it.set_limits(limits));
        assert!(limited.ends_with(r#""limits":{"x":1,"connectSeconds":10,"callSeconds":60}}"#), "{limited}");
        assert!(File::parse(limited.as_bytes()).unwrap().limits() == limits);
    }

    /// B-200: secrets are masked wherever they could be seen.
    #[test]
    fn secrets_are_masked() {
        let header = &saved("a").headers[0];
        assert_eq!(header.masked(), "••••••••cdef");
        assert_eq!(SecretHeader::new("k", "short").masked(), "••••••••");
        assert_eq!(SecretHeader::new("k", "").masked(), "••••••••");
        assert!(!format!("{:?}", saved("a")).contains("cdef"));
    }

    /// B-200: the configurations of known clients are taken over.
    #[test]
    fn configurations_of_clients_can_be_pasted() {
        let known = [saved("notes")];
        let cursor = r#" {"mcpServers":{"notes":{"url":"http://a/mcp","headers":{"Authorization":"Bearer x"}},
            "files":{"command":"npx","args":[]},"odd":{"url":"ftp://x"}}} "#;
        let pasted = paste(cursor, &known).unwrap();
        assert_eq!(pasted.servers[0].name, "notes 2");
        assert_eq!(pasted.servers[0].headers[0].reveal(), "Bearer x");
        assert_eq!((pasted.programs, pasted.unreadable), (vec!["files".to_owned()], vec!["odd".to_owned()]));
        let url = |text: &str| paste(text, &[]).map(|it| it.servers[0].url.clone());
        assert_eq!(
            url(r#"{"servers":{"a":{"type":"http","url":"https://b"}}}"#).as_deref(),
            Some("https://b")
        );
        assert_eq!(url(r#"{"mcp":{"servers":{"a":{"url":"https://c"}}}}"#).as_deref(), Some("https://c"));
        assert_eq!(url(r#"{"mcpServers":{"a":{"httpUrl":"http://d"}}}"#).as_deref(), Some("http://d"));
        assert_eq!(url(r#"{"a":{"url":"http://e","disabled":true}}"#).as_deref(), Some("http://e"));
        assert_eq!(paste(r#"{"limits":{"url":"http://e"}}"#, &[]).unwrap().servers[0].name, "limits 2");
        assert!(!paste(r#"{"a":{"url":"http://e","disabled":true}}"#, &[]).unwrap().servers[0].enabled);
        for nothing in ["", "words", "[]", "{}", "7", r#"{"mcpServers":[]}"#] {
            assert_eq!(paste(nothing, &[]), None, "{nothing}");
        }
    }
}
