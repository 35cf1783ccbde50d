//! Every action over the wire, for six agents and at every level: the lower one of level and ceiling decides.

use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{Access, ActionSpec, Effect};
use serde_json::{Value, json};

use super::{Kennel, error_of, of_user};
use crate::contract::{LEVELS, changes_assets, desk_world, reads_everything, suffices};
use crate::desk::Desk;
use crate::process::Running;

/// The agents, with the words that set each one's ceiling and the level that it leaves in the notebook Desk.
const AGENTS: [(&str, &[&str], Level); 6] = [
    ("Shut", &["--level", "none"], Level::None),
    ("Reader", &["--level", "r"], Level::Read),
    ("Writer", &["--level", "rw"], Level::Write),
    ("Remover", &["--level", "rwd"], Level::Delete),
    ("Elsewhere", &["--level", "rwd", "--notebook", "Other"], Level::None),
    ("Ended", &["--level", "rwd", "--until", "2020-01-01"], Level::None),
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
    ["permission_denied", "not_found", "disabled"].contains(&error_of(said))
}

/// The first example of an action, as a call that changes nothing.
fn harmless(spec: &ActionSpec, desk: &Desk) -> Value {
    let mut arguments = desk.arguments(spec);
    if spec.has_preview() {
        arguments.insert("preview".to_owned(), json!(true));
    }
    Value::Object(arguments)
}

/// Whether more than levels and ceilings decides about an action: a ceiling forbids changes of levels, and files of the
/// workspace are closed while any notebook is.
fn has_rules_of_its_own(spec: &ActionSpec, sent: &Value) -> bool {
    let arguments = sent.as_object().cloned().unwrap_or_default();
    let is_about_levels = spec.path() == "notebook.set_permission";
    is_about_levels || changes_assets(spec) || reads_everything(spec, &arguments)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_action_respects_every_level_and_every_ceiling() {
    let mut wrong = Vec::new();
    for level in LEVELS {
        let (kennel, desk) = kennel(level).await;
        let tokens: Vec<String> = AGENTS.iter().map(|(name, words, _)| kennel.agent(name, words)).collect();
        for ((agent, _, ceiling), token) in AGENTS.into_iter().zip(&tokens) {
            let present = level.min(ceiling);
            let is_closed = ["Shut", "Ended"].contains(&agent);
            for spec in ACTIONS {
                let sent = harmless(spec, &desk);
                let said = kennel.call(&[token], spec.tool.name(), sent.clone()).await;
                let allowed = !is_closed && suffices(spec, sent.as_object().unwrap(), present);
                // A reader with a list of targets skips those it cannot see, and a reader of the workspace sees nothing.
                let may_be_empty = spec.worst == Effect::Read || matches!(spec.access, Access::Some(_));
                let is_sound = match (allowed, is_refused(&said)) {
                    (true, refused) => {
                        !refused || present == Level::None || has_rules_of_its_own(spec, &sent)
                    }
                    (false, refused) => refused || (!is_closed && may_be_empty),
                };
                let shown = said.to_string();
                let echo = sent.to_string();
                let marks = desk.marks();
                let mark = marks
                    .iter()
                    .find(|it| present == Level::None && !echo.contains(**it) && shown.contains(**it));
                if !is_sound || mark.is_some() {
                    wrong.push(format!("{} for {agent} at {level}: {shown}", spec.path()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of the product:\n{}", wrong.len(), wrong.join("\n"));
}
