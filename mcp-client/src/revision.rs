//! The revisions of MCP and their two eras.

/// A way of speaking MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// A session that begins with `initialize`.
    Older,
    /// Requests that each say all that the server must know.
    Newer,
}

/// A revision of the protocol, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Revision {
    /// 2024-11-05.
    November2024,
    /// 2025-03-26.
    March2025,
    /// 2025-06-18.
    June2025,
    /// 2025-11-25.
    November2025,
    /// 2026-07-28.
    July2026,
}

impl Revision {
    /// The revisions that this client speaks.
    pub const ALL: [Revision; 5] = [
        Revision::November2024,
        Revision::March2025,
        Revision::June2025,
        Revision::November2025,
        Revision::July2026,
    ];
    /// The revision that the older era is begun with.
    pub(crate) const OLDER: Revision = Revision::November2025;
    /// The revision that the newer era is begun with.
    pub(crate) const NEWER: Revision = Revision::July2026;

    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Revision::November2024 => "2024-11-05",
            Revision::March2025 => "2025-03-26",
            Revision::June2025 => "2025-06-18",
            Revision::November2025 => "2025-11-25",
            Revision::July2026 => "2026-07-28",
        }
    }

    /// The revision of a name; `None` for one that this client does not speak.
    #[must_use]
    pub fn of(name: &str) -> Option<Revision> {
        Revision::ALL.into_iter().find(|it| it.name() == name)
    }

    /// The era of the revision.
    #[must_use]
    pub const fn era(self) -> Era {
        match self {
            Revision::July2026 => Era::Newer,
            _ => Era::Older,
        }
    }
}

/// The eras in which a connection is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Eras {
    /// The newer one, and the older one where the server does not know it.
    #[default]
    Both,
    /// The older one only: for servers that mishandle the question about the newer.
    OnlyOlder,
    /// The newer one only.
    OnlyNewer,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_revision_is_found_by_its_name_and_the_newest_needs_no_session() {
        for revision in Revision::ALL {
            assert_eq!(Revision::of(revision.name()), Some(revision));
            assert_eq!(revision.era() == Era::Newer, revision >= Revision::NEWER);
        }
        assert_eq!(Revision::of("2099-01-01"), None);
        assert!(Revision::ALL.is_sorted());
    }
}
