//! Values of arguments that a shell completes from the workspace (B-102).

use std::ffi::OsStr;
use std::time::Duration;

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use puppy_core::prompts::complete::Of;
use puppy_core::spec::Kind;

use super::{environment, runtime};
use crate::kernel::{HttpKernel, Options};
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
    let options = environment::kernel(None, None, None).ok()?;
    let sidecar = sidecar(HttpKernel::new(Options { deadline: PATIENCE, ..options }).ok()?, false);
    let asked = async { sidecar.complete(Of::Kind(kind), "", typed, &Default::default()).await };
    let found = runtime::new().ok()?.block_on(async { tokio::time::timeout(PATIENCE, asked).await });
    // A shell takes only what continues the typed text.
    Some(found.ok()?.ok()?.values.into_iter().filter(|it| it.starts_with(typed)).collect())
}
