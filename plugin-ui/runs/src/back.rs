//! The way back of a run or of a part of it: the preview says what goes back and what stays, and then a person decides.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use puppy_ui_parts::{Button, FILLED, PLAIN, fresh};
use puppy_ui_web::host::{self, dom};
use puppy_ui_web::words::fill;
use puppy_ui_web::words::runs::RunsWords;
use serde_json::json;

use crate::calls;
use crate::room::Room;
use crate::state::back::{BackPreview, BackResult, BackTarget, LeftPaper};

/// The progress.
#[derive(Clone, PartialEq)]
enum Progress {
    Idle,
    /// The preview or the change is on its way.
    Busy,
    Asked(BackPreview),
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
    let idle = Signal::derive(move || part.progress.get() == Progress::Busy);
    view! {
        <div class="pup-back">
            <Button name="put-back" class=PLAIN text disabled=room.readonly idle press=move |_| part.ask()/>
            <div role="status">{fresh(move || part.shown())}</div>
        </div>
    }
    .into_any()
}

impl BackSignals {
    /// Asks what would go back.
    fn ask(self) {
        self.start(None, |data| Progress::Asked(BackPreview::of(data)));
    }

    /// Puts back what the person has seen.
    fn put(self, preview: BackPreview) {
        self.start(Some(preview), |data| Progress::Done(BackResult::of(&data)));
    }

    fn start(self, agreed: Option<BackPreview>, then: fn(serde_json::Value) -> Progress) {
        if self.progress.get_untracked() == Progress::Busy {
            return;
        }
        self.progress.set(Progress::Busy);
        host::spawn(async move {
            let Some(host) = self.room.host() else { return };
            let (Some(run), Some(target)) = (self.run.try_get_value(), self.target.try_get_value()) else {
                return;
            };
            let mut arguments = target.arguments(&run);
            let is_done = agreed.is_some();
            if !is_done {
                arguments.insert("preview".to_owned(), json!(true));
            }
            let ended = match calls::call(&host, "system", arguments, agreed.map(|it| it.plan)).await {
                Ok(data) => then(data),
                Err(why) => Progress::Failed(why),
            };
            self.progress.try_set(ended);
            if is_done {
                self.room.read();
            }
        });
    }

    fn shown(self) -> AnyView {
        let words = self.room.words;
        match self.progress.get() {
            Progress::Idle | Progress::Busy => ().into_any(),
            Progress::Asked(preview) if preview.goes.is_empty() => self.nothing(&preview),
            Progress::Asked(preview) => self.question(preview),
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

    fn question(self, preview: BackPreview) -> AnyView {
        let words = self.room.words;
        let goes = list(words.goes, preview.goes.iter().map(|it| it.line(words)).collect());
        let stays = stays(words, &preview);
        let preview = StoredValue::new(preview);
        let put = move |event: MouseEvent| {
            dom::focus_near(&event, ".pup-back", "[data-do=put-back]");
            if let Some(preview) = preview.try_get_value() {
                self.put(preview);
            }
        };
        let leave = move |event: MouseEvent| {
            dom::focus_near(&event, ".pup-back", "[data-do=put-back]");
            self.progress.set(Progress::Idle);
        };
        view! {
            <div class="pup-back-asked" data-name="preview">
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
