//! Notes on stderr for an answer in a pipe: fields that the bare rows or the bare text omit (B-099).

use puppy_core::output::Output;
use puppy_core::spec::ActionSpec;
use serde_json::{Map, Value};

use super::error_text::in_commands;
use super::names::{CURSOR, NEXT};
use super::people::{View, in_line, is_large, title};
use crate::words::{AnswerWords, colon, comma};

/// The fields that describe the rows or the text, and change nothing about them. `--header` prints them.
const DESCRIBING: [&str; 21] = [
    "blocks",
    "characters",
    "columns",
    "databases",
    "documents",
    "due",
    "hash",
    "hpath",
    "id",
    "items",
    "kind",
    "label",
    "new",
    "notebook",
    "old",
    "path",
    "pictures",
    "shown",
    "start",
    "title",
    "total",
];
/// Like [`DESCRIBING`], of a part.
const OF_A_PART: [&str; 2] = ["partial", "view"];
/// The titles that are like a search without hits.
const NEAR: &str = "near_titles";

/// Whether a field is printed as rows, and so needs no note.
pub(super) fn is_row(key: &str, value: &Value) -> bool {
    is_large(value) && !OF_A_PART.contains(&key) && !is_warning(key)
}

/// Whether a field says that the rows are not what was asked for, or not all of it.
pub(super) fn is_warning(key: &str) -> bool {
    key == NEAR || key == NEXT || key == "try" || sentence(key, String::new).is_some()
}

/// The notes about the fields of an answer that are not printed.
pub(super) fn notes(spec: &ActionSpec, output: &Output, view: &View) -> Vec<String> {
    let words = AnswerWords::here();
    let mut notes: Vec<String> = of_documents(spec, &output.data);
    let has_next = output.data.contains_key(NEXT);
    for (key, value) in &output.data {
        let said = || in_line(view, key, value);
        notes.extend(match key.as_str() {
            key if DESCRIBING.contains(&key) || OF_A_PART.contains(&key) => None,
            NEXT => Some(words.more_pages(format!("--{CURSOR} {}", said()))),
            "truncated" if has_next => None,
            "try" => Some(words.nothing_try(in_commands(&said(), Some(spec)))),
            NEAR => Some(words.nothing_similar(paths(value))),
            key => Some(match sentence(key, said) {
                Some(sentence) => sentence,
                None => format!("{}{}{}", title(key), colon(), said()),
            }),
        });
    }
    if !output.pictures.is_empty() {
        notes.push(words.pictures_left_out(output.pictures.len()));
    }
    notes.into_iter().map(|it| words.note(it)).collect()
}

/// The sentence for a field with its value.
fn sentence(key: &str, value: impl FnOnce() -> String) -> Option<String> {
    let words = AnswerWords::here();
    Some(match key {
        "missing" => words.missing(value()),
        "truncated" => words.truncated().to_owned(),
        "any_word" => words.any_word().to_owned(),
        "only_words" => words.only_words().to_owned(),
        "may_be_hidden" => words.may_be_hidden().to_owned(),
        "withheld" => words.withheld(value()),
        "ignored_conditions" => words.ignored_conditions(value()),
        "more_pictures" => words.more_pictures(value()),
        _ => return None,
    })
}

/// The documents of several that were not read to their end.
fn of_documents(spec: &ActionSpec, data: &Map<String, Value>) -> Vec<String> {
    let items =
        data.get("items").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
    let note = |item: &Map<String, Value>| {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        let (id, title) = (text("id")?, text("title").unwrap_or_default());
        match (text("error"), text(NEXT)) {
            (Some(error), _) => Some(format!("{title} ({id}){}{}", colon(), in_commands(error, Some(spec)))),
            (None, Some(next)) => {
                let more = AnswerWords::here().more_alone(format!("--{CURSOR} {next}"));
                Some(format!("{title} ({id}){}{more}", colon()))
            }
            (None, None) => None,
        }
    };
    items.filter_map(note).collect()
}

