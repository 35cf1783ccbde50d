//! The settings that apply to every call: the pause, the ways to ask a person, the callers' token.

use std::fmt;

use serde_json::{Map, Value};

use super::HTTP_FILE;
use crate::errands::{ErrandBounds, ErrandCeilings, ErrandCost};
use crate::kernel::{Kernel, KernelError, files};
use crate::permission::Closed;
use crate::strict;

/// The key of the ways to ask in the settings.
pub(super) const CONFIRM: &str = "confirm";
/// The key of [`Patience`] in the settings.
pub(super) const PATIENCE: &str = "question_minutes";
/// The keys of [`ErrandCeilings`] in the settings.
pub(super) const ERRAND_CHANGES: &str = "errand_changes";
pub(super) const ERRAND_DELETES: &str = "errand_deletes";
pub(super) const ERRAND_MINUTES: &str = "errand_minutes";

/// The key of the switch for SiYuan's own agent in the settings.
pub(super) const OWN_AGENT: &str = "own_agent";

/// Whether SiYuan's own agent may call: only a plain yes counts.
pub(super) fn has_own_agent(settings: &Map<String, Value>) -> bool {
    settings.get(OWN_AGENT) == Some(&Value::Bool(true))
}

/// One way to ask a person before something dangerous is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalMethod {
    /// In a window of SiYuan.
    Approve,
    /// Through the agent's own client.
    Ask,
    /// By a token that the caller sends back with the same call.
    Token,
    /// Not at all: the call is refused.
    Block,
}

impl ApprovalMethod {
    /// Every way, in the order that applies until a person chooses another.
    pub const ALL: [ApprovalMethod; 4] =
        [ApprovalMethod::Approve, ApprovalMethod::Ask, ApprovalMethod::Token, ApprovalMethod::Block];

    /// The word in settings and flags.
    pub const fn word(self) -> &'static str {
        match self {
            ApprovalMethod::Approve => "approve",
            ApprovalMethod::Ask => "ask",
            ApprovalMethod::Token => "token",
            ApprovalMethod::Block => "block",
        }
    }

    /// The way with that word.
    pub fn named(word: &str) -> Option<ApprovalMethod> {
        ApprovalMethod::ALL.into_iter().find(|way| way.word() == word.trim())
    }

    /// The ways that a person chose, in their order; none without a choice.
    pub(super) fn chosen(settings: &Map<String, Value>) -> Vec<ApprovalMethod> {
        match settings.get(CONFIRM) {
            None => Vec::new(),
            Some(Value::Array(words)) => {
                // A later version's word could be stricter than any that this version knows.
                words
                    .iter()
                    .map(|it| it.as_str().and_then(ApprovalMethod::named).unwrap_or(ApprovalMethod::Block))
                    .collect()
            }
            Some(_) => vec![ApprovalMethod::Block],
        }
    }
}

/// The time that a question waits in SiYuan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// In minutes; 0 until it is answered.
    pub minutes: u32,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { minutes: 10 }
    }
}

impl Patience {
    /// In milliseconds; none without an end.
    pub fn ms(self) -> Option<u64> {
        (self.minutes > 0).then(|| u64::from(self.minutes) * 60_000)
    }

    /// The setting; anything but a whole number is the default.
    pub(super) fn of(settings: &Map<String, Value>) -> Patience {
        let minutes = settings.get(PATIENCE).and_then(Value::as_u64).and_then(|it| u32::try_from(it).ok());
        minutes.map_or_else(Patience::default, |minutes| Patience { minutes })
    }
}

/// The greatest bounds of an errand in the settings, which only lower the built-in ones; what is no whole number allows
/// nothing.
pub(super) fn errand_ceilings(settings: &Map<String, Value>) -> ErrandCeilings {
    let most = |key: &str, most: u64| match settings.get(key) {
        None => most,
        Some(value) => value.as_u64().unwrap_or(0).min(most),
    };
    let all = ErrandCeilings::default();
    let changes = most(ERRAND_CHANGES, all.most.changes);
    let deletes = most(ERRAND_DELETES, all.most.deletes);
    let minutes = most(ERRAND_MINUTES, all.minutes);
    ErrandBounds { most: ErrandCost { changes, deletes }, minutes }
}

