//! Steps 3 to 9 of a call, typed by the action: decode, targets, resolve, authorize, plan, confirm, run.

use std::hash::Hash;
use std::sync::Arc;

use futures_util::future::{Either, select};
use futures_util::pin_mut;
use serde_json::{Map, json};

use super::{Fingerprint, Pass, Question, Standing, partly};
use crate::activity::Observer;
use crate::args::{Args, Value};
use crate::config::{Cache, Policy};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::kernel::Kernel;
use crate::output::{Output, Reply};
use crate::permission::{Resolver, authorize};
use crate::plan::{Perform, Plan};
use crate::render::example;
use crate::spec::{ActionSpec, Effect};

/// What the typed part of the pipeline is given.
pub(crate) struct Door<'a, K> {
    pub(crate) spec: &'static ActionSpec,
    pub(crate) kernel: &'a K,
    pub(crate) cache: &'a Cache,
    pub(crate) policy: Arc<Policy>,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) preview: bool,
    pub(crate) pass: &'a Pass,
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
    let cx = Cx::new(door.kernel, spec, door.policy.clone(), door.cache, &door.pass.places, door.observer);
    if spec.worst == Effect::Read {
        // Side by side: the read is dropped unseen when the check says no.
        let check = async {
            let found = resolver.find(&needs).await?;
            // The cell is set once per call, so this cannot fail.
            let _ = door.pass.places.set(found).await;
            Ok::<(), ToolError>(())
        };
        let read = async {
            let plan = action.prepare(&cx).await?;
            action.perform(plan, &cx).await
        };
        return both(check, read).await.map(|((), reply)| reply);
    }
    let found = resolver.find(&needs).await?;
    let _ = door.pass.places.set(found).await;
    let plan = action.prepare(&cx).await?;
    if door.preview {
        return Ok(preview(spec, &action, plan));
    }
    confirm(spec, action.asks(&plan), &plan, door.pass)?;
    partly::told(action.perform(plan, &cx).await, &cx.written())
}

/// Step 8: a dangerous plan runs only when a person approved this one.
fn confirm<F: Hash>(spec: &ActionSpec, asks: bool, plan: &Plan<F>, pass: &Pass) -> Result<(), ToolError> {
    match &pass.standing {
        Standing::Refused(error) => Err((**error).clone()),
        Standing::Approved => Ok(()),
        _ if !asks => Ok(()),
        Standing::Open => {
            let question = Question::new(spec, plan, pass.call);
            let stopped = question.unanswered("");
            // The cell is set once per pass, so this cannot fail.
            let _ = pass.question.set(question);
            Err(stopped)
        }
        Standing::ApprovedPlan(approved) if *approved == Fingerprint::of_plan(plan) => Ok(()),
        Standing::ApprovedPlan(_) => Err(ToolError::conflict(format!(
            "What {} would do has changed since a person approved it. Nothing was changed. Call again to ask anew.",
            spec.path()
        ))
        .with("plan", plan.shows.clone())),
    }
}

/// Runs a check and a read together. What is wrong with the target is answered first, and at once: the read is
/// dropped where it stands, so that the size of what is hidden shows in no waiting.
pub(crate) async fn both<C, R>(
    check: impl Future<Output = Result<C, ToolError>>,
    read: impl Future<Output = Result<R, ToolError>>,
) -> Result<(C, R), ToolError> {
    pin_mut!(check);
    pin_mut!(read);
    match select(check, read).await {
        Either::Left((checked, read)) => {
            let checked = checked?;
            Ok((checked, read.await?))
        }
        Either::Right((reply, check)) => {
            let checked = check.await?;
            Ok((checked, reply?))
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
