//! The bar at the foot of a page: what waits for Apply, line by line on request, steps back and forward, Discard and
//! Apply.

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;

use crate::changes::{self, Line, Way};
use crate::channel::Acknowledgement;
use crate::state::page::DraftKind;
use crate::store::{Saving, Store};
use puppy_ui_parts::{Button, FILLED, PLAIN, Space, UNDO, fresh, yes};
use puppy_ui_web::host::{self, dom};
use puppy_ui_web::state::trouble::Load;
use puppy_ui_web::words::channel::ChannelWords;
use puppy_ui_web::words::fill;

/// The changes that are listed one by one.
const LISTED: usize = 200;

/// The bar of a draft.
#[derive(Clone, Copy)]
pub(crate) struct Bar {
    store: Store,
    drafted: DraftKind,
    /// Whether the changes are listed.
    is_open: RwSignal<bool>,
    /// Whether there is nothing to apply or to discard now.
    is_idle: Memo<bool>,
}

impl Bar {
    pub(crate) fn new(store: Store, drafted: DraftKind, load: RwSignal<Load>) -> Bar {
        let is_idle = Memo::new(move |_| {
            let runs = store.saving.get() == Saving::Runs;
            store.changes(drafted) == 0 || store.readonly || runs || load.get() != Load::Ready
        });
        Bar { store, drafted, is_open: RwSignal::new(false), is_idle }
    }

    fn changes(self) -> usize {
        self.store.changes(self.drafted)
    }

    fn status(self) -> String {
        let words = self.store.words;
        match self.store.saving.get() {
            Saving::Runs => words.applying.to_owned(),
            Saving::Done(Acknowledgement::Nowhere) => words.applied.to_owned(),
            Saving::Done(Acknowledgement::By(n)) => ChannelWords::of(&self.store.lang()).held(n),
            Saving::Done(Acknowledgement::Late) => ChannelWords::of(&self.store.lang()).late.to_owned(),
            Saving::Elsewhere => words.applied_elsewhere.to_owned(),
            Saving::Failed(why) => fill(words.not_saved, &[("why", words.why(why))]),
            Saving::Rests => words.changes(self.changes()),
        }
    }

    fn tally(self) -> String {
        let rests = self.store.saving.get() == Saving::Rests;
        if rests { changes::summary(self.store, self.drafted) } else { String::new() }
    }

    /// The keys of the whole page; true where one is handled.
    pub(crate) fn key(self, event: &KeyboardEvent) -> bool {
        if !(event.ctrl_key() || event.meta_key()) {
            return false;
        }
        // A field takes its own steps back.
        let is_typed = dom::is_from(event, "input[type=search]");
        match event.key().as_str() {
            "z" | "Z" if event.shift_key() && !is_typed => {
                changes::step(self.store, self.drafted, Way::Forward);
            }
            "z" | "Z" if !is_typed => changes::step(self.store, self.drafted, Way::Back),
            "y" | "Y" if !is_typed => changes::step(self.store, self.drafted, Way::Forward),
            "Enter" => {
                self.is_open.set(true);
                // It cannot have the focus before it is shown.
                host::spawn(async { dom::focus_anywhere(".pup-panel .pup-diff") });
            }
            _ => return false,
        }
        true
    }

    fn apply(self) {
        if !self.is_idle.get_untracked() {
            self.is_open.set(false);
            self.store.apply(self.drafted);
        }
    }

    fn discard(self) {
        if !self.is_idle.get_untracked() {
            self.is_open.set(false);
            changes::discard(self.store, self.drafted);
        }
    }

