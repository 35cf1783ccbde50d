//! `siyuan-puppy install | list | uninstall`: the entry of this program in the files of known clients (B-104).

mod entry;
mod told;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use puppy_core::clients::{Client, Reach, Way};
use puppy_core::config::HttpSettings;
use serde_json::{Value, json};

use super::environment::Given;
use super::exit::{FAILED, WRONG_USE};
use super::print::Told;
use crate::installed::{self, EntryRequest, EntryState};
use crate::{config_file, folders};
use entry::Entry;
use told::{Done, Outcome};

/// The longest name of an entry, in bytes.
const LONGEST: usize = 64;

pub(super) fn commands() -> [Command; 3] {
    let client = || {
        let ids = Client::ALL.into_iter().filter(|it| *it != Client::Other).map(Client::id);
        Arg::new("client")
            .value_name("CLIENT")
            .required(true)
            .value_parser(PossibleValuesParser::new(ids))
            .help("The client")
    };
    let dry = || {
        Arg::new("dry-run")
            .long("dry-run")
            .action(ArgAction::SetTrue)
            .help("Show what would change without writing")
    };
    let name =
        || Arg::new("name").long("name").value_name("NAME").help("Name of the entry [default: siyuan]");
    let replace = Arg::new("replace")
        .long("replace")
        .action(ArgAction::SetTrue)
        .help("Replace a different server that has this name");
    let connect = Arg::new("connect")
        .long("connect")
        .value_name("URL")
        .help("Connect the client to a running siyuan-puppy, such as http://127.0.0.1:36806/mcp");
    let token = Arg::new("mcp-token-file")
        .long("mcp-token-file")
        .value_name("FILE")
        .requires("connect")
        .value_hint(ValueHint::FilePath)
        .value_parser(value_parser!(PathBuf))
        .help("File with the token of that server");
    [
        Command::new("install")
            .about("Add this server to an AI client, or repair its entry")
            .after_help(
                "The old file is saved as .bak. --profile, --url, --token-file and --ca-file become part of the entry, the \
                 token itself never does.\n\nExample: siyuan-puppy install cursor --dry-run",
            )
            .args([client(), dry(), name(), replace, connect, token]),
        Command::new("list")
            .about("List the supported AI clients and which of them use this server")
            .after_help("Example: siyuan-puppy list --json"),
        Command::new("uninstall")
            .about("Remove this server from an AI client")
            .after_help("The old file is saved as .bak.\n\nExample: siyuan-puppy uninstall cursor --dry-run")
            .args([client(), dry(), name()]),
    ]
}

/// The list of clients.
pub(super) fn list(as_json: bool) -> Told {
    let row = |client: Client| {
        let found = installed::look(client);
        let file = installed::file_of(client).map(|it| folders::shown(&it));
        let state = if as_json { found.word() } else { words(&found) };
        json!({ "client": client.id(), "name": client.title(), "state": state, "file": file })
    };
    let rows: Vec<Value> = Client::ALL.into_iter().filter(|it| *it != Client::Other).map(row).collect();
    if as_json { Told::Json(Value::from(rows)) } else { Told::Table(rows, "There are none.") }
}

const fn words(found: &EntryState) -> &'static str {
    match found {
        EntryState::Form => "paste manually: run install",
        EntryState::NoFile => "not found",
        EntryState::Absent => "not set up",
        EntryState::Ready => "starts this program",
        EntryState::Http => "calls this program's server",
        EntryState::Stale => "its program is missing: run install",
        EntryState::Broken(_) => "its file cannot be read",
    }
}

/// Installs or uninstalls, and returns what to print.
///
/// # Errors
/// Returns the exit code and a sentence for the user; nothing was changed.
pub(super) fn run(
    is_install: bool,
    matches: &ArgMatches,
    given: &Given,
    as_json: bool,
) -> Result<Told, (u8, String)> {
    let failed = |message: String| (FAILED, message);
    let wrong = |message: String| (WRONG_USE, message);
    let id = matches.get_one::<String>("client").map_or("", String::as_str);
    let client = Client::ALL.into_iter().find(|it| it.id() == id);
    let client = client.ok_or_else(|| failed("There is no such client.".to_owned()))?;
    let name = matches.get_one::<String>("name").cloned();
    name.as_deref().map_or(Ok(()), checked_name).map_err(wrong)?;
    let entry = if is_install { Entry::new(matches, given).map_err(wrong)? } else { Entry::default() };
    let program = std::env::current_exe().map_err(|error| {
        failed(format!("The path of this program cannot be determined: {}.", error.kind()))
    })?;
    let program = program.to_string_lossy().into_owned();
    let reach = entry.reach(&program);
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
    Ok(outcome.told(&done, as_json))
}

/// A name that a client shows, and that a person can type.
fn checked_name(name: &str) -> Result<(), String> {
    let is_plain = |it: char| it.is_alphanumeric() || "-_. ".contains(it);
    if name.trim().is_empty() || name.len() > LONGEST || !name.chars().all(is_plain) {
        return Err("--name must consist of letters, digits, spaces, dots, - and _.".to_owned());
    }
    Ok(())
}

/// The manual steps for a client that has no file.
fn by_hand(client: Client, is_install: bool, reach: &Reach<'_>, as_json: bool) -> Told {
    let title = client.title();
    let url = HttpSettings::default().url();
    let way = client.ways().first().copied().unwrap_or(Way::Starts);
    let reach =
        if way == Way::Http && reach.url.is_empty() { Reach { url: &url, ..*reach } } else { reach.clone() };
    let reach = if way == Way::Http { Reach { token: "", ..reach } } else { reach };
    let snippet = is_install.then(|| client.snippet(way, &reach));
    if as_json {
        let told = json!({ "client": client.id(), "file": null, "changed": false, "written": false, "enter": snippet });
        return Told::Json(told);
    }
    let Some(snippet) = snippet else {
        return Told::Text(format!(
            "{title} does not store its servers in a file: remove siyuan in its settings under MCP servers.\n"
        ));
    };
    let how = match client {
        Client::Cherry => "Settings, MCP, Add, Import from JSON",
        _ => "its settings, MCP servers, add",
    };
    let mut text =
        format!("{title} does not store its servers in a file. Paste this there ({how}):\n\n{snippet}\n");
    if way == Way::Http {
        text.push_str("\nThe server must be running (`siyuan-puppy http`, or SiYuan with the plugin). If it has a token, send it as the header `Authorization: Bearer <token>`.\n");
    }
    Told::Text(text)
}
