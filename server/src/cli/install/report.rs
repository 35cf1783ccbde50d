//! The output of `install` and `uninstall`: the keys that change, and a person's next steps.
//!
//! Values of other servers are never shown, and of an entry only those that this program writes: anything else may be
//! a secret.

use std::path::{Path, PathBuf};

use puppy_core::clients::Client;
use serde_json::{Map, Value, json};

use crate::cli::print::CommandOutput;
use crate::folders;
use crate::installed::{EntryChange, Plan, names_token};
use crate::profiles::Profiles;
use crate::words::SetupWords;

/// The keys of an entry whose values may be shown.
const SHOWN: [&str; 5] = ["type", "command", "args", "enabled", "source"];
/// The replacement for other values.
const HIDDEN: &str = "(hidden)";

/// The result of applying a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Done {
    /// The file is as it was.
    Nothing {
        /// Because that was the wish.
        is_dry: bool,
    },
    /// It is written, and the old content is in another file, if there was any.
    Written(Option<PathBuf>),
}

/// The report about a plan.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outcome {
    client: Client,
    file: String,
    is_install: bool,
    is_same: bool,
    lines: Vec<Line>,
    needs_token: bool,
}

/// A key whose value changes.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    key: String,
    old: Option<Value>,
    new: Option<Value>,
}

impl Outcome {
    pub(super) fn new(client: Client, path: &Path, is_install: bool, plan: &Plan) -> Outcome {
        let mut file = folders::shown(path);
        if plan.edited.place() != path {
            file = SetupWords::here().link(file, folders::shown(plan.edited.place()));
        }
        let entries = plan.entries(client);
        let needs_token = |it: &EntryChange<'_>| it.new.is_some_and(|entry| !has_token_source(entry));
        Outcome {
            client,
            file,
            is_install,
            is_same: plan.edited.is_same(),
            lines: entries.iter().flat_map(|it| lines(client, it)).collect(),
            needs_token: entries.iter().any(needs_token),
        }
    }

    pub(super) fn to_output(&self, done: &Done, as_json: bool) -> CommandOutput {
        if as_json {
            CommandOutput::Json(self.for_programs(done))
        } else {
            CommandOutput::Text(self.for_people(done))
        }
    }

    fn for_programs(&self, done: &Done) -> Value {
        let kept = match done {
            Done::Written(kept) => kept.as_deref().map(folders::shown),
            Done::Nothing { .. } => None,
        };
        let line = |it: &Line| json!({ "key": it.key, "old": it.old, "new": it.new });
        json!({
            "client": self.client.id(),
            "file": self.file,
            "changed": !self.is_same,
            "written": matches!(done, Done::Written(_)),
            "kept": kept,
            "changes": self.lines.iter().map(line).collect::<Vec<Value>>(),
            "needs_token": self.needs_token,
        })
    }

    fn for_people(&self, done: &Done) -> String {
        let (title, file, words) = (self.client.title(), &self.file, SetupWords::here());
        let mut text = match done {
            Done::Nothing { .. } if self.is_same && self.is_install => {
                format!("✓ {}\n", words.same_entry(title, file))
            }
            Done::Nothing { .. } if self.is_same => {
                format!("✓ {}\n", words.no_entry(title, file))
            }
            Done::Nothing { .. } => {
                format!("{}\n{}{}\n", words.would_change(file), self.changes(), words.nothing_changed())
            }
            Done::Written(kept) => {
                let old = kept.as_deref().map(|it| format!("  {}\n", words.kept(folders::shown(it))));
                let next = if self.is_install { words.restart_ask(title) } else { words.restart(title) };
                format!("✓ {}\n{}  {next}\n", words.updated(title, file), old.unwrap_or_default())
            }
        };
        if self.needs_token {
            text.push_str(&format!("  {}\n", words.store_token()));
        }
        text
    }

    fn changes(&self) -> String {
        let sided = |sign: char, key: &str, value: &Option<Value>| {
            value.as_ref().map(|it| match it {
                Value::String(text) if text == HIDDEN => {
                    format!("{sign} {key} = {}\n", SetupWords::here().hidden())
                }
                value => format!("{sign} {key} = {value}\n"),
            })
        };
        let both = |it: &Line| [sided('-', &it.key, &it.old), sided('+', &it.key, &it.new)];
        self.lines.iter().flat_map(both).flatten().collect()
    }
}

/// Whether an entry leads to a token: by itself, or through the current profile.
fn has_token_source(entry: &Value) -> bool {
    let by_profile = || {
        let profiles = Profiles::read().ok()?;
        profiles.profiles.get(profiles.current.as_ref()?)?.token.clone()
    };
    names_token(entry).unwrap_or_else(|| by_profile().is_some())
}

/// The keys that differ.
fn lines(client: Client, entry: &EntryChange<'_>) -> Vec<Line> {
    let at = format!("{}.{}", client.key(), entry.name);
    let [old, new] = [entry.old, entry.new].map(|it| {
        let mut leaves = Map::new();
        it.into_iter().for_each(|it| flatten("", it, &mut leaves));
        leaves
    });
    let fresh = new.keys().filter(|key| !old.contains_key(*key));
    let keys = old.keys().chain(fresh).filter(|key| old.get(*key) != new.get(*key));
    let shown = |key: &str, value: Option<&Value>, is_ours: bool| {
        let is_plain = is_ours && SHOWN.contains(&key.split('.').nth(1).unwrap_or_default());
        value.map(|it| if is_plain { it.clone() } else { json!(HIDDEN) })
    };
    keys.map(|key| Line {
        key: format!("{at}{key}"),
        old: shown(key, old.get(key), entry.was_ours),
        new: shown(key, new.get(key), true),
    })
    .collect()
}

/// The values of an entry by their keys, those of objects inside it too.
fn flatten(at: &str, value: &Value, leaves: &mut Map<String, Value>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(key, value)| flatten(&format!("{at}.{key}"), value, leaves));
        }
        value => drop(leaves.insert(at.to_owned(), value.clone())),
    }
}
