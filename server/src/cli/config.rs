//! `siyuan-puppy config`: the profiles of a person, what is in force, and the schemas of all settings (B-095).

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use puppy_core::config::SettingsFile;
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;

use super::environment::{AddressFrom, KernelAccess};
use super::exit::{FAILED, WRONG_USE};
use super::print::CommandOutput;
use crate::discover::Address;
use crate::profiles::{self, ChangeOutcome, FIRST, Profile, ProfileChange, Profiles, Setting};
use crate::words::{AnswerWords, HelpWords, SetupWords, comma, field, gap};
use crate::{discover, folders};

/// The name of the schema of profiles.
const OWN: &str = "config";

pub(super) fn command() -> Command {
    let words = HelpWords::here();
    let name = || Arg::new("name").value_name("NAME").required(true).help(words.config_name());
    let key = || {
        let keys = PossibleValuesParser::new(Setting::ALL.map(Setting::typed));
        Arg::new("key").value_name("KEY").required(true).value_parser(keys).help(words.config_key())
    };
    let value = Arg::new("value")
        .value_name("VALUE")
        .required(true)
        .allow_hyphen_values(true)
        .help(words.config_value());
    let schemas = SettingsFile::ALL.map(|it| it.name).into_iter().chain([OWN]);
    let file = Arg::new("file")
        .value_name("FILE")
        .value_parser(PossibleValuesParser::new(schemas))
        .help(words.config_schema_file());
    let imported = Arg::new("file")
        .value_name("FILE")
        .required(true)
        .value_hint(ValueHint::FilePath)
        .value_parser(value_parser!(PathBuf))
        .help(words.config_import_file());
    let replace = Arg::new("replace").long("replace").action(ArgAction::SetTrue).help(words.config_replace());
    let example = words.example(
        "\n  siyuan-puppy config set url http://127.0.0.1:6806\n  \
         siyuan-puppy config set token-file ~/.siyuan-token\n  siyuan-puppy doctor",
    );
    Command::new("config")
        .about(words.config())
        .after_help(format!("{}\n\n{}", example.replace(": \n", ":\n"), words.config_more()))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            Command::new("show").about(words.config_show()),
            Command::new("list").about(words.config_list()),
            Command::new("get").about(words.config_get()).arg(key()),
            Command::new("set").about(words.config_set()).args([key(), value]),
            Command::new("unset").about(words.config_unset()).arg(key()),
            Command::new("use").about(words.config_use()).arg(name()),
            Command::new("remove").about(words.config_remove()).arg(name()),
            Command::new("import").about(words.config_import()).args([imported, replace]),
            Command::new("path").about(words.config_path()),
            Command::new("schema").about(words.config_schema()).arg(file),
        ])
}

