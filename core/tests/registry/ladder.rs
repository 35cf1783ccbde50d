//! `tools/list` with all actions: the things it says first if it cannot say everything (B-004 to B-006).

use std::collections::HashMap;
use std::sync::LazyLock;

use puppy_core::registry::ACTIONS;
use puppy_core::render::schema::{Descriptor, Detail, Style, descriptors_of};
use puppy_core::spec::{ActionSpec, Danger, Effect, Kind, Param, Presence, Tier, Tool};
use serde_json::{Value, json};

/// A list with its actions, as a client sees it.
struct List<'a> {
    actions: &'a [&'a ActionSpec],
    tools: Vec<Descriptor>,
}

/// An argument of an action, with the kind of action that takes it in the tool.
type Argument<'a> = (&'a ActionSpec, Param, Taken);

/// The kind of action that takes an argument of a tool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Taken {
    /// A basic action that requires it.
    Required,
    /// A basic action.
    Basic,
    /// Advanced actions only.
    Advanced,
}

impl<'a> List<'a> {
    fn new(actions: &'a [&'a ActionSpec], detail: Detail, bytes: usize) -> List<'a> {
        List { actions, tools: descriptors_of(actions, &[], Style { detail, ..Style::default() }, bytes) }
    }

    fn bytes(&self) -> usize {
        super::listing::json(&self.tools).to_string().len()
    }

    fn tool(&self, tool: Tool) -> &Descriptor {
        self.tools.iter().find(|it| it.tool == tool).unwrap()
    }

    /// The line of the description that begins with the action, or an empty text.
    fn line(&self, spec: &ActionSpec) -> &str {
        let start = format!("{}(", spec.name);
        self.tool(spec.tool).description.lines().find(|it| it.starts_with(&start)).unwrap_or_default()
    }

    fn property(&self, tool: Tool, name: &str) -> &Value {
        &self.tool(tool).input_schema["properties"][name]
    }

    /// The actions of a tier.
    fn of(&self, tier: Tier) -> impl Iterator<Item = &'a ActionSpec> {
        self.actions.iter().copied().filter(move |spec| spec.tier == tier)
    }

    /// Whether the words and fields of an argument are shown, in the action's line or in the property.
    fn tells_words(&self, spec: &ActionSpec, param: &Param) -> bool {
        let (line, property) = (self.line(spec), self.property(spec.tool, param.name).to_string());
        let has_words = |text: &str| words(param.kind).iter().all(|it| text.contains(it));
        (line.contains(&format!("{}:", marked(param))) && has_words(line)) || has_words(&property)
    }

    /// The content of the rungs, from the bottom, as a reader finds it.
    fn rungs(&self, arguments: &[Argument<'_>]) -> Vec<(&'static str, Vec<bool>)> {
        let summaries =
            |tier| self.of(tier).map(|spec| self.line(spec).ends_with(spec.summary())).collect::<Vec<_>>();
        let properties = |who| {
            let taken = arguments.iter().filter(move |it| it.2 == who);
            taken.map(|(spec, param, _)| self.property(spec.tool, param.name).is_object()).collect::<Vec<_>>()
        };
        let worded = |advanced| {
            let taken = arguments.iter().filter(move |it| (it.2 == Taken::Advanced) == advanced);
            let taken = taken.filter(|(_, param, _)| !words(param.kind).is_empty());
            // A signature that is still missing cannot show them.
            let seen = taken.filter(|(spec, ..)| spec.tier == Tier::Basic || !self.line(spec).is_empty());
            seen.map(|(spec, param, _)| self.tells_words(spec, param)).collect::<Vec<_>>()
        };
        vec![
            ("whole signatures", self.of(Tier::Basic).map(|it| !self.line(it).contains('…')).collect()),
            ("required properties", properties(Taken::Required)),
            ("common properties", self.common()),
            ("hints", self.tools.iter().map(|it| it.hint.is_some()).collect()),
            ("words", worded(false)),
            ("advanced signatures", self.of(Tier::Advanced).map(|it| !self.line(it).is_empty()).collect()),
            ("advanced words", worded(true)),
            ("properties", properties(Taken::Basic)),
            ("advanced properties", properties(Taken::Advanced)),
            ("summaries", summaries(Tier::Basic)),
            ("advanced summaries", summaries(Tier::Advanced)),
            ("sentences", {
                let is_described = |(spec, param, _): &Argument<'_>| {
                    self.property(spec.tool, param.name)["description"] == param.doc
                };
                arguments.iter().map(is_described).collect()
            }),
        ]
    }

    /// The properties that belong to every action.
    fn common(&self) -> Vec<bool> {
        let of = |tool| self.actions.iter().filter(move |it| it.tool == tool);
        let has_property = |tool, name| self.property(tool, name).is_object();
        let mut seen = Vec::new();
        for tool in self.tools.iter().map(|it| it.tool) {
            seen.push(has_property(tool, "topic"));
            seen.extend(of(tool).any(|it| it.has_preview()).then(|| has_property(tool, "preview")));
            seen.extend(of(tool).any(|it| it.danger != Danger::None).then(|| has_property(tool, "confirm")));
        }
        seen
    }
}

