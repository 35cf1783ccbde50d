//! Tests of `system.sync`: its outcome, its approval, and where it would do nothing.

use serde_json::{Value, json};

use crate::dispatch::Approval;
use crate::error::ErrorType;
use crate::spec::Tool;
use crate::testing::{self, FakeKernel};
use crate::tools::system::testing::{data, faked};

/// A kernel whose sync ends after some looks at it.
fn syncing(conf: Value, looks: usize) -> FakeKernel {
    let seen = std::sync::atomic::AtomicUsize::new(0);
    FakeKernel::new()
        .answer("/api/system/getConf", move |_| json!({ "conf": { "sync": conf } }))
        .answer("/api/sync/performSync", |_| Value::Null)
        .answer("/api/sync/getSyncInfo", move |_| {
            let done = seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > looks;
            let (synced, stat) = if done { (1_700_000_000_000_u64, "Sent 12 files") } else { (0, "") };
            json!({ "synced": synced, "stat": stat, "kernel": "k", "kernels": [{ "hostname": "secret" }] })
        })
}

#[test]
fn sync_waits_for_its_outcome() {
    for (looks, expected) in [
        (0, json!({ "stat": "Sent # files", "synced": "2023-11-14T22:13:20Z" })),
        (5, json!({ "stat": "Sent # files", "synced": "2023-11-14T22:13:20Z" })),
        (1_000, json!({ "unfinished": true })),
    ] {
        let engine = testing::engine(syncing(json!({ "enabled": true, "mode": 1 }), looks));
        let reply =
            testing::call(&engine, Tool::System, json!({ "action": "sync", "preview": true })).unwrap();
        assert_eq!(reply.data["would"], "sync");
        let approved = futures_util::FutureExt::now_or_never(engine.dispatch(
            crate::dispatch::Call {
                tool: Tool::System,
                arguments: json!({ "action": "sync" }).as_object().cloned().unwrap(),
                part: crate::part::Part::Whole,
                transport: crate::activity::Transport::Stdio,
                client: String::new(),
            },
            &Approval::Given,
        ));
        assert_eq!(data(approved.unwrap()), expected, "{looks}");
    }
}

/// Sync sends every notebook, so a person approves it; it is refused where it would do nothing.
#[test]
fn sync_needs_an_approval_and_must_be_switched_on() {
    for (conf, kind) in [
        (json!({ "enabled": true, "mode": 1 }), ErrorType::ConfirmationRequired),
        (json!({ "enabled": false, "mode": 1 }), ErrorType::Api),
        (json!({ "enabled": true, "mode": 3 }), ErrorType::Api),
    ] {
        let (reply, asked) = faked(syncing(conf, 0), "sync", json!({}));
        assert_eq!(reply.unwrap_err().kind, kind);
        assert!(asked.iter().all(|(path, _)| !path.contains("/sync/")), "{asked:?}");
    }
}
