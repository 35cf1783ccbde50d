//! Settings from the environment, read once; an unknown variable with our prefix is refused, not ignored (B-236).

use std::path::PathBuf;

use puppy_core::render::visible;

use crate::discover::{self, Address};
use crate::folders;
use crate::http::BearerToken;
use crate::kernel::Options;
use crate::profiles::{Profiles, unfolded};
use crate::trust::Trust;

/// Every variable with our prefix that has a meaning.
pub(super) const KNOWN: [&str; 17] = [
    "SIYUAN_MCP_ALLOW_HOST",
    "SIYUAN_MCP_ALLOW_ORIGIN",
    "SIYUAN_MCP_CA_FILE",
    "SIYUAN_MCP_CONFIRM",
    "SIYUAN_MCP_CONNECT",
    "SIYUAN_MCP_HOST",
    "SIYUAN_MCP_LOG",
    "SIYUAN_MCP_PARENT_PID",
    "SIYUAN_MCP_PORT",
    "SIYUAN_MCP_SESSIONS",
    "SIYUAN_MCP_SESSION_IDLE",
    "SIYUAN_MCP_TLS",
    "SIYUAN_MCP_TLS_CERT",
    "SIYUAN_MCP_TLS_KEY",
    "SIYUAN_MCP_TOKEN",
    "SIYUAN_MCP_TOKEN_FILE",
    "SIYUAN_MCP_WATCH_STDIN",
];
/// The prefix of our variables.
const OURS: &str = "SIYUAN_MCP_";

/// The options of the command line that name a kernel.
#[derive(Debug, Clone, Default)]
pub(super) struct Given {
    pub(super) url: Option<String>,
    pub(super) token_file: Option<PathBuf>,
    pub(super) ca_file: Option<PathBuf>,
    pub(super) profile: Option<String>,
}

/// The kernel to call, and where its address and its token come from.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) options: Options,
    pub(super) address_from: AddressFrom,
    pub(super) token_from: Option<String>,
}

/// Where the address of a kernel comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AddressFrom {
    Flag,
    Variable,
    Profile(String),
    /// It is looked up whenever it is needed.
    Machine,
}

impl AddressFrom {
    /// The source in words.
    pub(super) fn words(&self) -> String {
        match self {
            AddressFrom::Flag => "--url".to_owned(),
            AddressFrom::Variable => "SIYUAN_API_URL".to_owned(),
            AddressFrom::Profile(name) => format!("profile {}", visible::shown(name)),
            AddressFrom::Machine if discover::found().is_empty() => "the usual address".to_owned(),
            AddressFrom::Machine => "found on this machine".to_owned(),
        }
    }
}

impl Given {
    /// The profile that was named for this command or for this shell.
    pub(super) fn named(&self) -> Option<String> {
        self.profile.clone().or_else(|| variable("SIYUAN_PROFILE"))
    }
}

/// The kernel of a command: an address and a token go together, so that one kernel's token is never sent to another
/// (B-094). A profile that is named wins over the environment, and the environment over the current profile.
pub(super) fn chosen(given: &Given) -> Result<Chosen, String> {
    let [url, token] = ["SIYUAN_API_URL", "SIYUAN_TOKEN"].map(variable);
    let named = if url.is_some() { given.profile.clone() } else { given.named() };
    let profile = match (&given.url, named) {
        (Some(_), _) if given.profile.is_some() => {
            return Err("--url and --profile name two kernels. Give one of them.".to_owned());
        }
        (Some(_), _) => None,
        (None, Some(name)) => {
            let profile = Profiles::read()?.named(&name)?.clone();
            Some((name, profile))
        }
        (None, None) if url.is_some() => None,
        (None, None) => {
            let profiles = Profiles::read()?;
            let name = profiles.current.clone();
            name.map(|name| profiles.named(&name).cloned().map(|it| (name, it))).transpose()?
        }
    };
    let mut from = Chosen::without_profile(given, url.as_deref(), token)?;
    if let Some((name, profile)) = profile {
        let its_url = profile.url.as_deref().ok_or_else(|| {
            format!("The profile {name} has no address: siyuan-puppy config set url ADDRESS --profile {name}")
        })?;
        from.options.address = Address::new(Some(its_url), None)?;
        from.address_from = AddressFrom::Profile(name.clone());
        if given.token_file.is_none() {
            from.options.token = profile.token(&name)?;
            from.token_from = profile.has_token().then(|| format!("profile {name}"));
        }
        if given.ca_file.is_none()
            && let Some(file) = &profile.ca_file
        {
            from.options.trust = Trust::only(&unfolded(file))?;
        }
    }
    Ok(from)
}

