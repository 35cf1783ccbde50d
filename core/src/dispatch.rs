//! The pipeline of a call: the steps from its arguments to its answer.
//!
//! The steps are find, visible, decode, targets, resolve, authorize, plan, confirm, run, filter, bound, record,
//! render. Nothing else happens here; sidecar, command line and panel all enter at the first step and differ only in
//! the last.
//!
//! A call with two mistakes is answered for the earlier step (B-020). Resolve and authorize fail closed. Filtering is
//! by type: rows arrive as `Unfiltered`, and only the grants open them. Bounding is by the types of arguments
//! (`limit`, `budget`). So neither can be skipped here.

mod advice;
pub(crate) mod carry;
mod empty;
mod errand;
mod gate;
pub mod gate_words;
mod ledger;
mod named;
mod partly;
mod rules;
#[cfg(test)]
mod tests;
pub(crate) mod watch;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use async_lock::OnceCell;
use serde_json::{Map, Value};

pub use self::gate::{
    Approval, ApprovalRequest, ApprovalState, CONFIRM_MS, Gate, KeptReply, PlanQuestion, Verdict,
};
pub use crate::fingerprint::Fingerprint;

use self::watch::Watch;
use crate::activity::shop::ShopItem;
use crate::activity::{Observer, Outcome, Record, Transport};
use crate::agents::{AgentMark, Agents, Identity, OWN_AGENT, shown_client};
use crate::ask::clean;
use crate::config::{Pause, Policy, PolicyView, Rules};
use crate::cx::World;
use crate::errands::{ErrandCeilings, Errands};
use crate::error::{ErrorType, ToolError};
use crate::find::{CallTarget, ResolvedCall, find};
use crate::kernel::{Boxed, Kernel};
use crate::output::{Reply, json_chars};
use crate::part::Part;
use crate::permission::{Places, authorize, offered};
use crate::process::Process;
use crate::render::help;
use crate::runs::{Author, Runs};
use crate::spec::{ActionSpec, Danger, Tool};
use crate::visible;

/// The maximum number of characters of a client's name in the record.
const CLIENT: usize = 40;

/// A call as it arrives.
#[derive(Debug, Clone)]
pub struct Call {
    /// The tool.
    pub tool: Tool,
    /// Its arguments, `action` included.
    pub arguments: Map<String, Value>,
    /// The part of the tool that it was sent to.
    pub part: Part,
    /// The transport that it arrived by.
    pub transport: Transport,
    /// The name that the client gave itself, which proves nothing; empty where there is none.
    pub client: String,
}

/// A kernel, with the state that is kept between calls, as one caller has it. Clones share the state.
#[derive(Debug)]
pub struct Engine<K, O> {
    /// The kernel.
    pub kernel: Arc<K>,
    /// The cached policy, as the caller has it.
    pub cache: PolicyView,
    pub(crate) process: Arc<Process>,
    /// The observer of calls.
    pub observer: Arc<O>,
}

impl<K, O> Clone for Engine<K, O> {
    fn clone(&self) -> Self {
        let Engine { kernel, cache, process, observer } = self;
        let (kernel, process, observer) = (kernel.clone(), process.clone(), observer.clone());
        Engine { kernel, cache: cache.clone(), process, observer }
    }
}

impl<K: Kernel, O: Observer> Engine<K, O> {
    /// An engine with an empty cache, for the person whose notes they are.
    pub fn new(kernel: K, observer: O) -> Self {
        let (kernel, observer) = (Arc::new(kernel), Arc::new(observer));
        Engine { kernel, cache: PolicyView::default(), process: Arc::default(), observer }
    }

    /// The same engine with a ledger, and other state of its own.
    #[must_use]
    pub fn keeping(self, runs: Arc<Runs>) -> Self {
        Engine { process: Arc::new(Process::keeping(runs)), ..self }
    }

    /// The same engine for another caller. That caller's ceiling limits everything reached through it.
    #[must_use]
    pub fn known_as(&self, identity: Identity) -> Self {
        Engine { cache: self.cache.known_as(identity), ..self.clone() }
    }

