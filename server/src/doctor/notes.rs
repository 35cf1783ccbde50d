//! SiYuan, its token, the plugin, and the settings in the workspace.

use std::path::Path;
use std::time::Duration;

use puppy_core::config::{
    ACCESS_FILE, AGENTS_FILE, GRANTS_FILE, HttpSettings, MADE_FILE, Pause, Policy, SWITCHES_FILE,
    SettingsFile,
};
use puppy_core::error::ToolError;
use puppy_core::kernel::api::system;
use puppy_core::kernel::{self, KernelError, files};
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::siyuan::{Siyuan, VersionSupport};
use puppy_core::visible;
use serde_json::Value;

use super::{Fault, Finding, Patient, fault, stored};
use crate::discover;
use crate::kernel::{HttpKernel, Options};
use crate::words::{AboutWords, DoctorWords, comma, gap, language};

/// The longest time for one answer: a person waits.
const PATIENCE: Duration = Duration::from_secs(5);
/// The folder of the plugin.
const PLUGIN: &str = "/data/plugins/siyuan-mcp-puppy/plugin.json";
/// The switches of all plugins, as SiYuan keeps them.
const SWITCHED: &str = "/data/storage/petal/petals.json";

/// The findings, and the settings of the server if they could be read.
pub(super) async fn look(patient: Patient) -> (Vec<Finding>, Option<HttpSettings>) {
    let (mut findings, kernel) = reach(patient).await;
    let Some(kernel) = kernel else { return (findings, None) };
    findings.push(plugin(&kernel).await);
    findings.extend(settings(&kernel).await);
    findings.extend(policy(&kernel).await);
    (findings, HttpSettings::read(&kernel).await.ok())
}

/// SiYuan and its token, and the kernel if both are as they should be.
pub(super) async fn reach(patient: Patient) -> (Vec<Finding>, Option<HttpKernel>) {
    let (about, words) = (AboutWords::here(), DoctorWords::here());
    let mut findings = Vec::new();
    let url = discover::shown(&patient.options.address.url());
    let options = Options { deadline: PATIENCE.min(patient.options.deadline), ..patient.options };
    let kernel = match HttpKernel::new(options) {
        Ok(kernel) => kernel,
        Err(why) => return (vec![Finding::bad(about.token(), why, words.where_token())], None),
    };
    match kernel::ask(&kernel, system::version()).await {
        Ok(version) => findings.extend(versions(&version, &url, &patient.address_from)),
        Err(error) => {
            let says = match &error {
                KernelError::Refused => words.nothing_listens(&url, &patient.address_from),
                _ => words.no_answer(&url, &patient.address_from, self::words(error.clone())),
            };
            findings.push(Finding::bad(about.siyuan(), says, words.start_siyuan()).of(fault(&error)));
            return (findings, None);
        }
    }
    match kernel::ask(&kernel, system::get_conf()).await {
        Ok(conf) => {
            let says = match &patient.token_from {
                Some(from) => words.token_accepted(from),
                None => words.token_not_needed().to_owned(),
            };
            findings.push(Finding::good(about.token(), says));
            if conf.conf.readonly {
                findings.push(Finding::note(about.notes(), words.read_only(), words.read_only_fix()));
            }
        }
        Err(error @ (KernelError::Unauthorized | KernelError::Forbidden)) => {
            findings.push(token(&error, patient.token_from.as_deref()));
            return (findings, None);
        }
        Err(error) => {
            findings.push(Finding::bad(about.notes(), self::words(error.clone()), "").of(fault(&error)));
            return (findings, None);
        }
    }
    (findings, Some(kernel))
}

/// The version, how well it is known, and what is different there.
fn versions(version: &str, url: &str, from: &str) -> Vec<Finding> {
    let siyuan = Siyuan::parse(version);
    let (about, words) = (AboutWords::here(), DoctorWords::here());
    let says = words.answers(visible::shown(version), url, from);
    let known = match siyuan.known() {
        VersionSupport::TooOld | VersionSupport::Seen => None,
        VersionSupport::Older => Some(words.known_older()),
        VersionSupport::Read => Some(words.known_read()),
        VersionSupport::Untried => Some(words.known_untried()),
    };
    let mut findings = vec![match known {
        _ if siyuan.is_too_old() => Finding::note(about.siyuan(), words.too_old(says), words.update_siyuan()),
        None => Finding::good(about.siyuan(), says),
        Some(known) => Finding::note(about.siyuan(), words.known(says, known), ""),
    }];
    let differences = [words.differs_tabs(), words.differs_strict(), words.differs_views()];
    let differences = differences.into_iter().take(siyuan.differences().len());
    findings.extend(differences.map(|it| Finding::note(about.differences(), it, "")));
    findings
}

