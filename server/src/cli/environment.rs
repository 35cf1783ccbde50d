//! Settings from the environment, read once; an unknown variable with our prefix is refused, not ignored (B-236).

use std::path::PathBuf;

use crate::discover::{self, Address};
use crate::folders;
use crate::http::BearerToken;
use crate::kernel::Options;
use crate::profiles::{Profile, Profiles, PromptPolicy, Source, unfolded};
use crate::trust::Trust;
use crate::words::{ErrorWords, SetupWords, StartWords, comma, gap};

/// Every variable with our prefix that has a meaning.
pub(super) const KNOWN: [&str; 18] = [
    "SIYUAN_MCP_AGENT",
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
pub(super) struct KernelOptions {
    pub(super) url: Option<String>,
    pub(super) token_file: Option<PathBuf>,
    pub(super) ca_file: Option<PathBuf>,
    pub(super) profile: Option<String>,
}

/// The kernel to call, and where its address and its token come from. The token is looked up when it is needed.
#[derive(Debug)]
pub(super) struct KernelAccess {
    pub(super) address: Address,
    pub(super) address_from: AddressFrom,
    token: TokenFrom,
    ca_file: Option<PathBuf>,
}

/// The source of a kernel's token.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TokenFrom {
    Nowhere,
    Flag(PathBuf),
    Variable,
    /// The profile of a name.
    Profile(String, Source),
}

/// The source of a kernel's address.
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
            AddressFrom::Profile(name) => SetupWords::here().of_profile(name),
            AddressFrom::Machine if discover::found().is_empty() => {
                SetupWords::here().default_address().to_owned()
            }
            AddressFrom::Machine => SetupWords::here().found_here().to_owned(),
        }
    }
}

impl KernelOptions {
    /// The profile that was named for this command or for this shell.
    pub(super) fn named(&self) -> Option<String> {
        self.profile.clone().or_else(|| variable("SIYUAN_PROFILE"))
    }

    /// Refuses options that name two kernels.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.url.is_some() && self.profile.is_some() {
            return Err(SetupWords::here().two_kernels().to_owned());
        }
        Ok(())
    }
}

/// The kernel of a command: an address and a token go together, so that one kernel's token is never sent to another
/// (B-094). A profile that is named wins over the environment, and the environment over the current profile.
pub(super) fn kernel_access(options: &KernelOptions) -> Result<KernelAccess, String> {
    options.check()?;
    let url = variable("SIYUAN_API_URL");
    let (address, address_from, profile) = match (&options.url, &options.profile, &url) {
        (Some(flag), _, _) => (Address::given(flag)?, AddressFrom::Flag, None),
        (None, None, Some(url)) => (Address::given(url)?, AddressFrom::Variable, None),
        (None, _, _) => match profile(options)? {
            Some((name, profile)) => {
                (Address::given(&profile.url)?, AddressFrom::Profile(name), Some(profile))
            }
            None => (Address::Found, AddressFrom::Machine, None),
        },
    };
    let is_same = |url: &String| Address::given(url).is_ok_and(|it| it == address);
    let token = match (&options.token_file, &address_from, profile.as_ref().map(|it| it.token.clone())) {
        (Some(file), _, _) => TokenFrom::Flag(file.clone()),
        (None, AddressFrom::Profile(name), Some(Some(source))) => TokenFrom::Profile(name.clone(), source),
        (None, _, Some(_)) => TokenFrom::Nowhere,
        // The variables belong together, too.
        (None, _, None) if url.as_ref().is_none_or(is_same) && variable("SIYUAN_TOKEN").is_some() => {
            TokenFrom::Variable
        }
        (None, _, None) => TokenFrom::Nowhere,
    };
    let ca_file = options.ca_file.clone().or_else(|| Some(unfolded(profile?.ca_file.as_ref()?)));
    Ok(KernelAccess { address, address_from, token, ca_file })
}

/// The profile that was named, else the current one.
fn profile(options: &KernelOptions) -> Result<Option<(String, Profile)>, String> {
    let profiles = Profiles::read()?;
    let name = match (options.named(), &profiles.current) {
        (Some(name), _) => name,
        (None, Some(name)) if options.token_file.is_some() => {
            return Err(SetupWords::here().token_for_profile(name));
        }
        (None, Some(name)) => name.clone(),
        (None, None) => return Ok(None),
    };
    let profile = profiles.named(&name)?.clone();
    Ok(Some((name, profile)))
}

impl KernelAccess {
    /// The source of the token in words; `None` without a token.
    pub(super) fn token_from(&self) -> Option<String> {
        match &self.token {
            TokenFrom::Nowhere => None,
            TokenFrom::Flag(_) => Some("--token-file".to_owned()),
            TokenFrom::Variable => Some("SIYUAN_TOKEN".to_owned()),
            TokenFrom::Profile(name, _) => Some(SetupWords::here().of_profile(name)),
        }
    }

    /// The options for calling the kernel.
    ///
    /// # Errors
    /// Returns a sentence for the user if the token or the certificates cannot be read.
    pub(super) fn options(&self, asking: PromptPolicy) -> Result<Options, String> {
        let token = match &self.token {
            TokenFrom::Nowhere => None,
            TokenFrom::Flag(path) => {
                let read = std::fs::read_to_string(path)
                    .map_err(|error| SetupWords::here().token_file_failed(error.kind()))?;
                Some(read.trim().to_owned())
            }
            TokenFrom::Variable => variable("SIYUAN_TOKEN"),
            TokenFrom::Profile(name, source) => Some(source.token(name, asking)?),
        };
        let trust = self.ca_file.as_deref().map_or(Ok(Trust::default()), Trust::only)?;
        Ok(Options { trust, ..Options::new(self.address.clone(), token) })
    }
}

/// The token that callers of the sidecar must send, if set.
pub(super) fn bearer() -> Result<Option<BearerToken>, String> {
    let Some(text) = variable("SIYUAN_MCP_TOKEN") else { return Ok(None) };
    let token = BearerToken::new(&text);
    token.map(Some).ok_or_else(|| StartWords::here().bad_token().to_owned())
}

/// The folder for this user's data on this machine.
pub(super) fn data_folder() -> Result<PathBuf, String> {
    folders::data().ok_or_else(|| StartWords::here().no_certificate_folder().to_owned())
}

/// The name of the agent that this process serves over stdio, if a person gave it one.
pub(super) fn agent() -> Option<String> {
    variable("SIYUAN_MCP_AGENT").map(|it| it.trim().to_owned()).filter(|it| !it.is_empty())
}

/// The parent process whose end stops this one: from the flag, then from the environment.
pub(super) fn parent(flag: Option<u32>) -> Result<Option<u32>, String> {
    match (flag, variable("SIYUAN_MCP_PARENT_PID")) {
        (Some(pid), _) => Ok(Some(pid)),
        (None, Some(text)) => match text.parse() {
            Ok(pid) => Ok(Some(pid)),
            Err(_) => Err(StartWords::here().bad_parent().to_owned()),
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
            let near = near.map(|near| format!("{}{}", gap(), ErrorWords::here().did_you_mean(near)));
            let known = KNOWN.join(comma());
            Err(SetupWords::here().no_variable(name, near.unwrap_or_default(), known))
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
