//! The clients of this user on this machine: whether the file of each names this program, and how it gets the entry.

mod runner;

use std::path::{Path, PathBuf};

use axum::http::Uri;
use puppy_core::clients::{Client, ClientTransport, NAME, SnippetValues};
use puppy_core::config::PORT;
use serde_json::{Map, Value};

use crate::config_file::{self, ConfigFile, FileEdit};
use crate::words::FileWords;
use crate::{discover, folders};
pub(crate) use runner::PackageRunner;

/// The keys by which entries say how a server is reached; all others are the person's.
const REACHED_BY: [&str; 9] =
    ["type", "command", "args", "url", "httpUrl", "serverUrl", "headers", "source", "bearer_token_env_var"];
/// The first argument of the program in every entry.
const STDIO: &str = "stdio";
/// The beginning of the names of our program.
const PROGRAM: &str = "siyuan-puppy";

/// The state of this program's entry in the file of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EntryState {
    /// The client has no file: it is configured in a form.
    Form,
    /// There is no file: the client is not here, or knows no servers yet.
    NoFile,
    /// No entry is ours.
    Absent,
    /// An entry is ours, and its program is there.
    Ready,
    /// An entry is ours, and calls our server at its usual address.
    Http,
    /// An entry is ours, but its program is not there any more.
    Stale,
    /// The file cannot be used.
    Broken(String),
}

impl EntryState {
    /// The word for programs.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            EntryState::Form => "form",
            EntryState::NoFile => "no_file",
            EntryState::Absent => "absent",
            EntryState::Ready => "ready",
            EntryState::Http => "http",
            EntryState::Stale => "stale",
            EntryState::Broken(_) => "broken",
        }
    }
}

/// The file of a client; `None` where it has none or this user has no home folder.
pub(crate) fn file_of(client: Client) -> Option<PathBuf> {
    let usual = folders::expanded(client.own_file(folders::platform()))?;
    let moved = client.folder_variable().and_then(std::env::var_os).map(PathBuf::from);
    let path = match (moved.filter(|it| it.is_absolute()), usual.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => usual,
    };
    // opencode reads the same file under a second name.
    let commented = path.with_extension("jsonc");
    Some(if client == Client::OpenCode && !path.exists() && commented.exists() { commented } else { path })
}

/// Looks at the file of a client.
pub(crate) fn look(client: Client) -> EntryState {
    let Some(path) = file_of(client) else { return EntryState::Form };
    let file = match ConfigFile::open(&path) {
        Ok(file) => file,
        Err(why) => return EntryState::Broken(why),
    };
    let Some((_, entry)) = ours(client, file.values()).next() else {
        return if file.exists() { EntryState::Absent } else { EntryState::NoFile };
    };
    match program(entry).map(Path::new) {
        None => EntryState::Http,
        Some(program) if program.is_absolute() && !program.exists() => EntryState::Stale,
        Some(_) => EntryState::Ready,
    }
}

/// The wish of a person for the entry.
#[derive(Debug, Clone, Default)]
pub(crate) struct EntryRequest {
    /// The name of the entry, if a person chose one.
    pub(crate) name: Option<String>,
    /// Whether another server under this name is replaced.
    pub(crate) replaces: bool,
    /// Whether options were given; an older entry keeps its own otherwise.
    pub(crate) has_options: bool,
}

/// A change of a client's file that is not written yet.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) edited: FileEdit,
    /// The names of the entries that it is about.
    names: Vec<String>,
}

/// An entry before and after.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EntryChange<'a> {
    pub(crate) name: &'a str,
    /// Its old value; `None` if it is added.
    pub(crate) old: Option<&'a Value>,
    /// Its new value; `None` if it is removed.
    pub(crate) new: Option<&'a Value>,
    /// Whether it was ours before.
    pub(crate) was_ours: bool,
}

impl Plan {
    /// The entries that the plan is about.
    pub(crate) fn entries(&self, client: Client) -> Vec<EntryChange<'_>> {
        let (old, new) = self.edited.values();
        let each = |name: &'_ str| {
            let [old, new] = [old, new].map(|it| config_file::get(it, &[client.key(), name]));
            (old, new, old.is_some_and(|it| is_ours(name, it)))
        };
        self.names
            .iter()
            .map(|name| {
                let (old, new, was_ours) = each(name);
                EntryChange { name, old, new, was_ours }
            })
            .collect()
    }
}

/// Whether an entry says where SiYuan's token is; `None` if it leaves that to the current profile.
pub(crate) fn names_token(entry: &Value) -> Option<bool> {
    let lists = ["args", "command"].into_iter().filter_map(|key| entry.get(key)?.as_array());
    let words: Vec<&str> = lists.flatten().filter_map(Value::as_str).collect();
    let has = |option: &str| words.iter().any(|it| it.split('=').next() == Some(option));
    let mut sets = ["env", "environment"].into_iter().filter_map(|key| entry.get(key)?.as_object());
    let by_variable = sets.any(|it| it.contains_key("SIYUAN_TOKEN") || it.contains_key("SIYUAN_PROFILE"));
    if by_variable || ["--token-file", "--profile", "--connect"].into_iter().any(has) {
        return Some(true);
    }
    has("--url").then_some(false)
}

