//! The caller's own call with its mistakes mended, as far as the call itself says what was meant (B-081).
//!
//! Nothing is made up: a value that cannot be known is a placeholder in angle brackets.

use serde_json::{Map, Value, json};

use crate::args::{MOST_UNKNOWN, Problem, nearest, snake_case};
use crate::error::{ErrorType, Example, ToolError};
use crate::id::{AssetPath, is_node_id};
use crate::path::WorkspacePath;
use crate::spec::{ActionSpec, Kind, Param, Presence, Slot};

/// The error for arguments that do not decode: it names every bad field and carries the mended call.
pub(crate) fn wrong_arguments(
    spec: &'static ActionSpec,
    given: &Map<String, Value>,
    problems: Vec<Problem>,
    advice: &str,
) -> ToolError {
    let sentence = Problem::sentence(&problems);
    let params: Vec<Param> = spec.params().collect();
    let mut arguments = renamed(&params, given);
    for param in &params {
        let Some(value) = arguments.get_mut(param.name) else { continue };
        if !given.contains_key(param.name) {
            // Nobody has looked at what was sent under a misspelt name.
            *value = mended(param.kind, value);
            continue;
        }
        let own = |it: &&Problem| it.field.split(['.', '[']).next() == Some(param.name);
        let shared = |it: &Problem| it.field.split('|').any(|name| name == param.name);
        let mut problems_here = problems.iter().filter(own).peekable();
        // A valid argument needs no correction.
        if problems_here.peek().is_none() && !problems.iter().any(shared) {
            continue;
        }
        let mended = mended(param.kind, value);
        let is_text = matches!(param.kind, Kind::Text { .. });
        let says_nothing = is_text && problems_here.peek().is_some() && mended == placeholder(param.kind);
        if mended != *value && !says_nothing {
            *value = mended;
            continue;
        }
        // A mistake that the kind does not show: the description of a right value stands where it was made.
        for problem in problems_here {
            put_at(&mut arguments, &problem.field, json!(format!("<{}>", problem.expected)));
        }
    }
    drop_second_groups(spec, &mut arguments);
    complete(spec, &mut arguments);
    ToolError {
        fields: problems,
        example: Some(Example { tool: spec.tool, action: spec.name, arguments }),
        ..ToolError::new(ErrorType::Validation, format!("{}: {sentence}{advice}", spec.path()))
    }
}

/// The arguments with each misspelt name mended; what is no argument at all is left out, as the error says.
fn renamed(params: &[Param], given: &Map<String, Value>) -> Map<String, Value> {
    let declared = |name: &str| params.iter().any(|it| it.name == name);
    let mut out: Map<String, Value> = given
        .iter()
        .filter(|(name, _)| declared(name))
        .map(|(name, it)| (name.clone(), it.clone()))
        .collect();
    // As many as the error names.
    for (name, value) in given.iter().filter(|(name, _)| !declared(name)).take(MOST_UNKNOWN) {
        if let Some(near) = nearest(name, params.iter().map(|it| it.name)) {
            out.entry(near).or_insert_with(|| value.clone());
        }
    }
    out
}

/// Adds the missing arguments as placeholders: every required one, and those of the first group where no group was
/// sent.
fn complete(spec: &ActionSpec, out: &mut Map<String, Value>) {
    for slot in spec.slots {
        let params = match slot {
            Slot::One(param) => std::slice::from_ref(param),
            Slot::OneOf(groups, _) => {
                let sent = groups.iter().find(|group| group.iter().any(|param| out.contains_key(param.name)));
                sent.or(groups.first()).copied().unwrap_or_default()
            }
        };
        for param in params.iter().filter(|param| param.presence == Presence::Required) {
            out.entry(param.name).or_insert_with(|| placeholder(param.kind));
        }
    }
}

/// Stands for a value of a kind.
fn placeholder(kind: Kind) -> Value {
    match kind {
        Kind::Text { .. } => json!("<text>"),
        Kind::NotebookRef => json!("<id or name of a notebook>"),
        Kind::Path => json!("</Notebook/Folder/Doc>"),
        Kind::Tag => json!("<tag>"),
        Kind::Asset => json!("<assets/name.ext>"),
        Kind::Cell => json!("<value>"),
        Kind::Id => json!("<id>"),
        Kind::Int { low, high } => json!(format!("<{low} to {high}>")),
        Kind::Bool => json!("<true or false>"),
        Kind::Choice(words) => json!(format!("<{}>", words.join("|"))),
        Kind::List { item, .. } => json!([placeholder(*item)]),
        Kind::Record(params) => {
            let due = params.iter().filter(|it| it.presence == Presence::Required);
            Value::Object(due.map(|it| (it.name.to_owned(), placeholder(it.kind))).collect())
        }
        Kind::Attrs => json!({ "<name>": "<text>" }),
        Kind::Object => json!({ "<name>": "<value>" }),
    }
}

