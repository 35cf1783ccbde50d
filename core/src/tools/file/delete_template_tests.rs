//! Tests of `file.delete_template`: where everything may be deleted.

use expect_test::expect;
use serde_json::json;

use crate::dispatch::Engine;
use crate::error::ErrorType;
use crate::testing::world::{Nobody, World, check};
use crate::tools::file::testing::refused;

fn with_deletion(levels: [&str; 2]) -> World {
    let world = World::new().notebook("Garden", levels[0]).notebook("Private", levels[1]);
    assert_eq!(world.demo.put_file("/data/templates/Meeting.md", b"x").status, 200);
    world.file(
        "mcpToolsConfig",
        &json!({ "file": { "enabled": true, "actions": { "delete_template": true } } }),
    )
}

#[test]
fn a_template_is_deleted_where_everything_may_be() {
    check(
        "file.delete_template",
        with_deletion(["rwd", "rwd"]),
        &json!({ "template": "Meeting.md" }),
        &expect![[r#"
            searchTemplate searchTemplate removeTemplate
            {"template":"Meeting.md"}
        "#]],
    );
    for (levels, path, kind) in [
        (["rwd", "none"], "Meeting.md", ErrorType::Disabled),
        (["rwd", "none"], "never.md", ErrorType::Disabled),
        (["rwd", "rw"], "Meeting.md", ErrorType::PermissionDenied),
        (["rwd", "rwd"], "never.md", ErrorType::NotFound),
        (["rwd", "rwd"], "../conf/conf.md", ErrorType::Validation),
    ] {
        let engine = Engine::new(with_deletion(levels), Nobody);
        let sent = json!({ "action": "delete_template", "template": path });
        assert_eq!(refused(&engine, &sent).0, kind, "{levels:?} {path}");
        let there = engine.kernel.ask("search/searchTemplate", &json!({ "k": "" }));
        assert_eq!(there["templates"].as_array().unwrap().len(), 1);
    }
}