fn token(error: &KernelError, from: Option<&str>) -> Finding {
    let words = DoctorWords::here();
    let (says, how) = match from {
        Some(from) => (words.token_refused(from), words.use_current_token()),
        None => (words.token_needed().to_owned(), words.save_token()),
    };
    let says = if *error == KernelError::Forbidden { self::words(error.clone()) } else { says };
    let fix = format!("{how}{}{}", gap(), words.where_token());
    Finding::bad(AboutWords::here().token(), says, fix).of(Fault::NotAuthorised)
}

/// The plugin, which the program does without: then the defaults hold.
async fn plugin(kernel: &HttpKernel) -> Finding {
    let own = env!("CARGO_PKG_VERSION");
    let (plugin, words) = (AboutWords::here().plugin(), DoctorWords::here());
    let about = match files::read(kernel, PLUGIN).await {
        Ok(about) => about,
        Err(error) => return Finding::bad(plugin, self::words(error), "").of(Fault::Other),
    };
    let Some(about) = about else {
        return Finding::note(plugin, words.no_plugin(), words.no_plugin_fix());
    };
    let about: Value = serde_json::from_slice(&about).unwrap_or_default();
    let version = about.get("version").and_then(Value::as_str).unwrap_or(words.unknown_version());
    let shown = visible::shown(version);
    let switched: Value = match files::read(kernel, SWITCHED).await {
        Ok(Some(bytes)) => serde_json::from_slice(&bytes).unwrap_or_default(),
        _ => Value::Null,
    };
    let mut all = switched.as_array().into_iter().flatten();
    let entry = all.find(|it| it.get("name").and_then(Value::as_str) == Some("siyuan-mcp-puppy"));
    if entry.is_some_and(|it| it.get("enabled") == Some(&Value::Bool(false))) {
        return Finding::note(plugin, words.plugin_off(shown), words.plugin_off_fix());
    }
    if version == own {
        return Finding::good(plugin, words.plugin_same(own));
    }
    Finding::note(plugin, words.plugin_other(shown, own), words.plugin_other_fix())
}

/// The files of settings: one that is torn takes its strictest meaning.
pub(super) async fn settings(kernel: &HttpKernel) -> Vec<Finding> {
    let (about, words) = (AboutWords::here().settings(), DoctorWords::here());
    let mut findings = Vec::new();
    let mut there = 0;
    for file in SettingsFile::ALL {
        let name = file.name;
        match files::read(kernel, &format!("{}{name}", files::STORAGE)).await {
            Ok(None) => {}
            Ok(Some(bytes)) if file.is_sound(&bytes) => there += 1,
            Ok(Some(_)) => {
                findings.push(Finding::bad(about, words.damaged(name, holds(name)), words.damaged_fix(name)));
            }
            Err(error) => {
                let (found, says) = (fault(&error), words.file_failed(name, self::words(error)));
                findings.push(Finding::bad(about, says, "").of(found));
            }
        }
    }
    if findings.is_empty() {
        let says = match there {
            0 => words.nothing_saved().to_owned(),
            there => words.all_saved(there, SettingsFile::ALL.len()),
        };
        findings.push(Finding::good(about, says));
    }
    findings
}

/// The content of a settings file, in the middle of a sentence.
fn holds(file: &str) -> &'static str {
    let words = DoctorWords::here();
    match file {
        SWITCHES_FILE => words.of_switches(),
        GRANTS_FILE => words.of_levels(),
        MADE_FILE => words.of_made(),
        ACCESS_FILE => words.of_access(),
        AGENTS_FILE => words.of_agents(),
        _ => words.of_server(),
    }
}

/// The levels, the actions that are on, the pause, and the transfer folder.
async fn policy(kernel: &HttpKernel) -> Vec<Finding> {
    let policy = Policy::read(kernel).await;
    let mut findings: Vec<Finding> = levels(&policy).into_iter().collect();
    if let Ok(switches) = &policy.rules.switches {
        let on = ACTIONS.iter().filter(|spec| switches.is_on(spec)).count();
        let says = DoctorWords::here().actions_on(on, ACTIONS.len());
        findings.push(Finding::good(AboutWords::here().actions(), says));
    }
    findings.extend(pause(&policy));
    findings.push(transfer(&policy.scope.access.transfer_folder));
    findings.extend(stored::look(kernel, &policy.scope).await);
    findings
}

