//! The ledger against the files of the notes: what a call changed there is what its run says.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use puppy_core::dispatch::{Approval, Engine};
use puppy_core::kernel::files;
use puppy_core::registry::ACTIONS;
use puppy_core::render::help;
use puppy_core::runs::Runs;
use puppy_core::runs::record::{ChangeKind, ChangedThing, RunRecord};
use puppy_core::runs::touched::{is_irreversible, leaves_behind};
use puppy_core::spec::{ActionSpec, Effect, Tool};
use serde_json::{Value, json};

use crate::examples;
use crate::kernel::{Nobody, ready};
use crate::world::{self, World};

/// The text of a document's file without times, and its place, by id.
type Notes = BTreeMap<String, (String, String)>;

/// Every document of the workspace.
fn notes(world: &World) -> Notes {
    let statement = "SELECT id, box, path FROM blocks WHERE type = 'd' LIMIT 100000";
    let rows = world.ask("query/sql", &json!({ "stmt": statement }));
    let mut notes = Notes::new();
    for row in rows.as_array().unwrap() {
        let [id, notebook, path] = ["id", "box", "path"].map(|it| row[it].as_str().unwrap());
        let place = format!("{notebook}{path}");
        let body = json!({ "path": format!("/data/{place}") });
        let file = world.demo.answer("/api/file/getFile", body.to_string().as_bytes());
        let mut tree: Value = serde_json::from_slice(&file.body).unwrap();
        without_times(&mut tree);
        notes.insert(id.to_owned(), (tree.to_string(), place));
    }
    notes
}