impl Chosen {
    fn without_profile(given: &Given, url: Option<&str>, token: Option<String>) -> Result<Chosen, String> {
        let address = Address::new(given.url.as_deref(), url)?;
        let address_from = match (&given.url, url) {
            (Some(_), _) => AddressFrom::Flag,
            (None, Some(_)) => AddressFrom::Variable,
            (None, None) => AddressFrom::Machine,
        };
        let (token, token_from) = match &given.token_file {
            Some(path) => {
                let read = std::fs::read_to_string(path).map_err(|error| {
                    format!("The file given with --token-file cannot be read: {}.", error.kind())
                })?;
                (Some(read.trim().to_owned()), Some("--token-file".to_owned()))
            }
            None => (token.clone(), token.map(|_| "SIYUAN_TOKEN".to_owned())),
        };
        let trust = given.ca_file.as_deref().map_or(Ok(Trust::default()), Trust::only)?;
        let options = Options { trust, ..Options::new(address, token) };
        Ok(Chosen { options, address_from, token_from })
    }
}

/// The token that callers of the sidecar must send, if set.
pub(super) fn bearer() -> Result<Option<BearerToken>, String> {
    let Some(text) = variable("SIYUAN_MCP_TOKEN") else { return Ok(None) };
    let token = BearerToken::new(&text);
    token.map(Some).ok_or_else(|| "SIYUAN_MCP_TOKEN must be visible ASCII without spaces.".to_owned())
}

/// The folder for this user's data on this machine.
pub(super) fn data_folder() -> Result<PathBuf, String> {
    folders::data().ok_or_else(|| {
        "This user has no home folder; give a certificate with --tls-cert and --tls-key.".to_owned()
    })
}

/// The parent process whose end stops this one: from the flag, then from the environment.
pub(super) fn parent(flag: Option<u32>) -> Result<Option<u32>, String> {
    match (flag, variable("SIYUAN_MCP_PARENT_PID")) {
        (Some(pid), _) => Ok(Some(pid)),
        (None, Some(text)) => match text.parse() {
            Ok(pid) => Ok(Some(pid)),
            Err(_) => Err("SIYUAN_MCP_PARENT_PID must be the id of a process.".to_owned()),
        },
        (None, None) => Ok(None),
    }
}

/// Refuses a misspelt variable with our prefix: a silently ignored setting costs an evening.
pub(super) fn check() -> Result<(), String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    match names.into_iter().find(|name| is_unknown(name)) {
        Some(name) => {
            let near = puppy_core::args::nearest(&name, KNOWN.iter().copied());
            let near = near.map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
            Err(format!("{name} is no setting of siyuan-puppy.{near} There are {}.", KNOWN.join(", ")))
        }
        None => Ok(()),
    }
}

fn is_unknown(name: &str) -> bool {
    name.starts_with(OURS) && !KNOWN.contains(&name)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-236: only misspelt variables with our prefix are refused.
    #[test]
    fn misspelt_variables_with_our_prefix_are_refused() {
        assert!(is_unknown("SIYUAN_MCP_TOKEM"));
        assert!(!is_unknown("SIYUAN_MCP_TOKEN") && !is_unknown("SIYUAN_API_URL") && !is_unknown("PATH"));
    }
}
