//! `siyuan-puppy health`: asks the HTTP server on this machine whether it works, for containers and supervisors.

use clap::{ArgMatches, Command};

use super::listening;
use crate::http;
use crate::words::{AnswerWords, ErrorWords, HelpWords};

pub(super) fn command() -> Command {
    let words = HelpWords::here();
    let example = words.example("siyuan-puppy health --port 36807");
    Command::new("health")
        .about(words.health())
        .after_help(format!("{}\n\n{example}", words.health_codes()))
        .args(listening::place())
        .mut_arg("host", |it| it.help(words.health_host()))
        .mut_arg("port", |it| it.help(words.health_port()))
}

/// A sentence that it works.
///
/// # Errors
/// Returns a sentence for the user if it does not.
pub(super) fn ask(matches: &ArgMatches) -> Result<String, String> {
    let address = listening::address(matches)?;
    if http::works(address) {
        return Ok(AnswerWords::here().server_works(address) + "\n");
    }
    Err(ErrorWords::here().no_server(address))
}
