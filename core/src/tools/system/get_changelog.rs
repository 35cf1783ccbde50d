//! `system.get_changelog`: what changed in this plugin, from the text that comes with it.

use crate::prelude::*;

const CHANGELOG: &str = include_str!("../../../../CHANGELOG.md");

/// Read the changelog of this plugin.
#[derive(Debug, Action)]
#[action(
    system.get_changelog,
    effect = Read,
    danger = None,
    tier = advanced,
    idempotent = true,
    calls = [],
    examples = [{ "limit": 1 }, { "since": "0.0.1" }, { "version": "0.1.0" }],
)]
pub struct GetChangelog {
    /// Only this version.
    #[read_by()]
    pub version: Option<Text<1, 32>>,
    /// Only what is newer than this version.
    #[read_by()]
    pub since: Option<Text<1, 32>>,
    /// Maximum number of results.
    pub limit: Int<1, 20, 3>,
}

/// A version with its changes, heading included.
#[derive(Debug, PartialEq, Eq)]
struct ChangelogSection<'a> {
    version: &'a str,
    text: &'a str,
}

impl Run for GetChangelog {
    async fn run(self, _cx: &Cx<'_>) -> Reply {
        let all = sections(CHANGELOG);
        if self.version.is_some() && self.since.is_some() {
            return Err(ToolError::field("version|since", "one of them"));
        }
        let since = match &self.since {
            Some(since) => {
                let expected = || ToolError::field("since", "a version such as 0.1.0");
                Some(numbers(since.as_str()).ok_or_else(expected)?)
            }
            None => None,
        };
        let is_newer = |it: &&ChangelogSection<'_>| since.is_none() || numbers(it.version) > since;
        let is_asked = |it: &&ChangelogSection<'_>| {
            self.version.as_ref().is_none_or(|wanted| wanted.as_str() == it.version)
        };
        let found: Vec<&str> =
            all.iter().filter(is_newer).filter(is_asked).take(self.limit.get()).map(|it| it.text).collect();
        if found.is_empty() && self.version.is_some() {
            let known: Vec<&str> = all.iter().map(|it| it.version).take(20).collect();
            return Err(ToolError::field("version", format!("one of {}", known.join(", "))));
        }
        Ok(Output::new().with("shown", found.len()).body(found.join("\n\n")))
    }
}

/// The versions of a changelog, the newest first.
fn sections(changelog: &str) -> Vec<ChangelogSection<'_>> {
    let starts: Vec<usize> = changelog.match_indices("\n## ").map(|(at, _)| at + 1).collect();
    let ends = starts.iter().skip(1).copied().chain([changelog.len()]);
    let each = starts.iter().zip(ends).filter_map(|(from, to)| {
        let text = changelog.get(*from..to)?.trim_end();
        let version = text.trim_start_matches("## ").split([',', ' ', '\n']).next()?;
        Some(ChangelogSection { version, text })
    });
    each.collect()
}

/// A version as numbers that compare.
fn numbers(version: &str) -> Option<Vec<u64>> {
    version.trim_start_matches('v').split('.').map(|it| it.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{CHANGELOG, ChangelogSection, numbers, sections};
    use crate::error::ErrorType;
    use crate::testing::FakeKernel;
    use crate::tools::system::testing::{data, faked};

    #[test]
    fn changelog_is_cut_into_versions() {
        let text = "# Changelog\n\n## 0.10.0, not yet released\n\n- a\n\n## 0.2.0\n\n- b\n";
        let expected = [
            ChangelogSection { version: "0.10.0", text: "## 0.10.0, not yet released\n\n- a" },
            ChangelogSection { version: "0.2.0", text: "## 0.2.0\n\n- b" },
        ];
        assert_eq!(sections(text), expected);
        assert!(numbers("0.10.0") > numbers("v0.2.0") && numbers("next").is_none());
        assert!(sections(CHANGELOG).iter().any(|it| it.version == env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn changelog_is_read_by_version() {
        let read = |arguments: Value| faked(FakeKernel::new(), "get_changelog", arguments);
        let (reply, asked) = read(json!({ "version": env!("CARGO_PKG_VERSION") }));
        let reply = reply.unwrap();
        assert!(reply.body.unwrap().starts_with(&format!("## {}", env!("CARGO_PKG_VERSION"))));
        assert_eq!((&reply.data["shown"], asked.len()), (&json!(1), 0));
        assert_eq!(data(read(json!({ "since": "999.0" })).0)["shown"], 0);
        // Only what is newer than the version that the caller knows.
        let since = read(json!({ "since": env!("CARGO_PKG_VERSION") })).0.unwrap();
        assert!(!since.body.unwrap().contains(&format!("## {}", env!("CARGO_PKG_VERSION"))));
        for wrong in [
            json!({ "version": "0.0.0" }),
            json!({ "since": "soon" }),
            json!({ "since": "0.1", "version": "0.1.0" }),
        ] {
            assert_eq!(read(wrong.clone()).0.unwrap_err().kind, ErrorType::Validation, "{wrong}");
        }
    }
}
