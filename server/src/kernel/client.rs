//! The HTTP client that the kernel and the relay share.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

use crate::trust::Trust;
use crate::words::FileWords;

/// The time allowed to establish a connection.
pub(crate) const CONNECT: Duration = Duration::from_secs(3);

/// A client that sends this authorization header to one server, verified as `trust` says.
///
/// # Errors
/// Returns a sentence for the user.
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
        // Neither a proxy nor the target of a redirect may receive the token.
        .no_proxy()
        .redirect(Policy::none()))
}

/// Builds the client.
///
/// # Errors
/// Returns a sentence for the user.
pub(crate) fn build(builder: ClientBuilder) -> Result<Client, String> {
    builder.build().map_err(|_| FileWords::here().no_http_client().to_owned())
}
