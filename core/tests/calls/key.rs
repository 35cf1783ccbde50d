//! The key of the channel and the plugin's other files: no call reads, writes or removes them, whatever it names.
//!
//! Whoever has the key can answer questions in the person's place. Actions that only send something out are left to the
//! tests of their own: here is no service that they could ask.

use std::collections::BTreeSet;

use demo_kernel::Siyuan;
use puppy_core::agents::AGENTS_FILE;
use puppy_core::channel::KEY_FILE;
use puppy_core::config::GRANTS_FILE;
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::kernel::files;
use puppy_core::registry::ACTIONS;
use puppy_core::render::example;
use puppy_core::spec::{ActionSpec, Effect, Kind, Param, Slot};
use serde_json::{Map, Value, json};

use crate::examples::everything;
use crate::kernel::Nobody;
use crate::world::{World, call, shown};

const KEY: &str = "5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2";

/// Ways to name a file of the plugin, from every folder that some endpoint of the kernel starts in.
fn ways(file: &str) -> Vec<String> {
    let below = format!("storage/petal/siyuan-mcp-puppy/{file}");
    let mut ways: Vec<String> = ["/data/", "../", "../../data/", "assets/../"]
        .iter()
        .map(|before| format!("{before}{below}"))
        .collect();
    ways.push(format!("![a](../{below}) [b](file:///data/{below}) .action{{ getFile \"/data/{below}\" }}"));
    ways
}

