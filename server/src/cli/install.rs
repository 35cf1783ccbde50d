//! `siyuan-puppy install | list | uninstall`: the entry of this program in the files of known clients (B-104).

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use puppy_core::clients::{Client, Reach, Way};
use puppy_core::config::HttpSettings;
use puppy_core::render::visible;
use serde_json::{Value, json};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::environment::Given;
use super::people::listed;
use crate::config_file::{self, Edited};
use crate::folders;
use crate::installed::{self, Found, Wish};

/// The longest line of a difference that is shown: a file in one line holds other servers' secrets.
const WIDEST: usize = 200;

/// The commands.
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
            .help("Show what would change, and write nothing")
    };
    let name =
        || Arg::new("name").long("name").value_name("NAME").help("The name of the entry [default: siyuan]");
    let replace = Arg::new("replace")
        .long("replace")
        .action(ArgAction::SetTrue)
        .help("Replace another server that has this name");
    let connect = Arg::new("connect")
        .long("connect")
        .value_name("URL")
        .help("Lead the client to the siyuan-puppy that listens there, such as http://127.0.0.1:36806/mcp");
    let token = Arg::new("mcp-token-file")
        .long("mcp-token-file")
        .value_name("FILE")
        .requires("connect")
        .value_hint(ValueHint::FilePath)
        .value_parser(value_parser!(PathBuf))
        .help("File that holds the token of that server");
    [
        Command::new("install")
            .about("Tell an AI client of this program, or mend what it was told")
            .after_help(
                "The old file is kept beside the new one. --profile, --url, --token-file and --ca-file become part of the \
                 entry; the token itself never does.\n\nExample: siyuan-puppy install cursor --dry-run",
            )
            .args([client(), dry(), name(), replace, connect, token]),
        Command::new("list")
            .about("List the AI clients that can be told, and which of them start this program")
            .after_help("Example: siyuan-puppy list --json"),
        Command::new("uninstall")
            .about("Take this program out of an AI client's file")
            .after_help("The old file is kept beside the new one.\n\nExample: siyuan-puppy uninstall cursor --dry-run")
            .args([client(), dry(), name()]),
    ]
}

/// The list of clients.
pub(super) fn list(as_json: bool) -> String {
    let row = |client: Client| {
        let found = installed::look(client);
        let file = installed::file_of(client).map(|it| folders::shown(&it));
        let state = if as_json { found.word().to_owned() } else { words(&found) };
        json!({ "client": client.id(), "name": client.title(), "state": state, "file": file })
    };
    let rows: Vec<Value> = Client::ALL.into_iter().filter(|it| *it != Client::Other).map(row).collect();
    if as_json { format!("{}\n", Value::from(rows)) } else { listed(&rows).unwrap_or_default() }
}

fn words(found: &Found) -> String {
    match found {
        Found::Form => "told in a form: see install",
        Found::NoFile => "not here, or knows no servers",
        Found::Absent => "not told",
        Found::Ready => "starts this program",
        Found::Stale => "its program is gone: install mends it",
        Found::Broken(_) => "its file cannot be read",
    }
    .to_owned()
}

/// Installs or uninstalls, and returns what to print.
///
/// # Errors
/// Returns a sentence for the user; nothing was changed.
pub(super) fn run(is_install: bool, matches: &ArgMatches, given: &Given) -> Result<String, String> {
    let id = matches.get_one::<String>("client").map_or("", String::as_str);
    let client = Client::ALL.into_iter().find(|it| it.id() == id).ok_or("There is no such client.")?;
    let is_dry = matches.get_flag("dry-run");
    let name = matches.get_one::<String>("name").cloned();
    let program = std::env::current_exe()
        .map_err(|error| format!("This program does not know its place: {}.", error.kind()))?;
    let program = program.to_string_lossy().into_owned();
    let entry = Entry::new(matches, given, is_install)?;
    let reach = entry.reach(&program);
    let Some(path) = installed::file_of(client) else { return Ok(by_hand(client, is_install, &reach)) };
    let _turn = config_file::turn();
    let edited = if is_install {
        let wish = Wish { name, replaces: matches.get_flag("replace"), has_options: entry.has_options() };
        installed::install(client, &path, &reach, &wish)?
    } else {
        installed::uninstall(client, &path, name.as_deref())?
    };
    let shown = folders::shown(&path);
    if edited.is_same() {
        let as_is = if is_install { "has the entry already" } else { "has no entry of this program" };
        return Ok(format!("✓ {}: {shown} {as_is}. Nothing was changed.\n", client.title()));
    }
    let through = if edited.place() == path {
        String::new()
    } else {
        format!(" (a link to {})", folders::shown(edited.place()))
    };
    if is_dry {
        return Ok(format!(
            "{shown}{through} would change:\n{}\nNothing was changed.\n",
            difference(&edited)
        ));
    }
    let kept = edited.write()?;
    let mut text = format!("✓ {}: {shown}{through} is written.\n", client.title());
    if let Some(kept) = kept {
        text.push_str(&format!("  The old content is in {}.\n", folders::shown(&kept)));
    }
    text.push_str(&format!("  Start {} again, and ask it: List my notebooks.\n", client.title()));
    if is_install && entry.lacks_token() {
        text.push_str(
            "  It is not told where SiYuan's token is: `siyuan-puppy config set url` and `token-file` tell it, or --token-file here.\n",
        );
    }
    Ok(text)
}

