//! Answers on a terminal: pages, colours, widths, times and signs of life.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use demo_kernel::{Fault, FaultKind};
use unicode_width::UnicodeWidthStr;

use crate::pty::{CTRL_C, Window};
use crate::world::World;

const ESCAPE: char = '\u{1b}';

/// Runs a command in a window, to its end.
fn drawn(world: &World, size: (u16, u16), words: &[&str], set: &[(&str, &str)]) -> String {
    let envs = set.iter().copied();
    let window = Window::of(world, size, words, |it| it.envs(envs));
    let (shown, code) = window.end();
    assert_eq!(code, Some(0), "{shown}");
    shown
}

/// B-099: colours only on a terminal that has them, and where nobody forbids them.
#[tokio::test(flavor = "multi_thread")]
async fn colours_are_for_terminals() {
    let world = World::new().await;
    let list = ["notebook", "list"];
    let coloured = drawn(&world, (24, 80), &list, &[]);
    assert!(coloured.contains("\u{1b}[32m✓\u{1b}[0m notebook list"), "{coloured:?}");
    for (words, set) in [
        (vec![], vec![("NO_COLOR", "1")]),
        (vec![], vec![("TERM", "dumb")]),
        (vec!["--color", "never"], vec![]),
        (vec!["--color", "never"], vec![("CLICOLOR_FORCE", "1")]),
    ] {
        let shown = drawn(&world, (24, 80), &[&list[..], &words[..]].concat(), &set);
        assert!(!shown.contains(ESCAPE) && shown.contains("Garden"), "{words:?} {set:?}: {shown:?}");
    }
    for (words, set) in [(vec![], ("CLICOLOR_FORCE", "1")), (vec!["--color", "always"], ("NO_COLOR", "1"))] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
        command.env_remove("SIYUAN_TOKEN").env_remove("NO_COLOR").env("SIYUAN_API_URL", world.kernel.url());
        let output = command.env(set.0, set.1).args(list).args(&words).output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().contains(ESCAPE), "{words:?}");
    }
}

/// B-099: no line is wider than the window, and what is shown of an id is all of it.
#[tokio::test(flavor = "multi_thread")]
async fn answers_fit_narrow_windows() {
    let world = World::new().await;
    let garden = world.notebook("Garden").await;
    for words in [["notebook", "list"], ["document", "list"], ["search", "text"]] {
        let more = match words {
            ["document", _] => vec!["--notebook", "Garden"],
            ["search", _] => vec!["--query", "water"],
            _ => vec!["--wide"],
        };
        for columns in [30, 40, 80] {
            let set = [("NO_COLOR", "1")];
            let shown = drawn(&world, (200, columns), &[&words[..], &more[..]].concat(), &set);
            let widest = shown.lines().map(UnicodeWidthStr::width).max().unwrap();
            assert!(widest <= usize::from(columns), "{words:?} at {columns}: {widest}\n{shown}");
            assert!(words[0] != "notebook" || columns < 40 || shown.contains(&garden), "{shown}");
        }
    }
}

/// B-099: people read emoji, how long ago something was, and what was found in colour.
#[tokio::test(flavor = "multi_thread")]
async fn codes_are_words_on_a_terminal() {
    let world = World::new().await;
    let notebooks = drawn(&world, (24, 120), &["notebook", "list"], &[]);
    assert!(notebooks.contains("🌻") && !notebooks.contains("1f33b"), "{notebooks}");
    drawn(
        &world,
        (24, 120),
        &["fs", "write", "--path", "/Garden/Now", "--markdown", "The zinnia grows."],
        &[],
    );
    let list = drawn(&world, (60, 120), &["document", "search", "--query", "Now"], &[]);
    assert!(list.contains("just now") || list.contains(" ago"), "{list}");
    let garden = world.notebook("Garden").await;
    assert!(!notebooks.contains(&garden), "an id is for --wide: {notebooks}");
    assert!(list.contains("Garden") && !list.contains(&garden), "{list}");
    let hits = drawn(&world, (60, 120), &["search", "text", "--query", "zinnia"], &[]);
    assert!(hits.contains("Garden/Now"), "the place is above it: {hits:?}");
    assert!(hits.contains("The \u{1b}[1;33mzinnia\u{1b}[0m grows."), "{hits:?}");
    let plain = drawn(&world, (60, 120), &["search", "text", "--query", "zinnia", "--color", "never"], &[]);
    assert!(plain.contains("The **zinnia** grows."), "{plain:?}");
}

/// B-099: a tree has branches, and a long line is broken between its words.
#[tokio::test(flavor = "multi_thread")]
async fn notes_are_laid_out_for_the_window() {
    let world = World::new().await;
    let long = "restored ".repeat(30);
    for (path, text) in [("/Garden/Zz", long.as_str()), ("/Garden/Zz/Below", "x")] {
        drawn(&world, (60, 80), &["fs", "write", path, "--markdown", text], &[]);
    }
    let set = [("NO_COLOR", "1")];
    let tree = drawn(&world, (200, 80), &["fs", "tree", "/Garden"], &set);
    assert!(tree.contains("└─ Below") && !tree.contains(" · 20"), "{tree}");
    assert!(drawn(&world, (200, 80), &["fs", "tree", "/Garden", "--wide"], &set).contains("  Below · 20"));
    let read = drawn(&world, (200, 80), &["fs", "read", "/Garden/Zz"], &set);
    let lines: Vec<&str> = read.lines().filter(|it| it.starts_with("restored")).collect();
    assert!(lines.len() > 3 && lines.iter().all(|it| it.trim_end().ends_with("restored")), "{read}");
}

