//! The command line in a pipe whose reader leaves before the end.

use std::process::{Command, Stdio};

use crate::world::World;

/// Writing fails and nobody reads the rest, so the command keeps quiet and its exit code is that of its own outcome.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_whose_reader_has_left_ends_quietly() {
    let world = World::new().await;
    for (words, code) in [
        (&["--help"][..], 0),
        (&["fs", "read", "--help"], 0),
        (&["completions", "bash"], 0),
        (&["notebook", "list"], 0),
        (&["notebook", "list", "--json"], 0),
        (&["fs", "read", "--path", "/Garden/Welcome"], 0),
        (&["--json", "fs", "read", "--path", "/No/thing"], 1),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
        for name in ["SIYUAN_TOKEN", "SIYUAN_MCP_TOKEN", "SIYUAN_MCP_PARENT_PID", "NO_COLOR"] {
            command.env_remove(name);
        }
        command.env("SIYUAN_API_URL", world.kernel.url()).args(words);
        command.stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped());
        let output = command.spawn().unwrap().wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
        assert_eq!(output.status.code(), Some(code), "{words:?}");
    }
}
