//! The file of agents as a person changes it: agent by agent, with the rest of the file kept.

use serde_json::{Map, Value, json};

use super::{
    AGENTS, AGENTS_FILE, ANYONE, AgentColor, Agents, COLOR, LEVEL, LONGEST_NAME, MOST_AGENTS, NAME,
    NOTEBOOKS, UNTIL, is_day, is_own, plain,
};
use crate::grants::{Ceiling, Closed};
use crate::kernel::{Kernel, files};
use crate::strict;

/// A change of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentChange {
    /// Adds an agent, or replaces everything that is set of one.
    Set {
        /// Its id; made by [`AgentsFile::new_id`].
        id: String,
        /// Its name.
        name: String,
        /// Its colour.
        color: AgentColor,
        /// Its ceiling.
        ceiling: Ceiling,
        /// Its last day, as `2026-12-31`; empty for none.
        until: String,
    },
    /// Removes an agent.
    Remove(String),
    /// Gives an agent another id, which ends its tokens on every machine.
    NewId {
        /// Its present id.
        from: String,
        /// Its id from now on; made by [`AgentsFile::new_id`].
        to: String,
    },
    /// Sets the ceiling of callers that are no agent of the file.
    Anyone(Ceiling),
}

/// The reason why a change was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentRefusal {
    /// The name is empty, or has no letter or digit.
    NoName,
    /// The name is longer than [`LONGEST_NAME`].
    LongName,
    /// Another agent has a name that is read as the same, or SiYuan's own agent has.
    SameName,
    /// The last day is no day.
    NoDay,
    /// There are [`MOST_AGENTS`] agents.
    TooMany,
}

/// The file as a person changes it; everything else in it is kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgentsFile(Map<String, Value>);

impl AgentsFile {
    /// Reads the file; `None` where [`Agents::parse`] reads nothing either.
    pub fn parse(bytes: &[u8]) -> Option<AgentsFile> {
        Agents::parse(bytes)?;
        strict::object(bytes).map(AgentsFile)
    }

    /// Reads the file; an empty one if there is none.
    ///
    /// # Errors
    /// Returns the reason why the agents are unknown.
    pub async fn read(kernel: &dyn Kernel) -> Result<AgentsFile, Closed> {
        let file = files::read(kernel, &files::stored(AGENTS_FILE)).await.map_err(Closed::Kernel)?;
        let parsed = file.map(|bytes| AgentsFile::parse(&bytes).ok_or(Closed::Malformed(AGENTS_FILE)));
        parsed.unwrap_or_else(|| Ok(AgentsFile::default()))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Returns the reason why nothing was changed.
    pub async fn write(&self, kernel: &dyn Kernel) -> Result<(), Closed> {
        let text = self.to_json().into_bytes();
        files::write(kernel, &files::stored(AGENTS_FILE), text).await.map_err(Closed::Kernel)
    }

    /// The agents in it.
    pub fn agents(&self) -> Agents {
        // A file that was parsed before parses again, and a change keeps the shape.
        Agents::parse(self.to_json().as_bytes()).unwrap_or_default()
    }

    /// An id for a new agent, of eight letters and digits, from random bits.
    pub fn new_id(random: u64) -> String {
        const DIGITS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
        let digit = |at: u32| {
            let place = usize::try_from(random >> (5 * at) & 31).unwrap_or_default();
            DIGITS.get(place).copied().map_or('a', char::from)
        };
        (0..8).map(digit).collect()
    }

    /// Makes a change.
    ///
    /// # Errors
    /// Returns the reason why the file is as it was.
    pub fn change(&mut self, change: AgentChange) -> Result<(), AgentRefusal> {
        match change {
            AgentChange::Anyone(ceiling) => {
                let kept = self.0.get(ANYONE).and_then(Value::as_object).cloned().unwrap_or_default();
                self.0.insert(ANYONE.to_owned(), Value::Object(with_ceiling(kept, &ceiling)));
            }
            AgentChange::Remove(id) => {
                if let Some(agents) = self.0.get_mut(AGENTS).and_then(Value::as_object_mut) {
                    agents.shift_remove(&id);
                }
            }
            AgentChange::NewId { from, to } => {
                if let Some(agents) = self.0.get_mut(AGENTS).and_then(Value::as_object_mut)
                    && let Some(agent) = agents.shift_remove(&from)
                {
                    agents.insert(to, agent);
                }
            }
            AgentChange::Set { id, name, color, ceiling, until } => {
                let name = name.trim();
                self.check(&id, name, &until)?;
                let agents = self.0.entry(AGENTS).or_insert_with(|| json!({}));
                let Some(agents) = agents.as_object_mut() else { return Ok(()) };
                let kept = agents.get(&id).and_then(Value::as_object).cloned().unwrap_or_default();
                let mut fields = with_ceiling(kept, &ceiling);
                fields.insert(NAME.to_owned(), Value::from(name));
                fields.insert(COLOR.to_owned(), Value::from(color.word()));
                match until.as_str() {
                    "" => fields.shift_remove(UNTIL),
                    day => fields.insert(UNTIL.to_owned(), Value::from(day)),
                };
                agents.insert(id, Value::Object(fields));
            }
        }
        Ok(())
    }

    fn check(&self, id: &str, name: &str, until: &str) -> Result<(), AgentRefusal> {
        let known = self.agents();
        let read_as = plain(name);
        if read_as.is_empty() {
            return Err(AgentRefusal::NoName);
        }
        if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            return Err(AgentRefusal::LongName);
        }
        if is_own(name) || known.named().any(|it| it.id != id && plain(&it.name) == read_as) {
            return Err(AgentRefusal::SameName);
        }
        if !until.is_empty() && !is_day(until) {
            return Err(AgentRefusal::NoDay);
        }
        if known.get(id).is_none() && known.named().count() >= MOST_AGENTS {
            return Err(AgentRefusal::TooMany);
        }
        Ok(())
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}

fn with_ceiling(mut fields: Map<String, Value>, ceiling: &Ceiling) -> Map<String, Value> {
    fields.insert(LEVEL.to_owned(), Value::from(ceiling.level.word()));
    match &ceiling.notebooks {
        None => fields.shift_remove(NOTEBOOKS),
        Some(ids) => fields.insert(NOTEBOOKS.to_owned(), json!(ids)),
    };
    fields
}
