//! The ceilings of agents, over all actions: a ceiling lowers what the levels allow, and nothing gets around it.

use std::collections::BTreeMap;

use puppy_core::activity::Transport;
use puppy_core::agents::{AGENTS_FILE, Identity};
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::ErrorType;
use puppy_core::permission::Level;
use puppy_core::prompts::complete::ArgumentOwner;
use puppy_core::registry::ACTIONS;
use puppy_core::resources::ReadScope;
use puppy_core::resources::uri::Uri;
use puppy_core::spec::{ActionSpec, Effect, Tool};
use serde_json::{Value, json};

use crate::examples::{example_at, with_action, world};
use crate::kernel::Nobody;
use crate::world::{self, World, ready};

type Desk = Engine<World, Nobody>;

fn proved(id: &str) -> Identity {
    Identity::Proved(id.to_owned())
}

/// Six agents, and the highest level that each has in the notebook of the desks.
const AGENTS: [(&str, Level); 6] = [
    ("delete", Level::Delete),
    ("write", Level::Write),
    ("read", Level::Read),
    ("hidden", Level::None),
    ("elsewhere", Level::None),
    ("ended", Level::None),
];

fn file() -> Value {
    let agent = |more: Value| {
        let mut agent = json!({ "name": more["name"].as_str().unwrap_or_default(), "level": "rwd" });
        agent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        agent
    };
    json!({ "agents": {
        "delete": agent(json!({ "name": "Delete" })),
        "write": agent(json!({ "name": "Write", "level": "rw" })),
        "read": agent(json!({ "name": "Read", "level": "r" })),
        "hidden": agent(json!({ "name": "Hidden", "level": "none" })),
        "elsewhere": agent(json!({ "name": "Elsewhere", "notebooks": ["20200101000000-nowhere"] })),
        "ended": agent(json!({ "name": "Ended", "until": "2001-01-01" })),
    } })
}

fn desk() -> Desk {
    Engine::new(world().file(AGENTS_FILE, &file()), Nobody)
}

/// The first example of every action that stays on this machine, as it is sent.
fn calls(engine: &Desk) -> impl Iterator<Item = (&'static ActionSpec, Value)> {
    ACTIONS.iter().copied().filter(|it| it.effect != Effect::External).map(|spec| {
        let arguments = example_at(&engine.kernel, spec, 0);
        (spec, with_action(&arguments, spec.name))
    })
}

/// Every action for every agent: where the ceiling is lower than what the action needs, it is refused and changes
/// nothing; where it is not, the ceiling is no reason to refuse a read.
#[test]
fn no_action_exceeds_the_ceiling_of_its_agent() {
    let engine = desk();
    let mut wrong = Vec::new();
    for (spec, sent) in calls(&engine) {
        for (id, ceiling) in AGENTS {
            let needs = spec.level().unwrap_or(Level::None);
            if ceiling >= needs && spec.worst != Effect::Read {
                continue;
            }
            let known = engine.known_as(proved(id));
            engine.kernel.take_all();
            let reply = world::call(&known, spec.tool, &sent, &Approval::Given);
            let refused = [ErrorType::PermissionDenied, ErrorType::NotFound, ErrorType::Disabled];
            let is_refused = reply.as_ref().is_err_and(|it| refused.contains(&it.kind));
            if is_refused == (ceiling >= needs) && spec.level().is_some() {
                wrong.push(format!("{} for {id}: {reply:?}", spec.path()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An agent that reaches nothing does not reach what needs no level either: templates, new notebooks, the person at the
/// screen, the owner's rules. One that only reads makes no notebook.
#[test]
fn what_needs_no_level_is_closed_too() {
    let engine = desk();
    let mut wrong = Vec::new();
    for (spec, sent) in calls(&engine) {
        for id in ["hidden", "ended", "gone"] {
            let known = engine.known_as(proved(id));
            engine.kernel.take_all();
            let reply = world::call(&known, spec.tool, &sent, &Approval::Given);
            if reply.as_ref().is_err_and(|it| it.kind == ErrorType::PermissionDenied) {
                continue;
            }
            wrong.push(format!("{} for {id}: {reply:?}", spec.path()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let create = |id: &str| {
        let sent = json!({ "action": "create", "name": format!("Made by {id}") });
        world::call(&engine.known_as(proved(id)), Tool::Notebook, &sent, &Approval::Given)
    };
    assert_eq!(create("read").unwrap_err().kind, ErrorType::PermissionDenied);
    assert_eq!(create("elsewhere").unwrap_err().kind, ErrorType::Disabled);
    assert_eq!(create("write").unwrap().data["level"], "rw");
}

/// Resources, prompts, completion and lists are limited by the ceiling too.
#[test]
fn nothing_beside_the_actions_exceeds_the_ceiling() {
    let engine = desk();
    let doc = engine.kernel.ask(
        "filetree/createDocWithMd",
        &json!({ "notebook": engine.kernel.id("/Garden"), "path": "/Secret bed", "markdown": "Onions" }),
    );
    let doc = doc.as_str().unwrap().to_owned();
    engine.kernel.pass(10_000);
    let uri = Uri::parse(&format!("siyuan://doc/{doc}")).unwrap();
    for (id, ceiling) in AGENTS {
        let known = engine.known_as(proved(id));
        let sees = ceiling >= Level::Read;
        assert_eq!(ready(known.read_resource(&uri, Transport::Http)).is_ok(), sees, "{id}");
        let listed = ready(known.resources(None)).unwrap();
        assert_eq!(listed.items.iter().any(|it| it.uri.contains(&doc)), sees, "{id}");
        let reader = ready(known.reader(ReadScope::Notebooks));
        assert_eq!(
            reader.is_ok_and(|it| it.grants().level_of(engine.kernel.id("/Garden")) >= Level::Read),
            sees,
            "{id}"
        );
        let found = ready(known.complete(
            ArgumentOwner::Template("siyuan://doc/{id}{?depth}"),
            "id",
            "Secret",
            &BTreeMap::new(),
        ));
        assert_eq!(found.unwrap().values.iter().any(|it| it.contains(&doc)), sees, "{id}");
        assert_eq!(ready(known.policy()).scope.highest_level(), ceiling, "{id}");
    }
    // A person has no ceiling.
    assert!(ready(engine.read_resource(&uri, Transport::Http)).is_ok());
}

/// A change of the file counts for the next call; an agent that is removed, and a file that cannot be read, close all.
#[test]
fn a_removed_agent_and_a_torn_file_open_nothing() {
    let engine = desk();
    let read = |identity: Identity| {
        let known = engine.known_as(identity);
        engine.kernel.pass(60_000);
        let sent = json!({ "action": "list" });
        let reply = world::call(&known, Tool::Notebook, &sent, &Approval::Given);
        reply.is_ok_and(|it| it.data["items"].as_array().is_some_and(|it| !it.is_empty()))
    };
    assert_eq!([read(proved("read")), read(Identity::Unknown), read(proved("gone"))], [true, true, false]);
    engine.kernel.put(AGENTS_FILE, &json!({ "anyone": { "level": "none" }, "agents": {} }));
    assert_eq!([read(proved("read")), read(Identity::Unknown), read(Identity::Person)], [false, false, true]);
    engine.kernel.put(AGENTS_FILE, &json!({ "agents": [] }));
    assert_eq!([read(proved("read")), read(Identity::Unknown), read(Identity::Person)], [false, false, true]);
}
