//! `siyuan-puppy install | list | uninstall`: the entry of this program in the files of known clients (B-104).

mod chatgpt;
mod entry;
mod report;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use puppy_core::clients::{Client, ClientTransport, SnippetValues};
use puppy_core::config::HttpSettings;
use serde_json::{Value, json};

use super::environment::KernelOptions;
use super::exit::{FAILED, WRONG_USE};
use super::print::CommandOutput;
use crate::installed::{self, EntryRequest, EntryState};
use crate::words::{HelpWords, SetupWords};
use crate::{config_file, folders};
use entry::Entry;
use report::{Done, Outcome};

/// The longest name of an entry, in bytes.
const LONGEST: usize = 64;

pub(super) fn commands() -> [Command; 3] {
    let words = HelpWords::here();
    let client = |more: Option<&'static str>| {
        let ids = Client::ALL.into_iter().filter(|it| *it != Client::Other).map(Client::id).chain(more);
        Arg::new("client")
            .value_name("CLIENT")
            .required(true)
            .value_parser(PossibleValuesParser::new(ids))
            .help(words.client())
    };
    let dry = || Arg::new("dry-run").long("dry-run").action(ArgAction::SetTrue).help(words.dry_run());
    let name = || Arg::new("name").long("name").value_name("NAME").help(words.entry_name());
    let replace = Arg::new("replace").long("replace").action(ArgAction::SetTrue).help(words.replace_server());
    let connect = Arg::new("connect").long("connect").value_name("URL").help(words.connect_client());
    let token = Arg::new("mcp-token-file")
        .long("mcp-token-file")
        .value_name("FILE")
        .requires("connect")
        .value_hint(ValueHint::FilePath)
        .value_parser(value_parser!(PathBuf))
        .help(words.connect_token());
    let after = |more: &str, command: &str| format!("{more}\n\n{}", words.example(command));
    [
        Command::new("install")
            .about(words.install())
            .after_help(after(words.install_more(), "siyuan-puppy install cursor --dry-run"))
            .args([client(Some(chatgpt::ID)), dry(), name(), replace, connect, token]),
        Command::new("list").about(words.list()).after_help(words.example("siyuan-puppy list --json")),
        Command::new("uninstall")
            .about(words.uninstall())
            .after_help(after(words.uninstall_more(), "siyuan-puppy uninstall cursor --dry-run"))
            .args([client(None), dry(), name()]),
    ]
}

/// The list of clients.
pub(super) fn list(as_json: bool) -> CommandOutput {
    let row = |client: Client| {
        let found = installed::look(client);
        let file = installed::file_of(client).map(|it| folders::shown(&it));
        let state = if as_json { found.word() } else { words(&found) };
        json!({ "client": client.id(), "name": client.title(), "state": state, "file": file })
    };
    let rows: Vec<Value> = Client::ALL.into_iter().filter(|it| *it != Client::Other).map(row).collect();
    if as_json {
        CommandOutput::Json(Value::from(rows))
    } else {
        CommandOutput::Table(rows, SetupWords::here().no_clients())
    }
}

fn words(found: &EntryState) -> &'static str {
    let words = SetupWords::here();
    match found {
        EntryState::Form => words.paste(),
        EntryState::NoFile => words.not_here(),
        EntryState::Absent => words.not_set_up(),
        EntryState::Ready => words.starts(),
        EntryState::Http => words.calls(),
        EntryState::Stale => words.stale(),
        EntryState::Broken(_) => words.broken(),
    }
}

/// Installs or uninstalls, and returns what to print.
///
/// # Errors
/// Returns the exit code and a sentence for the user; nothing was changed.
pub(super) fn run(
    is_install: bool,
    matches: &ArgMatches,
    kernel: &KernelOptions,
    as_json: bool,
) -> Result<CommandOutput, (u8, String)> {
    let failed = |message: String| (FAILED, message);
    let wrong = |message: String| (WRONG_USE, message);
    let id = matches.get_one::<String>("client").map_or("", String::as_str);
    let client = Client::ALL.into_iter().find(|it| it.id() == id);
    let name = matches.get_one::<String>("name").cloned();
    name.as_deref().map_or(Ok(()), checked_name).map_err(wrong)?;
    let entry = if is_install { Entry::new(matches, kernel).map_err(wrong)? } else { Entry::default() };
    let program =
        std::env::current_exe().map_err(|error| failed(SetupWords::here().no_own_path(error.kind())))?;
    let program = program.to_string_lossy().into_owned();
    let reach = entry.reach(&program);
    if is_install && id == chatgpt::ID {
        return Ok(chatgpt::steps(&reach, as_json));
    }
    let client = client.ok_or_else(|| failed(SetupWords::here().no_client().to_owned()))?;
    let Some(path) = installed::file_of(client) else {
        return Ok(by_hand(client, is_install, &reach, as_json));
    };
    let is_dry = matches.get_flag("dry-run");
    let _turn = if is_dry { None } else { config_file::turn().map_err(failed)? };
    let plan = if is_install {
        let wish =
            EntryRequest { name, replaces: matches.get_flag("replace"), has_options: entry.has_options() };
        installed::install(client, &path, &reach, &wish)
    } else {
        installed::uninstall(client, &path, name.as_deref())
    };
    let plan = plan.map_err(failed)?;
    let outcome = Outcome::new(client, &path, is_install, &plan);
    let done = if is_dry || plan.edited.is_same() {
        Done::Nothing { is_dry }
    } else {
        Done::Written(plan.edited.write().map_err(failed)?)
    };
    Ok(outcome.to_output(&done, as_json))
}

/// A name that a client shows, and that a person can type.
fn checked_name(name: &str) -> Result<(), String> {
    let is_plain = |it: char| it.is_alphanumeric() || "-_. ".contains(it);
    if name.trim().is_empty() || name.len() > LONGEST || !name.chars().all(is_plain) {
        return Err(SetupWords::here().entry_name().to_owned());
    }
    Ok(())
}

/// The manual steps for a client that has no file.
fn by_hand(client: Client, is_install: bool, reach: &SnippetValues<'_>, as_json: bool) -> CommandOutput {
    let (title, words) = (client.title(), SetupWords::here());
    let url = HttpSettings::default().url();
    let way = client.ways().first().copied().unwrap_or(ClientTransport::Starts);
    let reach = if way == ClientTransport::Http && reach.url.is_empty() {
        SnippetValues { url: &url, ..*reach }
    } else {
        reach.clone()
    };
    let reach = if way == ClientTransport::Http { SnippetValues { token: "", ..reach } } else { reach };
    let snippet = is_install.then(|| client.snippet(way, &reach));
    if as_json {
        let data = json!({ "client": client.id(), "file": null, "changed": false, "written": false, "enter": snippet });
        return CommandOutput::Json(data);
    }
    let Some(snippet) = snippet else {
        return CommandOutput::Text(words.remove_by_hand(title) + "\n");
    };
    let place = match client {
        Client::Cherry => words.cherry(),
        _ => words.elsewhere(),
    };
    let mut text = format!("{}\n\n{snippet}\n", words.paste_there(title, place));
    if way == ClientTransport::Http {
        text.push_str(&format!("\n{}\n", words.must_run()));
    }
    CommandOutput::Text(text)
}