/// The token that callers over HTTP must present if the server was started without one.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum CallerToken {
    /// No token is needed.
    #[default]
    None,
    /// This token.
    Is(String),
    /// The settings cannot be read, so there may be a token.
    Unknown,
}

impl fmt::Debug for CallerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CallerToken::None => "None",
            CallerToken::Is(_) => "Is(hidden)",
            CallerToken::Unknown => "Unknown",
        })
    }
}

/// Whether a person has stopped every call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Pause {
    /// The person has not.
    #[default]
    No,
    /// The person has, or the setting could mean it.
    Yes,
    /// The setting cannot be read: calls stop too.
    Unknown(Closed),
}

/// The part of `mcpHttpSettings` that applies to every call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallSettings {
    /// Whether every agent call must stop.
    pub pause: Pause,
    /// The ways to ask, of which the first available one is used; none if a person chose none.
    pub confirm: Vec<ApprovalMethod>,
    /// The time that a question waits in SiYuan.
    pub patience: Patience,
    /// The greatest bounds of an errand.
    pub errands: ErrandCeilings,
    /// The token that callers over HTTP must present.
    pub token: CallerToken,
    /// Whether SiYuan's own agent may call.
    pub own_agent: bool,
}

impl CallSettings {
    /// Reads the settings from the kernel.
    ///
    /// # Errors
    /// If the kernel cannot be reached.
    pub async fn read(kernel: &dyn Kernel) -> Result<CallSettings, KernelError> {
        files::read(kernel, &files::stored(HTTP_FILE)).await.map(CallSettings::stored)
    }

    /// The settings in a file; the defaults if there is none.
    pub(super) fn stored(file: Option<Vec<u8>>) -> CallSettings {
        file.map(|bytes| CallSettings::parse(&bytes)).unwrap_or_default()
    }

    /// The settings when the file cannot be read: the strictest that it could contain.
    pub fn unknown(why: Closed) -> CallSettings {
        CallSettings {
            pause: Pause::Unknown(why),
            confirm: vec![ApprovalMethod::Block],
            patience: Patience::default(),
            errands: ErrandBounds::NONE,
            token: CallerToken::Unknown,
            own_agent: false,
        }
    }

