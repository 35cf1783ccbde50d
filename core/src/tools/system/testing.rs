//! Worlds of the tests of this tool, and its calls.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::activity::Transport;
use crate::dispatch::{Approval, Call, Engine};
use crate::output::Reply;
use crate::part::Part;
use crate::runs::Runs;
use crate::spec::Tool;
use crate::testing::world::{Nobody, World, call, ready, world};
use crate::testing::{self, FakeKernel};

pub(super) fn faked(
    kernel: FakeKernel,
    action: &str,
    mut arguments: Value,
) -> (Reply, Vec<(&'static str, Value)>) {
    arguments["action"] = json!(action);
    let engine = testing::engine(kernel);
    (testing::call(&engine, Tool::System, arguments), engine.kernel.asked())
}

pub(super) fn in_world(engine: &Engine<World, Nobody>, action: &str, mut arguments: Value) -> Reply {
    arguments["action"] = json!(action);
    engine.kernel.pass(1_000);
    call(engine, Tool::System, &arguments, &Approval::Given)
}

pub(super) fn data(reply: Reply) -> Value {
    Value::Object(reply.unwrap().data)
}

/// A world with a repository key, and the first snapshot.
pub(super) fn with_key() -> Engine<World, Nobody> {
    let world =
        world().notebook("Private", "none").doc("/Private/Letters", "cinnabar").doc("/Garden/Plants", "mint");
    world.ask("repo/initRepoKey", &json!({}));
    Engine::new(world, Nobody)
}

pub(super) fn notes() -> World {
    world()
        .notebook("Private", "none")
        .doc("/Garden/Plants", "mint\n\nsage")
        .doc("/Garden/Beds", "north")
        .doc("/Private/Letters", "cinnabar")
}

pub(super) fn system(engine: &Engine<World, Nobody>, action: &str, arguments: &Value) -> Reply {
    let mut arguments: Value = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    arguments["action"] = json!(action);
    engine.kernel.pass(4_000);
    call(engine, Tool::System, &arguments, &Approval::Missing)
}

pub(super) fn with_holes(engine: &Engine<World, Nobody>, reply: Reply) -> Value {
    let text = engine.kernel.unfill(&Value::Object(reply.unwrap().data).to_string());
    serde_json::from_str(&text).unwrap()
}

/// A call of an agent with a session, or of a person.
pub(super) fn made(
    engine: &Engine<World, Nobody>,
    session: Option<&str>,
    tool: Tool,
    arguments: &Value,
) -> Reply {
    let arguments = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    let client = if session.is_some() { "Mint" } else { "" }.to_owned();
    let call = Call { tool, arguments, part: Part::Whole, transport: Transport::Stdio, client };
    match session {
        Some(session) => ready(engine.dispatch_in(Some(session), call, &Approval::Given)),
        None => ready(engine.dispatch(call, &Approval::Given)),
    }
}

/// An engine with a ledger.
pub(super) fn keeping(world: World) -> (Engine<World, Nobody>, Arc<Runs>) {
    let runs = Arc::new(Runs::default());
    world.pass(10_000);
    (Engine::new(world, Nobody).keeping(Arc::clone(&runs)), runs)
}
