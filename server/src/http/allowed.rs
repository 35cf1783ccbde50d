//! The accepted values of `Host` and `Origin`: one list for the check and for CORS, so that both agree (B-139, B-162).

use std::fmt;
use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::uri::{Authority, Uri};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

use super::auth::in_siyuan::SettingsToken;
use crate::discover::Address;
use crate::words::StartWords;

/// The names by which this machine calls itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// A refusal: the status, and a sentence that names the setting which would admit the caller (B-088).
type Refusal = (StatusCode, String);

/// The names of this server and the origins of pages that may call it, in addition to this machine's own.
#[derive(Debug, Clone, Default)]
pub struct AllowList {
    hosts: Vec<Host>,
    origins: Vec<Origin>,
    /// The origin of SiYuan's page; it may call without a token.
    page: Option<Address>,
}

impl AllowList {
    /// The lists that a person configured, in addition to this machine's own names.
    ///
    /// # Errors
    /// Returns a sentence for the user if an entry is not a host or not an origin.
    pub fn new(hosts: &[String], origins: &[String]) -> Result<AllowList, String> {
        let hosts =
            hosts.iter().map(|it| Host::parse(it).ok_or_else(|| StartWords::here().bad_allow_host(it)));
        let origins =
            origins.iter().map(|it| Origin::parse(it).ok_or_else(|| StartWords::here().bad_allow_origin(it)));
        Ok(AllowList {
            hosts: hosts.collect::<Result<_, _>>()?,
            origins: origins.collect::<Result<_, _>>()?,
            ..AllowList::default()
        })
    }

    /// Sets the origin of SiYuan's own page.
    #[must_use]
    pub fn with_page(self, page: Address) -> AllowList {
        AllowList { page: Some(page), ..self }
    }

    /// The names beyond this machine's own by which callers may reach a server on this address.
    pub(crate) fn names(&self, listening: IpAddr) -> Vec<String> {
        let address = (!listening.is_unspecified()).then(|| listening.to_string());
        let all = self.hosts.iter().map(|host| host.name.clone()).chain(address);
        all.filter(|name| !LOOPBACK.contains(&name.as_str())).collect()
    }

    /// The configured names with the ports at which callers use them: this one, unless a name has its own.
    pub(super) fn authorities(&self, port: u16) -> impl Iterator<Item = impl fmt::Display> {
        self.hosts.iter().map(move |it| Host { name: it.name.clone(), port: it.port.or(Some(port)) })
    }

    /// Adds the server's own address, which is known once it listens.
    pub(super) fn completed(mut self, listening: IpAddr) -> AllowList {
        if !listening.is_unspecified() {
            self.hosts.push(Host { name: listening.to_string(), port: None });
        }
        self
    }