/// Every argument of these actions.
fn arguments<'a>(actions: &'a [&'a ActionSpec]) -> Vec<Argument<'a>> {
    let all = || actions.iter().flat_map(|spec| spec.params().map(move |param| (*spec, param)));
    let mut takers: HashMap<(Tool, &str), Taken> = HashMap::new();
    for (spec, param) in all() {
        let taken = match (spec.tier, param.presence) {
            (Tier::Basic, Presence::Required) => Taken::Required,
            (Tier::Basic, _) => Taken::Basic,
            (Tier::Advanced, _) => Taken::Advanced,
        };
        let known = takers.entry((spec.tool, param.name)).or_insert(taken);
        *known = taken.min(*known);
    }
    all().map(|(spec, param)| (spec, param, takers[&(spec.tool, param.name)])).collect()
}

fn marked(param: &Param) -> String {
    let mark = if param.presence == Presence::Required { "" } else { "?" };
    format!("{}{mark}", param.name)
}

/// The words and fields of a kind.
fn words(kind: Kind) -> Vec<&'static str> {
    match kind {
        Kind::Choice(words) => words.to_vec(),
        Kind::List { item, .. } => words(*item),
        Kind::Record(fields) => {
            fields.iter().flat_map(|it| [vec![it.name], words(it.kind)].concat()).collect()
        }
        _ => Vec::new(),
    }
}

fn all() -> List<'static> {
    List::new(ACTIONS, Detail::Full, Detail::Full.bytes())
}

/// The size of today's list with unlimited room.
static TODAY: LazyLock<usize> = LazyLock::new(|| List::new(ACTIONS, Detail::Full, 100_000).bytes());

/// B-004, B-006: within 13,500 bytes, each name is there, the signatures of basic actions are complete, and the
/// properties that these actions require are there, with the words by which clients find the tools.
#[test]
fn the_list_of_all_actions_is_within_its_budget() {
    let list = all();
    assert!(list.bytes() <= 13_500, "{}", list.bytes());
    for tool in &list.tools {
        let names = ACTIONS.iter().filter(|it| it.tool == tool.tool).map(|it| it.name);
        let names: Vec<&str> = names.chain(["help"]).collect();
        assert_eq!(tool.input_schema["properties"]["action"]["enum"], json!(names));
    }
    for spec in ACTIONS.iter().filter(|it| it.tier == Tier::Basic) {
        let line = list.line(spec);
        let whole = spec.params().all(|it| line.contains(&marked(&it)));
        assert!(whole && line.ends_with(')') && !line.contains('…'), "{}: {line}", spec.path());
    }
    for (rung, seen) in &list.rungs(&arguments(ACTIONS))[1..=3] {
        assert!(seen.iter().all(|it| *it), "{rung}");
    }
}

/// B-006: within 8,000 bytes, required arguments stay in the signatures of basic actions.
#[test]
fn the_compact_list_of_all_actions_is_within_its_budget() {
    let list = List::new(ACTIONS, Detail::Compact, Detail::Compact.bytes());
    assert!(list.bytes() <= 8_000, "{}", list.bytes());
    for spec in ACTIONS {
        assert!(list.property(spec.tool, "action")["enum"].as_array().unwrap().contains(&json!(spec.name)));
        if spec.tier == Tier::Basic {
            let line = list.line(spec);
            let mut required = spec.params().filter(|it| it.presence == Presence::Required);
            assert!(!line.is_empty() && required.all(|it| line.contains(it.name)), "{line}");
            let is_whole = spec.params().all(|it| line.contains(&marked(&it)));
            assert_eq!(line.contains('…'), !is_whole, "{line}");
        }
    }
}

/// B-006: for any number of actions.
#[test]
fn every_number_of_actions_is_within_the_budgets() {
    for count in (1..=ACTIONS.len()).step_by(6) {
        for detail in [Detail::Full, Detail::Compact, Detail::Complete] {
            let list = List::new(&ACTIONS[..count], detail, detail.bytes());
            assert!(list.bytes() <= detail.bytes(), "{count} actions: {} bytes, {detail:?}", list.bytes());
        }
    }
}

