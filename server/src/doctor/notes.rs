//! SiYuan, its token, the plugin, and the settings in the workspace.

use std::path::Path;
use std::time::Duration;

use puppy_core::config::{HttpSettings, Pause, Policy, SettingsFile};
use puppy_core::error::ToolError;
use puppy_core::kernel::api::system;
use puppy_core::kernel::{self, KernelError, files};
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_core::siyuan::Siyuan;
use puppy_core::visible;
use serde_json::Value;

use super::{Fault, Finding, Patient, fault, stored};
use crate::discover;
use crate::kernel::{HttpKernel, Options};

/// The longest time for one answer: a person waits.
const PATIENCE: Duration = Duration::from_secs(5);
/// The folder of the plugin.
const PLUGIN: &str = "/data/plugins/siyuan-mcp-puppy/plugin.json";
/// The switches of all plugins, as SiYuan keeps them.
const SWITCHED: &str = "/data/storage/petal/petals.json";
/// The place of SiYuan's token.
const WHERE: &str = "Find it in SiYuan: Settings, About, API token.";

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
    let mut findings = Vec::new();
    let url = discover::shown(&patient.options.address.url());
    let options = Options { deadline: PATIENCE.min(patient.options.deadline), ..patient.options };
    let kernel = match HttpKernel::new(options) {
        Ok(kernel) => kernel,
        Err(why) => return (vec![Finding::bad("token", why, WHERE)], None),
    };
    match kernel::ask(&kernel, system::version()).await {
        Ok(version) => findings.extend(versions(&version, &url, &patient.address_from)),
        Err(error) => {
            let fix = "Start SiYuan, or set its address with --url or `siyuan-puppy config set url`.";
            let says = match &error {
                KernelError::Refused => format!("Nothing listens at {url} ({}).", patient.address_from),
                _ => format!("{url} ({}): {}", patient.address_from, words(error.clone())),
            };
            findings.push(Finding::bad("SiYuan", says, fix).of(fault(&error)));
            return (findings, None);
        }
    }
    match kernel::ask(&kernel, system::get_conf()).await {
        Ok(conf) => {
            findings.push(Finding::good(
                "token",
                match &patient.token_from {
                    Some(from) => format!("SiYuan accepts the token from {from}."),
                    None => "Not needed: SiYuan answers without one.".to_owned(),
                },
            ));
            if conf.conf.readonly {
                let says = "SiYuan is read-only: nothing can be changed.";
                findings.push(Finding::note(
                    "notes",
                    says,
                    "Turn read-only mode off in SiYuan to allow changes.",
                ));
            }
        }
        Err(error @ (KernelError::Unauthorized | KernelError::Forbidden)) => {
            findings.push(token(&error, patient.token_from.as_deref()));
            return (findings, None);
        }
        Err(error) => {
            findings.push(Finding::bad("notes", words(error.clone()), "").of(fault(&error)));
            return (findings, None);
        }
    }
    (findings, Some(kernel))
}

/// The version, how well it is known, and what is different there.
fn versions(version: &str, url: &str, from: &str) -> Vec<Finding> {
    let siyuan = Siyuan::told(version);
    let version = visible::shown(version);
    let says = format!("{version} answers at {url} ({from}).");
    let mut findings = vec![match siyuan.known().told() {
        _ if siyuan.is_too_old() => {
            let says = format!("{says} The plugin needs a newer version.");
            Finding::note("SiYuan", says, "Update SiYuan.")
        }
        None => Finding::good("SiYuan", says),
        Some(known) => Finding::note("SiYuan", format!("{says} Support for this version: {known}."), ""),
    }];
    findings.extend(siyuan.differences().into_iter().map(|it| Finding::note("differences", it, "")));
    findings
}

fn token(error: &KernelError, from: Option<&str>) -> Finding {
    let (says, fix) = match from {
        Some(from) => {
            (format!("SiYuan refuses the token from {from}."), format!("Use the current token. {WHERE}"))
        }
        None => (
            "SiYuan requires a token, and none is set.".to_owned(),
            format!(
                "Save it in a file, then run `siyuan-puppy config set url ADDRESS` and `siyuan-puppy config set token-file FILE`. {WHERE}"
            ),
        ),
    };
    let says = if *error == KernelError::Forbidden { words(error.clone()) } else { says };
    Finding::bad("token", says, fix).of(Fault::NotAuthorised)
}

