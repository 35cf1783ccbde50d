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
use crate::words::{ErrorWords, comma, gap, language};

/// The detail with the lines of a question that nobody could be asked, for people; programs have the plan.
pub(super) const QUESTION: &str = "question";

/// The call that failed.
#[derive(Debug, Clone, Copy)]
pub(super) struct SentCall<'a> {
    pub(super) spec: &'static ActionSpec,
    pub(super) arguments: &'a Map<String, Value>,
}

/// An error as it is printed.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ErrorText {
    /// The sentence.
    pub(super) message: String,
    /// The next steps, one per line.
    pub(super) lines: Vec<String>,
    /// Further facts by name.
    pub(super) details: Map<String, Value>,
}

/// The end of the sentence about a path that leads to nothing, and the details that are its guesses.
const NOTHING: &str = " matches no document that you may see.";
const NEAREST: &str = "nearest";
/// The detail with those of several ids that lead to nothing.
const MISSING: &str = "missing";
/// The beginning of the sentence about an id, and the middle of the one about a notebook.
const NO_ID: &str = "Nothing that you may see matches `";
const NO_NOTEBOOK: &str = " matches no notebook that you may see";

/// The error in the words of the command that was typed.
pub(super) fn error_text(error: &ToolError, sent: Option<&SentCall<'_>>) -> ErrorText {
    let words = ErrorWords::here();
    let mut details = error.details.clone();
    visible::show_all(&mut details);
    let question = details.shift_remove(QUESTION);
    if question.is_some() {
        // The question says what the plan says.
        details.retain(|key, _| !["danger", "plan"].contains(&key.as_str()));
    }
    // A person at a terminal can end the pause there.
    if error.kind == ErrorType::Paused {
        return ErrorText { message: words.paused().to_owned(), details, ..ErrorText::default() };
    }
    let hint = result::hint(error, Audience::Terminal);
    if let Some(mut nothing) = sent.and_then(|sent| nothing_there(error, sent)) {
        details.shift_remove(MISSING);
        let near = details.shift_remove(NEAREST).unwrap_or_default();
        let near: Vec<&str> = near.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if !near.is_empty() {
            nothing.message.push_str(gap());
            nothing.message.push_str(&words.did_you_mean(near.join(words.or())));
        }
        nothing.lines.splice(0..0, hint.map(|it| words.try_call(it)));
        return ErrorText { details, ..nothing };
    }
    let mut lines: Vec<String> = hint.map(|it| words.try_call(it)).into_iter().collect();
    if error.kind == ErrorType::PermissionDenied
        && let Some(message) = level_missing(&mut details)
    {
        return ErrorText { message, lines, details };
    }
    let of_core = in_commands(&error.message, sent.map(|it| it.spec));
    let message = match words.of_core(error) {
        None => of_core,
        Some((whole, true)) => whole,
        Some((beginning, false)) => {
            lines.insert(0, of_core);
            beginning
        }
    };
    let question = question.iter().filter_map(Value::as_array).flatten().filter_map(Value::as_str);
    lines.extend(question.map(str::to_owned));
    ErrorText { message, lines, details }
}

/// The words for a level that is missing, without the details that they say; `None` if these are others.
fn level_missing(details: &mut Map<String, Value>) -> Option<String> {
    let words = ErrorWords::here();
    let level = |fields: &Map<String, Value>, key: &str| language().level_of(fields.get(key)?.as_str()?);
    let required = level(details, "required")?;
    let named = |it: &Value| it.get("name").and_then(Value::as_str).map(str::to_owned);
    let says = match (details.get("notebook"), details.get("notebooks").and_then(Value::as_array)) {
        (Some(notebook), None) => words.needs_here(required, named(notebook)?, level(details, "level")?),
        (None, Some(all)) => {
            let each =
                all.iter().map(|it| Some(words.notebook_at(named(it)?, level(it.as_object()?, "level")?)));
            words.needs_everywhere(required, each.collect::<Option<Vec<_>>>()?.join(comma()))
        }
        (None, None) => words.needs_somewhere(required),
        (Some(_), Some(_)) => return None,
    };
    for key in ["required", "notebook", "notebooks", "level"] {
        details.shift_remove(key);
    }
    Some(format!("{says}{}{}", gap(), words.raise()))
}

/// The words for a path, an id or a notebook that leads to nothing.
fn nothing_there(error: &ToolError, sent: &SentCall<'_>) -> Option<ErrorText> {
    if error.kind != ErrorType::NotFound {
        return None;
    }
    let words = ErrorWords::here();
    if let Some(rest) = error.message.strip_prefix(NO_ID) {
        let name = rest.split_once('`')?.0;
        let value = match error.details.get(MISSING).or(sent.arguments.get(name))? {
            Value::Array(all) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            one => one.as_str()?.to_owned(),
        };
        let param = sent.spec.params().find(|it| it.name == name)?;
        let message = words.no_thing(format!("--{}", flag(&param)), value);
        return Some(ErrorText { message, ..ErrorText::default() });
    }
    let (name, behind) = error.message.strip_prefix('`')?.split_once('`')?;
    let path = sent.arguments.get(name)?.as_str()?;
    if behind.starts_with(NO_NOTEBOOK) {
        let list = words.list_call(result::as_command(Tool::Notebook, "list", &Map::new()));
        return Some(ErrorText {
            message: words.no_notebook(path),
            lines: vec![list],
            ..ErrorText::default()
        });
    }
    let rest = behind.strip_prefix(NOTHING)?;
    let lines = place_in(rest).map(|(top, _)| {
        let arguments = Map::from_iter([("path".to_owned(), json!(top))]);
        ErrorWords::here().list_call(result::as_command(Tool::Fs, "list", &arguments))
    });
    Some(ErrorText {
        message: ErrorWords::here().no_document(path),
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
            let option = format!("--{}", flag(&param));
            text = text.replace(&format!("`{}`", param.name), &option);
            // The first value of a list: the option stands once for each.
            text = text.replace(&format!("`{}[0]`", param.name), &option);
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

    fn sent(tool: Tool, action: &str, arguments: &Value, error: &ToolError) -> ErrorText {
        let spec = action_named(tool, action).unwrap();
        error_text(error, Some(&SentCall { spec, arguments: arguments.as_object().unwrap() }))
    }

    /// B-086: a person reads commands and options.
    #[test]
    fn errors_are_told_in_commands_and_options() {
        let mut error = ToolError::not_found();
        error.message =
            "`path` matches no document that you may see. fs.list with path \"/Garden beds\" shows what is \
                         there; `nearest` has similar paths."
                .to_owned();
        let error = error.with("nearest", json!(["/Garden beds/Welcome"]));
        let text = sent(Tool::Fs, "read", &json!({ "path": "/Garden beds/Welcme" }), &error);
        let due = "No such document: /Garden beds/Welcme. Did you mean /Garden beds/Welcome?";
        assert_eq!((text.message.as_str(), text.details.len()), (due, 0));
        assert_eq!(text.lines, ["List: siyuan-puppy fs list '/Garden beds'"]);
        let mut error = ToolError::not_found();
        for (message, due) in [
            ("fs.tree: `depth` must be a whole number.", "--depth must be a whole number."),
            ("`path[0]` must be an id.", "--path must be an id."),
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