    /// The active errands of all callers.
    pub fn errands(&self) -> &Arc<Errands> {
        &self.process.errands
    }

    /// Ends the errands that changed settings no longer allow.
    pub async fn review_errands(&self) {
        let callers = self.errands().callers();
        if callers.is_empty() {
            return;
        }
        for (principal, identity) in callers {
            let policy = self.known_as(identity).policy().await;
            let author = Author { session: Some(principal), ..Author::default() };
            errand::obey(&World { author: Some(&author), ..self.world() }, &policy);
        }
    }

    /// The current switches, grants and notebooks.
    pub async fn policy(&self) -> Arc<Policy> {
        self.cache.policy(&*self.kernel).await
    }

    /// The policy of the last read, however old; see [`Cache::known`](crate::config::Cache::known).
    pub fn known(&self) -> Option<Arc<Policy>> {
        self.cache.known(&*self.kernel)
    }

    /// Runs one call from its arguments to its answer.
    pub async fn dispatch(&self, call: Call, gate: &dyn Gate) -> Reply {
        dispatch(&self.world(), &self.cache, call, gate, Caller::Person).await
    }

    /// Like `dispatch`, for an agent: its first write into a notebook in a session brings the rules that the notebook
    /// has (B-017). Without a session nothing tells who has heard them, so every write brings them.
    pub async fn dispatch_in(&self, session: Option<&str>, call: Call, gate: &dyn Gate) -> Reply {
        dispatch(&self.world(), &self.cache, call, gate, Caller::Agent(session)).await
    }

    /// Carries out a call whose plan a person approved after the call had asked; another plan is a conflict. It gets
    /// a record of its own only if it is alone: otherwise the record of the call that asked gets the outcome.
    pub async fn carry_out(
        &self,
        session: Option<&str>,
        call: Call,
        means: Fingerprint,
        is_alone: bool,
    ) -> KeptReply {
        // Levels that a person lowers while it runs must not count as those of its answer.
        let grants = self.policy().await.scope.grants.clone();
        let world =
            if is_alone { self.world() } else { World { observer: &watch::Unobserved, ..self.world() } };
        let approved = gate::Approved(means);
        let reply = dispatch(&world, &self.cache, call, &approved, Caller::Agent(session)).await;
        KeptReply::new(reply, grants)
    }

    /// The answer of a call that ended after its caller had left, under the policy of now.
    ///
    /// # Errors
    /// Those of the call, and if calls are refused now.
    pub async fn kept(&self, kept: &KeptReply) -> Reply {
        let policy = self.policy().await;
        running(&policy.rules)?;
        invited(self.cache.identity(), &policy.rules)?;
        kept.given(&policy.scope.grants)
    }

    /// The surroundings of a call.
    pub(crate) fn world(&self) -> World<'_> {
        let Engine { kernel, cache, process, observer } = self;
        World { kernel: &**kernel, source: cache, process, observer: &**observer, author: None }
    }
}

/// The recipient of the answer. Agents follow the rules of notebooks; a person wrote them.
#[derive(Debug, Clone, Copy)]
enum Caller<'a> {
    Person,
    /// In this session, if it has one.
    Agent(Option<&'a str>),
}

impl Caller<'_> {
    /// The maker of the changes of a call.
    fn author(self, record: &Record, identity: &Identity) -> Author {
        let (is_person, session) = match self {
            Caller::Person => (true, None),
            Caller::Agent(session) => (false, session.map(str::to_owned)),
        };
        let (client, agent) = (record.client.to_string(), record.agent.as_deref().cloned());
        let (transport, identity) = (record.transport.word(), identity.clone());
        Author { client, agent, session, transport, is_person, identity }
    }
}

