//! All 124 actions as declarations: the existing ones, and the planned ones, built from tables of text.
//!
//! A table lists the arguments of a tool, each with its kind and sentence (`name kind Sentence.`), then its actions
//! as their signatures (`rename(id,title) Summary.`). Their effects and levels are in `table.rs`. A real declaration
//! replaces the planned one, and so do its arguments; a test then asks for their lines to be deleted.

mod rest;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use puppy_core::find::actions_of;
use puppy_core::registry::ACTIONS;
use puppy_core::render::signature;
use puppy_core::spec::{ActionSpec, Danger, Effect, Kind, Needs, Param, Presence, Slot, Tier, Tool};

use super::table::{Entry, entries};

static ALL: LazyLock<Vec<&'static ActionSpec>> = LazyLock::new(|| entries().iter().map(declared).collect());

/// Every action of the finished product, in order.
pub(crate) fn all() -> &'static [&'static ActionSpec] {
    &ALL
}

fn declared(entry: &Entry) -> &'static ActionSpec {
    let name = entry.name.replace('*', "");
    let known = ACTIONS.iter().copied().find(|spec| spec.tool == entry.tool && spec.name == name);
    known.unwrap_or_else(|| Box::leak(Box::new(planned(entry, &name))))
}

fn planned(entry: &Entry, name: &str) -> ActionSpec {
    let line = lines(entry.tool).find(|line| line.split('(').next() == Some(name));
    let line = line.and_then(|it| it.split_once(") "));
    let (signature, summary) = line.ok_or(entry).unwrap();
    let (_, arguments) = signature.split_once('(').unwrap();
    let slots = arguments.split(',').filter(|it| !it.is_empty()).map(|it| slot(entry.tool, it));
    let has = |word: &str| entry.words.iter().any(|it| it == word);
    let (effect, worst) = effects(&entry.words);
    ActionSpec {
        tool: entry.tool,
        name: leaked(name),
        doc: summary,
        slots: slots.collect::<Vec<_>>().leak(),
        effect,
        worst,
        danger: match (has("⚠"), has("⚠?")) {
            (true, _) => Danger::Always("It is dangerous."),
            (_, true) => Danger::Sometimes("It is dangerous."),
            _ => Danger::None,
        },
        idempotent: effect == Effect::Read,
        default_on: !has("off"),
        tier: if entry.name.starts_with('*') { Tier::Basic } else { Tier::Advanced },
        examples: &[],
        aliases: &[],
        ..*ACTIONS[0]
    }
}

/// The lines of a tool's table.
fn lines(tool: Tool) -> impl Iterator<Item = &'static str> {
    let tables = rest::TABLES.iter();
    tables.filter(move |(of, _)| *of == tool).flat_map(|(_, table)| table.lines())
}

/// The usual and the worst effect, `W/D`.
fn effects(words: &[String]) -> (Effect, Effect) {
    let one = |letter: &str| match letter {
        "R" => Some(Effect::Read),
        "S" => Some(Effect::Screen),
        "W" => Some(Effect::Write),
        "D" => Some(Effect::Destructive),
        "X" => Some(Effect::External),
        _ => None,
    };
    let both = |word: &String| match word.split_once('/') {
        Some((usual, worst)) => one(usual).zip(one(worst)),
        None => one(word).map(|it| (it, it)),
    };
    words.iter().find_map(both).unwrap()
}

/// `id`, `limit?`, or groups: `id+markdown|updates`.
fn slot(tool: Tool, text: &str) -> Slot {
    let groups: Vec<&[Param]> = text
        .split('|')
        .map(|group| &*group.split('+').map(|it| param(tool, it)).collect::<Vec<_>>().leak())
        .collect();
    match groups[..] {
        [[one]] => Slot::One(*one),
        _ => Slot::OneOf(groups.leak(), None),
    }
}

fn param(tool: Tool, text: &str) -> Param {
    let name = text.trim_end_matches('?');
    let real = ACTIONS.iter().filter(|spec| spec.tool == tool).flat_map(|spec| spec.params());
    let (kind, doc) = match real.into_iter().find(|it| it.name == name) {
        Some(known) => (known.kind, known.doc),
        None => {
            let line = lines(tool).find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            let line = line.and_then(|it| it.split_once(' '));
            let (kind, doc) = line.ok_or((tool, text)).unwrap();
            (kind_of(kind), doc)
        }
    };
    plain(text, kind, doc)
}

