//! The commands in the help of the program, by what they are for.

use clap::Command;
use clap::builder::StyledStr;
use clap::builder::styling::{Style, Styles};
use puppy_core::spec::Tool;
use unicode_width::UnicodeWidthStr;

use super::people::wrapped;
use super::screen::Screen;
use crate::words::{HelpWords, Language, UsageWords, language};

/// The commands that are no tools, by what they are for. The tools come before the last group.
const SERVE: &[&str] = &["stdio", "http"];
const SET_UP: &[&str] = &["doctor", "status", "install", "list", "uninstall", "config", "kernels", "health"];
const CONTROL: &[&str] = &["pause", "resume", "agents", "errands", "runs", "put-back"];
const SCRIPTS: &[&str] = &["actions", "skills", "completions", "man"];

/// The columns of the names in groups, with the blanks on both sides.
const NAMES: usize = 15;
/// These blanks.
const GAPS: usize = 4;

/// Gives a command the help in which its commands stand in groups, in lines of at most so many columns.
pub(super) fn grouped(command: Command, widest: usize) -> Command {
    let room = room(widest);
    let text: String =
        groups(&command).iter().map(|(title, about)| group(title, about, NAMES, room)).collect();
    let help = format!(
        "{{about-with-newline}}\n{}\n\n{text}{}{{options}}{{after-help}}",
        usage(),
        heading(HelpWords::here().options())
    );
    command.help_template(StyledStr::from(help))
}

/// Gives a command the help in which its commands stand in one list.
pub(super) fn listed(command: Command, widest: usize) -> Command {
    let words = HelpWords::here();
    let all: Vec<_> = command.get_subcommands().map(name_and_about).collect();
    let names = all.iter().map(|(name, _)| name.width()).max().unwrap_or_default();
    // The parser breaks lines at blanks only.
    let about = wrapped(&name_and_about(&command).1, room(widest)).join("\n");
    let help = format!(
        "{about}\n\n{}\n\n{}{}{{options}}{{after-help}}",
        usage(),
        group(words.commands(), &all, names + GAPS, room(widest)),
        heading(words.options())
    );
    command.help_template(StyledStr::from(help))
}

/// Help with the argument that needs no name above the options, so that it takes one line only.
pub(super) fn one_list() -> StyledStr {
    StyledStr::from(format!(
        "{{about-with-newline}}\n{}\n\n{}{{positionals}}\n{{options}}{{after-help}}",
        usage(),
        heading(HelpWords::here().arguments())
    ))
}

/// Help with each option below its own heading.
pub(super) fn plain() -> StyledStr {
    StyledStr::from(format!("{{about-with-newline}}\n{}\n\n{{all-args}}{{after-help}}", usage()))
}

/// The line of the usage.
fn usage() -> String {
    match language() {
        Language::English => "{usage-heading} {usage}".to_owned(),
        Language::Chinese => {
            let style = Styles::styled();
            let style = style.get_usage();
            format!("{style}{}{style:#}{{usage}}", UsageWords::here().usage())
        }
    }
}

/// The line above a list.
fn heading(title: &str) -> String {
    let styles = Styles::styled();
    let head = styles.get_header();
    format!("{head}{title}{}{head:#}\n", HelpWords::here().colon())
}

/// The columns of the window, at most so many.
pub(super) fn room(widest: usize) -> usize {
    Screen::out().width.unwrap_or(widest).min(widest)
}

/// Commands below a heading, with so many columns for their names.
fn group(title: &str, commands: &[(String, String)], names: usize, room: usize) -> String {
    let styles = Styles::styled();
    let line = |(name, about): &(String, String)| line(styles.get_literal(), name, about, names, room);
    format!("{}{}\n", heading(title), commands.iter().map(line).collect::<String>())
}

fn name_and_about(command: &Command) -> (String, String) {
    (command.get_name().to_owned(), command.get_about().map(ToString::to_string).unwrap_or_default())
}

/// Every group with its commands, each with its sentence.
fn groups(command: &Command) -> Vec<(&'static str, Vec<(String, String)>)> {
    let words = HelpWords::here();
    let named = |names: &[&str]| {
        names.iter().filter_map(|it| command.find_subcommand(it)).map(name_and_about).collect()
    };
    let notes =
        command.get_subcommands().filter(|it| Tool::named(it.get_name()).is_some()).map(name_and_about);
    vec![
        (words.serve(), named(SERVE)),
        (words.set_up(), named(SET_UP)),
        (words.control(), named(CONTROL)),
        (words.notes(), notes.collect()),
        (words.scripts(), named(SCRIPTS)),
    ]
}

/// A name and what it is for, with further lines below it.
fn line(style: &Style, name: &str, about: &str, names: usize, room: usize) -> String {
    let mut out = String::new();
    for (at, part) in wrapped(about, room.saturating_sub(names).max(names)).iter().enumerate() {
        let blanks = names.saturating_sub(2 + if at == 0 { name.width() } else { 0 });
        match at {
            0 => out.push_str(&format!("  {style}{name}{style:#}{:blanks$}{part}\n", "")),
            _ => out.push_str(&format!("  {:blanks$}{part}\n", "")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::build::command;
    use super::*;

    /// B-102: each command is in the help once, in a line without a full stop, and no line is wider than its window.
    #[test]
    fn every_command_is_in_one_group() {
        let command = command();
        let listed: Vec<(String, String)> = groups(&command).into_iter().flat_map(|it| it.1).collect();
        for it in command.get_subcommands() {
            let found: Vec<_> = listed.iter().filter(|(name, _)| name == it.get_name()).collect();
            assert_eq!(found.len(), 1, "{}", it.get_name());
            assert!(!found[0].1.is_empty() && !found[0].1.ends_with('.'), "{found:?}");
        }
        let help = command.clone().render_help().to_string();
        let places: Vec<usize> =
            ["Serve:", "Set up:", "Control:", "Notes:", "Scripts:", "Options:", "Example:"]
                .map(|it| help.find(it).unwrap())
                .to_vec();
        assert!(places.is_sorted(), "{help}");
        let narrow = line(Styles::styled().get_literal(), "fs", &"four word ".repeat(9), NAMES, 40);
        assert!(narrow.lines().count() > 2, "{narrow}");
    }
}
