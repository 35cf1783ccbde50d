//! Questions about dangerous calls: in a dialog of their own, in the puppy's bubble, and on the first page.
//!
//! Their texts come from agents and notes, and are set as text only.

use crate::state::questions::{Question, QuestionId, Standing, choice_word};
use puppy_core::bridge::Choice;
use puppy_ui_parts::el::{self, El, el};
use puppy_ui_web::host::{self, Element, Mounted, dom, wire};
use puppy_ui_web::words::bridge::BridgeWords;
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::line;
use crate::parts;
use crate::store::Store;

/// The time for which a question that has just moved under the pointer takes no answer.
const SETTLE_MS: u32 = 600;

/// A place of questions.
#[derive(Clone, Copy)]
struct Place {
    words: &'static BridgeWords,
    /// Whether what is shown has just changed.
    moves: RwSignal<u32>,
}

/// Mounts the dialog's content or the bubble's in an element of the page.
pub fn mount(parent: &Element, place: &str, lang: &str) -> Mounted {
    let words = BridgeWords::of(lang);
    if place == "bubble" {
        return el::mount(parent, || bubble(words));
    }
    let view = el::mount(parent, || dialog(words));
    if let Some(parent) = dom::html(parent) {
        dom::focus(&parent, "[data-pick=deny]");
    }
    view
}

/// The questions and standing consents of the first page; nothing is shown while there are none.
pub(crate) fn home(store: Store) -> El {
    let place = Place::new(BridgeWords::of(&store.lang()));
    let questions = line::questions();
    let asked = questions.clone();
    // A note's style may cover the panel, so that a yes is given in the dialog, which nothing covers.
    let yes = |_: &QuestionId, _| line::open_dialog();
    let list = place.list(move || el("div", "").all(asked.get().iter().map(|it| place.question(it, yes))));
    let group =
        parts::group(place.words.questions).attr("data-name", "questions").put(parts::card().put(list));
    let standing = line::standing();
    let rows = standing.clone();
    let list =
        el("div", "").shows(move || el("div", "").all(rows.get().iter().map(|it| place.standing(store, it))));
    let allowed =
        parts::group(place.words.standing).attr("data-name", "standing").put(parts::card().put(list));
    el("div", "")
        .put(group.shown_if(move || questions.with(|it| !it.is_empty())))
        .put(allowed.shown_if(move || standing.with(|it| !it.is_empty())))
}

fn dialog(words: &'static BridgeWords) -> El {
    let place = Place::new(words);
    let root = el("div", "pup-asking fn__flex-1").attr("role", "alertdialog").attr("aria-modal", "true");
    let root = root.attr("aria-labelledby", "pup-asking-title").attr("aria-describedby", "pup-asking-list");
    let questions = line::questions();
    let asked = questions.clone();
    let list = place.list(move || {
        keep_focus();
        el("div", "").all(asked.get().iter().map(|it| place.question(it, line::answer)))
    });
    let list = list.attr("id", "pup-asking-list").attr("aria-live", "polite");
    let all = place.button("deny-all", words.deny_all, line::deny_all);
    let later = place.button("later", words.later, line::put_off);
    let foot = el("div", "pup-asking-foot fn__flex")
        .put(all.shown_if(move || questions.with(|it| it.len() > 1)))
        .put(el("span", "fn__flex-1"))
        .put(later);
    let title = el("h2", "pup-asking-title").attr("id", "pup-asking-title").text(words.title);
    root.holds_keys(|_| false).put(title).put(list).put(foot)
}

/// The first question in few words, with the two plain answers and the way to the rest.
fn bubble(words: &'static BridgeWords) -> El {
    let place = Place::new(words);
    let questions = line::questions();
    let root = el("div", "pup-asked-bubble").attr("role", "group").attr("aria-label", words.title);
    root.put(place.list(move || {
        questions.with(|all| {
            let Some(first) = all.first() else { return el("div", "") };
            let more = place.button("more", words.more, line::open_dialog);
            let buttons = place.buttons(first, &[Choice::Deny, Choice::Once], line::answer).put(more);
            let rest = parts::hint(&words.others(all.len() - 1));
            place.words_of(first).put(buttons).put(rest)
        })
    }))
}

impl Place {
    fn new(words: &'static BridgeWords) -> Place {
        Place { words, moves: RwSignal::new(0) }
    }