/// The paths of documents, or their titles.
fn paths(documents: &Value) -> String {
    let name =
        |it: &Value| ["hpath", "title"].iter().find_map(|key| it.get(*key)?.as_str().map(str::to_owned));
    let names: Vec<String> = documents.as_array().into_iter().flatten().filter_map(name).collect();
    names.join(comma())
}

#[cfg(test)]
mod tests {
    use puppy_core::find::action_named;
    use puppy_core::spec::Tool;
    use serde_json::json;

    use super::*;
    use crate::cli::print::for_pipes;

    fn printed(tool: Tool, action: &str, data: Value) -> (String, Vec<String>) {
        let Value::Object(data) = data else { panic!("no object") };
        let body = data.get("items").is_none().then(|| "A".to_owned());
        let output = Output { data, body, ..Output::default() };
        for_pipes(action_named(tool, action).unwrap(), &output, &View::default())
    }

    /// B-099: fields that change the meaning of the rows become notes. Fields that only describe them are left out.
    #[test]
    fn notes_say_what_rows_do_not() {
        let rows = json!([{ "title": "Basil" }]);
        for (data, due) in [
            (
                json!({ "items": rows, "total": 9, "truncated": true, "next": "2.10.0" }),
                "there is more. For the rest, add --cursor 2.10.0",
            ),
            (
                json!({ "items": rows, "truncated": true }),
                "there is more than this command can list. Narrow it down, for example to a notebook.",
            ),
            (
                json!({ "items": rows, "any_word": true }),
                "nothing contains all of these words. The results contain some of them.",
            ),
            (
                json!({ "items": rows, "only_words": true }),
                "nothing was found by meaning. The results contain the words themselves.",
            ),
            (
                json!({ "items": rows, "may_be_hidden": true }),
                "some of these may still exist, in notebooks at No access.",
            ),
            (json!({ "items": rows, "missing": ["Sage", "Mint"] }), "not found: Sage, Mint"),
            (
                json!({ "items": rows, "view": { "name": "All" }, "withheld": ["Bed"] }),
                "columns left out, because they may show notes in notebooks at No access: Bed",
            ),
            (json!({ "items": rows, "new_notebook_level": "r" }), "new notebook level: Read"),
        ] {
            let (text, notes) = printed(Tool::Search, "text", data);
            assert_eq!(
                (painted(&text), notes),
                (" title\n Basil\n".to_owned(), vec![format!("note: {due}")])
            );
        }
        let nothing =
            json!({ "items": [], "total": 0, "near_titles": [{ "id": "x", "hpath": "/Bas\u{202e}il" }] });
        assert_eq!(
            printed(Tool::Search, "text", nothing),
            (String::new(), vec!["note: nothing found. Similar titles: /Bas⟨U+202E⟩il".to_owned()])
        );
        let nothing = json!({ "items": [], "try": "the same call without `notebook`" });
        assert_eq!(
            printed(Tool::Search, "text", nothing).1,
            ["note: nothing found. Try the same call without --notebook."]
        );
    }

    /// B-099: of several documents, those that are not whole are named.
    #[test]
    fn documents_that_are_not_whole_are_named() {
        let items = json!([
            { "id": "1", "title": "Basil", "shown": 2 },
            { "id": "2", "title": "Mint", "next": "3", "truncated": true },
            { "id": "3", "title": "Sage", "error": "`section` must be a heading of this document." },
        ]);
        let output = Output::new().with("items", items).body("A".to_owned());
        let spec = action_named(Tool::Document, "read").unwrap();
        let (text, notes) = for_pipes(spec, &output, &View::default());
        let due = [
            "note: Mint (2): there is more. For the rest, read it on its own with --cursor 3",
            "note: Sage (3): --section must be a heading of this document.",
        ];
        assert_eq!((text.as_str(), notes), ("A\n", due.map(str::to_owned).to_vec()));
    }

    fn painted(text: &str) -> String {
        crate::cli::people::painted(text, false)
    }
}
