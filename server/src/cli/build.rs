//! The shape of the command line, built from the registry at run time (B-091).

use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, ValueHint, builder::PossibleValuesParser, value_parser};
use clap_complete::env::Shells;
use puppy_core::find::{SAME_VERBS, action_named, actions_of};
use puppy_core::part::Grouping;
use puppy_core::render::{self, result};
use puppy_core::spec::{ActionSpec, Effect, Kind, Param, Presence, Slot, Tool};

use super::flags::{FIRST, argument, positional, spellings};
use super::names::{NAME, flag, hyphens};
use super::{
    agents, alone, config, confirm, doctor, errands, exit, groups, health, install, kernels, listening,
    pause, short, spoken, status,
};
use crate::words::{self, HelpWords, Language, ServerHelp};

/// The widest line of help.
const WIDEST: usize = 100;

/// The whole command line.
pub(super) fn command() -> Command {
    let words = HelpWords::here();
    let servers = [
        Command::new("stdio")
            .about(ServerHelp::here().stdio())
            .args([confirm::option(), listening::parent_pid()])
            .args(listening::connecting()),
        listening::command().visible_alias("serve").arg(confirm::option()),
    ];
    let tools = Tool::ALL.into_iter().filter(|tool| actions_of(*tool).next().is_some()).map(tool);
    let command = Command::new(NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .about(words.about())
        .after_help(format!("{}\n\n{}", words.example("siyuan-puppy fs read /Garden/Welcome"), exit_codes()))
        .max_term_width(WIDEST)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .args(shared(&[]).into_iter().map(|arg| arg.hide_short_help(true)))
        .subcommands(servers.map(|it| {
            it.args(surface()).args(shared(&["json", "ids", "wide", "header", "yes", "no-permission-file"]))
        }))
        .subcommands(own())
        .subcommands(alone::commands(|spec, name| {
            let example =
                example(spec).replacen(&format!("{} {}", spec.tool.name(), hyphens(spec.name)), name, 1);
            named(spec, name).after_help(after_help(&example))
        }))
        .subcommands([health::command(), skills(), actions(), completions(), manual()])
        .subcommands(tools);
    groups::grouped(spoken::spoken(command, WIDEST), WIDEST)
}

/// The commands for people who set this up.
fn own() -> impl Iterator<Item = Command> {
    let with_shared = |it: Command| it.args(shared(&["wide", "header", "yes", "no-permission-file"]));
    let config = config::command().mut_subcommands(with_shared);
    let all = [doctor::command(), status::command(), kernels::command()];
    let all = all.into_iter().chain(install::commands()).chain(pause::commands()).map(with_shared);
    let with_inner = |it: Command| with_shared(it).mut_subcommands(with_shared);
    all.chain([config, with_inner(agents::command()), with_inner(errands::command())])
}

fn skills() -> Command {
    let words = HelpWords::here();
    let folder = Arg::new("dir")
        .value_name("DIR")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath)
        .help(words.skills_folder());
    let export = Command::new("export").about(words.skills_export());
    Command::new("skills")
        .about(words.skills())
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(export.arg(folder))
}

fn actions() -> Command {
    let json = shared(&[]).into_iter().filter(|arg| arg.get_long() == Some("json"));
    Command::new("actions")
        .about(HelpWords::here().actions())
        .args(json.map(|arg| arg.help(HelpWords::here().actions_json())))
}

fn completions() -> Command {
    let shell = Arg::new("shell")
        .value_name("SHELL")
        .required(true)
        .value_parser(PossibleValuesParser::new(Shells::builtins().names()))
        .help(HelpWords::here().completions_shell());
    Command::new("completions")
        .about(HelpWords::here().completions())
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
        .help(HelpWords::here().manual_folder());
    Command::new("man").about(HelpWords::here().manual()).arg(folder)
}

/// The options for the names, the grouping and the size of the tool list.
fn surface() -> [Arg; 4] {
    let words = ServerHelp::here();
    [
        Arg::new("tool-prefix").long("tool-prefix").value_name("PREFIX").help(words.tool_prefix()),
        Arg::new("surface")
            .long("surface")
            .value_name("SURFACE")
            .value_parser(Grouping::ALL.map(Grouping::word))
            .default_value(Grouping::default().word())
            .help(words.surface()),
        Arg::new("compact")
            .long("compact")
            .action(ArgAction::SetTrue)
            .conflicts_with("all-arguments")
            .help(words.compact()),
        Arg::new("all-arguments")
            .long("all-arguments")
            .action(ArgAction::SetTrue)
            .help(words.all_arguments()),
    ]
}

fn tool(tool: Tool) -> Command {
    Command::new(tool.name())
        .about(without_full_stop(words::purpose(tool)))
        .after_help(HelpWords::here().example(actions_of(tool).next().map(example).unwrap_or_default()))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(actions_of(tool).map(action))
}

fn action(spec: &ActionSpec) -> Command {
    named(spec, hyphens(spec.name)).aliases(aliases(spec))
}

