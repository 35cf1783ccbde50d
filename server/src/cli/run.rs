//! Runs the command and returns its exit code.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue};
use puppy_core::find::action_named;
use puppy_core::spec::{ActionSpec, Tool};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::call::{self, Typed};
use super::environment::{KernelAccess, KernelOptions};
use super::exit::{FAILED, WRONG_USE};
use super::print::{CommandOutput, Form};
use super::screen::{self, Screen};
use super::{
    actions, agents, alone, arguments, build, completions, config, doctor, environment, errands, exit,
    health, install, kernels, manual, misuse, names, pager, pause, print, runtime, serve, skills, status,
};
use crate::doctor::Patient;
use crate::kernel::Options;
use crate::local::Local;
use crate::profiles::PromptPolicy;
use crate::words::{self, ErrorWords, Language, UsageWords};

/// The entry point of the program.
pub fn main() -> ExitCode {
    words::choose(words::of_terminal());
    match completions::answered() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        // Nobody reads what is said while a shell completes.
        Err(_) => return ExitCode::from(WRONG_USE),
    }
    let matches = match build::command().try_get_matches() {
        Ok(matches) => matches,
        Err(message) => {
            complain(&message);
            if let Some(tip) = elsewhere(&message) {
                let _ = writeln!(std::io::stderr(), "\n  {}", ErrorWords::here().tip(tip));
            }
            return ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(WRONG_USE));
        }
    };
    match run(&matches) {
        Ok(code) => ExitCode::from(code),
        Err((code, message)) => {
            let prefix = ErrorWords::here().prefix();
            let _ = writeln!(std::io::stderr(), "{prefix}{}", print::plain(&message));
            ExitCode::from(code)
        }
    }
}

/// Prints what the parser says: help, the version or an error.
fn complain(message: &clap::Error) {
    // A reader that closes the pipe early is not a failure.
    let _ = match (misuse::worded(message), misuse::help(message)) {
        (Some(text), _) => write!(std::io::stderr(), "{}", print::plain(&text)),
        (None, Some(help)) if message.use_stderr() => write!(anstream::stderr(), "{help}"),
        (None, Some(help)) => write!(anstream::stdout(), "{help}"),
        (None, None) => message.print(),
    };
}

/// The commands of other tools that have the name of an action which was typed without its tool, or with a wrong one
/// (B-092).
fn elsewhere(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let tools = Tool::ALL.into_iter().filter(|tool| action_named(*tool, typed).is_some());
    let commands: Vec<String> =
        tools.map(|tool| format!("`{} {} {typed}`", names::NAME, tool.name())).collect();
    (!commands.is_empty()).then(|| UsageWords::here().similar(commands.join(ErrorWords::here().or())))
}

/// The options accepted before the tool or after the action.
struct Shared<'a> {
    outer: &'a ArgMatches,
    inner: &'a ArgMatches,
}

impl Shared<'_> {
    fn is_set(&self, name: &str) -> bool {
        let id = format!("shared:{name}");
        let set = |matches: &ArgMatches| matches.try_get_one::<bool>(&id).ok().flatten() == Some(&true);
        set(self.inner) || set(self.outer)
    }

    fn value<T: Clone + Send + Sync + 'static>(&self, name: &str) -> Option<T> {
        let id = format!("shared:{name}");
        let value = |matches: &ArgMatches| matches.try_get_one::<T>(&id).ok().flatten().cloned();
        value(self.inner).or_else(|| value(self.outer))
    }
}

