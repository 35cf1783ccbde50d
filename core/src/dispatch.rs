//! The way of a call: find, visible, decode, targets, resolve, authorize, plan, confirm, run,
//! filter, bound, record, render. This sequence and nothing else; sidecar, command line and panel
//! all enter at the first step and differ only in the last.
//!
//! A call that is wrong in two ways answers for the earlier step (B-020). Resolve and authorize
//! fail closed. Filtering is by type: rows arrive as `Unfiltered` and only the grants open them;
//! bounding is by the arguments' types (`limit`, `budget`), so neither can be skipped here.

pub(crate) mod carry;

use std::sync::Arc;

use async_lock::OnceCell;
use serde_json::{Map, Value};

use self::carry::Door;
use crate::activity::{Ended, Observer, Outcome, Record, Transport};
use crate::config::{Cache, Policy, Switches};
use crate::error::{ErrorType, ToolError};
use crate::find::{Found, find};
use crate::kernel::Kernel;
use crate::output::Reply;
use crate::permission::Places;
use crate::registry;
use crate::render::help;
use crate::spec::{ActionSpec, Tool};

/// Who approves a dangerous call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// Nobody has: the gate answers `confirmation_required`.
    Missing,
    /// A person typed it.
    Given,
}

/// One call as it comes in.
#[derive(Debug)]
pub struct Call {
    /// The tool.
    pub tool: Tool,
    /// Its arguments, `action` included.
    pub arguments: Map<String, Value>,
    /// The way it came.
    pub transport: Transport,
    /// Whether a person approved it already.
    pub approval: Approval,
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
    pub async fn dispatch(&self, mut call: Call) -> Reply {
        let asked_chars = Value::Object(call.arguments.clone()).to_string().chars().count();
        let (spec, preview) = match find(call.tool, &mut call.arguments)? {
            Found::Help(topic) => {
                return help::help(call.tool, topic.as_deref(), &self.known_switches().await);
            }
            Found::Action { spec, preview } => (spec, preview),
        };
        let record = Record { spec, transport: call.transport, started_ms: self.kernel.now_ms() };
        self.observer.started(&record);
        let places = OnceCell::new();
        let reply = self.steps(spec, preview, call, &places).await;
        let outcome = match &reply {
            Ok(_) => Outcome::Success,
            Err(error) if error.kind == ErrorType::ConfirmationRequired => Outcome::Dangerous,
            Err(error) => Outcome::Error(error.kind, error.code),
        };
        self.observer.ended(
            &record,
            &Ended::of(outcome, &reply, asked_chars, (record.started_ms, self.kernel.now_ms()), places.get()),
        );
        reply
    }

    async fn steps(
        &self,
        spec: &'static ActionSpec,
        preview: bool,
        call: Call,
        places: &OnceCell<Places>,
    ) -> Reply {
        let policy = self.policy().await;
        visible(spec, &policy)?;
        registry::perform(Door {
            spec,
            kernel: &self.kernel,
            cache: &self.cache,
            policy,
            places,
            observer: &self.observer,
            arguments: call.arguments,
            preview,
            approval: call.approval,
        })
        .await
    }

    /// The switches that are known without a kernel request, for help (B-022).
    async fn known_switches(&self) -> Switches {
        self.cache.known().await.map(|policy| policy.switches_or_default()).unwrap_or_default()
    }
}

/// Step 2: switched off or paused.
fn visible(spec: &ActionSpec, policy: &Policy) -> Result<(), ToolError> {
    if policy.paused {
        return Err(ToolError::disabled(
            "A person has paused all agents. They can resume in SiYuan: Settings of the plugin MCP Puppy.",
        ));
    }
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
