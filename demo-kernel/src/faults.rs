//! Faults that tests switch on: each belongs to a path and may be limited to some requests.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum FaultKind {
    /// The answer is late by `ms` (default 1,000).
    #[serde(rename = "delay")]
    Delay,
    /// The connection closes without an answer.
    #[serde(rename = "drop")]
    Drop,
    /// HTTP 401 with the kernel's envelope.
    #[serde(rename = "401")]
    Unauthorized,
    /// HTTP 403 without a body.
    #[serde(rename = "403")]
    Forbidden,
    /// HTTP 429; `Retry-After` is `ms` in whole seconds, at least 1.
    #[serde(rename = "429")]
    Busy,
    /// HTTP 500 without a body.
    #[serde(rename = "500")]
    Broken,
    /// HTTP 202 with the envelope of a missing file.
    #[serde(rename = "202")]
    Missing,
    /// HTTP 200, code 0, data null.
    #[serde(rename = "null")]
    Null,
    /// HTTP 200 without a body.
    #[serde(rename = "empty")]
    Empty,
    /// HTTP 503 without a body, as while the kernel starts.
    #[serde(rename = "503")]
    Starting,
    /// The true answer, its body in pieces over `ms`.
    #[serde(rename = "slow")]
    Slow,
    /// No answer; for `ms` connections are refused, then for half as long the answer is 503, then all is as before.
    #[serde(rename = "restart")]
    Restart,
}

/// A fault of one path.
#[derive(Debug, Clone, Deserialize)]
pub struct Fault {
    /// The exact path it applies to; `*` is every path below `/api/`.
    pub path: String,
    /// The kind of the fault.
    pub fault: FaultKind,
    /// The duration in milliseconds (default 1,000).
    pub ms: Option<u64>,
    /// The number of requests it hits; all when left out.
    pub times: Option<u32>,
}

/// The faults that are switched on.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Vec<Fault>>);

impl Fault {
    pub(crate) fn duration(&self) -> Duration {
        Duration::from_millis(self.ms.unwrap_or(1000))
    }
}

impl Faults {
    pub(crate) fn replace(&self, faults: Vec<Fault>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = faults;
    }

    /// The fault for this request; this uses up one of its times.
    pub(crate) fn take(&self, path: &str) -> Option<Fault> {
        let mut faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let hit = |f: &Fault| f.path == path || (f.path == "*" && path.starts_with("/api/"));
        let fault = faults.iter_mut().find(|f| hit(f) && f.times != Some(0))?;
        if let Some(times) = &mut fault.times {
            *times -= 1;
        }
        Some(fault.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_hits_its_path_a_limited_number_of_times() {
        let faults = Faults::default();
        let list =
            r#"[{"path": "/api/a", "fault": "429", "times": 2}, {"path": "*", "fault": "drop", "times": 1}]"#;
        faults.replace(serde_json::from_str(list).unwrap());
        assert!(faults.take("/plugins/x").is_none());
        assert_eq!(faults.take("/api/a").unwrap().fault, FaultKind::Busy);
        assert_eq!(faults.take("/api/a").unwrap().fault, FaultKind::Busy);
        assert_eq!(faults.take("/api/a").unwrap().fault, FaultKind::Drop);
        assert!(faults.take("/api/a").is_none());
    }
}
