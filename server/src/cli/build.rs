//! The shape of the command line, built from the registry at run time (B-091).

use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, ValueHint, builder::PossibleValuesParser, value_parser};
use clap_complete::env::Shells;
use puppy_core::find::{SAME_VERBS, action_named, actions_of};
use puppy_core::part::Grouping;
use puppy_core::render::{self, result};
use puppy_core::spec::{ActionSpec, Effect, Param, Presence, Slot, Tool};

use super::flags::{FIRST, argument, positional, spellings};
use super::names::{NAME, flag, hyphens};
use super::{
    config, confirm, doctor, exit, groups, health, install, kernels, listening, pause, short, status,
};

/// The last line of an action's help: where to find what it omits.
const MORE_OPTIONS: &str = "More: --help. Options of every action, such as --json: siyuan-puppy --help";

/// The widest line of help.
const WIDEST: usize = 100;

/// The whole command line.
pub(super) fn command() -> Command {
    let servers = [
        Command::new("stdio")
            .about("Serve one agent over stdin and stdout (MCP)")
            .args([confirm::option(), listening::parent_pid()])
            .args(listening::connecting()),
        listening::command().visible_alias("serve").arg(confirm::option()),
    ];
    let tools = Tool::ALL.into_iter().filter(|tool| actions_of(*tool).next().is_some()).map(tool);
    let command = Command::new(NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .about("Work in your SiYuan notes: an MCP server for agents, and a command line for you.")
        .after_help(format!("Example: siyuan-puppy fs read /Garden/Welcome\n\n{}", exit_codes()))
        .max_term_width(WIDEST)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .args(shared(&[]).into_iter().map(|arg| arg.hide_short_help(true)))
        .subcommands(servers.map(|it| {
            it.args(surface()).args(shared(&["json", "ids", "wide", "header", "yes", "no-permission-file"]))
        }))
        .subcommands(own())
        .subcommands([health::command(), skills(), actions(), completions(), manual()])
        .subcommands(tools);
    groups::grouped(command, WIDEST)
}

/// The commands for people who set this up.
fn own() -> impl Iterator<Item = Command> {
    let with_shared = |it: Command| it.args(shared(&["wide", "header", "yes", "no-permission-file"]));
    let config = config::command().mut_subcommands(with_shared);
    let all = [doctor::command(), status::command(), kernels::command()];
    let all = all.into_iter().chain(install::commands()).chain(pause::commands()).map(with_shared);
    all.chain([config])
}

fn skills() -> Command {
    let folder = Arg::new("dir")
        .value_name("DIR")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath)
        .help("Folder to write to; each skill gets a folder in it");
    let export =
        Command::new("export").about("Write the skills as folders, for agents that load them from disk");
    Command::new("skills")
        .about("Skills for agents: how to write, answer, review and tidy in SiYuan notes")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(export.arg(folder))
}

fn actions() -> Command {
    let json = shared(&[]).into_iter().filter(|arg| arg.get_long() == Some("json"));
    Command::new("actions")
        .about("List every action with its level, its effect and whether it asks first")
        .args(json.map(|arg| arg.help("Print one line of JSON, including the arguments")))
}

fn completions() -> Command {
    let shell = Arg::new("shell")
        .value_name("SHELL")
        .required(true)
        .value_parser(PossibleValuesParser::new(Shells::builtins().names()))
        .help("The shell to print the script for");
    Command::new("completions")
        .about("Print a completion script for commands, names, tags and ids")
        .after_help(
            "bash:        source <(siyuan-puppy completions bash)\n\
             zsh:         source <(siyuan-puppy completions zsh)\n\
             fish:        siyuan-puppy completions fish | source\n\
             PowerShell:  siyuan-puppy completions powershell | Out-String | Invoke-Expression",
        )
        .arg(shell)
}

fn manual() -> Command {
    let folder = Arg::new("dir")
        .value_name("DIR")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath)
        .help("Folder to write to, such as ~/.local/share/man/man1");
    Command::new("man").about("Write manual pages: one for each tool and action").arg(folder)
}

/// The options for the names, the grouping and the size of the tool list.
fn surface() -> [Arg; 4] {
    [
        Arg::new("tool-prefix")
            .long("tool-prefix")
            .value_name("PREFIX")
            .help("Prefix for the name of every tool, such as siyuan_"),
        Arg::new("surface")
            .long("surface")
            .value_name("SURFACE")
            .value_parser(Grouping::ALL.map(Grouping::word))
            .default_value(Grouping::default().word())
            .help("With split, offer reading and changing as separate tools (document, document_edit), for clients that ask before each call of a tool that can write"),
        Arg::new("compact")
            .long("compact")
            .action(ArgAction::SetTrue)
            .conflicts_with("all-arguments")
            .help("List the tools in at most 8,000 bytes instead of 13,500; help has the full descriptions"),
        Arg::new("all-arguments")
            .long("all-arguments")
            .action(ArgAction::SetTrue)
            .help("List every argument in the schemas, in at most 18,000 bytes, for clients that send only these"),
    ]
}

