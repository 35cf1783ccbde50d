//! `siyuan-puppy pause` and `resume`: the switch of the panel that refuses every call of every agent.

use clap::Command;
use puppy_core::config::{Change, HttpSettings};
use puppy_core::error::ToolError;
use puppy_core::permission::Closed;

use crate::kernel::{HttpKernel, Options};

/// The commands.
pub(super) fn commands() -> [Command; 2] {
    [
        Command::new("pause")
            .about("Refuse every call of every agent until resume")
            .after_help("Running servers obey within a second. Example: siyuan-puppy pause"),
        Command::new("resume")
            .about("Let agents call again after pause")
            .after_help("Example: siyuan-puppy resume"),
    ]
}

/// Sets the pause and returns what is so now. The file is read again, because the kernel has no lock.
pub(super) async fn set(options: Options, is_paused: bool) -> Result<HttpSettings, ToolError> {
    let unknown = |why: Closed| ToolError::from(&why);
    let kernel = HttpKernel::new(options)
        .map_err(|why| ToolError::new(puppy_core::error::ErrorType::Validation, why))?;
    let before = HttpSettings::read(&kernel).await.map_err(unknown)?;
    if before.is_paused() != is_paused {
        HttpSettings::save(&kernel, &Change::Paused(is_paused)).await.map_err(unknown)?;
    }
    HttpSettings::read(&kernel).await.map_err(unknown)
}

/// The sentence for people.
pub(super) const fn told(is_paused: bool) -> &'static str {
    if is_paused {
        "✓ Paused: every call of agents is refused. `siyuan-puppy resume` ends it."
    } else {
        "✓ Agents may call."
    }
}