/// The number of notebooks at each level; `None` if the table cannot be read.
pub(super) fn levels(policy: &Policy) -> Option<Finding> {
    policy.scope.grants.table.as_ref().ok()?;
    let counts = policy.scope.counts();
    let words = DoctorWords::here();
    let each = Level::ALL.into_iter().zip(counts);
    let each = each.map(|(level, n)| words.level_count(n, language().level(level)));
    let all: usize = counts.iter().sum();
    let says = words.level_counts(all, each.collect::<Vec<_>>().join(comma()));
    Some(Finding::good(AboutWords::here().levels(), says))
}

/// A pause, if there is one.
pub(super) fn pause(policy: &Policy) -> Option<Finding> {
    let is_paused = policy.rules.calls.pause == Pause::Yes;
    let words = DoctorWords::here();
    is_paused.then(|| Finding::note(AboutWords::here().paused(), words.all_refused(), words.run_resume()))
}

/// The one folder for the files of agents. Its path is a person's matter.
fn transfer(folder: &str) -> Finding {
    let (about, words) = (AboutWords::here().transfer_folder(), DoctorWords::here());
    let fix = words.folder_fix();
    let path = Path::new(folder.trim());
    if folder.trim().is_empty() {
        return Finding::good(about, words.folder_none());
    }
    match std::fs::metadata(path) {
        _ if !path.is_absolute() => Finding::bad(about, words.folder_relative(), fix),
        Ok(found) if !found.is_dir() => Finding::bad(about, words.folder_file(), fix),
        Ok(_) if tempfile::tempfile_in(path).is_err() => Finding::note(about, words.folder_locked(), fix),
        Ok(_) => Finding::good(about, words.folder_good()),
        Err(error) => Finding::bad(about, words.folder_failed(error.kind()), fix),
    }
}

/// The error in a sentence.
pub(super) fn words(error: KernelError) -> String {
    let sentence = crate::words::kernel(&error).unwrap_or_else(|| ToolError::from(error).message);
    visible::shown(&sentence.replace('\n', " ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::State;

    #[test]
    fn transfer_folder_is_judged_without_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let gone = folder.path().join("gone");
        let bad = State::Bad(Fault::Other);
        for (path, state) in [
            ("", State::Good),
            ("relative", bad),
            (folder.path().to_str().unwrap(), State::Good),
            (file.to_str().unwrap(), bad),
            (gone.to_str().unwrap(), bad),
        ] {
            let found = transfer(path);
            assert_eq!(found.state, state, "{path}");
            assert!(!found.says.contains(folder.path().to_str().unwrap()), "{}", found.says);
        }
    }

    /// `doctor` says the same as Home and `system.get_info`.
    #[test]
    fn versions_tell_what_is_different() {
        let findings = |version: &str| versions(version, "http://127.0.0.1:1", "--url");
        assert_eq!((findings("3.7.3").len(), findings("3.7.3")[0].state), (1, State::Good));
        assert_eq!(
            (findings("3.6.5")[0].state, findings("3.6.5")[0].fix.as_str()),
            (State::Note, "Update SiYuan.")
        );
        let newer = findings("9.0.0");
        assert!(newer[0].says.contains("not tested"));
        let differences: Vec<&str> = newer.iter().skip(1).map(|it| it.says.as_str()).collect();
        assert_eq!(differences, Siyuan::parse("9.0.0").differences());
        for version in ["3.7.2", "3.8.0", "9.0.0"] {
            let known = Siyuan::parse(version).known().words().unwrap();
            assert!(findings(version)[0].says.ends_with(&format!(": {known}.")), "{version}");
        }
        assert!(!findings("1\u{1b}[31m")[0].says.contains('\u{1b}'));
    }

    /// A line about a damaged file says what the file is declared to hold.
    #[test]
    fn settings_files_are_described_as_declared() {
        for file in SettingsFile::ALL {
            assert!(file.about.to_lowercase() == holds(file.name).to_lowercase(), "{}", file.name);
        }
    }
}
