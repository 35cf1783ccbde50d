//! A kernel for unit tests: canned answers by path, and a log of requests.

#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests of whole calls use it too, and clippy's freedoms of tests do not reach its functions"
)]
pub(crate) mod databases;
#[allow(clippy::panic, reason = "clippy's freedoms of tests do not reach its functions")]
pub(crate) mod fuzz;
#[allow(
    dead_code,
    clippy::unwrap_used,
    reason = "tests of whole calls use it too, and clippy's freedoms of tests do not reach its functions"
)]
pub(crate) mod slow;
#[allow(clippy::indexing_slicing, reason = "clippy's freedoms of tests do not reach its functions")]
pub(crate) mod statements;
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "clippy's freedoms of tests do not reach its functions"
)]
pub(crate) mod taken_back;
#[allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests of whole calls use it too, and clippy's freedoms of tests do not reach its functions"
)]
pub(crate) mod world;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::{Map, Value, json};

use crate::activity::{CallEnd, Observer, Record, Transport};
use crate::dispatch::{Approval, Call, Engine};
use crate::kernel::{Ambient, Answer, Body, Boxed, Kernel, KernelError, Request};
use crate::output::Reply;
use crate::part::Part;
use crate::spec::Tool;

/// A notebook of the canned list at level `rw`.
pub(crate) const GARDEN: &str = "20250101000000-garden0";
/// A notebook at `none`.
pub(crate) const PRIVATE: &str = "20250101000000-private";
/// A notebook that the table does not list.
pub(crate) const ATTIC: &str = "20250101000000-attic00";

type Canned = Box<dyn Fn(&Value) -> Value + Send + Sync>;

/// A kernel that returns its canned answers, and HTTP 500 for everything else. Its index has no places.
#[derive(Default)]
pub(crate) struct FakeKernel {
    answers: BTreeMap<&'static str, Canned>,
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    asked: Mutex<Vec<(&'static str, Value)>>,
}

impl FakeKernel {
    /// Garden at `rw`, Private at `none`, Attic not listed; no answers except the notebooks.
    pub(crate) fn new() -> Self {
        let book = |id: &str, name: &str| json!({ "id": id, "name": name, "icon": "", "closed": false, "subFileCount": 2, "encrypted": false });
        let list = json!({ "boxDocEnabled": true, "notebooks": [book(GARDEN, "Garden"), book(PRIVATE, "Private"), book(ATTIC, "Attic")] });
        let table = json!({ GARDEN: "rw", PRIVATE: "none" }).to_string();
        FakeKernel::default()
            .file("/data/storage/petal/siyuan-mcp-puppy/notebookPermissions", &table)
            .answer("/api/notebook/lsNotebooks", move |_| list.clone())
            .answer("/api/system/version", |_| json!("3.7.3"))
    }

    /// Answers a path with the `data` that a function makes from the request.
    pub(crate) fn answer(
        mut self,
        path: &'static str,
        data: impl Fn(&Value) -> Value + Send + Sync + 'static,
    ) -> Self {
        self.answers.insert(path, Box::new(data));
        self
    }

    /// Puts a file into the workspace.
    pub(crate) fn file(self, path: &str, text: &str) -> Self {
        self.put(path, text);
        self
    }

    /// Like `file`, between calls.
    pub(crate) fn put(&self, path: &str, text: &str) {
        self.files.lock().unwrap().insert(path.to_owned(), text.into());
    }

    /// The requests so far, without the reads of the policy and of the version, and without those that read the index
    /// before the check of an id.
    pub(crate) fn asked(&self) -> Vec<(&'static str, Value)> {
        let policy = |path: &str| {
            matches!(path, "/api/file/getFile" | "/api/notebook/lsNotebooks" | "/api/system/version")
        };
        let asked = self.asked.lock().unwrap();
        let asked = world::without_places(&asked);
        asked.into_iter().filter(|(path, _)| !policy(path)).collect()
    }
}

impl Ambient for FakeKernel {
    fn now_ms(&self) -> u64 {
        1_700_000_000_000
    }

    fn local_digits(&self) -> String {
        "20251121104500".to_owned()
    }