    /// A list that takes no answer right after it has changed: another question may have come under the pointer.
    fn list(self, content: impl Fn() -> El + 'static) -> El {
        el("div", "pup-asked-list").shows(move || {
            let fresh = content();
            self.moves.try_update_untracked(|it| *it += 1);
            self.moves.notify();
            host::spawn(async move {
                host::sleep(SETTLE_MS).await;
                self.moves.try_update(|it| *it -= 1);
            });
            fresh
        })
    }

    fn is_moving(self) -> bool {
        self.moves.try_get_untracked().is_none_or(|it| it > 0)
    }

    fn button(self, word: &str, title: &str, pressed: fn()) -> El {
        self.quiet_button(word, title).click(move || {
            if !self.is_moving() {
                pressed();
            }
        })
    }

    fn quiet_button(self, word: &str, title: &str) -> El {
        let button = el("button", "b3-button b3-button--outline").attr("type", "button");
        button.attr("data-pick", word).text(title).is("aria-disabled", move || self.moves.get() > 0)
    }

    /// The choices. `yes` is called when the person picks one that allows.
    fn buttons(self, question: &Question, choices: &[Choice], yes: fn(&QuestionId, Choice)) -> El {
        el("div", "pup-buttons").all(choices.iter().map(|&choice| {
            let id = question.id.clone();
            self.quiet_button(choice_word(choice), self.words.choice(choice)).click(move || {
                if !self.is_moving() {
                    if choice == Choice::Deny { line::answer(&id, choice) } else { yes(&id, choice) }
                }
            })
        }))
    }

    /// Who asks for what, and what it does.
    fn words_of(self, question: &Question) -> El {
        let who = self.words.who(self.words.wants, &question.client, &question.action);
        let article = el("div", "pup-asked").attr("role", "group").attr("aria-label", &who);
        let article = article.attr("data-question", &question.id.id);
        let who = el("div", "pup-asked-who").text(&who);
        article.put(who).put(el("div", "pup-asked-danger").text(&question.danger))
    }

    fn question(self, question: &Question, yes: fn(&QuestionId, Choice)) -> El {
        let details =
            question.details.iter().flat_map(|it| [el("dt", "").text(&it.name), el("dd", "").text(&it.text)]);
        let until = question.until.map(wire::clock);
        let until = match &until {
            Some(time) => fill(self.words.waits_until, &[("time", time)]),
            None => self.words.waits.to_owned(),
        };
        let mut choices = vec![Choice::Deny, Choice::Once];
        choices.extend(question.may_stand.then_some(Choice::TenMinutes));
        let article = self.words_of(question).put(el("dl", "").all(details)).put(parts::hint(&until));
        article.put(self.buttons(question, &choices, yes))
    }

    fn standing(self, store: Store, it: &Standing) -> El {
        let what = self.words.who(self.words.may, &it.client, &it.action);
        let names: Vec<String> = it.notebooks.iter().map(|id| store.name(id)).collect();
        let minutes = it.minutes.to_string();
        let time = fill(store.words.minutes, &[("n", &minutes)]);
        let names = names.join(store.words.list_comma);
        let place = fill(self.words.where_until, &[("where", &names), ("time", &time)]);
        let label = fill(self.words.revoke_what, &[("what", &what)]);
        let (sidecar, id) = (it.sidecar.clone(), it.id.clone());
        let revoke = parts::button("revoke", self.words.revoke).attr("aria-label", &label);
        let revoke = revoke.click(move || line::revoke(&sidecar, &id));
        let names =
            el("div", "fn__flex-1").put(el("div", "config-name").text(&what)).put(parts::hint(&place));
        let row = el("div", "fn__flex b3-label config-item config-wrap").attr("data-standing", &it.id);
        row.put(names).put(parts::space()).put(revoke)
    }
}

/// Leads the focus back after the list of the dialog was drawn anew: to the same button, else to a plain no.
fn keep_focus() {
    let Some((question, pick)) = dom::focused_pick(".pup-asking") else { return };
    host::spawn(async move {
        // The second one wins, where it is still there.
        dom::focus_anywhere(".pup-asking [data-pick=deny]");
        dom::focus_anywhere(&format!(".pup-asking [data-question='{question}'] [data-pick='{pick}']"));
    });
}
