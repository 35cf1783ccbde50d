//! The results of a change to several things, part by part, in one shape for every action (B-036).

use serde_json::Value;

use crate::error::ToolError;
use crate::output::{Failed, Output, Reply};

/// The parts that were done, that failed, and that needed no change.
#[derive(Debug, Default)]
pub struct Done {
    did: Vec<Value>,
    failed: Vec<Failed>,
    unchanged: Vec<String>,
    /// The error of the first part that failed.
    error: Option<ToolError>,
}

impl Done {
    /// An empty result.
    pub fn new() -> Done {
        Done::default()
    }

    /// Adds the result of one part.
    pub fn each<T>(&mut self, id: &str, result: Result<T, ToolError>, tell: impl FnOnce(T) -> Value) {
        match result {
            Ok(it) => self.did.push(tell(it)),
            Err(error) => {
                self.error.get_or_insert_with(|| error.clone());
                self.failed.push(Failed::new(error).id(id));
            }
        }
    }

    /// Adds a part that was done.
    pub fn did(&mut self, row: Value) {
        self.did.push(row);
    }

    /// Adds a failure that concerns only a part of something that was done.
    pub fn failed(&mut self, failed: Failed) {
        self.failed.push(failed);
    }

    /// Adds a part that needed no change.
    pub fn unchanged(&mut self, id: &str) {
        self.unchanged.push(id.to_owned());
    }

    /// Whether anything was changed, or may have been.
    pub fn changed(&self) -> bool {
        !self.did.is_empty() || !self.failed.is_empty()
    }

    /// The answer, with the done parts under this key. If the only part failed, its error is that of the call.
    pub fn reply(self, key: &str) -> Reply {
        let Done { did, failed, unchanged, error } = self;
        match error {
            Some(error) if did.is_empty() && unchanged.is_empty() && failed.len() == 1 => Err(error),
            _ => Ok(Output::new().with(key, did).list("unchanged", unchanged).failed(failed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn done(parts: [(&str, bool); 2]) -> Done {
        let mut done = Done::new();
        for (id, is_done) in parts {
            let result = if is_done { Ok(id) } else { Err(ToolError::conflict("It is locked.")) };
            done.each(id, result, |id| json!({ "id": id }));
        }
        done
    }

    #[test]
    fn done_and_failed_parts_are_reported_separately() {
        let mut some = done([("a", true), ("b", false)]);
        some.unchanged("c");
        let expected = json!({
            "removed": [{ "id": "a" }],
            "unchanged": ["c"],
            "failed": [{ "id": "b", "error": "It is locked." }],
        });
        assert_eq!(Value::Object(some.reply("removed").unwrap().data), expected);
        let all = done([("a", true), ("b", true)]).reply("removed").unwrap().data;
        assert_eq!(Value::Object(all), json!({ "removed": [{ "id": "a" }, { "id": "b" }] }));
    }

    #[test]
    fn single_failed_part_becomes_the_error() {
        let mut one = Done::new();
        one.each("a", Err::<(), _>(ToolError::not_found()), |()| Value::Null);
        assert_eq!(one.reply("removed").unwrap_err(), ToolError::not_found());
        // With several parts, the answer names the failed one.
        let both = done([("a", false), ("b", false)]).reply("removed").unwrap().data;
        assert_eq!((both["removed"].clone(), both["failed"].as_array().map(Vec::len)), (json!([]), Some(2)));
    }
}
