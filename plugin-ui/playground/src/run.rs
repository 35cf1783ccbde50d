//! A running call, at a server or in the page: it can be stopped, and its end is reported.

use std::future::Future;
use std::sync::Arc;

use crate::state::answer::Answer;
use leptos::prelude::*;
use puppy_ui_parts::{Button, FILLED};
use puppy_ui_web::host;

use crate::room::Room;

/// The end of a call.
pub(crate) enum CallEnd {
    /// There is an answer, be it an error.
    Answered(Answer),
    /// A person stopped it.
    Stopped,
    /// There is no answer, for this reason.
    Failed(String),
}

/// A place for one call at a time.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    room: Room,
    is_running: RwSignal<bool>,
    stop: StoredValue<Option<Box<dyn Fn()>>, LocalStorage>,
    /// The line about a call that runs or has no answer.
    said: RwSignal<String>,
    /// The number of the call, so that one that was left says nothing of the next.
    turn: StoredValue<u64>,
    pub(crate) answer: RwSignal<Option<Arc<Answer>>>,
}

impl Run {
    pub(crate) fn new(room: Room) -> Run {
        Run {
            room,
            is_running: RwSignal::new(false),
            stop: StoredValue::new_local(None),
            said: RwSignal::new(String::new()),
            turn: StoredValue::new(0),
            answer: RwSignal::new(None),
        }
    }

    /// A number that no other call of this page has.
    #[allow(clippy::cast_possible_truncation, reason = "the low half is random too")]
    pub(crate) fn number(self) -> u32 {
        host::random_bits() as u32
    }

    /// Runs a call; `stop` stops it.
    pub(crate) fn start(self, stop: impl Fn() + 'static, call: impl Future<Output = CallEnd> + 'static) {
        self.stop.set_value(Some(Box::new(stop)));
        self.turn.update_value(|it| *it += 1);
        let turn = self.turn.get_value();
        self.is_running.set(true);
        self.said.set(self.room.words.running.to_owned());
        host::spawn(async move {
            let ended = call.await;
            if self.turn.try_get_value() != Some(turn) {
                return;
            }
            self.is_running.try_set(false);
            let (answer, said) = match ended {
                CallEnd::Answered(answer) => (Some(Arc::new(answer)), String::new()),
                CallEnd::Stopped => (None, self.room.words.stopped.to_owned()),
                CallEnd::Failed(why) => (None, why),
            };
            self.answer.try_set(answer);
            self.said.try_set(said);
        });
    }

    /// Shows a text about the call that runs.
    pub(crate) fn tell(self, text: String) {
        if self.is_running.try_get_untracked() == Some(true) {
            self.said.try_set(text);
        }
    }

    /// Stops the call that runs.
    pub(crate) fn stop(self) {
        if self.is_running.get_untracked() {
            self.stop.with_value(|it| {
                if let Some(stop) = it {
                    stop();
                }
            });
        }
    }

    /// Stops the call and forgets the answer: something else is about to be called.
    pub(crate) fn clear(self) {
        self.stop();
        self.turn.update_value(|it| *it += 1);
        self.is_running.set(false);
        self.said.set(String::new());
        self.answer.set(None);
    }
}

/// The button that starts a call, and stops the one that runs.
#[component]
pub(crate) fn RunButton(
    run: Run,
    /// The text while no call runs.
    #[prop(into)]
    title: Signal<&'static str>,
    /// Starts a call.
    #[prop(into)]
    start: Callback<()>,
) -> AnyView {
    let text = move || if run.is_running.get() { run.room.words.stop } else { title.get() };
    let press = move |_| {
        if run.is_running.get_untracked() {
            run.stop();
        } else {
            start.try_run(());
        }
    };
    view! { <Button name="run" class=FILLED text press/> }.into_any()
}

/// The line about a call that runs or has no answer.
#[component]
pub(crate) fn RunLine(run: Run) -> AnyView {
    view! { <span class="pup-quiet" role="status" data-name="said">{run.said}</span> }.into_any()
}
