//! HTTP as the client needs it: a request, the head of an answer, and its body in chunks.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt as _;
use futures_util::stream::LocalBoxStream;

/// The body of an answer; dropping it ends the request.
pub type Body = LocalBoxStream<'static, Result<Vec<u8>, BrokenBody>>;

/// The most bytes of an answer that is not a stream.
const LONGEST: usize = 64 * 1024 * 1024;

/// A method of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Opens a stream.
    Get,
    /// Sends a message.
    Post,
    /// Ends a session.
    Delete,
}

impl Method {
    /// The name in a request.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Delete => "DELETE",
        }
    }
}

/// A header: its name, which ignores case, and its value.
pub type Header = (String, String);

/// A request. Its headers may hold secrets, so its `Debug` leaves their values out.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// The method.
    pub method: Method,
    /// The address.
    pub url: String,
    /// The headers; a name occurs once.
    pub headers: Vec<Header>,
    /// The message, in JSON.
    pub body: Option<String>,
    /// The time that the kernel may take for it, in milliseconds, where the kernel is to send it.
    pub through_kernel: Option<u64>,
}

impl HttpRequest {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        value(&self.headers, name)
    }

    /// Sets a header; an earlier value is replaced.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
    }
}

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        write!(f, "{} {} {names:?} {:?}", self.method.name(), self.url, self.body)
    }
}

/// An answer whose body has not been read.
pub struct HttpAnswer {
    /// The status; 0 for a redirection, which is never followed: it would take the headers elsewhere.
    pub status: u16,
    /// The headers that the page may read.
    pub headers: Vec<Header>,
    /// The body.
    pub body: Body,
}

impl HttpAnswer {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        value(&self.headers, name)
    }

    /// Whether the body is of a media type.
    pub(crate) fn is(&self, kind: &str) -> bool {
        let said = self.header("content-type").unwrap_or_default();
        said.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(kind)
    }

    /// The whole body as text.
    pub(crate) async fn text(mut self) -> Result<String, BrokenBody> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.body.next().await {
            bytes.extend_from_slice(&chunk?);
            if bytes.len() > LONGEST {
                return Err(BrokenBody(format!("The answer is longer than {LONGEST} bytes.")));
            }
        }
        String::from_utf8(bytes).map_err(|_| BrokenBody("The answer is not UTF-8.".to_owned()))
    }
}

impl fmt::Debug for HttpAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HTTP {}", self.status)
    }
}

fn value<'a>(headers: &'a [Header], name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// Nothing answered, with the reason as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreachable(pub String);

/// A body that broke off, with the reason as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenBody(pub String);

impl fmt::Display for BrokenBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BrokenBody {}

/// Encodes text for a header, in the way of the protocol, if it could not be sent as it is.
pub(crate) fn sendable(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    if is_plain && text.trim() == text && !text.starts_with("=?base64?") {
        return text.to_owned();
    }
    format!("=?base64?{}?=", STANDARD.encode(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_values_are_encoded_where_http_could_not_carry_them() {
        assert_eq!(sendable("fs"), "fs");
        assert_eq!(sendable("笔记"), "=?base64?56yU6K6w?=");
        for odd in [" a", "a\n", "=?base64?YQ==?="] {
            assert!(sendable(odd).starts_with("=?base64?"), "{odd:?}");
        }
    }

    /// B-200: a header's value never reaches a log.
    #[test]
    fn requests_are_shown_without_the_values_of_their_headers() {
        let mut request = HttpRequest {
            method: Method::Get,
            url: "http://x/".into(),
            headers: Vec::new(),
            body: None,
            through_kernel: None,
        };
        request.set("Authorization", "Bearer old");
        request.set("authorization", "Bearer secret");
        assert_eq!((request.header("Authorization"), request.headers.len()), (Some("Bearer secret"), 1));
        let shown = format!("{request:?}");
        assert!(shown.contains("authorization") && !shown.contains("secret"), "{shown}");
    }
}
