//! Foreign pages and foreign names: refused on every route, in both eras, for preflights and for calls.

use puppy_server::discover::Address;
use puppy_server::http::{AllowList, BearerToken, Settings};

use super::door::{Door, ERAS, MESSAGE, TOKEN, era_headers, greeting};

/// A server that admits one foreign page and one foreign name.
async fn door(token: bool) -> Door {
    let allowed =
        AllowList::new(&["notes.example:8443".to_owned()], &["https://app.example".to_owned()]).unwrap();
    let allowed = allowed.with_page(Address::Given("http://127.0.0.1:6806".to_owned()));
    let token = BearerToken::new(TOKEN).filter(|_| token);
    Door::open(Settings { allowed, token, ..Settings::default() }).await
}

/// B-088, B-139, B-162: one verdict for calls in both eras, for preflights and for `/health`.
#[tokio::test(flavor = "multi_thread")]
async fn origin_and_host_are_checked_together() {
    let door = door(true).await;
    let here = door.address.to_string();
    let (here, bearer) = (here.as_str(), format!("Bearer {TOKEN}"));
    let page = |origin| (vec![("Host", here), ("Origin", origin)], "--allow-origin");
    let name = |host| (vec![("Host", host)], "--allow-host");
    for ((headers, setting), status) in [
        (page("http://evil.example"), 403),
        (page("null"), 403),
        (page("app://obsidian.md"), 403),
        (page("file://"), 403),
        (page("http://localhost.evil.example"), 403),
        (page("http://127.0.0.1.nip.io"), 403),
        (page("https://app.example:8443"), 403),
        (page("http://app.example"), 403),
        (page("https://app.example"), 200),
        (page("HTTPS://APP.EXAMPLE"), 200),
        (page("http://[::1]:9999"), 200),
        (page("http://localhost:5173"), 200),
        (
            (vec![("Host", here), ("Origin", "https://app.example"), ("Origin", "http://evil.example")], ""),
            403,
        ),
        (name("evil.example"), 403),
        (name("localhost.evil.example"), 403),
        (name("127.0.0.1.nip.io"), 403),
        (name("notes.example"), 403),
        (name("notes.example:8443"), 200),
        (name("LOCALHOST"), 200),
        (name("[::1]"), 200),
        (name("127.0.0.1:1"), 200),
        ((vec![], ""), 400),
        ((vec![("Host", here), ("Host", here)], ""), 400),
        ((vec![("Host", "localhost"), ("Host", "evil.example")], ""), 400),
        ((vec![("Host", "user@localhost")], ""), 400),
        ((vec![("Host", "")], ""), 400),
    ] {
        for era in ERAS {
            let mut all = headers.clone();
            all.extend(MESSAGE);
            all.extend(era_headers(era));
            all.push(("Authorization", &bearer));
            let reply = door.send("POST /mcp HTTP/1.1", &all, &greeting(era).to_string()).await;
            assert_eq!(reply.status, status, "{era:?} {headers:?}: {}", reply.body);
            if status == 403 {
                assert!(reply.body.contains(setting), "{headers:?}: {}", reply.body);
                assert!(reply.header("access-control-allow-origin").is_none(), "{headers:?}");
            }
        }
        let health = door.send("GET /health HTTP/1.1", &headers, "").await;
        assert_eq!(health.status, status, "{headers:?}");
        let preflight = door.send("OPTIONS /mcp HTTP/1.1", &headers, "").await;
        assert_eq!(preflight.status, if status == 200 { 204 } else { status }, "{headers:?}");
    }
}

/// B-139: a request line with an absolute address is checked, whatever the `Host` header says.
#[tokio::test(flavor = "multi_thread")]
async fn absolute_request_line_is_checked() {
    let door = door(false).await;
    let host = [("Host", "localhost")];
    assert_eq!(door.send("GET http://evil.example/health HTTP/1.1", &host, "").await.status, 403);
    assert_eq!(door.send("GET http://localhost/health HTTP/1.1", &host, "").await.status, 200);
}

/// B-163.
#[tokio::test(flavor = "multi_thread")]
async fn only_siyuans_page_may_call_without_a_token() {
    let door = door(false).await;
    for (origin, status) in [
        ("http://127.0.0.1:6806", 200),
        ("http://localhost:6806", 200),
        ("https://app.example", 200),
        ("http://127.0.0.1:5173", 403),
        ("http://localhost", 403),
        ("http://evil.example", 403),
    ] {
        for era in ERAS {
            let mut headers = vec![("Origin", origin)];
            headers.extend(era_headers(era));
            let reply = door.post(&headers, &greeting(era)).await;
            assert_eq!(reply.status, status, "{era:?} {origin}: {}", reply.body);
            assert_eq!(reply.header("access-control-allow-origin"), (status == 200).then_some(origin));
        }
    }
}

