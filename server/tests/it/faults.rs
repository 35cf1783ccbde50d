//! A kernel that is down, slow or wrong: each fault has its typed error, and the next call works.

use std::time::Duration;

use demo_kernel::{Fault, FaultKind};
use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::render::result::{Audience, error};
use puppy_core::spec::{Effect, Tool};
use puppy_server::discover::Address;
use puppy_server::kernel::{HttpKernel, Options};
use serde_json::json;

use crate::contract::desk_in;
use crate::desk::Desk;
use crate::world::{Silent, World, call, call_as, client};

fn fault(path: &str, kind: FaultKind, times: Option<u32>) -> Vec<Fault> {
    vec![Fault { path: path.to_owned(), fault: kind, ms: Some(5_000), times }]
}

/// A client with a short deadline.
fn hasty(url: &str) -> Engine<HttpKernel, Silent> {
    let options = Options::new(Address::Given(url.to_owned()), None);
    let kernel = HttpKernel::new(Options { deadline: Duration::from_millis(1_500), ..options }).unwrap();
    Engine::new(kernel, Silent)
}

const READ: &str = "/api/block/getChildBlocks";
const CREATE: &str = "/api/filetree/createDocWithMd";

async fn read(engine: &Engine<HttpKernel, Silent>) -> Result<(), ToolError> {
    call(engine, Tool::Fs, json!({ "action": "read", "path": "/Garden/Welcome" })).await.map(drop)
}

const FAULTS: [(FaultKind, ErrorType, Option<i64>); 9] = [
    (FaultKind::Delay, ErrorType::KernelUnreachable, None),
    (FaultKind::Drop, ErrorType::KernelUnreachable, None),
    (FaultKind::Unauthorized, ErrorType::KernelAuth, None),
    (FaultKind::Forbidden, ErrorType::KernelAuth, None),
    (FaultKind::Busy, ErrorType::Api, Some(429)),
    (FaultKind::Broken, ErrorType::Api, Some(500)),
    (FaultKind::Missing, ErrorType::Api, Some(404)),
    (FaultKind::Null, ErrorType::Api, None),
    (FaultKind::Empty, ErrorType::Api, None),
];

/// B-080, B-084, B-085: each fault at the endpoint of the action has its error.
#[tokio::test(flavor = "multi_thread")]
async fn every_endpoint_fault_has_its_error() {
    let world = World::new().await;
    let engine = hasty(&world.kernel.url());
    for (kind, expected, code) in FAULTS {
        world.kernel.set_faults(fault(READ, kind, None));
        let error = read(&engine).await.expect_err("a fault");
        assert_eq!((error.kind, error.code), (expected, code), "{kind:?}: {error:?}");
        world.kernel.set_faults(Vec::new());
        read(&engine).await.unwrap_or_else(|error| panic!("after {kind:?}: {error:?}"));
    }
}

/// B-053, B-084: if every endpoint fails, grants and switches cannot be read, and nothing is allowed.
#[tokio::test(flavor = "multi_thread")]
async fn failing_kernel_closes_every_notebook() {
    let world = World::new().await;
    for (kind, expected, _) in FAULTS {
        let engine = hasty(&world.kernel.url());
        world.kernel.set_faults(fault("*", kind, None));
        let error = read(&engine).await.expect_err("a fault");
        assert_eq!(error.kind, expected, "{kind:?}: {error:?}");
    }
}

/// B-053, B-084: failures are not cached: each call reports the current fault, and the next call after it succeeds.
#[tokio::test(flavor = "multi_thread")]
async fn next_call_succeeds_after_the_kernel_recovers() {
    let world = World::new().await;
    let engine = hasty(&world.kernel.url());
    for (kind, expected, code) in FAULTS {
        world.kernel.set_faults(fault("/api/notebook/lsNotebooks", kind, None));
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        let error = read(&engine).await.expect_err("a fault");
        assert_eq!((error.kind, error.code), (expected, code), "{kind:?}: {error:?}");
        world.kernel.set_faults(Vec::new());
        read(&engine).await.unwrap_or_else(|error| panic!("after {kind:?}: {error:?}"));
    }
}

/// B-084: the message says what to do next.
#[tokio::test(flavor = "multi_thread")]
async fn unreachable_kernel_is_reported() {
    let world = World::new().await;
    let engine = hasty(&world.kernel.url());
    world.kernel.shutdown().await;
    let error = read(&engine).await.expect_err("nobody listens");
    assert_eq!(error.kind, ErrorType::KernelUnreachable);
    assert!(error.message.contains("Start SiYuan"), "{}", error.message);
}

