//! Names of decks and snapshots in the hands of a hostile caller.

use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::ErrorType;
use puppy_core::spec::Tool;
use serde_json::json;

use crate::kernel::Nobody;
use crate::world::{World, call};

/// B-059: SiYuan puts names of decks into its window as HTML, and decodes them before.
#[test]
fn names_of_decks_and_snapshots_run_nothing() {
    let engine = Engine::new(World::new().notebook("Garden", "rw"), Nobody);
    let script = "<img src=x onerror=alert(1)>";
    let coded = "&lt;img src=x onerror=alert(1)&gt;";
    engine.kernel.ask("repo/initRepoKey", &json!({}));
    for (tool, arguments) in [
        (Tool::Flashcard, json!({ "action": "create_deck", "name": script })),
        (Tool::Flashcard, json!({ "action": "create_deck", "name": coded })),
        (Tool::Flashcard, json!({ "action": "create_deck", "name": "<iframe>" })),
        (Tool::System, json!({ "action": "create_snapshot", "memo": script })),
        (Tool::System, json!({ "action": "create_snapshot", "memo": coded })),
        (Tool::Flashcard, json!({ "action": "create_deck", "name": "&lt;iframe src=x&gt;" })),
        (Tool::System, json!({ "action": "create_snapshot", "memo": "<iframe src=x>" })),
        (Tool::System, json!({ "action": "create_snapshot", "memo": "&lt;iframe src=x" })),
        (
            Tool::System,
            json!({ "action": "create_snapshot", "memo": "a", "tag": "&lt;img src=x onerror=alert(1)&gt;" }),
        ),
    ] {
        let error = call(&engine, tool, &arguments, &Approval::Given).unwrap_err();
        assert_eq!(error.kind, ErrorType::Validation, "{arguments}: {error:?}");
    }
    let made = json!({ "action": "create_deck", "name": "R&D, 1 2 == 3" });
    assert!(call(&engine, Tool::Flashcard, &made, &Approval::Given).is_ok());
}
