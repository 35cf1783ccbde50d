//! The arguments of a prompt: declared by a record like an action's, decoded like them, then put into words.

use serde_json::{Map, Value};

use crate::args::{Args, Decode, Problem};
use crate::error::ToolError;
use crate::id::{DocId, is_node_id};
use crate::permission::{Level, Need, Places, Target, Targets};
use crate::resources::ReadScope;
use crate::spec::{Kind, Param, Presence};
use crate::visible;

/// The record that declares the arguments of a prompt, with its type erased.
#[derive(Debug)]
pub(super) struct Arguments {
    pub(super) params: &'static [Param],
    decode: fn(Args) -> Result<Vec<Need>, Vec<Problem>>,
}

impl Arguments {
    pub(super) const fn of<T: Decode + Targets>() -> Arguments {
        Arguments { params: T::PARAMS, decode: decode::<T> }
    }

    /// Decodes the values and returns the targets among them, which must be readable.
    pub(super) fn needs(&self, given: Map<String, Value>) -> Result<Vec<Need>, ToolError> {
        let args = Args::over(self.params, given, String::new());
        let needs = (self.decode)(args).map_err(ToolError::fields)?;
        match needs.iter().find(|need| need.target == Target::Workspace) {
            Some(need) => Err(ToolError::field(&need.param, "a document, not the whole workspace")),
            None => Ok(needs),
        }
    }
}

fn decode<T: Decode + Targets>(mut args: Args) -> Result<Vec<Need>, Vec<Problem>> {
    let decoded = T::decode(&mut args);
    let mut needs = Vec::new();
    args.finish(decoded)?.add_needs("", Level::Read, &mut needs);
    Ok(needs)
}

/// The information that a prompt shows of a target.
pub(super) fn shows(need: &Need) -> ReadScope {
    if matches!(need.target, Target::Notebook(_)) { ReadScope::Notebooks } else { ReadScope::Document }
}

/// The values as they are decoded: the protocol sends each as text, an absent one perhaps as an empty text.
pub(super) fn settled(params: &[Param], given: &Map<String, Value>) -> Map<String, Value> {
    let is_number =
        |name: &str| params.iter().any(|param| param.name == name && matches!(param.kind, Kind::Int { .. }));
    let settle = |(name, value): (&String, &Value)| {
        let Value::String(text) = value else { return Some((name.clone(), value.clone())) };
        let text = visible::meant(text.trim()).into_owned();
        let number = text.parse::<i64>().ok().filter(|_| is_number(name));
        (!text.is_empty()).then(|| (name.clone(), number.map_or(Value::String(text), Value::from)))
    };
    given.iter().filter_map(settle).collect()
}

/// The values of a prompt's arguments in the words of its text.
#[derive(Debug, Default)]
pub(super) struct ArgumentValues {
    words: Vec<(&'static str, String)>,
    /// The document that goes with the prompt.
    pub(super) document: Option<DocId>,
}

impl ArgumentValues {
    /// Words the values, defaults included; `places` are those of their targets.
    pub(super) fn new(
        params: &[Param],
        values: &Map<String, Value>,
        needs: &[Need],
        places: &Places,
    ) -> Result<ArgumentValues, ToolError> {
        let mut given = ArgumentValues::default();
        for param in params {
            let text = match (values.get(param.name), param.presence) {
                (Some(Value::String(text)), _) => text.clone(),
                (Some(value), _) => value.to_string(),
                (None, Presence::DefaultInt(number)) => number.to_string(),
                (None, Presence::DefaultText(word)) => word.to_owned(),
                (None, _) => continue,
            };
            let word = match needs.iter().find(|need| need.param == param.name) {
                None => text,
                Some(need) => given.place(need, places, &text)?,
            };
            given.words.push((param.name, visible::shown(&word).into_owned()));
        }
        Ok(given)
    }

    /// Words a target.
    fn place(&mut self, need: &Need, places: &Places, text: &str) -> Result<String, ToolError> {
        let place = places.of(&need.target).ok_or_else(ToolError::not_found)?;
        if let Target::Notebook(_) = need.target {
            return Ok(format!("{} (id {})", place.notebook_name, place.notebook));
        }
        let id = place.doc.as_ref().ok_or_else(ToolError::not_found)?;
        self.document = Some(id.clone());
        Ok(if is_node_id(text) { format!("with the id {id}") } else { format!("{text} (id {id})") })
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.words.iter().find(|(it, _)| *it == name).map(|(_, word)| word.as_str())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::builtin::BUILTIN;
    use super::*;

    /// The values of `weekly_digest` as they are decoded, and its declaration.
    fn digest(given: Value) -> (Map<String, Value>, &'static Arguments) {
        let digest = &BUILTIN.iter().find(|it| it.name == "weekly_digest").unwrap().arguments;
        let Value::Object(given) = given else { unreachable!("the tests pass objects") };
        (settled(digest.params, &given), digest)
    }

    /// B-081, B-118: prompts use the decoder of actions, so every bad argument is named at once.
    #[test]
    fn every_bad_argument_is_named_at_once() {
        let (given, digest) = digest(json!({ "days": "32", "tag": "#herb#", "day": "x", "notebook": " " }));
        let error = digest.needs(given).unwrap_err();
        let fields: Vec<&str> = error.fields.iter().map(|it| it.field.as_str()).collect();
        assert_eq!(fields, ["day", "days", "tag"], "{}", error.message);
        assert!(error.message.contains("did you mean `days`?"), "{}", error.message);
    }

    /// B-118: a number arrives as text, and what is left out has the value that the declaration says.
    #[test]
    fn values_are_worded_and_the_declaration_has_the_others() {
        let words = |given: Value| {
            let (given, digest) = digest(given);
            let needs = digest.needs(given.clone()).unwrap();
            ArgumentValues::new(digest.params, &given, &needs, &Places::default()).unwrap().words
        };
        assert_eq!(words(json!({ "days": "" })), [("days", "7".to_owned())]);
        // A tag in a text may have a comma.
        let all = words(json!({ "days": " 14 ", "tag": "a,b\u{202e}" }));
        assert_eq!(all, [("days", "14".to_owned()), ("tag", "a,b⟨U+202E⟩".to_owned())]);
    }
}