    /// The bar itself.
    pub(crate) fn view(self) -> AnyView {
        let (store, words) = (self.store, self.store.words);
        let has_failed = move || matches!(store.saving.get(), Saving::Failed(_) | Saving::Elsewhere);
        let has_changes = move || self.changes() > 0;
        let title = move || match self.changes() {
            0 => words.apply.to_owned(),
            n => fill(store.draft_words.apply, &[("n", &n.to_string())]),
        };
        // The buttons are never `disabled`: the dialog would lose the focus with the last change.
        view! {
            <div class="pup-dock">
                <Diff bar=self/>
                <div class="pup-bar fn__flex">
                    <span class="pup-said" role="status" aria-live="polite">
                        <span class="pup-hidden">{store.said}</span>
                        <span class:pup-failure=has_failed>{move || self.status()}</span>
                        <span class="pup-tally pup-quiet">{move || self.tally()}</span>
                    </span>
                    <Button
                        class=PLAIN
                        name="show"
                        text=store.draft_words.show
                        shown=has_changes
                        press=move |_| self.is_open.update(|it| *it = !*it)
                        attr:aria-controls="pup-diff"
                        attr:aria-expanded=move || yes(self.is_open.get())
                    />
                    <Step bar=self way=Way::Back/>
                    <Step bar=self way=Way::Forward/>
                    <span class="fn__flex-1"></span>
                    <Button
                        class="b3-button b3-button--cancel"
                        name="discard"
                        text=words.discard
                        idle=self.is_idle
                        press=move |_| self.discard()
                    />
                    <Space/>
                    <Button
                        class=FILLED
                        name="apply"
                        text=title
                        idle=self.is_idle
                        press=move |_| self.apply()
                    />
                </div>
            </div>
        }
        .into_any()
    }
}

/// The button that takes a step back or forward.
#[component]
fn Step(bar: Bar, way: Way) -> AnyView {
    let words = bar.store.draft_words;
    let (name, sign, text, none) = match way {
        Way::Back => ("back", "↶", words.back, words.no_back),
        Way::Forward => ("forward", "↷", words.forward, words.no_forward),
    };
    let what = Memo::new(move |_| changes::next(bar.store, bar.drafted, way));
    let label = move || what.get().map_or_else(|| none.to_owned(), |it| fill(text, &[("what", &it)]));
    view! {
        <Button
            class=UNDO
            name
            text=sign
            label
            idle=move || what.with(Option::is_none)
            press=move |_| changes::step(bar.store, bar.drafted, way)
            attr:title=label
        />
    }
    .into_any()
}

/// The changes, line by line, each with a way back.
#[component]
fn Diff(bar: Bar) -> AnyView {
    let words = bar.store.draft_words;
    let list = move || {
        if !bar.is_open.get() {
            return ().into_any();
        }
        let lines = changes::lines(bar.store, bar.drafted);
        let rest = lines.len().saturating_sub(LISTED);
        let more = fill(words.more, &[("n", &rest.to_string())]);
        let more = (rest > 0).then(|| view! { <li>{more}</li> }.into_any());
        let line = |line| view! { <Change bar line/> };
        let lines = lines.into_iter().take(LISTED).map(line).collect_view();
        view! { <ul class="pup-lines-of-diff">{lines}{more}</ul> }.into_any()
    };
    view! {
        <div
            class="pup-diff"
            class:fn__none=move || !bar.is_open.get() || bar.changes() == 0
            id="pup-diff"
            role="region"
            tabindex="-1"
            aria-label=words.diff
        >
            <div>{fresh(list)}</div>
        </div>
    }
    .into_any()
}

/// One change.
#[component]
fn Change(bar: Bar, line: Line) -> AnyView {
    let words = bar.store.draft_words;
    let (direction, text) = (line.direction, line.text.clone());
    let label = fill(words.take_back, &[("what", &text)]);
    let take_back = move |event: MouseEvent| {
        dom::focus_near(&event, ".pup-dock", ".pup-diff");
        changes::take_back(bar.store, &line);
    };
    view! {
        <li class="fn__flex">
            <span class="pup-sign" aria-hidden="true">{direction.sign()}</span>
            <span class="pup-hidden">{direction.title(words)}</span>
            <span class="fn__flex-1">{text}</span>
            <Button
                class=UNDO
                text="↺"
                label=label.clone()
                disabled=bar.store.readonly
                press=take_back
                attr:title=label
            />
        </li>
    }
    .into_any()
}
