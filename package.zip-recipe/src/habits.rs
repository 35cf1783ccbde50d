//! Checks of habits: spelling, dependencies that no code uses, and the subjects of commits.

use crate::house::House;
use crate::outcome::Outcome;
use crate::prerequisites::{SHEAR, TYPOS, tool};
use crate::process::{capture, run};
use anyhow::{Context as _, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// The moment from which subjects are short; earlier ones are up to 291 characters long.
const SINCE: &str = "2026-11-24T13:00:00Z";
/// Characters that fit into a line of `git log --oneline` on a narrow screen, and into most mail programs.
const LONGEST_SUBJECT: usize = 72;

/// Checks the spelling of all files. `_typos.toml` lists the exceptions.
pub(crate) fn spelling(house: &House) -> Result<Outcome> {
    run(Command::new(tool(house, &TYPOS)?).current_dir(&house.root))
        .context("correct the words, or list them in _typos.toml")?;
    Ok(Outcome::Passed(String::new()))
}

/// Finds dependencies that no code names, and sources that belong to no module.
pub(crate) fn unused(house: &House) -> Result<Outcome> {
    run(Command::new(tool(house, &SHEAR)?).args(["--deny-warnings", "--locked"]).current_dir(&house.root))
        .context("remove the dependencies, or list them in `package.metadata.cargo-shear`")?;
    Ok(Outcome::Passed(String::new()))
}

/// Checks the length of the subjects of commits. A copy without a history has none.
pub(crate) fn commits(house: &House) -> Result<Outcome> {
    let Ok(log) = subjects(&house.root) else {
        return Ok(Outcome::NotChecked("there is no history of git here".into()));
    };
    let long = too_long(&log);
    if !long.is_empty() {
        bail!("subjects of commits have at most {LONGEST_SUBJECT} characters:\n  {}", long.join("\n  "));
    }
    Ok(Outcome::Passed(format!("{} commits since {SINCE}", log.lines().count())))
}

/// A line of hash and subject for each commit, without merges: git words their subjects from names of branches.
fn subjects(repository: &Path) -> Result<String> {
    let since = format!("--since={SINCE}");
    let mut git = Command::new("git");
    git.args(["log", "--no-merges", "--format=%h %s", &since, "HEAD"]);
    capture(git.current_dir(repository).stderr(Stdio::null()))
}

/// The lines of hash and subject whose subject is too long.
fn too_long(log: &str) -> Vec<&str> {
    let subject =
        |line: &&str| line.split_once(' ').map_or(0, |(_, subject)| reverted(subject).chars().count());
    log.lines().filter(|line| subject(line) > LONGEST_SUBJECT).collect()
}

/// The subject of the commit that `git revert` quotes, else the subject itself.
fn reverted(subject: &str) -> &str {
    let quoted =
        ["Revert \"", "Reapply \""].into_iter().find_map(|it| subject.strip_prefix(it)?.strip_suffix('"'));
    quoted.map_or(subject, reverted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_above_72_characters_are_found() {
        let (short, long) = ("é".repeat(72), "e".repeat(73));
        let log = format!("1a2b3c4 {short}\n5d6e7f8 {long}\n9a8b7c6 \n");
        assert_eq!(too_long(&log), [format!("5d6e7f8 {long}")]);
    }

    /// `git revert` adds its word and quotation marks to a subject that was short enough.
    #[test]
    fn subjects_of_reverts_may_be_longer() {
        let subject = "e".repeat(72);
        let revert = |it: &str| format!("Revert \"{it}\"");
        let (once, twice) = (revert(&subject), revert(&revert(&subject)));
        let log = format!("1a2b3c4 {once}\n5d6e7f8 {twice}\n9a8b7c6 Reapply \"{subject}\"\n");
        assert_eq!(too_long(&log), [""; 0]);
        let long = format!("1a2b3c4 {}", revert(&"e".repeat(73)));
        assert_eq!(too_long(&long), [long.as_str()]);
    }

    #[test]
    fn merges_are_left_out() {
        let folder = std::env::temp_dir().join(format!("recipe-merges-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let git = |words: &[&str]| {
            let mut git = Command::new("git");
            git.args([
                "-c",
                "user.name=Ana",
                "-c",
                "user.email=ana@example.org",
                "-c",
                "commit.gpgSign=false",
            ]);
            git.args(words).current_dir(&folder).env("GIT_COMMITTER_DATE", "2027-01-01T00:00:00Z");
            for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
                git.env_remove(name);
            }
            capture(&mut git).unwrap()
        };
        git(&["init", "--quiet", "--initial-branch=main"]);
        git(&["commit", "--quiet", "--allow-empty", "--message=Plant basil"]);
        git(&["switch", "--quiet", "--create=beds"]);
        git(&["commit", "--quiet", "--allow-empty", "--message=Water the beds"]);
        git(&["switch", "--quiet", "main"]);
        git(&["merge", "--quiet", "--no-ff", &format!("--message=Merge {}", "e".repeat(73)), "beds"]);
        let log = subjects(&folder).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let mut subjects: Vec<&str> = log.lines().filter_map(|it| Some(it.split_once(' ')?.1)).collect();
        subjects.sort_unstable();
        assert_eq!(subjects, ["Plant basil", "Water the beds"]);
    }
}
