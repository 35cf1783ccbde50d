//! Help on a Chinese terminal: the headings, defaults and lists that the parser words in English otherwise.

use std::ffi::OsStr;

use clap::{Arg, ArgAction, Command};
use unicode_width::UnicodeWidthStr;

use super::flags::FIRST;
use super::groups;
use super::names::NAME;
use super::people::wrapped;
use super::short::{self, BLANKS};
use crate::words::{HelpWords, Language, comma, language};

/// The least columns of the words beside an option.
const NARROWEST: usize = 24;

/// The command with its help in the language in use, in lines of at most so many columns.
pub(super) fn spoken(command: Command, widest: usize) -> Command {
    match language() {
        Language::English => command,
        Language::Chinese => chinese(command, widest),
    }
}

fn chinese(command: Command, widest: usize) -> Command {
    let has = |id: &str| command.get_arguments().any(|it| it.get_id() == id);
    let (has_help, has_first) = (has("help"), has(FIRST));
    let mut command = command.mut_args(argument).mut_subcommands(|it| chinese(it, widest));
    if !has_help {
        let help = short::help().hide_short_help(false).help_heading(HelpWords::here().options());
        command = command.disable_help_flag(true).arg(help);
    }
    if command.get_name() == NAME {
        command = command.disable_version_flag(true).arg(version());
    }
    let room = groups::room(widest);
    let options = command.get_arguments().map(short::width).max().unwrap_or_default() + BLANKS;
    let beside = room.saturating_sub(options).max(NARROWEST);
    command = command.mut_args(|it| broken(it, beside));
    // A line that fits keeps the blanks at its beginning.
    let in_line = |it: &str| if it.width() <= room { vec![it.to_owned()] } else { wrapped(it, room) };
    let in_lines = |text: String| text.lines().flat_map(in_line).collect::<Vec<_>>().join("\n");
    if let Some(text) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(in_lines(text));
    }
    if let Some(text) = command.get_long_about().map(ToString::to_string) {
        command = command.long_about(in_lines(text));
    }
    if command.has_subcommands() {
        groups::listed(command, widest)
    } else if has_first {
        command.help_template(groups::one_list())
    } else {
        command.help_template(groups::plain())
    }
}

fn version() -> Arg {
    let words = HelpWords::here();
    Arg::new("version")
        .short('V')
        .long("version")
        .action(ArgAction::Version)
        .help(words.version())
        .help_heading(words.options())
}

/// The argument below a heading, with its variable, default and values in its own words.
fn argument(arg: Arg) -> Arg {
    let words = HelpWords::here();
    let heading = if arg.is_positional() { words.arguments() } else { words.options() };
    let arg = if arg.get_help_heading().is_none() { arg.help_heading(heading) } else { arg };
    let mut notes = Vec::new();
    if let Some(name) = arg.get_env().and_then(OsStr::to_str).filter(|_| !arg.is_hide_env_set()) {
        notes.push(words.environment(name));
    }
    let takes_values = arg.get_action().takes_values();
    let defaults: Vec<&str> = arg.get_default_values().iter().filter_map(|it| it.to_str()).collect();
    if takes_values && !defaults.is_empty() && !arg.is_hide_default_value_set() {
        notes.push(words.default(defaults.join(comma())));
    }
    let values = arg.get_possible_values();
    let values: Vec<&str> = values.iter().map(|it| it.get_name()).collect();
    if takes_values && !values.is_empty() && !arg.is_hide_possible_values_set() {
        notes.push(words.possible(values.join(comma())));
    }
    if notes.is_empty() {
        return arg;
    }
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let help = format!("{help} {}", notes.join(" "));
    let arg = arg.help(help).hide_env(true);
    if takes_values { arg.hide_default_value(true).hide_possible_values(true) } else { arg }
}

/// The argument with its words in lines: the parser breaks lines at blanks only.
fn broken(arg: Arg, room: usize) -> Arg {
    match arg.get_help().map(ToString::to_string) {
        Some(help) if !help.is_ascii() && !help.contains('\n') => arg.help(wrapped(&help, room).join("\n")),
        _ => arg,
    }
}
