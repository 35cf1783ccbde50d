//! Commands on a terminal: what is lost is asked for, with the plan in sight (B-098).
#![cfg(unix)]

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use nix::pty::openpty;

use crate::gate::{desk, removals};
use crate::world::World;

/// Runs a command on a terminal of its own, types an answer once it asks, and gives what was shown and the exit code.
fn typed(world: &World, words: &[&str], answer: &str) -> (String, Option<i32>) {
    let terminal = openpty(None, None).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
    command
        .env_remove("SIYUAN_TOKEN")
        .env("SIYUAN_API_URL", world.kernel.url())
        .env("NO_COLOR", "1")
        .args(words);
    let mut child = command.stdin(end()).stdout(Stdio::null()).stderr(end()).spawn().unwrap();
    // As long as one of ours stood open the screen would have no end.
    drop((command, terminal.slave));
    let mut screen = File::from(terminal.master);
    let (mut shown, mut answered) = (String::new(), false);
    let mut bytes = [0; 4096];
    // When the program has ended there is nobody on the other side: reading fails or gives nothing.
    while let Ok(read @ 1..) = screen.read(&mut bytes) {
        shown.push_str(&String::from_utf8_lossy(&bytes[..read]));
        if !answered && shown.contains("[y/N]") {
            screen.write_all(answer.as_bytes()).unwrap();
            answered = true;
        }
    }
    (shown, child.wait().unwrap().code())
}

/// B-093, B-098: yes does it, anything else leaves it, `--yes` is not asked.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_lost_is_asked_for_on_a_terminal() {
    let (world, doc) = desk("Farewell").await;
    let remove = ["document", "remove", "--ids", &doc];
    let (shown, code) = typed(&world, &remove, "n\n");
    assert!(shown.contains("Farewell") && shown.contains("Deletes the documents"), "{shown}");
    assert!(shown.contains("Nothing was changed"), "{shown}");
    assert_eq!((code, removals(&world)), (Some(5), 0));
    let (_, code) = typed(&world, &remove, "y\n");
    assert_eq!((code, removals(&world)), (Some(0), 1));
    let (world, doc) = desk("Farewell").await;
    let (shown, code) = typed(&world, &["document", "remove", "--ids", &doc, "--yes"], "");
    assert!(!shown.contains("[y/N]"), "{shown}");
    assert_eq!((code, removals(&world)), (Some(0), 1));
}
