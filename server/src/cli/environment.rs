//! Settings from the environment, read once; an unknown variable with our prefix is refused, not ignored (B-236).

use std::path::{Path, PathBuf};

use crate::discover::Address;
use crate::http::BearerToken;
use crate::kernel::Options;
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

/// The kernel's settings from the flags and the environment.
pub(super) fn kernel(
    url: Option<&str>,
    token_file: Option<&Path>,
    ca_file: Option<&Path>,
) -> Result<Options, String> {
    let address = Address::new(url, variable("SIYUAN_API_URL").as_deref())?;
    let token = match token_file {
        Some(path) => Some(
            std::fs::read_to_string(path)
                .map_err(|error| format!("The file given with --token-file cannot be read: {error}."))?
                .trim()
                .to_owned(),
        ),
        None => variable("SIYUAN_TOKEN"),
    };
    let trust = ca_file.map_or(Ok(Trust::default()), Trust::only)?;
    Ok(Options { trust, ..Options::new(address, token) })
}

/// The token that callers of the sidecar must send, if set.
pub(super) fn bearer() -> Result<Option<BearerToken>, String> {
    let Some(text) = variable("SIYUAN_MCP_TOKEN") else { return Ok(None) };
    let token = BearerToken::new(&text);
    token.map(Some).ok_or_else(|| "SIYUAN_MCP_TOKEN must be visible ASCII without spaces.".to_owned())
}

/// The folder for this user's data on this machine.
pub(super) fn data_folder() -> Result<PathBuf, String> {
    use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
    let strategy = choose_native_strategy().map_err(|_| {
        "This user has no home folder; give a certificate with --tls-cert and --tls-key.".to_owned()
    })?;
    Ok(strategy.data_dir().join("siyuan-mcp-puppy"))
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
