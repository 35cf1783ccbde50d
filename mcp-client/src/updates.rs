//! The resources that changed on their servers since they were read: each once, and only so many.

use crate::index::ServerId;

/// The most that are kept: a server may tell of changes without end.
const MOST: usize = 64;

/// The resources, newest last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Updates(Vec<(ServerId, String)>);

impl Updates {
    /// Notes a change; false where it was known.
    pub fn note(&mut self, server: ServerId, uri: String) -> bool {
        let is_new = !self.has(server, &uri);
        if is_new {
            let beyond = (self.0.len() + 1).saturating_sub(MOST);
            self.0.drain(..beyond);
            self.0.push((server, uri));
        }
        is_new
    }

    /// Forgets a change, because the resource was read.
    pub fn forget(&mut self, server: ServerId, uri: &str) {
        self.0.retain(|it| it.0 != server || it.1 != uri);
    }

    /// Whether a resource changed since it was read.
    #[must_use]
    pub fn has(&self, server: ServerId, uri: &str) -> bool {
        self.0.iter().any(|it| it.0 == server && it.1 == uri)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_counts_once_until_that_servers_resource_is_read() {
        let mut updates = Updates::default();
        assert!(updates.note(1, "x://a".into()) && updates.note(2, "x://a".into()));
        assert!(!updates.note(1, "x://a".into()));
        updates.forget(1, "x://a");
        assert_eq!([1, 2].map(|server| updates.has(server, "x://a")), [false, true]);
    }

    #[test]
    fn a_server_that_tells_without_end_takes_no_more_room() {
        let mut updates = Updates::default();
        for n in 0..1_000 {
            updates.note(1, format!("x://{n}"));
        }
        assert_eq!(updates.0.len(), MOST);
        assert!(updates.has(1, "x://999") && !updates.has(1, "x://0"));
    }
}
