//! A workspace on the demo kernel, in process: the test bed of actions.
//!
//! Unit tests beside the actions use it, and so do the tests of whole calls. The expectations of a test therefore
//! follow the kernel's recordings, not its author's beliefs. Time stands still until a test passes it, ids follow
//! from a seed, and each document has a name that stands for its id: `{/Garden/Beds}`.

#[path = "world/faults.rs"]
mod faults;
use self::faults::Outage;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use demo_kernel::contract::Contract;
use demo_kernel::{Content, Demo, Moment, Siyuan};
use expect_test::Expect;
use futures_util::FutureExt as _;
use puppy_core::activity::{CallEnd, Observer, Record};
use puppy_core::dispatch::{Approval, Call, Engine};
use puppy_core::find::action_named;
use puppy_core::kernel::page::{Frontend, PageError, PageRequest};
use puppy_core::kernel::{
    Ambient, Answer, Body, Boxed, Kernel, KernelError, LocalError, LocalFiles, Request,
};
use puppy_core::output::Reply;
use puppy_core::part::Part;
use puppy_core::render::result::{Audience, error, texts};
use puppy_core::spec::Tool;
use serde_json::{Map, Value, json};

const STORAGE: &str = "/data/storage/petal/siyuan-mcp-puppy/";
/// The start of a world's clock: 15 June 2025, 15:06:40 UTC.
const START_MS: i64 = 1_750_000_000_000;

/// An observer that ignores everything.
pub(crate) struct Nobody;

impl Observer for Nobody {
    fn started(&self, _record: &Record) {}

    fn ended(&self, _record: &Record, _ended: &CallEnd) {}
}

/// The path of a request with what somebody does before it.
type Interruption = (&'static str, fn(&World));

/// The kernel with a log of its requests.
pub(crate) struct World {
    pub(crate) demo: Demo,
    /// The workspace's files, deleted with the world.
    _folder: tempfile::TempDir,
    /// The ids of documents by their workspace paths, and other ids that a test named.
    names: BTreeMap<String, String>,
    moment: Mutex<Moment>,
    drawn: AtomicU64,
    sent: Mutex<Vec<(&'static str, Value)>>,
    /// The files of the transfer folder.
    pub(crate) local: Local,
    /// The path whose next request is refused, with the words of the refusal.
    refused: Mutex<Option<(&'static str, &'static str)>>,
    outage: Mutex<Option<Outage>>,
    /// The path before whose next request somebody else does something.
    interrupted: Mutex<Option<Interruption>>,
    /// The hours by which the local clock of this process is behind the kernel's.
    hours_behind: AtomicU64,
    /// The open page, if there is one.
    page: Option<Page>,
}

/// A page that gives the same answer to every request.
struct Page {
    answer: Value,
    asked: Mutex<Vec<PageRequest>>,
}

impl Frontend for Page {
    fn ask(&self, request: PageRequest) -> Boxed<'_, Result<Value, PageError>> {
        self.asked.lock().unwrap().push(request);
        let answer = self.answer.clone();
        Box::pin(async move { if answer.is_null() { Err(PageError::TimedOut) } else { Ok(answer) } })
    }
}

/// The files of a transfer folder that exists only here.
#[derive(Default)]
pub(crate) struct Local(pub(crate) Mutex<BTreeMap<String, Vec<u8>>>);

impl LocalFiles for Local {
    fn is_anywhere(&self) -> bool {
        false
    }

    fn read<'a>(&'a self, _: &'a str, path: &'a str, most: u64) -> Boxed<'a, Result<Vec<u8>, LocalError>> {
        let found = self.0.lock().unwrap().get(path).cloned().ok_or(LocalError::Missing);
        let fits = move |bytes: Vec<u8>| match u64::try_from(bytes.len()).unwrap() {
            size if size > most => Err(LocalError::TooLarge(size)),
            _ => Ok(bytes),
        };
        Box::pin(async move { found.and_then(fits) })
    }

    fn create<'a>(&'a self, _: &'a str, path: &'a str, bytes: Vec<u8>) -> Boxed<'a, Result<(), LocalError>> {
        let mut files = self.0.lock().unwrap();
        let made = if files.contains_key(path) { Err(LocalError::Exists) } else { Ok(()) };
        files.entry(path.to_owned()).or_insert(bytes);
        Box::pin(async move { made })
    }
}