/// B-160, B-161, B-164.
#[tokio::test(flavor = "multi_thread")]
async fn preflight_is_answered_for_allowed_pages_only() {
    let door = door(true).await;
    let host = door.address.to_string();
    let asked = "content-type, authorization, Mcp-Param-Path, x-other";
    let preflight = async |origin: &str| {
        let headers = [
            ("Host", host.as_str()),
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", asked),
            ("Access-Control-Request-Private-Network", "true"),
        ];
        door.send("OPTIONS /mcp HTTP/1.1", &headers, "").await
    };
    let reply = preflight("https://app.example").await;
    assert_eq!(reply.status, 204);
    assert_eq!(reply.header("access-control-allow-origin"), Some("https://app.example"));
    assert_eq!(reply.header("access-control-allow-private-network"), Some("true"));
    assert_eq!(reply.header("access-control-max-age"), Some("7200"));
    assert_eq!(reply.header("access-control-allow-credentials"), None);
    assert!(reply.header("vary").unwrap().contains("origin"));
    let methods = reply.header("access-control-allow-methods").unwrap();
    assert!(["get", "post", "delete"].iter().all(|it| methods.contains(it)), "{methods}");
    let headers: Vec<&str> =
        reply.header("access-control-allow-headers").unwrap().split(',').map(str::trim).collect();
    for due in [
        "authorization",
        "content-type",
        "accept",
        "mcp-protocol-version",
        "mcp-session-id",
        "last-event-id",
        "mcp-method",
        "mcp-name",
        "mcp-param-path",
    ] {
        assert!(headers.contains(&due), "{due}: {headers:?}");
    }
    assert!(!headers.contains(&"x-other") && !headers.contains(&"*"));
    let foreign = preflight("http://evil.example").await;
    assert_eq!(foreign.status, 403);
    assert!(!foreign.head.contains("access-control-"), "{}", foreign.head);
}

/// B-161: the page can read a refusal too.
#[tokio::test(flavor = "multi_thread")]
async fn page_can_read_the_exposed_headers() {
    let door = door(true).await;
    let origin = ("Origin", "https://app.example");
    let bearer = format!("Bearer {TOKEN}");
    for (headers, status) in [(vec![origin], 401), (vec![origin, ("Authorization", &bearer)], 200)] {
        let reply = door.post(&headers, &greeting(ERAS[0])).await;
        assert_eq!(reply.status, status);
        let exposed = reply.header("access-control-expose-headers").unwrap();
        for due in ["mcp-session-id", "mcp-protocol-version", "www-authenticate", "retry-after"] {
            assert!(exposed.contains(due), "{due}: {exposed}");
        }
        assert_eq!(reply.header("access-control-allow-origin"), Some("https://app.example"));
        assert!(reply.header("vary").unwrap().contains("origin"));
        assert_eq!(reply.header("access-control-allow-credentials"), None);
    }
}

/// A browser sends forms and plain text without a preflight; such a request is not a message.
#[tokio::test(flavor = "multi_thread")]
async fn requests_without_a_preflight_are_refused() {
    let door = door(false).await;
    let host = door.address.to_string();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
        let mut headers = vec![("Host", host.as_str()), ("Accept", MESSAGE[1].1)];
        if !kind.is_empty() {
            headers.push(("Content-Type", kind));
        }
        let reply = door.send("POST /mcp HTTP/1.1", &headers, &greeting(ERAS[0]).to_string()).await;
        assert_eq!(reply.status, 415, "{kind}: {}", reply.body);
    }
}

/// B-167.
#[tokio::test(flavor = "multi_thread")]
async fn unknown_paths_name_the_right_path() {
    let door = door(false).await;
    let socket = [("Host", "localhost"), ("Upgrade", "websocket"), ("Connection", "Upgrade")];
    for (line, headers, status) in [
        ("GET /sse HTTP/1.1", &socket[..1], 404),
        ("POST /messages HTTP/1.1", &socket[..1], 404),
        ("GET /mcp HTTP/1.1", &socket[..], 400),
        ("GET / HTTP/1.1", &socket[..], 404),
    ] {
        let reply = door.send(line, headers, "").await;
        assert_eq!(reply.status, status, "{line}");
        assert!(reply.body.contains("/mcp"), "{line}: {}", reply.body);
    }
}