/// The actions of the tools whose descriptions have room for every summary. A tool with many actions fills the budget of
/// its own description, however much room the list has.
fn roomy() -> Vec<&'static ActionSpec> {
    let list = List::new(ACTIONS, Detail::Full, 60_000);
    let is_full =
        |tool: Tool| ACTIONS.iter().any(|spec| spec.tool == tool && !list.line(spec).contains("): "));
    ACTIONS.iter().copied().filter(|spec| !is_full(spec.tool)).collect()
}

/// B-006: a rung says something only if those below say everything, and more room never removes anything.
#[test]
fn ladder_drops_the_highest_rungs_first() {
    let roomy = roomy();
    let today = (2_000..*TODAY + 500, roomy.as_slice());
    for (budgets, actions) in [(7_000..21_000, ACTIONS), today] {
        let mut before = Vec::new();
        let arguments = arguments(actions);
        for bytes in budgets.step_by(203) {
            let rungs = List::new(actions, Detail::Full, bytes).rungs(&arguments);
            let said = |seen: &[bool]| seen.iter().filter(|it| **it).count();
            for (at, (rung, seen)) in rungs.iter().enumerate() {
                let open = rungs[..at].iter().find(|(_, below)| said(below) < below.len());
                let is_silent = said(seen) == 0;
                assert!(
                    open.is_none() || is_silent,
                    "{bytes} bytes: {rung} before {:?}",
                    open.map(|it| it.0)
                );
            }
            let now: Vec<usize> = rungs.iter().map(|(_, seen)| said(seen)).collect();
            assert!(before.iter().zip(&now).all(|(before, now)| before <= now), "{bytes} bytes: {now:?}");
            before = now;
        }
    }
}

/// With unlimited room, everything is said, and nothing twice.
#[test]
fn unlimited_list_says_everything_once() {
    let roomy = roomy();
    assert!(roomy.len() > 10, "{}", roomy.len());
    let list = List::new(&roomy, Detail::Full, *TODAY + 200);
    for (rung, seen) in list.rungs(&arguments(&roomy)) {
        assert!(seen.iter().all(|it| *it), "{rung}");
    }
    assert!(list.tool(Tool::Fs).description.contains("mode?,"), "its words stand in its property");
    assert_eq!(list.property(Tool::Fs, "limit")["maximum"], 1_000);
}

/// B-005: a description has a budget of its own, even where the list has room.
#[test]
fn a_description_stays_within_its_own_budget() {
    for tool in Tool::ALL {
        let actions: Vec<&ActionSpec> = ACTIONS.iter().copied().filter(|it| it.tool == tool).collect();
        for bytes in [4_000, 6_000, 12_000, 50_000] {
            let list = List::new(&actions, Detail::Full, bytes);
            let text = &list.tool(tool).description;
            assert!(text.len() <= 2_048 && text.chars().count() <= 2_000, "{}: {}", tool.name(), text.len());
        }
    }
}

/// B-001: a list does not depend on earlier lists.
#[test]
fn tool_list_depends_on_its_parameters_only() {
    let first = all().tools;
    for bytes in [0, 5_000, 9_000, 40_000] {
        for detail in [Detail::Full, Detail::Compact] {
            assert_ne!(List::new(ACTIONS, detail, bytes).tools, first);
        }
        let few = &ACTIONS[..bytes % 7 + 1];
        assert_ne!(List::new(few, Detail::Full, 12_000).tools, first);
        assert_eq!(all().tools, first);
    }
}

/// B-003, B-015: an action that is not offered leaves no trace, and the hints are about those that are.
#[test]
fn unoffered_action_leaves_no_trace() {
    let is_read = |spec: &&&ActionSpec| spec.worst == Effect::Read;
    let reads: Vec<&ActionSpec> = ACTIONS.iter().filter(is_read).copied().collect();
    let list = List::new(&reads, Detail::Full, 12_000);
    assert!(list.tools.iter().all(|it| it.read_only && !it.destructive && !it.open_world));
    for spec in ACTIONS.iter().filter(|it| !is_read(it) && reads.iter().any(|read| read.tool == it.tool)) {
        let names = &list.property(spec.tool, "action")["enum"];
        assert!(list.line(spec).is_empty() && !names.as_array().unwrap().contains(&json!(spec.name)));
        for name in ["preview", "confirm"] {
            assert!(!list.property(spec.tool, name).is_object(), "{} {name}", spec.tool.name());
        }
    }
}

/// B-004: plain schemas at every height.
#[test]
fn schemas_of_all_actions_are_plain() {
    let mut found = Vec::new();
    for bytes in [0, 8_000, 12_000, 20_000, 60_000] {
        for tool in List::new(ACTIONS, Detail::Full, bytes).tools {
            super::shape::lint(tool.tool.name(), &Value::Object(tool.input_schema), &mut found);
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
