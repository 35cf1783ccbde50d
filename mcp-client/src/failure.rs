//! The reasons why something did not succeed.

use std::fmt;

use crate::message::RpcError;

/// A reason. The sentences that `Display` writes are English and for logs; a view words each kind itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// A person stopped it, or the connection was closed.
    Stopped,
    /// There was no answer within this time, in milliseconds.
    TimedOut(u64),
    /// Nothing answers at the address. In a page this may also be a server that does not admit the page's origin.
    Unreachable(String),
    /// The connection broke before the answer came, so it is unknown whether the request was carried out.
    Broken,
    /// The server keeps no such session, so the request was not carried out.
    NoSession,
    /// The address redirects, which is not followed.
    Redirected,
    /// The server refused the request by HTTP.
    Http {
        /// The status.
        status: u16,
        /// The first line of the answer.
        said: String,
    },
    /// The server answered with an error.
    Rpc(RpcError),
    /// The server speaks none of our revisions; these are those that it named.
    NoRevision(Vec<String>),
    /// The server wants to ask the person, which this client has not offered.
    NeedsInput,
    /// The answer is not what the protocol asks for.
    Unreadable(String),
    /// There is no connection.
    NotConnected,
}

impl Failure {
    /// The kind in one word.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Failure::Stopped => "stopped",
            Failure::TimedOut(_) => "timed_out",
            Failure::Unreachable(_) => "unreachable",
            Failure::Broken => "broken",
            Failure::NoSession => "no_session",
            Failure::Redirected => "redirected",
            Failure::Http { status: 401, .. } => "unauthorized",
            Failure::Http { status: 403, .. } => "forbidden",
            Failure::Http { .. } => "http",
            Failure::Rpc(_) => "rpc",
            Failure::NoRevision(_) => "no_revision",
            Failure::NeedsInput => "needs_input",
            Failure::Unreadable(_) => "unreadable",
            Failure::NotConnected => "not_connected",
        }
    }

    /// Whether the same may succeed later without a person changing anything.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        match self {
            Failure::TimedOut(_) | Failure::Unreachable(_) | Failure::Broken | Failure::NoSession => true,
            Failure::Http { status, .. } => *status == 429 || *status >= 500,
            _ => false,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Stopped => f.write_str("It was stopped."),
            Failure::TimedOut(ms) => write!(f, "There was no answer within {} s.", ms / 1_000),
            Failure::Unreachable(why) => write!(f, "Nothing answers at the address: {why}"),
            Failure::Broken => f.write_str(
                "The connection broke, so it is unknown whether the request was carried out. Read before you repeat it.",
            ),
            Failure::NoSession => f.write_str("The server keeps no session for this client."),
            Failure::Redirected => f.write_str("The address redirects. Enter the address that it leads to."),
            Failure::Http { status, said } => write!(f, "The server answered {status}: {said}"),
            Failure::Rpc(error) => write!(f, "The server answered error {}: {}", error.code, error.message),
            Failure::NoRevision(named) => {
                write!(f, "The server speaks revisions that this client does not know: {}.", named.join(", "))
            }
            Failure::NeedsInput => f.write_str("The server wants to ask a question, which is not possible here."),
            Failure::Unreadable(what) => write!(f, "The answer is not what the protocol asks for: {what}"),
            Failure::NotConnected => f.write_str("There is no connection to this server."),
        }
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-208: waiting helps against what passes, and a wrong token does not pass.
    #[test]
    fn a_wrong_token_does_not_pass_and_a_server_that_is_away_does() {
        let http = |status| Failure::Http { status, said: String::new() };
        for passing in [Failure::Unreachable(String::new()), Failure::TimedOut(1), http(503), http(429)] {
            assert!(passing.may_pass(), "{passing:?}");
        }
        for lasting in [http(401), http(403), http(404), Failure::Redirected, Failure::NoRevision(Vec::new())]
        {
            assert!(!lasting.may_pass(), "{lasting:?}");
        }
        assert_eq!(
            (http(401).kind(), http(403).kind(), http(500).kind()),
            ("unauthorized", "forbidden", "http")
        );
    }
}
