//! The way of a call: find, visible, decode, targets, resolve, authorize, plan, confirm, run,
//! filter, bound, record, render. This sequence and nothing else; sidecar, command line and panel
//! all enter at the first step and differ only in the last.
//!
//! A call that is wrong in two ways answers for the earlier step (B-020). Resolve and authorize
//! fail closed. Filtering is by type: rows arrive as `Unfiltered` and only the grants open them;
//! bounding is by the arguments' types (`limit`, `budget`), so neither can be skipped here.

pub(crate) mod carry;
mod gate;
mod partly;
#[cfg(test)]
mod tests;
pub(crate) mod watch;

use std::sync::{Arc, OnceLock};

use async_lock::OnceCell;
use serde_json::{Map, Value};

pub use self::gate::{Approval, Fingerprint, Gate, Question, Standing, Verdict};

use self::carry::Door;
use self::watch::Watch;
use crate::activity::{Observer, Outcome, Record, Transport};
use crate::args::Args;
use crate::config::{Cache, Pause, Policy, Switches};
use crate::error::ToolError;
use crate::find::{Found, find};
use crate::kernel::Kernel;
use crate::output::{Reply, json_chars};
use crate::permission::Places;
use crate::registry;
use crate::render::{help, visible};
use crate::spec::{ActionSpec, Tool};

/// One call as it comes in.
#[derive(Debug)]
pub struct Call {
    /// The tool.
    pub tool: Tool,
    /// Its arguments, `action` included.
    pub arguments: Map<String, Value>,
    /// The way it came.
    pub transport: Transport,
}

/// A kernel with what is kept between calls.
#[derive(Debug)]
pub struct Engine<K, O> {
    /// The kernel.
    pub kernel: K,
    /// The policy of the moment.
    pub cache: Cache,
    /// Who is told of calls.
    pub observer: O,
}

impl<K: Kernel, O: Observer> Engine<K, O> {
    /// An engine that has read nothing yet.
    pub fn new(kernel: K, observer: O) -> Self {
        Engine { kernel, cache: Cache::default(), observer }
    }

    /// The switches, grants and notebooks of now.
    pub async fn policy(&self) -> Arc<Policy> {
        self.cache.policy(&self.kernel).await
    }

    /// Carries one call from its arguments to its answer.
    pub async fn dispatch(&self, mut call: Call, gate: &impl Gate) -> Reply {
        visible::mean_all(&mut call.arguments);
        let request_chars = json_chars(&call.arguments);
        let (spec, preview, confirm) = match find(call.tool, &mut call.arguments)? {
            Found::Help(topic) => {
                return help::help(call.tool, topic.as_deref(), &self.known_switches().await);
            }
            Found::Action { spec, preview, confirm } => (spec, preview, confirm),
        };
        let record = Record { spec, transport: call.transport, started_ms: self.kernel.now_ms() };
        let watch = Watch::start(&self.kernel, &self.observer, record, request_chars);
        let print = Fingerprint::of_call(spec, &Args::settled(spec, call.arguments.clone()));
        let policy = self.policy().await;
        let mut pass = Pass::new(gate.standing(&policy.calls, print, confirm.as_deref()), print);
        let mut reply = self.steps(spec, preview, call.arguments.clone(), policy.clone(), &pass).await;
        let mut outcome = None;
        if let Some(question) = pass.question.take() {
            if gate.waits(&policy.calls) {
                watch.asks(pass.places.get());
            }
            let means = question.means;
            match gate.ask(&policy.calls, question).await {
                Verdict::Approved => {
                    // All of it again: switches, levels and notes may have changed while a person thought.
                    pass = Pass::new(Standing::ApprovedPlan(means), print);
                    reply = self.steps(spec, preview, call.arguments, self.policy().await, &pass).await;
                }
                Verdict::Refused(error) => reply = Err(error),
                Verdict::Later(error) => {
                    reply = Err(error);
                    outcome = Some(Outcome::Dangerous);
                }
            }
        }
        let outcome = outcome.unwrap_or(match &reply {
            Ok(_) => Outcome::Success,
            Err(error) => Outcome::Error(error.kind, error.code),
        });
        watch.end(outcome, &reply, pass.places.get());
        reply
    }

    async fn steps(
        &self,
        spec: &'static ActionSpec,
        preview: bool,
        arguments: Map<String, Value>,
        policy: Arc<Policy>,
        pass: &Pass,
    ) -> Reply {
        visible(spec, &policy)?;
        registry::perform(Door {
            spec,
            kernel: &self.kernel,
            cache: &self.cache,
            policy,
            observer: &self.observer,
            arguments,
            preview,
            pass,
        })
        .await
    }

    /// The switches that are known without a kernel request, for help (B-022).
    pub(crate) async fn known_switches(&self) -> Switches {
        self.cache.known().await.map(|policy| policy.switches_or_default()).unwrap_or_default()
    }
}

/// One way through steps 2 to 9; after a person was asked there is a second one.
#[derive(Debug)]
pub(crate) struct Pass {
    standing: Standing,
    call: Fingerprint,
    /// Where the targets are, once they are found.
    places: OnceCell<Places>,
    /// What a person must be asked.
    question: OnceLock<Question>,
}

impl Pass {
    fn new(standing: Standing, call: Fingerprint) -> Pass {
        Pass { standing, call, places: OnceCell::new(), question: OnceLock::new() }
    }
}

/// Whether agents may do anything at all.
pub(crate) fn running(policy: &Policy) -> Result<(), ToolError> {
    match &policy.calls.pause {
        Pause::No => Ok(()),
        Pause::Yes => Err(ToolError::disabled(
            "A person has paused all agents. They can resume in SiYuan: Settings of the plugin MCP Puppy.",
        )),
        Pause::Unknown(why) => Err(why.into()),
    }
}

/// Step 2: switched off or paused.
pub(crate) fn visible(spec: &ActionSpec, policy: &Policy) -> Result<(), ToolError> {
    running(policy)?;
    let switches = policy.switches.as_ref().map_err(ToolError::from)?;
    if switches.is_on(spec) {
        return Ok(());
    }
    let what =
        if switches.tool_switch(spec.tool) { spec.path() } else { format!("The tool {}", spec.tool.name()) };
    Err(ToolError::disabled(format!(
        "{what} is switched off. A person can switch it on in SiYuan: Settings of the plugin MCP Puppy, Tools."
    )))
}
