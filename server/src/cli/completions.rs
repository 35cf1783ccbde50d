//! Completion of the command line by the shell: commands and flags, and values from the workspace (B-102).

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Arg, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use puppy_core::prompts::complete::Of;
use puppy_core::spec::Kind;

use super::{build, environment, run};
use crate::kernel::{HttpKernel, Options};
use crate::sidecar;

/// The variable by which the script in the shell asks this program for completions.
const ASKED: &str = "SIYUAN_PUPPY_COMPLETE";
/// The longest time that a person who pressed Tab waits for SiYuan.
const PATIENCE: Duration = Duration::from_secs(2);

/// `completions SHELL`.
pub(super) fn command() -> Command {
    let shell = Arg::new("shell")
        .value_name("SHELL")
        .required(true)
        .value_parser(clap::builder::PossibleValuesParser::new(Shells::builtins().names()))
        .help("The shell that gets it");
    Command::new("completions")
        .about("Print a script with which a shell completes commands, names, tags and ids")
        .after_help(
            "bash:        source <(siyuan-puppy completions bash)\n\
             zsh:         source <(siyuan-puppy completions zsh)\n\
             fish:        siyuan-puppy completions fish | source\n\
             PowerShell:  siyuan-puppy completions powershell | Out-String | Invoke-Expression",
        )
        .arg(shell)
}

/// The script for a shell; it calls this program by the name by which it was called now, from any folder.
pub(super) fn script(shell: &str) -> io::Result<Vec<u8>> {
    let called = std::env::args().next().filter(|it| Path::new(it).components().count() == 1);
    let called = called.map_or_else(std::env::current_exe, |it| Ok(PathBuf::from(it)))?;
    let called = called.to_string_lossy();
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(shell) {
        shell.write_registration(ASKED, build::NAME, build::NAME, &called, &mut script)?;
    }
    Ok(script)
}

/// Answers a shell that asks for completions; whether it did.
pub(super) fn answered() -> Result<bool, clap::Error> {
    let folder = std::env::current_dir().ok();
    CompleteEnv::with_factory(build::command).var(ASKED).try_complete(std::env::args_os(), folder.as_deref())
}

/// Completes an argument with the readable notebooks, documents and tags of the workspace.
pub(super) fn from_workspace(kind: Kind) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| {
        let values = typed.to_str().and_then(|typed| values(kind, typed));
        values.unwrap_or_default().into_iter().map(CompletionCandidate::new).collect()
    })
}

/// The values that begin with the typed text; none if SiYuan cannot be asked, because an error would only disturb.
fn values(kind: Kind, typed: &str) -> Option<Vec<String>> {
    let options = environment::kernel(None, None, None).ok()?;
    let sidecar = sidecar(HttpKernel::new(Options { deadline: PATIENCE, ..options }).ok()?, false);
    let asked = async { sidecar.complete(Of::Kind(kind), "", typed, &Default::default()).await };
    let found = run::runtime().ok()?.block_on(async { tokio::time::timeout(PATIENCE, asked).await });
    // A shell takes only what continues the typed text.
    Some(found.ok()?.ok()?.values.into_iter().filter(|it| it.starts_with(typed)).collect())
}
