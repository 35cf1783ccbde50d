//! `siyuan-puppy actions`: what agents and people can do, from the declarations; it needs no SiYuan.

use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::render::constraints;
use puppy_core::spec::{ActionSpec, Danger, Effect, Param, Presence, Tier};
use serde_json::{Map, Value, json};

use super::names::hyphens;
use super::people::{View, table};
use crate::words::{self, AnswerWords};

/// A table for people, or one line of JSON with the arguments too.
pub(super) fn list(as_json: bool, width: Option<usize>) -> String {
    if as_json {
        return json!(ACTIONS.iter().map(|spec| whole(spec)).collect::<Vec<Value>>()).to_string();
    }
    let row = |spec: &&ActionSpec| {
        let mut row = Map::new();
        row.insert("action".to_owned(), json!(format!("{} {}", spec.tool.name(), hyphens(spec.name))));
        row.insert("level".to_owned(), json!(level(spec)));
        row.insert("effect".to_owned(), json!(effect(spec.worst)));
        row.insert("asks".to_owned(), json!(asks_in_words(spec)));
        row.insert("about".to_owned(), json!(words::summary(spec)));
        row
    };
    let rows: Vec<Map<String, Value>> = ACTIONS.iter().map(row).collect();
    let view = View { width, ..View::default() };
    table(&view, &rows.iter().collect::<Vec<_>>()).unwrap_or_default()
}

fn level(spec: &ActionSpec) -> Option<&'static str> {
    spec.level().map(Level::word)
}

fn asks(spec: &ActionSpec) -> &'static str {
    match spec.danger {
        Danger::None => "never",
        Danger::Sometimes(_) => "sometimes",
        Danger::Always(_) | Danger::InSiyuan(_) => "always",
    }
}

fn asks_in_words(spec: &ActionSpec) -> &'static str {
    let words = AnswerWords::here();
    match spec.danger {
        Danger::None => words.never(),
        Danger::Sometimes(_) => words.sometimes(),
        Danger::Always(_) | Danger::InSiyuan(_) => words.always(),
    }
}

fn effect(effect: Effect) -> &'static str {
    let words = AnswerWords::here();
    match effect {
        Effect::Read => words.reads(),
        Effect::Screen => words.shows(),
        Effect::Write => words.writes(),
        Effect::Destructive => words.deletes(),
        Effect::External => words.sends(),
    }
}

fn whole(spec: &ActionSpec) -> Value {
    let argument = |param: Param| {
        json!({
            "name": param.name,
            "value": constraints(&param),
            "required": param.presence == Presence::Required,
            "about": param.doc,
        })
    };
    json!({
        "tool": spec.tool.name(),
        "action": spec.name,
        "about": spec.summary(),
        "level": level(spec),
        "effect": spec.effect.word(),
        "worst_effect": spec.worst.word(),
        "asks": asks(spec),
        "danger": spec.danger.sentence(),
        "on_by_default": spec.default_on,
        "basic": spec.tier == Tier::Basic,
        "arguments": spec.params().map(argument).collect::<Vec<Value>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every action is listed with every argument, and the level is that of its declaration.
    #[test]
    fn list_has_every_action_and_argument() {
        let listed: Vec<Value> = serde_json::from_str(&list(true, None)).unwrap();
        assert_eq!(listed.len(), ACTIONS.len());
        for (it, spec) in listed.iter().zip(ACTIONS) {
            assert_eq!(it["arguments"].as_array().unwrap().len(), spec.params().count(), "{it}");
            assert_eq!((it["level"].as_str(), it["action"].as_str()), (level(spec), Some(spec.name)));
        }
        let text = list(false, None);
        assert_eq!(text.lines().count(), ACTIONS.len() + 1);
        assert!(text.lines().any(|line| line.contains("document remove ") && line.contains("always")));
    }
}
