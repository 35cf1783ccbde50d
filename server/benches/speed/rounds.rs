//! One call after the other: what a call adds to its kernel requests.

use std::time::{Duration, Instant};

use crate::operations::Operation;
use crate::wire::{Http, Raw, Stdio, Wire};
use crate::{Setting, sidecar};

/// Rounds of which the median is taken; each does every operation on every way once.
const ROUNDS: usize = 200;
/// Rounds before, so that connections and caches are warm.
const WARM: usize = 20;

/// Prints a row for each operation.
pub(crate) async fn compare(setting: &Setting, operations: &[Operation]) {
    let puppy = sidecar::http(setting, &setting.kernel).await;
    let wires = [
        Wire::Raw(Raw::new(setting)),
        Wire::Stdio(Stdio::start(setting).await),
        Wire::Http(Http::session(&puppy.url).await),
        Wire::Http(Http::modern(&puppy.url)),
    ];
    println!(
        "one client, medians of {ROUNDS} rounds; added: ms more than the same kernel requests one after the other"
    );
    println!(
        "{:16} {:>8} {:>9} {:>18} {:>18} {:>18}",
        "", "requests", "raw ms", "stdio added", "HTTP added", "2026 HTTP added"
    );
    for operation in operations {
        let mut times = [const { Vec::new() }; 4];
        for round in 0..WARM + ROUNDS {
            for (wire, times) in wires.iter().zip(&mut times) {
                let begin = Instant::now();
                wire.run(operation).await;
                if round >= WARM {
                    times.push(begin.elapsed());
                }
            }
        }
        let [raw, stdio, http, modern] = times.map(median);
        let added = |time: Duration| {
            let more = (time.as_secs_f64() - raw.as_secs_f64()) * 1e3;
            format!("{more:+.2} ({:.1}x)", time.as_secs_f64() / raw.as_secs_f64())
        };
        println!(
            "{:16} {:>8} {:>9.2} {:>18} {:>18} {:>18}",
            operation.name,
            operation.requests.len(),
            raw.as_secs_f64() * 1e3,
            added(stdio),
            added(http),
            added(modern)
        );
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
