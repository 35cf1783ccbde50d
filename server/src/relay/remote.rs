//! The HTTP side of the relay: one request out, a message or a stream of them back.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::{Stream, StreamExt};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use sse_stream::{Sse, SseStream};

use super::message::{Message, is_message};
use crate::http::BearerToken;
use crate::kernel::client;
use crate::trust::{Trust, refusal};

/// The interval of TCP keepalive probes.
const KEEPALIVE: Duration = Duration::from_secs(15);
const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";

/// The remote sidecar.
#[derive(Clone)]
pub struct Remote {
    client: Client,
    url: Url,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Remote").field(&self.url.as_str()).finish()
    }
}

/// A session of the older era.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) id: Option<String>,
    pub(super) version: String,
}

/// The reason why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Nothing listens at the address, so the request was not sent.
    Away,
    /// The connection broke, so the outcome is unknown.
    Broken,
    /// The server no longer knows the session, so nothing was done.
    NoSession,
    /// The server refused the request, with its own message.
    Refused(String),
}

/// The response to a message.
pub(super) enum PostResponse {
    /// Accepted, without an answer.
    Taken,
    /// One message.
    One(String),
    /// A stream of messages.
    Many(Messages),
}

/// The messages of a stream, and the position from which to resume it.
pub(super) struct Messages {
    events: Pin<Box<dyn Stream<Item = Result<Sse, sse_stream::Error>> + Send>>,
    /// The id of the newest event.
    pub(super) last: Option<String>,
}

impl Messages {
    fn of(response: Response) -> Messages {
        Messages { events: Box::pin(SseStream::from_bytes_stream(response.bytes_stream())), last: None }
    }

    /// The next message; `None` when the stream has ended or broken.
    pub(super) async fn next(&mut self) -> Option<String> {
        loop {
            let event = self.events.next().await?.ok()?;
            if event.id.is_some() {
                self.last = event.id;
            }
            match event.data.filter(|it| !it.trim().is_empty()) {
                Some(data) if is_message(&data) => return Some(data),
                Some(_) => tracing::debug!("the server sent an event that is not a message"),
                None => {}
            }
        }
    }
}

impl Remote {
    /// A sidecar at an address; the path defaults to `/mcp`.
    ///
    /// # Errors
    /// Returns a sentence for the user.
    pub fn new(url: &str, token: Option<&BearerToken>, trust: &Trust) -> Result<Remote, String> {
        let wrong = || {
            "--connect must be the address of a siyuan-puppy, such as http://127.0.0.1:36806/mcp.".to_owned()
        };
        let mut url = Url::parse(url.trim()).map_err(|_| wrong())?;
        if !["http", "https"].contains(&url.scheme()) || url.host().is_none() {
            return Err(wrong());
        }
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(
                "Do not put a token into the address: set SIYUAN_MCP_TOKEN or --mcp-token-file.".to_owned()
            );
        }
        if url.path() == "/" {
            url.set_path("/mcp");
        }
        let token = token.and_then(|it| HeaderValue::from_str(&it.as_header()).ok());
        let client = client::builder(url.scheme() == "https", token, trust)?.tcp_keepalive(KEEPALIVE);
        let client = client::build(client)?;
        Ok(Remote { client, url })
    }

    /// The address, for error messages.
    pub(super) fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Sends a message in a session, or with the headers of the newer era; also returns the id of a new session.
    pub(super) async fn post(
        &self,
        message: &Message,
        session: Option<&Session>,
    ) -> Result<(PostResponse, Option<String>), Trouble> {
        let mut request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream");
        request = match message.version() {
            Some(version) => {
                let named = [("mcp-method", message.method()), ("mcp-name", message.name())];
                let named = named.into_iter().filter_map(|(header, value)| Some((header, sendable(value?))));
                named.fold(request.header(VERSION, version), |request, (header, value)| {
                    request.header(header, value)
                })
            }
            None => within(request, session),
        };
        let response = request.body(message.text.clone()).send().await.map_err(|error| trouble(&error))?;
        let made = response.headers().get(SESSION).and_then(|it| it.to_str().ok()).map(str::to_owned);
        Ok((answer(response, session.is_some()).await?, made))
    }

    /// Opens the session's stream of unsolicited messages, or resumes a broken one after its last event.
    pub(super) async fn listen(&self, session: &Session, last: Option<&str>) -> Result<Messages, Trouble> {
        let mut request =
            within(self.client.get(self.url.clone()), Some(session)).header(ACCEPT, "text/event-stream");
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = request.send().await.map_err(|error| trouble(&error))?;
        match answer(response, true).await? {
            PostResponse::Many(messages) => Ok(messages),
            _ => Err(Trouble::Refused("The server offers no stream.".to_owned())),
        }
    }

    /// Ends a session; if the request fails, the session expires on the server.
    pub(super) async fn end(&self, session: &Session) {
        let request =
            within(self.client.delete(self.url.clone()), Some(session)).timeout(Duration::from_secs(1));
        let _ = request.send().await;
    }
}

fn within(request: RequestBuilder, session: Option<&Session>) -> RequestBuilder {
    let Some(session) = session else { return request };
    let request = request.header(VERSION, session.version.as_str());
    match &session.id {
        Some(id) => request.header(SESSION, id.as_str()),
        None => request,
    }
}

/// Encodes text for a header, as the protocol says, if it could not be sent as it is.
fn sendable(text: &str) -> String {
    let plain = text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    if plain && text.trim() == text && !text.starts_with("=?base64?") {
        return text.to_owned();
    }
    format!("=?base64?{}?=", STANDARD.encode(text))
}

fn trouble(error: &reqwest::Error) -> Trouble {
    match refusal(error) {
        Some(why) => Trouble::Refused(format!("Nothing was sent to the siyuan-puppy there. {why}")),
        None if error.is_connect() => Trouble::Away,
        None => Trouble::Broken,
    }
}

async fn answer(response: Response, in_session: bool) -> Result<PostResponse, Trouble> {
    let status = response.status();
    let kind =
        response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default().to_owned();
    if in_session && status == StatusCode::NOT_FOUND {
        return Err(Trouble::NoSession);
    }
    if status.is_success() && kind.starts_with("text/event-stream") {
        return Ok(PostResponse::Many(Messages::of(response)));
    }
    let text = response.text().await.map_err(|_| Trouble::Broken)?;
    if kind.starts_with("application/json") && is_message(&text) {
        return Ok(PostResponse::One(text));
    }
    if status.is_success() {
        return Ok(PostResponse::Taken);
    }
    let said: String = text.lines().next().unwrap_or_default().chars().take(300).collect();
    Err(Trouble::Refused(format!("The siyuan-puppy there answered {}: {said}", status.as_u16())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-137: an address must not contain a token.
    #[test]
    fn remote_address_is_checked() {
        let url = |given: &str| Remote::new(given, None, &Trust::default()).map(|it| it.url().to_owned());
        assert_eq!(url("http://127.0.0.1:36806").unwrap(), "http://127.0.0.1:36806/mcp");
        assert_eq!(url(" http://notes.example/x/mcp ").unwrap(), "http://notes.example/x/mcp");
        for wrong in ["", "127.0.0.1:36806", "ftp://x", "http://me:secret@x/mcp", "http://x/mcp?token=secret"]
        {
            let error = url(wrong).unwrap_err();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn header_values_are_encoded() {
        assert_eq!(sendable("fs"), "fs");
        assert_eq!(sendable("笔记"), "=?base64?56yU6K6w?=");
        assert_eq!(sendable(" a"), "=?base64?IGE=?=");
    }
}
