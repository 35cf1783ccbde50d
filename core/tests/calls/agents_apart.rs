//! Several agents: none gets the rights, runs or name of another, and each is recorded under its own mark.

use std::sync::{Arc, Mutex};

use puppy_core::activity::{CallEnd, Observer, Record, Transport, analytics, events::Event};
use puppy_core::agents::{AGENTS_FILE, AgentColor, AgentMark, Identity};
use puppy_core::config::CallSettings;
use puppy_core::dispatch::{
    Approval, ApprovalRequest, ApprovalState, Call, Engine, Gate, PlanQuestion, Verdict,
};
use puppy_core::error::ErrorType;
use puppy_core::kernel::Boxed;
use puppy_core::output::Reply;
use puppy_core::part::Part;
use puppy_core::runs::Runs;
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::kernel::Nobody;
use crate::world::{World, ready, world};

type Desk = Engine<World, Nobody>;

fn proved(id: &str) -> Identity {
    Identity::Proved(id.to_owned())
}

fn claimed(name: &str) -> Identity {
    Identity::Claimed(name.to_owned())
}

fn mark(name: &str, color: AgentColor, is_proved: bool) -> AgentMark {
    AgentMark { name: name.to_owned(), color, is_proved }
}

/// Two notebooks; one agent reads the first, the other may do everything.
fn desk() -> World {
    let world = world()
        .notebook("Attic", "rwd")
        .doc("/Garden/Beds", "quicksilver in the beds")
        .doc("/Attic/Boxes", "quicksilver in the boxes");
    let garden = world.id("/Garden").to_owned();
    let file = json!({ "agents": {
        "reader": { "name": "Reader", "color": "green", "level": "r", "notebooks": [garden] },
        "tidy": { "name": "Tidy", "color": "red" },
    } });
    let world = world.file(AGENTS_FILE, &file);
    world.pass(10_000);
    world
}

/// A call without a session, of a client that calls itself like all others.
fn call<O: Observer>(engine: &Engine<World, O>, tool: Tool, arguments: &Value, gate: &dyn Gate) -> Reply {
    let arguments = serde_json::from_str(&engine.kernel.fill(&arguments.to_string())).unwrap();
    let (part, transport) = (Part::Whole, Transport::Http);
    let call = Call { tool, arguments, part, transport, client: "Tidy".to_owned() };
    ready(engine.dispatch_in(None, call, gate))
}

/// The runs that a caller sees: whether each is its own, its author and its mark.
fn runs(engine: &Desk) -> Vec<Value> {
    let listed = call(engine, Tool::System, &json!({ "action": "list_runs" }), &Approval::Given).unwrap();
    let rows = listed.data["items"].as_array().unwrap();
    rows.iter().map(|it| json!([it["is_own"], it["author"], it["agent"]])).collect()
}

/// The runs of an agent are not those of another with the same client, session and name, and cannot be put back by it. A
/// client that only calls itself like an agent is named as unknown.
#[test]
fn runs_of_other_agents_are_not_put_back() {
    let ledger = Arc::new(Runs::default());
    let engine = Engine::new(desk(), Nobody).keeping(Arc::clone(&ledger));
    let rename = |title: &str| json!({ "action": "rename", "id": "{/Garden/Beds}", "title": title });
    let tidy = engine.known_as(proved("tidy"));
    let others = [claimed("Tidy"), Identity::Unknown, proved("reader")].map(|it| engine.known_as(it));
    call(&tidy, Tool::Document, &rename("Borders"), &Approval::Given).unwrap();
    ready(ledger.settle(&*engine.kernel));
    let red = mark("Tidy", AgentColor::Red, true);
    assert_eq!(runs(&tidy), [json!([true, "Tidy", red])]);
    let listed = call(&tidy, Tool::System, &json!({ "action": "list_runs" }), &Approval::Given).unwrap();
    let back = json!({ "action": "put_back", "run": listed.data["items"][0]["run"] });
    for other in &others {
        assert_eq!(runs(other), [json!([null, "Tidy", red])]);
        let refused = call(other, Tool::System, &back, &Approval::Given);
        assert!(refused.is_err(), "{refused:?}");
    }
    let [_, unknown, _] = &others;
    call(unknown, Tool::Document, &rename("Rows"), &Approval::Given).unwrap();
    ready(ledger.settle(&*engine.kernel));
    assert_eq!(runs(&tidy), [json!([null, "Tidy (unknown caller)", null]), json!([true, "Tidy", red])]);
    let info = json!({ "action": "info", "id": "{/Garden/Beds}", "writer": true });
    let info = call(&tidy, Tool::Block, &info, &Approval::Given).unwrap().data;
    assert_ne!(info.get("writer").map(|it| &it["by"]), Some(&json!("Tidy")), "{info:?}");
}

