//! The way back of a run or of a part of it: the preview says what goes back and what stays, and then a person decides.

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;
use puppy_ui_parts::{Button, FILLED, PLAIN, fresh, keys};
use puppy_ui_web::host::{self, Host, dom};
use puppy_ui_web::words::fill;
use puppy_ui_web::words::runs::RunsWords;
use serde_json::{Map, Value, json};

use crate::calls;
use crate::room::Room;
use crate::state::back::{BackPreview, BackResult, BackTarget, LeftPaper};

/// The progress.
#[derive(Clone, PartialEq)]
enum Progress {
    Idle,
    /// The preview or the change is on its way.
    Busy,
    /// The preview, and whether it is another one than the person has just agreed to.
    Asked(BackPreview, bool),
    Done(BackResult),
    Failed(String),
}

#[derive(Clone, Copy)]
struct BackSignals {
    room: Room,
    run: StoredValue<String>,
    target: StoredValue<BackTarget>,
    progress: RwSignal<Progress>,
}

/// The button, and below it the preview and the result.
#[component]
pub(crate) fn Back(room: Room, run: String, target: BackTarget, text: &'static str) -> AnyView {
    let part = BackSignals {
        room,
        run: StoredValue::new(run),
        target: StoredValue::new(target),
        progress: RwSignal::new(Progress::Idle),
    };
    part.count();
    let idle = Signal::derive(move || part.progress.get() == Progress::Busy);
    view! {
        <div class="pup-back" on:keydown=keys(move |event| part.escape(event))>
            <Button name="put-back" class=PLAIN text disabled=room.readonly idle press=move |_| part.start(None)/>
            <div role="status">{fresh(move || part.shown())}</div>
        </div>
    }
    .into_any()
}

impl BackSignals {
    /// Counts the preview, as long as it is shown, among those of the room.
    fn count(self) {
        let is_asked = move || self.progress.try_with(|it| matches!(it, Progress::Asked(..))) == Some(true);
        let add = move |n: isize| {
            self.room.asked.try_update(|it| *it = it.saturating_add_signed(n));
        };
        Effect::new(move |before: Option<bool>| {
            let now = is_asked();
            match (before.unwrap_or_default(), now) {
                (false, true) => add(1),
                (true, false) => add(-1),
                _ => {}
            }
            now
        });
        on_cleanup(move || {
            if untrack(is_asked) {
                add(-1);
            }
        });
    }

    /// Esc takes the preview away instead of closing the panel.
    fn escape(self, event: &KeyboardEvent) -> bool {
        let is_left = event.key() == "Escape"
            && self.progress.with_untracked(|it| !matches!(it, Progress::Idle | Progress::Busy));
        if is_left {
            event.stop_propagation();
            dom::focus_near(event, ".pup-back", "[data-do=put-back]");
            self.progress.set(Progress::Idle);
        }
        is_left
    }

    /// Asks what would go back, or puts back what the person has seen.
    fn start(self, agreed: Option<BackPreview>) {
        if self.progress.get_untracked() == Progress::Busy {
            return;
        }
        self.progress.set(Progress::Busy);
        host::spawn(async move {
            let Some(host) = self.room.host() else { return };
            let (Some(run), Some(target)) = (self.run.try_get_value(), self.target.try_get_value()) else {
                return;
            };
            let ended = self.step(&host, target.arguments(&run), agreed).await;
            self.progress.try_set(ended.unwrap_or_else(Progress::Failed));
        });
    }

    async fn step(
        self,
        host: &Host,
        arguments: Map<String, Value>,
        agreed: Option<BackPreview>,
    ) -> Result<Progress, String> {
        let mut asking = arguments.clone();
        asking.insert("preview".to_owned(), json!(true));
        let now = BackPreview::of(calls::call(host, "system", asking, None).await?);
        match agreed {
            Some(agreed) if agreed == now => {
                let done = calls::call(host, "system", arguments, Some(agreed.plan)).await;
                self.room.put_back.try_update(|it| *it += 1);
                self.room.read();
                Ok(Progress::Done(BackResult::of(&done?)))
            }
            // The plan has changed since the person agreed: they look at it again.
            agreed => Ok(Progress::Asked(now, agreed.is_some())),
        }
    }

