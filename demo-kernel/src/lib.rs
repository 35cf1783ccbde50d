//! A small SiYuan kernel for the demo and the tests: what the product and the host page call, on SQLite.
//!
//! Read in this order: `answer` (arguments and envelope), `http` (from a request to an endpoint and
//! back), `endpoints` (one file per area, and the table of paths), `store` (everything SQLite), `markdown`
//! (block trees from and to Kramdown and editor DOM), `fixture` (the demo workspace).
//!
//! It answers according to the recordings below `e2e/kernel/`, and with HTTP 501 to everything else.

mod answer;
mod av;
mod broadcast;
mod bulk;
pub mod contract;
mod desk;
mod edit;
mod endpoints;
mod faults;
mod fixture;
mod http;
mod id;
mod in_process;
mod kernel;
mod log;
mod markdown;
mod moment;
mod open;
mod riff;
mod siyuan;
mod snapshots;
mod store;
mod switches;
mod template;
mod undo;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use answer::Answer;
pub use desk::{Desk, RequestBody};
pub use faults::{Fault, FaultKind};
pub use in_process::Demo;
pub use log::Entry;
pub use moment::Moment;
pub use siyuan::Siyuan;
pub use switches::{Caller, Switches};

use answer::Refusal;
use kernel::Kernel;

/// The content of the workspace at the start.
#[derive(Debug, Clone)]
pub enum Content {
    /// No notebook.
    Empty,
    /// The notebooks of a fixture folder.
    Fixture(PathBuf),
    /// The content that an earlier kernel left in the workspace.
    Kept,
}

/// The options of a demo kernel.
#[derive(Debug, Clone)]
pub struct Options {
    /// The version of SiYuan that the kernel is.
    pub siyuan: Siyuan,
    /// Port on 127.0.0.1; 0 takes any free one.
    pub port: u16,
    /// The folder of the workspace's files, created if missing.
    pub workspace: PathBuf,
    /// The content of the workspace.
    pub content: Content,
    /// The API token callers must send; without one, local access is open.
    pub token: Option<String>,
    /// A folder that is served at `/stage/build/desktop/`.
    pub stage: Option<PathBuf>,
}

/// Why a demo kernel could not start.
#[derive(Debug)]
pub struct StartError(String);

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StartError {}

/// The result of [`start`].
pub type Result<T> = std::result::Result<T, StartError>;

/// A kernel that serves; it stops when this is dropped.
#[derive(Debug)]
pub struct Running {
    kernel: Arc<Kernel>,
    address: SocketAddr,
    stop: watch::Sender<bool>,
    task: Option<JoinHandle<()>>,
}

/// Starts a kernel; it serves when this returns.
///
/// # Errors
/// When the port is taken, or the workspace or fixture cannot be read or written.
pub async fn start(options: Options) -> Result<Running> {
    let fail = |what: &str, why: &dyn std::fmt::Display| StartError(format!("{what}: {why}"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))
        .await
        .map_err(|e| fail("cannot listen on that port", &e))?;
    let address = listener.local_addr().map_err(|e| fail("no address", &e))?;
    let kernel = tokio::task::spawn_blocking(move || open::open(options))
        .await
        .map_err(|e| fail("start", &e))?
        .map_err(StartError)?;
    let kernel = Arc::new(kernel);
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(http::serve(listener, Arc::clone(&kernel), stopped));
    Ok(Running { kernel, address, stop, task: Some(task) })
}

impl Running {
    /// The address to call, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The API token, required or not.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.kernel.token
    }

    /// The kernel requests since the start or the last [`Running::clear_log`].
    #[must_use]
    pub fn log(&self) -> Vec<Entry> {
        self.kernel.log.entries()
    }

    /// The number of requests for a path that a [`FaultKind::Delay`] holds back now.
    #[must_use]
    pub fn held(&self, path: &str) -> usize {
        self.kernel.log.held(path)
    }

    /// Releases all requests that are held back.
    pub fn release(&self) {
        self.kernel.log.release();
    }

    /// Forgets the requests so far.
    pub fn clear_log(&self) {
        self.kernel.log.clear();
    }

    /// Replaces all faults.
    pub fn set_faults(&self, faults: Vec<Fault>) {
        self.kernel.faults.replace(faults);
    }

    /// Sets the switches.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn set_switches(&self, switches: Switches) -> Result<()> {
        self.kernel.switch(switches).map_err(|refusal| StartError(refusal.msg))
    }

    /// Lays out a desk in an open notebook, past access checks, faults and the log; for `wants` see [`Desk::lay_out`].
    ///
    /// # Errors
    /// When the kernel refuses it.
    pub fn desk(&self, notebook: &str, title: &str, wants: impl Fn(&str) -> bool) -> Result<Desk> {
        let ask = |path: &str, sent: RequestBody<'_>| {
            let (body, form) = sent.parts();
            Ok(match endpoints::table::find(path) {
                Some(endpoint) => endpoint.handler.answer(&self.kernel, path, &body, form).body,
                None => Answer::json(200, Err(Refusal::not_here(path))).body,
            })
        };
        Desk::lay_out(ask, notebook, title, wants)
    }

    /// Makes a notebook with this number of documents and of blocks in all, the same every time; returns its id.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn bulk(&self, documents: usize, blocks: usize) -> Result<String> {
        bulk::load(&self.kernel.store, documents, blocks).map_err(|refusal| StartError(refusal.msg))
    }

    /// Stops serving and waits until the port is free.
    pub async fn shutdown(mut self) {
        let _ = self.stop.send(true);
        if let Some(task) = self.task.take() {
            // It fails only if the task has already ended, which is the goal.
            let _ = task.await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}
