//! Start to the first answer, and the memory of the sidecar: idle, after many calls, with many sessions.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::wire::{Http, Stdio};
use crate::{Setting, sidecar};

const STARTS: usize = 20;
const CALLS: usize = 10_000;
const SESSIONS: u64 = 200;

/// Prints the figures beside their budgets.
pub(crate) async fn measure(setting: &Setting) {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let begin = Instant::now();
        Stdio::start(setting).await;
        starts.push(begin.elapsed());
    }
    starts.sort();
    let start = starts.get(STARTS / 2).copied().unwrap_or_default();
    println!("\nstart to `initialize` answered: {:.1} ms (budget 10)", start.as_secs_f64() * 1e3);

    let puppy = sidecar::http(setting, &setting.kernel).await;
    let client = Http::session(&puppy.url).await;
    println!("resident, idle: {} kB", puppy.memory());
    for _ in 0..CALLS {
        client.ask("tools/call", json!({ "name": "notebook", "arguments": { "action": "list" } })).await;
    }
    // Bookkeeping runs behind the calls; let it catch up.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let after = puppy.memory();
    println!("resident, after {CALLS} calls in one session: {after} kB (budget 15,000)");
    let mut sessions = Vec::new();
    for _ in 0..SESSIONS {
        let session = Http::session(&puppy.url).await;
        session.ask("tools/call", json!({ "name": "notebook", "arguments": { "action": "list" } })).await;
        sessions.push(session);
    }
    let each = puppy.memory().saturating_sub(after) as f64 / SESSIONS as f64;
    println!("resident, each of {SESSIONS} further sessions: {each:.0} kB (budget 80)");
}
