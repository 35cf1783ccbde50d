//! Turns flags into the arguments of a call, with `@file` and `@-` for long text (B-091).

use std::io::Read;

use clap::ArgMatches;
use puppy_core::spec::{ActionSpec, Kind, Param};
use serde_json::{Map, Value, json};

use super::flags::FIRST;
use super::names::flag;
use crate::words::ErrorWords;

/// The arguments given on the command line.
///
/// # Errors
/// Returns a sentence for the user if a value is not JSON or a file cannot be read.
pub(super) fn read(spec: &ActionSpec, matches: &ArgMatches) -> Result<Map<String, Value>, String> {
    let mut out = Map::new();
    let first = spec.positional().map(|it| it.name);
    for param in spec.params() {
        if out.contains_key(param.name) {
            continue;
        }
        if let Some(value) = value(&param, first == Some(param.name), matches)? {
            out.insert(param.name.to_owned(), value);
        }
    }
    if spec.has_preview() && matches.get_flag("preview") {
        out.insert("preview".to_owned(), json!(true));
    }
    Ok(out)
}

fn value(param: &Param, is_first: bool, matches: &ArgMatches) -> Result<Option<Value>, String> {
    if param.kind == Kind::Bool {
        return Ok(matches.get_one::<bool>(param.name).map(|it| json!(it)));
    }
    let first = || matches.try_get_many::<String>(FIRST).ok().flatten().filter(|_| is_first);
    let Some(given) = matches.get_many::<String>(param.name).or_else(first) else { return Ok(None) };
    let given: Vec<&String> = given.collect();
    let last = given.last().map(|it| it.as_str()).unwrap_or_default();
    Ok(Some(match param.kind {
        kind if kind.is_structured() => {
            let text = text(param, last)?;
            serde_json::from_str(&text)
                .map_err(|error| ErrorWords::here().no_json(format!("--{}", flag(param)), error))?
        }
        Kind::List { item, .. } => {
            let mut items = Vec::new();
            for given in given {
                items.append(&mut several(*item, param, given)?);
            }
            items.into()
        }
        kind => single(kind, param, last)?,
    }))
}

/// The items of one value of a list: JSON, or the lines of a file, or words between commas where none holds a comma.
fn several(item: Kind, param: &Param, given: &str) -> Result<Vec<Value>, String> {
    if let Some(Ok(Value::Array(items))) = given.starts_with('[').then(|| serde_json::from_str(given)) {
        return Ok(items);
    }
    // A file holds one text, but many of anything else.
    let is_text = matches!(item, Kind::Text { .. });
    if given.starts_with('@') && !is_text {
        let lines = text(param, given)?;
        let lines = lines.lines().map(str::trim).filter(|it| !it.is_empty());
        return lines.map(|line| single(item, param, line)).collect();
    }
    match item {
        Kind::Id | Kind::Tag | Kind::Choice(_) | Kind::Int { .. } => {
            given.split(',').map(|it| single(item, param, it.trim())).collect()
        }
        _ => Ok(vec![single(item, param, given)?]),
    }
}

fn single(kind: Kind, param: &Param, given: &str) -> Result<Value, String> {
    Ok(match kind {
        // A value that is not a number passes as text, and the action reports the expected type.
        Kind::Int { .. } => given.parse::<i64>().map_or_else(|_| json!(given), |number| json!(number)),
        Kind::Bool => json!(given == "true"),
        Kind::Text { .. } => json!(text(param, given)?),
        _ => json!(given),
    })
}

/// `@file` is the file's content, `@-` that of stdin, `@@x` the text `@x`.
fn text(param: &Param, given: &str) -> Result<String, String> {
    let Some(source) = given.strip_prefix('@') else { return Ok(given.to_owned()) };
    let failed =
        |error: std::io::Error| ErrorWords::here().unreadable(format!("--{}", flag(param)), given, error);
    match source {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(failed)?;
            Ok(text)
        }
        literal if literal.starts_with('@') => Ok(literal.to_owned()),
        path => std::fs::read_to_string(path).map_err(failed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_core::spec::{Needs, Presence};

    const fn param(kind: Kind) -> Param {
        Param {
            name: "edits",
            doc: "",
            kind,
            presence: Presence::Optional,
            needs: Needs::Nothing,
            read_by: &[],
            aliases: &[],
        }
    }

    fn parsed(kind: Kind, given: &[&str]) -> Result<Option<Value>, String> {
        let arg =
            clap::Arg::new("edits").long("edits").action(clap::ArgAction::Append).allow_hyphen_values(true);
        let line = std::iter::once("x").chain(given.iter().flat_map(|it| ["--edits", it]));
        value(&param(kind), false, &clap::Command::new("x").arg(arg).get_matches_from(line))
    }

    /// B-091: each kind of argument reads its flag.
    #[test]
    fn every_argument_kind_parses_its_flag() {
        const WORD: Kind = Kind::Text { min: 0, max: 9 };
        const LIST: Kind = Kind::List { item: &WORD, min: 1, max: 3 };
        assert_eq!(parsed(WORD, &["- a list"]), Ok(Some(json!("- a list"))));
        assert_eq!(parsed(WORD, &["@@mention"]), Ok(Some(json!("@mention"))));
        assert_eq!(parsed(Kind::Int { low: 0, high: 9 }, &["7"]), Ok(Some(json!(7))));
        assert_eq!(parsed(LIST, &["a", "b"]), Ok(Some(json!(["a", "b"]))));
        assert_eq!(
            parsed(LIST, &["a,b", r#"["c,d","e"]"#, "[f"]),
            Ok(Some(json!(["a,b", "c,d", "e", "[f"])))
        );
        const IDS: Kind = Kind::List { item: &Kind::Id, min: 1, max: 3 };
        assert_eq!(parsed(IDS, &["a, b", "c"]), Ok(Some(json!(["a", "b", "c"]))));
        const TAGS: Kind = Kind::List { item: &Kind::Tag, min: 1, max: 3 };
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "a,b\n\n c\n").unwrap();
        let from_file = format!("@{}", file.path().display());
        assert_eq!(parsed(TAGS, &[&from_file, "d,e"]), Ok(Some(json!(["a,b", "c", "d", "e"]))));
        assert_eq!(parsed(LIST, &[&from_file]), Ok(Some(json!(["a,b\n\n c\n"]))), "a text may have lines");
        assert_eq!(parsed(Kind::Attrs, &[r#"{"a":null}"#]), Ok(Some(json!({ "a": null }))));
        assert_eq!(parsed(WORD, &[]), Ok(None));
        assert!(parsed(Kind::Attrs, &["{"]).unwrap_err().contains("--edits-json"));
        assert!(parsed(WORD, &["@no such file"]).unwrap_err().contains("cannot be read"));
    }
}
