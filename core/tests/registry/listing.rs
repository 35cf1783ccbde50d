//! `tools/list` as a client gets it, compared with a golden file.

use expect_test::expect_file;
use puppy_core::config::Offer;
use puppy_core::render::schema::{Descriptor, descriptors};
use serde_json::{Map, Value, json};

/// The list with its hints (B-007).
pub(crate) fn json(tools: &[Descriptor]) -> Value {
    let tools = tools.iter().map(|it| {
        json!({
            "name": it.name(),
            "title": it.title(),
            "description": it.description,
            "inputSchema": it.input_schema,
            "annotations": {
                "readOnlyHint": it.read_only,
                "destructiveHint": it.destructive,
                "idempotentHint": it.idempotent,
                "openWorldHint": it.open_world,
            },
            "_meta": meta(it),
        })
    });
    tools.collect()
}

/// The keys for some clients (B-016).
fn meta(tool: &Descriptor) -> Map<String, Value> {
    let hint = tool.hint.map(|hint| (Descriptor::SEARCH_HINT.to_owned(), json!(hint)));
    [(Descriptor::ALWAYS_LOAD.to_owned(), json!(true))].into_iter().chain(hint).collect()
}

/// Read the difference as a model would, then `UPDATE_EXPECT=1 cargo test -p puppy-core --test registry`.
#[test]
fn tool_list_matches_the_golden_file() {
    let list = serde_json::to_string_pretty(&json(&descriptors(&Offer::default()))).unwrap();
    expect_file!["../golden/tools.json"].assert_eq(&format!("{list}\n"));
}
