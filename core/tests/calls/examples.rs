//! The examples of the declarations: each can be called as it is, and does what its action says.

use std::collections::BTreeSet;

use demo_kernel::Desk;
use puppy_core::activity::stats::STATS_FILE;
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::{Ambient, files};
use puppy_core::output::Reply;
use puppy_core::registry::ACTIONS;
use puppy_core::render::example;
use puppy_core::spec::{ActionSpec, Effect, Hole, Kind, Param, Presence, Tool};
use serde_json::{Map, Value, json};

use crate::kernel::{Nobody, Workspace, call, engine};
use crate::world::{self, World};

/// Arguments that no example has: those that only an earlier answer can supply, and those that need a folder or a
/// program of the machine.
pub(crate) const NOT_IN_EXAMPLES: [&str; 5] = ["cursor", "expect", "local_path", "save_as", "recognise"];

pub(crate) fn with_action(arguments: &Map<String, Value>, action: &str) -> Value {
    let mut all = arguments.clone();
    all.insert("action".to_owned(), json!(action));
    Value::Object(all)
}

pub(crate) fn everything() -> Value {
    let mut switches = puppy_core::config::Switches::default();
    for spec in ACTIONS {
        switches.set(spec.tool, spec.name, true);
    }
    serde_json::from_str(&switches.to_json()).unwrap()
}

/// Every action switched on, and one notebook at the highest level.
fn everything_on() -> Workspace {
    let table = json!({ crate::kernel::GARDEN: "rwd", crate::kernel::PRIVATE: "none" });
    Workspace::new(true).file("notebookPermissions", &table).file("mcpToolsConfig", &everything())
}

/// A world with every action on, coins, an open page, a key for snapshots, and a notebook in which everything is allowed.
pub(crate) fn world() -> World {
    let world = World::new().notebook("Garden", "rwd").file("mcpToolsConfig", &everything());
    let world = world.page(&json!({ "text": "North" }));
    world.ask("repo/initRepoKey", &json!({}));
    let base = json!({ "earned": 10_000, "spent": 0, "calls": 10_000 });
    let coins = json!({ "balance": 10_000, "total_earned": 10_000, "total_calls": 10_000, "base": base });
    // Some actions need everything to be allowed everywhere, also where an example makes a notebook.
    let world = world.file("accessSettings", &json!({ "new_notebook_level": "rwd" }));
    let file = format!("{}{STATS_FILE}", files::TEMP);
    assert_eq!(world.demo.put_file(&file, coins.to_string().as_bytes()).status, 200);
    world
}

/// A new desk in the world's notebook.
fn desk(world: &World, wants: impl Fn(&str) -> bool) -> Desk {
    world.pass(1_000);
    let desk = world.demo.desk(world.id("/Garden"), &format!("Desk {}", world.now_ms()), wants).unwrap();
    if let Some(spare) = desk.thing("spare") {
        let mut table = world.table();
        table.insert(spare.to_owned(), json!("rwd"));
        world.put("notebookPermissions", &Value::Object(table));
    }
    desk
}

/// Every example of an action, each about a desk of its own.
pub(crate) fn examples(world: &World, spec: &ActionSpec) -> Vec<Map<String, Value>> {
    (0..spec.examples.len()).map(|at| example_at(world, spec, at)).collect()
}

/// One example of an action, about a desk of its own.
pub(crate) fn example_at(world: &World, spec: &ActionSpec, at: usize) -> Map<String, Value> {
    let desk = desk(world, |thing| spec.examples[at].contains(&format!("{{{thing}}}")));
    // Another example of the action may be about things that this one does not need.
    let thing = |hole: Hole| desk.thing(&hole.name()).unwrap_or_default().to_owned();
    example::all(spec, thing).swap_remove(at)
}

/// The error of arguments that do not decode; only those get a corrected call.
fn undecoded(reply: Reply) -> Option<ToolError> {
    reply.err().filter(|it| it.kind == ErrorType::Validation && it.example.is_some())
}

