//! The options of `siyuan-puppy http`: its address, the callers it admits, and the limits on clients.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};

use super::environment;
use crate::discover::Address;
use crate::http::{AllowList, BearerToken, Limits, PORT, Settings, Tls};
use crate::relay::Remote;
use crate::trust::Trust;
use crate::words::{ServerHelp, SetupWords, StartWords, UsageWords};

pub(super) fn command() -> Command {
    let (defaults, words) = (Limits::default(), ServerHelp::here());
    let file = |arg: Arg| arg.value_hint(ValueHint::FilePath).value_parser(value_parser!(PathBuf));
    let list = |arg: Arg| arg.action(ArgAction::Append).value_delimiter(',');
    let after = format!("{}\n\n{}", words.http_more(), words.http_token());
    let (access, encryption, lifetime) = (words.access(), words.encryption(), words.lifetime());
    Command::new("http").about(words.http()).after_help(after).args(place()).args([
        file(option("mcp-token-file", "FILE", "SIYUAN_MCP_TOKEN_FILE", access)).help(words.token_file()),
        list(option("allow-origin", "ORIGIN", "SIYUAN_MCP_ALLOW_ORIGIN", access)).help(words.allow_origin()),
        list(option("allow-host", "NAME", "SIYUAN_MCP_ALLOW_HOST", access)).help(words.allow_host()),
        option("tls", "WORD", "SIYUAN_MCP_TLS", encryption)
            .value_parser(["generate"])
            .hide_possible_values(true)
            .help(words.tls()),
        file(option("tls-cert", "PEM", "SIYUAN_MCP_TLS_CERT", encryption))
            .conflicts_with("tls")
            .requires("tls-key")
            .help(words.tls_cert()),
        file(option("tls-key", "PEM", "SIYUAN_MCP_TLS_KEY", encryption))
            .requires("tls-cert")
            .help(words.tls_key()),
        option("session-idle", "TIME", "SIYUAN_MCP_SESSION_IDLE", words.limits())
            .value_parser(duration)
            .default_value("8h")
            .help(words.session_idle()),
        option("sessions", "N", "SIYUAN_MCP_SESSIONS", words.limits())
            .value_parser(value_parser!(u64).range(1..=65_536))
            .default_value(defaults.sessions.to_string())
            .help(words.sessions()),
        parent_pid().help_heading(lifetime),
        option("watch-stdin", "", "SIYUAN_MCP_WATCH_STDIN", lifetime)
            .action(ArgAction::SetTrue)
            .help(words.watch_stdin()),
    ])
}

/// The options that say where a server listens.
pub(super) fn place() -> [Arg; 2] {
    let words = ServerHelp::here();
    [
        option("host", "IP", "SIYUAN_MCP_HOST", words.address())
            .default_value("127.0.0.1")
            .help(words.host()),
        option("port", "N", "SIYUAN_MCP_PORT", words.address())
            .value_parser(value_parser!(u16))
            .default_value(PORT.to_string())
            .help(words.port()),
    ]
}

fn option(name: &'static str, value: &'static str, variable: &'static str, heading: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).env(variable).hide_env_values(true).help_heading(heading)
}

/// The option `--parent-pid` of both servers.
pub(super) fn parent_pid() -> Arg {
    Arg::new("parent-pid")
        .long("parent-pid")
        .value_name("PID")
        .value_parser(value_parser!(u32))
        .help(ServerHelp::here().parent_pid())
}

/// Reads the settings.
///
/// # Errors
/// Returns a sentence for the user.
pub(super) fn settings(matches: &ArgMatches, page: Address) -> Result<Settings, String> {
    let text = |name: &str| matches.get_one::<String>(name).map(|it| it.trim()).filter(|it| !it.is_empty());
    let path = |name: &str| matches.get_one::<PathBuf>(name).cloned();
    let list = |name: &str| -> Vec<String> {
        let given = matches.get_many::<String>(name).into_iter().flatten();
        given.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
    };
    let address = address(matches)?;
    let host = address.ip();
    let allowed = AllowList::new(&list("allow-host"), &list("allow-origin"))?.with_page(page);
    let tls = match (text("tls"), path("tls-cert").zip(path("tls-key"))) {
        (Some(_), _) => Tls::Local { folder: environment::data_folder()?, names: allowed.names(host) },
        (None, Some((cert, key))) => Tls::Files { cert, key },
        (None, None) => Tls::Off,
    };
    let mut limits = Limits::default();
    if let Some(idle) = matches.get_one("session-idle") {
        limits.idle = *idle;
    }
    if let Some(sessions) = matches.get_one::<u64>("sessions") {
        limits.sessions = usize::try_from(*sessions).unwrap_or(limits.sessions);
    }
    Ok(Settings {
        host,
        port: address.port(),
        token: token(path("mcp-token-file").as_deref())?,
        allowed,
        tls,
        limits,
        ..Settings::default()
    })
}

