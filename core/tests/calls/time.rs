//! The time of an answer does not depend on hidden content: no request about an id reaches the tree of a hidden document.

use std::collections::{BTreeMap, BTreeSet};

use puppy_core::dispatch::Approval;
use puppy_core::registry::ACTIONS;
use puppy_core::render::result::{Audience, error};
use puppy_core::spec::ActionSpec;
use serde_json::{Value, json};

use crate::kernel::{MERCURY, PLAN, Workspace, call, engine};
use crate::privacy::{IDS, Picks, arguments};

const MISSING: &str = "20250109000000-missing";
/// The number of calls of each action.
const CALLS: u16 = 12;
/// Requests whose time does not grow with the document that they name: the index, and the search for versions.
const CONSTANT: [&str; 2] = ["/api/query/sql", "/api/history/searchHistory"];

/// Arguments with one id in place of every other.
fn about(id: &str, arguments: &Value) -> Value {
    let text = IDS.iter().fold(arguments.to_string(), |text, it| text.replace(it, id));
    serde_json::from_str(&text).unwrap()
}

/// Whether a value of a request is a hidden id, and not a text that contains one.
fn is_about_hidden(body: &Value) -> bool {
    match body {
        Value::String(text) => {
            [PLAN, MERCURY].iter().any(|id| text == id || text.contains(&format!("{id}.sy")))
        }
        Value::Array(items) => items.iter().any(is_about_hidden),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, value)| [PLAN, MERCURY].contains(&name.as_str()) || is_about_hidden(value)),
        _ => false,
    }
}

/// The answer and the requests of a call, with `ID` in place of the id, and the requests that load the hidden document.
fn outcome(spec: &ActionSpec, arguments: &Value, id: &str) -> (String, Vec<&'static str>, Vec<&'static str>) {
    let mut switches = puppy_core::config::Switches::default();
    for spec in ACTIONS {
        switches.set(spec.tool, spec.name, true);
    }
    let switches = serde_json::from_str(&switches.to_json()).unwrap();
    // The check is the slowest request, so that nothing is hidden by its speed.
    let engine = engine(Workspace::new(true).slow_check(true).file("mcpToolsConfig", &switches));
    let answer = match call(&engine, spec.tool, &about(id, arguments), Approval::Given) {
        Ok(output) => format!("{} {}", Value::Object(output.data), output.body.unwrap_or_default()),
        Err(failed) => error(&failed, Audience::Model).to_string(),
    };
    let sent = engine.kernel.sent();
    let loads = sent.iter().filter(|it| !CONSTANT.contains(&it.path) && is_about_hidden(&it.body));
    let loads = loads.map(|it| it.path).collect();
    (answer.replace(id, "ID"), sent.iter().map(|it| it.path).collect(), loads)
}

/// B-055: a hidden document or block, however large, costs what a missing one costs, in every action that takes an id.
#[test]
fn hidden_ids_take_the_requests_of_missing_ones() {
    let (mut with_ids, mut wrong) = (BTreeSet::new(), BTreeMap::new());
    for spec in ACTIONS {
        for seed in 0..CALLS {
            let all = (0..24).map(|at: u16| (seed * 24 + at).wrapping_mul(40_503).rotate_left(7)).collect();
            let arguments = arguments(spec, &mut Picks { all, at: 0 });
            if about(PLAN, &arguments) == about(MISSING, &arguments) {
                continue;
            }
            with_ids.insert(spec.path());
            let missing = outcome(spec, &arguments, MISSING);
            for hidden in [PLAN, MERCURY] {
                let outcome = outcome(spec, &arguments, hidden);
                if outcome != missing {
                    wrong.entry(spec.path()).or_insert((about(hidden, &arguments), outcome, missing.clone()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(with_ids.len() > 40, "{with_ids:?}");
}

/// The index may be late in either direction: it neither opens nor closes anything for longer than a flush takes.
#[test]
fn readable_ids_cost_one_request_more_while_something_is_closed() {
    let read = |table: Value| {
        let engine = engine(Workspace::new(true).file("notebookPermissions", &table));
        let arguments = json!({ "action": "read", "id": crate::kernel::PLANTS });
        call(&engine, puppy_core::spec::Tool::Document, &arguments, Approval::Missing).unwrap();
        engine.kernel.sent().iter().map(|it| it.path.rsplit('/').next().unwrap()).collect::<Vec<_>>()
    };
    let (mut open, closed) = (read(json!({})), read(json!({ crate::kernel::PRIVATE: "none" })));
    assert_eq!(closed[..2], ["sql", "getPathByID"]);
    open.retain(|it| *it != "getPathByID");
    assert_eq!(closed[2..], open);
}