/// A world with an empty notebook Garden at `rw`.
pub(crate) fn world() -> World {
    World::new().notebook("Garden", "rw")
}

impl World {
    /// A world without notebooks.
    pub(crate) fn new() -> World {
        World::of(Siyuan::V3_7)
    }

    /// A world of a version of SiYuan, without notebooks.
    pub(crate) fn of(siyuan: Siyuan) -> World {
        let moment = Moment { ms: START_MS, seed: 0 };
        let folder = tempfile::tempdir().unwrap();
        let demo = Demo::open_as(siyuan, folder.path(), Content::Empty, moment).unwrap();
        World::over(demo, folder, BTreeMap::new(), moment)
    }

    /// The fixture workspace of the demo. Its documents have no names; its notebooks are Garden, Reading, Private,
    /// Scratch and Attic.
    pub(crate) fn fixture() -> World {
        let moment = Moment { ms: START_MS, seed: 0 };
        let folder = tempfile::tempdir().unwrap();
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../demo-kernel/fixture");
        let demo = Demo::open(folder.path(), Content::Fixture(fixture), moment).unwrap();
        World::over(demo, folder, BTreeMap::new(), moment)
    }

    fn over(demo: Demo, folder: tempfile::TempDir, names: BTreeMap<String, String>, moment: Moment) -> World {
        let (sent, drawn) = (Mutex::default(), AtomicU64::new(0));
        World {
            demo,
            _folder: folder,
            names,
            moment: Mutex::new(moment),
            drawn,
            sent,
            local: Local::default(),
            refused: Mutex::default(),
            outage: Mutex::default(),
            interrupted: Mutex::default(),
            hours_behind: AtomicU64::default(),
            page: None,
        }
    }

    /// A copy of the world.
    pub(crate) fn copy(&self) -> World {
        let folder = tempfile::tempdir().unwrap();
        let demo = self.demo.copy(folder.path()).unwrap();
        let page =
            self.page.as_ref().map(|page| Page { answer: page.answer.clone(), asked: Mutex::default() });
        World { page, ..World::over(demo, folder, self.names.clone(), *self.moment.lock().unwrap()) }
    }

    /// Adds a notebook with its level; an empty level leaves it out of the table.
    pub(crate) fn notebook(mut self, name: &str, level: &str) -> World {
        let id = self.ask("notebook/createNotebook", &json!({ "name": name }))["notebook"]["id"].take();
        let id = id.as_str().unwrap().to_owned();
        if !level.is_empty() {
            let mut table = self.table();
            table.insert(id.clone(), json!(level));
            self = self.file("notebookPermissions", &Value::Object(table));
        }
        self.named(&format!("/{name}"), id)
    }

    /// The table of levels.
    pub(crate) fn table(&self) -> Map<String, Value> {
        let body = json!({ "path": format!("{STORAGE}notebookPermissions") });
        let file = self.demo.answer("/api/file/getFile", body.to_string().as_bytes());
        if file.status == 200 { serde_json::from_slice(&file.body).unwrap() } else { Map::new() }
    }

    /// Adds documents without text.
    pub(crate) fn docs<const N: usize>(self, paths: [&str; N]) -> World {
        paths.into_iter().fold(self, |world, path| world.doc(path, ""))
    }

