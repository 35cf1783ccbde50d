//! The agents that a person has named: each has a ceiling, which no level of a notebook exceeds.
//!
//! [`Identity`] is how a caller is known, [`Agents`] is the file as calls read it, [`AgentsFile`] as a person changes it,
//! and [`AgentMark`] is how an agent is shown.

mod file;
mod mark;
pub mod token;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use file::{AgentChange, AgentRefusal, AgentsFile};
pub use mark::AgentMark;

use crate::grants::{Ceiling, Level};
use crate::strict;

/// Name of the file of agents, below the plugin's storage.
pub const AGENTS_FILE: &str = "agents";

/// The key of the ceiling for callers that are no agent of the file.
const ANYONE: &str = "anyone";
/// The key of the agents, by their ids.
const AGENTS: &str = "agents";
const NAME: &str = "name";
const COLOR: &str = "color";
const LEVEL: &str = "level";
const NOTEBOOKS: &str = "notebooks";
const UNTIL: &str = "until";

/// The name of SiYuan's own agent. No agent of the file has it, and no client is shown by it.
pub const OWN_AGENT: &str = "SiYuan's agent";

/// The greatest length of a name, in characters.
pub const LONGEST_NAME: usize = 40;
/// The maximum number of agents.
pub const MOST_AGENTS: usize = 50;

/// The way in which a caller is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Identity {
    /// As the person whose notes they are, who has no ceiling.
    #[default]
    Person,
    /// Not as an agent of the file.
    Unknown,
    /// By the agent's own token: the id of the agent.
    Proved(String),
    /// By the name that a person gave its process, which proves nothing to other processes.
    Given(String),
    /// By a name that the caller gave itself, which proves nothing.
    Claimed(String),
    /// As SiYuan's own agent, whose calls come from the page in which they run.
    Own,
}

/// The colour by which an agent is recognized. A word of another version counts as the first one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "&'static str")]
pub enum AgentColor {
    /// Blue.
    #[default]
    Blue,
    /// Green.
    Green,
    /// Yellow.
    Gold,
    /// Orange.
    Orange,
    /// Red.
    Red,
    /// Pink.
    Pink,
    /// Violet.
    Violet,
    /// Grey.
    Grey,
}

impl AgentColor {
    /// Every colour, in the order in which new agents get them.
    pub const ALL: [AgentColor; 8] = [
        AgentColor::Blue,
        AgentColor::Green,
        AgentColor::Gold,
        AgentColor::Orange,
        AgentColor::Red,
        AgentColor::Pink,
        AgentColor::Violet,
        AgentColor::Grey,
    ];

    /// The word in the file.
    pub const fn word(self) -> &'static str {
        match self {
            AgentColor::Blue => "blue",
            AgentColor::Green => "green",
            AgentColor::Gold => "gold",
            AgentColor::Orange => "orange",
            AgentColor::Red => "red",
            AgentColor::Pink => "pink",
            AgentColor::Violet => "violet",
            AgentColor::Grey => "grey",
        }
    }

    /// The colour with that word.
    pub fn named(word: &str) -> Option<AgentColor> {
        AgentColor::ALL.into_iter().find(|it| it.word() == word)
    }
}

impl From<String> for AgentColor {
    fn from(word: String) -> AgentColor {
        AgentColor::named(&word).unwrap_or_default()
    }
}

impl From<AgentColor> for &'static str {
    fn from(color: AgentColor) -> &'static str {
        color.word()
    }
}

/// An agent that a person has named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedAgent {
    /// Its id, which its token contains.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its colour.
    pub color: AgentColor,
    /// Its ceiling until the end.
    pub ceiling: Ceiling,
    /// The last day on which it may do anything.
    pub until: LastDay,
}

/// The last day of an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LastDay {
    /// There is none.
    #[default]
    Never,
    /// This day of the local calendar, as `2026-12-31`.
    On(String),
    /// The file names something that is no day: the agent has ended.
    Unreadable,
}

impl LastDay {
    fn of(value: Option<&Value>) -> LastDay {
        match value {
            None | Some(Value::Null) => LastDay::Never,
            Some(Value::String(day)) if is_day(day) => LastDay::On(day.clone()),
            Some(_) => LastDay::Unreadable,
        }
    }

    /// The day, such as `2026-12-31`; `None` without one, and for one that cannot be read.
    pub fn day(&self) -> Option<&str> {
        match self {
            LastDay::On(day) => Some(day),
            LastDay::Never | LastDay::Unreadable => None,
        }
    }

    /// Whether it is over, on a day such as `2026-12-31`.
    pub fn is_over(&self, today: &str) -> bool {
        match self {
            LastDay::Never => false,
            LastDay::On(day) => day.as_str() < today,
            LastDay::Unreadable => true,
        }
    }
}

/// Whether a text is a day such as `2026-12-31`, so that the order of texts is that of days.
pub fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let number = |text: &str, digits: usize| {
        let is = text.len() == digits && text.bytes().all(|it| it.is_ascii_digit());
        if is { text.parse::<u32>().ok() } else { None }
    };
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|it| (1..=12).contains(&it))
        && number(day, 2).is_some_and(|it| (1..=31).contains(&it))
}

