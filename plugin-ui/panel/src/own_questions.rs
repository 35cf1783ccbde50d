//! Questions about calls that run in this page, those of SiYuan's own agent: they are shown like those of servers, and
//! answered here.

use std::cell::RefCell;
use std::future::poll_fn;
use std::task::{Poll, Waker};

use puppy_core::channel::{Choice, FromSidecar, MOST_OPEN, OpenQuestion, PeerId};
use puppy_ui_web::host::channel::steady_ms;
use puppy_ui_web::state::own_agent::PersonAnswer;

/// A question, with the time at which it was asked.
struct OwnQuestion {
    it: OpenQuestion,
    asked_at: u64,
    answer: Option<PersonAnswer>,
    waker: Option<Waker>,
}

thread_local! {
    static ASKED: RefCell<Vec<OwnQuestion>> = const { RefCell::new(Vec::new()) };
}

/// The place of these questions among those of servers, whose ids are random.
fn this_page() -> PeerId {
    PeerId::of(0)
}

/// Asks, and waits for the answer.
pub(crate) async fn ask(it: OpenQuestion) -> PersonAnswer {
    if ASKED.with_borrow(Vec::len) >= MOST_OPEN {
        return PersonAnswer::Full;
    }
    let id = it.id.clone();
    let asked = OwnQuestion { it, asked_at: steady_ms(), answer: None, waker: None };
    ASKED.with_borrow_mut(|all| all.push(asked));
    poll_fn(|cx| {
        ASKED.with_borrow_mut(|all| {
            let Some(at) = all.iter().position(|asked| asked.it.id == id) else {
                return Poll::Ready(PersonAnswer::Unseen);
            };
            let answer = all.get_mut(at).and_then(|asked| {
                asked.waker = Some(cx.waker().clone());
                asked.answer
            });
            let Some(answer) = answer else { return Poll::Pending };
            all.remove(at);
            Poll::Ready(answer)
        })
    })
    .await
}

/// The open questions, longest waiting first.
pub(crate) fn open(now: u64) -> Vec<FromSidecar<OpenQuestion>> {
    ASKED.with_borrow_mut(|all| {
        for asked in all.iter_mut().filter(|it| it.answer.is_none()) {
            let age = now.saturating_sub(asked.asked_at);
            if asked.it.left_ms.is_some_and(|left| left <= age) {
                settle(asked, PersonAnswer::Expired);
            }
        }
        let open = all.iter().filter(|it| it.answer.is_none());
        open.map(|asked| {
            let age = now.saturating_sub(asked.asked_at);
            let left_ms = asked.it.left_ms.map(|left| left.saturating_sub(age));
            let it = OpenQuestion { waited_ms: age, left_ms, ..asked.it.clone() };
            FromSidecar { sidecar: this_page(), it }
        })
        .collect()
    })
}

/// Answers a question of this page; false for one of a server.
pub(crate) fn answer(sidecar: &PeerId, id: &str, choice: Choice) -> bool {
    if *sidecar != this_page() {
        return false;
    }
    let answer = if choice == Choice::Once { PersonAnswer::Once } else { PersonAnswer::Denied };
    ASKED.with_borrow_mut(|all| {
        if let Some(asked) = all.iter_mut().find(|it| it.it.id == id && it.answer.is_none()) {
            settle(asked, answer);
        }
    });
    true
}

fn settle(asked: &mut OwnQuestion, answer: PersonAnswer) {
    asked.answer = Some(answer);
    if let Some(waker) = asked.waker.take() {
        waker.wake();
    }
}
