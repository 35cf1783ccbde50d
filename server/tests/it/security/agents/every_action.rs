//! Every action over the wire, for six agents and at every level: the lower one of level and ceiling decides.

use puppy_core::error::ErrorType;
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{Access, ActionSpec, Effect};
use serde_json::{Map, Value, json};

use super::{Kennel, error_of, of_user};
use crate::contract::{LEVELS, changes_assets, desk_world, reads_everything, suffices};
use crate::desk::Desk;
use crate::process::Running;

/// An agent: the words that set its ceiling, and the levels that this leaves in the notebook Desk and in any notebook.
struct Agent {
    name: &'static str,
    words: &'static [&'static str],
    desk: Level,
    any: Level,
}

const fn agent(name: &'static str, words: &'static [&'static str], desk: Level, any: Level) -> Agent {
    Agent { name, words, desk, any }
}

const AGENTS: [Agent; 6] = [
    agent("Shut", &["--level", "none"], Level::None, Level::None),
    agent("Reader", &["--level", "r"], Level::Read, Level::Read),
    agent("Writer", &["--level", "rw"], Level::Write, Level::Write),
    agent("Remover", &["--level", "rwd"], Level::Delete, Level::Delete),
    agent("Elsewhere", &["--level", "rwd", "--notebook", "Other"], Level::None, Level::Delete),
    agent("Ended", &["--level", "rwd", "--until", "2020-01-01"], Level::None, Level::None),
];

/// A server on a desk at a level, with everything that examples are about, and the notebook Other beside it, which has
/// every level.
async fn kennel(level: Level) -> (Kennel, Desk) {
    let (world, notebook) = desk_world(level).await;
    let other = world.raw("/api/notebook/createNotebook", json!({ "name": "Other" })).await;
    let mut table = world.only(&notebook, level.word()).await;
    table[other["notebook"]["id"].as_str().unwrap()] = json!("rwd");
    world.set_table(&table).await;
    let everything: String = ACTIONS.iter().flat_map(|it| it.examples).copied().collect();
    let desk = Desk::new(&world, &notebook, "Everything", &everything).await;
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(&mut of_user(&world, &folder));
    (Kennel { world, folder, server }, desk)
}

/// Whether a refusal is one of the scope: the place is not there for the caller, or its level is too low.
fn is_refused(said: &Value) -> bool {
    [ErrorType::PermissionDenied, ErrorType::NotFound, ErrorType::Disabled]
        .iter()
        .any(|it| it.word() == error_of(said))
}

/// The first example of an action, as a call that changes nothing.
fn harmless(spec: &ActionSpec, desk: &Desk) -> Map<String, Value> {
    let mut arguments = desk.arguments(spec);
    if spec.has_preview() {
        arguments.insert("preview".to_owned(), json!(true));
    }
    arguments
}

/// Whether more than levels and ceilings decides about an action: a ceiling forbids changes of levels, files of the
/// workspace are closed while any notebook is, runs of others are not put back, and an errand needs a session.
fn has_rules_of_its_own(spec: &ActionSpec, arguments: &Map<String, Value>) -> bool {
    let is_named =
        ["notebook.set_permission", "system.put_back", "system.begin_errand"].contains(&spec.path().as_str());
    is_named || changes_assets(spec) || reads_everything(spec, arguments)
}

/// Whether an agent may make a call, judged by the declaration, the level and the ceiling alone.
fn may(agent: &Agent, level: Level, spec: &ActionSpec, arguments: &Map<String, Value>) -> bool {
    let of_any = match spec.access {
        Access::Some(needed) => agent.any >= needed,
        // The new notebook is at the ceiling of its maker.
        _ if spec.path() == "notebook.create" => agent.any >= Level::Write,
        _ => agent.any > Level::None,
    };
    of_any && suffices(spec, arguments, level.min(agent.desk))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_action_respects_every_level_and_every_ceiling() {
    let mut wrong = Vec::new();
    for level in LEVELS {
        let (kennel, desk) = kennel(level).await;
        let tokens: Vec<String> = AGENTS.iter().map(|it| kennel.agent(it.name, it.words)).collect();
        for (agent, token) in AGENTS.iter().zip(&tokens) {
            let present = level.min(agent.desk);
            for spec in ACTIONS {
                let sent = harmless(spec, &desk);
                let said = kennel.call(&[token], spec.tool.name(), Value::Object(sent.clone())).await;
                // A reader with a list of targets skips those that it does not see, and one of the workspace sees fewer.
                let may_be_empty = agent.any > Level::None && spec.worst == Effect::Read;
                let may_refuse = present == Level::None || has_rules_of_its_own(spec, &sent);
                let is_sound = match (may(agent, level, spec, &sent), is_refused(&said)) {
                    (true, is_refused) => !is_refused || may_refuse,
                    (false, is_refused) => is_refused || may_be_empty,
                };
                let (shown, echo) = (said.to_string(), Value::Object(sent).to_string());
                let is_hidden = |mark: &&str| present == Level::None && !echo.contains(*mark);
                let is_shown = desk.marks().iter().filter(|it| is_hidden(it)).any(|it| shown.contains(*it));
                if !is_sound || is_shown {
                    wrong.push(format!("{} for {} at {level}: {shown}", spec.path(), agent.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of the product:\n{}", wrong.len(), wrong.join("\n"));
}
