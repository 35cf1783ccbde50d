//! Resources, prompts and completion obey the rules of the tools: levels, switches, pause (B-055, F15, F16, F20).

use std::collections::BTreeMap;

use puppy_core::activity::Transport;
use puppy_core::config::Switches;
use puppy_core::dispatch::Engine;
use puppy_core::error::ErrorType;
use puppy_core::id::DocId;
use puppy_core::prompts::complete::ArgumentOwner;
use puppy_core::resources::uri::Uri;
use puppy_core::resources::{ReadScope, fingerprint};
use puppy_core::spec::Tool;
use serde_json::{Map, Value, json};

use crate::kernel::{Nobody, PLAN, PLANTS, Workspace, engine, ready};

fn address(id: &str) -> Uri {
    Uri::parse(&format!("siyuan://doc/{id}")).unwrap()
}

/// F16: the answer for a hidden document does not wait for its text, however long it is.
#[test]
fn hidden_document_is_not_read_to_its_end() {
    for slow in [false, true] {
        let engine = engine(Workspace::new(true).endless().slow_check(slow));
        let refused = ready(engine.read_resource(&address(PLAN), Transport::Stdio)).unwrap_err();
        assert_eq!(refused.kind, ErrorType::NotFound);
        let reader = ready(engine.reader(ReadScope::Document)).unwrap();
        assert_eq!(ready(fingerprint(&reader, &DocId::parse(PLAN).unwrap())), Ok(None));
        assert!(ready(engine.read_resource(&address(PLANTS), Transport::Stdio)).is_ok());
    }
}

/// F15: neither the head of a document nor a notification reveals databases or a change of theirs.
#[test]
fn resources_reveal_no_databases() {
    let bound = |value: &str| {
        let attrs = json!({
            "id": PLANTS, "title": "Plants", "custom-x": "1", "custom-avs": value, "av-names": value,
            "custom-sy-av-s-text-20250104000009-hidden0": value,
        });
        engine(Workspace::new(true).attributes(attrs))
    };
    let (one, two) = (bound("20250104000009-hidden0"), bound("20250104000009-hidden1"));
    let read = ready(one.read_resource(&address(PLANTS), Transport::Stdio)).unwrap();
    assert!(read[0].text.contains("custom-x") && !read[0].text.contains("hidden"), "{}", read[0].text);
    let print = |engine: &Engine<Workspace, Nobody>| {
        let reader = ready(engine.reader(ReadScope::Document)).unwrap();
        ready(fingerprint(&reader, &DocId::parse(PLANTS).unwrap())).unwrap()
    };
    assert_eq!(print(&one), print(&two));
    assert_ne!(print(&one), print(&engine(Workspace::new(true))));
}

/// A workspace in which these actions are off.
fn without(off: &[(Tool, &str)]) -> Workspace {
    let mut switches = Switches::default();
    for (tool, action) in off {
        switches.set(*tool, action, false);
    }
    Workspace::new(true).file("mcpToolsConfig", &serde_json::from_str(&switches.to_json()).unwrap())
}

fn given(name: &str, value: &str) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), json!(value))])
}

/// F20: content that no tool may show is shown nowhere else either.
#[test]
fn switches_apply_to_resources_and_prompts() {
    const LISTS: [(Tool, &str); 2] = [(Tool::Fs, "list"), (Tool::Fs, "tree")];
    const NOTEBOOKS: [(Tool, &str); 3] = [LISTS[0], LISTS[1], (Tool::Notebook, "list")];
    let documents = |workspace: Workspace| {
        let page = ready(engine(workspace).resources(None)).unwrap();
        page.items.iter().filter(|it| it.uri.contains("/doc/")).count()
    };
    let proposed = |workspace: Workspace, prompt: &str, argument: &str| {
        let others = BTreeMap::new();
        let engine = engine(workspace);
        let found = ready(engine.complete(ArgumentOwner::Prompt(prompt), argument, "", &others)).unwrap();
        found.values.len()
    };
    assert!(documents(without(&[])) > 0 && documents(without(&[(Tool::Fs, "list")])) > 0);
    assert_eq!(documents(without(&LISTS)), 0);
    assert_eq!(documents(without(&[(Tool::Fs, "read")])), 0);
    for (argument, prompt, off) in [
        ("notebook", "weekly_digest", &NOTEBOOKS[..]),
        ("tag", "weekly_digest", &[(Tool::Tag, "list")]),
        ("document", "tidy_document", &LISTS),
        ("document", "tidy_document", &[(Tool::Fs, "read")]),
    ] {
        assert!(proposed(without(&[]), prompt, argument) > 0, "{argument}");
        assert_eq!(proposed(without(off), prompt, argument), 0, "{argument} without {off:?}");
    }
    let prompt = |workspace: Workspace, name: &str, given: &Map<String, Value>| {
        let engine = engine(workspace);
        let filled = ready(engine.prompt(name, given, Transport::Stdio));
        (filled.err().map(|it| it.kind), engine.kernel.sent().len())
    };
    let garden = given("notebook", "Garden");
    assert_eq!(prompt(without(&[]), "summarise_notebook", &garden).0, None);
    assert_eq!(prompt(without(&NOTEBOOKS), "summarise_notebook", &garden), (Some(ErrorType::Disabled), 0));
    for id in [PLANTS, PLAN] {
        let off = prompt(without(&[(Tool::Fs, "read")]), "tidy_document", &given("document", id));
        assert_eq!(off, (Some(ErrorType::Disabled), 0), "{id}");
    }
}

/// A pause also stops resources, prompts and completion, except help.
#[test]
fn pause_applies_to_resources_and_prompts() {
    let paused = || engine(Workspace::new(true).file("mcpHttpSettings", &json!({ "paused": true })));
    let read = ready(paused().read_resource(&address(PLANTS), Transport::Stdio));
    assert_eq!(read.unwrap_err().kind, ErrorType::Paused);
    let listed = ready(paused().resources(None)).unwrap();
    let is_own = |uri: &str| uri.starts_with("siyuan://help/") || uri.starts_with("skill://");
    assert!(listed.items.iter().all(|it| is_own(&it.uri)));
    let engine = paused();
    let prompt = ready(engine.prompt("summarise_notebook", &given("notebook", "Garden"), Transport::Stdio));
    assert_eq!(prompt.unwrap_err().kind, ErrorType::Paused);
    let others = BTreeMap::new();
    let proposed =
        ready(engine.complete(ArgumentOwner::Prompt("weekly_digest"), "notebook", "", &others)).unwrap();
    assert!(proposed.values.is_empty());
    assert_eq!(engine.kernel.sent(), []);
}