    fn random(&self) -> u64 {
        7
    }
}

impl Kernel for FakeKernel {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move {
            let path = request.route.path;
            let ok = |body: Vec<u8>| Ok(Answer { status: 200, retry_after: None, body });
            let envelope =
                |data: Value| json!({ "code": 0, "msg": "", "data": data }).to_string().into_bytes();
            match request.body {
                Body::File { path: file, bytes } => {
                    self.asked.lock().unwrap().push((path, json!({ "path": file.clone() })));
                    // A canned answer for a write is a refusal.
                    if let Some(refusal) = self.answers.get(path) {
                        return ok(refusal(&Value::from(file)).to_string().into_bytes());
                    }
                    self.files.lock().unwrap().insert(file, bytes);
                    ok(envelope(Value::Null))
                }
                Body::Json(body) if path == "/api/file/getFile" => {
                    self.asked.lock().unwrap().push((path, body.clone()));
                    match self.files.lock().unwrap().get(body["path"].as_str().unwrap_or_default()) {
                        Some(bytes) => ok(bytes.clone()),
                        None => Ok(Answer {
                            status: 202,
                            retry_after: None,
                            body: br#"{"code":404,"msg":"","data":null}"#.to_vec(),
                        }),
                    }
                }
                Body::Json(body) if path == "/api/file/readDir" => {
                    let folder = format!("{}/", body["path"].as_str().unwrap_or_default());
                    let files = self.files.lock().unwrap();
                    let names = files.keys().filter_map(|file| file.strip_prefix(&folder));
                    let entry = |name| json!({ "name": name, "isDir": false, "updated": 1_700_000_000 });
                    ok(envelope(names.map(entry).collect()))
                }
                Body::Json(body) if path == "/api/file/renameFile" => {
                    let [from, to] = ["path", "newPath"].map(|it| body[it].as_str().unwrap_or_default());
                    let mut files = self.files.lock().unwrap();
                    let Some(bytes) = files.remove(from) else {
                        return ok(json!({ "code": 404, "msg": "", "data": null }).to_string().into_bytes());
                    };
                    files.insert(to.to_owned(), bytes);
                    ok(envelope(Value::Null))
                }
                Body::Json(body) => {
                    self.asked.lock().unwrap().push((path, body.clone()));
                    match self.answers.get(path).map(|answer| answer(&body)) {
                        // A canned answer with a code of its own is the whole envelope.
                        Some(whole) if whole.get("code").is_some() => ok(whole.to_string().into_bytes()),
                        Some(data) => ok(envelope(data)),
                        None if world::reads_places(&body) => ok(envelope(json!([]))),
                        None if path == "/api/sqlite/flushTransaction" => ok(envelope(Value::Null)),
                        None => Ok(Answer { status: 500, retry_after: None, body: Vec::new() }),
                    }
                }
            }
        })
    }

    fn pause(&self, _time: Duration) -> Boxed<'_, ()> {
        Box::pin(async {})
    }
}

/// An observer that remembers how calls ended.
#[derive(Default)]
pub(crate) struct Seen(pub(crate) Mutex<Vec<CallEnd>>);

impl Observer for Seen {
    fn started(&self, _record: &Record) {}

    fn ended(&self, _record: &Record, ended: &CallEnd) {
        self.0.lock().unwrap().push(ended.clone());
    }
}

/// An engine over a fake kernel.
pub(crate) fn engine(kernel: FakeKernel) -> Engine<FakeKernel, Seen> {
    Engine::new(kernel, Seen::default())
}

/// Makes one call; every future of a fake kernel is ready at once.
pub(crate) fn call(engine: &Engine<FakeKernel, Seen>, tool: Tool, arguments: Value) -> Reply {
    approved(engine, tool, arguments, Approval::Missing)
}

/// Like `call`, with or without a person's approval.
pub(crate) fn approved(
    engine: &Engine<FakeKernel, Seen>,
    tool: Tool,
    arguments: Value,
    approval: Approval,
) -> Reply {
    let Value::Object(arguments) = arguments else { return Ok(Map::new().into()) };
    let call =
        Call { tool, arguments, part: Part::Whole, transport: Transport::Stdio, client: String::new() };
    engine.dispatch(call, &approval).now_or_never().expect("a fake kernel is always ready")
}
