//! No call reveals a notebook at `none`, whatever its arguments (B-055).

use proptest::prelude::*;
use puppy_core::dispatch::Approval;
use puppy_core::kernel::Nature;
use puppy_core::registry::ACTIONS;
use puppy_core::render::result::{Audience, error};
use puppy_core::spec::{ActionSpec, Kind, Param, Presence, Slot};
use serde_json::{Map, Value, json};

use crate::kernel::{
    BOOKS, GARDEN, LEAF, MERCURY, PAGE, PLAN, PLANTS, PRIVATE, SECRET, UNSEEN, Workspace, call, engine,
};

/// A stream of choices, so that a failing case shrinks to a short one.
pub(crate) struct Picks {
    pub(crate) all: Vec<u16>,
    pub(crate) at: usize,
}

impl Picks {
    pub(crate) fn next(&mut self, below: usize) -> usize {
        let pick = self.all.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        usize::from(pick) % below.max(1)
    }

    pub(crate) fn of<'a>(&mut self, pool: &[&'a str]) -> &'a str {
        pool[self.next(pool.len())]
    }
}

/// Visible, readable, hidden and missing things, including notebooks' own documents.
pub(crate) const IDS: [&str; 9] =
    [PLANTS, LEAF, BOOKS, PAGE, PLAN, MERCURY, GARDEN, PRIVATE, "20250109000000-missing"];
const NOTEBOOKS: [&str; 6] = ["Garden", GARDEN, "Reading", "Private", PRIVATE, "Nowhere"];
const PATHS: [&str; 10] = [
    "/",
    "/Garden",
    "/Garden/Plants",
    "/Garden/New",
    "/Reading/Books",
    "/Private",
    "/Private/quicksilver plan",
    "/Garden/20250104000000-secret0",
    "/20250101000000-private/20250104000000-secret0",
    PLAN,
];
const TEXTS: [&str; 6] = ["leaf", "Plants", "a", "## New", "x' OR '1'='1", "((20250104000001-mercur0 'x'))"];

fn value(kind: Kind, picks: &mut Picks) -> Value {
    match kind {
        Kind::Text { .. } | Kind::Tag => json!(picks.of(&TEXTS)),
        Kind::Int { low, high } => json!([low, high.min(low + 7)][picks.next(2)]),
        Kind::Bool => json!(picks.next(2) == 1),
        Kind::Id => json!(picks.of(&IDS)),
        Kind::NotebookRef => json!(picks.of(&NOTEBOOKS)),
        Kind::Path => json!(picks.of(&PATHS)),
        Kind::Choice(words) => json!(picks.of(words)),
        Kind::List { item, min, max } => {
            let count = (min + picks.next(3)).clamp(1, max);
            Value::Array((0..count).map(|_| value(*item, picks)).collect())
        }
        Kind::Record(params) => Value::Object(fields(params, picks)),
        Kind::Asset => json!(picks.of(&["assets/leaf.png", "assets/quicksilver.png"])),
        Kind::Cell => [Value::Null, json!(3.5), json!("a"), json!(true), json!(["b"])][picks.next(5)].clone(),
        Kind::Object => json!({}),
        Kind::Attrs => json!({ "custom-status": picks.of(&TEXTS), "bookmark": "x" }),
    }
}

fn fields(params: &[Param], picks: &mut Picks) -> Map<String, Value> {
    let mut out = Map::new();
    for param in params {
        if param.presence == Presence::Required || picks.next(3) == 0 {
            out.insert(param.name.to_owned(), value(param.kind, picks));
        }
    }
    out
}

pub(crate) fn arguments(spec: &ActionSpec, picks: &mut Picks) -> Value {
    let mut out = Map::new();
    out.insert("action".to_owned(), json!(spec.name));
    for slot in spec.slots {
        match slot {
            Slot::One(param) => out.extend(fields(std::slice::from_ref(param), picks)),
            Slot::OneOf(groups, _) => out.extend(fields(groups[picks.next(groups.len())], picks)),
        }
    }
    if spec.has_preview() && picks.next(3) == 0 {
        out.insert("preview".to_owned(), json!(true));
    }
    Value::Object(out)
}

/// The answer that a caller gets, and its requests.
fn outcome(
    (full, slow_check, version): (bool, bool, &'static str),
    spec: &ActionSpec,
    arguments: &Value,
    approval: Approval,
) -> (String, Vec<&'static str>, Vec<Value>) {
    let mut switches = puppy_core::config::Switches::default();
    for spec in ACTIONS {
        switches.set(spec.tool, spec.name, true);
    }
    let switches = serde_json::from_str(&switches.to_json()).unwrap();
    let engine = engine(
        Workspace::new(full).slow_check(slow_check).version(version).file("mcpToolsConfig", &switches),
    );
    let answer = match call(&engine, spec.tool, arguments, approval) {
        Ok(output) => format!("{} {}", Value::Object(output.data), output.body.unwrap_or_default()),
        Err(failed) => error(&failed, Audience::Model).to_string(),
    };
    let sent = engine.kernel.sent();
    let writes = sent.iter().filter(|it| it.nature == Nature::Write && it.path != "/api/file/putFile");
    let writes = writes.map(|it| it.body.clone()).collect();
    (answer, sent.iter().map(|it| it.path).collect(), writes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    /// The answer is the same whether the hidden notebook is full or empty, after the same requests.
    #[test]
    fn hidden_notebook_content_does_not_affect_answers(
        at in 0..ACTIONS.len(),
        all in prop::collection::vec(any::<u16>(), 24),
        approved in any::<bool>(),
        slow_check in any::<bool>(),
        version in prop::sample::select(&["3.7.3", "3.8.6"][..]),
    ) {
        let spec = ACTIONS[at];
        let arguments = arguments(spec, &mut Picks { all, at: 0 });
        let approval = if approved { Approval::Given } else { Approval::Missing };
        let (full, asked, writes) = outcome((true, slow_check, version), spec, &arguments, approval);
        let (empty, asked_empty, _) = outcome((false, slow_check, version), spec, &arguments, approval);
        // The caller's own text may come back, so the word may be in the answer only then.
        if !arguments.to_string().contains(SECRET) {
            prop_assert!(!full.contains(SECRET), "{} {arguments}\n{full}", spec.path());
        }
        prop_assert!(!full.contains(UNSEEN), "{} {arguments}\n{full}", spec.path());
        prop_assert_eq!(&full, &empty, "{} {}", spec.path(), arguments);
        prop_assert_eq!(asked, asked_empty, "{} {}", spec.path(), arguments);
        // Nothing is written where nothing may be seen. Titles and text may look like an id.
        for body in writes {
            for key in ["id", "notebook", "parentID", "previousID", "nextID", "fromIDs", "toID", "ids", "toNotebook"] {
                let place = body.get(key).map(Value::to_string).unwrap_or_default();
                let hidden = [PRIVATE, PLAN, MERCURY, UNSEEN].iter().any(|it| place.contains(it));
                prop_assert!(!hidden, "{} {arguments}\n{body}", spec.path());
            }
        }
    }
}