/// Adds the entry to a client's file, or mends an older one of ours.
///
/// # Errors
/// Returns a sentence for the user.
pub(crate) fn install(
    client: Client,
    path: &Path,
    reach: &SnippetValues<'_>,
    wish: &EntryRequest,
) -> Result<Plan, String> {
    let file = usable(path)?;
    let name = match &wish.name {
        Some(name) => name.clone(),
        None => {
            ours(client, file.values()).next().map_or_else(|| NAME.to_owned(), |(name, _)| name.to_owned())
        }
    };
    let old = config_file::get(file.values(), &[client.key(), &name]).cloned();
    if let Some(old) = &old
        && !is_ours(&name, old)
        && !wish.replaces
    {
        return Err(FileWords::here().name_taken(folders::shown(path), name));
    }
    let entry = client.entry(ClientTransport::Starts, reach);
    let Some(Value::Object(mut entry)) = entry else {
        return Err(FileWords::here().no_client_file().to_owned());
    };
    if let Some(runner) = PackageRunner::of(Path::new(reach.program)) {
        runner.apply(&mut entry, folders::platform());
    }
    let edits = match old {
        Some(Value::Object(old)) if is_ours(&name, &Value::Object(old.clone())) => {
            if !wish.has_options {
                keep_options(&mut entry, &old);
            }
            mended(client, &name, &old, entry)
        }
        _ => vec![(vec![client.key().to_owned(), name.clone()], Some(Value::Object(entry)))],
    };
    Ok(Plan { edited: file.edit(&edits)?, names: vec![name] })
}

/// The file of a client, to be changed.
fn usable(path: &Path) -> Result<ConfigFile, String> {
    ConfigFile::open(path).map_err(|why| FileWords::here().fix_first(why))
}

/// Removes our entries from a client's file, or the one of a name.
///
/// # Errors
/// Returns a sentence for the user.
pub(crate) fn uninstall(client: Client, path: &Path, name: Option<&str>) -> Result<Plan, String> {
    let file = usable(path)?;
    let names: Vec<String> = ours(client, file.values())
        .map(|(name, _)| name.to_owned())
        .filter(|it| name.is_none_or(|name| name == it))
        .collect();
    let edits: Vec<(Vec<&str>, Option<Value>)> =
        names.iter().map(|name| (vec![client.key(), name.as_str()], None)).collect();
    Ok(Plan { edited: file.edit(&edits)?, names })
}

/// Our entries, the one with the usual name first.
fn ours(client: Client, values: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let all = values.get(client.key()).and_then(Value::as_object).into_iter().flatten();
    let mut all: Vec<(&str, &Value)> = all
        .map(|(name, entry)| (name.as_str(), entry))
        .filter(|(name, entry)| is_ours(name, entry))
        .collect();
    all.sort_by_key(|(name, _)| *name != NAME);
    all.into_iter()
}

/// Whether an entry starts this program, or calls it under the usual name at the usual address. Any other server on this
/// machine may have that name, too.
fn is_ours(name: &str, entry: &Value) -> bool {
    let file_name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    if entry.as_object().is_some_and(runner::is_line) {
        return true;
    }
    if let Some(program) = program(entry) {
        let name = file_name(program);
        return name.strip_suffix(".exe").unwrap_or(&name).starts_with(PROGRAM);
    }
    let url = ["url", "httpUrl", "serverUrl"].into_iter().find_map(|key| entry.get(key)?.as_str());
    let is_usual = |it: Uri| {
        let is_here = matches!(it.host(), Some("127.0.0.1" | "localhost" | "[::1]"));
        is_here && it.port_u16() == Some(PORT) && it.path() == "/mcp"
    };
    name == NAME && url.and_then(discover::parsed).is_some_and(is_usual)
}

/// The program that an entry starts.
fn program(entry: &Value) -> Option<&str> {
    match entry.get("command")? {
        Value::String(program) => Some(program),
        Value::Array(words) => words.first()?.as_str(),
        _ => None,
    }
}

/// Lets a new entry have the options of an old one, whose program alone is out of date.
fn keep_options(new: &mut Map<String, Value>, old: &Map<String, Value>) {
    let options = |words: &[Value]| words.iter().position(|it| it.as_str() == Some(STDIO)).map(|at| at + 1);
    for key in ["args", "command"] {
        if let (Some(Value::Array(new)), Some(Value::Array(old))) = (new.get_mut(key), old.get(key))
            && let (Some(from), Some(kept)) = (options(new), options(old).and_then(|at| old.get(at..)))
        {
            new.truncate(from);
            new.extend_from_slice(kept);
        }
    }
}

/// The edits that turn an old entry into a new one: the rest of it is the person's and stays.
fn mended(
    client: Client,
    name: &str,
    old: &Map<String, Value>,
    new: Map<String, Value>,
) -> Vec<(Vec<String>, Option<Value>)> {
    let keys = |key: &str| vec![client.key().to_owned(), name.to_owned(), key.to_owned()];
    let gone = REACHED_BY.iter().filter(|key| old.contains_key(**key) && !new.contains_key(**key));
    let is_harmless = |key: &str| {
        key == "type" && old.get(key).and_then(Value::as_str) == Some(STDIO)
            || key == "source" && old.get(key).and_then(Value::as_str) == Some("custom")
    };
    let mut edits: Vec<_> = gone.filter(|key| !is_harmless(key)).map(|key| (keys(key), None)).collect();
    // Whether the server is switched on is the person's choice.
    let differs = |(key, value): &(String, Value)| {
        old.get(key) != Some(value) && !(key == "enabled" && old.contains_key(key))
    };
    edits.extend(new.into_iter().filter(differs).map(|(key, value)| (keys(&key), Some(value))));
    edits
}

#[cfg(test)]
mod tests;
