//! Many clients at once: calls a second, beside what the kernel itself can do in the same run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::operations::Operation;
use crate::wire::{Http, Raw, Stdio, Wire};
use crate::{Setting, sidecar};

/// The duration of each measurement.
const SPAN: Duration = Duration::from_secs(2);

/// The measured actions. The goals are for the first, which makes two kernel requests; the second makes one.
const MEASURED: [&str; 2] = ["notebook.info", "notebook.list"];

/// Prints a table for each operation, a row for each number of clients.
pub(crate) async fn measure(setting: &Setting, operations: &[Operation]) {
    let puppy = sidecar::http(setting, &setting.kernel).await;
    for name in MEASURED {
        let Some(operation) = operations.iter().find(|it| it.name == name) else { continue };
        let requests = operation.requests.len();
        println!("\n{name} a second, each with its {requests} kernel requests (goals 4,000, 6,500, 8,500)");
        println!(
            "{:>8} {:>14} {:>10} {:>10} {:>12}",
            "clients", "kernel alone", "stdio", "HTTP", "2026 HTTP"
        );
        for clients in [1, 8, 32] {
            let raw = (0..clients).map(|_| Wire::Raw(Raw::new(setting))).collect();
            let pipe = Stdio::start(setting).await;
            let stdio = (0..clients).map(|_| Wire::Stdio(pipe.clone())).collect();
            let mut http = Vec::new();
            for _ in 0..clients {
                http.push(Wire::Http(Http::session(&puppy.url).await));
            }
            let modern = (0..clients).map(|_| Wire::Http(Http::modern(&puppy.url))).collect();
            let mut row = format!("{clients:>8}");
            for (wires, width) in [(raw, 14), (stdio, 10), (http, 10), (modern, 12)] {
                row.push_str(&format!(" {:>width$.0}", rate(wires, operation).await));
            }
            println!("{row}");
        }
    }
}

/// Calls a second of all clients together.
async fn rate(wires: Vec<Wire>, operation: &Operation) -> f64 {
    for wire in &wires {
        wire.run(operation).await;
    }
    let done = Arc::new(AtomicU64::new(0));
    let begin = Instant::now();
    let clients = wires.into_iter().map(|wire| {
        let (operation, done) = (operation.clone(), Arc::clone(&done));
        tokio::spawn(async move {
            while begin.elapsed() < SPAN {
                wire.run(&operation).await;
                done.fetch_add(1, Ordering::Relaxed);
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.expect("the client goes on");
    }
    done.load(Ordering::Relaxed) as f64 / begin.elapsed().as_secs_f64()
}
