//! Commands on a terminal: a destructive one asks first and shows its plan (B-098).
#![cfg(unix)]

use std::process::{Command, Stdio};

use serde_json::json;

use crate::gate::{desk, removals};
use crate::pty::{CTRL_C, Window};
use crate::world::World;

/// Runs a command on its own terminal, types an answer to its question, and returns the output and the exit code.
fn typed(world: &World, words: &[&str], answer: &str) -> (String, Option<i32>) {
    let settings = |it: pty_process::blocking::Command| it.stdout(Stdio::null()).env("NO_COLOR", "1");
    let mut window = Window::of(world, (24, 80), words, settings);
    if !answer.is_empty() {
        window.wait("[y/N]");
        window.press(answer);
    }
    window.end()
}

/// B-098, B-093: Ctrl-C at the question ends the command, and nothing is changed.
#[tokio::test(flavor = "multi_thread")]
async fn interrupted_question_changes_nothing() {
    let (world, doc) = desk("Farewell").await;
    let (_, code) = typed(&world, &["document", "remove", "--ids", &doc], CTRL_C);
    assert_eq!((code, removals(&world)), (Some(130), 0));
}

/// B-098: a person reads what would be lost, then the danger, then the question, in a narrow window too.
#[tokio::test(flavor = "multi_thread")]
async fn question_fits_its_window() {
    let (world, doc) = desk(&format!("Fare\u{1b}[2J{}", "小".repeat(200))).await;
    let remove = ["document", "remove", "--ids", &doc];
    let mut window = Window::of(&world, (24, 60), &remove, |it| it.env("NO_COLOR", "1"));
    window.wait("Delete “Fare");
    window.wait("[y/N]");
    window.press("n\n");
    window.wait("Nothing was changed");
    let (shown, code) = window.end();
    assert!(!shown.contains("\u{1b}[2J") && shown.contains("Fare⟨U+001B⟩[2J小"), "{shown}");
    assert_eq!((code, removals(&world)), (Some(5), 0));
}

/// F19: text from a note cannot move the text that a person reads before answering.
#[tokio::test(flavor = "multi_thread")]
async fn title_cannot_alter_the_terminal_question() {
    let (world, doc) = desk("Fare\u{1b}[2K\u{1b}[1Awell\u{202e}").await;
    let (shown, code) = typed(&world, &["document", "remove", "--ids", &doc], "n\n");
    assert!(shown.contains("Fare⟨U+001B⟩[2K⟨U+001B⟩[1Awell⟨U+202E⟩"), "{shown:?}");
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
    assert_eq!((code, removals(&world)), (Some(5), 0));
}

/// F18: `--yes` without a terminal counts where an agent's token would; a person's settings may rule that out.
#[tokio::test(flavor = "multi_thread")]
async fn yes_without_a_terminal_can_be_ruled_out() {
    const FILE: &str = "/data/storage/petal/siyuan-mcp-puppy/mcpHttpSettings";
    for (settings, code, removed) in [
        ("{}", 0, 1),
        (r#"{"confirm":["ask","token"]}"#, 0, 1),
        (r#"{"confirm":["ask","block"]}"#, 5, 0),
        ("torn", 1, 0),
    ] {
        let (world, doc) = desk("Farewell").await;
        world.write(FILE, settings).await;
        let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
        command.env_remove("SIYUAN_TOKEN").env("SIYUAN_API_URL", world.kernel.url()).stdin(Stdio::null());
        let ended = command.args(["document", "remove", "--ids", &doc, "--yes"]).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!((ended.status.code(), removals(&world)), (Some(code), removed), "{settings}: {said}");
        if settings != "torn" && code != 0 {
            assert!(said.contains("confirm"), "{said}");
            let (_, code) = typed(&world, &["document", "remove", "--ids", &doc, "--yes"], "");
            assert_eq!((code, removals(&world)), (Some(0), 1), "on a terminal");
        }
    }
}

/// B-093, B-098: yes proceeds, anything else does not, and `--yes` skips the question.
#[tokio::test(flavor = "multi_thread")]
async fn destructive_command_asks_on_a_terminal() {
    let (world, doc) = desk("Farewell").await;
    let remove = ["document", "remove", "--ids", &doc];
    let (shown, code) = typed(&world, &remove, "n\n");
    assert!(shown.contains("Delete “Farewell”? You can restore it"), "{shown}");
    assert!(shown.contains("Nothing was changed"), "{shown}");
    assert_eq!((code, removals(&world)), (Some(5), 0));
    let (_, code) = typed(&world, &remove, "y\n");
    assert_eq!((code, removals(&world)), (Some(0), 1));
    let (world, doc) = desk("Farewell").await;
    let (shown, code) = typed(&world, &["document", "remove", "--ids", &doc, "--yes"], "");
    assert!(!shown.contains("[y/N]"), "{shown}");
    assert_eq!((code, removals(&world)), (Some(0), 1));
}

/// B-060, B-098: a level changes only after a yes on the terminal, whatever `--yes` says.
#[tokio::test(flavor = "multi_thread")]
async fn a_level_is_asked_about_whatever_yes_says() {
    let world = World::new().await;
    let garden = world.notebook("Garden").await;
    world.set_table(&json!({ (garden.clone()): "rw" })).await;
    world
        .set_switches(&json!({ "notebook": { "enabled": true, "actions": { "set_permission": true } } }))
        .await;
    let level = async || world.table().await.unwrap()[&garden].clone();
    let set = ["notebook", "set-permission", "--notebook", "Garden", "--level", "r", "--yes"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
    command.env_remove("SIYUAN_TOKEN").env("SIYUAN_API_URL", world.kernel.url()).stdin(Stdio::null());
    let ended = command.args(set).output().unwrap();
    assert_eq!((ended.status.code(), level().await), (Some(5), json!("rw")), "{ended:?}");
    for (answer, code, after) in [("n\n", 5, "rw"), ("y\n", 0, "r")] {
        let (shown, ended) = typed(&world, &set, answer);
        assert!(shown.contains("from Write to Read in the notebook “Garden”?"), "{shown}");
        assert_eq!((ended, level().await), (Some(code), json!(after)), "{shown}");
    }
}