/// The value as its kind would have it; a placeholder for what cannot be known.
fn mended(kind: Kind, value: &Value) -> Value {
    match (kind, value) {
        (Kind::List { item, max, .. }, Value::Array(all)) if all.len() <= max => {
            all.iter().map(|it| mended(*item, it)).collect()
        }
        // Nobody knows which items to leave out.
        (Kind::List { .. }, Value::Array(_)) => placeholder(kind),
        (Kind::Record(params), Value::Object(fields)) => {
            let mut fields = renamed(params, fields);
            for param in params {
                match fields.get_mut(param.name) {
                    Some(field) => *field = mended(param.kind, field),
                    None if param.presence == Presence::Required => {
                        fields.insert(param.name.to_owned(), placeholder(param.kind));
                    }
                    None => {}
                }
            }
            Value::Object(fields)
        }
        _ if fits(kind, value) => value.clone(),
        _ => converted(kind, value).unwrap_or_else(|| placeholder(kind)),
    }
}

/// A value of another type, or in another spelling, as its kind would have it.
fn converted(kind: Kind, value: &Value) -> Option<Value> {
    let text = value.as_str().map(str::trim);
    let json =
        text.and_then(|it| serde_json::from_slice(it.as_bytes()).ok()).filter(|it: &Value| !it.is_string());
    let converted = match kind {
        Kind::Int { low, high } => match json.as_ref().unwrap_or(value) {
            Value::Number(number) => {
                json!(number.as_i64().or(number.as_f64().map(|it| it as i64))?.clamp(low, high))
            }
            _ => return None,
        },
        Kind::Bool => match text?.to_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => json!(true),
            "false" | "no" | "off" | "0" => json!(false),
            _ => return None,
        },
        Kind::Choice(words) => {
            let asked = snake_case(text?).to_lowercase();
            let begins = |it: &&&str| it.starts_with(&asked) || asked.starts_with(**it);
            let near = nearest(&asked, words.iter().copied()).or(words.iter().find(begins).copied());
            json!(near.filter(|_| !asked.is_empty())?)
        }
        Kind::Id => json!(id_in(text?)?),
        // A link to a block names no path.
        Kind::Path if text.and_then(id_in).is_some() => json!(id_in(text?)?),
        Kind::Path if text.is_some_and(|it| !it.starts_with('/')) => json!(format!("/{}", text?)),
        Kind::Text { .. } | Kind::Tag | Kind::NotebookRef if value.is_number() || value.is_boolean() => {
            json!(value.to_string())
        }
        Kind::List { .. } | Kind::Record(_) | Kind::Attrs | Kind::Object if json.is_some() => {
            mended(kind, &json?)
        }
        Kind::List { item, .. } if !value.is_object() || matches!(item, Kind::Record(_)) => {
            json!([mended(*item, value)])
        }
        _ => return None,
    };
    fits(kind, &converted).then_some(converted).or_else(|| match kind {
        Kind::List { .. } => Some(placeholder(kind)),
        _ => None,
    })
}

/// The only id in a text: of a link, a reference, or between blanks.
pub(crate) fn id_in(text: &str) -> Option<&str> {
    let mut ids = text.match_indices('-').filter_map(|(at, _)| text.get(at.checked_sub(14)?..at + 8));
    let first = ids.find(|it| is_node_id(it))?;
    ids.all(|it| it == first || !is_node_id(it)).then_some(first)
}

/// Whether a value is of a kind, as far as the kind says.
fn fits(kind: Kind, value: &Value) -> bool {
    match kind {
        Kind::Text { min, max } => value.as_str().is_some_and(|it| (min..=max).contains(&it.chars().count())),
        Kind::NotebookRef => value.as_str().is_some_and(|it| !it.trim().is_empty()),
        Kind::Tag => value.is_string(),
        Kind::Path => value.as_str().is_some_and(|it| WorkspacePath::parse(it).is_ok()),
        Kind::Asset => value.as_str().and_then(AssetPath::parse).is_some(),
        Kind::Cell => true,
        Kind::Id => value.as_str().is_some_and(is_node_id),
        Kind::Int { low, high } => value.as_i64().is_some_and(|it| (low..=high).contains(&it)),
        Kind::Bool => value.is_boolean(),
        Kind::Choice(words) => value.as_str().is_some_and(|it| words.contains(&it)),
        Kind::List { item, min, max } => value
            .as_array()
            .is_some_and(|all| (min..=max).contains(&all.len()) && all.iter().all(|it| fits(*item, it))),
        Kind::Record(_) | Kind::Object => value.is_object(),
        Kind::Attrs => {
            value.as_object().is_some_and(|all| all.values().all(|it| it.is_string() || it.is_null()))
        }
    }
}

/// Keeps the first group of those that exclude each other.
fn drop_second_groups(spec: &ActionSpec, arguments: &mut Map<String, Value>) {
    for slot in spec.slots {
        let Slot::OneOf(groups, _) = slot else { continue };
        let has = |group: &&&[Param]| group.iter().any(|param| arguments.contains_key(param.name));
        let Some(kept) = groups.iter().find(has) else { continue };
        let is_kept = |name: &str| kept.iter().any(|param| param.name == name);
        let others: Vec<&str> = groups
            .iter()
            .flat_map(|group| group.iter().map(|param| param.name))
            .filter(|name| !is_kept(name))
            .collect();
        arguments.retain(|name, _| !others.contains(&name.as_str()));
    }
}

