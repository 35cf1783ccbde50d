//! One JSON line a call: counts and times, never text, titles, arguments or ids (B-250 to B-253).

use serde_json::{Value, json};

use super::{Ended, Outcome, Record};
use crate::output::put;

/// The size in bytes beyond which a file is rotated (B-254).
pub const ROTATE_AT: usize = 2_097_152;

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
pub fn line(record: &Record, ended: &Ended) -> String {
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
}