fn run(matches: &ArgMatches) -> Result<u8, (u8, String)> {
    let wrong = |message: String| (WRONG_USE, message);
    let failed = |message: String| (FAILED, message);
    let Some((name, first)) = matches.subcommand() else { return Ok(WRONG_USE) };
    let action = Tool::named(name).zip(first.subcommand());
    let below = action.map(|(_, (_, inner))| inner).or(first.subcommand().map(|(_, inner)| inner));
    let inner = below.unwrap_or(first);
    let shared = Shared { outer: matches, inner };
    // Programs read these: JSON, and what a server prints elsewhere than on a terminal.
    let is_server = matches!(name, "stdio" | "http");
    if shared.is_set("json") || (is_server && !std::io::stderr().is_terminal()) {
        words::choose(Language::English);
    }
    screen::choose_colours(shared.value::<String>("color").as_deref().unwrap_or_default());
    if let Some(help) = without_siyuan(matches, name, first) {
        let help = help.map_err(failed)?;
        let runtime = runtime::new().map_err(failed)?;
        runtime.block_on(pager::show(&Screen::out(), help));
        return Ok(0);
    }
    let level: Option<String> = shared.value("log");
    log_to_stderr(level.as_deref().unwrap_or(if shared.is_set("debug") { "debug" } else { "warn" }));
    environment::check().map_err(wrong)?;
    let kernel = KernelOptions {
        url: shared.value("url"),
        token_file: shared.value("token-file"),
        ca_file: shared.value("ca-file"),
        profile: shared.value("profile"),
    };
    if let Some(code) = own(name, first, &kernel, shared.is_set("json")) {
        return code;
    }
    // The program that prints the token must not read an agent's input from stdin.
    let asking = if name == "stdio" { PromptPolicy::Nobody } else { PromptPolicy::Person };
    let options = environment::kernel_access(&kernel).and_then(|it| it.options(asking)).map_err(wrong)?;
    if let Some(spec) = alone::action(name) {
        return act(spec, first, &shared, options);
    }
    match (name, action) {
        ("stdio" | "http", _) => serve(name, first, options).map_err(failed),
        (_, Some((tool, (action, inner)))) => {
            let spec = action_named(tool, action)
                .ok_or_else(|| wrong(ErrorWords::here().no_action(name, action)))?;
            act(spec, inner, &shared, options)
        }
        _ => Ok(WRONG_USE),
    }
}

/// Runs a server to its end.
fn serve(name: &str, matches: &ArgMatches, options: Options) -> Result<u8, String> {
    let runtime = runtime::serving()?;
    let served = runtime.block_on(async {
        match name {
            "stdio" => serve::stdio(options, matches).await,
            _ => serve::http(options, matches).await,
        }
    });
    // A thread may still block on stdin, so the shutdown does not wait for it.
    runtime.shutdown_background();
    served.map(|()| 0)
}

fn act(
    spec: &'static ActionSpec,
    matches: &ArgMatches,
    shared: &Shared<'_>,
    options: Options,
) -> Result<u8, (u8, String)> {
    let wrong = |message: String| (WRONG_USE, message);
    let failed = |message: String| (FAILED, message);
    let form = match (shared.is_set("json"), shared.is_set("ids")) {
        (true, true) => {
            return Err(wrong(ErrorWords::here().two_forms().to_owned()));
        }
        (true, false) => Form::Json,
        (false, true) => Form::Ids,
        (false, false) => Form::People,
    };
    let typed = Typed {
        spec,
        arguments: arguments::read(spec, matches).map_err(wrong)?,
        form,
        is_wide: shared.is_set("wide"),
        has_header: shared.is_set("header"),
        yes: shared.is_set("yes"),
        no_permission_file: shared.is_set("no-permission-file"),
    };
    // The person typed the paths of local files.
    let options = Options { local: Local::Anywhere, ..options };
    let runtime = runtime::new().map_err(failed)?;
    let code = runtime.block_on(call::run(options, typed)).map_err(failed);
    runtime.shutdown_background();
    code
}

/// Runs a command for people who set this up; `None` for all others.
fn own(
    name: &str,
    matches: &ArgMatches,
    kernel: &KernelOptions,
    as_json: bool,
) -> Option<Result<u8, (u8, String)>> {
    let wrong = |message: String| (WRONG_USE, message);
    let failed = |message: String| (FAILED, message);
    let access = || environment::kernel_access(kernel).map_err(wrong);
    let done = |output: CommandOutput| {
        output.print();
        0
    };
    let is_show = matches.subcommand_name() == Some("show");
    Some(match name {
        "list" => Ok(done(install::list(as_json))),
        "install" | "uninstall" => install::run(name == "install", matches, kernel, as_json).map(done),
        "config" if is_show => access().map(|it| done(config::show(&it, as_json))),
        "config" => config::run(matches, kernel.named().as_deref(), as_json).map(done),
        "kernels" => {
            let used = environment::kernel_access(kernel).map(|it| it.address).ok();
            waited(kernels::list(used.as_ref(), as_json)).and_then(|it| it).map(done).map_err(failed)
        }
        "doctor" | "status" => {
            let patient = environment::kernel_access(kernel).and_then(|it| patient(&it));
            let output = match name {
                "doctor" => waited(doctor::run(patient, as_json)),
                _ => waited(status::run(patient, as_json)),
            };
            output.map_err(failed).map(|(output, code)| {
                output.print();
                code
            })
        }
        "agents" => access().and_then(|it| named_agents(&it, matches, as_json)).map(done),
        "errands" => access().and_then(|it| standing_errands(&it, matches, as_json)).map(done),
        "pause" | "resume" => access().and_then(|it| switch(&it, name == "pause", as_json)),
        _ => return None,
    })
}

