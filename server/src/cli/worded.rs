//! Errors in the words of a person at a terminal: commands and options instead of tools and arguments (B-086).
//!
//! The core words its errors for agents. Here each name that is code in them, such as `path` or fs.list, is said as it
//! is typed; what an agent reads in a detail is a sentence.

use puppy_core::error::{ErrorType, ToolError};
use puppy_core::registry::ACTIONS;
use puppy_core::render::result::{self, Audience};
use puppy_core::spec::{ActionSpec, Tool};
use puppy_core::visible;
use serde_json::{Map, Value, json};

use super::names::{NAME, flag, hyphens};

/// The call that failed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent<'a> {
    pub(super) spec: &'static ActionSpec,
    pub(super) arguments: &'a Map<String, Value>,
}

/// An error as it is printed.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Worded {
    /// The sentence.
    pub(super) message: String,
    /// The next steps, one per line.
    pub(super) lines: Vec<String>,
    /// Further facts by name.
    pub(super) details: Map<String, Value>,
}

/// The end of the sentence about a path that leads to nothing, and the details that are its guesses.
const NOTHING: &str = " leads to nothing that you may see.";
const NEAREST: &str = "nearest";

/// The error in the words of the command that was typed.
pub(super) fn worded(error: &ToolError, sent: Option<&Sent<'_>>) -> Worded {
    let mut details = error.details.clone();
    visible::show_all(&mut details);
    // A person at a terminal can end the pause there.
    if error.kind == ErrorType::Paused {
        return Worded {
            message: format!("Agents are paused. Run `{NAME} resume` to end the pause."),
            details,
            ..Worded::default()
        };
    }
    let hint = result::hint(error, Audience::Terminal);
    if let Some(mut nothing) = sent.and_then(|sent| nothing_there(error, sent)) {
        let near = details.shift_remove(NEAREST).unwrap_or_default();
        let near: Vec<&str> = near.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if !near.is_empty() {
            nothing.message.push_str(&format!(" Did you mean {}?", near.join(" or ")));
        }
        nothing.lines.splice(0..0, hint.map(|it| format!("Try: {it}")));
        return Worded { details, ..nothing };
    }
    let message = in_commands(&error.message, sent.map(|it| it.spec));
    Worded { message, lines: hint.map(|it| format!("Try: {it}")).into_iter().collect(), details }
}

/// The words for a path that leads to nothing.
fn nothing_there(error: &ToolError, sent: &Sent<'_>) -> Option<Worded> {
    let rest = error.message.strip_prefix('`').filter(|_| error.kind == ErrorType::NotFound)?;
    let (name, behind) = rest.split_once('`')?;
    let path = sent.arguments.get(name)?.as_str()?;
    let rest = behind.strip_prefix(NOTHING)?;
    let lines = place_in(rest).map(|(top, _)| {
        let arguments = Map::from_iter([("path".to_owned(), json!(top))]);
        format!("List: {}", result::as_command(Tool::Fs, "list", &arguments))
    });
    Some(Worded {
        message: format!("No such document: {path}."),
        lines: lines.into_iter().collect(),
        details: Map::new(),
    })
}

/// The path in ` with path "/Garden"`, and what stands behind it.
fn place_in(text: &str) -> Option<(String, &str)> {
    let (_, behind) = text.split_once(" with path ")?;
    let mut values = serde_json::Deserializer::from_str(behind).into_iter::<String>();
    let path = values.next()?.ok()?;
    behind.get(values.byte_offset()..).map(|rest| (path, rest))
}

/// The sentence with each action as its command, and each argument of the action as its option.
pub(super) fn in_commands(message: &str, spec: Option<&ActionSpec>) -> String {
    let mut text = message.to_owned();
    if let Some(spec) = spec {
        if let Some(rest) = text.strip_prefix(&format!("{}: ", spec.path())) {
            text = rest.to_owned();
        }
        for param in spec.params() {
            text = text.replace(&format!("`{}`", param.name), &format!("--{}", flag(&param)));
        }
    }
    for spec in ACTIONS {
        text =
            replaced(&text, &spec.path(), &format!("`{NAME} {} {}`", spec.tool.name(), hyphens(spec.name)));
    }
    text
}

/// Replaces a name wherever it stands as a word of its own.
fn replaced(text: &str, name: &str, by: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '/' | '`' | '-');
    while let Some(at) = rest.find(name) {
        let (before, behind) =
            (rest.get(..at).unwrap_or_default(), rest.get(at + name.len()..).unwrap_or_default());
        // A full stop behind a name ends a sentence; before a name it makes a longer one.
        let goes_on = behind.chars().next().is_some_and(|it| is_part(it) && it != '.');
        let is_word = !before.ends_with(is_part) && !goes_on;
        out.push_str(before);
        out.push_str(if is_word { by } else { name });
        rest = behind;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use puppy_core::find::action_named;

    use super::*;

    fn sent(tool: Tool, action: &str, arguments: &Value, error: &ToolError) -> Worded {
        let spec = action_named(tool, action).unwrap();
        worded(error, Some(&Sent { spec, arguments: arguments.as_object().unwrap() }))
    }

    /// B-086: a person reads commands and options.
    #[test]
    fn errors_are_told_in_commands_and_options() {
        let mut error = ToolError::not_found();
        error.message =
            "`path` leads to nothing that you may see. fs.list with path \"/Garden beds\" shows what is \
                         there; `nearest` has paths that are like it."
                .to_owned();
        let error = error.with("nearest", json!(["/Garden beds/Welcome"]));
        let told = sent(Tool::Fs, "read", &json!({ "path": "/Garden beds/Welcme" }), &error);
        let due = "No such document: /Garden beds/Welcme. Did you mean /Garden beds/Welcome?";
        assert_eq!((told.message.as_str(), told.details.len()), (due, 0));
        assert_eq!(told.lines, ["List: siyuan-puppy fs list '/Garden beds'"]);
        let mut error = ToolError::not_found();
        for (message, due) in [
            ("fs.tree: `depth` must be a whole number.", "--depth must be a whole number."),
            (
                "Ids come from answers of document.search, fs.list: look there. See /a/fs.list and `edits-json`.",
                "Ids come from answers of `siyuan-puppy document search`, `siyuan-puppy fs list`: look there. See \
                 /a/fs.list and `edits-json`.",
            ),
        ] {
            error.message = message.to_owned();
            assert_eq!(sent(Tool::Fs, "tree", &json!({}), &error).message, due);
        }
        let paused = sent(Tool::Fs, "tree", &json!({}), &ToolError::paused());
        assert_eq!(paused.message, "Agents are paused. Run `siyuan-puppy resume` to end the pause.");
    }
}
