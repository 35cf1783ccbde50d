//! The commands of the recipe in a pipe whose reader leaves before the end.

use std::process::{Command, Stdio};

#[test]
fn a_command_whose_reader_has_left_ends_quietly() {
    for arguments in [&["verify", "--list"][..], &["--help"], &["shifted", "--list"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_package-zip-recipe"));
        command.args(arguments).stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped());
        let output = command.spawn().unwrap().wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(141), "{arguments:?}");
    }
}
