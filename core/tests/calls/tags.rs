//! Accepted tags, checked against the kernel: each is one tag, and the same one.

use proptest::prelude::*;
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::kernel::Ambient;
use puppy_core::spec::Tool;
use serde_json::{Value, json};

use crate::kernel::Nobody;
use crate::world::{World, call, world};

/// The tags of a document as the kernel has them.
fn tags(world: &World, id: &Value) -> String {
    let statement = format!("SELECT tag FROM blocks WHERE id = '{}' LIMIT 1", id.as_str().unwrap());
    world.ask("query/sql", &json!({ "stmt": statement }))[0]["tag"].as_str().unwrap().to_owned()
}

/// The tags of a document that is created with one tag; `None` if the tag is refused.
fn made(engine: &Engine<World, Nobody>, tag: &str) -> Option<String> {
    // Each document gets a moment of its own, so that ids and titles differ.
    engine.kernel.pass(1_000);
    let (notebook, title) = (engine.kernel.id("/Garden"), format!("T{}", engine.kernel.now_ms()));
    let arguments = json!({ "action": "create", "notebook": notebook, "title": title, "tags": [tag] });
    match call(engine, Tool::Document, &arguments, &Approval::Missing) {
        Ok(output) => Some(tags(&engine.kernel, &output.data["id"])),
        Err(error) => {
            assert!(error.fields.iter().any(|it| it.field.starts_with("tags")), "{tag}: {error:?}");
            None
        }
    }
}

/// F20: each of these would add the tag of prompts through characters that the kernel reads as others.
#[test]
fn disguised_prompt_tag_is_refused() {
    let engine = Engine::new(world(), Nobody);
    for disguised in
        ["x，prompt", "x,prompt", "x&comma;prompt", "x&#44;prompt", "prompt_esc_newline_", "&#112;rompt"]
    {
        let body = json!({ "notebook": engine.kernel.id("/Garden"), "path": "/U", "markdown": "", "tags": disguised });
        let read = tags(&engine.kernel, &engine.kernel.ask("filetree/createDocWithMd", &body));
        assert!(read.contains("#prompt#"), "{disguised} is read as {read}");
        assert_eq!(made(&engine, disguised), None, "{disguised}");
    }
    assert_eq!(made(&engine, " R&D ").as_deref(), Some("#R&D#"));
}

const PARTS: [&str; 14] =
    ["prompt", "x", "R&D", "&", ";", "&amp;", "&comma;", "&#44;", "，", ",", "_esc_newline_", " ", "#", "小"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    /// F20: any text is either refused or becomes exactly this one tag.
    #[test]
    fn accepted_text_is_exactly_one_tag(picks in proptest::collection::vec(0..PARTS.len(), 1..4)) {
        thread_local! { static ENGINE: Engine<World, Nobody> = Engine::new(world(), Nobody); }
        let tag: String = picks.iter().map(|at| PARTS[*at]).collect();
        if let Some(read) = ENGINE.with(|engine| made(engine, &tag)) {
            prop_assert_eq!(read, format!("#{}#", tag.trim()));
        }
    }
}
