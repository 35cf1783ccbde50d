//! The server as the page that keeps it tells of it.

pub use puppy_core::config::{HttpChange, HttpSettings, PORT};
use serde_json::Value;

/// The phase of the server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ServerPhase {
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

impl ServerPhase {
    /// The word for it in the page's attributes.
    pub const fn word(self) -> &'static str {
        match self {
            ServerPhase::Unknown => "unknown",
            ServerPhase::None => "none",
            ServerPhase::Off => "off",
            ServerPhase::Starting => "starting",
            ServerPhase::Running => "running",
            ServerPhase::Stopping => "stopping",
            ServerPhase::Failed => "failed",
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
    /// The package has no programs by design, and this machine's is not here yet. The detail is a sentence of the page.
    Program,
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
            "program" => Why::Program,
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
    /// Its phase.
    pub doing: ServerPhase,
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
    /// The certificate that clients must trust; empty for none.
    pub certificate: String,
    /// Whether the settings have changed since it was started.
    pub is_stale: bool,
}

impl ServerStatus {
    /// Reads the status from the answer of the page.
    pub fn of(said: &Value) -> ServerStatus {
        let text = |key: &str| said.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let doing = match text("state").as_str() {
            "none" => ServerPhase::None,
            "off" => ServerPhase::Off,
            "starting" => ServerPhase::Starting,
            "running" => ServerPhase::Running,
            "stopping" => ServerPhase::Stopping,
            _ => ServerPhase::Failed,
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
        !matches!(self.doing, ServerPhase::Unknown | ServerPhase::None)
    }

    /// The word of its state in the page's attributes. A connected server counts as running even if this page did not
    /// start it.
    pub fn word(&self, connected: usize) -> &'static str {
        let is_elsewhere = self.doing == ServerPhase::None && connected > 0;
        if is_elsewhere { ServerPhase::Running.word() } else { self.doing.word() }
    }
}

/// The options that connect the program to the SiYuan at this origin; none for the default address.
pub fn options(origin: &str) -> Vec<String> {
    let is_usual = ["http://127.0.0.1:6806", "http://localhost:6806"].contains(&origin);
    if is_usual || !origin.starts_with("http") {
        Vec::new()
    } else {
        vec!["--url".to_owned(), origin.to_owned()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn status_of_the_page_is_read() {
        let status = ServerStatus::of(&json!({
            "state": "running", "url": "http://127.0.0.1:1/mcp", "pid": 7, "version": "0.1.0", "since": 5,
            "program": "/p", "tokenFile": "/t", "isStale": true,
        }));
        assert_eq!((status.doing, status.why, status.since), (ServerPhase::Running, Why::Unknown, 5));
        assert_eq!((status.program.as_str(), status.token_file.as_str()), ("/p", "/t"));
        assert!(status.is_stale && status.is_kept());
        let none = ServerStatus::of(&json!({ "state": "none", "why": "remote" }));
        assert_eq!((none.doing, none.why, none.is_kept()), (ServerPhase::None, Why::Remote, false));
        let off = ServerStatus::of(&json!({ "state": "off" }));
        assert_eq!((none.word(0), none.word(1), off.word(1)), ("none", "running", "off"));
        for torn in [json!(""), json!([]), Value::Null, json!({ "state": 7 })] {
            assert_eq!(ServerStatus::of(&torn).doing, ServerPhase::Failed, "{torn}");
        }
    }

    #[test]
    fn program_is_led_to_an_unusual_address() {
        assert_eq!(options("http://192.168.1.9:6913"), ["--url", "http://192.168.1.9:6913"]);
        for usual in ["http://127.0.0.1:6806", "http://localhost:6806", "null", ""] {
            assert!(options(usual).is_empty(), "{usual}");
        }
    }
}