/// Steps 1 to 12.
async fn dispatch(
    world: &World<'_>,
    cache: &PolicyView,
    mut call: Call,
    gate: &dyn Gate,
    caller: Caller<'_>,
) -> Reply {
    visible::mean_all(&mut call.arguments);
    let request_chars = json_chars(&call.arguments);
    let called = match find(call.tool, call.arguments)? {
        CallTarget::Help(topic) => {
            // The offer as far as it is known without a kernel request (B-022).
            let known = cache.known(world.kernel).map(|policy| policy.offer());
            return help::help(call.tool, topic.as_deref(), &known.unwrap_or_default());
        }
        CallTarget::Action(called) => called,
    };
    takes(call.part, called.spec)?;
    let mut record = Record {
        spec: called.spec,
        transport: call.transport,
        started_ms: world.kernel.now_ms(),
        client: shown_client(&clean(&call.client, CLIENT)).into(),
        // From the cached policy, without a kernel request.
        agent: cache.known(world.kernel).and_then(|policy| mark(cache, &policy)),
    };
    let mut watch = Watch::start(world.kernel, world.observer, record.clone(), request_chars);
    let policy = cache.policy(world.kernel).await;
    record.agent = mark(cache, &policy);
    watch.known_as(record.agent.clone());
    let author = caller.author(&record, cache.identity());
    let world = &World { author: Some(&author), ..*world };
    let mut attempt = Attempt::new(standing(gate, &policy, &called), &policy);
    let mut reply = stepped(world, &called, &policy, &attempt).await;
    let (mut outcome, mut open) = (None, None);
    if attempt.is_covered.load(Ordering::Relaxed) {
        // A person who approves an earlier question about the same call must not make it run twice.
        gate.covered(called.fingerprint());
    }
    if let Some(mut question) = attempt.question.take() {
        question.agent = author.agent.clone();
        question.is_stranger = author.agent.is_none() && policy.scope.agents().is_ok_and(Agents::is_any);
        let settings = &policy.rules.calls;
        if gate.waits(settings, &question) {
            watch.asks(attempt.places.get());
        }
        let means = question.means;
        let asked_ms = world.kernel.now_ms();
        let verdict = gate.ask(settings, question).await;
        watch.waited(world.kernel.now_ms().saturating_sub(asked_ms));
        match verdict {
            Verdict::Approved => {
                // Everything runs again: switches, levels and notes may have changed while the person decided.
                let policy = cache.policy(world.kernel).await;
                attempt = Attempt::new(ApprovalState::ApprovedPlan(means), &policy);
                reply = stepped(world, &called, &policy, &attempt).await;
            }
            Verdict::Refused(error) => reply = Err(error),
            Verdict::Ran(done) => reply = *done,
            Verdict::Later { error, question } => {
                reply = Err(error);
                outcome = Some(Outcome::Dangerous);
                open = question;
            }
        }
    }
    let outcome = outcome.unwrap_or_else(|| Outcome::of(&reply));
    if let (Ok(output), Caller::Agent(session)) = (&mut reply, caller)
        && attempt.has_written.load(Ordering::Relaxed)
    {
        let done = std::mem::take(output);
        let with_rules = rules::with_rules(done, session, attempt.places.get(), &policy.scope, world);
        *output = Box::pin(with_rules).await;
    }
    watch.title(attempt.title.take());
    watch.bought(attempt.bought.take());
    match open {
        Some(question) => watch.leave(outcome, &reply, attempt.places.get(), &question),
        None => watch.end(outcome, &reply, attempt.places.get()),
    }
    reply
}

/// The mark of the caller under a policy, in one line.
pub(crate) fn mark(cache: &PolicyView, policy: &Policy) -> Option<Arc<AgentMark>> {
    let mark = cache.mark(policy)?;
    Some(Arc::new(AgentMark { name: clean(&mark.name, CLIENT), ..mark }))
}

/// The end of step 1: refuses a change that was sent to the half of a tool that only reads (B-015).
fn takes(part: Part, spec: &ActionSpec) -> Result<(), ToolError> {
    if part.takes(spec) {
        return Ok(());
    }
    let (tool, edit) = (spec.tool.name(), Part::Changes.suffix());
    let message = format!(
        "`{}` does not only read, so it is an action of `{tool}{edit}`: send the same arguments there. Nothing was changed.",
        spec.name
    );
    Err(ToolError::new(ErrorType::Validation, message))
}