/// Reads where a server listens.
///
/// # Errors
/// Returns a sentence for the user.
pub(super) fn address(matches: &ArgMatches) -> Result<SocketAddr, String> {
    let host = matches.get_one::<String>("host").map(|it| it.trim()).filter(|it| !it.is_empty());
    let port = matches.get_one("port").copied().unwrap_or(PORT);
    Ok(SocketAddr::new(host.map_or(Ok(Ipv4Addr::LOCALHOST.into()), ip)?, port))
}

fn ip(given: &str) -> Result<IpAddr, String> {
    let given = if given.eq_ignore_ascii_case("localhost") { "127.0.0.1" } else { given };
    given.trim_matches(['[', ']']).parse().map_err(|_| SetupWords::here().bad_host().to_owned())
}

/// The options that make `stdio` a relay to an HTTP server.
pub(super) fn connecting() -> [Arg; 2] {
    let words = ServerHelp::here();
    [
        Arg::new("connect")
            .long("connect")
            .value_name("URL")
            .env("SIYUAN_MCP_CONNECT")
            .hide_env_values(true)
            .help_heading(words.running_server())
            .help(words.connect()),
        Arg::new("mcp-token-file")
            .long("mcp-token-file")
            .value_name("FILE")
            .env("SIYUAN_MCP_TOKEN_FILE")
            .hide_env_values(true)
            .value_hint(ValueHint::FilePath)
            .value_parser(value_parser!(PathBuf))
            .help_heading(words.running_server())
            .help(words.connect_token()),
    ]
}

/// The server that `stdio` connects to, if one was named.
///
/// # Errors
/// Returns a sentence for the user.
pub(super) fn remote(matches: &ArgMatches, trust: &Trust) -> Result<Option<Remote>, String> {
    let Some(url) = matches.get_one::<String>("connect").filter(|it| !it.trim().is_empty()) else {
        return Ok(None);
    };
    let token = token(matches.get_one::<PathBuf>("mcp-token-file").map(PathBuf::as_path))?;
    // The name was meant to limit the client, and a relay cannot pass it on.
    if environment::agent().is_some() && !token.as_ref().is_some_and(BearerToken::is_of_agent) {
        return Err(StartWords::here().name_without_token().to_owned());
    }
    Remote::new(url, token.as_ref(), trust).map(Some)
}

/// The token that callers must send: a file wins over the environment. An empty token is an error, not an open door.
fn token(file: Option<&Path>) -> Result<Option<BearerToken>, String> {
    let Some(path) = file else { return environment::bearer() };
    let text =
        std::fs::read_to_string(path).map_err(|error| StartWords::here().token_file_failed(error.kind()))?;
    BearerToken::new(&text).map(Some).ok_or_else(|| StartWords::here().token_file_empty().to_owned())
}

/// Parses a number with its unit.
fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len()));
    let unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return Err(UsageWords::here().bad_unit().to_owned()),
    };
    let seconds = number.parse::<u32>().ok().filter(|it| *it > 0).map(u64::from);
    seconds
        .map(|it| Duration::from_secs(it * unit))
        .filter(|it| *it <= Duration::from_secs(365 * 24 * 60 * 60))
        .ok_or_else(|| UsageWords::here().bad_time().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration(" 8h "), Ok(Duration::from_secs(28_800)));
        for wrong in ["", "8", "h", "0s", "8 h", "-1s", "1w", "9999999999d", "366d"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    /// Every variable read here is known, so that it is not refused as misspelt (B-236).
    #[test]
    fn every_variable_read_is_a_known_variable() {
        let command = command();
        for variable in command.get_arguments().filter_map(|it| it.get_env()?.to_str()) {
            assert!(environment::KNOWN.contains(&variable), "{variable}");
        }
    }
}
