//! The server as the page that keeps it tells of it, and the settings that it is started with.

use serde_json::{Map, Value, json};

/// The port that the server listens at until a person chooses another.
pub const PORT: u16 = 36806;

/// What the server does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Doing {
    /// Nothing is known yet.
    #[default]
    Unknown,
    /// This page can start none.
    None,
    /// It does not run.
    Off,
    /// It is being started.
    Starting,
    /// It serves agents.
    Running,
    /// It finishes its calls.
    Stopping,
    /// It could not be started.
    Failed,
}

impl Doing {
    /// The word for it in the page's attributes.
    pub const fn word(self) -> &'static str {
        match self {
            Doing::Unknown => "unknown",
            Doing::None => "none",
            Doing::Off => "off",
            Doing::Starting => "starting",
            Doing::Running => "running",
            Doing::Stopping => "stopping",
            Doing::Failed => "failed",
        }
    }
}

/// Why there is no server, or why it did not start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Why {
    /// No reason is known; the detail may tell.
    #[default]
    Unknown,
    /// The page is in a browser or on a phone.
    Browser,
    /// The notes are on another computer or in a container.
    Remote,
    /// SiYuan refuses every write.
    Readonly,
    /// The package has no program for this machine.
    Platform,
    /// The package has no programs.
    Package,
    /// The program in the package is damaged.
    Broken,
    /// Another program has the port.
    Taken,
    /// It ended again and again.
    Crashed,
    /// It ended by itself and is started again.
    Again,
    /// It said nothing for too long.
    Slow,
    /// An older one does not end.
    Stays,
    /// The settings cannot be read.
    Settings,
    /// The token of its clients cannot be saved.
    Token,
}

impl Why {
    fn named(word: &str) -> Why {
        match word {
            "browser" => Why::Browser,
            "remote" => Why::Remote,
            "readonly" => Why::Readonly,
            "platform" => Why::Platform,
            "package" => Why::Package,
            "broken" => Why::Broken,
            "taken" => Why::Taken,
            "crashed" => Why::Crashed,
            "again" => Why::Again,
            "slow" => Why::Slow,
            "stays" => Why::Stays,
            "settings" => Why::Settings,
            "token" => Why::Token,
            _ => Why::Unknown,
        }
    }
}

/// The state of the server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerStatus {
    /// What it does.
    pub doing: Doing,
    /// Why there is none.
    pub why: Why,
    /// A name or an error that belongs to the reason.
    pub detail: String,
    /// Its address; empty unless it runs.
    pub url: String,
    /// Its version; empty unless it runs.
    pub version: String,
    /// When it was started, in milliseconds since 1970.
    pub since: u64,
    /// The place of its program on this machine; empty where there is none.
    pub program: String,
    /// The system of this machine in Node's words; empty where it is not known.
    pub platform: String,
    /// The file with the token of its clients.
    pub token_file: String,
    /// The certificate that clients must be told to trust; empty for none.
    pub certificate: String,
    /// Whether the settings have changed since it was started.
    pub is_stale: bool,
}

impl ServerStatus {
    /// Reads what the page says.
    pub fn parse(text: &str) -> ServerStatus {
        let said: Value = serde_json::from_str(text).unwrap_or_default();
        let text = |key: &str| said.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let doing = match text("state").as_str() {
            "none" => Doing::None,
            "off" => Doing::Off,
            "starting" => Doing::Starting,
            "running" => Doing::Running,
            "stopping" => Doing::Stopping,
            _ => Doing::Failed,
        };
        ServerStatus {
            doing,
            why: Why::named(&text("why")),
            detail: text("detail"),
            url: text("url"),
            version: text("version"),
            since: said.get("since").and_then(Value::as_u64).unwrap_or_default(),
            program: text("program"),
            platform: text("platform"),
            token_file: text("tokenFile"),
            certificate: text("certificate"),
            is_stale: said.get("isStale") == Some(&Value::Bool(true)),
        }
    }

    /// Whether this page can start and stop it.
    pub fn is_kept(&self) -> bool {
        !matches!(self.doing, Doing::Unknown | Doing::None)
    }
}

/// `mcpHttpSettings`: unknown keys survive a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HttpSettings(Map<String, Value>);

impl HttpSettings {
    /// Reads the file; `None` if it is malformed, or the kernel's envelope for a missing one.
    pub fn parse(bytes: &[u8]) -> Option<HttpSettings> {
        let map: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
        (!(map.contains_key("code") && map.contains_key("msg"))).then_some(HttpSettings(map))
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// Whether it starts with SiYuan.
    pub fn autostart(&self) -> bool {
        self.0.get("autostart") != Some(&Value::Bool(false))
    }

    /// The port.
    pub fn port(&self) -> u16 {
        let port = self.0.get("port").and_then(Value::as_u64).and_then(|it| u16::try_from(it).ok());
        port.filter(|it| *it > 0).unwrap_or(PORT)
    }

    /// Whether it encrypts with a certificate of its own.
    pub fn is_encrypted(&self) -> bool {
        self.text("tls") == "generate"
    }

    /// The token that clients must send; empty for none.
    pub fn token(&self) -> &str {
        self.text("token")
    }

    /// The pages that may call, as a person types them.
    pub fn origins(&self) -> String {
        let all = self.0.get("origins").and_then(Value::as_array).into_iter().flatten();
        all.filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
    }

    fn text(&self, key: &str) -> &str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_default().trim()
    }

