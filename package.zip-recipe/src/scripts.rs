//! The types of the shipped scripts: TypeScript checks them as they are, by their JSDoc and the declarations in `types/`.

use crate::house::House;
use crate::outcome::Outcome;
use crate::prerequisites;
use crate::process::run;
use anyhow::{Context as _, Result};

/// Checks them. It needs no module of wasm: `types/host.d.ts` declares what the modules export.
pub(crate) fn check(house: &House) -> Result<Outcome> {
    let compiler = prerequisites::node_modules(house, "types")?.join("typescript/bin/tsc");
    run(house.command("node").arg(compiler).args(["--project", "tsconfig.json"]).current_dir(&house.root))
        .context("the shipped scripts have errors of types")?;
    Ok(Outcome::Passed(String::new()))
}

#[cfg(test)]
mod tests {
    use crate::house::House;
    use crate::tidy::{File, files, none};
    use crate::wasm::PLUGIN_FILES;
    use std::collections::{BTreeMap, BTreeSet};

    /// The declarations of a Rust source or of `types/host.d.ts`: the members of each type, with their parameters.
    type Members = BTreeMap<String, BTreeSet<String>>;

    /// The files of Rust that declare what scripts call, or what they are called by.
    const DOORS: [&str; 3] =
        ["plugin-ui/web/src/host.rs", "plugin-ui/web/src/host/channel.rs", "plugin-ui/web/src/host/own.rs"];
    /// The types of those files that are objects of the scripts.
    const OBJECTS: [&str; 6] = ["ChannelHost", "Host", "OwnHost", "Page", "LateView", "Preview"];

    fn text(name: &str) -> String {
        std::fs::read_to_string(House::find().unwrap().at(name)).unwrap()
    }

