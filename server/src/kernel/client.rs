//! The HTTP client of both who call: the kernel's and the bridge's.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

use crate::trust::Trust;

/// How long a connection may take to stand.
pub(crate) const CONNECT: Duration = Duration::from_secs(3);

/// A client that sends this header of authorization to one server, believed as `trust` says.
///
/// # Errors
/// With a sentence for the user.
pub(crate) fn builder(
    encrypted: bool,
    authorization: Option<HeaderValue>,
    trust: &Trust,
) -> Result<ClientBuilder, String> {
    let mut headers = HeaderMap::new();
    if let Some(mut value) = authorization {
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(Client::builder()
        .default_headers(headers)
        .tls_backend_preconfigured(trust.greeting(encrypted)?)
        .connect_timeout(CONNECT)
        .tcp_nodelay(true)
        // Neither a proxy nor the target of a redirect may see the token.
        .no_proxy()
        .redirect(Policy::none()))
}

/// The client itself.
///
/// # Errors
/// With a sentence for the user.
pub(crate) fn build(builder: ClientBuilder) -> Result<Client, String> {
    builder.build().map_err(|_| "The HTTP client could not be set up.".to_owned())
}