    /// Checks that a request names this server, once and in every place that carries a host name.
    fn host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let bad = |why: &str| (StatusCode::BAD_REQUEST, format!("{why}\n"));
        let mut sent = headers.get_all(header::HOST).iter();
        let (Some(only), None) = (sent.next(), sent.next()) else {
            return Err(bad("A request needs exactly one Host header."));
        };
        let named =
            only.to_str().ok().and_then(Host::parse).ok_or_else(|| bad("The Host header is malformed."))?;
        let in_line = match uri.authority() {
            Some(authority) => {
                Some(Host::of(authority).ok_or_else(|| bad("The request line is malformed."))?)
            }
            None => None,
        };
        match std::iter::once(&named).chain(&in_line).find(|host| !self.is_name(host)) {
            None => Ok(()),
            Some(foreign) => Err((
                StatusCode::FORBIDDEN,
                format!(
                    "{foreign} is not a name of this server. To allow it, start siyuan-puppy with \
                     --allow-host {foreign} (or SIYUAN_MCP_ALLOW_HOST).\n"
                ),
            )),
        }
    }

    /// Whether a host is in the list. A listed port must match; this machine's own names hold for any port, because
    /// tunnels and containers map ports.
    fn is_name(&self, host: &Host) -> bool {
        LOOPBACK.contains(&host.name.as_str())
            || self.hosts.iter().any(|it| it.name == host.name && (it.port.is_none() || it.port == host.port))
    }

    /// Checks the page that sends a request; programs other than browsers send no origin.
    async fn origin(&self, headers: &HeaderMap, token: &TokenRule) -> Result<(), Refusal> {
        let mut sent = headers.get_all(header::ORIGIN).iter();
        let (first, second) = (sent.next(), sent.next());
        let Some(first) = first else { return Ok(()) };
        if second.is_none() && self.admits(first, token).await {
            return Ok(());
        }
        let origin = first.to_str().ok().and_then(Origin::parse);
        let how = match origin {
            Some(origin) if LOOPBACK.contains(&origin.host.as_str()) => format!(
                "Pages at {origin} may call only if a token is set: start siyuan-puppy with SIYUAN_MCP_TOKEN, or with --allow-origin {origin} (or SIYUAN_MCP_ALLOW_ORIGIN)."
            ),
            Some(origin) => format!(
                "Pages at {origin} are not allowed. To allow them, start siyuan-puppy with --allow-origin {origin} \
                 (or SIYUAN_MCP_ALLOW_ORIGIN)."
            ),
            None => {
                "The Origin header does not name a page that can be allowed; --allow-origin takes origins such as https://app.example."
                    .to_owned()
            }
        };
        Err((StatusCode::FORBIDDEN, format!("{how}\n")))
    }

    /// The only decision on an origin (B-162, B-163).
    async fn admits(&self, origin: &HeaderValue, token: &TokenRule) -> bool {
        let Some(origin) = origin.to_str().ok().and_then(Origin::parse) else { return false };
        self.origins.contains(&origin)
            || self.page.as_ref().is_some_and(|page| origin.is_page_of(&page.url()))
            || (LOOPBACK.contains(&origin.host.as_str()) && token.now().await)
    }
}

/// Whether callers must show a token; if so, pages of this machine may try theirs (B-163).
#[derive(Debug, Clone)]
pub(super) enum TokenRule {
    /// The server was started with a token.
    Always,
    /// The settings in SiYuan decide, and may change at any time.
    InSiyuan(SettingsToken),
    #[cfg(test)]
    Never,
}

impl TokenRule {
    async fn now(&self) -> bool {
        match self {
            TokenRule::Always => true,
            TokenRule::InSiyuan(settings) => settings.asks().await,
            #[cfg(test)]
            TokenRule::Never => false,
        }
    }
}

/// Marks a request whose origin was admitted; CORS reports this result to the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct AdmittedOrigin;

/// Admits a request that names this server and comes from an allowed page or from no page.
pub(super) async fn check(
    State((allowed, token)): State<(Arc<AllowList>, TokenRule)>,
    mut request: Request,
    next: Next,
) -> Response {
    let verdict = match allowed.host(request.uri(), request.headers()) {
        Ok(()) => allowed.origin(request.headers(), &token).await,
        refused => refused,
    };
    match verdict {
        Ok(()) => {
            request.extensions_mut().insert(AdmittedOrigin);
            next.run(request).await
        }
        Err((status, why)) => {
            tracing::info!("refused with {}: {}", status.as_u16(), why.trim_end());
            (status, why).into_response()
        }
    }
}

/// The name of a server, in lower case and without brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Host {
    name: String,
    port: Option<u16>,
}

impl Host {
    fn parse(text: &str) -> Option<Host> {
        let text = text.trim();
        let bare_v6 = text.parse::<std::net::Ipv6Addr>().map(|it| format!("[{it}]"));
        Host::of(&bare_v6.as_deref().unwrap_or(text).parse().ok()?)
    }

