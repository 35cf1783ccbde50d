//! A simulated world for tests: a server in memory, in both eras, and a clock that moves when nothing else does.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::BTreeSet;
use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use futures_channel::mpsc::{UnboundedSender, unbounded};
use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{Instant, sleep};

use crate::connection::{Change, Connection, ConnectionView, Settings};
use crate::http::{Body, BrokenBody, HttpAnswer, HttpRequest, Method, Unreachable};
use crate::index::ServerId;
use crate::limits::Limits;
use crate::phase::{Phase, State};
use crate::pool::Pool;
use crate::revision::Eras;
use crate::wire::Address;
use crate::world::{Ambient, Transport, World};

/// Runs a test by a clock that jumps to the next timer whenever everything waits.
pub(crate) fn simulate(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let limited = async { tokio::time::timeout(Duration::from_secs(86_400), test).await };
    LocalSet::new().block_on(&runtime.unwrap(), limited).expect("the test ends within a simulated day");
}

/// Waits for something, for a quarter of an hour of simulated time.
pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..90_000 {
        if is_so() {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("waited in vain: {what}");
}

/// The simulated clock, and chance that never varies.
struct Clock(Instant);

impl Ambient for Clock {
    fn now_ms(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap()
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        sleep(Duration::from_millis(ms)).boxed_local()
    }

    fn chance(&self) -> f64 {
        0.5
    }
}

/// A request as the server saw it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) at_ms: u64,
    pub(crate) request: HttpRequest,
    pub(crate) message: Value,
}

impl Seen {
    /// The method of the message, or of HTTP.
    pub(crate) fn method(&self) -> &str {
        self.message["method"].as_str().unwrap_or(self.request.method.name())
    }
}

pub(crate) struct Server {
    pub(crate) eras: Eras,
    /// Nothing listens.
    pub(crate) is_away: bool,
    /// Every request is refused by HTTP.
    pub(crate) refuses: Option<u16>,
    /// The status with which the server refuses a session that it does not keep.
    pub(crate) forgotten: u16,
    /// The status with which the server refuses a stream of notifications.
    pub(crate) mute: Option<u16>,
    pub(crate) latency_ms: u64,
    pub(crate) capabilities: Value,
    pub(crate) tools: Vec<String>,
    pub(crate) page: usize,
    /// The text of `x://a`.
    pub(crate) text: String,
    pub(crate) sessions: BTreeSet<String>,
    begun: u64,
    pub(crate) seen: Vec<Seen>,
    streams: Vec<UnboundedSender<Result<Vec<u8>, BrokenBody>>>,
}

/// The server, as tests and the client hold it.
#[derive(Clone)]
pub(crate) struct Fake(Rc<RefCell<Server>>, Instant);

impl Fake {
    pub(crate) fn new(eras: Eras) -> Fake {
        let changing = json!({ "listChanged": true });
        let server = Server {
            eras,
            is_away: false,
            refuses: None,
            forgotten: 404,
            mute: None,
            latency_ms: 5,
            capabilities: json!({ "tools": changing, "prompts": changing, "completions": {},
                "resources": { "listChanged": true, "subscribe": true } }),
            tools: vec!["echo".to_owned(), "search".to_owned()],
            page: 100,
            text: "one".to_owned(),
            sessions: BTreeSet::new(),
            begun: 0,
            seen: Vec::new(),
            streams: Vec::new(),
        };
        Fake(Rc::new(RefCell::new(server)), Instant::now())
    }

