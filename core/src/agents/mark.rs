//! The mark of an agent, by which everything that shows a caller names it.

use serde::{Deserialize, Serialize};

use super::AgentColor;

/// An agent as it is shown: in the record of calls, in questions, in the ledger and by the puppy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentMark {
    /// Its name.
    pub name: String,
    /// Its colour.
    #[serde(default)]
    pub color: AgentColor,
    /// Whether its own token proved it. A name alone proves nothing.
    #[serde(default)]
    pub is_proved: bool,
}

impl AgentMark {
    /// The name of a caller: that of its agent, or the one that its client gave itself.
    pub fn caller<'a>(agent: Option<&'a AgentMark>, client: &'a str) -> &'a str {
        agent.map_or(client, |it| &it.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of another version is read with what this one knows.
    #[test]
    fn a_mark_is_written_with_the_word_of_its_color() {
        let mark = AgentMark { name: "Ada".to_owned(), color: AgentColor::Gold, is_proved: true };
        let text = r#"{"name":"Ada","color":"gold","is_proved":true}"#;
        assert_eq!(serde_json::to_string(&mark).unwrap(), text);
        assert_eq!(serde_json::from_str::<AgentMark>(text).unwrap(), mark);
        let newer = serde_json::from_str::<AgentMark>(r#"{"name":"Ada","color":"mauve","mood":1}"#).unwrap();
        assert_eq!(newer, AgentMark { color: AgentColor::default(), is_proved: false, ..mark });
    }
}
