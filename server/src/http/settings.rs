//! What a person can set about the HTTP server, with what holds when nothing was said.

use std::net::IpAddr;
use std::path::PathBuf;

use super::{Allowed, BearerToken, PORT};
use crate::limits::Limits;

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
