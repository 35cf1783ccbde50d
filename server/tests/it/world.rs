//! A demo kernel with a new workspace, and three ways to call it: raw, through core, through the program.

use std::time::Duration;

use demo_kernel::{Content, Options as KernelOptions, Running, Siyuan};
use puppy_core::activity::stats::STATS_FILE;
use puppy_core::activity::{CallEnd, Observer, Record, Transport};
use puppy_core::config::{GRANTS_FILE, SWITCHES_FILE};
use puppy_core::dispatch::{Approval, Call, Engine};
use puppy_core::kernel::page::{Frontend, PageError, PageRequest};
use puppy_core::kernel::{Ambient, Answer, Body, Boxed, Kernel, KernelError, Request, Route, files};
use puppy_core::output::Reply;
use puppy_core::part::Part;
use puppy_core::spec::Tool;
use puppy_server::discover::Address;
use puppy_server::kernel::{HttpKernel, Options};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::fixture;

/// A word that occurs only in the notebook that the fixture closes to agents.
pub(crate) const CANARY: &str = "quicksilver";

pub(crate) struct World {
    pub(crate) kernel: Running,
    pub(crate) http: HttpKernel,
    /// Removed when the test ends.
    _folder: TempDir,
}

impl World {
    /// A world with the fixture's workspace.
    pub(crate) async fn new() -> World {
        World::with_token(None).await
    }

    /// The same behind an API token.
    pub(crate) async fn with_token(token: Option<&str>) -> World {
        World::on_port(0, token).await
    }

    /// A world with an empty workspace.
    pub(crate) async fn empty() -> World {
        World::start(Siyuan::V3_7, 0, None, false).await
    }

    /// A world of a version of SiYuan with the fixture's workspace.
    pub(crate) async fn of(siyuan: Siyuan) -> World {
        World::start(siyuan, 0, None, true).await
    }

    /// The same at a given port.
    pub(crate) async fn on_port(port: u16, token: Option<&str>) -> World {
        World::start(Siyuan::V3_7, port, token, true).await
    }

    async fn start(siyuan: Siyuan, port: u16, token: Option<&str>, has_notes: bool) -> World {
        let folder = TempDir::new().unwrap();
        let workspace = folder.path().join("workspace");
        if has_notes {
            fixture::lay(siyuan, &workspace);
        }
        let options = KernelOptions {
            siyuan,
            port,
            workspace,
            content: if has_notes { Content::Kept } else { Content::Empty },
            token: token.map(str::to_owned),
            stage: None,
        };
        let kernel = demo_kernel::start(options).await.unwrap();
        let http = client(&kernel.url(), token);
        World { kernel, http, _folder: folder }
    }

    /// Calls the kernel directly.
    pub(crate) async fn raw(&self, path: &'static str, body: Value) -> Value {
        let route = Route::silent(path);
        let answer = self.http.send(Request { route, body: Body::Json(body) }).await.unwrap();
        answer.data(route).unwrap_or_else(|error| panic!("{path}: {error:?}"))
    }

    pub(crate) async fn read(&self, path: &str) -> Option<Vec<u8>> {
        files::read(&self.http, path).await.unwrap()
    }

    pub(crate) async fn read_json(&self, path: &str) -> Value {
        let bytes = self.read(path).await.unwrap_or_else(|| panic!("{path} is missing"));
        serde_json::from_slice(&bytes).unwrap()
    }

    pub(crate) async fn write(&self, path: &str, text: &str) {
        files::write(&self.http, path, text.as_bytes().to_vec()).await.unwrap();
    }

