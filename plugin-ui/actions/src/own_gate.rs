//! The gate for SiYuan's own agent. SiYuan itself asks about what writes; here a person is asked about what is dangerous,
//! in the same dialog as for every agent, or it is not done.

use std::cell::RefCell;
use std::rc::Rc;

use puppy_core::brake::{Brake, FREE_REFUSALS};
use puppy_core::channel::OpenQuestion;
use puppy_core::config::{ApprovalMethod, CallSettings};
use puppy_core::dispatch::gate_words::{DENIED, FINAL, FULL, NO_ANSWER, braked};
use puppy_core::dispatch::{ApprovalRequest, ApprovalState, Gate, PlanQuestion, Verdict};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::{Ambient as _, Boxed};
use puppy_ui_web::host::own::OwnHost;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::own_agent::{PersonAnswer, WAITS};

thread_local! {
    static BRAKE: RefCell<Brake> = const { RefCell::new(Brake::after(FREE_REFUSALS)) };
}

/// The gate of one call.
pub(crate) struct OwnGate {
    pub(crate) page: OwnHost,
    /// The error of the call while a person is being asked.
    pub(crate) asks: Rc<RefCell<Option<ToolError>>>,
}

impl OwnGate {
    /// Whether the settings let nobody approve it. Of the other ways, the one in SiYuan is the only one here.
    fn is_blocked(settings: &CallSettings, in_siyuan: bool) -> bool {
        let ways = settings.confirm.iter();
        let first = ways.clone().find(|it| matches!(it, ApprovalMethod::Approve | ApprovalMethod::Block));
        !in_siyuan && first == Some(&ApprovalMethod::Block)
    }

    async fn answer(&self, settings: &CallSettings, question: &PlanQuestion) -> Result<(), ToolError> {
        if OwnGate::is_blocked(settings, question.in_siyuan) {
            return Err(question.unanswered("The settings block dangerous calls."));
        }
        let asked_at = PageKernel.now_ms();
        if let Some(seconds) = BRAKE.with_borrow(|it| it.seconds_left(asked_at)) {
            return Err(question.unanswered(&braked(seconds)).with("seconds", seconds));
        }
        let asked = OpenQuestion {
            id: format!("{:016x}", PageKernel.random()),
            ask: question.ask.clone(),
            client: String::new(),
            agent: question.agent.clone(),
            is_stranger: question.is_stranger,
            waited_ms: 0,
            left_ms: settings.patience.ms(),
            may_stand: false,
            offered: None,
        };
        self.asks.replace(Some(question.unanswered(WAITS)));
        let text = serde_json::to_string(&asked).unwrap_or_default();
        let answer = PersonAnswer::named(&self.page.question(&text).await);
        self.asks.take();
        let refused = |kind, why: &str| Err(ToolError::new(kind, format!("{why} {FINAL}")));
        BRAKE.with_borrow_mut(|it| match answer {
            PersonAnswer::Once => it.answered(),
            PersonAnswer::Denied | PersonAnswer::Expired => it.refused(asked_at, PageKernel.now_ms()),
            PersonAnswer::Full | PersonAnswer::Unseen => {}
        });
        match answer {
            PersonAnswer::Once => Ok(()),
            PersonAnswer::Denied => refused(ErrorType::Denied, DENIED),
            PersonAnswer::Expired => refused(ErrorType::Expired, NO_ANSWER),
            PersonAnswer::Full => Err(question.unanswered(FULL)),
            PersonAnswer::Unseen => Err(question.unanswered("SiYuan's window could not show the question.")),
        }
    }
}

impl Gate for OwnGate {
    fn standing(&self, _: &CallSettings, _: ApprovalRequest<'_>) -> ApprovalState {
        ApprovalState::Open
    }

    fn waits(&self, settings: &CallSettings, question: &PlanQuestion) -> bool {
        let is_braked = BRAKE.with_borrow(|it| it.seconds_left(PageKernel.now_ms()).is_some());
        !OwnGate::is_blocked(settings, question.in_siyuan) && !is_braked
    }

    fn ask<'a>(&'a self, settings: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        Box::pin(async move {
            self.answer(settings, &question).await.map_or_else(Verdict::Refused, |()| Verdict::Approved)
        })
    }
}
