//! `siyuan-puppy kernels`: the kernels of SiYuan that run on this machine.

use std::time::Duration;

use clap::Command;
use puppy_core::kernel;
use puppy_core::kernel::api::system;
use puppy_core::render::visible;
use serde_json::{Value, json};

use super::people::listed;
use crate::discover::{self, Address};
use crate::kernel::{HttpKernel, Options};

/// The longest wait for one of them.
const PATIENCE: Duration = Duration::from_secs(2);

/// The command.
pub(super) fn command() -> Command {
    Command::new("kernels").about("List the kernels of SiYuan that run on this machine").after_help(
        "A command without --url or a profile takes the first. Example: siyuan-puppy kernels --json",
    )
}

/// The list; no token is sent to any of them.
pub(super) async fn list(as_json: bool) -> Result<String, String> {
    let mut rows = Vec::new();
    for url in discover::found() {
        let options = Options { deadline: PATIENCE, ..Options::new(Address::Given(url.clone()), None) };
        let version = kernel::ask(&HttpKernel::new(options)?, system::version()).await.ok();
        let version = version.map(|it| visible::shown(&it).into_owned());
        rows.push(json!({ "address": url, "version": version, "used": rows.is_empty() }));
    }
    if as_json {
        return Ok(format!("{}\n", Value::from(rows)));
    }
    Ok(match listed(&rows) {
        Some(table) => table,
        None => "None has said that it runs on this machine. Commands still try the usual port, 6806; \
            --url names another.\n"
            .to_owned(),
    })
}