    pub(crate) fn now(&self) -> RefMut<'_, Server> {
        self.0.borrow_mut()
    }

    /// The number of sessions.
    pub(crate) fn sessions(&self) -> usize {
        self.now().sessions.len()
    }

    /// All requests since the last look.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.now().seen.clone()
    }

    /// The methods of all requests since the last look; this is a look.
    pub(crate) fn methods(&self) -> Vec<String> {
        self.now().seen.drain(..).map(|it| it.method().to_owned()).collect()
    }

    /// The number of requests with a method.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.now().seen.iter().filter(|it| it.method() == method).count()
    }

    /// Sends a notification on every open stream.
    pub(crate) fn say(&self, method: &str, params: &Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        let event = format!("id: 9\ndata: {message}\n\n");
        self.now().streams.retain(|it| it.unbounded_send(Ok(event.clone().into_bytes())).is_ok());
    }

    /// Breaks every open stream.
    pub(crate) fn cut(&self) {
        for open in self.now().streams.drain(..) {
            let _ = open.unbounded_send(Err(BrokenBody("cut".to_owned())));
        }
    }

    /// Restarts the server: no session and no stream is left.
    pub(crate) fn restart(&self) {
        self.cut();
        self.now().sessions.clear();
    }

    /// The number of streams that somebody reads.
    pub(crate) fn open_streams(&self) -> usize {
        self.now().streams.iter().filter(|it| !it.is_closed()).count()
    }

    fn answer(&self, request: &HttpRequest) -> HttpAnswer {
        let message: Value =
            request.body.as_deref().map(|it| serde_json::from_str(it).unwrap()).unwrap_or_default();
        let mut server = self.now();
        if let Some(status) = server.refuses {
            return plain(status, "refused\nmore");
        }
        let known = request.header("mcp-session-id").map(|id| server.sessions.contains(id));
        match (request.method, known) {
            (_, Some(false)) => return plain(server.forgotten, "no session"),
            (Method::Delete, _) => {
                server.sessions.remove(request.header("mcp-session-id").unwrap());
                return plain(200, "");
            }
            (Method::Get, _) if request.header("last-event-id") == Some("call-1") => {
                return events(
                    &[&format!("id: call-2\ndata: {}\n\n", text(&json!(server.begun_id()), "resumed"))],
                    false,
                );
            }
            (Method::Get, _) if server.mute.is_some() => return plain(server.mute.unwrap(), ""),
            (Method::Get, Some(true)) => return server.standing(),
            (Method::Get, None) => return plain(400, "no session"),
            (Method::Post, _) => {}
        }
        let version = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        let is_newer = version == "2026-07-28";
        if is_newer {
            assert_eq!(request.header("mcp-protocol-version"), Some("2026-07-28"));
            assert_eq!(request.header("mcp-method"), message["method"].as_str());
            assert_eq!(known, None);
        }
        match (is_newer, server.eras) {
            (true, Eras::OnlyOlder) => return plain(400, "Bad Request"),
            (false, Eras::OnlyNewer) => return plain(400, "Bad Request"),
            _ => {}
        }
        if !is_newer && known.is_none() && message["method"] != "initialize" {
            return plain(400, "no session");
        }
        server.rpc(&message, is_newer)
    }
}

impl Server {
    fn standing(&mut self) -> HttpAnswer {
        let (sender, receiver) = unbounded();
        sender.unbounded_send(Ok(b": hello\n\n".to_vec())).unwrap();
        self.streams.push(sender);
        HttpAnswer { status: 200, headers: kind("text/event-stream"), body: receiver.boxed_local() }
    }

    /// The id of the newest call.
    fn begun_id(&self) -> u64 {
        self.seen.iter().rev().find(|it| it.method() == "tools/call").unwrap().message["id"].as_u64().unwrap()
    }