/// The value with one text in it replaced, for each text.
fn with_each(value: &Value, text: &str) -> Vec<Value> {
    match value {
        Value::String(_) => vec![json!(text)],
        Value::Array(items) => {
            let one = |at: usize| with_each(&items[at], text).into_iter().map(move |it| (at, it));
            let put = |(at, it): (usize, Value)| {
                let mut items = items.clone();
                items[at] = it;
                Value::Array(items)
            };
            (0..items.len()).flat_map(one).map(put).collect()
        }
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, it)| with_each(it, text).into_iter().map(move |it| (name, it)))
            .map(|(name, it)| {
                let mut fields = fields.clone();
                fields.insert(name.clone(), it);
                Value::Object(fields)
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// A value of this kind with a text in it; none for kinds that cannot name a file.
fn naming(kind: &Kind, text: &str) -> Option<Value> {
    match kind {
        Kind::Choice(_) | Kind::Bool | Kind::Int { .. } => None,
        Kind::List { item, .. } => Some(json!([naming(item, text)?])),
        Kind::Record(fields) => {
            let named = fields.iter().filter_map(|it| Some((it.name.to_owned(), naming(&it.kind, text)?)));
            let named: Map<String, Value> = named.collect();
            (!named.is_empty()).then_some(Value::Object(named))
        }
        Kind::Attrs | Kind::Object => Some(json!({ "custom-file": text })),
        _ => Some(json!(text)),
    }
}

fn is_text(param: &Param) -> bool {
    naming(&param.kind, "").is_some()
}

/// The files of the plugin, with what must not change or show.
fn world(siyuan: Siyuan) -> World {
    World::of(siyuan)
        .notebook("Garden", "rwd")
        .docs(["/Garden/Beds"])
        .file("mcpToolsConfig", &everything())
        .file(KEY_FILE, &json!({ "key": KEY }))
        .file(AGENTS_FILE, &json!({ "anyone": { "level": "rwd" } }))
        .file("accessSettings", &json!({ "transfer_folder": "/home/ana/transfer" }))
        .page(&json!({ "text": "North" }))
}

/// B-059, B-190: with every example of every action as a start, each text in it replaced by a name of the file, and each
/// argument that it lacks added with one.
#[test]
fn no_call_reaches_the_files_of_the_plugin() {
    let engine = Engine::new(world(Siyuan::V3_8), Nobody);
    let stored = |file: &str| {
        let body = json!({ "path": format!("{}{file}", files::STORAGE) }).to_string();
        let answer = engine.kernel.demo.answer("/api/file/getFile", body.as_bytes());
        String::from_utf8(answer.body).unwrap()
    };
    let before = [KEY_FILE, GRANTS_FILE, AGENTS_FILE].map(stored);
    assert!(before[0].contains(KEY));
    let mut named = ways(KEY_FILE);
    named.extend(ways(AGENTS_FILE).into_iter().take(1));
    let [garden, beds] = ["/Garden", "/Garden/Beds"].map(|it| engine.kernel.id(it).to_owned());
    let thing = |hole: puppy_core::spec::Hole| {
        if hole.name().contains("notebook") { garden.clone() } else { beds.clone() }
    };
    let others = || ACTIONS.iter().filter(|it| it.effect != Effect::External);
    let mut tried = BTreeSet::new();
    for spec in others() {
        for right in example::all(spec, thing) {
            for (way, (name, mut sent)) in
                named.iter().flat_map(|way| hostile(spec, &right, way).into_iter().map(move |it| (way, it)))
            {
                sent.insert("action".to_owned(), json!(spec.name));
                let local = if name == "local_path" { vec![(way.clone(), KEY.into())] } else { Vec::new() };
                *engine.kernel.local.0.lock().unwrap() = local.clone().into_iter().collect();
                engine.kernel.take_all();
                engine.kernel.pass(1_000);
                let reply = call(&engine, spec.tool, &Value::Object(sent.clone()), &Approval::Given);
                let text = shown(&reply);
                assert!(!text.contains(KEY), "{} {sent:?} shows the key: {text}", spec.path());
                for (path, body) in engine.kernel.take_all() {
                    let of_files =
                        ["/api/file/", "/api/asset/", "/api/template/", "/api/export/", "/api/history/"];
                    let names = |file: &str| body.to_string().contains(&format!("siyuan-mcp-puppy/{file}"));
                    // Each call is judged by what the table says.
                    let reaches = names(KEY_FILE)
                        || (path != "/api/file/getFile" && (names(GRANTS_FILE) || names(AGENTS_FILE)));
                    // A text to render is no name.
                    let is_of_files =
                        of_files.iter().any(|it| path.starts_with(it)) && path != "/api/template/renderSprig";
                    assert!(!(is_of_files && reaches), "{} {sent:?} asked {path} {body}", spec.path());
                }
                // On this machine too the files may lie where a path leads out of the transfer folder.
                assert!(reply.is_err() || local.is_empty(), "{} {sent:?} was read: {text}", spec.path());
                let left = engine.kernel.local.0.lock().unwrap().len();
                assert_eq!(left, local.len(), "{} {sent:?} wrote a local file", spec.path());
                tried.insert(spec.path());
            }
        }
    }
    assert_eq!([KEY_FILE, GRANTS_FILE, AGENTS_FILE].map(stored), before);
    let all: BTreeSet<String> =
        others().filter(|it| it.params().any(|it| is_text(&it))).map(|it| it.path()).collect();
    assert_eq!(tried, all);
}

/// The calls with one text replaced or added, each with the name of that argument.
fn hostile(spec: &ActionSpec, right: &Map<String, Value>, way: &str) -> Vec<(String, Map<String, Value>)> {
    let mut calls = Vec::new();
    for param in spec.params().filter(is_text) {
        let mut start = right.clone();
        let values = match right.get(param.name) {
            Some(value) => with_each(value, way),
            None => {
                leave_out_rivals(spec, &param, &mut start);
                naming(&param.kind, way).into_iter().collect()
            }
        };
        for value in values {
            let mut sent = start.clone();
            sent.insert(param.name.to_owned(), value);
            calls.push((param.name.to_owned(), sent));
        }
    }
    calls
}

/// Takes the arguments out of a call beside which this one must not be sent.
fn leave_out_rivals(spec: &ActionSpec, param: &Param, sent: &mut Map<String, Value>) {
    let is_it = |it: &Param| it.name == param.name;
    for slot in spec.slots {
        let Slot::OneOf(groups, _) = slot else { continue };
        if groups.iter().any(|group| group.iter().any(is_it)) {
            let rivals = groups.iter().filter(|group| !group.iter().any(is_it));
            for rival in rivals.flat_map(|group| group.iter()) {
                sent.shift_remove(rival.name);
            }
        }
    }
}