/// B-081, B-112: with its holes filled, each example succeeds, and SiYuan 3.8 takes its requests.
#[test]
fn every_example_succeeds() {
    let engine = Engine::new(world(), Nobody);
    let mut wrong = Vec::new();
    // Actions that send something out need a service, and none is set up here.
    for spec in ACTIONS.iter().filter(|it| it.effect != Effect::External) {
        for arguments in examples(&engine.kernel, spec) {
            engine.kernel.pass(1_000);
            let sent = with_action(&arguments, spec.name);
            match world::call(&engine, spec.tool, &sent, &Approval::Given) {
                Err(failed) => wrong.push(format!("{} {sent}: {failed:?}", spec.path())),
                // A part that failed is reported next to those that did not.
                Ok(output) => wrong.extend(
                    output.data.get("failed").map(|failed| format!("{} {sent}: {failed}", spec.path())),
                ),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// B-026: a call that finds nothing cached asks the kernel nothing twice, neither for its levels nor for itself.
#[test]
fn isolated_call_asks_nothing_twice() {
    let mut twice = Vec::new();
    // The databases of a desk relate to themselves: those are read once as the target and once as what it relates to.
    for spec in ACTIONS.iter().filter(|it| it.effect == Effect::Read && it.tool != Tool::Av) {
        let mut world = world();
        for arguments in examples(&world, spec) {
            world.pass(10_000);
            world.take_all();
            let engine = Engine::new(world, Nobody);
            let _ = world::call(&engine, spec.tool, &with_action(&arguments, spec.name), &Approval::Given);
            world = world::world_of(engine);
            let all = world.take_all();
            for (at, request) in all.iter().enumerate() {
                if all[..at].contains(request) {
                    twice.push(format!("{}: {request:?}", spec.path()));
                }
            }
            let lists = all.iter().filter(|it| it.0 == "/api/notebook/lsNotebooks").count();
            assert!(lists <= 1, "{}: {all:?}", spec.path());
        }
    }
    assert_eq!(twice, Vec::<String>::new());
}

/// B-081: an example decodes without any of its optional arguments, and SiYuan 3.8 takes the requests.
#[test]
fn every_example_decodes_without_what_is_optional() {
    let engine = Engine::new(world(), Nobody);
    let (mut tried, mut reached) = (0, 0);
    for spec in ACTIONS {
        let optional: Vec<Param> =
            spec.params().filter(|param| param.presence != Presence::Required).collect();
        for arguments in examples(&engine.kernel, spec) {
            for param in optional.iter().filter(|param| arguments.contains_key(param.name)) {
                let mut fewer = arguments.clone();
                fewer.shift_remove(param.name);
                engine.kernel.pass(1_000);
                let sent = with_action(&fewer, spec.name);
                engine.kernel.take_sent();
                let reply = world::call(&engine, spec.tool, &sent, &Approval::Given);
                assert_eq!(undecoded(reply), None, "{} {sent}", spec.path());
                tried += 1;
                reached += usize::from(
                    engine
                        .kernel
                        .take_sent()
                        .iter()
                        .any(|(path, _)| spec.calls.iter().any(|it| it.path == *path)),
                );
            }
        }
    }
    assert!(tried > ACTIONS.len(), "{tried}");
    // The others are answered without the kernel, or refused because two arguments belong together.
    assert!(reached * 5 > tried * 4, "{reached} of {tried} asked the kernel for what the action declares");
}

/// The names that an example contains, those inside of records too: `edits.old`.
fn names(arguments: &Map<String, Value>, before: &str, out: &mut BTreeSet<String>) {
    for (name, value) in arguments {
        let name = format!("{before}{name}");
        let below = format!("{name}.");
        let items = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        items.iter().filter_map(Value::as_object).for_each(|it| names(it, &below, out));
        out.insert(name);
    }
}

/// The names that the examples must contain.
fn expected(params: impl IntoIterator<Item = Param>, before: &str, out: &mut BTreeSet<String>) {
    for param in params.into_iter().filter(|param| !NOT_IN_EXAMPLES.contains(&param.name)) {
        let name = format!("{before}{}", param.name);
        let item = if let Kind::List { item, .. } = param.kind { *item } else { param.kind };
        if let Kind::Record(fields) = item {
            expected(fields.to_vec(), &format!("{name}."), out);
        }
        out.insert(name);
    }
}

/// The examples of an action together use every argument, optional ones and fields of records too.
#[test]
fn every_argument_is_in_an_example() {
    let mut missing = Vec::new();
    for spec in ACTIONS {
        let (mut used, mut all) = (BTreeSet::new(), BTreeSet::new());
        example::all(spec, |hole| hole.shown().to_owned()).iter().for_each(|it| names(it, "", &mut used));
        expected(spec.params().collect::<Vec<_>>(), "", &mut all);
        missing.extend(all.difference(&used).map(|name| format!("{}: {name}", spec.path())));
    }
    assert!(missing.is_empty(), "add them to the examples:\n{}", missing.join("\n"));
}

/// Help shows values of the same form as those that fill the holes.
#[test]
fn the_examples_as_help_shows_them_decode() {
    for spec in ACTIONS {
        let first = with_action(&example::arguments(spec), spec.name).to_string();
        assert!(!first.contains("\\n"), "{}: help shows a call in one line: {first}", spec.path());
        for arguments in example::all(spec, |hole| hole.shown().to_owned()) {
            let sent = with_action(&arguments, spec.name);
            let reply = call(&engine(everything_on()), spec.tool, &sent, Approval::Missing);
            assert_eq!(undecoded(reply), None, "{}: {sent}", spec.path());
        }
    }
}

/// The desk has a thing for every hole.
#[test]
fn every_hole_can_be_filled() {
    let desk = desk(&world(), |_| true);
    for hole in Hole::ALL {
        assert!(desk.thing(&hole.name()).is_some(), "{{{}}}", hole.name());
    }
}

/// A value that no argument of this kind can have.
fn wrong_value(kind: Kind) -> Value {
    if kind == Kind::Object { json!(1) } else { json!({ "not": ["at", "all"] }) }
}

/// A value that stands for one that the error cannot know.
fn has_placeholder(arguments: &Map<String, Value>) -> bool {
    Value::from(arguments.clone()).to_string().contains("\"<")
}

/// B-081: every bad argument is named, and the corrected call decodes if it needs nothing that the caller did not say.
#[test]
fn corrected_call_in_an_error_decodes() {
    for spec in ACTIONS {
        let mut wrong: serde_json::Map<String, Value> =
            spec.params().map(|it| (it.name.to_owned(), wrong_value(it.kind))).collect();
        wrong.insert("zzzz".to_owned(), json!(1));
        let engine = engine(everything_on());
        let error = call(&engine, spec.tool, &with_action(&wrong, spec.name), Approval::Missing).unwrap_err();
        assert_eq!(error.kind, ErrorType::Validation, "{}", spec.path());
        let named = |name: &str| {
            error.fields.iter().any(|it| it.field.split(['|', '.', '[']).any(|part| part == name))
        };
        assert!(named("zzzz"), "{}: {:?}", spec.path(), error.fields);
        let grouped: Vec<&str> = spec
            .slots
            .iter()
            .filter_map(|slot| match slot {
                puppy_core::spec::Slot::OneOf(groups, _) => {
                    Some(groups.iter().copied().flatten().map(|it| it.name))
                }
                puppy_core::spec::Slot::One(_) => None,
            })
            .flatten()
            .collect();
        for param in spec.params().filter(|it| !grouped.contains(&it.name)) {
            assert!(named(param.name), "{} {}: {:?}", spec.path(), param.name, error.fields);
        }
        let example = error.example.unwrap();
        let made_up = world::ids_in(&Value::from(example.arguments.clone()).to_string());
        assert_eq!(made_up, Vec::<String>::new(), "{}", spec.path());
        if has_placeholder(&example.arguments) {
            continue;
        }
        let again =
            call(&engine, example.tool, &with_action(&example.arguments, example.action), Approval::Missing);
        assert_eq!(undecoded(again), None, "{}", spec.path());
    }
}

/// B-022: help makes no request.
#[test]
fn help_makes_no_request() {
    for spec in ACTIONS {
        let engine = engine(everything_on());
        for arguments in [json!({ "action": "help" }), json!({ "action": "help", "topic": spec.name })] {
            let reply = call(&engine, spec.tool, &arguments, Approval::Missing).unwrap();
            assert!(reply.body.unwrap().contains(spec.name));
        }
        assert!(engine.kernel.sent().is_empty());
    }
}