/// An action under a name of its own.
fn named(spec: &ActionSpec, name: impl Into<clap::builder::Str>) -> Command {
    let words = HelpWords::here();
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
            let by_name = match param.kind {
                Kind::Text { .. } => by_name.value_name(param.name.to_ascii_uppercase()),
                _ => by_name,
            };
            args.push(by_name.conflicts_with(FIRST).hide_short_help(true));
            args.insert(0, words);
        } else {
            args.push(by_name.required(*required));
        }
    }
    let preview = Arg::new("preview").long("preview").action(ArgAction::SetTrue).help(words.preview());
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let command = Command::new(name)
        .about(without_full_stop(words::summary(spec)))
        .long_about(long_about(spec))
        .after_help(after_help(&example(spec)))
        .args(short::lines(args.into_iter().chain(spec.has_preview().then_some(preview)).collect()))
        .disable_help_flag(true)
        .arg(short::help())
        // They stand in the help of the program; here they would hide the action's own behind a second screen.
        .args(shared(&flags).into_iter().map(|arg| arg.hide_short_help(true).hide_long_help(true)));
    if first.is_some() { command.help_template(groups::one_list()) } else { command }
}

/// The last lines of the help of an action.
fn after_help(example: &str) -> String {
    let words = HelpWords::here();
    format!("{}\n{}", words.example(example), words.more_options())
}

fn exit_codes() -> String {
    let each = exit::meanings().map(|(code, meaning)| format!("{code} {meaning}"));
    let mark = match words::language() {
        Language::English => "; ",
        Language::Chinese => "，",
    };
    HelpWords::here().exit_codes(each.join(mark))
}

/// A sentence as a line of a list.
fn without_full_stop(sentence: &str) -> &str {
    sentence.trim_end_matches(['.', '。'])
}

/// An action as a person types it.
fn example(spec: &ActionSpec) -> String {
    result::as_command(spec.tool, spec.name, &render::example::arguments(spec))
}

/// The description of an action and its danger (B-070).
fn long_about(spec: &ActionSpec) -> String {
    let words = HelpWords::here();
    let about = match words::language() {
        Language::English => spec.doc.to_owned(),
        // The whole text has details for agents, and only English has it.
        Language::Chinese => format!("{}\n\n{}", words::summary(spec), spec.doc),
    };
    let Some(danger) = words::danger(spec).map(with_names) else { return about };
    let danger = match spec.worst {
        _ if spec.danger.is_for_siyuan() => words.danger_siyuan(danger),
        Effect::Destructive => words.danger_asks(danger),
        _ => words.danger_typed(danger),
    };
    format!("{about}\n\n{danger}")
}

/// A sentence with names in place of its holes, which the plan fills: the parser takes `{n}` for the end of a line.
fn with_names(sentence: &str) -> String {
    let mut parts = sentence.split('{');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((name, rest)) => out.push_str(&format!("{}{rest}", name.to_ascii_uppercase())),
            None => out.push_str(part),
        }
    }
    out
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
    let words = HelpWords::here();
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(format!("shared:{name}")).long(name).action(ArgAction::SetTrue).help(help)
    };
    let all = [
        Arg::new("shared:url").long("url").value_name("URL").help(words.url()),
        Arg::new("shared:profile").long("profile").value_name("NAME").help(words.profile()),
        Arg::new("shared:token-file")
            .long("token-file")
            .value_name("FILE")
            .value_hint(ValueHint::FilePath)
            .value_parser(value_parser!(PathBuf))
            .help(words.token_file()),
        Arg::new("shared:ca-file")
            .long("ca-file")
            .value_name("PEM")
            .env("SIYUAN_MCP_CA_FILE")
            .hide_env_values(true)
            .value_hint(ValueHint::FilePath)
            .value_parser(value_parser!(PathBuf))
            .help(words.ca_file()),
        switch("json", words.json()),
        switch("ids", words.ids()),
        switch("wide", words.wide()),
        switch("header", words.header()),
        switch("yes", words.yes()),
        switch("no-permission-file", words.no_permission_file()),
        switch("debug", words.debug()),
        Arg::new("shared:color")
            .long("color")
            .value_name("WHEN")
            .value_parser(["auto", "always", "never"])
            .help(words.color()),
        Arg::new("shared:log")
            .long("log")
            .value_name("LEVEL")
            .env("SIYUAN_MCP_LOG")
            .hide_env_values(true)
            .value_parser(["error", "warn", "info", "debug", "trace"])
            .help(words.log()),
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

    #[test]
    fn serve_is_another_name_of_http() {
        let command = command();
        assert_eq!(command.find_subcommand("serve").unwrap().get_name(), "http");
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
            assert!(long.contains(&with_names(due.unwrap_or_default())), "{}", spec.path());
            let lines = format!("{}\n", action.term_width(1_000).render_long_help());
            assert!(
                due.is_none_or(|due| lines.contains(&format!("Dangerous: {} ", with_names(due)))),
                "{lines}"
            );
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

    /// A command without its tool says how it is typed.
    #[test]
    fn put_back_takes_a_run() {
        let help = command()
            .find_subcommand("put-back")
            .unwrap()
            .clone()
            .term_width(1_000)
            .render_long_help()
            .to_string();
        assert!(help.contains("Dangerous: Puts N documents back to their state before the run. "), "{help}");
        assert!(help.contains("<RUN>") && help.contains("--run <RUN>") && !help.contains("<TEXT>"), "{help}");
        assert!(help.contains("Example: siyuan-puppy put-back "), "{help}");
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
