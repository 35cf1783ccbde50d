//! One server at the other end: requests with the headers of their era, answers as a message or a stream of them.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use futures_channel::mpsc::UnboundedSender;
use serde_json::{Map, Value};

use crate::backoff::delay;
use crate::events::{End, Events};
use crate::failure::Failure;
use crate::greeting::{introduce, object};
use crate::http::{Header, HttpAnswer, HttpRequest, Method, sendable};
use crate::limits::Limits;
use crate::message::{self, Incoming};
use crate::revision::{Era, Revision};
use crate::world::World;

/// The header of a session.
const SESSION: &str = "mcp-session-id";
/// The attempts to resume an answer whose stream broke.
const RESUMES: u32 = 5;
/// The longest first line of an answer that is shown.
const SAID: usize = 300;

/// The place of a server, and the headers that every request to it carries: they may hold secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// The address of its endpoint.
    pub url: String,
    /// The headers.
    pub headers: Vec<Header>,
    /// Whether requests go through the kernel, because the server does not admit pages.
    pub through_kernel: bool,
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        write!(f, "{} {names:?}", self.url)
    }
}

/// The agreement that requests refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Session {
    /// The id, where the server keeps a session.
    pub(crate) id: Option<String>,
    pub(crate) revision: Revision,
}

/// A sign that a call is under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// The amount that is done.
    pub done: f64,
    /// The whole amount, where it is known.
    pub total: Option<f64>,
    /// The server's words.
    pub message: Option<String>,
}

/// The receiver of progress.
pub type OnProgress = Rc<dyn Fn(Progress)>;

/// A request that waits for an answer.
#[derive(Clone)]
pub(crate) struct Ask {
    pub(crate) method: &'static str,
    pub(crate) params: Map<String, Value>,
    /// Headers that repeat arguments.
    pub(crate) headers: Vec<Header>,
    pub(crate) on_progress: Option<OnProgress>,
}

impl Ask {
    pub(crate) fn new(method: &'static str, params: Map<String, Value>) -> Ask {
        Ask { method, params, headers: Vec::new(), on_progress: None }
    }

    /// The name of what is asked for, which the newer era repeats as a header.
    fn name(&self) -> Option<&str> {
        ["name", "uri"].iter().find_map(|key| self.params.get(*key)?.as_str())
    }
}

/// A result, and the message in which it came.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) result: Value,
    pub(crate) raw: String,
}

/// A notification.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Notice {
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// The wire to one server.
pub(crate) struct Wire {
    world: World,
    address: Address,
    limits: Rc<Cell<Limits>>,
    next: Cell<u64>,
    notices: UnboundedSender<Notice>,
}

impl Wire {
    pub(crate) fn new(
        world: World,
        address: Address,
        limits: Rc<Cell<Limits>>,
        notices: UnboundedSender<Notice>,
    ) -> Wire {
        Wire { world, address, limits, next: Cell::new(0), notices }
    }

    /// The id of the next request; ids do not repeat, not even in another session.
    pub(crate) fn id(&self) -> u64 {
        self.next.set(self.next.get() + 1);
        self.next.get()
    }

    /// A request with the headers of every request of a session.
    fn request(&self, method: Method, session: &Session, greets: bool) -> HttpRequest {
        let Address { url, headers, through_kernel } = self.address.clone();
        let through_kernel = through_kernel.then(|| self.limits.get().longest_ms());
        let mut request = HttpRequest { method, url, headers, body: None, through_kernel };
        let accept =
            if method == Method::Get { "text/event-stream" } else { "application/json, text/event-stream" };
        request.set("accept", accept);
        if !greets {
            request.set("mcp-protocol-version", session.revision.name());
        }
        if let Some(id) = &session.id {
            request.set(SESSION, id);
        }
        request
    }

    async fn post(
        &self,
        session: &Session,
        greets: bool,
        body: String,
        more: &[Header],
    ) -> Result<HttpAnswer, Failure> {
        let mut request = self.request(Method::Post, session, greets);
        request.set("content-type", "application/json");
        for (name, value) in more {
            request.set(name, value);
        }
        request.body = Some(body);
        self.send(request).await
    }

    async fn send(&self, request: HttpRequest) -> Result<HttpAnswer, Failure> {
        self.world.send(request).await.map_err(|away| Failure::Unreachable(away.0))
    }

