//! The bar at the foot of a page: what waits for Apply, line by line on request, steps back and forward, Discard and
//! Apply.

use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::changes::{self, Line, Way};
use crate::line::Held;
use crate::parts::space;
use crate::state::page::Drafted;
use crate::store::{Saving, Store};
use puppy_ui_parts::el::{El, KeyboardEvent, el};
use puppy_ui_web::host::dom;
use puppy_ui_web::state::trouble::Load;
use puppy_ui_web::words::bridge::BridgeWords;
use puppy_ui_web::words::fill;

/// The changes that are listed one by one.
const LISTED: usize = 200;

/// The bar of a draft.
#[derive(Clone, Copy)]
pub(crate) struct Bar {
    store: Store,
    drafted: Drafted,
    load: RwSignal<Load>,
    /// Whether the changes are listed.
    is_open: RwSignal<bool>,
}

impl Bar {
    pub(crate) fn new(store: Store, drafted: Drafted, load: RwSignal<Load>) -> Bar {
        Bar { store, drafted, load, is_open: RwSignal::new(false) }
    }

    fn changes(self) -> usize {
        self.store.changes(self.drafted)
    }

    fn is_idle(self) -> bool {
        let store = self.store;
        let runs = store.saving.get() == Saving::Runs;
        self.changes() == 0 || store.readonly || runs || self.load.get() != Load::Ready
    }

    fn status(self) -> String {
        let words = self.store.words;
        match self.store.saving.get() {
            Saving::Runs => words.applying.to_owned(),
            Saving::Done(Held::Nowhere) => words.applied.to_owned(),
            Saving::Done(Held::By(n)) => BridgeWords::of(&self.store.lang()).held(n),
            Saving::Done(Held::Late) => BridgeWords::of(&self.store.lang()).late.to_owned(),
            Saving::Elsewhere => words.applied_elsewhere.to_owned(),
            Saving::Failed(why) => fill(words.not_saved, &[("why", words.why(why))]),
            Saving::Rests => words.changes(self.changes()),
        }
    }

    fn tally(self) -> String {
        let rests = self.store.saving.get() == Saving::Rests;
        if rests { changes::told(self.store, self.drafted) } else { String::new() }
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
                dom::focus_anywhere(".pup-panel .pup-diff");
            }
            _ => return false,
        }
        true
    }

    /// The bar itself.
    pub(crate) fn view(self) -> El {
        let (store, words) = (self.store, self.store.words);
        let apply = move || {
            if !self.is_idle() {
                self.is_open.set(false);
                store.apply(self.drafted);
            }
        };
        let discard = move || {
            if !self.is_idle() {
                self.is_open.set(false);
                changes::discard(store, self.drafted);
            }
        };
        let has_failed = move || matches!(store.saving.get(), Saving::Failed(_) | Saving::Elsewhere);
        let said = el("span", "pup-said").attr("role", "status").attr("aria-live", "polite");
        let said = said.put(el("span", "pup-hidden").says(move || store.said.get()));
        let said = said.put(el("span", "").says(move || self.status()).class_if("pup-failure", has_failed));
        let said = said.put(el("span", "pup-tally pup-quiet").says(move || self.tally()));
        // Not `disabled`: the dialog would lose the focus as soon as there is nothing left to apply.
        let button = |class, name| {
            el("button", class)
                .attr("type", "button")
                .attr("data-do", name)
                .is("aria-disabled", move || self.is_idle())
        };
        let title = move || match self.changes() {
            0 => words.apply.to_owned(),
            n => fill(store.draft_words.apply, &[("n", &n.to_string())]),
        };
        let bar = el("div", "pup-bar fn__flex")
            .put(said)
            .put(self.opener())
            .put(self.step(Way::Back))
            .put(self.step(Way::Forward))
            .put(el("span", "fn__flex-1"))
            .put(button("b3-button b3-button--cancel", "discard").text(words.discard).click(discard))
            .put(space())
            .put(button("b3-button", "apply").says(title).click(apply));
        el("div", "pup-dock").put(self.diff()).put(bar)
    }

    /// The button that lists the changes.
    fn opener(self) -> El {
        el("button", "b3-button b3-button--outline b3-button--small pup-plain")
            .attr("type", "button")
            .attr("data-do", "show")
            .attr("aria-controls", "pup-diff")
            .text(self.store.draft_words.show)
            .is("aria-expanded", move || self.is_open.get())
            .shown_if(move || self.changes() > 0)
            .click(move || self.is_open.update(|it| *it = !*it))
    }

    fn step(self, way: Way) -> El {
        let words = self.store.draft_words;
        let (name, sign, text, none) = match way {
            Way::Back => ("back", "↶", words.back, words.no_back),
            Way::Forward => ("forward", "↷", words.forward, words.no_forward),
        };
        let what = move || changes::next(self.store, self.drafted, way);
        let label = move || what().map_or_else(|| none.to_owned(), |it| fill(text, &[("what", &it)]));
        el("button", "pup-undo")
            .attr("type", "button")
            .attr("data-do", name)
            .text(sign)
            .has("aria-label", label)
            .has("title", label)
            .is("aria-disabled", move || what().is_none())
            .click(move || changes::step(self.store, self.drafted, way))
    }

    /// The changes, line by line, each with a way back.
    fn diff(self) -> El {
        let words = self.store.draft_words;
        let list = el("div", "").shows(move || {
            let list = el("ul", "pup-lines-of-diff");
            if !self.is_open.get() {
                return list;
            }
            let lines = changes::lines(self.store, self.drafted);
            let rest = lines.len().saturating_sub(LISTED);
            let more = (rest > 0).then(|| el("li", "").text(&fill(words.more, &[("n", &rest.to_string())])));
            list.all(lines.into_iter().take(LISTED).map(|line| self.line(line))).all(more)
        });
        el("div", "pup-diff")
            .attr("id", "pup-diff")
            .attr("role", "region")
            .attr("tabindex", "-1")
            .attr("aria-label", words.diff)
            .shown_if(move || self.is_open.get() && self.changes() > 0)
            .put(list)
    }

    fn line(self, line: Line) -> El {
        let words = self.store.draft_words;
        let text = el("span", "fn__flex-1").text(&line.text);
        let hidden = el("span", "pup-hidden").text(line.direction.title(words));
        let sign = el("span", "pup-sign").attr("aria-hidden", "true").text(line.direction.sign());
        let label = fill(words.take_back, &[("what", &line.text)]);
        let undo =
            el("button", "pup-undo").attr("type", "button").attr("aria-label", &label).attr("title", &label);
        let undo = undo.text("↺").flag("disabled", self.store.readonly).on("click", move |event| {
            dom::focus_near(event, ".pup-dock", ".pup-diff");
            changes::take_back(self.store, &line);
        });
        el("li", "fn__flex").put(sign).put(hidden).put(text).put(undo)
    }
}
