//! Access checks: the API token, and the answers to browser pages of another origin.

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::answer::Refusal;
use crate::kernel::Kernel;
use crate::siyuan::NotForReaders;
use crate::switches::Caller;

/// Paths that answer everybody.
const OPEN: [&str; 2] = ["/api/system/version", "/api/system/bootProgress"];

const NOT_LOCAL: &str = "Auth failed: for security reasons, please set [Lock screen password] when using \
non-127.0.0.1 access\n\n为安全起见，使用非 127.0.0.1 访问时请设置 [锁屏密码]";

/// Lets a request pass, or says why not.
pub(super) fn check(request: &Request, kernel: &Kernel) -> Result<(), Response> {
    let headers = request.headers();
    if OPEN.contains(&request.uri().path()) {
        return Ok(());
    }
    if let Some(token) = token(headers) {
        return match token {
            "" if !kernel.closed => Ok(()),
            given if given == kernel.token => Ok(()),
            _ => Err(denied("Auth failed [header: Authorization]")),
        };
    }
    let query = request.uri().query().unwrap_or_default();
    if let Some(given) = query.split('&').find_map(|pair| pair.strip_prefix("token=")) {
        let wrong = || denied("Auth failed [query: token]");
        return if given == kernel.token { Ok(()) } else { Err(wrong()) };
    }
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let foreign = |host: &str| !host.is_empty() && !is_local(host);
    let origin = text("origin");
    let origin = origin.split_once("://").map_or(origin, |(_, host)| host);
    if [origin, text("x-forwarded-host"), text("x-forwarded-for"), text("x-real-ip")].into_iter().any(foreign)
    {
        return Err(denied(NOT_LOCAL));
    }
    // The page that this kernel serves is logged in, as SiYuan's page is by its cookie; so is what it loads.
    let page = matches!(text("sec-fetch-site"), "same-origin" | "none");
    let file = !request.uri().path().starts_with("/api/") && !request.uri().path().starts_with("/ws");
    if kernel.closed && !page && !file {
        return Err(denied("Auth failed [header: Authorization]"));
    }
    Ok(())
}

/// The answer to a caller whose role does not suffice.
pub(super) fn check_role(path: &str, kernel: &Kernel) -> Option<Response> {
    if kernel.switches.get().caller == Caller::Admin {
        return None;
    }
    Some(match kernel.siyuan.refuses_reader(path)? {
        NotForReaders::Admin => StatusCode::FORBIDDEN.into_response(),
        NotForReaders::Readonly => {
            let message = "This operation is not supported in read-only mode";
            super::json_response(StatusCode::OK, Err(Refusal::new(message).closing_after(5_000)))
        }
    })
}

/// The token of `Authorization: Token T` or `Bearer T`; other schemes count as none.
fn token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    let known = scheme.eq_ignore_ascii_case("token") || scheme.eq_ignore_ascii_case("bearer");
    known.then_some(token.trim())
}

fn is_local(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    matches!(name, "127.0.0.1" | "localhost" | "[::1]")
}

/// HTTP 401 with the kernel's short envelope.
pub(super) fn denied(msg: &str) -> Response {
    let body = serde_json::json!({ "code": -1, "msg": msg }).to_string();
    let kind = [(header::CONTENT_TYPE, "application/json; charset=utf-8")];
    (StatusCode::UNAUTHORIZED, kind, body).into_response()
}

/// The answer to the preflight request of a browser.
pub(super) fn preflight() -> Response {
    let allow = [
        (
            header::ACCESS_CONTROL_ALLOW_METHODS,
            "GET, HEAD, POST, PUT, PATCH, DELETE, CONNECT, OPTIONS, TRACE",
        ),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "origin, Content-Length, Content-Type, Authorization"),
    ];
    (StatusCode::NO_CONTENT, allow).into_response()
}