/// The options that become part of an entry.
#[derive(Debug, Default)]
struct Entry {
    options: Vec<String>,
    connect: Option<String>,
    token_file: Option<String>,
    certificate: Option<String>,
    has_profile: bool,
}

impl Entry {
    fn new(matches: &ArgMatches, given: &Given, is_install: bool) -> Result<Entry, String> {
        if !is_install {
            return Ok(Entry::default());
        }
        let whole = |path: &Path| -> Result<String, String> {
            let path = std::path::absolute(path)
                .map_err(|error| format!("This path cannot be used: {}.", error.kind()))?;
            if path.is_file() {
                Ok(path.to_string_lossy().into_owned())
            } else {
                Err(format!("There is no file {}.", folders::shown(&path)))
            }
        };
        let mut options = Vec::new();
        let mut option = |name: &str, value: Option<String>| {
            options.extend(value.into_iter().flat_map(|it| [format!("--{name}"), it]));
        };
        let certificate = given.ca_file.as_deref().map(whole).transpose()?;
        let profiles = crate::profiles::Profiles::read();
        if let Some(name) = &given.profile {
            profiles.as_ref().map_err(Clone::clone)?.named(name)?;
        }
        option("profile", given.profile.clone());
        option("url", given.url.clone());
        option("token-file", given.token_file.as_deref().map(whole).transpose()?);
        option("ca-file", certificate.clone());
        let token_file = matches.get_one::<PathBuf>("mcp-token-file").map(|it| whole(it)).transpose()?;
        let has_profile = given.profile.is_some() || profiles.is_ok_and(|it| it.current.is_some());
        Ok(Entry {
            options,
            connect: matches.get_one("connect").cloned(),
            token_file,
            certificate,
            has_profile,
        })
    }

    fn reach<'a>(&'a self, program: &'a str) -> Reach<'a> {
        let token_file = self.token_file.as_deref().unwrap_or_default();
        Reach {
            program,
            url: self.connect.as_deref().unwrap_or_default(),
            // Whether there is one is all that an entry says of it.
            token: token_file,
            token_file,
            certificate: self.certificate.as_deref().unwrap_or_default(),
            is_bridge: self.connect.is_some(),
            options: &self.options,
        }
    }

    const fn has_options(&self) -> bool {
        self.connect.is_some() || !self.options.is_empty()
    }

    fn lacks_token(&self) -> bool {
        self.connect.is_none() && !self.has_profile && !self.options.iter().any(|it| it == "--token-file")
    }
}

/// What a person does where a client has no file.
fn by_hand(client: Client, is_install: bool, reach: &Reach<'_>) -> String {
    let title = client.title();
    if !is_install {
        return format!(
            "{title} keeps its servers in no file: remove siyuan in its settings, MCP servers.\n"
        );
    }
    let url = HttpSettings::default().url();
    let way = client.ways().first().copied().unwrap_or(Way::Starts);
    let reach =
        if way == Way::Http && reach.url.is_empty() { Reach { url: &url, ..*reach } } else { reach.clone() };
    let reach = if way == Way::Http { Reach { token: "", ..reach } } else { reach };
    let how = match client {
        Client::Cherry => "Settings, MCP, Add, Import from JSON",
        _ => "its settings, MCP servers, add",
    };
    let mut text = format!(
        "{title} keeps its servers in no file. Enter this there ({how}):\n\n{}\n",
        client.snippet(way, &reach)
    );
    if way == Way::Http {
        text.push_str("\nThe server must run (`siyuan-puppy http`, or SiYuan with the plugin), and its token is the header `Authorization: Bearer <token>`.\n");
    }
    text
}

/// The lines that change. The lines around them are not shown, because they may hold other servers' secrets.
fn difference(edited: &Edited) -> String {
    let (old, new) = edited.texts();
    let [old, new] = [old, new].map(|text| text.lines().collect::<Vec<&str>>());
    let mut text = String::new();
    for change in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if change.tag() == DiffTag::Equal {
            continue;
        }
        let gone = old.get(change.old_range()).unwrap_or_default().iter().map(|line| ('-', line));
        let come = new.get(change.new_range()).unwrap_or_default().iter().map(|line| ('+', line));
        for (sign, line) in gone.chain(come) {
            let is_long = line.chars().count() > WIDEST;
            let line = if is_long { "(a long line)".into() } else { visible::shown(line) };
            text.push_str(&format!("{sign} {line}\n"));
        }
    }
    text
}
