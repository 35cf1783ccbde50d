//! `GET /health`: whether this process and its kernel work; no id, tool, path or notebook (B-143).

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract;
use puppy_core::kernel::Kernel;
use puppy_core::kernel::api::system;
use serde_json::{Value, json};
use tokio_util::task::TaskTracker;

use crate::Sidecar;
use crate::mcp::Sessions;

/// The time after which the kernel counts as unreachable: a health check needs a prompt answer.
const KERNEL: Duration = Duration::from_secs(2);

/// The state that a health check inspects.
#[derive(Debug, Clone)]
pub(super) struct HealthState {
    sidecar: Sidecar,
    sessions: Arc<Sessions>,
    running: TaskTracker,
}

impl HealthState {
    pub(super) fn new(sidecar: Sidecar, sessions: Arc<Sessions>, running: TaskTracker) -> HealthState {
        HealthState { sidecar, sessions, running }
    }
}

pub(super) async fn health(extract::State(state): extract::State<HealthState>) -> Json<Value> {
    let asked = state.sidecar.kernel.send(system::version().request());
    let asked = tokio::time::timeout(KERNEL, asked).await;
    let kernel = matches!(asked, Ok(Ok(answer)) if answer.status_error().is_none());
    Json(json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "kernel_reachable": kernel,
        "sessions": state.sessions.count(),
        "running_calls": state.running.len(),
    }))
}
