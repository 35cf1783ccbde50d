//! The option `--confirm` of the servers: the ways to ask a person before something dangerous happens.

use clap::{Arg, ArgAction, ArgMatches};
use puppy_core::config::ApprovalMethod;

use crate::words::ServerHelp;
pub(super) fn option() -> Arg {
    let words = ServerHelp::here();
    Arg::new("confirm")
        .long("confirm")
        .value_name("WAYS")
        .env("SIYUAN_MCP_CONFIRM")
        .hide_env_values(true)
        .value_delimiter(',')
        .action(ArgAction::Append)
        .value_parser(ApprovalMethod::ALL.map(ApprovalMethod::word))
        .hide_possible_values(true)
        .help_heading(words.confirmation())
        .help(words.confirm())
}

/// The order given on the command line, if any.
pub(super) fn order(matches: &ArgMatches) -> Vec<ApprovalMethod> {
    let words = matches.get_many::<String>("confirm").into_iter().flatten();
    words.filter_map(|word| ApprovalMethod::named(word)).collect()
}
