//! A note in a pipe or a file: all of it, as SiYuan has it, or nothing (B-099).

use puppy_core::content::window::Cursor;
use puppy_core::error::ToolError;
use puppy_core::output::Output;
use puppy_core::spec::{ActionSpec, Kind, Tool};
use serde_json::{Map, Value};

use super::names::NEXT;
use crate::words::ErrorWords;

/// The arguments that bound a page.
const SIZES: [&str; 2] = ["limit", "budget"];
/// The arguments that ask for something else than one note.
const PARTS: [&str; 2] = ["tail", "ids"];
/// The fields that describe a page, not the note.
const OF_A_PAGE: [&str; 3] = ["shown", "truncated", "partial"];

/// Whether a call reads a note and says nowhere how much of it.
pub(super) fn is_wanted(spec: &ActionSpec, arguments: &Map<String, Value>) -> bool {
    is_note(spec) && !SIZES.iter().chain(&PARTS).any(|it| arguments.contains_key(*it))
}

fn is_note(spec: &ActionSpec) -> bool {
    spec.name == "read" && matches!(spec.tool, Tool::Fs | Tool::Document)
}

/// Makes the pages as large as they can be: SiYuan sends the whole note for each.
pub(super) fn widen(spec: &ActionSpec, arguments: &mut Map<String, Value>) {
    for param in spec.params().filter(|it| SIZES.contains(&it.name)) {
        if let Kind::Int { high, .. } = param.kind {
            arguments.insert(param.name.to_owned(), Value::from(high));
        }
    }
}

/// Removes the sizes that [`widen`] adds from the call that an error suggests: a person did not type them.
pub(super) fn narrow(spec: &ActionSpec, error: &mut ToolError) {
    let Some(example) = error.example.as_mut().filter(|_| is_note(spec)) else { return };
    let mut widest = Map::new();
    widen(spec, &mut widest);
    example.arguments.retain(|name, value| widest.get(name) != Some(value));
}

/// The pages read so far.
#[derive(Debug, Default)]
pub(super) struct Whole {
    output: Option<Output>,
    /// Whether the last page ends inside a block.
    is_split: bool,
}

impl Whole {
    /// Adds a page, and returns the cursor of the next one.
    ///
    /// # Errors
    /// Returns a conflict if the note is another one than before.
    pub(super) fn add(&mut self, mut page: Output) -> Result<Option<Value>, ToolError> {
        let next = page.data.shift_remove(NEXT);
        OF_A_PAGE.iter().for_each(|it| drop(page.data.shift_remove(*it)));
        let is_split = std::mem::replace(&mut self.is_split, next.as_ref().is_some_and(is_inside));
        let Some(so_far) = &mut self.output else {
            self.output = Some(page);
            return Ok(next);
        };
        if so_far.data.get("hash") != page.data.get("hash") {
            return Err(ToolError::conflict(ErrorWords::here().note_changed()));
        }
        let body = so_far.body.get_or_insert_default();
        if !is_split {
            body.push_str("\n\n");
        }
        body.push_str(page.body.as_deref().unwrap_or_default());
        so_far.pictures.extend(page.pictures);
        Ok(next)
    }

    /// The note.
    pub(super) fn into_output(self) -> Output {
        self.output.unwrap_or_default()
    }
}

/// Whether a cursor points inside a block.
fn is_inside(cursor: &Value) -> bool {
    cursor.as_str().and_then(|it| it.parse::<Cursor>().ok()).is_some_and(|it| it.char > 0)
}

#[cfg(test)]
mod tests {
    use puppy_core::error::Example;
    use puppy_core::find::action_named;
    use serde_json::json;

    use super::*;

    fn page(body: &str, hash: &str, next: Option<&str>) -> Output {
        Output::new().with("hash", hash).with("next", next).with("truncated", true).body(body.to_owned())
    }

    /// B-099: blocks are separated by a blank line, and the parts of one block by nothing.
    #[test]
    fn pages_are_joined_as_they_were_cut() {
        let mut note = Whole::default();
        assert_eq!(note.add(page("A\n\nB", "1", Some("2"))), Ok(Some(json!("2"))));
        assert_eq!(note.add(page("```\nC\n", "1", Some("2.6"))), Ok(Some(json!("2.6"))));
        assert_eq!(note.add(page("D\n```", "1", Some("3"))), Ok(Some(json!("3"))));
        assert_eq!(note.add(page("E", "1", None)), Ok(None));
        let due = Output::new().with("hash", "1").body("A\n\nB\n\n```\nC\nD\n```\n\nE".to_owned());
        assert_eq!(note.into_output(), due);
    }

    /// A note that changes between two pages would be a mixture of both.
    #[test]
    fn note_that_changes_is_refused() {
        let mut note = Whole::default();
        note.add(page("A", "1", Some("1"))).unwrap();
        assert!(note.add(page("B", "2", None)).is_err());
    }

    #[test]
    fn pages_are_as_large_as_they_can_be() {
        let spec = action_named(Tool::Document, "read").unwrap();
        let mut arguments = Map::from_iter([("id".to_owned(), json!("x"))]);
        assert!(is_wanted(spec, &arguments));
        widen(spec, &mut arguments);
        assert_eq!(json!(arguments), json!({ "id": "x", "limit": 500, "budget": 32_000 }));
        assert!(!is_wanted(spec, &arguments));
        let mut error = ToolError::not_found();
        error.example = Some(Example { tool: spec.tool, action: spec.name, arguments });
        narrow(spec, &mut error);
        assert_eq!(json!(error.example.unwrap().arguments), json!({ "id": "x" }), "the call as it was typed");
        assert!(!is_wanted(action_named(Tool::Fs, "tree").unwrap(), &Map::new()));
    }
}