fn without_times(node: &mut Value) {
    match node {
        Value::Object(fields) => {
            fields.shift_remove("updated");
            // SiYuan copies the text of a block into the references to it.
            if fields.get("TextMarkBlockRefSubtype") == Some(&json!("d")) {
                fields.shift_remove("TextMarkTextContent");
            }
            fields.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// The documents that differ, with the kind of their change.
fn differences(before: &Notes, after: &Notes) -> BTreeSet<(String, ChangeKind)> {
    let mut all = BTreeSet::new();
    for id in before.keys().chain(after.keys()) {
        let mut add = |kind| all.insert((id.clone(), kind));
        match (before.get(id), after.get(id)) {
            (None, _) => _ = add(ChangeKind::Created),
            (_, None) => _ = add(ChangeKind::Removed),
            (Some((text, place)), Some((new_text, new_place))) => {
                if text != new_text {
                    add(ChangeKind::Changed);
                }
                if place != new_place {
                    add(ChangeKind::Moved);
                }
            }
        }
    }
    all
}

/// The runs in the workspace.
fn runs(world: &World) -> Vec<RunRecord> {
    let folder = format!("{}runs", files::TEMP);
    let listed = ready(files::list(world, &folder)).unwrap();
    let read = |name: &str| ready(files::read(world, &format!("{folder}/{name}"))).unwrap().unwrap();
    listed.iter().map(|it| RunRecord::parse(&read(&it.name)).unwrap()).collect()
}

/// The documents of a run, with the kinds of their changes.
fn recorded(runs: &[RunRecord]) -> BTreeSet<(String, ChangeKind)> {
    let changes = runs.iter().flat_map(|it| &it.changes).filter(|it| it.what == ChangedThing::Document);
    changes.map(|it| (it.id.clone(), it.kind)).collect()
}

/// An engine with a ledger.
fn keeping(world: World) -> (Engine<World, Nobody>, Arc<Runs>) {
    let runs = Arc::new(Runs::default());
    (Engine::new(world, Nobody).keeping(Arc::clone(&runs)), runs)
}

fn changing() -> impl Iterator<Item = &'static ActionSpec> {
    ACTIONS.iter().copied().filter(|it| !matches!(it.worst, Effect::Read | Effect::Screen))
}

/// Every change of a note is in the ledger with its kind, and nothing else is.
#[test]
fn runs_name_every_document_that_a_call_changed() {
    let mut wrong = Vec::new();
    for spec in changing().filter(|it| it.effect != Effect::External) {
        let mut world = examples::world();
        for arguments in examples::examples(&world, spec) {
            world.pass(1_000);
            let before = notes(&world);
            let old: BTreeSet<String> = runs(&world).into_iter().map(|it| it.id).collect();
            let (engine, ledger) = keeping(world);
            let sent = examples::with_action(&arguments, spec.name);
            let reply = world::call(&engine, spec.tool, &sent, &Approval::Given);
            ready(ledger.settle(&*engine.kernel));
            world = world::world_of(engine);
            let mut due = differences(&before, &notes(&world));
            let mut new = runs(&world);
            new.retain(|it| !old.contains(&it.id));
            let mut said = recorded(&new);
            // A notebook's own document is changed as the notebook.
            let changes = || new.iter().flat_map(|it| &it.changes);
            let notebooks: BTreeSet<&str> =
                changes().filter(|it| it.what == ChangedThing::Notebook).map(|it| it.id.as_str()).collect();
            due.retain(|(id, _)| !notebooks.contains(id.as_str()));
            said.retain(|(id, _)| !notebooks.contains(id.as_str()));
            if due != said {
                let named = |all: BTreeSet<(String, ChangeKind)>| format!("{all:?}");
                wrong.push(format!(
                    "{} {sent}\n  due  {}\n  said {}\n  {reply:?}",
                    spec.path(),
                    named(due),
                    named(said)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The files of the databases, by name.
fn databases(world: &World) -> BTreeMap<String, Value> {
    let folder = "/data/storage/av";
    let listed = ready(files::list(world, folder)).unwrap_or_default();
    let read = |name: &str| ready(files::read(world, &format!("{folder}/{name}"))).unwrap().unwrap();
    let parsed = |name: &str| serde_json::from_slice(&read(name)).unwrap();
    listed.iter().map(|it| (it.name.clone(), parsed(&it.name))).collect()
}

/// An action that does not announce that it is irreversible comes back whole. A database
/// that it made stays, and does no harm.
#[test]
fn what_is_not_irreversible_comes_back() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for spec in changing().filter(|it| it.effect != Effect::External && !is_irreversible(it)) {
        for at in 0..spec.examples.len() {
            let world = examples::world();
            let arguments = examples::example_at(&world, spec, at);
            world.pass(20_000);
            let before = (notes(&world), databases(&world));
            let old: BTreeSet<String> = runs(&world).into_iter().map(|it| it.id).collect();
            let (engine, ledger) = keeping(world);
            let sent = examples::with_action(&arguments, spec.name);
            world::call(&engine, spec.tool, &sent, &Approval::Given).unwrap();
            ready(ledger.settle(&*engine.kernel));
            engine.kernel.pass(2_000);
            let new = runs(&engine.kernel).into_iter().find(|it| !old.contains(&it.id));
            let mut reply = String::new();
            if let Some(run) = new {
                let back = json!({ "action": "put_back", "run": run.id });
                reply = format!("{:?}", world::call(&engine, Tool::System, &back, &Approval::Given));
                ready(ledger.settle(&*engine.kernel));
                count += 1;
            }
            let mut after = (notes(&engine.kernel), databases(&engine.kernel));
            after.1.retain(|name, _| before.1.contains_key(name));
            if before != after {
                let due = differences(&before.0, &after.0);
                let others = before.1 != after.1;
                wrong.push(format!("{} {sent}\n  {due:?} databases {others}\n  {reply}", spec.path()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 60, "{count}");
}

/// Every changing action, by what becomes of it when its run is put back.
#[test]
fn every_action_is_known_to_come_back_or_not() {
    let (never, back): (Vec<&ActionSpec>, Vec<&ActionSpec>) =
        changing().partition(|spec| is_irreversible(spec));
    let (leaves, exact): (Vec<&ActionSpec>, Vec<&ActionSpec>) =
        back.into_iter().partition(|spec| leaves_behind(spec));
    let list = |title: &str, all: &[&ActionSpec]| {
        let names: Vec<String> = all.iter().map(|it| it.path()).collect();
        format!("## {title}: {}\n\n{}\n", all.len(), names.join("\n"))
    };
    let stays = "Comes back, and a file, database or snapshot that it made stays";
    let lists = [list("Comes back", &exact), list(stays, &leaves), list("Not all of it comes back", &never)];
    let page = lists.join("\n");
    expect_test::expect_file!["../golden/ways-back.md"].assert_eq(&page);
}

/// A template that is replaced is nowhere afterwards, and its preview says so.
#[test]
fn a_replaced_template_is_lost_and_said_so_before() {
    let spec = changing().find(|it| it.path() == "file.save_template").unwrap();
    let said = [0, 1].map(|at| {
        let world = examples::world();
        let arguments = examples::example_at(&world, spec, at);
        let mut sent = examples::with_action(&arguments, spec.name);
        sent["preview"] = json!(true);
        let (engine, _) = keeping(world);
        let reply = world::call(&engine, spec.tool, &sent, &Approval::Given).unwrap();
        reply.data.get("irreversible") == Some(&json!(true))
    });
    assert_eq!(said, [false, true]);
}

/// It is said in the help and in the preview, before it happens.
#[test]
fn irreversible_actions_say_so_before() {
    for spec in changing() {
        let world = examples::world();
        let is_irreversible = is_irreversible(spec);
        let help = help::page(spec, None);
        assert_eq!(
            help.contains("Not all of it can be put back with its run"),
            is_irreversible,
            "{}",
            spec.path()
        );
        let arguments = examples::example_at(&world, spec, 0);
        if !spec.has_preview() {
            assert!(!is_irreversible, "{}", spec.path());
            continue;
        }
        let mut sent = examples::with_action(&arguments, spec.name);
        sent["preview"] = json!(true);
        let (engine, _) = keeping(world);
        let reply = match world::call(&engine, spec.tool, &sent, &Approval::Given) {
            Ok(reply) => reply,
            Err(error) => {
                // The demo kernel has no model for semantic search, and does not sync.
                assert!(spec.effect == Effect::External, "{}: {error:?}", spec.path());
                continue;
            }
        };
        let says = |key: &str| reply.data.get(key) == Some(&json!(true));
        assert_eq!(says("irreversible"), is_irreversible, "{}", spec.path());
        assert_eq!(says("leaves_behind"), leaves_behind(spec) && !is_irreversible, "{}", spec.path());
    }
}