    fn shown(self) -> AnyView {
        let words = self.room.words;
        match self.progress.get() {
            Progress::Idle | Progress::Busy => ().into_any(),
            Progress::Asked(preview, _) if preview.goes.is_empty() => self.nothing(&preview),
            Progress::Asked(preview, is_changed) => self.question(preview, is_changed),
            Progress::Done(result) => {
                let back = words.counted(result.back, words.done_one, words.done);
                let failed = list(words.not_back, result.failed);
                view! { <div data-name="result"><div>{back}</div>{failed}{left(words, &result.left)}</div> }
                    .into_any()
            }
            Progress::Failed(why) => {
                let text = fill(words.failed, &[("why", &why)]);
                view! { <div class="pup-failure" data-name="failed">{text}</div> }.into_any()
            }
        }
    }

    fn nothing(self, preview: &BackPreview) -> AnyView {
        let words = self.room.words;
        view! { <div data-name="nothing"><div>{words.nothing}</div>{stays(words, preview)}</div> }.into_any()
    }

    fn question(self, preview: BackPreview, is_changed: bool) -> AnyView {
        let words = self.room.words;
        let changed = is_changed.then(|| view! { <div class="pup-warned">{words.plan_changed}</div> });
        let goes = list(words.goes, preview.goes.iter().map(|it| it.line(words)).collect());
        let stays = stays(words, &preview);
        let preview = StoredValue::new(preview);
        let put = move |event: MouseEvent| {
            dom::focus_near(&event, ".pup-back", "[data-do=put-back]");
            if let Some(preview) = preview.try_get_value() {
                self.start(Some(preview));
            }
        };
        let leave = move |event: MouseEvent| {
            dom::focus_near(&event, ".pup-back", "[data-do=put-back]");
            self.progress.set(Progress::Idle);
        };
        view! {
            <div class="pup-back-asked" data-name="preview">
                {changed}
                {goes}
                {stays}
                <div class="pup-buttons">
                    <Button name="confirm-back" class=FILLED text=words.put_back_now press=put/>
                    <Button name="cancel-back" text=words.leave press=leave/>
                </div>
            </div>
        }
        .into_any()
    }
}

/// The documents that stay as they are, and the changes that cannot be put back.
fn stays(words: &'static RunsWords, preview: &BackPreview) -> AnyView {
    let never =
        words.counted(usize::try_from(preview.never).unwrap_or(usize::MAX), words.never_one, words.never);
    let never = (preview.never > 0).then(|| view! { <div class="pup-warned">{never}</div> });
    let is_final = preview.is_final.then(|| view! { <div class="pup-warned">{words.is_final}</div> });
    let overwrites = (!preview.overwrites.is_empty()).then(|| {
        view! { <div class="pup-warned">{list(words.overwrites, preview.overwrites.clone())}</div> }
    });
    view! { {left(words, &preview.left)}{overwrites}{never}{is_final} }.into_any()
}

fn left(words: &'static RunsWords, left: &[LeftPaper]) -> AnyView {
    let line = |it: &LeftPaper| {
        let n = it.blocks.to_string();
        let text = match it.blocks {
            0 => words.stays_whole,
            1 => words.stays_block,
            _ => words.stays_blocks,
        };
        fill(text, &[("title", &it.title), ("n", &n), ("why", &it.reason(words))])
    };
    list(words.stays, left.iter().map(line).collect())
}

/// A title and its list; nothing for an empty one.
fn list(title: &'static str, lines: Vec<String>) -> AnyView {
    if lines.is_empty() {
        return ().into_any();
    }
    let lines = lines.into_iter().map(|it| view! { <li>{it}</li> }).collect_view();
    view! { <div>{title}<ul>{lines}</ul></div> }.into_any()
}