fn plain(text: &str, kind: Kind, doc: &'static str) -> Param {
    let presence = if text.ends_with('?') { Presence::Optional } else { Presence::Required };
    let name = leaked(text.trim_end_matches('?'));
    Param { name, doc, kind, presence, needs: Needs::Nothing, aliases: &[] }
}

/// `text`, `int:1..9`, `a|b`, a list `[id]`, a record `{row:id,title?:text}`.
fn kind_of(text: &str) -> Kind {
    let within = |open, close| text.strip_prefix(open).and_then(|it| it.strip_suffix(close));
    if let Some(item) = within('[', ']') {
        return Kind::List { item: Box::leak(Box::new(kind_of(item))), min: 1, max: 64 };
    }
    if let Some(fields) = within('{', '}') {
        let field = |it: &str| {
            let (name, kind) = it.split_once(':').unwrap();
            plain(name, kind_of(kind), "")
        };
        return Kind::Record(fields.split(',').map(field).collect::<Vec<_>>().leak());
    }
    if let Some((low, high)) = text.strip_prefix("int:").and_then(|it| it.split_once("..")) {
        return Kind::Int { low: low.parse().unwrap(), high: high.parse().unwrap() };
    }
    match text {
        "text" => Kind::Text { min: 1, max: 1_000 },
        "bool" => Kind::Bool,
        "id" => Kind::Id,
        "notebook" => Kind::NotebookRef,
        "path" => Kind::Path,
        "object" => Kind::Attrs,
        words => Kind::Choice(leaked(words).split('|').collect::<Vec<_>>().leak()),
    }
}

fn leaked(text: &str) -> &'static str {
    text.to_owned().leak()
}

/// The planned declarations of a tool.
fn not_yet(tool: Tool) -> impl Iterator<Item = &'static ActionSpec> {
    let exists = |spec: &ActionSpec| ACTIONS.iter().any(|real| real.path() == spec.path());
    all().iter().copied().filter(move |spec| spec.tool == tool && !exists(spec))
}

/// The tables contain nothing twice, and nothing that a real declaration has replaced.
#[test]
fn every_line_of_the_plan_is_needed() {
    let mut found = Vec::new();
    for tool in Tool::ALL {
        let real: Vec<Param> = actions_of(tool).flat_map(ActionSpec::params).collect();
        let mut needed: BTreeSet<String> = not_yet(tool).map(|spec| format!("{}(", spec.name)).collect();
        let arguments = not_yet(tool).flat_map(ActionSpec::params);
        let own = arguments.filter(|param| real.iter().all(|it| it.name != param.name));
        needed.extend(own.map(|param| format!("{} ", param.name)));
        for line in lines(tool) {
            let start = line.split_inclusive([' ', '(']).next().unwrap();
            if !needed.remove(start) {
                found.push(format!("{}: {line}", tool.name()));
            }
        }
    }
    assert!(found.is_empty(), "delete these lines, nothing uses them:\n{}", found.join("\n"));
}

/// A planned declaration matches its line, and the tables contain the whole plan.
#[test]
fn planned_actions_are_complete_and_parsed() {
    assert_eq!(all().len(), 124);
    for spec in Tool::ALL.into_iter().flat_map(not_yet) {
        let line = format!("{} {}", signature(spec), spec.summary());
        assert!(lines(spec.tool).any(|it| it == line), "{line}");
    }
    let words = |tool, name| param(tool, name).kind;
    assert_eq!(words(Tool::Document, "position?"), Kind::Choice(&["after", "before"]));
    assert_eq!(words(Tool::Block, "level"), Kind::Int { low: 1, high: 6 });
    let Kind::List { item: Kind::Record([card, rating]), .. } = words(Tool::Flashcard, "reviews") else {
        panic!()
    };
    assert_eq!((card.name, card.presence), ("id", Presence::Required));
    let ratings = Kind::Choice(&["again", "hard", "good", "easy", "skip"]);
    assert_eq!((rating.name, rating.kind), ("rating", ratings));
}