    fn rpc(&mut self, message: &Value, is_newer: bool) -> HttpAnswer {
        let (id, params) = (&message["id"], &message["params"]);
        if message["method"].is_null() {
            return plain(202, "");
        }
        let server = json!({ "name": "fake", "version": "1" });
        let result = match message["method"].as_str().unwrap() {
            "initialize" => {
                self.begun += 1;
                let session = format!("session-{}", self.begun);
                self.sessions.insert(session.clone());
                let mut answer = ok(
                    id,
                    &json!({ "protocolVersion": "2025-11-25", "serverInfo": server,
                    "capabilities": self.capabilities, "instructions": "Be kind." }),
                );
                answer.headers.push(("mcp-session-id".to_owned(), session));
                return answer;
            }
            "server/discover" if is_newer => json!({ "supportedVersions": ["2025-11-25", "2026-07-28"],
                "capabilities": self.capabilities, "instructions": "Be kind.",
                "_meta": { "io.modelcontextprotocol/serverInfo": server } }),
            "subscriptions/listen" => return self.standing(),
            "tools/list" => {
                let from: usize = params["cursor"].as_str().map_or(0, |it| it.parse().unwrap());
                let page: Vec<Value> = self
                    .tools
                    .iter()
                    .skip(from)
                    .take(self.page)
                    .map(|name| json!({ "name": name }))
                    .collect();
                let next = from + self.page;
                let next = (next < self.tools.len()).then(|| next.to_string());
                json!({ "tools": page, "nextCursor": next })
            }
            "prompts/list" => {
                json!({ "prompts": [{ "name": "plan", "arguments": [{ "name": "topic", "required": true }] }] })
            }
            "prompts/get" => json!({ "description": "A plan.", "messages": [{ "role": "user",
                "content": { "type": "text", "text": params["arguments"]["topic"] } }] }),
            "completion/complete" => {
                json!({ "completion": { "values": [format!("{}!", params["argument"]["value"].as_str().unwrap())], "hasMore": true } })
            }
            "resources/list" => json!({ "resources": [{ "uri": "x://a", "name": "A" }] }),
            "resources/read" => json!({ "contents": [{ "uri": params["uri"], "text": self.text }] }),
            "resources/subscribe" | "resources/unsubscribe" | "ping" => json!({}),
            "tools/call" => return call(id, params),
            method if method.starts_with("notifications/") || id.is_null() => return plain(202, ""),
            _ => {
                let error = json!({ "code": -32601, "message": "Method not found" });
                return json_answer(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
            }
        };
        ok(id, &result)
    }
}

/// A tool: its name says what becomes of the call.
fn call(id: &Value, params: &Value) -> HttpAnswer {
    let never = stream::pending().boxed_local();
    match params["name"].as_str().unwrap() {
        "never" => HttpAnswer { status: 200, headers: kind("text/event-stream"), body: never },
        "progress" => {
            let progress = json!({ "progressToken": params["_meta"]["progressToken"], "progress": 1, "total": 4, "message": "m" });
            let progress =
                json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": progress });
            let changed = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
            let ping = json!({ "jsonrpc": "2.0", "id": "q", "method": "ping" });
            let events_of = [progress, changed, ping].map(|it| format!("data: {it}\n\n")).concat();
            events(&[&events_of, &format!("data: {}\n\n", text(id, "done"))], false)
        }
        "cut" => events(&["id: call-1\nretry: 200\ndata:\n\n"], true),
        "cut for ever" => events(&["data: \n\n"], true),
        "input" => ok(id, &json!({ "resultType": "input_required", "inputRequests": {} })),
        "html" => plain(200, "<!doctype html>\n<b>"),
        "fails" => ok(id, &json!({ "isError": true, "content": [{ "type": "text", "text": "no" }] })),
        _ => ok(id, &json!({ "content": [{ "type": "text", "text": params["arguments"].to_string() }] })),
    }
}

fn text(id: &Value, text: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": { "content": [{ "type": "text", "text": text }] } })
}

fn ok(id: &Value, result: &Value) -> HttpAnswer {
    json_answer(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

fn json_answer(message: &Value) -> HttpAnswer {
    HttpAnswer { headers: kind("application/json; charset=utf-8"), ..plain(200, &message.to_string()) }
}

fn plain(status: u16, text: &str) -> HttpAnswer {
    let body = stream::iter([Ok(text.as_bytes().to_vec())]).boxed_local();
    HttpAnswer { status, headers: kind("text/plain"), body }
}

/// A stream that ends, or breaks, after these chunks.
fn events(chunks: &[&str], breaks: bool) -> HttpAnswer {
    let mut all: Vec<Result<Vec<u8>, BrokenBody>> =
        chunks.iter().map(|it| Ok(it.as_bytes().to_vec())).collect();
    all.extend(breaks.then(|| Err(BrokenBody("cut".to_owned()))));
    let body: Body = stream::iter(all).boxed_local();
    HttpAnswer { status: 200, headers: kind("text/event-stream"), body }
}

fn kind(kind: &str) -> Vec<(String, String)> {
    vec![("content-type".to_owned(), kind.to_owned())]
}

/// A client's way to several servers, by the host of their address.
struct Network(Vec<Fake>);

impl Transport for Network {
    fn send(&self, request: HttpRequest) -> LocalBoxFuture<'static, Result<HttpAnswer, Unreachable>> {
        let number: usize = request.url.trim_start_matches("http://").parse().unwrap();
        let fake = self.0[number].clone();
        async move {
            let latency = fake.now().latency_ms;
            let away = fake.now().is_away;
            let message =
                request.body.as_deref().map(|it| serde_json::from_str(it).unwrap()).unwrap_or_default();
            let at_ms = Clock(fake.1).now_ms();
            fake.now().seen.push(Seen { at_ms, request: request.clone(), message });
            if away {
                return Err(Unreachable("Failed to fetch".to_owned()));
            }
            sleep(Duration::from_millis(latency)).await;
            Ok(fake.answer(&request))
        }
        .boxed_local()
    }
}

/// A pool with one connection to each server, none of them made.
pub(crate) struct Stage {
    pub(crate) pool: Pool,
    pub(crate) changes: Rc<RefCell<Vec<(ServerId, Change)>>>,
    pub(crate) limits: Rc<Cell<Limits>>,
}

impl Stage {
    pub(crate) fn new(fakes: &[&Fake]) -> Stage {
        Stage::with(fakes, Eras::Both)
    }

    pub(crate) fn with(fakes: &[&Fake], eras: Eras) -> Stage {
        let network = Network(fakes.iter().map(|it| (*it).clone()).collect());
        let world = World::new(network, Clock(Instant::now()));
        let changes: Rc<RefCell<Vec<(ServerId, Change)>>> = Rc::default();
        let heard = changes.clone();
        let pool = Pool::new(world, Rc::new(move |id, change| heard.borrow_mut().push((id, change))));
        let limits = Rc::<Cell<Limits>>::default();
        for number in 0..fakes.len() {
            let headers = vec![("authorization".to_owned(), "Bearer secret".to_owned())];
            let address = Address { url: format!("http://{number}"), headers, through_kernel: false };
            let limits = limits.clone();
            pool.add(Settings { name: format!("server {number}"), address, eras, limits });
        }
        Stage { pool, changes, limits }
    }

    /// The connection to the first server.
    pub(crate) fn first(&self) -> Connection {
        self.pool.get(0).unwrap()
    }

    /// Runs all connections in the background.
    pub(crate) fn run(&self, count: usize) {
        for id in 0..count {
            let connection = self.pool.get(id as ServerId).unwrap();
            spawn_local(async move { connection.run().await });
        }
    }
}

/// A server and a client that is connected to it.
pub(crate) async fn connected(eras: Eras) -> (Fake, Stage, Connection) {
    let fake = Fake::new(eras);
    let stage = Stage::new(&[&fake]);
    let connection = stage.first();
    stage.run(1);
    until("the connection", || connection.state() == State::Connected).await;
    if eras != Eras::Both {
        until("the stream", || fake.open_streams() == 1).await;
    }
    fake.methods();
    (fake, stage, connection)
}

/// The server goes away, and the connection has noticed.
pub(crate) async fn lost(fake: &Fake, connection: &Connection) {
    fake.now().is_away = true;
    fake.cut();
    until("the loss", || matches!(connection.state(), State::Retrying { .. })).await;
}

/// The phases of a connection so far.
pub(crate) fn phases(shown: &ConnectionView) -> Vec<Phase> {
    shown.steps.iter().map(|it| it.phase).collect()
}
