//! Values of arguments that a shell completes from the workspace (B-102).

use std::ffi::OsStr;
use std::time::Duration;

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use puppy_core::prompts::complete::ArgumentOwner;
use puppy_core::spec::Kind;

use super::environment::KernelOptions;
use super::{environment, runtime};
use crate::kernel::{HttpKernel, Options};
use crate::profiles::PromptPolicy;
use crate::sidecar;

/// The longest time that a person who pressed Tab waits for SiYuan.
const PATIENCE: Duration = Duration::from_secs(2);

/// Completes an argument with the readable notebooks, documents and tags of the workspace.
pub(super) fn from_workspace(kind: Kind) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| {
        let values = typed.to_str().and_then(|typed| values(kind, typed));
        values.unwrap_or_default().into_iter().map(CompletionCandidate::new).collect()
    })
}

/// The values that begin with the typed text; none if SiYuan cannot be asked, because an error would only disturb.
fn values(kind: Kind, typed: &str) -> Option<Vec<String>> {
    // A program that prints the token could ask for a password, or take its time.
    let options =
        environment::kernel_access(&KernelOptions::default()).ok()?.options(PromptPolicy::Never).ok()?;
    let sidecar = sidecar(HttpKernel::new(Options { deadline: PATIENCE, ..options }).ok()?, false);
    let asked = async { sidecar.complete(ArgumentOwner::Kind(kind), "", typed, &Default::default()).await };
    let found = runtime::new().ok()?.block_on(async { tokio::time::timeout(PATIENCE, asked).await });
    // A shell takes only what continues the typed text.
    let fits = |it: &String| it.starts_with(typed) && is_one_word(it);
    Some(found.ok()?.ok()?.values.into_iter().filter(fits).collect())
}

/// Whether every shell and this program read the text as one word and as nothing else. Anybody who writes notes chooses
/// titles, and some shells put a completed text into the command as it is: `$(...)` in it would be run, and a text such
/// as `--yes` or `@file` would be an option or a file.
fn is_one_word(text: &str) -> bool {
    !text.starts_with('-') && text.chars().all(|it| it.is_alphanumeric() || "/-_.:+,".contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_reads_otherwise_are_not_proposed() {
        for word in ["/Garden/Plants/Mint", "20250101000000-abcdefg", "小白菜", "garden/soil", "v1.2"] {
            assert!(is_one_word(word), "{word}");
        }
        for word in
            ["x$(id)", "a`id`", "a;b", "a b", "a|b", "a&b", "*", "~", "a\nb", "--yes", "@file", "a'b", "=ls"]
        {
            assert!(!is_one_word(word), "{word}");
        }
    }
}
