//! A corpus of hostile paths for every argument that names an asset or a template (B-059).

use demo_kernel::Siyuan;
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::kernel::Nobody;
use crate::world::{World, call};

/// Paths that lead out of a folder on some system, or that look like another one.
const HOSTILE: [&str; 22] = [
    "../conf/conf.json",
    "../../../../etc/passwd",
    "..",
    "/etc/passwd",
    "/data/assets/a.png",
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "\\\\server\\share\\a.png",
    "file:///etc/passwd",
    "assets",
    "assets/",
    "assets/..",
    "assets/../storage/local.json",
    "assets/../../conf/conf.json",
    "assets/..\\..\\conf\\conf.json",
    "assets/./a.png",
    "assets//a.png",
    "assets/ /a.png",
    "assets/a\0.png",
    "assets/a\n.png",
    "Assets/a.png",
    "data/assets/a.png",
];

/// The arguments that name an asset or a template, each in a call that is right apart from it.
fn calls() -> Vec<(&'static str, Value)> {
    let with = |field: &'static str, call: Value| (field, call);
    vec![
        with("path", json!({ "action": "read_asset" })),
        with("path", json!({ "action": "rename_asset", "name": "b.png" })),
        with("path", json!({ "action": "set_asset_text", "text": "x" })),
        with("paths", json!({ "action": "delete_assets" })),
        with("template", json!({ "action": "read_template" })),
        with("template", json!({ "action": "render_template", "id": "{/Garden/Beds}" })),
        with("template", json!({ "action": "save_template", "text": "x" })),
        with("template", json!({ "action": "delete_template" })),
    ]
}

#[test]
fn no_argument_leads_out_of_its_folder() {
    let on = json!({ "file": { "enabled": true, "actions": { "delete_assets": true, "delete_template": true, "set_asset_text": true } } });
    let engines = [Siyuan::V3_7, Siyuan::V3_8].map(|siyuan| {
        let world =
            World::of(siyuan).notebook("Garden", "rwd").docs(["/Garden/Beds"]).file("mcpToolsConfig", &on);
        Engine::new(world, Nobody)
    });
    for (engine, (field, right)) in
        engines.iter().flat_map(|engine| calls().into_iter().map(move |it| (engine, it)))
    {
        for path in HOSTILE {
            let mut arguments: Value = serde_json::from_str(&engine.kernel.fill(&right.to_string())).unwrap();
            arguments[field] = if field == "paths" { json!([path]) } else { json!(path) };
            engine.kernel.take_sent();
            engine.kernel.pass(2_000);
            let reply = call(engine, Tool::File, &arguments, &Approval::Given);
            assert!(reply.is_err(), "{arguments} gave {reply:?}");
            // Not even asked for: a request that named the path would be the kernel's to refuse.
            let word = path.trim_matches(['.', '/', '\\']);
            for (asked, body) in engine.kernel.take_sent() {
                let of_files = ["/api/file/", "/api/asset/", "/api/template/", "/api/search/"];
                let names_it = word.len() > 6 && body.to_string().contains(word);
                assert!(
                    !names_it || !of_files.iter().any(|it| asked.starts_with(it)),
                    "{arguments} asked {asked} {body}"
                );
            }
        }
    }
}
