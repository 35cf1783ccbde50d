//! The commands in the help of the program, by what they are for.

use clap::Command;
use clap::builder::StyledStr;
use clap::builder::styling::Styles;
use puppy_core::spec::Tool;
use unicode_width::UnicodeWidthStr;

use super::people::wrapped;
use super::screen::Screen;

/// The groups of the commands that are no tools, by their names. The tools come before the last one.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Serve", &["stdio", "http"]),
    ("Set up", &["doctor", "status", "install", "list", "uninstall", "config", "kernels", "health"]),
    ("Control", &["pause", "resume"]),
    ("Scripts", &["actions", "skills", "completions", "man"]),
];
const NOTES: &str = "Notes";

/// Gives a command the help in which its commands stand in groups, in lines of at most so many columns.
pub(super) fn grouped(command: Command, widest: usize) -> Command {
    let room = Screen::out().width.unwrap_or(widest).min(widest);
    let styles = Styles::styled();
    let head = styles.get_header();
    let mut text = String::new();
    for (title, about) in groups(&command) {
        text.push_str(&format!("{head}{title}:{head:#}\n"));
        for (name, about) in about {
            text.push_str(&line(styles.get_literal(), &name, &about, room));
        }
        text.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}{head}Options:{head:#}\n{{options}}{{after-help}}"
    );
    command.help_template(StyledStr::from(template))
}

/// Help with the argument that needs no name above the options, so that it takes one line only.
pub(super) fn one_list() -> StyledStr {
    let styles = Styles::styled();
    let head = styles.get_header();
    StyledStr::from(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{head}Arguments:{head:#}\n{{positionals}}\n{{options}}{{after-help}}"
    ))
}

/// Every group with its commands, each with its sentence.
fn groups(command: &Command) -> Vec<(&'static str, Vec<(String, String)>)> {
    let told = |it: &Command| {
        (it.get_name().to_owned(), it.get_about().map(ToString::to_string).unwrap_or_default())
    };
    let named =
        |names: &[&str]| names.iter().filter_map(|it| command.find_subcommand(it)).map(told).collect();
    let notes = command.get_subcommands().filter(|it| Tool::named(it.get_name()).is_some()).map(told);
    let mut all: Vec<(&str, Vec<_>)> = GROUPS.iter().map(|(title, names)| (*title, named(names))).collect();
    all.insert(all.len() - 1, (NOTES, notes.collect()));
    all
}

/// A name and what it is for, with further lines below it.
fn line(style: &clap::builder::styling::Style, name: &str, about: &str, room: usize) -> String {
    /// The columns of the names, with the blanks on both sides.
    const NAMES: usize = 15;
    let mut out = String::new();
    for (at, part) in wrapped(about, room.saturating_sub(NAMES).max(NAMES)).iter().enumerate() {
        let blanks = NAMES.saturating_sub(2 + if at == 0 { name.width() } else { 0 });
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
        let narrow = line(Styles::styled().get_literal(), "fs", &"four word ".repeat(9), 40);
        assert!(narrow.lines().count() > 2, "{narrow}");
    }
}
