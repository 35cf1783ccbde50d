//! Switches and grants: read once for many callers, in effect within a second, written once as defaults.

use std::time::Duration;

use demo_kernel::{Fault, FaultKind};
use futures_util::future::join_all;
use puppy_core::error::ErrorType;
use puppy_core::spec::Tool;
use puppy_server::writers::Writers;
use serde_json::json;

use crate::world::{World, call};

/// The time a policy is cached, with a margin.
const CACHED: Duration = Duration::from_millis(1_050);
const SWITCHES: &str = "/data/storage/petal/siyuan-mcp-puppy/mcpToolsConfig";

/// B-009: fifty callers cause one read.
#[tokio::test(flavor = "multi_thread")]
async fn fifty_callers_cause_one_policy_read() {
    let world = World::new().await;
    let engine = world.silent();
    world.kernel.clear_log();
    join_all((0..50).map(|_| engine.policy())).await;
    let mut asked = world.asked();
    asked.sort_unstable();
    // The table of levels is the one file of settings there.
    assert_eq!(asked, ["/api/file/getFile", "/api/file/readDir", "/api/notebook/lsNotebooks"]);
}

/// B-010, B-061: without the channel a change takes effect after a second.
#[tokio::test(flavor = "multi_thread")]
async fn lowered_level_applies_within_a_second() {
    let world = World::new().await;
    let engine = world.silent();
    let read = json!({ "action": "read", "path": "/Garden/Welcome" });
    call(&engine, Tool::Fs, read.clone()).await.unwrap();
    let garden = world.notebook("Garden").await;
    world.set_table(&json!({ garden: "none" })).await;
    tokio::time::sleep(CACHED).await;
    let error = call(&engine, Tool::Fs, read).await.expect_err("the notebook is closed");
    assert_eq!(error.kind, ErrorType::NotFound);
}

/// B-003, B-010, B-083: an action that is switched off is refused within a second.
#[tokio::test(flavor = "multi_thread")]
async fn switched_off_action_is_refused_within_a_second() {
    let world = World::new().await;
    let engine = world.silent();
    call(&engine, Tool::Notebook, json!({ "action": "list" })).await.unwrap();
    world.set_switches(&json!({ "notebook": { "enabled": true, "actions": { "list": false } } })).await;
    tokio::time::sleep(CACHED).await;
    let error = call(&engine, Tool::Notebook, json!({ "action": "list" })).await.expect_err("it is off");
    assert_eq!(error.kind, ErrorType::Disabled);
    assert!(error.message.contains("notebook.list"), "{}", error.message);
}

/// B-233: a missing file is written once.
#[tokio::test(flavor = "multi_thread")]
async fn first_start_writes_the_default_switches() {
    let world = World::new().await;
    assert_eq!(world.read(SWITCHES).await, None);
    Writers::new(world.http.clone()).write_defaults().await.unwrap();
    assert_eq!(
        world.read(SWITCHES).await.unwrap(),
        puppy_core::config::Switches::default().to_json().into_bytes()
    );
}

/// B-233: an unreadable file is not a missing one, and a person's settings stay.
#[tokio::test(flavor = "multi_thread")]
async fn default_switches_never_replace_a_file() {
    let world = World::new().await;
    for kind in [FaultKind::Broken, FaultKind::Forbidden, FaultKind::Empty] {
        let path = "/api/file/getFile".to_owned();
        world.kernel.set_faults(vec![Fault { path, fault: kind, ms: None, times: None }]);
        Writers::new(world.http.clone()).write_defaults().await.unwrap();
        assert!(!world.asked().iter().any(|path| path == "/api/file/putFile"), "{kind:?}");
    }
    world.kernel.set_faults(Vec::new());
    world.set_switches(&json!({ "fs": { "enabled": false } })).await;
    Writers::new(world.http.clone()).write_defaults().await.unwrap();
    assert_eq!(world.read_json(SWITCHES).await, json!({ "fs": { "enabled": false } }));
}
