//! Rules for the workflow that makes releases: what runs others' code has no rights, and what has rights runs no code.

use crate::house::House;

/// The jobs of the workflow, by name.
fn jobs() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(House::find().unwrap().at(".github/workflows/release.yml")).unwrap();
    let (_, text) = text.split_once("\njobs:\n").unwrap();
    let mut jobs: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("  ").filter(|it| !it.starts_with(' ')).and_then(|it| it.strip_suffix(':')) {
            Some(name) => jobs.push((name.to_owned(), String::new())),
            None => {
                let (_, job) = jobs.last_mut().unwrap();
                job.push_str(line);
                job.push('\n');
            }
        }
    }
    jobs
}

/// Tests and builds start programs of others, any of which could use the rights of its job.
#[test]
fn only_the_job_that_runs_no_code_may_write() {
    let jobs = jobs();
    assert_eq!(jobs.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["check", "build", "publish"]);
    for (name, job) in jobs {
        let writes = job.contains(": write");
        assert_eq!(writes, name == "publish", "{name}");
        let ours = [".ci/run", "cargo ", "npx ", "actions/checkout@"].iter().any(|it| job.contains(it));
        assert_eq!(ours, !writes, "{name}");
        assert_eq!(job.contains("persist-credentials: false"), job.contains("actions/checkout@"), "{name}");
        assert_eq!(job.contains("needs: [check, build]"), writes, "{name}");
    }
}

/// A tag can be moved to other code after this was written; a commit cannot.
#[test]
fn actions_are_named_by_commit() {
    let mut count = 0;
    for (name, job) in jobs() {
        for (_, action) in job.lines().filter_map(|line| line.split_once("uses: ")) {
            let (_, commit) = action.split_once('@').unwrap();
            let (commit, version) = commit.split_once(" # v").unwrap_or_default();
            let is_hash = commit.len() == 40 && commit.chars().all(|it| it.is_ascii_hexdigit());
            assert!(is_hash && !version.is_empty(), "{name}: {action}");
            count += 1;
        }
    }
    assert!(count >= 8, "{count}");
}
