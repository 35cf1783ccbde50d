//! The run: lays out a desk for each example, makes the call, and writes down what came of it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use demo_kernel::{Desk, RequestBody};
use puppy_core::activity::stats::STATS_FILE;
use puppy_core::config::{ACCESS_FILE, GRANTS_FILE, HTTP_FILE, SWITCHES_FILE, Switches};
use puppy_core::kernel::api::notebook;
use puppy_core::kernel::files::{STORAGE, TEMP};
use puppy_core::registry::ACTIONS;
use puppy_core::render::example;
use puppy_core::spec::{ActionSpec, Tool};
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use crate::agent::Agent;
use crate::between::{Between, moved};
use crate::cleanup::{Before, Names};
use crate::kernel::Kernel;
use crate::skips::{Workspace, reason};
use crate::table::{Outcome, Row, Table};

/// Longer than the sidecar keeps the table of levels.
const LEVELS_ARE_KEPT: Duration = Duration::from_millis(1_200);

/// The programs of a run.
#[derive(Debug)]
pub struct RunOptions {
    /// The sidecar.
    pub sidecar: PathBuf,
    /// The address of SiYuan.
    pub kernel: String,
    /// Its API token.
    pub token: Option<String>,
    /// The only actions to call, with their answers in the table; empty means every action.
    pub only: Vec<String>,
}

impl RunOptions {
    fn wants(&self, spec: &ActionSpec) -> bool {
        self.only.is_empty() || self.only.contains(&spec.path())
    }
}

/// Calls every action until `stop` turns true, and removes everything that was made, also after a failure.
///
/// # Errors
/// When SiYuan cannot be reached or the sidecar does not start.
pub async fn run(setting: RunOptions, stop: watch::Receiver<bool>) -> Result<Table, String> {
    let kernel = Kernel::new(&setting.kernel, setting.token.clone())?;
    let mut before = Before::read(&kernel).await?;
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let title = format!("Live check {seconds}");
    if let Some(unknown) = setting.only.iter().find(|name| !ACTIONS.iter().any(|spec| spec.path() == **name))
    {
        return Err(format!("There is no action {unknown}."));
    }
    let wanted = ACTIONS.iter().filter(|spec| setting.wants(spec)).count();
    let mut table = Table { wanted, ..Table::default() };
    let levels = Map::new();
    let mut run = Run { setting, kernel, title, stop, levels, before: &mut before, table: &mut table };
    let made = run.every_tool().await;
    let (kernel, title) = (run.kernel.clone(), run.title.clone());
    let left = before.restore(&kernel, &title).await;
    table.trouble.extend(made.err());
    table.trouble.extend(left);
    Ok(table)
}

struct Run<'a> {
    setting: RunOptions,
    kernel: Kernel,
    /// The beginning of every name that is given.
    title: String,
    stop: watch::Receiver<bool>,
    /// The levels of the notebooks that were made.
    levels: Map<String, Value>,
    before: &'a mut Before,
    table: &'a mut Table,
}

/// A call that is about to be made.
struct PreparedCall {
    spec: &'static ActionSpec,
    arguments: Map<String, Value>,
}

