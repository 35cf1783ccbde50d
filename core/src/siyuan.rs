//! The version of SiYuan that answers, and what this product knows of it.

/// A version of SiYuan, such as 3.8.6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Siyuan {
    major: u32,
    minor: u32,
    patch: u32,
}

/// The extent to which a version is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionSupport {
    /// SiYuan does not install the plugin in it.
    TooOld,
    /// It is older than the one that was seen working.
    Older,
    /// It was seen working.
    Seen,
    /// Its public sources were read.
    Read,
    /// It is newer than both.
    Untried,
}

impl VersionSupport {
    /// The extent in words; nothing where it was seen working.
    pub const fn words(self) -> Option<&'static str> {
        match self {
            VersionSupport::TooOld => Some("too old for the plugin"),
            VersionSupport::Older => Some("should work; not tested with this older version"),
            VersionSupport::Seen => None,
            VersionSupport::Read => Some("should work; not tested with this version yet"),
            VersionSupport::Untried => Some("not tested: this version is newer than the plugin"),
        }
    }
}

impl Siyuan {
    /// The oldest version that SiYuan installs the plugin in. Before it, SiYuan's window shows the cells of template
    /// columns as HTML that nobody has checked (GHSA-pw5c-qhf3-jhwh).
    const OLDEST: Siyuan = Siyuan::new(3, 7, 2);
    /// The version that was seen working.
    const SEEN: Siyuan = Siyuan::new(3, 7, 3);
    /// The last version whose sources were read.
    const READ: Siyuan = Siyuan::new(3, 8, 6);
    /// The first version whose own agent takes tools of plugins.
    const FIRST_WITH_CAPABILITIES: Siyuan = Siyuan::new(3, 8, 0);
    /// The first version with blocks that Markdown does not show as they are.
    const FIRST_WITH_TABS: Siyuan = Siyuan::new(3, 8, 3);
    /// The first version that decodes requests strictly and keeps a locked type.
    const FIRST_STRICT: Siyuan = Siyuan::new(3, 8, 4);
    /// The first version with list and calendar views; map views came after [`Siyuan::READ`].
    const FIRST_WITH_CALENDARS: Siyuan = Siyuan::new(3, 8, 5);

    const fn new(major: u32, minor: u32, patch: u32) -> Siyuan {
        Siyuan { major, minor, patch }
    }

    /// The version that a kernel reports; a beta such as `3.8.4-beta1` counts as the version that it becomes. A text of
    /// another form counts as newer than all that are known.
    pub fn parse(version: &str) -> Siyuan {
        let number = version.split(['-', '+']).next().unwrap_or_default();
        let mut parts = number.trim().split('.').map(|part| part.parse().ok());
        let mut next = || parts.next().unwrap_or(Some(0));
        match (next(), next(), next()) {
            (Some(major), Some(minor), Some(patch)) => Siyuan { major, minor, patch },
            _ => Siyuan::new(u32::MAX, 0, 0),
        }
    }

    /// Whether its own agent takes tools of plugins.
    pub fn has_capabilities(self) -> bool {
        self >= Siyuan::FIRST_WITH_CAPABILITIES
    }

    /// The extent to which it is known.
    pub fn known(self) -> VersionSupport {
        match self {
            _ if self.is_too_old() => VersionSupport::TooOld,
            _ if self < Siyuan::SEEN => VersionSupport::Older,
            Siyuan::SEEN => VersionSupport::Seen,
            _ if self <= Siyuan::READ => VersionSupport::Read,
            _ => VersionSupport::Untried,
        }
    }

    /// Whether it is too old for the plugin.
    pub fn is_too_old(self) -> bool {
        self < Siyuan::OLDEST
    }

    /// Whether there are blocks that Markdown does not show as they are: tabs and mind maps.
    pub fn has_tabs(self) -> bool {
        self >= Siyuan::FIRST_WITH_TABS
    }

    /// The differences of this version that matter to agents and users, a sentence or two for each.
    pub fn differences(self) -> Vec<&'static str> {
        let all = [
            (
                Siyuan::FIRST_WITH_TABS,
                "Tabs and mind maps are read as plain text and lists. Markdown cannot replace them: change the blocks inside them.",
            ),
            (
                Siyuan::FIRST_STRICT,
                "Search includes custom blocks. Renaming tags and replacing text never change a block's type.",
            ),
            (
                Siyuan::FIRST_WITH_CALENDARS,
                "Databases can have list, calendar and map views, which agents can read but not create.",
            ),
        ];
        all.into_iter().filter(|(first, _)| self >= *first).map(|(_, difference)| difference).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        assert!(Siyuan::parse("3.10.0") > Siyuan::parse("3.9.9"));
        assert_eq!(Siyuan::parse("3.8.4-beta1"), Siyuan::parse("3.8.4"));
        assert_eq!(Siyuan::parse("3.8"), Siyuan::parse("3.8.0"));
        let known = ["3.8.0", "3.8.6", "3.8.7", "4.0.0", "", "new"].map(|it| Siyuan::parse(it).known());
        use VersionSupport::{Read, Untried};
        assert_eq!(known, [Read, Read, Untried, Untried, Untried, Untried]);
    }

    /// Only the version that was run counts as seen working; those between it and the oldest one are older.
    #[test]
    fn only_the_version_that_was_run_was_seen_working() {
        let known =
            ["3.6.5", "3.7.1", "3.7.2", "3.7.3-beta1", "3.7.3", "3.7.4"].map(|it| Siyuan::parse(it).known());
        assert_eq!(
            known,
            [
                VersionSupport::TooOld,
                VersionSupport::TooOld,
                VersionSupport::Older,
                VersionSupport::Seen,
                VersionSupport::Seen,
                VersionSupport::Read
            ]
        );
    }

    /// The oldest version is the one that the plugin names.
    #[test]
    fn the_oldest_version_is_that_of_the_plugin() {
        let plugin: serde_json::Value = serde_json::from_str(include_str!("../../plugin.json")).unwrap();
        assert_eq!(Siyuan::parse(plugin["minAppVersion"].as_str().unwrap()), Siyuan::OLDEST);
        assert!(Siyuan::parse("3.7.1").is_too_old() && !Siyuan::parse("3.7.2").is_too_old());
    }

    #[test]
    fn differences_grow_with_the_version() {
        let count = ["3.7.3", "3.8.2", "3.8.3", "3.8.4", "3.8.6", "9.0.0"]
            .map(|it| Siyuan::parse(it).differences().len());
        assert_eq!(count, [0, 0, 1, 2, 3, 3]);
        assert!(Siyuan::parse("?").has_tabs() && !Siyuan::parse("3.7.3").has_tabs());
    }
}
