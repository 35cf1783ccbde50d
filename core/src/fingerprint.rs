//! Fingerprints that tell calls and plans apart.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::spec::ActionSpec;

/// A fingerprint: the first 16 bytes of a SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 16]);

impl Fingerprint {
    /// The fingerprint of some texts in order; no text can extend into the next.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Fingerprint {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Fingerprint::end(hasher)
    }

    fn end(hasher: Sha256) -> Fingerprint {
        let mut first = [0; 16];
        for (to, from) in first.iter_mut().zip(hasher.finalize()) {
            *to = from;
        }
        Fingerprint(first)
    }

    /// The fingerprint of a call: the action and its arguments, regardless of their order and spelling.
    pub(crate) fn of_call(spec: &ActionSpec, settled: &Map<String, Value>) -> Fingerprint {
        let mut text = String::new();
        canonical(settled, &mut text);
        Fingerprint::of([spec.path().as_str(), text.as_str()])
    }

    /// The hasher of a plan, fed with the entries of its preview. Everything else that was read for it follows.
    pub(crate) fn of_plan(shows: &Map<String, Value>) -> PlanHasher {
        let mut text = String::new();
        canonical(shows, &mut text);
        let mut hasher = PlanHasher(Sha256::new());
        text.hash(&mut hasher);
        hasher
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Hashes values that derive `Hash`, without collisions that an attacker could search for.
pub(crate) struct PlanHasher(Sha256);

impl PlanHasher {
    /// The fingerprint of everything that was hashed.
    pub(crate) fn end(self) -> Fingerprint {
        Fingerprint::end(self.0)
    }
}

impl Hasher for PlanHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Unused: the caller takes the whole digest.
    fn finish(&self) -> u64 {
        0
    }
}

/// JSON with the fields of every object in alphabetical order.
fn canonical(map: &Map<String, Value>, out: &mut String) {
    let mut fields: Vec<_> = map.iter().collect();
    fields.sort_unstable_by_key(|(name, _)| *name);
    out.push('{');
    for (name, value) in fields {
        out.push_str(&Value::from(name.as_str()).to_string());
        out.push(':');
        canonical_value(value, out);
        out.push(',');
    }
    out.push('}');
}

fn canonical_value(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => canonical(map, out),
        Value::Array(items) => {
            out.push('[');
            for item in items {
                canonical_value(item, out);
                out.push(',');
            }
            out.push(']');
        }
        single => out.push_str(&single.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(arguments: Value) -> Fingerprint {
        let Value::Object(map) = arguments else { unreachable!() };
        Fingerprint::of_call(crate::registry::ACTIONS[0], &map)
    }

    /// B-074: the same arguments in another order are the same call; any other difference makes another call.
    #[test]
    fn fingerprint_ignores_field_order_only() {
        let one = of(json!({ "a": { "x": 1, "y": [1, 2] }, "b": "c" }));
        assert_eq!(one, of(json!({ "b": "c", "a": { "y": [1, 2], "x": 1 } })));
        for other in [
            json!({ "a": { "x": 1, "y": [2, 1] }, "b": "c" }),
            json!({ "a": { "x": 1, "y": [1, 2] }, "b": "d" }),
            json!({ "a": { "x": 1, "y": [1, 2], "b": "c" } }),
            json!({ "a": { "x": 1, "y": [1, 2] }, "b": "c", "d": false }),
        ] {
            assert_ne!(one, of(other));
        }
        assert_ne!(of(json!({ "a": "1,\"b\":2" })), of(json!({ "a": 1, "b": 2 })));
        assert_ne!(Fingerprint::of(["ab", "c"]), Fingerprint::of(["a", "bc"]));
    }
}