    /// Sends a request and returns the head of its answer.
    pub(crate) async fn open(&self, session: &Session, id: u64, ask: &Ask) -> Result<HttpAnswer, Failure> {
        let mut params = ask.params.clone();
        let mut headers = Vec::new();
        if ask.on_progress.is_some() {
            params.insert("_meta".to_owned(), object([("progressToken", id.into())]).into());
        }
        if session.revision.era() == Era::Newer {
            introduce(&mut params, session.revision);
            headers.push(("mcp-method".to_owned(), ask.method.to_owned()));
            headers.extend(ask.name().map(|name| ("mcp-name".to_owned(), sendable(name))));
            headers.extend(ask.headers.iter().cloned());
        }
        let greets = ask.method == "initialize";
        self.post(session, greets, message::request(id, ask.method, &params), &headers).await
    }

    /// Sends a request and waits for its result.
    pub(crate) async fn ask(&self, session: &Session, id: u64, ask: &Ask) -> Result<Answer, Failure> {
        let head = self.open(session, id, ask).await?;
        self.finish(session, id, ask, head).await
    }

    /// Waits for the result of a request whose answer has begun.
    pub(crate) async fn finish(
        &self,
        session: &Session,
        id: u64,
        ask: &Ask,
        head: HttpAnswer,
    ) -> Result<Answer, Failure> {
        let head = accepted(head, session).await?;
        let answer = if head.is("text/event-stream") {
            self.follow(session, id, ask, Events::of(head.body)).await?
        } else {
            let text = head.text().await.map_err(|_| Failure::Broken)?;
            let found = self.take(session, id, ask, &text, true).await;
            found.unwrap_or_else(|| Err(Failure::Unreadable(first_line(&text))))?
        };
        match answer.result.get("resultType").and_then(Value::as_str) {
            Some("input_required") => Err(Failure::NeedsInput),
            _ => Ok(answer),
        }
    }

    /// Reads a stream up to the answer; in the older era it is resumed where it broke.
    async fn follow(
        &self,
        session: &Session,
        id: u64,
        ask: &Ask,
        mut events: Events,
    ) -> Result<Answer, Failure> {
        let mut tries = 0;
        loop {
            while let Ok(text) = events.next().await {
                tries = 0;
                if let Some(answer) = self.take(session, id, ask, &text, false).await {
                    return answer;
                }
            }
            loop {
                let is_over = session.revision.era() == Era::Newer || tries == RESUMES;
                let position = events.position().clone();
                let Some(last) = position.last.as_deref().filter(|_| !is_over) else {
                    return Err(Failure::Broken);
                };
                let wait = position.retry.unwrap_or_else(|| delay(tries, self.world.chance()));
                self.world.sleep(wait).await;
                tries += 1;
                match self.listen(session, Some(last)).await {
                    Ok(resumed) => {
                        events = resumed.after(position);
                        break;
                    }
                    Err(failure) if failure.may_pass() && failure != Failure::NoSession => {}
                    Err(_) => return Err(Failure::Broken),
                }
            }
        }
    }

    /// Handles a text and returns the answer if it is in there. An error without an id is the answer where there can
    /// be no other.
    async fn take(
        &self,
        session: &Session,
        id: u64,
        ask: &Ask,
        text: &str,
        alone: bool,
    ) -> Option<Result<Answer, Failure>> {
        let mut answer = None;
        for incoming in Incoming::read(text) {
            match incoming {
                Incoming::Answer { id: of, outcome } if of == id || alone && of.is_null() => {
                    answer = Some(outcome);
                }
                Incoming::Notice { method, params } if method == "notifications/progress" => {
                    if let (Some(tell), true) =
                        (&ask.on_progress, params.get("progressToken") == Some(&id.into()))
                    {
                        tell(progress(&params));
                    }
                }
                other => self.hear(session, other).await,
            }
        }
        let outcome = answer?;
        Some(outcome.map(|result| Answer { result, raw: text.to_owned() }).map_err(Failure::Rpc))
    }

    /// Passes on a notification, and answers a question.
    async fn hear(&self, session: &Session, incoming: Incoming) {
        match incoming {
            Incoming::Notice { method, params } => {
                // Nobody hears it any more once the connection is closed.
                let _ = self.notices.unbounded_send(Notice { method, params });
            }
            Incoming::Question { id, method } if session.revision.era() == Era::Older => {
                // If this fails, the server's own deadline ends its question.
                let _ = self.post(session, false, message::reply(&id, &method), &[]).await;
            }
            Incoming::Question { .. } | Incoming::Answer { .. } => {}
        }
    }

