//! Rules for the workflows: jobs that run code of others have no rights, and jobs with rights run no such code.

use crate::house::House;

/// The jobs of the workflow that makes releases, by name.
fn jobs() -> Vec<(String, String)> {
    jobs_of("release")
}

/// The jobs of a workflow, by name.
fn jobs_of(workflow: &str) -> Vec<(String, String)> {
    let file = format!(".github/workflows/{workflow}.yml");
    let text = std::fs::read_to_string(House::find().unwrap().at(&file)).unwrap();
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
fn only_jobs_that_run_no_code_may_write() {
    let jobs = jobs();
    let names: Vec<_> = jobs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["check", "build", "draft", "image"]);
    for (name, job) in jobs {
        let writes = job.contains(": write");
        assert_eq!(writes, ["draft", "image"].contains(&name.as_str()), "{name}");
        let ours =
            [".ci/run", "cargo ", "npx ", "pipx ", "actions/checkout@"].iter().any(|it| job.contains(it));
        assert_eq!(ours, !writes, "{name}");
        assert_eq!(job.contains("persist-credentials: false"), job.contains("actions/checkout@"), "{name}");
        assert_eq!(job.contains("needs: [check, build]"), name == "draft", "{name}");
        assert_eq!(job.contains("actions/attest-build-provenance@"), writes, "{name}");
    }
}

/// A pull request is code of others: it is checked without rights and without secrets.
#[test]
fn pushes_and_pull_requests_are_checked_without_rights() {
    let text = std::fs::read_to_string(House::find().unwrap().at(".github/workflows/check.yml")).unwrap();
    assert!(text.contains("\n  pull_request:\n") && text.contains("\n  push:\n"), "{text}");
    assert!(!text.contains("pull_request_target") && !text.contains("secrets.") && !text.contains(": write"));
    let jobs = jobs_of("check");
    let runs = |name: &str, command: &str| {
        jobs.iter().any(|(job, text)| job == name && text.contains(&format!("- run: {command}\n")))
    };
    assert!(runs("quick", "cargo verify --quick") && runs("whole", ".ci/run"), "{jobs:?}");
    let docs = jobs.iter().find(|(job, _)| job == "docs");
    let denies = docs.is_some_and(|(_, text)| text.contains("RUSTDOCFLAGS: -D warnings\n"));
    assert!(denies && runs("docs", "cargo docs"), "{jobs:?}");
    for (name, job) in &jobs {
        assert_eq!(job.contains("persist-credentials: false"), job.contains("actions/checkout@"), "{name}");
    }
}

/// A registry of images knows no drafts: what is pushed is public, so a person publishes the release first.
#[test]
fn nothing_is_public_before_a_person_publishes() {
    for (name, job) in jobs() {
        let is_public = name == "image";
        let event = if is_public { "release" } else { "push" };
        assert!(job.contains(&format!("if: github.event_name == '{event}'\n")), "{name}");
        assert_eq!(job.contains("packages: write"), is_public, "{name}");
        assert_eq!(job.contains("docker push"), is_public, "{name}");
        assert_eq!(job.contains("gh release create"), name == "draft", "{name}");
        assert!(!job.contains("gh release create") || job.contains(" --draft "), "{name}");
        // Files of a release can be exchanged; what was attested cannot.
        assert_eq!(job.contains("gh attestation verify siyuan-mcp-puppy-image.zip"), is_public, "{name}");
    }
}

/// The hashes in the light package are those of the files that are released with it.
#[test]
fn both_packages_are_checked_with_the_files_of_the_release() {
    let jobs = jobs();
    let (_, build) = jobs.iter().find(|(name, _)| name == "build").unwrap();
    let (before, after) = build.split_once("actions/upload-artifact@").unwrap();
    for check in ["package.zip --downloads build/release", "package-full.zip --full"] {
        let step = format!("- run: cargo recipe check build/release/{check}\n");
        assert!(before.contains(&step) && !after.contains(&step), "{build}");
    }
}

/// A platform that no emulator runs would otherwise pass for one that was tried.
#[test]
fn programs_of_every_platform_that_can_be_emulated_are_tried() {
    let jobs = jobs();
    let (_, build) = jobs.iter().find(|(name, _)| name == "build").unwrap();
    assert!(build.contains("cargo recipe try --need linux-x64,linux-arm64,win32-x64\n"), "{build}");
    let installed = build.lines().find(|line| line.contains("apt-get install")).unwrap();
    // Debian's `wine64` alone puts no command on the PATH.
    for package in [" qemu-user", " wine ", " wine64"] {
        assert!(format!("{installed} ").contains(package), "{installed}");
    }
}

/// A tag can be moved to other code after this was written; a commit cannot.
#[test]
fn actions_are_named_by_commit() {
    let mut count = 0;
    for (name, job) in jobs().into_iter().chain(jobs_of("check")) {
        for (_, action) in job.lines().filter_map(|line| line.split_once("uses: ")) {
            let (_, commit) = action.split_once('@').unwrap();
            let (commit, version) = commit.split_once(" # v").unwrap_or_default();
            let is_hash = commit.len() == 40 && commit.chars().all(|it| it.is_ascii_hexdigit());
            assert!(is_hash && !version.is_empty(), "{name}: {action}");
            count += 1;
        }
    }
    assert!(count >= 12, "{count}");
}
