//! Requests through the kernel's proxy: what the kernel is asked for, and what its answer means.
//!
//! The kernel reads an answer to its end before it passes it on, so nothing here is a stream. It follows no
//! redirection that it is asked not to follow.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{StreamExt as _, stream};
use serde_json::{Map, Value, json};

use crate::http::{HttpAnswer, HttpRequest, Method, Unreachable};
use crate::proxied::may_go_through_kernel;

/// The kernel's endpoint, at the origin of the page.
#[cfg(target_arch = "wasm32")]
pub(crate) const ENDPOINT: &str = "/api/network/forwardProxy";

/// The body with which the kernel is asked to send a request, and to wait so many milliseconds for the answer.
///
/// # Errors
/// The reason why it is not asked.
pub(crate) fn asked(request: &HttpRequest, wait_ms: u64) -> Result<String, Unreachable> {
    if !may_go_through_kernel(&request.url) {
        let why = "The kernel is not asked to reach this machine or its network.";
        return Err(Unreachable(why.to_owned()));
    }
    let kind = request.header("content-type").unwrap_or("application/json");
    let headers = request.headers.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
    let headers: Vec<Value> =
        headers.map(|(name, value)| Value::Object(Map::from_iter([(name.clone(), json!(value))]))).collect();
    let asked = json!({
        "url": request.url,
        "method": request.method.name(),
        "timeout": wait_ms,
        "redirect": false,
        "contentType": kind,
        "headers": headers,
        // Some kernels send no body that is plain text.
        "payload": STANDARD.encode(request.body.as_deref().unwrap_or_default()),
        "payloadEncoding": "base64",
        "responseEncoding": "base64",
    });
    Ok(asked.to_string())
}

/// Whether a request is for a stream, which the kernel would never pass on.
pub(crate) fn is_stream(request: &HttpRequest) -> bool {
    request.method == Method::Get
}

/// The answer to a request for a stream: such a server has none.
#[cfg(target_arch = "wasm32")]
pub(crate) fn no_stream() -> HttpAnswer {
    HttpAnswer { status: 405, headers: Vec::new(), body: stream::empty().boxed_local() }
}

/// The server's answer, as the kernel passes it on.
///
/// # Errors
/// The kernel's words for why there is none.
pub(crate) fn answered(answer: &[u8]) -> Result<HttpAnswer, Unreachable> {
    let unreadable = || Unreachable("The kernel's answer cannot be read.".to_owned());
    let answer: Value = serde_json::from_slice(answer).map_err(|_| unreadable())?;
    if answer.get("code").and_then(Value::as_i64) != Some(0) {
        let why = answer.get("msg").and_then(Value::as_str).unwrap_or_default();
        return Err(Unreachable(why.chars().take(300).collect()));
    }
    let data = answer.get("data").ok_or_else(unreadable)?;
    let status = data.get("status").and_then(Value::as_u64).and_then(|it| u16::try_from(it).ok());
    let body = data.get("body").and_then(Value::as_str).and_then(|it| STANDARD.decode(it).ok());
    let (status, body) = status.zip(body).ok_or_else(unreadable)?;
    let first = |(name, values): (&String, &Value)| {
        let value = values.get(0).unwrap_or(values).as_str()?;
        Some((name.clone(), value.to_owned()))
    };
    let headers = data.get("headers").and_then(Value::as_object).into_iter().flatten();
    Ok(HttpAnswer {
        status: if (300..400).contains(&status) { 0 } else { status },
        headers: headers.filter_map(first).collect(),
        body: stream::once(async { Ok(body) }).boxed_local(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(url: &str, method: Method, body: Option<&str>) -> HttpRequest {
        let mut request = HttpRequest {
            method,
            url: url.to_owned(),
            headers: vec![("X-Key".to_owned(), "secret".to_owned())],
            body: body.map(str::to_owned),
            through_kernel: Some(7_000),
        };
        request.set("content-type", "application/json");
        request
    }

    /// B-217: the kernel sends what a page would send, byte for byte, and follows nothing.
    #[test]
    fn the_kernel_is_asked_with_headers_and_body() {
        let request = request("https://mcp.example/x", Method::Post, Some("{\"a\":\"ü\"}"));
        let body = asked(&request, 7_000).unwrap();
        let sent: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((&sent["url"], &sent["method"]), (&json!("https://mcp.example/x"), &json!("POST")));
        assert_eq!(sent["timeout"], json!(7_000));
        assert_eq!((&sent["redirect"], &sent["headers"]), (&json!(false), &json!([{ "X-Key": "secret" }])));
        let body = STANDARD.decode(sent["payload"].as_str().unwrap()).unwrap();
        assert_eq!(body, "{\"a\":\"ü\"}".as_bytes());
    }

    /// B-217: whatever the file says, private addresses are not asked for.
    #[test]
    fn private_addresses_never_reach_the_kernel() {
        for url in [
            "https://127.0.0.1:6806/api",
            "https://169.254.169.254/",
            "https://nas.local/",
            "https://[::1]/",
            "http://a.example/",
        ] {
            assert!(asked(&request(url, Method::Post, None), 1).is_err(), "{url}");
        }
        assert!(is_stream(&request("https://mcp.example", Method::Get, None)));
    }

    #[tokio::test]
    async fn its_answer_is_the_servers() {
        let answer = json!({ "code": 0, "msg": "", "data": {
            "status": 200, "headers": { "Mcp-Session-Id": ["s"], "Content-Type": ["text/event-stream"] },
            "body": STANDARD.encode("data: {}\n\n"), "bodyEncoding": "base64",
        } });
        let answer = answered(answer.to_string().as_bytes()).unwrap();
        assert_eq!((answer.status, answer.header("mcp-session-id")), (200, Some("s")));
        assert!(answer.is("text/event-stream"));
        assert_eq!(answer.text().await.unwrap(), "data: {}\n\n");
        // A redirection is never followed: it would take the headers elsewhere.
        let moved = json!({ "code": 0, "data": { "status": 307, "headers": {}, "body": "" } });
        assert_eq!(answered(moved.to_string().as_bytes()).unwrap().status, 0);
    }

    #[test]
    fn its_refusal_is_told_in_its_words() {
        let refused = answered(br#"{"code":8,"msg":"forward request failed: blocked","data":null}"#);
        assert_eq!(refused.unwrap_err(), Unreachable("forward request failed: blocked".to_owned()));
        for odd in [
            "",
            "[]",
            r#"{"code":0}"#,
            r#"{"code":0,"data":{"status":200}}"#,
            r#"{"code":0,"data":{"status":99999,"body":""}}"#,
        ] {
            assert!(answered(odd.as_bytes()).is_err(), "{odd}");
        }
    }
}
