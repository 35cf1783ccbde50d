//! Steps 3 to 9 of a call: decode, targets, resolve, authorize, plan, confirm, run.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::future::{Either, select};
use futures_util::pin_mut;
use serde_json::json;

use super::advice::{self, CallFacts, Offers};
use super::errand::ErrandSide;
use super::{ApprovalState, Attempt, PlanQuestion, empty, errand, ledger, named, partly};
use crate::args::Args;
use crate::ask::{Ask, Consequence};
use crate::cx::{Cx, World};
use crate::error::ToolError;
use crate::find::{ResolvedCall, action_named};
use crate::output::{Output, Reply};
use crate::permission::{Need, Resolver, Scope, authorize};
use crate::plan::{DynAction, PreparedCall};
use crate::registry::decoder_of;
use crate::render::mended::wrong_arguments;
use crate::runs::touched::{is_irreversible, leaves_behind};
use crate::spec::{ActionSpec, Back, Effect};

/// Steps 3 to 9 for one call.
pub(crate) async fn carry(
    world: &World<'_>,
    called: &ResolvedCall,
    scope: Arc<Scope>,
    attempt: &Attempt,
    offers: Offers<'_>,
) -> Reply {
    let reply = carried(world, called, scope, attempt, offers).await;
    reply.map_err(|error| if called.preview { still_a_preview(error) } else { error })
}

/// A call that is proposed to somebody who asked for a preview is one too.
fn still_a_preview(mut error: ToolError) -> ToolError {
    if let Some(example) = &mut error.example
        && action_named(example.tool, example.action).is_some_and(ActionSpec::has_preview)
    {
        example.arguments.insert("preview".to_owned(), json!(true));
    }
    error
}

async fn carried(
    world: &World<'_>,
    called: &ResolvedCall,
    scope: Arc<Scope>,
    attempt: &Attempt,
    offers: Offers<'_>,
) -> Reply {
    let spec = called.spec;
    let decode = decoder_of(spec)
        .ok_or_else(|| ToolError::internal(format!("{} is declared but not registered", spec.path())))?;
    let action = decode(Args::of_settled(spec, called.arguments.clone())).map_err(|problems| {
        let given = &called.arguments;
        let finds_row = advice::for_row_titles(spec, offers, given, &problems);
        let sources = match &finds_row {
            Some(_) => advice::FOR_ROW_TITLES.to_owned(),
            None => advice::for_names(spec, offers, given, &problems),
        };
        let error = wrong_arguments(spec, given, problems, &sources);
        match finds_row {
            Some(finds) => ToolError { example: Some(finds), ..error },
            None => error,
        }
    })?;
    let needs = action.targets();
    authorize(spec, &scope.grants)?;
    let cx = Cx::new(world, spec, scope, attempt.places.clone()).bounded(attempt.ceilings);
    let mut resolver = cx.resolver();
    let reply = resolved(called, attempt, action, &needs, &cx, &mut resolver).await;
    attempt.has_written.store(!cx.written().is_empty(), Ordering::Relaxed);
    match reply {
        Ok(output) => {
            // The cell is set once per attempt, so this cannot fail.
            let _ = cx.bought().map(|item| attempt.bought.set(item));
            Ok(empty::advised(called, offers, output))
        }
        Err(error) => {
            let kernel = world.kernel;
            let (scope, places) = (&*resolver.scope, attempt.places.get());
            let known = CallFacts { kernel, called, offers, needs: &needs, scope, places };
            Err(Box::pin(known.advised(error)).await)
        }
    }
}

/// Steps 5 to 9.
async fn resolved<'a>(
    called: &ResolvedCall,
    attempt: &Attempt,
    action: Box<dyn DynAction>,
    needs: &[Need],
    cx: &'a Cx<'a>,
    resolver: &mut Resolver<'_>,
) -> Reply {
    let spec = called.spec;
    if spec.worst == Effect::Read {
        let waits = !needs.is_empty() && resolver.scope.grants.any_hidden();
        let check = async {
            let found = resolver.find(needs).await?;
            // The cell is set once per call, so this cannot fail.
            let _ = attempt.places.set(found).await;
            Ok::<(), ToolError>(())
        };
        let read = async { action.planned(cx).await?.run.await };
        return checked(waits, check, read).await.map(|((), reply)| reply);
    }
    let found = resolver.find(needs).await?;
    let _ = attempt.places.set(found).await;
    let mut prepared = action.planned(cx).await?;
    if called.preview {
        return Ok(preview(spec, prepared));
    }
    if let Some(title) = prepared.ask.as_ref().and_then(Ask::deleted) {
        // The cell is set once per attempt, so this cannot fail.
        let _ = attempt.title.set(title.to_owned());
    }
    let mut errand = ErrandSide::of(spec, &prepared, cx);
    let is_covered = Box::pin(errand.cover(attempt, cx)).await;
    if is_covered {
        attempt.is_covered.store(true, Ordering::Relaxed);
    } else {
        let ask = Box::pin(asked(spec, &mut prepared, &attempt.standing, cx)).await?;
        confirm(spec, &prepared, ask, called, attempt, cx)?;
    }
    Box::pin(errand.runs(attempt, cx)).await;
    let _underway = Box::pin(ledger::begin(spec, &prepared.changes, attempt, cx)).await;
    let reply = prepared.run.await;
    Box::pin(errand.went(cx)).await;
    errand.ended(reply.is_err(), cx);
    partly::with_writes(reply, &cx.written())
}

