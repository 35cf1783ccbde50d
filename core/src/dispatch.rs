//! The way of a call: find, visible, decode, targets, resolve, authorize, plan, confirm, run,
//! filter, bound, record, render. This sequence and nothing else; sidecar, command line and panel
//! all enter at the first step and differ only in the last.
//!
//! A call that is wrong in two ways answers for the earlier step (B-020). Resolve and authorize
//! fail closed. Filtering is by type: rows arrive as `Unfiltered` and only the grants open them;
//! bounding is by the arguments' types (`limit`, `budget`), so neither can be skipped here.

use std::sync::Arc;

use async_lock::OnceCell;
use futures_util::future::{Either, select};
use futures_util::pin_mut;
use serde_json::{Map, Value, json};

use crate::activity::{Ended, Observer, Outcome, Record, Transport};
use crate::args::Args;
use crate::config::{Cache, Policy, Switches};
use crate::cx::Cx;
use crate::error::{ErrorType, ToolError};
use crate::find::{Found, find};
use crate::kernel::Kernel;
use crate::output::{Output, Reply};
use crate::permission::{Places, Resolver, authorize};
use crate::plan::{Perform, Plan};
use crate::registry;
use crate::render::{example, help};
use crate::spec::{ActionSpec, Effect, Tool};

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

/// What the typed part of the pipeline is given.
pub(crate) struct Door<'a, K> {
    pub(crate) spec: &'static ActionSpec,
    kernel: &'a K,
    cache: &'a Cache,
    policy: Arc<Policy>,
    places: &'a OnceCell<Places>,
    arguments: Map<String, Value>,
    preview: bool,
    approval: Approval,
}

/// Steps 3 to 9 for one action.
pub(crate) async fn carry<A: Perform, K: Kernel>(door: Door<'_, K>) -> Reply {
    let spec = door.spec;
    let mut args = Args::new(spec, door.arguments.clone());
    let decoded = A::decode(&mut args);
    let action =
        args.finish(decoded).map_err(|problems| example::wrong_arguments(spec, &door.arguments, problems))?;
    let needs = action.needs();
    authorize(spec, &door.policy.grants)?;
    let mut resolver = Resolver { kernel: door.kernel, cache: door.cache, policy: door.policy.clone(), spec };
    let cx = Cx::new(door.kernel, spec, door.policy.clone(), door.cache, door.places);
    if spec.worst == Effect::Read {
        // Side by side: the read is dropped unseen when the check says no.
        let check = async {
            let found = resolver.find(&needs).await?;
            // The cell is set once per call, so this cannot fail.
            let _ = door.places.set(found).await;
            Ok::<(), ToolError>(())
        };
        let read = async {
            let plan = action.prepare(&cx).await?;
            action.perform(plan, &cx).await
        };
        return both(check, read).await;
    }
    let found = resolver.find(&needs).await?;
    let _ = door.places.set(found).await;
    let plan = action.prepare(&cx).await?;
    if door.preview {
        return Ok(preview(spec, &action, plan));
    }
    if door.approval == Approval::Missing && action.asks(&plan) {
        return Err(confirmation_required(spec, &plan));
    }
    action.perform(plan, &cx).await
}

/// Runs the check and the read together; what is wrong with the target is answered first.
async fn both(
    check: impl Future<Output = Result<(), ToolError>>,
    read: impl Future<Output = Reply>,
) -> Reply {
    pin_mut!(check);
    pin_mut!(read);
    match select(check, read).await {
        Either::Left((checked, read)) => {
            checked?;
            read.await
        }
        Either::Right((reply, check)) => {
            check.await?;
            reply
        }
    }
}

/// Step 7 ends here with `preview`: what would change, and whether a person would be asked.
fn preview<A: Perform>(spec: &ActionSpec, action: &A, plan: Plan<A::Facts>) -> Output {
    let asks = action.asks(&plan).then(|| spec.danger.sentence().map(|it| plan.worded(it))).flatten();
    let effect = action.effect(&plan).word();
    let mut data = plan.shows;
    data.insert("preview".to_owned(), json!(true));
    data.insert("effect".to_owned(), json!(effect));
    Output::from(data).with("danger", asks)
}

/// Step 8 without a gate yet: the plan, and no token.
fn confirmation_required<F>(spec: &ActionSpec, plan: &Plan<F>) -> ToolError {
    let sentence = spec.danger.sentence().map(|it| plan.worded(it)).unwrap_or_default();
    let message = format!(
        "A person must approve {}: {sentence} Nothing was changed. Ask them to do it in SiYuan or on the command line.",
        spec.path()
    );
    ToolError::new(ErrorType::ConfirmationRequired, message)
        .with("danger", sentence)
        .with("plan", plan.shows.clone())
}
