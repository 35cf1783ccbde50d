//! The usage report: what it says, and when it may be sent. Off until a person has seen it and switched it on.

use puppy_core::kernel::{Kernel, KernelError, files};
use serde_json::{Map, Value, json};

use puppy_ui_web::state::calls::{Calls, Filter, Sums};
use puppy_ui_web::state::day::Clock;

/// Name of the file of its settings, below the plugin's storage.
pub const REPORT_FILE: &str = "telemetryConfig";
/// The fields of a report. A report with others is sent only after a person has seen it again.
const FIELDS: &str = "total_calls success_rate avg_duration_ms top_actions transport_distribution error_rate";
/// The actions that a report names.
const TOP: usize = 5;
/// The shortest, the usual and the longest interval between two reports, in hours.
const HOURS: [u64; 3] = [1, 24, 168];

/// The report on the recorded calls of a year (B-271).
pub fn report(calls: &Calls, clock: Clock) -> String {
    let sums = Sums::of(calls, &Filter::default().over_a_year(), clock);
    #[allow(clippy::cast_precision_loss, reason = "at most a thousand")]
    let rate = |per_mille: u64| per_mille.min(1_000) as f64 / 1_000.0;
    let counts = |all: &mut dyn Iterator<Item = (&str, u64)>| {
        let mut map = Map::new();
        for (name, count) in all {
            map.insert(name.to_owned(), Value::from(count));
        }
        Value::Object(map)
    };
    let bad = sums.bad_per_mille();
    let good = if sums.calls == 0 { 0 } else { 1_000 - bad.min(1_000) };
    json!({
        "total_calls": sums.calls,
        "success_rate": rate(good),
        "avg_duration_ms": sums.average_ms(),
        "top_actions": counts(&mut sums.top(TOP).into_iter()),
        "transport_distribution": counts(&mut sums.transports()),
        "error_rate": rate(bad),
    })
    .to_string()
}

/// A person's settings; unknown keys survive a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportSettings(Map<String, Value>);

impl ReportSettings {
    /// Reads the file; one that cannot be read sends nothing.
    pub fn parse(bytes: &[u8]) -> ReportSettings {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(map)) => ReportSettings(map),
            _ => ReportSettings::default(),
        }
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If the kernel does not return it.
    pub async fn read(kernel: &dyn Kernel) -> Result<ReportSettings, KernelError> {
        let bytes = files::read(kernel, &path()).await?;
        Ok(bytes.map(|bytes| ReportSettings::parse(&bytes)).unwrap_or_default())
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If the kernel does not take it.
    pub async fn write(&self, kernel: &dyn Kernel) -> Result<(), KernelError> {
        files::write(kernel, &path(), Value::Object(self.0.clone()).to_string().into_bytes()).await
    }

    /// Whether a person has switched it on, for the fields that it has (B-270).
    pub fn is_on(&self) -> bool {
        self.0.get("enabled") == Some(&Value::Bool(true))
            && self.text("seen") == FIELDS
            && is_address(self.address())
    }

    /// The address; empty until a person gives one.
    pub fn address(&self) -> &str {
        self.text("address")
    }

    /// The interval in hours.
    pub fn hours(&self) -> u64 {
        let [least, usual, most] = HOURS;
        self.0.get("hours").and_then(Value::as_u64).unwrap_or(usual).clamp(least, most)
    }

    /// Whether a report may be sent now (B-272). A moment to come is taken for none.
    pub fn is_due(&self, now_ms: u64) -> bool {
        let sent = self.0.get("sent").and_then(Value::as_u64).filter(|it| *it <= now_ms).unwrap_or_default();
        self.is_on() && now_ms - sent >= self.hours() * 3_600_000
    }

    /// Switches it on for the fields that a person sees now, or off.
    pub fn switch(&mut self, on: bool) {
        self.0.insert("enabled".to_owned(), Value::Bool(on));
        self.0.insert("seen".to_owned(), Value::from(if on { FIELDS } else { "" }));
    }

    /// Changes the address; another one is off until it is switched on again.
    pub fn set_address(&mut self, address: &str) {
        if address != self.address() {
            self.switch(false);
            self.0.insert("address".to_owned(), Value::from(address));
        }
    }

    /// Changes the interval; false for one that is not allowed.
    pub fn set_hours(&mut self, typed: &str) -> bool {
        let [least, _, most] = HOURS;
        let hours = typed.trim().parse().ok().filter(|it| (least..=most).contains(it));
        hours.is_some_and(|hours| {
            self.0.insert("hours".to_owned(), Value::from(hours));
            true
        })
    }

    /// Notes that a report is sent now.
    pub fn note_sent(&mut self, now_ms: u64) {
        self.0.insert("sent".to_owned(), Value::from(now_ms));
    }

    fn text(&self, key: &str) -> &str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_default()
    }
}

