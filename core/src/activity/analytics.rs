//! One JSON line a call: counts, times and the client's name, never text, titles, arguments or ids (B-250 to B-253).

use serde_json::{Value, json};

use super::{CallEnd, Outcome, Record};
use crate::output::put;

/// The size at which a process begins another file, in bytes. The current one is in memory and is written whole each
/// time, so it is small.
pub const ROTATE_AT: usize = 262_144;

/// The number of full files that a process leaves beside the current one: 4 MB in all.
pub const KEPT_FILES: usize = 15;
/// Folder of the files, below the plugin's temp folder.
pub const FOLDER: &str = "analytics/";
/// Name of the file, below the plugin's temp folder, with the moment up to which a person has cleared the record.
pub const CLEARED_FILE: &str = "analyticsCleared";

/// The moment in that file, in milliseconds since 1970; none for one to come, which would swallow calls for good.
pub fn cleared(bytes: &[u8], now_ms: u64) -> Option<u64> {
    std::str::from_utf8(bytes).ok()?.trim().parse().ok().filter(|at| *at <= now_ms)
}

/// The lines of calls that began after a moment.
pub fn since(lines: &str, moment: u64) -> String {
    let mut kept = String::new();
    for line in lines.lines() {
        let value: Value = serde_json::from_slice(line.as_bytes()).unwrap_or_default();
        if value.get("timestamp").and_then(Value::as_u64).is_some_and(|at| at > moment) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Characters over four, rounded up (B-251).
pub const fn approx_tokens(chars: usize) -> usize {
    chars.div_ceil(4)
}

/// The size of a result in words (B-252).
pub const fn size_hint(chars: usize) -> &'static str {
    match chars {
        0 => "0",
        1..=200 => "0-200",
        201..=1_000 => "200-1K",
        1_001..=10_000 => "1K-10K",
        _ => ">10K",
    }
}

/// The line of a call, without its line break.
pub fn line(record: &Record, ended: &CallEnd) -> String {
    let (status, kind, code) = match ended.outcome {
        Outcome::Success => ("success", None, None),
        Outcome::Cancelled => ("success", Some(super::CANCELLED), None),
        Outcome::Dangerous => ("error", Some("confirmation_required"), None),
        Outcome::Error(kind, code) => ("error", Some(kind.word()), code),
    };
    let Value::Object(mut map) = json!({
        "timestamp": record.started_ms,
        "transport": record.transport.word(),
        "category": record.spec.tool.name(),
        "action": record.spec.name,
        "duration_ms": ended.duration_ms,
        "status": status,
        "request_approx_tokens": approx_tokens(ended.request_chars),
        "response_approx_tokens": approx_tokens(ended.response_chars),
        "result_size_hint": size_hint(ended.response_chars),
    }) else {
        return String::new();
    };
    if ended.waited_ms > 0 {
        put(&mut map, "waited_ms", ended.waited_ms.into());
    }
    if !record.client.is_empty() {
        put(&mut map, "client", (*record.client).into());
    }
    put(&mut map, "agent", json!(record.agent.as_deref()));
    put(&mut map, "error_type", kind.into());
    put(&mut map, "error_code", code.into());
    Value::Object(map).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-251, B-252.
    #[test]
    fn token_estimates_and_size_hints_have_exact_boundaries() {
        assert_eq!([0, 1, 4, 5].map(approx_tokens), [0, 1, 1, 2]);
        let hints = [0, 1, 200, 201, 1_000, 1_001, 10_000, 10_001].map(size_hint);
        assert_eq!(hints, ["0", "0-200", "0-200", "200-1K", "200-1K", "1K-10K", "1K-10K", ">10K"]);
    }

    #[test]
    fn lines_up_to_the_cleared_moment_are_dropped() {
        let lines = "{\"timestamp\":5}\n{\"timestamp\":6,\"action\":\"a\"}\ntorn\n{\"timestamp\":7}\n";
        assert_eq!(since(lines, 5), "{\"timestamp\":6,\"action\":\"a\"}\n{\"timestamp\":7}\n");
        assert_eq!(since(lines, 7), "");
    }

    #[test]
    fn cleared_moment_is_a_number_in_the_past() {
        assert_eq!(cleared(b"70\n", 70), Some(70));
        for wrong in ["", "71", "-1", "6.5", "{}", "99999999999999999999"] {
            assert_eq!(cleared(wrong.as_bytes(), 70), None, "{wrong}");
        }
    }
}