    /// Adds a document; `{/Garden/Beds}` in its text is the id of that document.
    pub(crate) fn doc(mut self, path: &str, markdown: &str) -> World {
        let (notebook, hpath) = path[1..].split_once('/').unwrap();
        // One moment each, so that documents are ordered by creation.
        self.pass(1_000);
        let body = json!({
            "notebook": self.id(&format!("/{notebook}")), "path": format!("/{hpath}"), "markdown": self.fill(markdown),
        });
        let id = self.ask("filetree/createDocWithMd", &body);
        self = self.named(path, id.as_str().unwrap().to_owned());
        let blocks = self.ask("block/getChildBlocks", &json!({ "id": id }));
        let ids = blocks.as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned());
        // `{/Garden/Beds#1}` is its second block.
        for (at, id) in ids.collect::<Vec<_>>().into_iter().enumerate() {
            self = self.named(&format!("{path}#{at}"), id);
        }
        self
    }

    /// Puts a file into the plugin's storage.
    pub(crate) fn file(self, name: &str, content: &Value) -> World {
        self.put(name, content);
        self
    }

    /// Like `file`, between calls.
    pub(crate) fn put(&self, name: &str, content: &Value) {
        let answer = self.demo.put_file(&format!("{STORAGE}{name}"), content.to_string().as_bytes());
        assert_eq!(answer.status, 200);
    }

    /// Opens a page that answers this, names filled in, to every request; null if it never answers.
    pub(crate) fn page(mut self, answer: &Value) -> World {
        let answer = serde_json::from_str(&self.fill(&answer.to_string())).unwrap();
        self.page = Some(Page { answer, asked: Mutex::default() });
        self
    }

    /// The requests that the page got.
    pub(crate) fn asked_page(&self) -> Vec<PageRequest> {
        self.page.iter().flat_map(|page| page.asked.lock().unwrap().clone()).collect()
    }

    /// Names an id.
    pub(crate) fn named(mut self, name: &str, id: String) -> World {
        self.names.insert(name.to_owned(), id);
        self
    }

    /// The id of a name.
    pub(crate) fn id(&self, name: &str) -> &str {
        self.names.get(name).unwrap_or_else(|| panic!("nothing is named {name}"))
    }

    /// Every name with its id.
    pub(crate) fn names(&self) -> &BTreeMap<String, String> {
        &self.names
    }

    /// A text with ids in place of `{names}`.
    pub(crate) fn fill(&self, text: &str) -> String {
        self.names.iter().fold(text.to_owned(), |text, (name, id)| text.replace(&format!("{{{name}}}"), id))
    }

    /// A text with `{names}` in place of ids; an id without a name becomes `{new 1}` and so on.
    pub(crate) fn unfill(&self, text: &str) -> String {
        let mut text = self
            .names
            .iter()
            .fold(text.to_owned(), |text, (name, id)| text.replace(id, &format!("{{{name}}}")));
        for (at, id) in ids_in(&text).into_iter().enumerate() {
            text = text.replace(&id, &format!("{{new {}}}", at + 1));
        }
        text
    }

    /// Asks the kernel directly, past core; the request must succeed.
    pub(crate) fn ask(&self, path: &str, body: &Value) -> Value {
        let answer = self.demo.answer(&format!("/api/{path}"), body.to_string().as_bytes());
        let mut envelope: Value = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!(envelope["code"], 0, "{path} {body}: {envelope}");
        envelope["data"].take()
    }

    /// Lets time pass; later random values follow from the new time.
    pub(crate) fn pass(&self, ms: i64) {
        let before = *self.moment.lock().unwrap();
        let moment = Moment { ms: before.ms + ms, seed: before.seed + 1 };
        *self.moment.lock().unwrap() = moment;
        self.drawn.store(0, Ordering::Relaxed);
        self.demo.set_moment(moment);
    }

    /// The requests since the last call of this, without those for switches, levels, settings and the list of
    /// notebooks, and without those that read the index before the check of an id.
    pub(crate) fn take_sent(&self) -> Vec<(&'static str, Value)> {
        let policy = |(path, body): &(&str, Value)| {
            let storage =
                body["path"].as_str().is_some_and(|path| path.starts_with(STORAGE.trim_end_matches('/')));
            // The version is asked for once in a while, whatever the call.
            matches!(*path, "/api/notebook/lsNotebooks" | "/api/system/version")
                || (matches!(*path, "/api/file/getFile" | "/api/file/readDir") && storage)
        };
        without_places(&self.take_all()).into_iter().filter(|it| !policy(it)).collect()
    }

    /// All requests since the last call of this.
    pub(crate) fn take_all(&self) -> Vec<(&'static str, Value)> {
        std::mem::take(&mut *self.sent.lock().unwrap())
    }

    /// All paths requested since the last call of this.
    pub(crate) fn take_paths(&self) -> Vec<&'static str> {
        self.take_all().into_iter().map(|(path, _)| path).collect()
    }
}

