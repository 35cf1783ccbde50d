//! The tools of SiYuan's own agent: their size, their effects, and the names that they share with `tools/list`.

use puppy_core::config::{Offer, Switches};
use puppy_core::kernel::Nature;
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::render::capability::{Effects, capabilities};
use puppy_core::render::schema::descriptors;
use puppy_core::spec::{Effect, Tool};
use serde_json::{Value, json};

/// The most tokens that the tools may take in each round of a chat, and the bytes of a token.
const TOKENS: f64 = 2_500.0;
const BYTES_PER_TOKEN: f64 = 3.3;

/// A tool as the model gets it, under the longest name that SiYuan gives to a tool.
fn function(capability: &Value) -> String {
    let (name, description) = ("x".repeat(64), &capability["description"]);
    let parameters = &capability["inputSchema"];
    json!({ "type": "function", "function": { "name": name, "description": description, "parameters": parameters } })
        .to_string()
}

#[test]
fn tools_of_the_own_agent_cost_few_tokens() {
    let mut everything = Switches::default();
    for spec in ACTIONS {
        everything.set(spec.tool, spec.name, true);
    }
    for (name, offer) in [("default", Offer::default()), ("everything on", Offer::new(everything, None))] {
        let all: Vec<String> = capabilities(&offer).iter().map(function).collect();
        let bytes: usize = all.iter().map(|it| it.len() + 1).sum();
        #[expect(clippy::cast_precision_loss, reason = "some thousand bytes")]
        let tokens = bytes as f64 / BYTES_PER_TOKEN;
        println!("{name}: {} tools, {bytes} bytes, {tokens:.0} tokens a round", all.len());
        assert!(tokens <= TOKENS, "{name}: {tokens:.0} tokens in {bytes} bytes");
    }
}

#[test]
fn tools_of_the_own_agent_are_those_of_the_list() {
    for offer in [Offer::default(), Offer::new(Switches::default(), Some(Level::Read))] {
        let listed = descriptors(&offer);
        let capabilities = capabilities(&offer);
        assert_eq!(capabilities.len(), listed.len());
        for (it, tool) in capabilities.iter().zip(&listed) {
            assert_eq!((&it["name"], &it["title"]), (&json!(tool.name()), &json!(tool.title())));
            // The compact list says less, in the same words.
            for line in it["description"].as_str().unwrap().lines().filter(|it| !it.contains('(')) {
                assert!(tool.description.contains(line), "{}: {line}", tool.name());
            }
            let names: Vec<&str> =
                it["actionEffects"].as_object().unwrap().keys().map(String::as_str).collect();
            let offered = ACTIONS.iter().filter(|spec| spec.tool == tool.tool && offer.has(spec));
            let mut wanted: Vec<&str> = offered.map(|spec| spec.name).chain(["help"]).collect();
            wanted.sort_unstable();
            let mut sorted = names;
            sorted.sort_unstable();
            assert_eq!(sorted, wanted);
        }
    }
    let all = capabilities(&Offer::default());
    assert_eq!(all.len(), Tool::ALL.iter().filter(|it| ACTIONS.iter().any(|spec| spec.tool == **it)).count());
    assert_eq!(all.len(), 11);
}

/// An action that is said to read makes no request that writes a note, and one that sends something out says so.
#[test]
fn effects_of_the_own_agent_are_those_of_the_declarations() {
    for spec in ACTIONS {
        let effects = Effects::of(spec);
        let needs_write = spec.level() >= Some(Level::Write);
        assert!(effects.writes || !needs_write, "{} needs a level that writes", spec.path());
        let is_reader = matches!(spec.worst, Effect::Read | Effect::Screen);
        assert_eq!(is_reader, effects == Effects::default(), "{}", spec.path());
        assert_eq!(spec.worst == Effect::External, effects.sends, "{}", spec.path());
    }
    let of = |path: &str| Effects::of(ACTIONS.iter().find(|it| it.path() == path).unwrap());
    assert_eq!(of("document.read"), Effects::default());
    assert_eq!(of("document.remove"), Effects { writes: true, sends: false });
    assert_eq!(of("system.sync"), Effects { writes: true, sends: true });
    assert_eq!(of("file.upload_asset"), Effects { writes: true, sends: true });
    let semantic = ACTIONS.iter().find(|it| it.path() == "search.semantic").unwrap();
    assert!(Effects::of(semantic).sends);
    assert!(semantic.calls.iter().any(|it| it.nature == Nature::Read));
}

#[test]
fn effects_of_a_tool_are_all_those_of_its_actions() {
    let read = json!({ "localRead": true });
    for it in capabilities(&Offer::default()) {
        let actions = it["actionEffects"].as_object().unwrap();
        assert_eq!(actions["help"], read);
        for key in ["localWrite", "dataEgress"] {
            let has = actions.values().any(|of| of[key] == json!(true));
            assert_eq!(it["effects"][key] == json!(true), has, "{} {key}", it["name"]);
        }
    }
}