fn tool(tool: Tool) -> Command {
    Command::new(tool.name())
        .about(tool.purpose().trim_end_matches('.'))
        .after_help(format!("Example: {}", actions_of(tool).next().map(example).unwrap_or_default()))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(actions_of(tool).map(action))
}

fn action(spec: &ActionSpec) -> Command {
    let mut params: Vec<(Param, bool)> = Vec::new();
    for slot in spec.slots {
        let (more, alone): (Vec<Param>, bool) = match slot {
            Slot::One(param) => (vec![*param], true),
            Slot::OneOf(groups, _) => (groups.concat(), false),
        };
        for param in more {
            // One argument may appear in several groups of a choice.
            if !params.iter().any(|(it, _)| it.name == param.name) {
                params.push((param, alone && param.presence == Presence::Required));
            }
        }
    }
    let flags: Vec<String> = params.iter().map(|(param, _)| flag(param)).collect();
    let mut taken = flags.clone();
    let first = spec.positional();
    let mut args: Vec<Arg> = Vec::new();
    for (param, required) in &params {
        let by_name = argument(param).aliases(spellings(param, &mut taken));
        if first.is_some_and(|it| it.name == param.name) {
            let words = positional(param, *required);
            args.push(by_name.conflicts_with(FIRST).hide_short_help(true));
            args.insert(0, words);
        } else {
            args.push(by_name.required(*required));
        }
    }
    let preview = Arg::new("preview")
        .long("preview")
        .action(ArgAction::SetTrue)
        .help("Show what would change without changing anything");
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let command = Command::new(hyphens(spec.name))
        .about(spec.summary().trim_end_matches('.'))
        .long_about(long_about(spec))
        .after_help(format!("Example: {}\n{MORE_OPTIONS}", example(spec)))
        .aliases(aliases(spec))
        .args(short::lines(args.into_iter().chain(spec.has_preview().then_some(preview)).collect()))
        .disable_help_flag(true)
        .arg(short::help())
        // They stand in the help of the program; here they would hide the action's own behind a second screen.
        .args(shared(&flags).into_iter().map(|arg| arg.hide_short_help(true).hide_long_help(true)));
    if first.is_some() { command.help_template(groups::one_list()) } else { command }
}

fn exit_codes() -> String {
    let each = exit::MEANINGS.map(|(code, meaning)| format!("{code} {meaning}"));
    format!("Exit codes: {}.", each.join("; "))
}

/// An action as a person types it.
fn example(spec: &ActionSpec) -> String {
    result::as_command(spec.tool, spec.name, &render::example::arguments(spec))
}

/// The description of an action and its danger (B-070).
fn long_about(spec: &ActionSpec) -> String {
    match (spec.danger.sentence(), spec.worst) {
        (None, _) => spec.doc.to_owned(),
        (Some(danger), _) if spec.danger.is_for_siyuan() => {
            format!("{}\n\nDangerous: {danger} Asks on a terminal; --yes does not count.", spec.doc)
        }
        (Some(danger), Effect::Destructive) => {
            format!("{}\n\nDangerous: {danger} Asks first; without a terminal it needs --yes.", spec.doc)
        }
        (Some(danger), _) => format!("{}\n\nDangerous: {danger} Typing the command confirms it.", spec.doc),
    }
}

/// Alternative spellings of an action that agents may use (B-023).
fn aliases(spec: &ActionSpec) -> Vec<String> {
    let same = SAME_VERBS.iter().copied().flatten().copied();
    let mut all: Vec<&str> = same.chain(spec.aliases.iter().copied()).chain([spec.name]).collect();
    all.retain(|name| {
        let meant = action_named(spec.tool, name).is_some_and(|it| it.name == spec.name);
        meant && *name != hyphens(spec.name)
    });
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(str::to_owned).collect()
}