/// The statement that reads the index before the check of an id.
const PLACES: &str = " b.id, b.box, b.path FROM blocks AS b WHERE b.id IN (";

pub(crate) fn reads_places(body: &Value) -> bool {
    body["stmt"].as_str().is_some_and(|it| it.contains(PLACES))
}

/// Requests without those that read the index before the check of an id: they are the same for every action.
pub(crate) fn without_places(sent: &[(&'static str, Value)]) -> Vec<(&'static str, Value)> {
    let mut kept = Vec::new();
    let mut was_places = false;
    for (path, body) in sent {
        let is_places = reads_places(body);
        let is_flush = was_places && *path == "/api/sqlite/flushTransaction";
        was_places = is_places;
        if !is_places && !is_flush {
            kept.push((*path, body.clone()));
        }
    }
    kept
}

/// The ids in a text, each once, in their order.
pub(crate) fn ids_in(text: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for (at, _) in text.match_indices('-').filter(|(at, _)| *at >= 14) {
        if let Some(id) = text.get(at - 14..at + 8)
            && puppy_core::id::is_node_id(id)
            && !ids.iter().any(|it| it == id)
        {
            ids.push(id.to_owned());
        }
    }
    ids
}

/// The API contract of SiYuan 3.8.
pub(crate) fn contract() -> &'static Contract {
    static CONTRACT: OnceLock<Contract> = OnceLock::new();
    CONTRACT.get_or_init(|| Contract::siyuan_3_8().unwrap())
}

/// Panics if SiYuan 3.8, which decodes requests strictly, would refuse the request with code -1.
pub(crate) fn taken_by_3_8(path: &str, body: &Value) {
    let taken = contract().check(path, body);
    assert_eq!(taken, Ok(()), "SiYuan 3.8 refuses {path} {body}");
}

/// Panics if SiYuan 3.8 would refuse the form of a file, or not find a part of it.
pub(crate) fn form_taken_by_3_8(path: &str, file: &str) {
    let texts = Body::form(file).map(|(name, _)| (name, false));
    let taken = contract().check_form(path, &[texts[0], texts[1], (Body::FILE, true)]);
    assert_eq!(taken, Ok(()), "SiYuan 3.8 refuses the form of {path}");
    let known = &contract().endpoints[path].request;
    assert!(texts.iter().all(|(name, _)| known.contains_key(*name)) && known.contains_key(Body::FILE));
}

impl Ambient for World {
    fn now_ms(&self) -> u64 {
        self.moment.lock().unwrap().ms.try_into().unwrap()
    }

    fn local_digits(&self) -> String {
        let behind = i64::try_from(self.hours_behind.load(Ordering::Relaxed)).unwrap() * 3_600;
        let seconds = self.moment.lock().unwrap().ms / 1_000 - behind;
        let time = time::OffsetDateTime::from_unix_timestamp(seconds).unwrap();
        let (month, day) = (u8::from(time.month()), time.day());
        format!("{}{month:02}{day:02}{:02}{:02}{:02}", time.year(), time.hour(), time.minute(), time.second())
    }

    fn random(&self) -> u64 {
        let drawn = self.drawn.fetch_add(1, Ordering::Relaxed) + 1;
        // Far apart, so that values drawn at two moments never coincide.
        (self.moment.lock().unwrap().seed << 20 | drawn).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Kernel for World {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move {
            let path = request.route.path;
            if let Some(error) = self.meet(path) {
                return Err(error);
            }
            let answer = match request.body {
                Body::Json(body) => {
                    taken_by_3_8(path, &body);
                    let answer = self.demo.answer(path, body.to_string().as_bytes());
                    self.sent.lock().unwrap().push((path, body));
                    answer
                }
                Body::File { path: file, bytes } => {
                    form_taken_by_3_8(path, &file);
                    let answer = self.demo.put_file(&file, &bytes);
                    self.sent.lock().unwrap().push((path, json!({ "path": file })));
                    answer
                }
            };
            assert_ne!(answer.status, 501, "{path} is not in the demo kernel");
            Ok(Answer { status: answer.status, retry_after: None, body: answer.body })
        })
    }

    fn local_files(&self) -> Option<&dyn LocalFiles> {
        Some(&self.local)
    }

    fn pause(&self, time: Duration) -> Boxed<'_, ()> {
        Box::pin(async move {
            let before = *self.moment.lock().unwrap();
            let moment = Moment { ms: before.ms + i64::try_from(time.as_millis()).unwrap(), ..before };
            *self.moment.lock().unwrap() = moment;
            self.demo.set_moment(moment);
        })
    }

    fn frontend(&self) -> Option<&dyn Frontend> {
        self.page.as_ref().map(|page| page as &dyn Frontend)
    }
}

