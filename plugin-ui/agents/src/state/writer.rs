//! The writer of a block, as `block.info` tells it.

use puppy_ui_web::words::runs::RunsWords;
use puppy_ui_web::words::{actions, fill};
use serde::Deserialize;
use serde_json::Value;

use super::list::{maker, when};

/// The writer of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Writer {
    by: String,
    at: String,
    /// The run, if one wrote it.
    pub run: String,
    action: String,
}

impl Writer {
    /// Reads the answer of `block.info`; `None` where no run changed the block.
    pub fn of(mut data: Value) -> Option<Writer> {
        let writer = data.get_mut("writer")?.take();
        serde_json::from_value(writer).ok().filter(|it: &Writer| !it.by.is_empty())
    }

    /// The sentence for a person.
    pub fn sentence(&self, words: &RunsWords, lang: &str, today: &str) -> String {
        if self.run.is_empty() {
            return words.wrote_since.to_owned();
        }
        let (by, at) = (maker(&self.by, words), when(&self.at, today));
        let action = actions::title(lang, &self.action);
        fill(words.wrote, &[("name", &by), ("time", &at), ("action", &action)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_writer_is_an_agent_a_person_or_unknown() {
        let words = RunsWords::of("en");
        let said = |data: Value| Writer::of(data).map(|it| it.sentence(words, "en", "2026-11-27"));
        let agent = json!({ "writer": { "by": "Claude", "at": "2026-11-27T14:20:11Z", "run": "r", "action": "block.update" } });
        assert_eq!(said(agent).unwrap(), "Claude, 14:20: Blocks › update");
        assert_eq!(said(json!({ "writer": { "by": "a person" } })).unwrap(), words.wrote_since);
        assert_eq!((said(json!({ "id": "b" })), said(json!({ "writer": 7 }))), (None, None));
    }
}
