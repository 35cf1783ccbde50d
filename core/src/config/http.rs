//! `mcpHttpSettings`: the settings that a person's server is started with, and the pause of all calls.

use serde_json::{Map, Value, json};

use super::HTTP_FILE;
use super::settings::{
    ApprovalMethod, CONFIRM, ERRAND_CHANGES, ERRAND_DELETES, ERRAND_MINUTES, OWN_AGENT, PATIENCE, Patience,
    errand_ceilings, has_own_agent,
};
use crate::errands::ErrandCeilings;
use crate::kernel::{Kernel, files};
use crate::permission::Closed;
use crate::strict;

/// The port that the server listens at until a person chooses another.
pub const PORT: u16 = 36806;

/// The settings; unknown keys survive a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HttpSettings(Map<String, Value>);

impl HttpSettings {
    /// Reads the file; `None` if it is malformed, names a key twice, or is the kernel's envelope for a missing one.
    pub fn parse(bytes: &[u8]) -> Option<HttpSettings> {
        strict::object(bytes).map(HttpSettings)
    }

    /// Reads the file; the defaults if there is none.
    ///
    /// # Errors
    /// Returns the reason why the settings are unknown.
    pub async fn read(kernel: &dyn Kernel) -> Result<HttpSettings, Closed> {
        let file = files::read(kernel, &path()).await.map_err(Closed::Kernel)?;
        let settings = file.map(|bytes| HttpSettings::parse(&bytes).ok_or(Closed::Malformed(HTTP_FILE)));
        settings.unwrap_or_else(|| Ok(HttpSettings::default()))
    }

