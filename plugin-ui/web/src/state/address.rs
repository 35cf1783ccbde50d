//! The HTTP server whose address snippets and the playground use: one of those that are connected.

use puppy_core::channel::HttpAnnouncement;

/// The connected HTTP server that snippets and the playground use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpServer {
    /// The address of its endpoint.
    pub url: String,
    /// Whether the page may call it: it is on this computer or on the page's own host.
    pub is_near: bool,
    /// Whether SiYuan started it.
    pub is_kept: bool,
}

impl HttpServer {
    /// Chooses among servers, of which the newest comes first, for a page of this origin. A server that the page may
    /// call is preferred to one elsewhere, then one that SiYuan started, then the newest.
    pub fn chosen(all: &[HttpAnnouncement], origin: &str) -> Option<HttpServer> {
        let own = host_of(&format!("{origin}/mcp")).unwrap_or_default().to_owned();
        // Of equals the first is taken, which is the newest.
        all.iter().filter_map(|it| reached(it, &own)).min_by_key(|it| (!it.is_near, !it.is_kept))
    }
}

/// The best address of a server for a page on this host: on that host, else on this computer, else the first.
fn reached(server: &HttpAnnouncement, own: &str) -> Option<HttpServer> {
    let urls = || server.urls.iter().filter_map(|url| Some((url, host_of(url)?)));
    let at_own = urls().find(|(_, host)| !own.is_empty() && host.eq_ignore_ascii_case(own));
    let near = at_own.or_else(|| urls().find(|(_, host)| is_loopback(host)));
    let (url, _) = near.or_else(|| urls().next())?;
    Some(HttpServer { url: url.clone(), is_near: near.is_some(), is_kept: server.is_kept })
}

/// The host in the address of an endpoint: `http://host:port/mcp`, with nothing that could hide another host or a secret.
fn host_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    let authority = rest.strip_suffix("/mcp")?;
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, "80"),
    };
    let is_port = port.bytes().all(|it| it.is_ascii_digit()) && port.parse::<u16>().is_ok();
    let is_name =
        |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || b"-._".contains(&it));
    let v6 = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let is_v6 =
        |it: &str| it.contains(':') && it.bytes().all(|it| it.is_ascii_hexdigit() || b":.".contains(&it));
    (is_port && v6.map_or_else(|| is_name(host), is_v6)).then_some(host)
}

/// Whether a host is this computer under every resolver: a name such as `127.example` is not.
fn is_loopback(host: &str) -> bool {
    let is_number = host.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    host.eq_ignore_ascii_case("localhost") || host == "[::1]" || (is_number && host.starts_with("127."))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "http://127.0.0.1:6806";

    fn server(urls: &[&str], is_kept: bool) -> HttpAnnouncement {
        HttpAnnouncement { urls: urls.iter().map(|&it| it.to_owned()).collect(), is_kept, age_ms: 0 }
    }

    fn url(all: &[HttpAnnouncement], origin: &str) -> Option<(String, bool)> {
        HttpServer::chosen(all, origin).map(|it| (it.url, it.is_near))
    }

    /// The server that SiYuan started comes before the newest, and both before one that the page cannot call.
    #[test]
    fn one_of_several_servers_is_chosen() {
        let manual = server(&["http://127.0.0.1:40000/mcp"], false);
        let older = server(&["http://127.0.0.1:40001/mcp"], false);
        let kept = server(&["http://127.0.0.1:36806/mcp"], true);
        let far = server(&["https://notes.example/mcp"], true);
        assert_eq!(HttpServer::chosen(&[], HERE), None);
        let all = [manual.clone(), older.clone(), far.clone()];
        let newest = HttpServer::chosen(&all, HERE).unwrap();
        assert_eq!((newest.url.as_str(), newest.is_kept), ("http://127.0.0.1:40000/mcp", false));
        let kept = HttpServer::chosen(&[manual, older, far.clone(), kept], HERE).unwrap();
        assert_eq!((kept.url.as_str(), kept.is_kept), ("http://127.0.0.1:36806/mcp", true));
        assert_eq!(url(&[far], HERE), Some(("https://notes.example/mcp".to_owned(), false)));
    }

    /// A page calls this computer and its own host, whatever else a server says.
    #[test]
    fn a_page_calls_its_own_host_and_this_computer() {
        let both = [server(&["http://127.0.0.1:1/mcp", "http://nas.local:1/mcp"], false)];
        for (origin, due) in [
            (HERE, "http://127.0.0.1:1/mcp"),
            ("http://[::1]:6806", "http://127.0.0.1:1/mcp"),
            ("http://NAS.local:6806", "http://nas.local:1/mcp"),
            ("https://other.example", "http://127.0.0.1:1/mcp"),
            ("null", "http://127.0.0.1:1/mcp"),
        ] {
            assert_eq!(url(&both, origin), Some((due.to_owned(), true)), "{origin}");
        }
        for here in ["http://localhost:1/mcp", "http://127.0.0.2/mcp", "https://[::1]:1/mcp"] {
            assert_eq!(url(&[server(&[here], false)], HERE), Some((here.to_owned(), true)));
        }
        for far in [
            "http://127.0.0.1.evil.example/mcp",
            "http://127.a/mcp",
            "http://192.168.1.9:1/mcp",
            "http://[::2]/mcp",
        ] {
            assert_eq!(url(&[server(&[far], false)], HERE), Some((far.to_owned(), false)));
        }
    }

    /// A text that is no plain address of an endpoint is no address: it could hide a secret or another host.
    #[test]
    fn odd_addresses_are_left_out() {
        for odd in [
            "",
            "javascript:alert(1)/mcp",
            "http:///mcp",
            "http://127.0.0.1:1/",
            "http://127.0.0.1:1/x/mcp",
            "http://127.0.0.1:1/mcp?token=x",
            "http://me:secret@127.0.0.1:1/mcp",
            "http://127.0.0.1:1\\@evil.example/mcp",
            "http://127.0.0.1:70000/mcp",
            "http://127.0.0.1:+80/mcp",
            "http://127.0.0.1:/mcp",
            "http://127.0.0.1 /mcp",
            "http://[::1/mcp",
            "http://[1]/mcp",
            "http://a:b:1/mcp",
        ] {
            assert_eq!(url(&[server(&[odd], true)], HERE), None, "{odd}");
        }
        let mixed = server(&["ftp://127.0.0.1/mcp", "http://127.0.0.1:2/mcp"], false);
        assert_eq!(url(&[mixed], HERE), Some(("http://127.0.0.1:2/mcp".to_owned(), true)));
    }
}
