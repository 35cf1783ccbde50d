//! Spellings: finds the declared argument that a name means, and words the error for an unknown name (B-023, B-024).

use serde_json::{Map, Value};

use crate::spec::Param;

/// Keys that hosts add to arguments; they are dropped, never refused.
const TRANSPORT_KEYS: [&str; 3] = ["_sessionID", "_meta", "_requestId"];

/// The maximum length, in characters, of a name for which similar names are sought: that takes time proportional to
/// both lengths.
const LONGEST: usize = 64;

/// Renames every key to the declared argument that it means; a key that means none stays as it is.
pub(super) fn settle(tool: &str, params: &[Param], given: Map<String, Value>) -> Map<String, Value> {
    let declared = |name: &str| params.iter().find(|param| param.name == name);
    let mut out = Map::new();
    for (key, value) in given {
        if TRANSPORT_KEYS.contains(&key.as_str()) {
            continue;
        }
        let snake = crate::args::snake_case(&key);
        let stem = snake.strip_suffix("_id").unwrap_or(&snake);
        let found = declared(&key)
            .or_else(|| declared(&snake))
            .or_else(|| params.iter().find(|param| param.aliases.contains(&snake.as_str())))
            .or_else(|| declared(stem))
            .or_else(|| if stem == tool && stem != snake { declared("id") } else { None })
            // One where a list is due; the decoder says that it must be one.
            .or_else(|| {
                let is_id = snake == "id" || (stem == tool && stem != snake);
                declared(&format!("{snake}s")).or_else(|| if is_id { declared("ids") } else { None })
            });
        let name = found.map_or(key, |param| param.name.to_owned());
        // If a name arrives in two spellings, the declared one wins.
        if !out.contains_key(&name) || declared(&name).is_none() {
            out.insert(name, value);
        }
    }
    out
}

/// A caller's name as an error repeats it: cut to the length of the longest names.
pub fn shown_name(name: &str) -> std::borrow::Cow<'_, str> {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()).into(),
        None => name.into(),
    }
}

/// The problem text for an unknown argument.
pub(super) fn unknown(name: &str, params: &[Param]) -> String {
    let known: Vec<&str> = params.iter().map(|param| param.name).collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("left out: there is no such argument; did you mean `{near}`?"),
        None if known.is_empty() => "left out: this action takes no arguments".to_owned(),
        None => format!("left out: there is no such argument; there are {}", known.join(", ")),
    }
}

/// The nearest of some names, if it is near enough: one slip in a short name, two in a longer one, at most a third of
/// the letters. A very long name has no nearest one.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.chars().nth(LONGEST).is_some() {
        return None;
    }
    let characters = name.chars().count();
    let near_enough = |it: &'a str| {
        let length = it.chars().count();
        let most = (characters.min(length) / 3).max(1);
        // A letter too many is a slip, so most are too far by their length alone, and no long text is compared.
        let distance =
            (characters.abs_diff(length) <= most).then(|| strsim::damerau_levenshtein(name, it))?;
        (distance <= most && distance < it.len()).then_some((distance, it))
    };
    known.filter_map(near_enough).min_by_key(|(distance, _)| *distance).map(|(_, it)| it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        let known = || ["list", "read", "write", "edit", "help", "get_info"].into_iter();
        for (name, near) in
            [("lst", "list"), ("raed", "read"), ("wrte", "write"), ("getinfo", "get_info"), ("edut", "edit")]
        {
            assert_eq!(nearest(name, known()), Some(near), "{name}");
        }
        for name in ["add_to_daily_note", "sql", "x", "", "text", "remove", "hello"] {
            assert_eq!(nearest(name, known()), None, "{name}");
        }
    }

    /// F10: similarity is sought among names, not among texts.
    #[test]
    fn long_name_gets_no_suggestion() {
        let known = ["list", &"x".repeat(66)];
        assert_eq!(nearest("lisst", known.into_iter()), Some("list"));
        assert_eq!(nearest(&"x".repeat(64), known.into_iter()), Some(known[1]));
        assert_eq!(nearest(&"x".repeat(65), known.into_iter()), None);
        assert_eq!(shown_name(&"é".repeat(65)), format!("{}…", "é".repeat(64)));
        assert_eq!(shown_name("list"), "list");
    }
}