/// Whether a text is an address for reports: encrypted, or on this computer.
pub fn is_address(typed: &str) -> bool {
    let is_host =
        |rest: &str| !rest.is_empty() && !rest.starts_with(['/', ':']) && !rest.contains(['@', ' ', '\\']);
    let is_here = |rest: &str| {
        ["127.0.0.1", "localhost"]
            .iter()
            .any(|it| rest.strip_prefix(it).is_some_and(|it| it.is_empty() || it.starts_with([':', '/'])))
    };
    typed.strip_prefix("https://").is_some_and(is_host)
        || typed.strip_prefix("http://").is_some_and(|rest| is_here(rest) && is_host(rest))
}

fn path() -> String {
    files::stored(REPORT_FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 3_600_000;

    /// B-271: these fields and nothing else.
    #[test]
    fn report_has_six_fields() {
        let clock = Clock { now_ms: 1_795_392_000_000, minutes_west: 0 };
        let line = |status: &str| {
            format!(
                r#"{{"timestamp":{},"transport":"http","category":"fs","action":"read","duration_ms":8,"status":"{status}"}}"#,
                clock.now_ms
            )
        };
        let calls = Calls::parse(
            [line("success"), line("success"), line("success"), line("error")].join("\n").as_bytes(),
        );
        assert_eq!(
            report(&calls, clock),
            r#"{"total_calls":4,"success_rate":0.75,"avg_duration_ms":8,"top_actions":{"fs.read":4},"transport_distribution":{"http":4},"error_rate":0.25}"#
        );
        let none: Value = serde_json::from_str(&report(&Calls::default(), clock)).unwrap();
        assert_eq!(
            none.as_object().unwrap().keys().collect::<Vec<_>>(),
            FIELDS.split(' ').collect::<Vec<_>>()
        );
    }

    /// B-270: off until a person switches it on, for this address and these fields.
    #[test]
    fn report_is_off_until_it_was_seen_and_switched_on() {
        for off in [
            "",
            "torn",
            "[]",
            "{}",
            r#"{"enabled":true}"#,
            r#"{"enabled":true,"address":"https://a.example"}"#,
            r#"{"enabled":true,"address":"https://a.example","seen":"titles"}"#,
        ] {
            assert!(!ReportSettings::parse(off.as_bytes()).is_due(u64::MAX), "{off}");
        }
        let mut settings = ReportSettings::parse(br#"{"of_tomorrow":1}"#);
        settings.switch(true);
        assert!(!settings.is_on());
        settings.set_address("https://a.example/in");
        assert!(!settings.is_on());
        settings.switch(true);
        assert!(settings.is_on());
        settings.set_address("https://a.example/in");
        assert!(settings.is_on());
        settings.set_address("https://b.example");
        assert!(!settings.is_on() && settings.0.contains_key("of_tomorrow"));
    }

    /// B-272: once per interval, which has bounds.
    #[test]
    fn report_is_due_once_per_interval() {
        let mut settings = ReportSettings::default();
        settings.set_address("https://a.example");
        settings.switch(true);
        let now = 1_000 * HOUR;
        assert!(settings.is_due(now));
        settings.note_sent(now);
        assert_eq!([23, 24].map(|it| settings.is_due(now + it * HOUR)), [false, true]);
        assert!(settings.set_hours(" 168 ") && !settings.is_due(now + 167 * HOUR));
        for wrong in ["0", "169", "x", "", "1.5"] {
            assert!(!settings.set_hours(wrong), "{wrong}");
        }
        assert_eq!(ReportSettings::parse(br#"{"hours":0}"#).hours(), 1);
        assert_eq!(ReportSettings::parse(br#"{"hours":"x"}"#).hours(), 24);
        settings.note_sent(u64::MAX);
        assert!(settings.is_due(now));
    }

    #[test]
    fn addresses_are_encrypted_or_here() {
        for good in ["https://a.example/in?x=1", "http://127.0.0.1:8080/in", "http://localhost"] {
            assert!(is_address(good), "{good}");
        }
        for bad in [
            "",
            "a.example",
            "http://a.example",
            "http://localhost.evil",
            "https://",
            "https:///x",
            "https://me@a.example",
            "file:///x",
            "javascript:alert(1)",
        ] {
            assert!(!is_address(bad), "{bad}");
        }
    }
}