/// A pager that says what it does, in a folder that lasts as long as the answer.
fn pager(script: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pager");
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let path = file.to_str().unwrap().to_owned();
    (folder, path)
}

/// B-100: an answer longer than the window goes through the pager; a shorter one and one for programs do not.
#[tokio::test(flavor = "multi_thread")]
async fn long_answer_is_paged() {
    let world = World::new().await;
    let (_folder, path) = pager("sed 's/^/paged:/'");
    let set = [("PAGER", path.as_str())];
    let list = ["notebook", "list"];
    for (lines, words, is_paged) in [(5, &[][..], true), (40, &[], false), (5, &["--json"], false)] {
        let shown = drawn(&world, (lines, 80), &[&list[..], words].concat(), &set);
        assert_eq!(shown.contains("paged:"), is_paged, "{lines} {words:?}: {shown}");
        assert!(shown.contains("Garden"), "{shown}");
    }
    for none in ["", "cat", "/no/such/pager"] {
        let shown = drawn(&world, (5, 80), &list, &[("PAGER", none)]);
        assert!(shown.contains("Garden"), "{none}: {shown}");
    }
}

/// B-100: where no pager is named it is `less`: its keys turn the pages, colours stay, and the answer is left at the end.
/// Without it the answer is simply printed.
#[tokio::test(flavor = "multi_thread")]
async fn usual_pager_turns_pages() {
    let world = World::new().await;
    let mut window = Window::of(&world, (5, 80), &["notebook", "list"], |it| it.env_remove("PAGER"));
    let is_there = Command::new("less").arg("--version").output().is_ok_and(|it| it.status.success());
    if is_there {
        for _ in 0..2 {
            window.wait(":\u{1b}[K");
            window.press(" ");
        }
        window.wait("(END)");
        window.press("q");
    } else {
        println!("less is not installed: only the answer without it was looked at");
    }
    let (shown, code) = window.end();
    assert_eq!(code, Some(0), "{shown:?}");
    assert!(shown.contains("\u{1b}[32m✓\u{1b}[0m notebook list") && shown.contains("Garden"), "{shown:?}");
    assert_eq!(shown.contains("(END)"), is_there, "{shown:?}");
}

/// Ctrl-C in the pager is for the pager: the program waits for it, and ends well. A shell that is about to read when it
/// comes heeds it only after that, so this one reads later.
#[tokio::test(flavor = "multi_thread")]
async fn interrupt_is_for_the_pager() {
    let world = World::new().await;
    let (_folder, path) = pager(
        "trap 'is=caught; echo caught' INT\ncat >/dev/null\necho reading\nwhile test -z \"$is\"; do sleep 0.05; done\nread key </dev/tty\necho \"key $key\"",
    );
    let mut window = Window::of(&world, (5, 80), &["notebook", "list"], |it| it.env("PAGER", &path));
    window.wait("reading");
    window.press(CTRL_C);
    window.wait("caught");
    window.press("x\n");
    window.wait("key x");
    assert_eq!(window.end().1, Some(0));
}

/// B-100: further pages are offered, there and back.
#[tokio::test(flavor = "multi_thread")]
async fn further_pages_are_offered() {
    let world = World::new().await;
    let words = ["document", "list", "--notebook", "Garden", "--limit", "1", "--color", "never", "--wide"];
    let pages: Vec<String> = {
        let all = drawn(&world, (200, 120), &["document", "list", "--notebook", "Garden", "--ids"], &[]);
        all.lines().map(|it| it.trim().to_owned()).collect()
    };
    let mut window = Window::open(&world, (40, 120), &words);
    window.wait(&pages[0]);
    window.wait("n for more, q to quit: ");
    window.press("\n");
    window.wait(&pages[1]);
    window.wait("p for the previous page");
    window.press("p\n");
    window.wait(&pages[0]);
    window.press("n\n");
    window.wait(&pages[1]);
    window.press("q\n");
    let (shown, code) = window.end();
    assert_eq!((code, shown.contains("next:")), (Some(0), false), "{shown}");
    let mut window = Window::open(&world, (40, 120), &words);
    window.wait("q to quit: ");
    window.press(CTRL_C);
    assert_eq!(window.end().1, Some(130));
    assert!(!drawn(&world, (40, 120), &[&words[..], &["--json"]].concat(), &[]).contains("to end"));
}

/// A long call says that it runs, and takes the words back before its answer.
#[tokio::test(flavor = "multi_thread")]
async fn long_call_says_that_it_runs() {
    let world = World::new().await;
    let path = "/api/notebook/lsNotebooks".to_owned();
    world.kernel.set_faults(vec![Fault { path, fault: FaultKind::Delay, ms: Some(4_000), times: Some(1) }]);
    let shown = drawn(&world, (40, 80), &["notebook", "list"], &[("NO_COLOR", "1")]);
    let (before, answer) = shown.split_once("✓ notebook list").unwrap();
    assert!(before.contains("notebook list: 2 s"), "{shown:?}");
    assert!(before.ends_with('\r') && !answer.contains(" s …"), "{shown:?}");
}

/// A call that is interrupted ends with 130 (B-093).
#[tokio::test(flavor = "multi_thread")]
async fn interrupted_call_ends() {
    let world = World::new().await;
    let path = "/api/notebook/lsNotebooks".to_owned();
    world.kernel.set_faults(vec![Fault { path, fault: FaultKind::Delay, ms: Some(60_000), times: None }]);
    let mut window = Window::open(&world, (40, 80), &["notebook", "list"]);
    window.wait("notebook list: 2 s");
    window.press(CTRL_C);
    let (shown, code) = window.end();
    assert_eq!(code, Some(130), "{shown}");
}