/// Documents outside the notebooks of an agent change no answer: counts, tags, statements and the brief.
#[test]
fn notebooks_outside_the_ceiling_count_nowhere() {
    let whole = Engine::new(desk(), Nobody);
    let reader = whole.known_as(proved("reader"));
    let tidy = whole.known_as(proved("tidy"));
    let calls = [
        (Tool::Search, json!({ "action": "text", "query": "quicksilver" })),
        (Tool::Search, json!({ "action": "sql", "statement": "SELECT count(*) AS n FROM blocks" })),
        (Tool::System, json!({ "action": "get_info" })),
        (Tool::Notebook, json!({ "action": "list" })),
        (Tool::Document, json!({ "action": "recent" })),
        (Tool::Fs, json!({ "action": "ls", "path": "/" })),
    ];
    let mut differ = 0;
    for (tool, arguments) in calls {
        let [shown, all] = [&reader, &tidy].map(|it| call(it, tool, &arguments, &Approval::Given));
        let shown = crate::world::shown(&shown);
        for hidden in ["Attic", "Boxes", "boxes", whole.kernel.id("/Attic"), whole.kernel.id("/Attic/Boxes")]
        {
            assert!(!shown.contains(hidden), "{tool:?} {arguments}: {shown}");
        }
        differ += usize::from(shown != crate::world::shown(&all));
    }
    assert!(differ >= 4, "the other agent sees more: {differ}");
    let attic = json!({ "action": "outline", "id": "{/Attic/Boxes}" });
    assert_eq!(
        call(&reader, Tool::Document, &attic, &Approval::Given).unwrap_err().kind,
        ErrorType::NotFound
    );
}

/// Levels concern all agents, so no agent below a ceiling changes one, also with an approval.
#[test]
fn a_ceiling_allows_no_change_of_levels() {
    let switches = json!({ "notebook": { "enabled": true, "actions": { "set_permission": true } } });
    let engine = Engine::new(desk().file("mcpToolsConfig", &switches), Nobody);
    let before = engine.kernel.table();
    let set = json!({ "action": "set_permission", "notebook": "Garden", "level": "rwd" });
    for approval in [Approval::Missing, Approval::Given] {
        let refused = call(&engine.known_as(proved("reader")), Tool::Notebook, &set, &approval).unwrap_err();
        assert_eq!(refused.kind, ErrorType::PermissionDenied, "{}", refused.message);
    }
    assert_eq!(engine.kernel.table(), before);
    call(&engine.known_as(proved("tidy")), Tool::Notebook, &set, &Approval::Given).unwrap();
    assert_ne!(engine.kernel.table(), before);
}

/// An observer that stores its records.
#[derive(Debug, Default)]
struct Heard(Mutex<Vec<(Option<AgentMark>, Event, String)>>);

impl Observer for Heard {
    fn started(&self, _: &Record) {}

    fn ended(&self, record: &Record, ended: &CallEnd) {
        let event = Event::ended(1, "i", record, ended);
        let line = analytics::line(record, ended);
        self.0.lock().unwrap().push((record.agent.as_deref().cloned(), event, line));
    }
}

/// A call is recorded under the mark of its agent; one of a caller that is no agent has none, and neither has a person's.
#[test]
fn every_record_has_the_mark_of_its_caller() {
    let green = |is_proved| Some(mark("Reader", AgentColor::Green, is_proved));
    let callers = [
        (proved("reader"), green(true)),
        (claimed("reader"), green(false)),
        (Identity::Given("READER".to_owned()), green(false)),
        (Identity::Unknown, None),
        (claimed("Re\u{430}der"), None),
        (proved("gone"), None),
        (Identity::Person, None),
    ];
    // The very first call of a process too, before anything is known.
    for (identity, due) in callers {
        let engine = Engine::new(desk(), Heard::default()).known_as(identity.clone());
        let _ = call(&engine, Tool::Notebook, &json!({ "action": "list" }), &Approval::Given);
        let heard = std::mem::take(&mut *engine.observer.0.lock().unwrap());
        let [(known, event, line)] = heard.as_slice() else { panic!("{heard:?}") };
        assert_eq!((known, &event.agent), (&due, &due), "{identity:?}");
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line.get("agent"), due.map(|it| json!(it)).as_ref(), "{identity:?}");
        assert_eq!(line["client"], "Tidy");
    }
}

/// A gate that keeps the question and refuses.
#[derive(Debug, Default)]
struct Kept(Mutex<Vec<(Option<AgentMark>, bool)>>);

impl Gate for Kept {
    fn standing(&self, _: &CallSettings, _: ApprovalRequest<'_>) -> ApprovalState {
        ApprovalState::Open
    }

    fn ask<'a>(&'a self, _: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        self.0.lock().unwrap().push((question.agent.clone(), question.is_stranger));
        Box::pin(async move { Verdict::Refused(question.unanswered("")) })
    }
}

/// A question names the agent, says of a caller that is none that it is a stranger, whatever it calls itself, and is asked
/// only where the ceiling allows the change.
#[test]
fn a_question_has_the_mark_of_its_caller() {
    let engine = Engine::new(desk(), Nobody);
    let remove = json!({ "action": "remove", "ids": ["{/Attic/Boxes}"] });
    let red = |is_proved| Some(mark("Tidy", AgentColor::Red, is_proved));
    let callers = [
        (proved("tidy"), Some((red(true), false))),
        (claimed("tidy"), Some((red(false), false))),
        (claimed("T\u{456}dy"), Some((None, true))),
        (Identity::Unknown, Some((None, true))),
        (proved("reader"), None),
    ];
    for (identity, due) in callers {
        let gate = Kept::default();
        assert!(call(&engine.known_as(identity.clone()), Tool::Document, &remove, &gate).is_err());
        let asked = std::mem::take(&mut *gate.0.lock().unwrap());
        assert_eq!(asked, due.into_iter().collect::<Vec<_>>(), "{identity:?}");
    }
    // Without any named agent, every caller is one like others.
    engine.kernel.put(AGENTS_FILE, &json!({}));
    engine.kernel.pass(10_000);
    let gate = Kept::default();
    assert!(call(&engine.known_as(Identity::Unknown), Tool::Document, &remove, &gate).is_err());
    assert_eq!(*gate.0.lock().unwrap(), [(None, false)]);
}
