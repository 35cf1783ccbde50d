//! The sentences about a connection.

use puppy_core::visible;
use puppy_mcp_client::connection::ConnectionView;
use puppy_mcp_client::failure::Failure;
use puppy_mcp_client::phase::{Phase, State};
use puppy_mcp_client::saved::PastedServers;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::servers::ServerWords;

use super::servers::Unfit;

/// A text of a server as a person sees it, with codes for characters that are hidden or turn the direction of text: they
/// could make a name look like another one (B-039).
pub fn seen(text: &str) -> String {
    visible::shown(text).into_owned()
}

/// The state of a connection in words.
pub fn state(words: &ServerWords, shown: &ConnectionView) -> String {
    match &shown.state {
        State::Idle => words.idle.to_owned(),
        State::Connecting => {
            let phase = shown.steps.last().map_or(Phase::Creating, |it| it.phase);
            fill(words.connecting, &[("phase", phase_name(words, phase))])
        }
        State::Connected => words.connected.to_owned(),
        State::Retrying { tries, .. } => {
            let why = shown.steps.iter().rev().find_map(|it| it.why.as_ref());
            let why = why.map(|it| reason(words, it)).unwrap_or_default();
            fill(words.retrying, &[("n", &tries.to_string()), ("why", &why)])
        }
        State::Failed { in_phase, why } => {
            fill(words.failed, &[("phase", phase_name(words, *in_phase)), ("why", &reason(words, why))])
        }
        State::Closed => words.switched_off.to_owned(),
    }
}

/// The name of a phase.
pub const fn phase_name(words: &ServerWords, phase: Phase) -> &'static str {
    match phase {
        Phase::Creating => words.creating,
        Phase::Ready => words.ready,
        Phase::Initialising => words.initialising,
        Phase::Exchanged => words.exchanged,
        Phase::Listing => words.listing,
        Phase::Connected => words.connected,
        Phase::Disconnected => words.disconnected,
        Phase::Failed => words.error,
    }
}

/// The reason for a failure, followed by the server's own message.
pub fn reason(words: &ServerWords, why: &Failure) -> String {
    let (text, detail) = match why {
        Failure::Stopped => (words.why_stopped, String::new()),
        Failure::TimedOut(ms) => (words.why_timed_out, (ms / 1_000).to_string()),
        Failure::Unreachable(said) => (words.why_unreachable, said.clone()),
        Failure::Broken => (words.why_broken, String::new()),
        Failure::NoSession => (words.why_no_session, String::new()),
        Failure::Redirected => (words.why_redirected, String::new()),
        Failure::Http { status: 401, said } => (words.why_unauthorized, said.clone()),
        Failure::Http { status: 403, said } => (words.why_forbidden, said.clone()),
        Failure::Http { status, said } => (words.why_http, format!("{status} {said}")),
        Failure::Rpc(error) => (words.why_rpc, format!("{} {}", error.code, error.message)),
        Failure::NoRevision(named) => (words.why_no_revision, named.join(", ")),
        Failure::NeedsInput => (words.why_needs_input, String::new()),
        Failure::Unreadable(said) => (words.why_unreadable, said.clone()),
        Failure::NotConnected => (words.why_not_connected, String::new()),
    };
    fill(text, &[("detail", &seen(&detail))]).trim().to_owned()
}

/// The reason why a server cannot be saved.
pub const fn unfit(words: &ServerWords, why: Unfit) -> &'static str {
    match why {
        Unfit::NoName => words.no_name,
        Unfit::Taken => words.taken,
        Unfit::NoAddress => words.no_address,
        Unfit::Private => words.private,
        Unfit::NoHeader => words.no_header,
    }
}

/// The outcome of pasting a configuration.
pub fn pasted(words: &ServerWords, comma: &str, pasted: &PastedServers) -> String {
    let servers: Vec<String> = pasted.servers.iter().map(|it| it.name.clone()).collect();
    let changes =
        [(words.added, &servers), (words.programs, &pasted.programs), (words.unreadable, &pasted.unreadable)];
    let changes = changes.into_iter().filter(|(_, names)| !names.is_empty());
    changes.map(|(text, names)| fill(text, &[("names", &names.join(comma))])).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-202, B-203: wrong port and wrong token read differently, each with its phase.
    #[test]
    fn a_failure_is_told_with_its_phase_and_its_reason() {
        let words = ServerWords::of("en");
        let failed = |in_phase, why| {
            let state = State::Failed { in_phase, why };
            super::state(
                words,
                &ConnectionView { state, steps: Vec::new(), greeting: None, latency_ms: None },
            )
        };
        let refused = Failure::Http { status: 401, said: "Unauthorized".into() };
        assert!(
            failed(Phase::Initialising, refused)
                .contains("negotiating the protocol”: the server refused the token")
        );
        let away = Failure::Unreachable("Failed to fetch".into());
        assert!(failed(Phase::Creating, away).contains("first request”: no server answers"));
    }

    /// B-039: the message of a server cannot turn the direction of the line.
    #[test]
    fn the_message_of_a_server_shows_hidden_characters_as_codes() {
        let said = reason(ServerWords::of("en"), &Failure::Unreadable("\u{202e}gpj.exe".into()));
        assert!(said.contains("⟨U+202E⟩gpj.exe"), "{said}");
    }

    #[test]
    fn a_pasted_configuration_is_answered_part_by_part() {
        let words = ServerWords::of("en");
        let pasted = PastedServers {
            servers: Vec::new(),
            programs: vec!["a".into(), "b".into()],
            unreadable: Vec::new(),
        };
        assert_eq!(
            super::pasted(words, ", ", &pasted),
            "A page cannot start programs, so these were skipped: a, b."
        );
    }
}
