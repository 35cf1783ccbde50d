//! The key of the bridge and the plugin's other files: no call reads, writes or removes them, whatever it names.
//!
//! Whoever has the key can answer questions in the person's place.

use demo_kernel::Siyuan;
use puppy_core::bridge::KEY_FILE;
use puppy_core::config::GRANTS_FILE;
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::kernel::files;
use puppy_core::registry::ACTIONS;
use puppy_core::render::example;
use puppy_core::spec::{ActionSpec, Effect, Kind};
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

/// The arguments that are free text or name something; words out of a list cannot name a file.
fn is_text(spec: &ActionSpec, name: &str) -> bool {
    let kind = spec.params().find(|it| it.name == name).map(|it| it.kind);
    kind.is_some_and(|it| !matches!(it, Kind::Choice(_) | Kind::Bool | Kind::Int { .. }))
}

/// The files of the plugin, with what must not change or show.
fn world(siyuan: Siyuan) -> World {
    World::of(siyuan)
        .notebook("Garden", "rwd")
        .docs(["/Garden/Beds"])
        .file("mcpToolsConfig", &everything())
        .file(KEY_FILE, &json!({ "key": KEY }))
        .page(&json!({}))
}

/// B-059, B-190: with the first example of every action as a start, and each text in it replaced by a name of the file.
#[test]
fn no_call_reaches_the_files_of_the_plugin() {
    let engine = Engine::new(world(Siyuan::V3_8), Nobody);
    let stored = |file: &str| {
        let body = json!({ "path": format!("{}{file}", files::STORAGE) }).to_string();
        let answer = engine.kernel.demo.answer("/api/file/getFile", body.as_bytes());
        String::from_utf8(answer.body).unwrap()
    };
    let before = [KEY_FILE, GRANTS_FILE].map(stored);
    assert!(before[0].contains(KEY));
    let named = ways(KEY_FILE);
    let mut tried = 0;
    // What changes a level does so in the table, and asks a person about it first.
    let others = ACTIONS.iter().filter(|it| !it.danger.is_for_siyuan() && it.effect != Effect::External);
    for spec in others {
        let garden = engine.kernel.id("/Garden").to_owned();
        let beds = engine.kernel.id("/Garden/Beds").to_owned();
        let thing = |hole: puppy_core::spec::Hole| {
            if hole.name().contains("notebook") { garden.clone() } else { beds.clone() }
        };
        for right in example::all(spec, thing).into_iter().take(1) {
            for way in &named {
                for mut sent in hostile(spec, &right, way) {
                    sent.insert("action".to_owned(), json!(spec.name));
                    engine.kernel.take_all();
                    engine.kernel.pass(1_000);
                    let reply =
                        shown(&call(&engine, spec.tool, &Value::Object(sent.clone()), &Approval::Given));
                    assert!(!reply.contains(KEY), "{} {sent:?} shows the key: {reply}", spec.path());
                    for (path, body) in engine.kernel.take_all() {
                        let of_files = ["/api/file/", "/api/asset/", "/api/template/", "/api/export/"];
                        let names =
                            |file: &str| body.to_string().contains(&format!("siyuan-mcp-puppy/{file}"));
                        // Each call is judged by what the table says.
                        let reaches = names(KEY_FILE) || (path != "/api/file/getFile" && names(GRANTS_FILE));
                        let is_of_files = of_files.iter().any(|it| path.starts_with(it));
                        assert!(!(is_of_files && reaches), "{} {sent:?} asked {path} {body}", spec.path());
                    }
                    tried += 1;
                }
            }
        }
    }
    assert_eq!([KEY_FILE, GRANTS_FILE].map(stored), before);
    assert!(tried > 500, "{tried}");
}

/// The calls with one text replaced.
fn hostile(spec: &ActionSpec, right: &Map<String, Value>, way: &str) -> Vec<Map<String, Value>> {
    let names = right.keys().filter(|it| is_text(spec, it));
    names
        .flat_map(|name| {
            with_each(&right[name], way).into_iter().map(|it| {
                let mut sent = right.clone();
                sent.insert(name.clone(), it);
                sent
            })
        })
        .collect()
}