/// The plugin, which the program does without: then the defaults hold.
async fn plugin(kernel: &HttpKernel) -> Finding {
    let own = env!("CARGO_PKG_VERSION");
    let about = match files::read(kernel, PLUGIN).await {
        Ok(about) => about,
        Err(error) => return Finding::bad("plugin", words(error), "").of(Fault::Other),
    };
    let Some(about) = about else {
        let says =
            "Not installed in this workspace. Saved levels and switches still apply, otherwise the defaults.";
        return Finding::note(
            "plugin",
            says,
            "Install MCP Puppy in SiYuan to set levels and see what agents do.",
        );
    };
    let about: Value = serde_json::from_slice(&about).unwrap_or_default();
    let version = about.get("version").and_then(Value::as_str).unwrap_or("of an unknown version");
    let switched: Value = match files::read(kernel, SWITCHED).await {
        Ok(Some(bytes)) => serde_json::from_slice(&bytes).unwrap_or_default(),
        _ => Value::Null,
    };
    let mut all = switched.as_array().into_iter().flatten();
    let entry = all.find(|it| it.get("name").and_then(Value::as_str) == Some("siyuan-mcp-puppy"));
    if entry.is_some_and(|it| it.get("enabled") == Some(&Value::Bool(false))) {
        let says = format!("Version {} is installed but turned off.", visible::shown(version));
        return Finding::note("plugin", says, "Turn it on in SiYuan: Settings, Marketplace, Downloaded.");
    }
    if version == own {
        return Finding::good("plugin", format!("Version {own} is installed."));
    }
    let says = format!("Version {} is installed, and this program is {own}.", visible::shown(version));
    Finding::note("plugin", says, "Update the older one.")
}

/// The files of settings: one that is torn takes its strictest meaning.
pub(super) async fn settings(kernel: &HttpKernel) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut there = 0;
    for file in SettingsFile::ALL {
        let name = file.name;
        match files::read(kernel, &format!("{}{name}", files::STORAGE)).await {
            Ok(None) => {}
            Ok(Some(bytes)) if file.is_sound(&bytes) => there += 1,
            Ok(Some(_)) => findings.push(Finding::bad(
                "settings",
                damaged(&file),
                format!(
                    "Open MCP Puppy in SiYuan, or repair the file: `siyuan-puppy config schema {name}` prints its format."
                ),
            )),
            Err(error) => {
                let found = fault(&error);
                findings.push(Finding::bad("settings", format!("{name}: {}", words(error)), "").of(found));
            }
        }
    }
    if findings.is_empty() {
        let says = match there {
            0 => "Nothing is saved yet, so the defaults apply.".to_owned(),
            there => {
                format!("{there} of {} files are saved, and all can be read.", SettingsFile::ALL.len())
            }
        };
        findings.push(Finding::good("settings", says));
    }
    findings
}

/// The effect of a damaged file on agents.
fn damaged(file: &SettingsFile) -> String {
    let mut about = file.about.chars();
    let about: String = about.next().into_iter().flat_map(char::to_lowercase).chain(about).collect();
    format!("{} is damaged, so the strictest settings apply. It holds {about}.", file.name)
}

/// The levels, the actions that are on, the pause, and the transfer folder.
async fn policy(kernel: &HttpKernel) -> Vec<Finding> {
    let policy = Policy::read(kernel).await;
    let mut findings: Vec<Finding> = levels(&policy).into_iter().collect();
    if let Ok(switches) = &policy.rules.switches {
        let on = ACTIONS.iter().filter(|spec| switches.is_on(spec)).count();
        findings.push(Finding::good("actions", format!("{on} of {} are on.", ACTIONS.len())));
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
    let each = Level::ALL.into_iter().zip(counts).map(|(level, n)| format!("{n} at {}", level.word()));
    let all: usize = counts.iter().sum();
    Some(Finding::good("levels", format!("{all} notebooks: {}.", each.collect::<Vec<_>>().join(", "))))
}

/// A pause, if there is one.
pub(super) fn pause(policy: &Policy) -> Option<Finding> {
    let is_paused = policy.rules.calls.pause == Pause::Yes;
    is_paused.then(|| Finding::note("paused", "All calls are refused.", "Run `siyuan-puppy resume`."))
}

/// The one folder for the files of agents. Its path is a person's matter.
fn transfer(folder: &str) -> Finding {
    const ABOUT: &str = "transfer folder";
    const FIX: &str = "Choose another folder in SiYuan: MCP Puppy, Advanced.";
    let path = Path::new(folder.trim());
    if folder.trim().is_empty() {
        return Finding::good(ABOUT, "Not set, so agents cannot access files on this machine.");
    }
    match std::fs::metadata(path) {
        _ if !path.is_absolute() => Finding::bad(ABOUT, "The path is not absolute.", FIX),
        Ok(found) if !found.is_dir() => Finding::bad(ABOUT, "The path is not a folder.", FIX),
        Ok(_) if tempfile::tempfile_in(path).is_err() => {
            Finding::note(ABOUT, "The folder exists, but this user cannot write to it.", FIX)
        }
        Ok(_) => Finding::good(ABOUT, "The folder exists and is writable."),
        Err(error) => Finding::bad(ABOUT, format!("The folder cannot be used: {}.", error.kind()), FIX),
    }
}

/// The error in a sentence.
pub(super) fn words(error: KernelError) -> String {
    visible::shown(&ToolError::from(error).message).into_owned()
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
        let told = |version: &str| versions(version, "http://127.0.0.1:1", "--url");
        assert_eq!((told("3.7.3").len(), told("3.7.3")[0].state), (1, State::Good));
        assert_eq!((told("3.6.5")[0].state, told("3.6.5")[0].fix.as_str()), (State::Note, "Update SiYuan."));
        let newer = told("9.0.0");
        assert!(
            newer[0].says.contains("untried") && newer.len() == 1 + Siyuan::told("9.0.0").differences().len()
        );
        assert!(!told("1\u{1b}[31m")[0].says.contains('\u{1b}'));
    }
}
