//! The time limits of connections: what a person may set, and what holds until they do (B-207).

use serde_json::{Map, Value};

/// One of the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The time for a first connection.
    Connect,
    /// The time for a call.
    Call,
}

impl Limit {
    /// The longest, in seconds.
    const fn most(self) -> u64 {
        match self {
            Limit::Connect => 120,
            Limit::Call => 3_600,
        }
    }

    /// The key in the file.
    const fn key(self) -> &'static str {
        match self {
            Limit::Connect => "connectSeconds",
            Limit::Call => "callSeconds",
        }
    }

    fn may_be(self, seconds: u64) -> bool {
        (1..=self.most()).contains(&seconds)
    }
}

/// The limits, each within its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    connect_s: u64,
    call_s: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { connect_s: 10, call_s: 300 }
    }
}

impl Limits {
    /// A limit in seconds.
    #[must_use]
    pub const fn seconds(self, limit: Limit) -> u64 {
        match limit {
            Limit::Connect => self.connect_s,
            Limit::Call => self.call_s,
        }
    }

    /// A limit in milliseconds.
    #[must_use]
    pub const fn ms(self, limit: Limit) -> u64 {
        self.seconds(limit) * 1_000
    }

    /// The longer one in milliseconds: nothing that is asked for takes longer.
    #[must_use]
    pub fn longest_ms(self) -> u64 {
        self.ms(Limit::Connect).max(self.ms(Limit::Call))
    }

    /// Takes a limit as a person types it, in seconds; `None` where it is no number within the bounds.
    #[must_use]
    pub fn with(self, limit: Limit, typed: &str) -> Option<Limits> {
        Some(self.set(limit, typed.trim().parse().ok().filter(|it| limit.may_be(*it))?))
    }

    const fn set(self, limit: Limit, seconds: u64) -> Limits {
        match limit {
            Limit::Connect => Limits { connect_s: seconds, ..self },
            Limit::Call => Limits { call_s: seconds, ..self },
        }
    }

    /// Reads them; what is missing or makes no sense is as usual.
    pub(crate) fn read(stored: &Value) -> Limits {
        [Limit::Connect, Limit::Call].into_iter().fold(Limits::default(), |all, limit| {
            let seconds = stored.get(limit.key()).and_then(Value::as_u64).filter(|it| limit.may_be(*it));
            seconds.map_or(all, |it| all.set(limit, it))
        })
    }

    /// Writes them beside what else is there.
    pub(crate) fn write(self, stored: &mut Map<String, Value>) {
        for limit in [Limit::Connect, Limit::Call] {
            stored.insert(limit.key().to_owned(), self.seconds(limit).into());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// B-207: 10 s and 300 s until a person sets others.
    #[test]
    fn limits_are_numbers_within_their_bounds_or_as_usual() {
        let usual = Limits::default();
        assert_eq!((usual.ms(Limit::Connect), usual.ms(Limit::Call)), (10_000, 300_000));
        for wrong in ["", "0", "121", "1.5", "-1", "ten"] {
            assert_eq!(usual.with(Limit::Connect, wrong), None, "{wrong}");
        }
        assert_eq!(usual.with(Limit::Call, "3601"), None);
        let set = usual.with(Limit::Connect, " 120 ").and_then(|it| it.with(Limit::Call, "1")).unwrap();
        assert_eq!(
            (set.seconds(Limit::Connect), set.seconds(Limit::Call), set.longest_ms()),
            (120, 1, 120_000)
        );
        let mut stored = Map::new();
        set.write(&mut stored);
        assert_eq!(Limits::read(&Value::Object(stored)), set);
        for odd in [json!(null), json!({ "connectSeconds": 0, "callSeconds": "x" }), json!([7])] {
            assert_eq!(Limits::read(&odd), usual, "{odd}");
        }
    }
}
