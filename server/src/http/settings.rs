//! The settings of the HTTP server, with their defaults.

use std::net::IpAddr;

use super::tls::Tls;
use super::{AllowList, BearerToken, PORT, TokenPlace};
use crate::limits::Limits;

/// The address of the server and the callers it admits.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The local address to listen on.
    pub host: IpAddr,
    /// The port; 0 takes any free one.
    pub port: u16,
    /// The token that callers must send; without one the settings in SiYuan decide.
    pub token: Option<BearerToken>,
    /// The file with the tokens of agents.
    pub tokens: TokenPlace,
    /// Whether the settings in SiYuan ask for a token.
    pub asks_in_siyuan: bool,
    /// The accepted values of `Host` and `Origin`.
    pub allowed: AllowList,
    /// Whether and how to encrypt.
    pub tls: Tls,
    /// The limits on clients.
    pub limits: Limits,
}

impl Settings {
    /// Whether callers must send a token, from either source.
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
            tokens: TokenPlace::default(),
            asks_in_siyuan: false,
            allowed: AllowList::default(),
            tls: Tls::Off,
            limits: Limits::default(),
        }
    }
}