/// The question about a plan, with the titles and places that a person reads. They become part of the fingerprint of the
/// plan, before the question and again after the approval.
async fn asked(
    spec: &ActionSpec,
    prepared: &mut PreparedCall<'_>,
    standing: &ApprovalState,
    cx: &Cx<'_>,
) -> Result<Option<Ask>, ToolError> {
    let is_approved = matches!(standing, ApprovalState::ApprovedPlan(_));
    if !prepared.asks || !(is_approved || *standing == ApprovalState::Open) {
        return Ok(None);
    }
    let Some(mut ask) = prepared.ask.clone() else { return Ok(None) };
    if is_irreversible(spec) && ask.back != Back::Never {
        ask.about.effects.push(Consequence::Irreversible);
    }
    named::name(&mut ask.about, is_approved, cx).await?;
    prepared.means = prepared.means.and(&ask.about);
    Ok(Some(ask))
}

/// Step 8: a dangerous plan runs only if a person approved exactly this one.
fn confirm(
    spec: &ActionSpec,
    plan: &PreparedCall<'_>,
    ask: Option<Ask>,
    called: &ResolvedCall,
    attempt: &Attempt,
    cx: &Cx<'_>,
) -> Result<(), ToolError> {
    match &attempt.standing {
        ApprovalState::Refused(error) => Err((**error).clone()),
        ApprovalState::Approved => Ok(()),
        _ if !plan.asks => Ok(()),
        // A plan that has run does not come here.
        ApprovalState::Open | ApprovalState::Ran(_) => {
            let Some(ask) = ask else {
                return Err(ToolError::internal(format!("{} asks without a deed", spec.path())));
            };
            let offers = errand::offer(spec, &ask, attempt, cx);
            let question = PlanQuestion::new(called, plan, ask, offers, attempt.places.get());
            let stopped = question.unanswered("");
            // The cell is set once per attempt, so this cannot fail.
            let _ = attempt.question.set(question);
            Err(stopped)
        }
        ApprovalState::ApprovedPlan(approved) if *approved == plan.means => Ok(()),
        ApprovalState::ApprovedPlan(_) => Err(ToolError::conflict(format!(
            "The effect of {}, or a title or place in its question, has changed since a person approved it. Nothing was changed. Call again for a new approval.",
            spec.path()
        ))
        .with("plan", plan.shows.clone())),
    }
}

/// Checks and reads. A read waits for its check while any notebook is hidden from the caller: otherwise the kernel would
/// begin to load hidden content, and the check of a large document would take longer than that of a missing one.
/// Without a closed notebook both run at the same time, and the check's error is answered first.
pub(crate) async fn checked<C, R>(
    waits: bool,
    check: impl Future<Output = Result<C, ToolError>>,
    read: impl Future<Output = Result<R, ToolError>>,
) -> Result<(C, R), ToolError> {
    if waits {
        let checked = check.await?;
        return Ok((checked, read.await?));
    }
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

/// Step 7 ends here for `preview`: it shows what would change, whether a person would be asked, and whether it comes back
/// with its run.
fn preview(spec: &ActionSpec, plan: PreparedCall<'_>) -> Output {
    let danger = plan.danger.filter(|_| plan.asks);
    let mut data = plan.shows;
    data.insert("preview".to_owned(), json!(true));
    data.insert("effect".to_owned(), json!(plan.effect.word()));
    // Also what a person is asked about because nothing brings it back, such as a template that is replaced.
    let is_lost = plan.asks && plan.ask.as_ref().is_some_and(|it| it.back == Back::Never);
    let irreversible = (is_irreversible(spec) || is_lost).then_some(true);
    let leaves = (irreversible.is_none() && leaves_behind(spec)).then_some(true);
    let output = Output::from(data).with("irreversible", irreversible).with("leaves_behind", leaves);
    output.with("danger", danger)
}
