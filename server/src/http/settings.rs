//! What a person can set about the HTTP server, with what holds when nothing was said.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::{Allowed, BearerToken, PORT};

/// How the server listens and whom it lets in.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address of this machine to listen at.
    pub host: IpAddr,
    /// The port; 0 takes any free one.
    pub port: u16,
    /// What callers must send; without it what the settings in SiYuan say.
    pub token: Option<BearerToken>,
    /// Whether the settings in SiYuan ask for a token.
    pub asks_in_siyuan: bool,
    /// Whose `Host` and `Origin` are taken.
    pub allowed: Allowed,
    /// Whether and how to encrypt.
    pub tls: Tls,
    /// What a stranger may use up.
    pub limits: Limits,
}

impl Settings {
    /// Whether callers must send a token, wherever it comes from.
    pub(super) fn asks_for_token(&self) -> bool {
        self.token.is_some() || self.asks_in_siyuan
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            host: IpAddr::from([127, 0, 0, 1]),
            port: PORT,
            token: None,
            asks_in_siyuan: false,
            allowed: Allowed::default(),
            tls: Tls::Off,
            limits: Limits::default(),
        }
    }
}

/// Where the certificate comes from.
#[derive(Debug, Clone, Default)]
pub enum Tls {
    /// Plain HTTP.
    #[default]
    Off,
    /// A person's own PEM files.
    Files {
        /// The chain, the server's own certificate first.
        cert: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
    /// One that is made here.
    Local {
        /// Where it is kept.
        folder: PathBuf,
        /// Names and addresses it is for, beside those by which this machine calls itself.
        names: Vec<String>,
    },
}

/// What a stranger may use up.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of a request.
    pub body: usize,
    /// Sessions at a time; the one unused for longest goes first.
    pub sessions: usize,
    /// How long an unused session is kept: clients seldom greet anew.
    pub idle: Duration,
    /// Calls at once in one session.
    pub calls: usize,
    /// Calls at once of all callers without a session.
    pub stateless_calls: usize,
    /// Connections at a time; further ones wait.
    pub connections: usize,
    /// Streams at a time that stay open without a call: the other connections are left for calls.
    pub streams: usize,
    /// Of these in one session, and of callers with the same token.
    pub streams_each: usize,
    /// How long a client may take nothing of what is sent to it.
    pub write_time: Duration,
    /// How long the head of a request may take, and how long a connection may stay unused.
    pub head_time: Duration,
    /// How long the body of a request may take, and a greeting in TLS.
    pub body_time: Duration,
}

impl Default for Limits {
    /// B-134, B-141.
    fn default() -> Self {
        Limits {
            body: 4 * 1024 * 1024,
            sessions: 256,
            idle: Duration::from_secs(8 * 60 * 60),
            calls: 64,
            stateless_calls: 256,
            connections: 1_024,
            streams: 512,
            streams_each: 16,
            write_time: Duration::from_secs(30),
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(30),
        }
    }
}