/// The day in the digits of a local clock, such as `20261231…`; empty where there is none, which is before every day.
pub fn day_of(local_digits: &str) -> String {
    match (local_digits.get(..4), local_digits.get(4..6), local_digits.get(6..8)) {
        (Some(year), Some(month), Some(day)) => format!("{year}-{month}-{day}"),
        _ => String::new(),
    }
}

/// The file as calls read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agents {
    /// The ceiling of callers that are no agent of the file.
    pub anyone: Ceiling,
    named: BTreeMap<String, NamedAgent>,
}

impl Agents {
    /// Reads the file; `None` when it is not an object of objects. A part that this version cannot read is closed.
    pub fn parse(bytes: &[u8]) -> Option<Agents> {
        let file = strict::object(bytes)?;
        let anyone = match file.get(ANYONE) {
            None => Ceiling::OPEN,
            Some(it) => ceiling(it.as_object()?),
        };
        let empty = Map::new();
        let named = match file.get(AGENTS) {
            None => &empty,
            Some(it) => it.as_object()?,
        };
        let agent = |(id, it): (&String, &Value)| {
            let fields = it.as_object()?;
            let text = |key: &str| fields.get(key).and_then(Value::as_str);
            let agent = NamedAgent {
                id: id.clone(),
                name: text(NAME).unwrap_or_default().trim().to_owned(),
                color: text(COLOR).and_then(AgentColor::named).unwrap_or_default(),
                ceiling: ceiling(fields),
                until: LastDay::of(fields.get(UNTIL)),
            };
            Some((id.clone(), agent))
        };
        Some(Agents { anyone, named: named.iter().map(agent).collect::<Option<_>>()? })
    }

    /// Every agent, by id.
    pub fn named(&self) -> impl Iterator<Item = &NamedAgent> {
        self.named.values()
    }

    /// Whether a person has named any agent.
    pub fn is_any(&self) -> bool {
        !self.named.is_empty()
    }

    /// The agent with this id.
    pub fn get(&self, id: &str) -> Option<&NamedAgent> {
        self.named.get(id)
    }

    /// The colour for a new agent: the first that no agent has.
    pub fn next_color(&self) -> AgentColor {
        let is_free = |color: &AgentColor| self.named.values().all(|it| it.color != *color);
        AgentColor::ALL.into_iter().find(is_free).unwrap_or_default()
    }

    /// The agent as which a caller is known.
    pub fn of(&self, identity: &Identity) -> Option<&NamedAgent> {
        match identity {
            Identity::Person | Identity::Unknown | Identity::Own => None,
            Identity::Proved(id) => self.named.get(id),
            Identity::Given(name) | Identity::Claimed(name) => {
                let name = plain(name);
                self.named.values().find(|it| !name.is_empty() && plain(&it.name) == name)
            }
        }
    }

    /// The mark of the agent as which a caller is known.
    pub fn mark(&self, identity: &Identity) -> Option<AgentMark> {
        if *identity == Identity::Own {
            let (name, color) = (OWN_AGENT.to_owned(), AgentColor::Grey);
            return Some(AgentMark { name, color, is_proved: true });
        }
        let is_proved = matches!(identity, Identity::Proved(_));
        self.of(identity).map(|it| AgentMark { name: it.name.clone(), color: it.color, is_proved })
    }

    /// The ceiling of a caller on a day such as `2026-12-31`. Neither the token of an agent that is gone nor a name that a
    /// person gave a process, and that no agent has, opens anything: both were meant to limit the caller.
    pub fn ceiling(&self, identity: &Identity, today: &str) -> Ceiling {
        match (self.of(identity), identity) {
            (_, Identity::Person) => Ceiling::OPEN,
            (Some(agent), _) if agent.until.is_over(today) => Ceiling::CLOSED,
            (Some(agent), _) => agent.ceiling.clone(),
            (None, Identity::Proved(_) | Identity::Given(_)) => Ceiling::CLOSED,
            (None, _) => self.anyone.clone(),
        }
    }
}

/// The name of a client as it is shown: one that calls itself like SiYuan's own agent is marked as unknown.
pub fn shown_client(name: &str) -> Cow<'_, str> {
    if is_own(name) { format!("{name} (unknown caller)").into() } else { name.into() }
}

/// Whether a name is read as that of SiYuan's own agent.
fn is_own(name: &str) -> bool {
    plain(name) == plain(OWN_AGENT)
}

/// A name without case, blanks and marks: clients call themselves `claude-code` where a person writes `Claude Code`.
fn plain(name: &str) -> String {
    name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The ceiling in an object; what cannot be read lowers it.
fn ceiling(fields: &Map<String, Value>) -> Ceiling {
    let level = match fields.get(LEVEL) {
        None => Level::Delete,
        Some(it) => it.as_str().map_or(Level::None, Level::from_word),
    };
    let notebooks = match fields.get(NOTEBOOKS) {
        None | Some(Value::Null) => None,
        Some(Value::Array(ids)) => Some(ids.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
        Some(_) => Some(BTreeSet::new()),
    };
    Ceiling { level, notebooks }
}

#[cfg(test)]
mod tests;
