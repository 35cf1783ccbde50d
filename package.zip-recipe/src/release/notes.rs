//! The notes of a release, which are its section of the changelog, and the texts that must know of the release.

use super::VERSION;
use crate::house::House;
use anyhow::{Context as _, Result, bail};
use std::path::PathBuf;

/// Words that no text of a release contains.
const UNRELEASED: [&str; 3] = ["not released", "not yet released", "尚未发布"];

/// The notes of this version. A tag must name this version, and the texts of its release must not deny it.
pub(super) fn of(house: &House, tag: Option<&str>) -> Result<String> {
    if let Some(tag) = tag {
        if tag != format!("v{VERSION}") {
            bail!("the tag is {tag}, but Cargo.toml names version {VERSION}");
        }
        let found = denials(house)?;
        if !found.is_empty() {
            bail!("these lines say that there is no release:\n  {}", found.join("\n  "));
        }
    }
    let changelog =
        std::fs::read_to_string(house.at("CHANGELOG.md")).context("CHANGELOG.md cannot be read")?;
    section(&changelog, VERSION).with_context(|| format!("CHANGELOG.md has no section about {VERSION}"))
}

/// The text below the heading of a version, to the next one.
fn section(changelog: &str, version: &str) -> Option<String> {
    let is_of = |heading: &str| {
        let rest = heading.strip_prefix(version);
        rest.is_some_and(|it| it.is_empty() || it.starts_with([',', ' ']))
    };
    let (_, text) = changelog
        .split("\n## ")
        .map(|part| part.split_once('\n').unwrap_or((part, "")))
        .find(|(heading, _)| is_of(heading.trim_end()))?;
    let text = text.trim();
    (!text.is_empty()).then(|| format!("{text}\n"))
}

/// Lines of the texts of a release that say there is none.
fn denials(house: &House) -> Result<Vec<String>> {
    let mut pages: Vec<PathBuf> =
        ["README.md", "README.zh-CN.md", "CHANGELOG.md"].iter().map(|name| house.at(name)).collect();
    for entry in std::fs::read_dir(house.at("docs")).context("docs/ cannot be read")? {
        pages.extend(Some(entry?.path()).filter(|it| it.extension().is_some_and(|it| it == "md")));
    }
    pages.sort();
    let mut found = Vec::new();
    for page in pages {
        let name = house.show(&page);
        let text = std::fs::read_to_string(&page).with_context(|| format!("{name} cannot be read"))?;
        let denying = text.lines().enumerate().filter(|(_, line)| denies(line));
        found.extend(denying.map(|(index, line)| format!("{name}:{}: {line}", index + 1)));
    }
    Ok(found)
}

fn denies(line: &str) -> bool {
    let line = line.to_lowercase();
    UNRELEASED.iter().any(|words| line.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notes_are_the_section_of_the_version() {
        let changelog =
            "# Changelog\n\nNewest first.\n\n## 1.2.10\n\n- C\n\n## 1.2.1, 3 May 2027\n\n- B\n\n## 1.2.0\n";
        let of = |version: &str| section(changelog, version);
        assert_eq!(of("1.2.10").unwrap(), "- C\n");
        assert_eq!(of("1.2.1").unwrap(), "- B\n");
        assert_eq!((of("1.2.0"), of("1.2"), of("3.0.0")), (None, None, None), "nothing to say is no section");
    }

    #[test]
    fn this_version_has_notes() {
        let notes = of(&House::find().unwrap(), None).unwrap();
        assert!(notes.contains("\n- ") && !notes.contains("\n## "), "{notes}");
    }

    /// Readers of the packed, attached and linked texts already have the release.
    #[test]
    fn a_release_does_not_say_that_there_is_none() {
        for line in ["Version 0.1 is not released yet.", "## 0.1.0, Not yet released", "0.1 版尚未发布，"]
        {
            assert!(denies(line), "{line}");
        }
        assert!(!denies("Every release has these files."));
        let house = House::find().unwrap();
        assert!(of(&house, Some("v0.0.0")).unwrap_err().to_string().contains("v0.0.0"));
        let changelog = std::fs::read_to_string(house.at("CHANGELOG.md")).unwrap();
        let is_open = changelog.lines().any(denies);
        assert_eq!(denials(&house).unwrap().iter().any(|it| it.starts_with("CHANGELOG.md:")), is_open);
        assert_eq!(of(&house, Some(&format!("v{VERSION}"))).is_err(), !denials(&house).unwrap().is_empty());
    }
}