/// B-033: a read is attempted three times.
#[tokio::test(flavor = "multi_thread")]
async fn failed_read_is_tried_three_times() {
    let world = World::new().await;
    let engine = hasty(&world.kernel.url());
    for kind in [FaultKind::Broken, FaultKind::Busy, FaultKind::Drop] {
        world.kernel.set_faults(fault(READ, kind, Some(2)));
        engine.policy().await;
        world.kernel.clear_log();
        read(&engine).await.unwrap_or_else(|error| panic!("{kind:?}: {error:?}"));
        let tries = world.asked().iter().filter(|path| *path == READ).count();
        assert_eq!(tries, 3, "{kind:?}");
    }
    world.kernel.set_faults(fault(READ, FaultKind::Broken, None));
    world.kernel.clear_log();
    read(&engine).await.expect_err("a fault");
    assert_eq!(world.asked().iter().filter(|path| *path == READ).count(), 3);
}

/// B-033: a write is sent once; if its outcome is unknown, the error says so.
#[tokio::test(flavor = "multi_thread")]
async fn failed_write_is_sent_once() {
    let world = World::new().await;
    let engine = hasty(&world.kernel.url());
    for (at, kind) in [FaultKind::Broken, FaultKind::Busy, FaultKind::Drop].into_iter().enumerate() {
        world.kernel.set_faults(fault(CREATE, kind, None));
        world.kernel.clear_log();
        let path = format!("/Garden/Once {at}");
        let arguments = json!({ "action": "write", "path": path, "markdown": "x" });
        let error = call(&engine, Tool::Fs, arguments).await.expect_err("a fault");
        let tries = world.asked().iter().filter(|path| *path == CREATE).count();
        assert_eq!(tries, 1, "{kind:?}: {error:?}");
        let unknown = error.details.get("outcome") == Some(&json!("unknown"));
        assert_eq!(unknown, kind == FaultKind::Drop, "{error:?}");
    }
}

/// A write survives an idle connection that the kernel has closed.
#[tokio::test(flavor = "multi_thread")]
async fn write_survives_a_closed_idle_connection() {
    let world = World::new().await;
    let http = world.http.clone();
    read(&Engine::new(http.clone(), Silent)).await.unwrap();
    let port = world.kernel.url().rsplit(':').next().unwrap().parse().unwrap();
    world.kernel.shutdown().await;
    let mut again = World::on_port(port, None).await;
    again.http = http;
    again.raw("/api/notebook/createNotebook", json!({ "name": "After" })).await;
    assert_eq!(again.asked(), ["/api/notebook/createNotebook"]);
}

/// B-087, B-137: no error contains a token.
#[tokio::test(flavor = "multi_thread")]
async fn errors_never_contain_a_token() {
    let world = World::with_token(Some("canary-right")).await;
    let right = Engine::new(client(&world.kernel.url(), Some("canary-right")), Silent);
    read(&right).await.unwrap();
    let wrong = Engine::new(client(&world.kernel.url(), Some("canary-wrong")), Silent);
    let refused = read(&wrong).await.expect_err("a wrong token");
    assert_eq!(refused.kind, ErrorType::KernelAuth);
    for (kind, ..) in FAULTS.into_iter().skip(1) {
        world.kernel.set_faults(fault(READ, kind, None));
        let failed = read(&right).await.expect_err("a fault");
        for shown in [error(&failed, Audience::Model), error(&failed, Audience::Terminal)] {
            assert!(!shown.to_string().contains("canary"), "{shown}");
        }
    }
}

/// B-087: no error of any request of any action shows internals.
#[tokio::test(flavor = "multi_thread")]
async fn errors_never_contain_internals() {
    let temporary = std::env::temp_dir().join("").to_string_lossy().into_owned();
    let mut failed = 0;
    for spec in ACTIONS {
        let (world, notebook) = desk_in(World::empty().await, Level::Delete).await;
        let mut arguments = json!(null);
        for (at, endpoint) in spec.calls.iter().enumerate() {
            // A read leaves the desk as it is.
            if at == 0 || spec.worst != Effect::Read {
                let title = format!("{} {failed}", spec.path().replace('.', " "));
                let desk = Desk::new(&world, &notebook, &title, spec.examples[0]).await;
                arguments = json!(desk.arguments(spec));
            }
            for kind in [FaultKind::Null, FaultKind::Missing, FaultKind::Forbidden] {
                world.kernel.set_faults(fault(endpoint.path, kind, None));
                let reply = call_as(&world.silent(), spec.tool, arguments.clone(), Approval::Given).await;
                world.kernel.set_faults(Vec::new());
                let Err(refused) = reply else { continue };
                failed += 1;
                for audience in [Audience::Model, Audience::Terminal] {
                    let shown = error(&refused, audience).to_string();
                    for inside in ["SELECT ", " FROM ", "/home/", "/root", &temporary, "panicked", ".rs:"] {
                        assert!(!shown.contains(inside), "{} {kind:?}: {shown}", spec.path());
                    }
                }
            }
        }
    }
    assert!(failed > ACTIONS.len(), "{failed}");
}