/// The result of a future that never waits.
pub(crate) fn ready<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().unwrap()
}

/// The world of an engine that is not needed any more.
pub(crate) fn world_of(engine: Engine<World, Nobody>) -> World {
    std::sync::Arc::into_inner(engine.kernel).unwrap()
}

/// Makes one call, with or without a person's approval.
pub(crate) fn call(
    engine: &Engine<World, Nobody>,
    tool: Tool,
    arguments: &Value,
    approval: &Approval,
) -> Reply {
    let arguments = arguments.as_object().cloned().unwrap();
    let call = Call {
        tool,
        arguments,
        part: Part::Whole,
        transport: puppy_core::activity::Transport::Stdio,
        client: String::new(),
    };
    ready(engine.dispatch(call, approval))
}

/// A reply as a model sees it.
pub(crate) fn shown(reply: &Reply) -> String {
    match reply {
        Ok(output) => texts(output).join("\n"),
        Err(failed) => error(failed, Audience::Model).to_string(),
    }
}

/// Runs an action, such as `document.remove`, in a world and compares its requests and its answer. Names stand for
/// ids.
pub(crate) fn check(action: &str, world: World, arguments: &Value, expected: &Expect) {
    expected.assert_eq(&outcome(action, world, arguments));
}

/// Like [`check`], for several calls, each in a world of its own.
pub(crate) fn checks<const N: usize>(
    action: &str,
    world: impl Fn() -> World,
    calls: [Value; N],
    expected: &Expect,
) {
    let each = calls.map(|arguments| outcome(action, world(), &arguments));
    expected.assert_eq(&each.concat());
}

/// Like [`check`], and compares the blocks of these documents afterwards too.
pub(crate) fn check_then<const N: usize>(
    action: &str,
    world: World,
    arguments: &Value,
    documents: [&str; N],
    expected: &Expect,
) {
    expected.assert_eq(&outcome_then(action, world, arguments, &documents));
}

fn outcome(action: &str, world: World, arguments: &Value) -> String {
    outcome_then(action, world, arguments, &[])
}

fn outcome_then(action: &str, world: World, arguments: &Value, documents: &[&str]) -> String {
    let (tool, name) = action.split_once('.').unwrap();
    let tool = Tool::named(tool).unwrap();
    assert!(action_named(tool, name).is_some(), "{action}");
    let mut arguments: Value = serde_json::from_str(&world.fill(&arguments.to_string())).unwrap();
    arguments["action"] = json!(name);
    world.pass(1_000);
    let engine = Engine::new(world, Nobody);
    let reply = shown(&call(&engine, tool, &arguments, &Approval::Given));
    let sent = engine.kernel.take_sent();
    let paths: Vec<&str> = sent.iter().filter_map(|(path, _)| path.rsplit('/').next()).collect();
    let mut seen = format!("{}\n{reply}\n", paths.join(" "));
    for path in documents {
        let blocks = engine.kernel.ask("block/getChildBlocks", &json!({ "id": engine.kernel.id(path) }));
        for block in blocks.as_array().unwrap() {
            let text = block["markdown"].as_str().unwrap_or_default();
            seen.push_str(&format!("{} {}\n", block["id"].as_str().unwrap(), text.replace('\n', "⏎")));
        }
    }
    engine.kernel.unfill(&seen)
}
