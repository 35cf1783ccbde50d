//! `siyuan-puppy health`: asks the HTTP server on this machine whether it works, for containers and supervisors.

use clap::{ArgMatches, Command};

use super::listening;
use crate::http;

pub(super) fn command() -> Command {
    Command::new("health")
        .about("Check that the HTTP server on this machine works")
        .after_help("Exit codes: 0 it works, 1 it does not.\n\nExample: siyuan-puppy health --port 36807")
        .args(listening::place())
        .mut_arg("host", |it| it.help("Address that the server listens on"))
        .mut_arg("port", |it| it.help("Port that the server listens on"))
}

/// A sentence that it works.
///
/// # Errors
/// Returns a sentence for the user if it does not.
pub(super) fn ask(matches: &ArgMatches) -> Result<String, String> {
    let address = listening::address(matches)?;
    if http::works(address) {
        return Ok(format!("The server at {address} works.\n"));
    }
    Err(format!(
        "No server answers at {address}. Start one with `siyuan-puppy http`, or choose another with --host and --port."
    ))
}