/// The kernel that `doctor` looks at.
fn patient(access: &KernelAccess) -> Result<Patient, String> {
    Ok(Patient {
        options: access.options(PromptPolicy::Person)?,
        address_from: access.address_from.words(),
        token_from: access.token_from(),
    })
}

/// Lists or ends active errands.
fn standing_errands(
    access: &KernelAccess,
    matches: &ArgMatches,
    as_json: bool,
) -> Result<CommandOutput, (u8, String)> {
    let options = access.options(PromptPolicy::Person).map_err(|message| (WRONG_USE, message))?;
    let ran = waited(errands::run(options, matches, as_json)).and_then(|it| it);
    ran.map_err(|message| (FAILED, message))
}

/// Lists or changes the agents that a person has named.
fn named_agents(
    access: &KernelAccess,
    matches: &ArgMatches,
    as_json: bool,
) -> Result<CommandOutput, (u8, String)> {
    let options = access.options(PromptPolicy::Person).map_err(|message| (WRONG_USE, message))?;
    let ran = waited(agents::run(options, matches, as_json)).and_then(|it| it);
    ran.map_err(|message| (FAILED, message))
}

/// Pauses or resumes.
fn switch(access: &KernelAccess, is_pause: bool, as_json: bool) -> Result<u8, (u8, String)> {
    let options = access.options(PromptPolicy::Person).map_err(|message| (WRONG_USE, message))?;
    let set = waited(pause::set(options, is_pause)).map_err(|message| (FAILED, message))?;
    Ok(match set {
        Ok(settings) => {
            let (output, is_done) = pause::outcome(access, is_pause, settings.is_paused(), as_json);
            output.print();
            if is_done { 0 } else { FAILED }
        }
        Err(error) => {
            print::error(&error, if as_json { Form::Json } else { Form::People }, None);
            exit::code(&error)
        }
    })
}

/// Runs something to its end.
fn waited<T>(work: impl Future<Output = T>) -> Result<T, String> {
    let runtime = runtime::new()?;
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    Ok(done)
}

/// The answer of a command that needs no SiYuan; `None` for all others.
fn without_siyuan(outer: &ArgMatches, name: &str, inner: &ArgMatches) -> Option<Result<String, String>> {
    let folder = |matches: &ArgMatches| matches.get_one("dir").cloned().unwrap_or_else(PathBuf::new);
    let is_json = Shared { outer, inner }.is_set("json");
    Some(match (name, inner.subcommand()) {
        ("skills", Some((_, export))) => skills::export(&folder(export)),
        ("health", _) => health::ask(inner),
        ("man", _) => manual::write(&folder(inner)),
        ("actions", _) => Ok(format!("{}\n", actions::list(is_json, Screen::out().width))),
        ("completions", _) => {
            let shell: Option<&String> = inner.get_one("shell");
            completions::script(shell.map_or("", String::as_str)).map_err(|error| error.to_string())
        }
        _ => return None,
    })
}

/// Logs go to stderr: stdout is reserved for JSON-RPC or for the result (B-146).
fn log_to_stderr(level: &str) {
    let ours: LevelFilter = level.parse().unwrap_or(LevelFilter::WARN);
    // Libraries log warnings only, because their other messages could contain note text. The protocol library reports a
    // client that merely disconnects as an error, which is no news to a person.
    let protocol = if ours >= LevelFilter::DEBUG { LevelFilter::ERROR } else { LevelFilter::OFF };
    let levels = Targets::new()
        .with_default(LevelFilter::ERROR)
        .with_target(crate::mcp::LIBRARY, protocol)
        .with_target("puppy_server", ours);
    let lines =
        tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_target(false).without_time();
    let _ = tracing_subscriber::registry().with(lines.with_ansi(false)).with(levels).try_init();
}
