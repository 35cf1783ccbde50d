//! `siyuan-puppy config`: the profiles of a person, what is in force, and the schemas of all settings (B-095).

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use puppy_core::config::SettingsFile;
use serde_json::{Map, Value, json};

use super::environment::{AddressFrom, Chosen};
use super::people::listed;
use crate::profiles::{self, FIRST, KEYS, ProfileChange, Profiles};
use crate::{discover, folders};

/// The name of the schema of profiles.
const OWN: &str = "config";

/// The command.
pub(super) fn command() -> Command {
    let name = || Arg::new("name").value_name("NAME").required(true).help("The name of the profile");
    let key = || {
        let keys = PossibleValuesParser::new(KEYS.map(|(typed, ..)| typed));
        Arg::new("key").value_name("KEY").required(true).value_parser(keys).help("The setting")
    };
    let value = Arg::new("value")
        .value_name("VALUE")
        .required(true)
        .allow_hyphen_values(true)
        .help("Its value; token-command is a JSON list, such as '[\"pass\", \"siyuan\"]'");
    let schemas = SettingsFile::ALL.map(|it| it.name).into_iter().chain([OWN]);
    let file = Arg::new("file")
        .value_name("FILE")
        .value_parser(PossibleValuesParser::new(schemas))
        .help("One file; all of them when left out");
    Command::new("config")
        .about("Profiles: named kernels, each with its address and the place of its token")
        .after_help(
            "Example:\n  siyuan-puppy config set url http://127.0.0.1:6806\n  \
             siyuan-puppy config set token-file ~/.siyuan-token\n  siyuan-puppy doctor\n\n\
             --profile NAME chooses the profile of one command, SIYUAN_PROFILE that of a shell.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            Command::new("show")
                .about("Print what is in force: the address, where the token comes from, the profile"),
            Command::new("list").about("List the profiles"),
            Command::new("set").about("Give a setting of a profile a value").args([key(), value]),
            Command::new("unset").about("Take a setting from a profile").arg(key()),
            Command::new("use").about("Make a profile the current one").arg(name()),
            Command::new("remove").about("Remove a profile").arg(name()),
            Command::new("path").about("Print the place of the file of profiles"),
            Command::new("schema").about("Print the JSON schema of the settings").arg(file),
        ])
}

/// What to print for a command that needs no kernel; `profile` is the one that was named.
///
/// # Errors
/// Returns a sentence for the user.
pub(super) fn run(matches: &ArgMatches, profile: Option<&str>, as_json: bool) -> Result<String, String> {
    let text =
        |matches: &ArgMatches, name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let Some((name, inner)) = matches.subcommand() else { return Ok(String::new()) };
    match name {
        "list" => list(as_json),
        "path" => {
            let path = profiles::path().ok_or("This user has no home folder.")?;
            Ok(format!("{}\n", path.display()))
        }
        "schema" => Ok(schema(inner.get_one::<String>("file").map(String::as_str))),
        "set" => set(profile, &text(inner, "key"), Some(&text(inner, "value"))),
        "unset" => set(profile, &text(inner, "key"), None),
        "use" => {
            let name = text(inner, "name");
            profiles::change(&ProfileChange::Use(&name))?;
            Ok(format!("✓ {name} is the current profile.\n"))
        }
        "remove" => {
            let name = text(inner, "name");
            profiles::change(&ProfileChange::Remove(&name))?;
            Ok(format!("✓ The profile {name} is removed.\n"))
        }
        _ => Ok(String::new()),
    }
}

/// What is in force.
pub(super) fn show(chosen: &Chosen, as_json: bool) -> String {
    let profile = match &chosen.address_from {
        AddressFrom::Profile(name) => Some(name.clone()),
        _ => None,
    };
    let facts = [
        ("address", Some(chosen.options.address.url())),
        ("address_from", Some(chosen.address_from.words())),
        ("token_from", chosen.token_from.clone()),
        ("profile", profile),
        ("profiles", profiles::path().map(|it| folders::shown(&it))),
        ("found_here", Some(discover::found().join(", ")).filter(|it| !it.is_empty())),
    ];
    if as_json {
        let facts: Map<String, Value> =
            facts.into_iter().map(|(key, it)| (key.to_owned(), json!(it))).collect();
        return format!("{}\n", Value::Object(facts));
    }
    let line = |(key, value): (&str, Option<String>)| {
        format!("{:<13} {}\n", key.replace('_', " "), value.as_deref().unwrap_or("none"))
    };
    facts.into_iter().map(line).collect()
}

fn list(as_json: bool) -> Result<String, String> {
    let profiles = Profiles::read()?;
    let row = |(name, profile): (&String, &profiles::Profile)| {
        let mut row = Map::from_iter([
            ("name".to_owned(), json!(name)),
            ("current".to_owned(), json!(profiles.current.as_ref() == Some(name))),
        ]);
        row.extend(profile.settings().map(|(key, value)| (key.replace('-', "_"), json!(value))));
        Value::Object(row)
    };
    let rows: Vec<Value> = profiles.profiles.iter().map(row).collect();
    if as_json {
        return Ok(format!("{}\n", Value::from(rows)));
    }
    Ok(match listed(&rows) {
        Some(table) => table,
        None => "There are no profiles. `siyuan-puppy config set url ADDRESS` makes one.\n".to_owned(),
    })
}

/// Sets or takes a setting of the named profile, else of the current one.
fn set(profile: Option<&str>, typed: &str, value: Option<&str>) -> Result<String, String> {
    let current = Profiles::read()?.current;
    let name = profile.or(current.as_deref()).unwrap_or(FIRST);
    let key = KEYS.iter().find(|(it, ..)| *it == typed).map(|(_, key, _)| *key).unwrap_or_default();
    let value = value.map(|value| checked(key, value)).transpose()?;
    let told = if value.is_some() { "is set" } else { "is taken away" };
    profiles::change(&ProfileChange::Set(name, key, value))?;
    Ok(format!("✓ {typed} of the profile {name} {told}.\n"))
}

/// The value of a key as the file holds it. A path is made whole, because commands run in many folders.
fn checked(key: &str, value: &str) -> Result<Value, String> {
    Ok(match key {
        "url" => {
            discover::Address::new(Some(value), None)?;
            json!(value.trim().trim_end_matches('/'))
        }
        "tokenCommand" => {
            let words: Vec<String> = serde_json::from_str(value).ok().filter(|it: &Vec<String>| !it.is_empty()).ok_or(
                "token-command is a JSON list of the program and its arguments, such as '[\"pass\", \"siyuan\"]'.",
            )?;
            json!(words)
        }
        "tokenFile" | "caFile" => {
            let path = std::path::absolute(profiles::unfolded(value.as_ref()))
                .map_err(|error| format!("This path cannot be used: {}.", error.kind()))?;
            if !path.is_file() {
                return Err(format!("There is no file {}.", folders::shown(&path)));
            }
            json!(path)
        }
        _ => json!(value.trim()),
    })
}

/// One schema, or all by their names.
fn schema(file: Option<&str>) -> String {
    let all = SettingsFile::ALL.into_iter().map(|it| (it.name.to_owned(), it.schema()));
    let mut all: Map<String, Value> = all.chain([(OWN.to_owned(), Profiles::schema())]).collect();
    let schema = match file {
        Some(name) => all.remove(name).unwrap_or_default(),
        None => Value::Object(all),
    };
    format!("{schema:#}\n")
}