/// The standing of the call. A call that can ask nobody and brings no approval is not hashed, to save the work.
fn standing(gate: &dyn Gate, policy: &Policy, called: &ResolvedCall) -> ApprovalState {
    if called.spec.danger == Danger::None && called.confirm.is_none() {
        return ApprovalState::Open;
    }
    let (in_siyuan, confirm) = (called.spec.danger.is_for_siyuan(), called.confirm.as_deref());
    gate.standing(&policy.rules.calls, ApprovalRequest { call: called.fingerprint(), in_siyuan, confirm })
}

/// Steps 2 to 9. Boxed, because their state would take the stack of everything around them, and without a type, because
/// each place that knows it would have its code once more.
fn stepped<'a>(
    world: &'a World<'_>,
    called: &'a ResolvedCall,
    policy: &'a Policy,
    attempt: &'a Attempt,
) -> Boxed<'a, Reply> {
    Box::pin(steps(world, called, policy, attempt))
}

async fn steps(world: &World<'_>, called: &ResolvedCall, policy: &Policy, attempt: &Attempt) -> Reply {
    errand::obey(world, policy);
    visible(called.spec, &policy.rules)?;
    invited(world.author.map_or(&Identity::Unknown, |it| &it.identity), &policy.rules)?;
    offered(called.spec, &policy.scope)?;
    if let ApprovalState::Ran(kept) = &attempt.standing {
        authorize(called.spec, &policy.scope.grants)?;
        return kept.given(&policy.scope.grants);
    }
    let offers = |spec: &ActionSpec| policy.offer().has(spec);
    carry::carry(world, called, policy.scope.clone(), attempt, &offers).await
}

/// One pass through steps 2 to 9; after a person has answered, there is a second one.
#[derive(Debug)]
pub(crate) struct Attempt {
    standing: ApprovalState,
    /// The places of the targets, once resolved.
    places: Arc<OnceCell<Places>>,
    /// The question to a person, if the plan needs one.
    question: OnceLock<PlanQuestion>,
    /// The title of the document that it deletes.
    title: OnceLock<String>,
    /// The item that it bought for the puppy.
    bought: OnceLock<ShopItem>,
    /// Whether it changed something: not every call of an action that may write does.
    has_written: AtomicBool,
    /// The greatest bounds of an errand.
    ceilings: ErrandCeilings,
    /// Whether an errand covered it.
    is_covered: AtomicBool,
}

impl Attempt {
    fn new(standing: ApprovalState, policy: &Policy) -> Attempt {
        Attempt {
            standing,
            places: Arc::new(OnceCell::new()),
            question: OnceLock::new(),
            title: OnceLock::new(),
            bought: OnceLock::new(),
            has_written: AtomicBool::new(false),
            ceilings: policy.rules.calls.errands,
            is_covered: AtomicBool::new(false),
        }
    }
}

/// Refuses every call while a person has paused all agents.
pub(crate) fn running(rules: &Rules) -> Result<(), ToolError> {
    match &rules.calls.pause {
        Pause::No => Ok(()),
        Pause::Yes => Err(ToolError::paused()),
        Pause::Unknown(why) => Err(why.into()),
    }
}

/// Refuses SiYuan's own agent, unless a person lets it call.
fn invited(identity: &Identity, rules: &Rules) -> Result<(), ToolError> {
    if rules.calls.own_agent || *identity != Identity::Own {
        return Ok(());
    }
    Err(ToolError::disabled(format!(
        "A person has turned these tools off for {OWN_AGENT}. They can turn them on in SiYuan: Settings of the plugin MCP Puppy, Permissions."
    )))
}

/// Step 2: refuses an action that is switched off, and every action during a pause.
pub(crate) fn visible(spec: &ActionSpec, rules: &Rules) -> Result<(), ToolError> {
    running(rules)?;
    let switches = rules.switches.as_ref().map_err(ToolError::from)?;
    if switches.is_on(spec) {
        return Ok(());
    }
    let what =
        if switches.tool_switch(spec.tool) { spec.path() } else { format!("The tool {}", spec.tool.name()) };
    Err(ToolError::disabled(format!(
        "{what} is turned off. A person can turn it on in SiYuan: Settings of the plugin MCP Puppy, Tools."
    )))
}
