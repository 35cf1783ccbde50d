//! `siyuan-puppy kernels`: the kernels of SiYuan that run on this machine.

use std::time::Duration;

use clap::Command;
use puppy_core::kernel;
use puppy_core::kernel::api::system;
use serde_json::{Value, json};

use super::print::CommandOutput;
use crate::discover::{self, Address};
use crate::kernel::{HttpKernel, Options};
use crate::words::{HelpWords, SetupWords, gap};

/// The longest wait for one of them.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn command() -> Command {
    let words = HelpWords::here();
    let example = words.example("siyuan-puppy kernels --json");
    Command::new("kernels").about(words.kernels()).after_help(format!(
        "{}{}{example}",
        words.kernels_more(),
        gap()
    ))
}

/// The list; no token is sent to any of them. `used` is the address in force.
pub(super) async fn list(used: Option<&Address>, as_json: bool) -> Result<CommandOutput, String> {
    let used = used.map(Address::url);
    let mut rows = Vec::new();
    for url in discover::found() {
        let options = Options { deadline: PATIENCE, ..Options::new(Address::Given(url.clone()), None) };
        let version = kernel::ask(&HttpKernel::new(options)?, system::version()).await.ok();
        let is_used = used.as_ref() == Some(&url);
        rows.push(json!({ "address": url, "version": version, "used": is_used }));
    }
    if as_json {
        return Ok(CommandOutput::Json(Value::from(rows)));
    }
    Ok(CommandOutput::Table(rows, SetupWords::here().no_kernels()))
}
