//! Calls of SiYuan's own agent, which come from the page in which they run.
//!
//! SiYuan waits two minutes for an answer and then calls it unknown, so a call is answered before, and goes on. The agent
//! gets the result when it sends the same call again.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use futures_util::future::{Either, select};
use puppy_core::activity::Transport;
use puppy_core::agents::Identity;
use puppy_core::dispatch::{Call, KeptReply};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::Ambient as _;
use puppy_core::output::Reply;
use puppy_core::part::Part;
use puppy_core::render::result::{self, Audience};
use puppy_core::runs::REST_MS;
use puppy_core::spec::Tool;
use puppy_ui_web::host::{self, own::OwnHost};
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::own_agent::{LeftCalls, OwnSessions, RUNS};
use serde_json::{Map, Value, json};

use crate::engine::{self, PageEngine, record_runs};
use crate::journal;
use crate::own_gate::OwnGate;
use crate::own_page;

thread_local! {
    static SESSIONS: RefCell<OwnSessions> = RefCell::default();
    static LEFT: RefCell<LeftCalls<Rc<OwnCall>>> = RefCell::default();
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// A call that runs, or that ended.
#[derive(Default)]
struct OwnCall {
    reply: RefCell<Option<KeptReply>>,
    waker: Cell<Option<Waker>>,
    /// The error while a person is being asked.
    asks: Rc<RefCell<Option<ToolError>>>,
}

impl OwnCall {
    fn is_over(&self) -> bool {
        self.reply.borrow().is_some()
    }

    /// Waits for the end.
    async fn ended(&self) {
        poll_fn(|cx| {
            if self.is_over() {
                return Poll::Ready(());
            }
            self.waker.set(Some(cx.waker().clone()));
            Poll::Pending
        })
        .await;
    }
}

/// Runs a call, or waits on for one that was left. The answer is an object with `result` or `error`.
pub(crate) async fn agent(page: OwnHost, call: &str) -> String {
    let called: Value = serde_json::from_slice(call.as_bytes()).unwrap_or_default();
    let tool = called.get("tool").and_then(Value::as_str).and_then(Tool::named);
    let (Some(tool), Some(Value::Object(arguments))) = (tool, called.get("arguments").cloned()) else {
        return answer(&Err(ToolError::new(ErrorType::Validation, "There is no such tool.")));
    };
    own_page::serves(Some(page.another()));
    let engine = engine::engine(&page).known_as(Identity::Own);
    let now = PageKernel.now_ms();
    // The order of arguments is that of the agent, which repeats its own call.
    let name = format!("{} {}", tool.name(), Value::Object(arguments.clone()));
    let left = LEFT.with_borrow_mut(|it| it.take(&name));
    let is_again = left.is_some();
    let call = left.unwrap_or_else(|| begin(&page, engine.clone(), tool, arguments, now));
    watch_idle();
    let patience = host::sleep(page.patience());
    if let Either::Right(_) = select(Box::pin(call.ended()), Box::pin(patience)).await {
        let waits = waiting(&call);
        LEFT.with_borrow_mut(|it| it.leave(name, call.clone(), now, |it| it.is_over()));
        return answer(&Err(waits));
    }
    let Some(kept) = call.reply.take() else { return answer(&Err(waiting(&call))) };
    if is_again { answer(&engine.kept(&kept).await) } else { answer(&kept.reply) }
}

/// Begins a call.
fn begin(
    page: &OwnHost,
    engine: PageEngine,
    tool: Tool,
    arguments: Map<String, Value>,
    now: u64,
) -> Rc<OwnCall> {
    let session = SESSIONS.with_borrow_mut(|it| it.at(now, PageKernel.random()));
    let running = Rc::<OwnCall>::default();
    let gate = OwnGate { page: page.another(), asks: running.asks.clone() };
    let own = running.clone();
    host::spawn(async move {
        // Levels that a person lowers while it runs must not count as those of its answer.
        let grants = engine.policy().await.scope.grants.clone();
        let (part, transport, client) = (Part::Whole, Transport::Siyuan, String::new());
        let call = Call { tool, arguments, part, transport, client };
        let reply = engine.dispatch_in(Some(&session), call, &gate).await;
        record_runs().await;
        own.reply.replace(Some(KeptReply::new(reply, grants)));
        if let Some(waker) = own.waker.take() {
            waker.wake();
        }
    });
    running
}

/// The answer of a call that goes on.
fn waiting(call: &OwnCall) -> ToolError {
    let asks = call.asks.borrow().clone();
    asks.unwrap_or_else(|| ToolError::new(ErrorType::Conflict, RUNS)).with("waiting", true)
}

/// The text of an answer. SiYuan takes no pictures from a page.
fn answer(reply: &Reply) -> String {
    let said = match reply {
        Ok(output) => {
            let mut texts = result::texts(output);
            if !output.pictures.is_empty() {
                texts.push("Pictures cannot be shown to SiYuan's own agent.".to_owned());
            }
            json!({ "result": texts.join("\n") })
        }
        Err(error) => json!({ "error": result::error(error, Audience::Model).to_string() }),
    };
    said.to_string()
}

/// Ends the session after ten minutes without a call.
fn watch_idle() {
    if IS_WATCHED.replace(true) {
        return;
    }
    host::spawn(async {
        while !SESSIONS.with_borrow(|it| it.is_over(PageKernel.now_ms())) {
            host::sleep(u32::try_from(REST_MS).unwrap_or(u32::MAX)).await;
        }
        journal::rest().await;
        IS_WATCHED.set(false);
    });
}

/// Ends everything: the page no longer serves the agent.
pub(crate) async fn leave() {
    journal::rest().await;
    own_page::serves(None);
}