    /// Parses a name; a name with user information or with an invalid port is rejected.
    fn of(authority: &Authority) -> Option<Host> {
        let text = authority.as_str();
        let name = authority.host().trim_matches(['[', ']']).to_ascii_lowercase();
        let rest = text.get(authority.host().len()..)?;
        let port = authority.port_u16();
        (!name.is_empty()
            && !name.contains('*')
            && !text.contains('@')
            && (rest.is_empty() || port.is_some()))
        .then_some(Host { name, port })
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.contains(':') {
            true => write!(f, "[{}]", self.name),
            false => f.write_str(&self.name),
        }?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// The origin of a page: scheme, name and port, with the scheme's default port written out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl Origin {
    fn parse(text: &str) -> Option<Origin> {
        let (scheme, rest) = text.trim().split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let usual = usual_port(&scheme)?;
        let Host { name, port } = Host::of(&rest.strip_suffix('/').unwrap_or(rest).parse().ok()?)?;
        Some(Origin { scheme, host: name, port: port.unwrap_or(usual) })
    }

    /// Whether SiYuan, called at this address, serves pages of this origin. An address on this machine matches under
    /// any of the machine's names.
    fn is_page_of(&self, kernel: &str) -> bool {
        let Some(kernel) = Origin::parse(kernel) else { return false };
        let here = |host: &str| LOOPBACK.contains(&host);
        self.scheme == kernel.scheme
            && self.port == kernel.port
            && (self.host == kernel.host || (here(&self.host) && here(&kernel.host)))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let port = Some(self.port).filter(|port| usual_port(&self.scheme) != Some(*port));
        write!(f, "{}://{}", self.scheme, Host { name: self.host.clone(), port })
    }
}

fn usual_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn admits(allowed: &AllowList, origin: &str, token: &TokenRule) -> bool {
        allowed.admits(&HeaderValue::from_str(origin).unwrap(), token).now_or_never().unwrap()
    }

    /// B-163: without a token only SiYuan's page is admitted; with one the pages of this machine; all others by name.
    #[test]
    fn page_origins_are_admitted_with_or_without_a_token() {
        let here = IpAddr::from([127, 0, 0, 1]);
        let page = Address::Given("http://127.0.0.1:6806".to_owned());
        let listed = AllowList::new(&[], &["HTTPS://App.example".to_owned()]).unwrap().with_page(page);
        let listed = listed.completed(here);
        for (origin, without, with) in [
            ("http://127.0.0.1:6806", true, true),
            ("http://localhost:6806", true, true),
            ("http://[::1]:6806", true, true),
            ("https://127.0.0.1:6806", false, true),
            ("http://127.0.0.1:9999", false, true),
            ("https://app.example", true, true),
            ("https://app.example:443", true, true),
            ("http://app.example", false, false),
            ("https://app.example:8443", false, false),
            ("https://localhost.evil.example", false, false),
            ("http://127.0.0.1.evil.example", false, false),
            ("http://localhost:6806@evil.example", false, false),
            ("http://localhost:6806/path", false, false),
            ("null", false, false),
            ("app://obsidian.md", false, false),
            ("file://", false, false),
        ] {
            assert_eq!(admits(&listed, origin, &TokenRule::Never), without, "{origin} without a token");
            assert_eq!(admits(&listed, origin, &TokenRule::Always), with, "{origin} with a token");
        }
    }

    /// B-139: wildcards are not valid entries.
    #[test]
    fn wildcard_origins_are_refused() {
        for origin in ["*", "null", "https://*", "https://*.example", "app.example", "file://x"] {
            assert!(AllowList::new(&[], &[origin.to_owned()]).is_err(), "{origin}");
        }
        for host in ["*", "", "http://x", "user@x", "x:y", "*.example"] {
            assert!(AllowList::new(&[host.to_owned()], &[]).is_err(), "{host}");
        }
        let shown: Vec<String> = ["notes.example:8443", "::1", "[::1]:80"]
            .into_iter()
            .map(|it| Host::parse(it).unwrap().to_string())
            .collect();
        assert_eq!(shown, ["notes.example:8443", "[::1]", "[::1]:80"]);
    }
}