    /// Changes the file and keeps the rest of it; a file that cannot be read is left as it is.
    ///
    /// # Errors
    /// Returns the reason why nothing was changed.
    pub async fn save(kernel: &dyn Kernel, change: &HttpChange) -> Result<(), Closed> {
        let mut settings = HttpSettings::read(kernel).await?;
        settings.set(change);
        files::write(kernel, &path(), settings.to_json().into_bytes()).await.map_err(Closed::Kernel)
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
    pub fn set(&mut self, change: &HttpChange) {
        let (key, value) = match change {
            HttpChange::Autostart(is) => ("autostart", json!(is)),
            HttpChange::Port(port) => ("port", json!(port)),
            HttpChange::Encrypted(is) => ("tls", json!(if *is { "generate" } else { "" })),
            HttpChange::Token(token) => ("token", json!(token)),
            HttpChange::Origins(all) => ("origins", json!(all)),
            HttpChange::Paused(is) => ("paused", json!(is)),
            HttpChange::Confirm(ways) if ways.is_empty() => {
                self.0.remove(CONFIRM);
                return;
            }
            HttpChange::Confirm(ways) => (CONFIRM, ways.iter().map(|it| Value::from(it.word())).collect()),
            HttpChange::Patience(patience) => (PATIENCE, json!(patience.minutes)),
            HttpChange::ErrandChanges(most) => (ERRAND_CHANGES, json!(most)),
            HttpChange::ErrandDeletes(most) => (ERRAND_DELETES, json!(most)),
            HttpChange::ErrandMinutes(most) => (ERRAND_MINUTES, json!(most)),
            HttpChange::OwnAgent(is) => (OWN_AGENT, json!(is)),
        };
        self.0.insert(key.to_owned(), value);
    }

    /// The time that a question waits in SiYuan.
    pub fn patience(&self) -> Patience {
        Patience::of(&self.0)
    }

    /// The greatest bounds of an errand.
    pub fn errands(&self) -> ErrandCeilings {
        errand_ceilings(&self.0)
    }

    /// The ways to ask a person, in their order; none until a person has chosen some.
    pub fn confirm(&self) -> Vec<ApprovalMethod> {
        ApprovalMethod::chosen(&self.0)
    }

    /// Whether SiYuan's own agent may call.
    pub fn has_own_agent(&self) -> bool {
        has_own_agent(&self.0)
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
pub enum HttpChange {
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
    /// The ways to ask a person, of which the first available one is used; none for the usual ones.
    Confirm(Vec<ApprovalMethod>),
    /// The time that a question waits in SiYuan.
    Patience(Patience),
    /// The most changes of an errand.
    ErrandChanges(u64),
    /// The most deletions of documents of an errand.
    ErrandDeletes(u64),
    /// The longest time of an errand, in minutes; 0 turns errands off.
    ErrandMinutes(u64),
    /// Whether SiYuan's own agent may call.
    OwnAgent(bool),
}

impl HttpChange {
    /// The port that a person typed.
    pub fn port(typed: &str) -> Option<HttpChange> {
        typed.trim().parse().ok().filter(|it| *it > 0).map(HttpChange::Port)
    }

    /// The change of a bound of errands to what a person typed; `None` for anything but a whole number up to the built-in one.
    pub fn errand_bound(typed: &str, most: u64, change: fn(u64) -> HttpChange) -> Option<HttpChange> {
        typed.trim().parse().ok().filter(|it| *it <= most).map(change)
    }

    /// The time that a person typed, in minutes.
    pub fn patience(typed: &str) -> Option<HttpChange> {
        typed.trim().parse().ok().map(|minutes| HttpChange::Patience(Patience { minutes }))
    }

    /// The pages that a person typed, between spaces or commas; `None` unless each is an origin.
    pub fn origins(typed: &str) -> Option<HttpChange> {
        let all = typed.split([' ', ',', '\n']).filter(|it| !it.is_empty());
        let origins: Option<Vec<String>> = all.map(origin).collect();
        origins.map(HttpChange::Origins)
    }
}

fn path() -> String {
    format!("{}{HTTP_FILE}", files::STORAGE)
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

    /// B-148: the panel changes one setting and keeps the rest, those of other versions too.
    #[test]
    fn change_keeps_unknown_keys() {
        let mut settings = HttpSettings::parse(br#"{"paused":true,"of_tomorrow":[1],"port":"80"}"#).unwrap();
        assert_eq!((settings.port(), settings.autostart(), settings.token()), (PORT, true, ""));
        assert!(settings.is_paused() && !HttpSettings::default().is_paused());
        for change in [
            HttpChange::Autostart(false),
            HttpChange::port(" 8080 ").unwrap(),
            HttpChange::Encrypted(true),
            HttpChange::Token("t".to_owned()),
            HttpChange::origins("https://a.example/, http://localhost:1").unwrap(),
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

    /// B-071: the chosen ways are those that a call reads; without a choice the file names none.
    #[test]
    fn ways_to_ask_are_chosen_and_taken_back() {
        let mut settings = HttpSettings::default();
        for chosen in [vec![ApprovalMethod::Ask, ApprovalMethod::Block], vec![ApprovalMethod::Block]] {
            settings.set(&HttpChange::Confirm(chosen.clone()));
            assert_eq!(settings.confirm(), chosen);
            assert_eq!(super::super::CallSettings::parse(settings.to_json().as_bytes()).confirm, chosen);
        }
        settings.set(&HttpChange::Confirm(Vec::new()));
        assert_eq!((settings.confirm(), settings.to_json()), (Vec::new(), "{}".to_owned()));
    }

    /// B-072: the typed time is the one that a question waits.
    #[test]
    fn minutes_of_a_question_are_typed() {
        let mut settings = HttpSettings::default();
        for (typed, ms) in [(" 15 ", Some(900_000)), ("0", None), ("10", Some(600_000))] {
            settings.set(&HttpChange::patience(typed).unwrap());
            assert_eq!(settings.patience().ms(), ms, "{typed}");
        }
        for wrong in ["", "-1", "1.5", "an hour", "4294967296"] {
            assert_eq!(HttpChange::patience(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn malformed_settings_and_input_are_refused() {
        for torn in
            ["", "[]", "{", r#"{"code":404,"msg":"","data":null}"#, r#"{"paused":true,"paused":false}"#]
        {
            assert_eq!(HttpSettings::parse(torn.as_bytes()), None, "{torn}");
        }
        for wrong in ["", "0", "65536", "-1", "http", "80.5"] {
            assert_eq!(HttpChange::port(wrong), None, "{wrong}");
        }
        for wrong in ["app.example", "https://*", "https://a/b", "file:///x", "https://"] {
            assert_eq!(HttpChange::origins(wrong), None, "{wrong}");
        }
        assert_eq!(HttpChange::origins(" "), Some(HttpChange::Origins(Vec::new())));
    }
}