    #[test]
    fn every_shipped_script_is_checked() {
        let settings: serde_json::Value = serde_json::from_str(&text("tsconfig.json")).unwrap();
        let options = &settings["compilerOptions"];
        assert!(["allowJs", "checkJs", "strict"].iter().all(|it| options[it] == true), "{options}");
        assert!(settings.get("exclude").is_none(), "{settings}");
        let included: Vec<&str> =
            settings["include"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        let is_below = |file: &File, place: &str| {
            file.name == place || file.name.strip_prefix(place).is_some_and(|it| it.starts_with('/'))
        };
        let scripts = files(&[".js", ".mjs", ".cjs"]);
        let shipped: Vec<_> =
            scripts.iter().filter(|it| PLUGIN_FILES.iter().any(|place| is_below(it, place))).collect();
        assert!(shipped.len() > 10, "{} scripts", shipped.len());
        let left_out = shipped.iter().filter(|it| !included.iter().any(|place| is_below(it, place)));
        none(
            "add these to `include` in tsconfig.json",
            &left_out.map(|it| it.name.clone()).collect::<Vec<_>>(),
        );
        let off: Vec<_> = shipped
            .iter()
            .filter(|it| {
                ["@ts-ignore", "@ts-nocheck", "@ts-expect-error"].iter().any(|no| it.text.contains(no))
            })
            .map(|it| it.name.clone())
            .collect();
        none("correct the type instead of turning its check off", &off);
    }

    /// Declarations are of no use to a page.
    #[test]
    fn declarations_of_types_are_not_shipped() {
        let is_shipped =
            |name: &str| PLUGIN_FILES.iter().any(|it| name == *it || name.starts_with(&format!("{it}/")));
        let found: Vec<_> =
            files(&[".d.ts"]).into_iter().map(|it| it.name).filter(|name| is_shipped(name)).collect();
        none("these belong into `types/`", &found);
    }

    /// TypeScript sees no Rust, and wasm-bindgen no declaration of ours: both sides are compared here.
    #[test]
    fn scripts_and_modules_declare_the_same_objects() {
        let declared = interfaces(&text("types/host.d.ts"));
        let mut rust = Members::new();
        for door in DOORS {
            objects(&text(door), &mut rust);
        }
        for name in OBJECTS {
            assert_eq!(declared[name], rust[name], "`{name}` in types/host.d.ts (left) and in Rust (right)");
        }
        assert!(rust["Host"].len() > 15 && rust["ChannelHost"].len() > 5, "{rust:?}");
    }

    #[test]
    fn scripts_call_what_modules_export() {
        let modules = text("types/host.d.ts");
        let (_, modules) = modules.split_once("interface Modules {\n").unwrap();
        let (modules, _) = modules.split_once("\n}\n").unwrap();
        let mut count = 0;
        for module in modules.split("\n  };").filter(|it| !it.trim().is_empty()) {
            let (name, members) = module.split_once(": {\n").unwrap();
            let declared: BTreeSet<_> = members.lines().filter_map(member).collect();
            let source = text(&format!("plugin-ui/{}/src/main.rs", name.trim()));
            let exported: BTreeSet<_> = functions(&source).map(|it| it.1).collect();
            assert_eq!(declared, exported, "{name} in types/host.d.ts (left) and in Rust (right)");
            count += declared.len();
        }
        assert!(count > 8, "{count} functions");
    }

    /// The interfaces of a file of declarations.
    fn interfaces(text: &str) -> Members {
        let mut found = Members::new();
        for part in text.split("\ninterface ").skip(1) {
            let (head, body) = part.split_once(" {\n").unwrap();
            let body = body.split_once("\n}\n").unwrap().0;
            let name = head.split(' ').next().unwrap_or_default();
            found.insert(name.to_owned(), body.lines().filter_map(member).collect());
        }
        found
    }

    /// A member as `name(types)`, with a colon in place of the parameters of a value; `None` for other lines.
    fn member(line: &str) -> Option<String> {
        let line = line.trim().trim_start_matches("readonly ").strip_suffix(';')?;
        let Some((name, rest)) = line.split_once('(') else {
            let (name, kind) = line.split_once(": ")?;
            return Some(format!("{name}: {kind}"));
        };
        let (parameters, _) = rest.split_once(')')?;
        let kinds = parameters.split(", ").filter_map(|it| it.split_once(": ")).map(|(_, kind)| match kind {
            // Words that Rust knows as text.
            "ServerRequest" | "AssistantRequest" | "NativeRequest" => "string",
            kind if kind.contains('"') => "string",
            kind => kind,
        });
        Some(format!("{name}({})", kinds.collect::<Vec<_>>().join(", ")))
    }

    /// The types that a source imports from the page, with their methods.
    fn objects(source: &str, found: &mut Members) {
        for (owner, member) in functions(source) {
            if let Some(owner) = owner {
                found.entry(owner).or_default().insert(member);
            }
        }
    }

    /// The functions below `#[wasm_bindgen]` attributes, by the type of their `this`.
    fn functions(source: &str) -> impl Iterator<Item = (Option<String>, String)> {
        source.split("#[wasm_bindgen").skip(1).filter_map(|part| {
            let (attribute, rest) = part.split_once(']')?;
            let head = rest.trim_start().split(['{', ';']).next()?;
            let head = head.trim_start_matches("pub ").trim_start_matches("async ").strip_prefix("fn ")?;
            let (name, rest) = head.split_once('(')?;
            let (parameters, answer) = rest.split_once(')')?;
            let name = attribute
                .split_once("js_name = ")
                .map_or(name, |(_, it)| it.split([',', ')']).next().unwrap_or_default());
            let mut owner = None;
            let mut kinds = Vec::new();
            for (parameter, kind) in parameters.split(", ").filter_map(|it| it.split_once(": ")) {
                match parameter {
                    "this" => owner = Some(kind.trim_start_matches('&').to_owned()),
                    _ => kinds.push(type_of(kind)),
                }
            }
            let is_value = attribute.contains("getter");
            let answer = type_of(answer.trim().trim_start_matches("-> "));
            let member =
                if is_value { format!("{name}: {answer}") } else { format!("{name}({})", kinds.join(", ")) };
            Some((owner, member))
        })
    }

    /// TypeScript's name of a type.
    fn type_of(kind: &str) -> &str {
        match kind.trim_start_matches('&') {
            "str" | "String" => "string",
            "i32" | "u32" => "number",
            "bool" => "boolean",
            kind => kind,
        }
    }

    #[test]
    fn declarations_of_both_sides_are_read() {
        let rust = "#[wasm_bindgen(method, js_name = openMenu)]\n    async fn menu(this: &Host, lines: &str, x: i32) -> JsValue;\n\
            #[wasm_bindgen(method, getter)]\n    pub fn lang(this: &Host) -> String;\n";
        let mut found = Members::new();
        objects(rust, &mut found);
        let script = "\ninterface Host extends Page {\n  /** A: (b). */\n  readonly lang: string;\n  openMenu(lines: string, x: number): Promise<string>;\n}\n";
        assert_eq!(interfaces(script), found);
        assert_eq!(found["Host"].iter().collect::<Vec<_>>(), ["lang: string", "openMenu(string, number)"]);
    }
}