/// Runs a command that needs no kernel, and returns its output; `profile` is the named profile.
///
/// # Errors
/// Returns the exit code and a sentence for the user.
pub(super) fn run(
    matches: &ArgMatches,
    profile: Option<&str>,
    as_json: bool,
) -> Result<CommandOutput, (u8, String)> {
    let words = SetupWords::here();
    let failed = |message: String| (FAILED, message);
    let Some((name, inner)) = matches.subcommand() else { return Ok(CommandOutput::Text(String::new())) };
    let text = |name: &str| inner.get_one::<String>(name).cloned().unwrap_or_default();
    // For a command on an existing profile, an unknown name is wrong use, like an unknown action.
    let known = |name: &str| -> Result<Profiles, (u8, String)> {
        let profiles = Profiles::read().map_err(failed)?;
        profiles.named(name).map_err(|message| (WRONG_USE, message))?;
        Ok(profiles)
    };
    match name {
        "list" => list(as_json).map_err(failed),
        "path" => {
            let path = profiles::path().ok_or_else(|| failed(words.no_home().to_owned()))?;
            Ok(CommandOutput::Text(format!("{}\n", path.display())))
        }
        "schema" => {
            let schema = schema(inner.get_one::<String>("file").map(String::as_str));
            Ok(if as_json {
                CommandOutput::Json(schema)
            } else {
                CommandOutput::Text(format!("{schema:#}\n"))
            })
        }
        "get" => {
            let (setting, name) = (setting(&text("key")), in_force(profile).map_err(failed)?);
            let profiles = known(&name)?;
            let value = profiles.profiles.get(&name).and_then(|it| it.shown(setting));
            let none = || failed(words.not_in_profile(&name, setting.typed()));
            let value = value.ok_or_else(none)?;
            Ok(if as_json {
                CommandOutput::Json(json!(value))
            } else {
                CommandOutput::Text(format!("{value}\n"))
            })
        }
        "set" => set(profile, setting(&text("key")), &text("value"), as_json).map_err(failed),
        "unset" => {
            let name = in_force(profile).map_err(failed)?;
            known(&name)?;
            unset(&name, setting(&text("key")), as_json).map_err(failed)
        }
        "use" | "remove" => {
            let typed = text("name");
            known(&typed)?;
            let is_use = name == "use";
            let change = if is_use { ProfileChange::Use(&typed) } else { ProfileChange::Remove(&typed) };
            let done = profiles::change(&change).map_err(failed)?;
            let text = if is_use { words.switched(&typed) } else { words.removed_profile(&typed) };
            Ok(changed(&typed, &done, &text, as_json))
        }
        _ => {
            let file = inner.get_one::<PathBuf>("file").cloned().unwrap_or_default();
            import(&file, inner.get_flag("replace"), as_json).map_err(failed)
        }
    }
}

/// The address, the token's source and the profiles in force.
pub(super) fn show(access: &KernelAccess, as_json: bool) -> CommandOutput {
    let profile = match &access.address_from {
        AddressFrom::Profile(name) => Some(name.clone()),
        _ => None,
    };
    let facts = [
        ("address", Some(discover::shown(&access.address.url()))),
        ("address_from", Some(access.address_from.words())),
        ("token_from", access.token_from()),
        ("profile", profile),
        ("profiles", profiles::path().map(|it| folders::shown(&it))),
        ("found_here", Some(discover::found().join(", ")).filter(|it| !it.is_empty())),
    ];
    if as_json {
        return CommandOutput::Json(facts.into_iter().map(|(key, it)| (key.to_owned(), json!(it))).collect());
    }
    let wide = facts.iter().map(|(key, _)| field(key).width()).max().unwrap_or_default();
    let line = |(key, value): (&str, Option<String>)| {
        let (title, none) = (field(key), AnswerWords::here().none());
        let blanks = wide - title.width();
        format!("{title}{:blanks$}  {}\n", "", value.as_deref().unwrap_or(none))
    };
    CommandOutput::Text(facts.into_iter().map(line).collect())
}

fn list(as_json: bool) -> Result<CommandOutput, String> {
    let profiles = Profiles::read()?;
    let row = |(name, profile): (&String, &Profile)| {
        let mut row = Map::from_iter([
            ("name".to_owned(), json!(name)),
            ("current".to_owned(), json!(profiles.current.as_ref() == Some(name))),
        ]);
        let settings = Setting::ALL.into_iter().filter_map(|it| Some((it.typed(), profile.shown(it)?)));
        row.extend(settings.map(|(key, value)| (key.replace('-', "_"), json!(value))));
        Value::Object(row)
    };
    let rows: Vec<Value> = profiles.profiles.iter().map(row).collect();
    if as_json {
        return Ok(CommandOutput::Json(Value::from(rows)));
    }
    Ok(CommandOutput::Table(rows, SetupWords::here().no_profiles()))
}

/// The setting of a typed word; the command line takes no others.
fn setting(typed: &str) -> Setting {
    Setting::ALL.into_iter().find(|it| it.typed() == typed).unwrap_or(Setting::Url)
}

