//! Completion of the command line by the shell: its script, and the answers to what the script asks (B-102).

use std::io;
use std::path::{Path, PathBuf};

use clap_complete::env::{CompleteEnv, Shells};

use super::{build, names};

/// The variable by which the script in the shell asks this program for completions.
const ASKED: &str = "SIYUAN_PUPPY_COMPLETE";

/// The script for a shell; it calls this program by the name by which it was called now, from any folder.
pub(super) fn script(shell: &str) -> io::Result<String> {
    let called = std::env::args().next().filter(|it| Path::new(it).components().count() == 1);
    let called = called.map_or_else(std::env::current_exe, |it| Ok(PathBuf::from(it)))?;
    let called = called.to_string_lossy();
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(shell) {
        shell.write_registration(ASKED, names::NAME, names::NAME, &called, &mut script)?;
    }
    String::from_utf8(script).map_err(io::Error::other)
}

/// Answers a shell that asks for completions; whether it did.
pub(super) fn answered() -> Result<bool, clap::Error> {
    let folder = std::env::current_dir().ok();
    CompleteEnv::with_factory(build::command).var(ASKED).try_complete(std::env::args_os(), folder.as_deref())
}