    /// Sends a notification.
    pub(crate) async fn notify(
        &self,
        session: &Session,
        method: &str,
        params: Map<String, Value>,
    ) -> Result<(), Failure> {
        let answer = self.post(session, false, message::notice(method, &params), &[]).await?;
        accepted(answer, session).await.map(drop)
    }

    /// Opens a session's stream of notifications, or resumes a stream after its last event.
    pub(crate) async fn listen(&self, session: &Session, last: Option<&str>) -> Result<Events, Failure> {
        let mut request = self.request(Method::Get, session, false);
        if let Some(last) = last {
            request.set("last-event-id", last);
        }
        stream(accepted(self.send(request).await?, session).await?)
    }

    /// Opens the stream of notifications of the newer era.
    pub(crate) async fn subscribe(
        &self,
        session: &Session,
        wanted: Map<String, Value>,
    ) -> Result<Events, Failure> {
        let ask = Ask::new("subscriptions/listen", object([("notifications", wanted.into())]));
        let head = self.open(session, self.id(), &ask).await?;
        let head = accepted(head, session).await?;
        stream(head)
    }

    /// Passes on everything that comes on a stream until it ends.
    pub(crate) async fn drain(&self, session: &Session, events: &mut Events) -> End {
        loop {
            match events.next().await {
                Ok(text) => {
                    for incoming in Incoming::read(&text) {
                        self.hear(session, incoming).await;
                    }
                }
                Err(end) => return end,
            }
        }
    }

    /// Ends a session; if this fails, the server's own deadline ends it.
    pub(crate) async fn end(&self, session: &Session) {
        if session.id.is_some() {
            let _ = self.send(self.request(Method::Delete, session, false)).await;
        }
    }
}

/// The id of the session that an answer to `initialize` began.
pub(crate) fn began(head: &HttpAnswer) -> Option<String> {
    head.header(SESSION).map(str::to_owned)
}

fn stream(head: HttpAnswer) -> Result<Events, Failure> {
    if head.is("text/event-stream") {
        return Ok(Events::of(head.body));
    }
    Err(Failure::Unreadable("The server offers no stream.".to_owned()))
}

/// An answer that is no refusal.
async fn accepted(head: HttpAnswer, session: &Session) -> Result<HttpAnswer, Failure> {
    let status = head.status;
    match status {
        200..300 => return Ok(head),
        0 | 300..400 => return Err(Failure::Redirected),
        404 if session.id.is_some() => return Err(Failure::NoSession),
        _ => {}
    }
    let text = head.text().await.unwrap_or_default();
    if status == 400 && session.id.is_some() && is_about_session(&text) {
        return Err(Failure::NoSession);
    }
    // A proxy in front of the server sends 401, 403 and 429 too, so the status decides.
    let error = Incoming::read(&text).into_iter().find_map(|it| match it {
        Incoming::Answer { outcome: Err(error), .. } if ![401, 403, 429].contains(&status) => Some(error),
        _ => None,
    });
    Err(error.map_or_else(|| Failure::Http { status, said: first_line(&text) }, Failure::Rpc))
}

/// Whether a refusal that answers no request is about the session: servers that forgot it in a restart say so with 400
/// too, where the protocol asks for 404. Nothing of the request was carried out.
fn is_about_session(text: &str) -> bool {
    let answers_a_request =
        Incoming::read(text).into_iter().any(|it| matches!(it, Incoming::Answer { id, .. } if !id.is_null()));
    !answers_a_request && ["session", "not initialized"].iter().any(|word| text.to_lowercase().contains(word))
}

fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().chars().take(SAID).collect()
}

fn progress(params: &Value) -> Progress {
    let number = |key| params.get(key).and_then(Value::as_f64);
    Progress {
        done: number("progress").unwrap_or_default(),
        total: number("total"),
        message: params.get("message").and_then(Value::as_str).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-209: only a refusal of the session, never one of the request.
    #[test]
    fn a_refusal_of_the_session_is_told_from_one_of_the_request() {
        for lost in [
            r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}"#,
            r#"{"error":{"message":"Bad Request: Server not initialized"},"jsonrpc":"2.0","id":null}"#,
            "Unknown SESSION",
        ] {
            assert!(is_about_session(lost), "{lost}");
        }
        for other in [
            r#"{"jsonrpc":"2.0","error":{"code":-32602,"message":"no such session tool"},"id":7}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}"#,
            "",
        ] {
            assert!(!is_about_session(other), "{other}");
        }
    }
}