    /// The table of levels, if there is one.
    pub(crate) async fn table(&self) -> Option<Value> {
        let bytes = self.read(&format!("{}{GRANTS_FILE}", files::STORAGE)).await?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Writes the table of levels.
    pub(crate) async fn set_table(&self, table: &Value) {
        self.write(&format!("{}{GRANTS_FILE}", files::STORAGE), &table.to_string()).await;
    }

    /// Writes the switches.
    pub(crate) async fn set_switches(&self, switches: &Value) {
        self.write(&format!("{}{SWITCHES_FILE}", files::STORAGE), &switches.to_string()).await;
    }

    /// Gives the puppy coins that earlier processes earned.
    pub(crate) async fn earn(&self, coins: u64) {
        let base = json!({ "earned": coins, "spent": 0, "calls": coins });
        let stats = json!({ "balance": coins, "total_earned": coins, "total_calls": coins, "base": base });
        self.write(&format!("{}{STATS_FILE}", files::TEMP), &stats.to_string()).await;
    }

    /// The id of a notebook of the fixture.
    pub(crate) async fn notebook(&self, name: &str) -> String {
        let list = self.raw("/api/notebook/lsNotebooks", json!({})).await;
        let all = list["notebooks"].as_array().unwrap();
        let found = all.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("no notebook {name}"));
        found["id"].as_str().unwrap().to_owned()
    }

    /// A table with every notebook at `none` except one.
    pub(crate) async fn only(&self, notebook: &str, level: &str) -> Value {
        let list = self.raw("/api/notebook/lsNotebooks", json!({})).await;
        let ids =
            list["notebooks"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned());
        let mut table: Map<String, Value> = ids.map(|id| (id, json!("none"))).collect();
        table.insert(notebook.to_owned(), json!(level));
        Value::Object(table)
    }

    /// The paths of the requests since the log was cleared.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.kernel.log().into_iter().map(|entry| entry.path).collect()
    }

    /// An engine whose observer ignores every call.
    pub(crate) fn silent(&self) -> Engine<HttpKernel, Silent> {
        Engine::new(self.http.clone(), Silent)
    }
}

/// A client of a kernel.
pub(crate) fn client(url: &str, token: Option<&str>) -> HttpKernel {
    let options = Options::new(Address::Given(url.to_owned()), token.map(str::to_owned));
    // Large contents are made while other tests run: only a kernel that hangs may reach this.
    HttpKernel::new(Options { deadline: Duration::from_secs(60), ..options }).unwrap()
}

/// Makes one call.
pub(crate) async fn call<K: Kernel, O: Observer>(
    engine: &Engine<K, O>,
    tool: Tool,
    arguments: Value,
) -> Reply {
    call_as(engine, tool, arguments, Approval::Missing).await
}

pub(crate) async fn call_as<K: Kernel, O: Observer>(
    engine: &Engine<K, O>,
    tool: Tool,
    arguments: Value,
    approval: Approval,
) -> Reply {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    engine
        .dispatch(
            Call { tool, arguments, part: Part::Whole, transport: Transport::Stdio, client: String::new() },
            &approval,
        )
        .await
}

/// An observer that ignores everything.
#[derive(Debug)]
pub(crate) struct Silent;

impl Observer for Silent {
    fn started(&self, _record: &Record) {}

    fn ended(&self, _record: &Record, _ended: &CallEnd) {}
}

/// A kernel with a stopped clock, so that cached values stay valid while requests are counted.
#[derive(Debug)]
pub(crate) struct Frozen(pub(crate) HttpKernel);

impl Kernel for Frozen {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move { self.0.send(request).await })
    }

    fn pause(&self, time: Duration) -> Boxed<'_, ()> {
        Box::pin(async move {
            self.0.pause(time).await;
        })
    }

    fn frontend(&self) -> Option<&dyn Frontend> {
        window()
    }
}

/// A window of SiYuan that answers everything.
struct Window;

impl Frontend for Window {
    fn ask(&self, _: PageRequest) -> Boxed<'_, Result<Value, PageError>> {
        let answer = json!({ "frontend": "desktop", "option": 0, "text": "yes", "visible": true });
        Box::pin(async move { Ok(answer) })
    }
}

/// The window that kernels of tests have open.
pub(crate) fn window() -> Option<&'static dyn Frontend> {
    Some(&Window)
}

impl Ambient for Frozen {
    fn now_ms(&self) -> u64 {
        1_700_000_000_000
    }

    fn local_digits(&self) -> String {
        self.0.local_digits()
    }

    fn random(&self) -> u64 {
        self.0.random()
    }
}

/// Waits until `look` returns a value, with a generous deadline.
pub(crate) async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(tokio::time::Instant::now() < deadline, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