impl Run<'_> {
    async fn every_tool(&mut self) -> Result<(), String> {
        self.settings().await?;
        let made = self.kernel.ask("notebook/createNotebook", &json!({ "name": self.title })).await?;
        let notebook = made
            .pointer("/notebook/id")
            .and_then(Value::as_str)
            .ok_or("SiYuan made no notebook.")?
            .to_owned();
        self.before.made_notebook(&notebook);
        self.levels.insert(notebook.clone(), json!("rwd"));
        let between = Between::start(self.kernel.clone()).await?;
        let token = self.setting.token.clone();
        let mut agent = Agent::start(&self.setting.sidecar, &between.url, token.as_deref()).await?;
        let mut ended = Ok(());
        for tool in Tool::ALL {
            ended = self.one_tool(tool, &notebook, &mut agent, &between).await;
            if ended.is_err() {
                break;
            }
        }
        agent.end().await;
        ended
    }

    /// Everything on, coins for a purchase, and a person who approves by sending the call once more.
    async fn settings(&self) -> Result<(), String> {
        let mut switches = Switches::default();
        for spec in ACTIONS {
            switches.set(spec.tool, spec.name, true);
        }
        let switches: Value = serde_json::from_str(&switches.to_json()).map_err(|why| why.to_string())?;
        let base = json!({ "earned": 1_000, "spent": 0, "calls": 1_000 });
        let coins = json!({ "balance": 1_000, "total_earned": 1_000, "total_calls": 1_000, "base": base });
        for (folder, file, content) in [
            (STORAGE, SWITCHES_FILE, switches),
            (STORAGE, HTTP_FILE, json!({ "confirm": ["token"] })),
            (STORAGE, ACCESS_FILE, json!({ "new_notebook_level": "rwd" })),
            (TEMP, STATS_FILE, coins),
        ] {
            self.kernel.put(&moved(&format!("{folder}{file}")), &content).await?;
        }
        Ok(())
    }

    /// Lays out the desks of a tool's examples and then makes the calls.
    async fn one_tool(
        &mut self,
        tool: Tool,
        notebook: &str,
        agent: &mut Agent,
        between: &Between,
    ) -> Result<(), String> {
        let workspace = Workspace { is_used: self.before.is_used() };
        let mut prepared = Vec::new();
        let wanted = |spec: &&&ActionSpec| spec.tool == tool && self.setting.wants(spec);
        let wanted: Vec<&ActionSpec> = ACTIONS.iter().filter(wanted).copied().collect();
        for spec in wanted {
            if let Some(why) = reason(spec, workspace) {
                let outcome = Outcome::Skipped(why);
                self.table.rows.push(Row { action: spec.path(), requests: Vec::new(), outcome });
                continue;
            }
            for at in 0..spec.examples.len() {
                let desk = self.desk(spec, at, notebook).await?;
                if let Some(spare) = desk.thing("spare") {
                    self.levels.insert(spare.to_owned(), json!("rwd"));
                }
                let thing = |name: String| desk.thing(&name).unwrap_or_default().to_owned();
                let arguments = example::all(spec, |hole| thing(hole.name())).swap_remove(at);
                prepared.push(PreparedCall { spec, arguments });
            }
        }
        let levels = Value::Object(self.levels.clone());
        self.kernel.put(&moved(&format!("{STORAGE}{GRANTS_FILE}")), &levels).await?;
        tokio::time::sleep(LEVELS_ARE_KEPT).await;
        for call in prepared {
            let mut stop = self.stop.clone();
            let (requests, answer) = tokio::select! {
                done = call.make(agent, between) => done,
                _ = stop.wait_for(|stop| *stop) => return Err("Interrupted.".to_owned()),
            };
            self.note(&call, requests, &answer);
        }
        Ok(())
    }

    /// A desk for an example. What is made for it is removed in the end, also where it fails halfway; and it is awaited
    /// to its end, so that nothing is made after the cleanup.
    async fn desk(&mut self, spec: &ActionSpec, at: usize, notebook: &str) -> Result<Desk, String> {
        let (kernel, stop) = (self.kernel.clone(), self.stop.clone());
        let (notebook, title) =
            (notebook.to_owned(), format!("{} {} {at}", self.title, spec.path().replace('.', " ")));
        let example = spec.examples.get(at).copied().unwrap_or_default();
        let here = tokio::runtime::Handle::current();
        let names = Arc::new(Mutex::new(Names::default()));
        let sending = Arc::clone(&names);
        let laid_out = tokio::task::spawn_blocking(move || {
            let ask = |path: &str, sent: RequestBody<'_>| {
                if *stop.borrow() {
                    return Err("Interrupted.".to_owned());
                }
                // Before it is sent: what the request makes may be there even if no answer comes.
                sending.lock().unwrap_or_else(PoisonError::into_inner).of(sent);
                here.block_on(kernel.send(path, sent))
            };
            Desk::lay_out(ask, &notebook, &title, |thing| example.contains(thing))
        });
        let laid_out = laid_out.await;
        self.before.sent(std::mem::take(&mut *names.lock().unwrap_or_else(PoisonError::into_inner)));
        let laid_out = laid_out.map_err(|_| "A desk could not be laid out.".to_owned())?;
        let desk = laid_out.map_err(|why| why.to_string())?;
        self.before.laid_out(&desk);
        Ok(desk)
    }

    /// Adds the outcome of an example to the row of its action.
    fn note(&mut self, call: &PreparedCall, requests: usize, answer: &Result<Value, Value>) {
        let action = call.spec.path();
        let (Ok(reply) | Err(reply)) = answer;
        self.before.answered(call.spec, reply);
        let gave = || format!("{} gave {reply}", Value::Object(call.arguments.clone()));
        let outcome = match answer {
            // A part that failed is reported next to those that did not.
            Ok(answer) if answer.get("failed").is_none() => {
                if !self.setting.only.is_empty() {
                    self.table.answers.push(gave());
                }
                Outcome::Passed
            }
            Ok(_) | Err(_) => Outcome::Failed(gave()),
        };
        match self.table.rows.last_mut().filter(|row| row.action == action) {
            Some(row) => {
                row.requests.push(requests);
                if row.outcome == Outcome::Passed {
                    row.outcome = outcome;
                }
            }
            None => self.table.rows.push(Row { action, requests: vec![requests], outcome }),
        }
    }
}

impl PreparedCall {
    /// Makes the call, and once more with the approval if it asks for one; gives the number of kernel requests of the
    /// call that was carried out.
    async fn make(&self, agent: &mut Agent, between: &Between) -> (usize, Result<Value, Value>) {
        let tool = self.spec.tool.name();
        let mut arguments = self.arguments.clone();
        arguments.insert("action".to_owned(), json!(self.spec.name));
        between.take();
        let mut answer = agent.call(tool, &arguments).await;
        if let Err(error) = &answer
            && let Some(token) = error.pointer("/error/confirm").and_then(Value::as_str)
        {
            arguments.insert("confirm".to_owned(), json!(token));
            between.take();
            answer = agent.call(tool, &arguments).await;
        }
        // The list of notebooks is read with the levels, once in a while and whatever is called.
        let list = notebook::LS_NOTEBOOKS.path;
        let declared = self.spec.calls.iter().any(|route| route.path == list);
        let asked = between.take();
        (asked.iter().filter(|path| declared || *path != list).count(), answer)
    }
}