/// The named profile, else the current one.
fn in_force(profile: Option<&str>) -> Result<String, String> {
    let current = || Ok::<_, String>(Profiles::read()?.current);
    let name = profile.map_or_else(current, |it| Ok(Some(it.to_owned())))?;
    Ok(name.unwrap_or_else(|| FIRST.to_owned()))
}

fn set(profile: Option<&str>, setting: Setting, value: &str, as_json: bool) -> Result<CommandOutput, String> {
    let name = in_force(profile)?;
    let value = checked(setting, value)?;
    let done = profiles::change(&ProfileChange::Set(&name, setting, Some(value)))?;
    let words = SetupWords::here();
    let mut text = words.set(setting.typed(), &name);
    if let Some(old) = done.replaced {
        text.push_str(&format!("{}{}", gap(), words.replaced(old.typed())));
    }
    Ok(changed(&name, &done, &text, as_json))
}

fn unset(name: &str, setting: Setting, as_json: bool) -> Result<CommandOutput, String> {
    let done = profiles::change(&ProfileChange::Set(name, setting, None))?;
    if done.is_same && !as_json {
        let text = SetupWords::here().not_in_profile_same(name, setting.typed());
        return Ok(CommandOutput::Text(text + "\n"));
    }
    let text = SetupWords::here().unset(setting.typed(), name);
    Ok(changed(name, &done, &text, as_json))
}

fn import(file: &Path, replaces: bool, as_json: bool) -> Result<CommandOutput, String> {
    if !file.is_file() {
        return Err(SetupWords::here().no_file(folders::shown(file)));
    }
    let done = profiles::change(&ProfileChange::Import(file, replaces))?;
    if as_json {
        return Ok(CommandOutput::Json(json!({ "profiles": done.imported, "changed": !done.is_same })));
    }
    let text = SetupWords::here().imported(done.imported.join(comma()));
    Ok(CommandOutput::Text(format!("✓ {text}\n")))
}

/// The output for a change of a profile.
fn changed(name: &str, done: &ChangeOutcome, text: &str, as_json: bool) -> CommandOutput {
    if !as_json {
        return CommandOutput::Text(format!("✓ {text}\n"));
    }
    let replaced = done.replaced.map(Setting::typed);
    CommandOutput::Json(json!({ "profile": name, "changed": !done.is_same, "replaced": replaced }))
}

/// The value of a setting as the file holds it. A path is made whole, because commands run in many folders.
fn checked(setting: Setting, value: &str) -> Result<Value, String> {
    Ok(match setting {
        Setting::Url => {
            Address::given(value)?;
            json!(value.trim().trim_end_matches('/'))
        }
        Setting::TokenCommand => {
            let words: Option<Vec<String>> = serde_json::from_str(value).ok();
            let words = words.filter(|it| it.first().is_some_and(|program| !program.trim().is_empty()));
            json!(words.ok_or(SetupWords::here().token_command())?)
        }
        Setting::TokenFile | Setting::CaFile => {
            let path = std::path::absolute(profiles::unfolded(value.as_ref()))
                .map_err(|error| SetupWords::here().bad_path(error.kind()))?;
            if !path.is_file() {
                return Err(SetupWords::here().no_file(folders::shown(&path)));
            }
            json!(path)
        }
        Setting::TokenEnv => {
            let name = value.trim();
            let is_word = name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
            if name.is_empty() || !is_word {
                return Err(SetupWords::here().token_env().to_owned());
            }
            json!(name)
        }
    })
}

/// One schema, or all by their names.
fn schema(file: Option<&str>) -> Value {
    let all = SettingsFile::ALL.into_iter().map(|it| (it.name.to_owned(), it.schema()));
    let mut all: Map<String, Value> = all.chain([(OWN.to_owned(), Profiles::schema())]).collect();
    match file {
        Some(name) => all.remove(name).unwrap_or_default(),
        None => Value::Object(all),
    }
}
