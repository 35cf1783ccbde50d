//! Calls that a person runs in the page: the pipeline that agents' calls go through, with the kernel that served the page.

use std::cell::RefCell;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::{AbortHandle, Abortable};
use puppy_core::activity::Transport;
use puppy_core::config::{ApprovalMethod, CallSettings};
use puppy_core::dispatch::{ApprovalRequest, ApprovalState, Call, Gate, PlanQuestion, Verdict};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::Boxed;
use puppy_core::part::Part;
use puppy_core::spec::Tool;
use puppy_core::visible;
use puppy_ui_web::host::{self, Host};
use puppy_ui_web::state::reply;
use puppy_ui_web::words::chinese;
use puppy_ui_web::words::playground::PlanWords;
use serde_json::{Map, Value};

use crate::engine::{self, record_runs};

/// The longest plan that is shown with a question, in characters.
const PLAN: usize = 2_000;

thread_local! {
    /// The calls that run.
    static RUNNING: RefCell<BTreeMap<u32, AbortHandle>> = RefCell::default();
}

/// The gate of the page: the person is there, so they are asked, unless they chose that nobody is.
struct Person {
    host: Host,
    words: &'static PlanWords,
    /// The plan that the page has shown them and that they agreed to.
    agreed: Option<Map<String, Value>>,
}

impl Gate for Person {
    fn standing(&self, _: &CallSettings, _: ApprovalRequest<'_>) -> ApprovalState {
        ApprovalState::Open
    }

    fn ask<'a>(&'a self, settings: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        Box::pin(async move {
            // The one way of what is approved in SiYuan alone is here.
            if !question.in_siyuan && settings.confirm.first() == Some(&ApprovalMethod::Block) {
                return Verdict::Refused(question.unanswered("The settings block dangerous calls."));
            }
            if self.agreed.as_ref() == Some(&question.plan) {
                return Verdict::Approved;
            }
            let plan = serde_json::to_string_pretty(&question.plan).unwrap_or_default();
            let is_cut = plan.chars().nth(PLAN).is_some();
            let plan: String = plan.chars().take(PLAN).chain(is_cut.then_some('…')).collect();
            let text = format!("{}\n\n{}\n{plan}", question.danger, self.words.plan);
            // Titles and texts of notes are in it: letters that turn others around could change what it says.
            if self.host.approve(&question.path, &visible::shown(&text)).await {
                return Verdict::Approved;
            }
            let message = "The person at the page did not approve. Nothing was changed.";
            Verdict::Refused(ToolError::new(ErrorType::ConfirmationRequired, message))
        })
    }
}

/// Runs a call and returns its answer as [`reply`] writes it.
pub(crate) async fn run(host: Host, number: u32, call: &str) -> String {
    chinese::load(host.texts());
    let words = PlanWords::of(&host.lang());
    let called: Value = serde_json::from_slice(call.as_bytes()).unwrap_or_default();
    let tool = called.get("tool").and_then(Value::as_str).and_then(Tool::named);
    let (Some(tool), Some(Value::Object(arguments))) = (tool, called.get("arguments").cloned()) else {
        return String::new();
    };
    let (handle, registration) = AbortHandle::new_pair();
    RUNNING.with_borrow_mut(|all| all.insert(number, handle));
    let engine = engine::engine(&host);
    let call =
        Call { tool, arguments, part: Part::Whole, transport: Transport::Panel, client: String::new() };
    let began = host::now_ms();
    let agreed = called.get("agreed").and_then(Value::as_object).cloned();
    let gate = Person { host, words, agreed };
    let ended = Abortable::new(engine.dispatch(call, &gate), registration).await;
    RUNNING.with_borrow_mut(|all| all.remove(&number));
    record_runs().await;
    match ended {
        Ok(reply) => {
            let took_ms = host::now_ms().saturating_sub(began);
            reply::to_text(&reply, took_ms, |bytes| STANDARD.encode(bytes))
        }
        Err(_) => reply::STOPPED.to_owned(),
    }
}

/// Stops a call that runs.
pub(crate) fn stop(number: u32) {
    if let Some(handle) = RUNNING.with_borrow_mut(|all| all.remove(&number)) {
        handle.abort();
    }
}