    /// Makes one change.
    pub fn set(&mut self, change: &Change) {
        let (key, value) = match change {
            Change::Autostart(is) => ("autostart", json!(is)),
            Change::Port(port) => ("port", json!(port)),
            Change::Encrypted(is) => ("tls", json!(if *is { "generate" } else { "" })),
            Change::Token(token) => ("token", json!(token)),
            Change::Origins(all) => ("origins", json!(all)),
            Change::Paused(is) => ("paused", json!(is)),
        };
        self.0.insert(key.to_owned(), value);
    }

    /// Whether every call of agents is refused. Anything but a plain no is a pause, as for the server.
    pub fn is_paused(&self) -> bool {
        !matches!(self.0.get("paused"), None | Some(Value::Bool(false)))
    }

    /// The port to try where this one is taken: the next, below those that systems give to programs for a moment.
    pub fn other_port(&self) -> u16 {
        match self.port() {
            port @ 1024..49_151 => port + 1,
            _ => PORT,
        }
    }

    /// The address at which the server is, or will be.
    pub fn url(&self) -> String {
        let scheme = if self.is_encrypted() { "https" } else { "http" };
        format!("{scheme}://127.0.0.1:{}/mcp", self.port())
    }
}

/// A change of the settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Whether it starts with SiYuan.
    Autostart(bool),
    /// The port.
    Port(u16),
    /// Whether it encrypts.
    Encrypted(bool),
    /// The token; empty for none.
    Token(String),
    /// The pages that may call.
    Origins(Vec<String>),
    /// Whether every call of agents is refused.
    Paused(bool),
}

impl Change {
    /// The port that a person typed.
    pub fn port(typed: &str) -> Option<Change> {
        typed.trim().parse().ok().filter(|it| *it > 0).map(Change::Port)
    }

    /// The pages that a person typed, between spaces or commas; `None` unless each is an origin.
    pub fn origins(typed: &str) -> Option<Change> {
        let all = typed.split([' ', ',', '\n']).filter(|it| !it.is_empty());
        let origins: Option<Vec<String>> = all.map(origin).collect();
        origins.map(Change::Origins)
    }
}

/// Scheme, host and port, with nothing behind it but perhaps a slash.
fn origin(text: &str) -> Option<String> {
    let text = text.trim_end_matches('/');
    let (scheme, host) = text.split_once("://")?;
    let is_plain = !host.is_empty() && !host.contains(['/', '?', '#', '@', '*']);
    (["http", "https"].contains(&scheme) && is_plain).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_of_the_page_is_read() {
        let status = ServerStatus::parse(
            r#"{"state":"running","url":"http://127.0.0.1:1/mcp","pid":7,"version":"0.1.0","since":5,"program":"/p","tokenFile":"/t","isStale":true}"#,
        );
        assert_eq!((status.doing, status.why, status.since), (Doing::Running, Why::Unknown, 5));
        assert_eq!((status.program.as_str(), status.token_file.as_str()), ("/p", "/t"));
        assert!(status.is_stale && status.is_kept());
        let none = ServerStatus::parse(r#"{"state":"none","why":"remote"}"#);
        assert_eq!((none.doing, none.why, none.is_kept()), (Doing::None, Why::Remote, false));
        for torn in ["", "{", "[]", "null", r#"{"state":7}"#] {
            assert_eq!(ServerStatus::parse(torn).doing, Doing::Failed, "{torn}");
        }
    }

    /// B-148: the panel changes one setting and keeps the rest, those of other versions too.
    #[test]
    fn change_keeps_unknown_keys() {
        let mut settings = HttpSettings::parse(br#"{"paused":true,"of_tomorrow":[1],"port":"80"}"#).unwrap();
        assert_eq!((settings.port(), settings.autostart(), settings.token()), (PORT, true, ""));
        assert!(settings.is_paused() && !HttpSettings::default().is_paused());
        for change in [
            Change::Autostart(false),
            Change::port(" 8080 ").unwrap(),
            Change::Encrypted(true),
            Change::Token("t".to_owned()),
            Change::origins("https://a.example/, http://localhost:1").unwrap(),
        ] {
            settings.set(&change);
        }
        let back = HttpSettings::parse(settings.to_json().as_bytes()).unwrap();
        assert_eq!((back.url().as_str(), back.other_port()), ("https://127.0.0.1:8080/mcp", 8081));
        assert_eq!((back.autostart(), back.token()), (false, "t"));
        assert_eq!(back.origins(), "https://a.example http://localhost:1");
        assert!(
            back.to_json().contains(r#""of_tomorrow":[1]"#) && back.to_json().contains(r#""paused":true"#)
        );
    }

    #[test]
    fn malformed_settings_and_input_are_refused() {
        for torn in ["", "[]", "{", r#"{"code":404,"msg":"","data":null}"#] {
            assert_eq!(HttpSettings::parse(torn.as_bytes()), None, "{torn}");
        }
        for wrong in ["", "0", "65536", "-1", "http", "80.5"] {
            assert_eq!(Change::port(wrong), None, "{wrong}");
        }
        for wrong in ["app.example", "https://*", "https://a/b", "file:///x", "https://"] {
            assert_eq!(Change::origins(wrong), None, "{wrong}");
        }
        assert_eq!(Change::origins(" "), Some(Change::Origins(Vec::new())));
    }
}
