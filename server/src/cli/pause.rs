//! `siyuan-puppy pause` and `resume`: the switch of the panel that refuses every call of every agent.

use clap::Command;
use puppy_core::config::{HTTP_FILE, HttpChange, HttpSettings};
use puppy_core::error::ToolError;
use puppy_core::permission::Closed;
use serde_json::json;

use super::environment::KernelAccess;
use super::print::CommandOutput;
use crate::channel::announce;
use crate::discover;
use crate::kernel::{HttpKernel, Options};
use crate::words::{HelpWords, SetupWords, gap};

pub(super) fn commands() -> [Command; 2] {
    let words = HelpWords::here();
    let example = words.example("siyuan-puppy pause");
    [
        Command::new("pause").about(words.pause()).after_help(format!(
            "{}{}{example}",
            words.pause_more(),
            gap()
        )),
        Command::new("resume").about(words.resume()).after_help(words.example("siyuan-puppy resume")),
    ]
}

/// Sets the pause and returns what is so now. The file is read again, because the kernel has no lock.
pub(super) async fn set(options: Options, is_paused: bool) -> Result<HttpSettings, ToolError> {
    let unknown = |why: Closed| ToolError::from(&why);
    let kernel = HttpKernel::new(options)
        .map_err(|why| ToolError::new(puppy_core::error::ErrorType::Validation, why))?;
    let before = HttpSettings::read(&kernel).await.map_err(unknown)?;
    if before.is_paused() != is_paused {
        HttpSettings::save(&kernel, &HttpChange::Paused(is_paused)).await.map_err(unknown)?;
        announce(&kernel, &[HTTP_FILE]).await;
    }
    HttpSettings::read(&kernel).await.map_err(unknown)
}

/// The output for the current state `is_paused`, and whether that is the wanted one.
pub(super) fn outcome(
    access: &KernelAccess,
    wanted: bool,
    is_paused: bool,
    as_json: bool,
) -> (CommandOutput, bool) {
    let (address, from) = (discover::shown(&access.address.url()), access.address_from.words());
    let is_done = wanted == is_paused;
    if as_json {
        let data = json!({ "paused": is_paused, "address": address, "address_from": from });
        return (CommandOutput::Json(data), is_done);
    }
    let words = SetupWords::here();
    let (mark, sentence) = match (is_done, is_paused) {
        (true, true) => ('✓', words.paused()),
        (true, false) => ('✓', words.resumed()),
        (false, true) => ('✗', words.still_paused()),
        (false, false) => ('✗', words.not_paused()),
    };
    (CommandOutput::Text(format!("{mark} {sentence}\n  {}\n", words.siyuan_at(address, from))), is_done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::environment::{self, KernelOptions};

    /// A switch that did not move is no success.
    #[test]
    fn an_unwanted_state_is_a_failure() {
        let url = Some("http://ana:secret@127.0.0.1:9".to_owned());
        let access = environment::kernel_access(&KernelOptions { url, ..KernelOptions::default() }).unwrap();
        for (wanted, is_paused) in [(true, true), (true, false), (false, true), (false, false)] {
            let (CommandOutput::Text(text), is_done) = outcome(&access, wanted, is_paused, false) else {
                panic!()
            };
            assert_eq!(
                (is_done, text.starts_with('✓')),
                (wanted == is_paused, wanted == is_paused),
                "{text}"
            );
            assert!(text.contains("http://127.0.0.1:9 (--url)") && !text.contains("secret"), "{text}");
        }
    }
}