    /// Reads the file; a value of the wrong type has the strictest meaning.
    pub fn parse(bytes: &[u8]) -> CallSettings {
        let Some(settings) = strict::object(bytes) else {
            return CallSettings::unknown(Closed::Malformed(HTTP_FILE));
        };
        let confirm = ApprovalMethod::chosen(&settings);
        let token = match settings.get("token") {
            None => CallerToken::None,
            Some(Value::String(token)) if token.trim().is_empty() => CallerToken::None,
            Some(Value::String(token)) => CallerToken::Is(token.trim().to_owned()),
            Some(_) => CallerToken::Unknown,
        };
        let pause = match settings.get("paused") {
            None | Some(Value::Bool(false)) => Pause::No,
            Some(_) => Pause::Yes,
        };
        let (patience, errands) = (Patience::of(&settings), errand_ceilings(&settings));
        let own_agent = has_own_agent(&settings);
        CallSettings { pause, confirm, patience, errands, token, own_agent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-071: an order that cannot be read blocks.
    #[test]
    fn confirmation_order_is_parsed() {
        let read = |text: &str| CallSettings::parse(text.as_bytes()).confirm;
        assert_eq!(read("{}"), []);
        assert_eq!(read("[]"), [ApprovalMethod::Block]);
        assert_eq!(read("torn"), [ApprovalMethod::Block]);
        assert_eq!(read(r#"{"confirm":[["ask"],null]}"#), [ApprovalMethod::Block, ApprovalMethod::Block]);
        assert_eq!(read(r#"{"confirm":["token","block"]}"#), [ApprovalMethod::Token, ApprovalMethod::Block]);
        assert_eq!(read(r#"{"confirm":["approve","ask"]}"#), [ApprovalMethod::Approve, ApprovalMethod::Ask]);
        assert_eq!(read(r#"{"confirm":["biometric","ask"]}"#), [ApprovalMethod::Block, ApprovalMethod::Ask]);
        for word in ["\"ask\"", "null", "true", "{}"] {
            assert_eq!(read(&format!("{{\"confirm\":{word}}}")), [ApprovalMethod::Block], "{word}");
        }
    }

    /// B-072: ten minutes unless a person says otherwise, and 0 for ever.
    #[test]
    fn question_minutes_are_parsed() {
        let read = |text: &str| CallSettings::parse(text.as_bytes()).patience.ms();
        assert_eq!(read(r#"{"question_minutes":0}"#), None);
        assert_eq!(read(r#"{"question_minutes":15}"#), Some(900_000));
        for usual in ["{}", "torn", r#"{"question_minutes":-1}"#, r#"{"question_minutes":"0"}"#] {
            assert_eq!(read(usual), Some(600_000), "{usual}");
        }
    }

    /// The ceilings of errands are lowered, never raised; 0 turns errands off, and so does what is no number.
    #[test]
    fn errand_ceilings_are_parsed() {
        let read = |text: &str| {
            let bounds = CallSettings::parse(text.as_bytes()).errands;
            (bounds.most.changes, bounds.most.deletes, bounds.minutes)
        };
        assert_eq!(read("{}"), (200, 20, 60));
        assert_eq!(read(r#"{"errand_changes":50,"errand_deletes":0,"errand_minutes":15}"#), (50, 0, 15));
        assert_eq!(read(r#"{"errand_changes":900,"errand_minutes":600}"#), (200, 20, 60));
        for off in ["0", "-1", "\"20\"", "1.5", "null", "true"] {
            let text = format!("{{\"errand_minutes\":{off}}}");
            assert!(CallSettings::parse(text.as_bytes()).errands.is_off(), "{off}");
        }
        assert!(CallSettings::parse(b"torn").errands.is_off());
    }

    /// F13, F21: only an absent key and `false` let agents go on.
    #[test]
    fn ambiguous_pause_setting_pauses() {
        let read = |text: &str| CallSettings::parse(text.as_bytes()).pause;
        for runs in ["{}", r#"{"paused":false,"port":1}"#] {
            assert_eq!(read(runs), Pause::No, "{runs}");
        }
        for word in ["true", "\"true\"", "1", "0", "\"yes\"", "\"false\"", "{}", "[]", "null"] {
            assert_eq!(read(&format!("{{\"paused\":{word}}}")), Pause::Yes, "{word}");
        }
        for torn in ["", "{", "[]", "true", r#"{"paused":true,"paused":false}"#, r#"{"code":404,"msg":""}"#] {
            assert_eq!(read(torn), Pause::Unknown(Closed::Malformed(HTTP_FILE)), "{torn}");
        }
    }

    /// Only a plain yes lets SiYuan's own agent call.
    #[test]
    fn own_agent_is_off_until_a_person_switches_it_on() {
        let read = |text: &str| CallSettings::parse(text.as_bytes()).own_agent;
        assert!(read(r#"{"own_agent":true}"#));
        for off in ["{}", r#"{"own_agent":false}"#, r#"{"own_agent":"true"}"#, r#"{"own_agent":1}"#, "torn"] {
            assert!(!read(off), "{off}");
        }
    }

    /// B-136, B-137: a file that cannot be read opens nothing, and no token is ever printed.
    #[test]
    fn caller_token_is_parsed() {
        let read = |text: &str| CallSettings::parse(text.as_bytes()).token;
        assert_eq!(read(r#"{"paused":true}"#), CallerToken::None);
        assert_eq!(read(r#"{"token":" "}"#), CallerToken::None);
        assert_eq!(read(r#"{"token":"canary\n"}"#), CallerToken::Is("canary".to_owned()));
        for unknown in
            ["torn", "[]", "", r#"{"token":7}"#, r#"{"token":null}"#, r#"{"token":"a","token":""}"#]
        {
            assert_eq!(read(unknown), CallerToken::Unknown, "{unknown}");
        }
        assert!(!format!("{:?}", read(r#"{"token":"canary"}"#)).contains("canary"));
    }
}