/// One argument of a call, or a part of it: `id`, `ids[0]`, `rows[1].block`.
pub(crate) fn at<'a>(arguments: &'a Map<String, Value>, field: &str) -> Option<&'a Value> {
    let mut steps = field.split(['.', '[']).map(|it| it.trim_end_matches(']'));
    let first = arguments.get(steps.next()?)?;
    steps.try_fold(first, |at, step| match step.parse::<usize>() {
        Ok(index) => at.get(index),
        Err(_) => at.get(step),
    })
}

/// Replaces one argument of a call, or a part of it: `id`, `ids[0]`, `rows[1].block`.
pub(crate) fn put_at(arguments: &mut Map<String, Value>, field: &str, value: Value) {
    let mut steps = field.split(['.', '[']).map(|it| it.trim_end_matches(']'));
    let Some(mut at) = steps.next().and_then(|name| arguments.get_mut(name)) else { return };
    for step in steps {
        let inner = match step.parse::<usize>() {
            Ok(index) => at.get_mut(index),
            Err(_) => at.get_mut(step),
        };
        let Some(inner) = inner else { return };
        at = inner;
    }
    *at = value;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Needs;

    const EDIT: Kind = Kind::List { item: &Kind::Int { low: 1, high: 5 }, min: 1, max: 3 };

    /// B-081: a value is mended where it says itself what was meant, and nowhere else.
    #[test]
    fn values_become_what_they_say() {
        let id = "20250101000000-garden0";
        for (kind, sent, meant) in [
            (Kind::Int { low: 1, high: 100 }, json!(5_000), json!(100)),
            (Kind::Int { low: 1, high: 100 }, json!("20"), json!(20)),
            (Kind::Int { low: 1, high: 100 }, json!("many"), json!("<1 to 100>")),
            (Kind::Bool, json!("Yes"), json!(true)),
            (Kind::Choice(&["words", "query", "regex"]), json!("Regexp"), json!("regex")),
            (Kind::Choice(&["words", "query"]), json!("fuzzy"), json!("<words|query>")),
            (Kind::Path, json!("Garden/Plants"), json!("/Garden/Plants")),
            (Kind::Id, json!(format!("siyuan://blocks/{id}")), json!(id)),
            (Kind::Id, json!(format!("(({id} 'x'))")), json!(id)),
            (Kind::Id, json!(format!("{id} or 20250101000000-garden1")), json!("<id>")),
            (Kind::Id, json!("Plants"), json!("<id>")),
            (EDIT, json!("[1, 9]"), json!([1, 5])),
            (EDIT, json!(3), json!([3])),
            (Kind::Text { min: 1, max: 9 }, json!(2025), json!("2025")),
        ] {
            assert_eq!(mended(kind, &sent), meant, "{sent}");
        }
    }

    /// F10, B-028: a mended call is no longer than what was sent. A list that is too long is not mended item by item,
    /// and of unknown names no more are mended than the error names.
    #[test]
    fn mending_is_bounded() {
        const WORDS: Kind = Kind::Choice(&["words", "query", "regex"]);
        const LIST: Kind = Kind::List { item: &WORDS, min: 1, max: 3 };
        for (sent, meant) in [
            (json!(["Regexp", "z"]), json!(["regex", "<words|query|regex>"])),
            (json!(["z", "z", "z", "z"]), json!(["<words|query|regex>"])),
        ] {
            assert_eq!(mended(LIST, &sent), meant, "{sent}");
        }
        const CELLS: Kind = Kind::List { item: &Kind::Cell, min: 1, max: 3 };
        assert_eq!(mended(CELLS, &json!([1, 2, 3, 4])), json!(["<value>"]));
        // The right name stands behind as many wrong ones as an error names.
        let param = Param {
            name: "query",
            doc: "",
            kind: WORDS,
            presence: Presence::Required,
            needs: Needs::Nothing,
            read_by: &[],
            aliases: &[],
        };
        let given = |many: usize| -> Map<String, Value> {
            let wrong = (0..many).map(|at| (format!("a{at:07}"), json!(1)));
            wrong.chain([("querry".to_owned(), json!("words"))]).collect()
        };
        assert_eq!(renamed(&[param], &given(MOST_UNKNOWN - 1)).len(), 1);
        assert_eq!(renamed(&[param], &given(MOST_UNKNOWN)).len(), 0);
    }

    #[test]
    fn a_part_of_an_argument_is_replaced() {
        let mut call = json!({ "ids": ["a", "b"], "at": { "x": 1 } });
        let map = call.as_object_mut().unwrap();
        put_at(map, "ids[1]", json!("c"));
        put_at(map, "at.x", json!(2));
        put_at(map, "no[3]", json!(2));
        assert_eq!(call, json!({ "ids": ["a", "c"], "at": { "x": 2 } }));
    }
}