/// The options common to every action. One whose name an argument uses is accepted only before the tool.
fn shared(taken: &[&str]) -> Vec<Arg> {
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(format!("shared:{name}")).long(name).action(ArgAction::SetTrue).help(help)
    };
    let all = [
        Arg::new("shared:url")
            .long("url")
            .value_name("URL")
            .help("Address of SiYuan [env: SIYUAN_API_URL] [default: the one running on this machine]"),
        Arg::new("shared:profile")
            .long("profile")
            .value_name("NAME")
            .help("Profile to take address and token from [env: SIYUAN_PROFILE]; see `config`"),
        Arg::new("shared:token-file")
            .long("token-file")
            .value_name("FILE")
            .value_hint(ValueHint::FilePath)
            .value_parser(value_parser!(PathBuf))
            .help("File with SiYuan's API token [or set SIYUAN_TOKEN to the token]"),
        Arg::new("shared:ca-file")
            .long("ca-file")
            .value_name("PEM")
            .env("SIYUAN_MCP_CA_FILE")
            .hide_env_values(true)
            .value_hint(ValueHint::FilePath)
            .value_parser(value_parser!(PathBuf))
            .help("Trust only these certificates for https:// [default: those that this machine trusts]"),
        switch("json", "Print the answer as one line of JSON"),
        switch("ids", "Print only the ids in the answer, one a line"),
        switch("wide", "Also show ids on a terminal"),
        switch("header", "Also print the title, totals and other fields to a pipe or file"),
        switch("yes", "Delete without asking"),
        switch(
            "no-permission-file",
            "If the table of levels cannot be read, treat every notebook as Read instead of failing",
        ),
        switch("debug", "Log the requests to SiYuan on stderr, without secrets (same as --log debug)"),
        Arg::new("shared:color")
            .long("color")
            .value_name("WHEN")
            .value_parser(["auto", "always", "never"])
            .help("When to use colours; auto follows the terminal, NO_COLOR and CLICOLOR_FORCE"),
        Arg::new("shared:log")
            .long("log")
            .value_name("LEVEL")
            .env("SIYUAN_MCP_LOG")
            .hide_env_values(true)
            .value_parser(["error", "warn", "info", "debug", "trace"])
            .help("How much to log on stderr"),
    ];
    all.into_iter().filter(|arg| arg.get_long().is_none_or(|name| !taken.contains(&name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_core::registry::ACTIONS;
    use unicode_width::UnicodeWidthStr;

    /// B-091: every argument of every action has its flag, and clap's own checks pass.
    #[test]
    fn every_argument_has_a_flag() {
        let command = command();
        command.clone().debug_assert();
        for spec in ACTIONS {
            let tool = command.find_subcommand(spec.tool.name()).unwrap();
            let action = tool.find_subcommand(hyphens(spec.name)).unwrap();
            for param in spec.params() {
                let longs: Vec<&str> = action.get_arguments().filter_map(Arg::get_long).collect();
                assert!(longs.contains(&flag(&param).as_str()), "{} lacks --{}", spec.path(), flag(&param));
            }
        }
    }

    /// B-070: danger is declared once, and help shows it.
    #[test]
    fn help_names_every_danger_and_no_other() {
        let command = command();
        for spec in ACTIONS {
            let tool = command.find_subcommand(spec.tool.name()).unwrap();
            let action = tool.find_subcommand(hyphens(spec.name)).unwrap().clone();
            let long = action.get_long_about().unwrap().to_string();
            let due = spec.danger.sentence();
            assert_eq!(long.contains("Dangerous: "), due.is_some(), "{}", spec.path());
            assert!(long.contains(due.unwrap_or_default()), "{}", spec.path());
        }
    }

    /// B-102: each help has an example, and fits a window of 24 lines and 80 columns; the long help has every word.
    #[test]
    fn help_fits_a_window() {
        let mut long = Vec::new();
        for spec in ACTIONS {
            let help = action(spec).term_width(80).render_help().to_string();
            let lines: Vec<&str> = help.lines().collect();
            assert!(help.contains("Example: siyuan-puppy "), "{help}");
            // A word of JSON in an example is not parted.
            let mut before = lines.iter().take_while(|it| !it.starts_with("Example:"));
            assert!(before.all(|it| it.width() <= 80), "{help}");
            if lines.len() > 24 {
                long.push(format!("{}: {} lines", spec.path(), lines.len()));
            }
            let whole = action(spec).term_width(1_000).render_long_help().to_string();
            for param in spec.params() {
                assert!(whole.contains(param.doc.trim_end_matches('.')), "{}: {whole}", spec.path());
            }
        }
        assert!(long.is_empty(), "{long:#?}");
    }

    #[test]
    fn action_argument_wins_over_the_shared_option() {
        let names = |taken: &[&str]| -> Vec<String> {
            shared(taken).iter().filter_map(|it| it.get_long().map(str::to_owned)).collect()
        };
        assert!(names(&[]).contains(&"url".to_owned()));
        assert!(!names(&["url"]).contains(&"url".to_owned()));
    }
}
