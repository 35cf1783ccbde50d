//! Questions about dangerous calls: in a dialog of their own, in the puppy's bubble, and on the first page.
//!
//! Their texts come from agents and notes, and are set as text only.

use std::cell::Cell;
use std::rc::Rc;

use crate::state::emoji::notebook;
use crate::state::questions::{Question, QuestionId, choice_word};
use leptos::prelude::*;
use puppy_core::ask::Thing;
use puppy_core::ask::words::{self as asked, Language, QuestionLine, SentencePiece, Tone};
use puppy_core::channel::{Choice, OfferedErrand};
use puppy_core::spec::Verb;
use puppy_ui_parts::{Card, Group, Hint, fresh, hold_keys, yes};
use puppy_ui_web::host::{self, Element, Mounted, dom};
use puppy_ui_web::words::channel::ChannelWords;
use puppy_ui_web::words::fill;

use crate::channel;
use crate::errand::{Errand, collar};
use crate::parts;
use crate::store::Store;

/// The time for which a question that has just moved under the pointer takes no answer.
const SETTLE_MS: u32 = 600;

/// A place of questions.
#[derive(Clone, Copy)]
struct QuestionPlace {
    /// Its name, which keeps the ids of its elements apart from those of the other places.
    name: &'static str,
    words: &'static ChannelWords,
    questions: RwSignal<Vec<Question>>,
    /// The number of changes and moves of the list that are not settled yet.
    moves: RwSignal<u32>,
}

/// Mounts the dialog's content or the bubble's in an element of the page. The bubble takes `moved`, after which its
/// buttons take no answer for a moment.
pub fn mount(parent: &Element, place: &str, lang: &str) -> Mounted {
    let words = ChannelWords::of(lang);
    if place == "bubble" {
        let bubble = Rc::<Cell<Option<QuestionPlace>>>::default();
        let view = parts::mount(parent, || {
            let place = QuestionPlace::new("bubble", words);
            bubble.set(Some(place));
            view! { <Bubble place/> }.into_any()
        });
        return view.hearing(move |message| {
            if let Some(place) = bubble.get()
                && message == "moved"
            {
                place.moves();
            }
        });
    }
    let view = parts::mount(parent, || view! { <Dialog words/> }.into_any());
    if let Some(parent) = dom::html(parent) {
        dom::focus(&parent, "[data-pick=deny]");
    }
    view
}

/// The list of open questions and active errands on the Home page. Renders nothing if both are empty.
#[component]
pub(crate) fn Waiting() -> AnyView {
    let store = Store::here();
    let place = QuestionPlace::new("home", ChannelWords::of(&store.lang()));
    let (words, questions) = (place.words, place.questions);
    let list = move || {
        let article = |question| view! { <Article place question/> };
        questions.get().into_iter().map(article).collect_view().into_any()
    };
    let standing = RwSignal::from(channel::standing());
    let errands = move || {
        let errand = |it| view! { <Errand words it/> };
        standing.get().into_iter().map(errand).collect_view().into_any()
    };
    view! {
        <div>
            <Group
                title=words.questions
                name="questions"
                shown=move || questions.with(|it| !it.is_empty())
            >
                <Card><List place list/></Card>
            </Group>
            <Group
                title=words.standing
                name="standing"
                shown=move || standing.with(|it| !it.is_empty())
            >
                <Card><div>{fresh(errands)}</div></Card>
            </Group>
        </div>
    }
    .into_any()
}

#[component]
fn Dialog(words: &'static ChannelWords) -> AnyView {
    let place = QuestionPlace::new("dialog", words);
    let questions = place.questions;
    let list = move || {
        keep_focus();
        let article = |question| view! { <Article place question/> };
        questions.get().into_iter().map(article).collect_view().into_any()
    };
    view! {
        <div
            class="pup-asking fn__flex-1"
            role="alertdialog"
            aria-modal="true"
            aria-labelledby="pup-asking-title"
            aria-describedby="pup-asking-list"
            on:keydown=hold_keys(|_| false)
        >
            <h2 class="pup-asking-title" id="pup-asking-title">{words.title}</h2>
            <List place list attr:id="pup-asking-list" attr:aria-live="polite"/>
            <div class="pup-asking-foot fn__flex">
                <Pick
                    place
                    word="deny-all"
                    title=words.deny_all
                    press=|()| channel::deny_all()
                    class:fn__none=move || questions.with(|it| it.len() < 2)
                />
                <span class="fn__flex-1"></span>
                <Pick place word="later" title=words.later press=|()| channel::put_off()/>
            </div>
        </div>
    }
    .into_any()
}

/// The first question in few words, with the plain answers and the way to the rest.
#[component]
fn Bubble(place: QuestionPlace) -> AnyView {
    let words = place.words;
    let list = move || {
        let (first, others) = place.questions.with(|it| (it.first().cloned(), it.len().saturating_sub(1)));
        let Some(question) = first else { return ().into_any() };
        let (id, verb, offered) = (question.id.clone(), question.ask.verb, question.offered);
        let (brief, is_whole) = brief(&question);
        let mut choices = vec![Choice::Deny];
        choices.extend(is_whole.then_some(Choice::Once));
        view! {
            <Asked place question>
                {brief}
                <div class="pup-buttons">
                    <Picks place id choices verb offered/>
                    <Pick place word="more" title=words.more press=|()| channel::open_dialog()/>
                </div>
                <Hint text=words.others(others)/>
            </Asked>
        }
        .into_any()
    };
    view! {
        <div class="pup-asked-bubble" role="group" aria-label=words.title><List place list/></div>
    }
    .into_any()
}

impl QuestionPlace {
    fn new(name: &'static str, words: &'static ChannelWords) -> QuestionPlace {
        QuestionPlace { name, words, questions: channel::questions().into(), moves: RwSignal::new(0) }
    }

    fn is_moving(self) -> bool {
        self.moves.try_get_untracked().is_none_or(|it| it > 0)
    }

    /// Counts a change or a move of the list until it has settled.
    fn moves(self) {
        self.moves.try_update_untracked(|it| *it += 1);
        self.moves.notify();
        host::spawn(async move {
            host::sleep(SETTLE_MS).await;
            self.moves.try_update(|it| *it -= 1);
        });
    }
}

/// A list that takes no answer right after it has changed: another question may have come under the pointer.
#[component]
fn List(place: QuestionPlace, list: impl Fn() -> AnyView + Send + Sync + 'static) -> AnyView {
    let list = move || {
        let content = list();
        place.moves();
        content
    };
    view! { <div class="pup-asked-list">{fresh(list)}</div> }.into_any()
}

/// A button that does nothing while the list has just changed.
#[component]
fn Pick(
    place: QuestionPlace,
    /// The word of the button in the page's attributes.
    word: &'static str,
    #[prop(into)] title: String,
    #[prop(into)] press: Callback<()>,
) -> AnyView {
    let press = move |_| {
        if !place.is_moving() {
            press.try_run(());
        }
    };
    view! {
        <button
            class="b3-button b3-button--outline"
            type="button"
            data-pick=word
            aria-disabled=move || yes(place.moves.get() > 0)
            on:click=press
        >
            {title}
        </button>
    }
    .into_any()
}

#[component]
fn Picks(
    place: QuestionPlace,
    id: QuestionId,
    choices: Vec<Choice>,
    /// The deed that the choices are about.
    verb: Verb,
    /// The bounds of the errand among the choices.
    offered: Option<OfferedErrand>,
) -> AnyView {
    let pick = move |choice: Choice| {
        let id = id.clone();
        view! {
            <Pick
                place
                word=choice_word(choice)
                title=place.words.choice(choice, verb, offered)
                press=move |()| channel::answer(&id, choice)
            />
        }
    };
    choices.into_iter().map(pick).collect_view().into_any()
}

/// The client and its deed, with the content below.
#[component]
fn Asked(place: QuestionPlace, question: Question, children: Children) -> AnyView {
    let language = language();
    let who = asked::wants(&question.client, &question.ask, language);
    let piece = |piece: &SentencePiece<'_>| match piece {
        SentencePiece::Text(text) => text.clone().into_any(),
        SentencePiece::Name(name) => {
            view! { <bdi class="pup-asked-name">{asked::named(name)}</bdi> }.into_any()
        }
        SentencePiece::Thing(thing) => view! { <Title place thing=(*thing).clone()/> }.into_any(),
    };
    let who = who.iter().map(piece).collect_view();
    let claim = question.is_claimed.then(|| view! { <Hint text=place.words.claimed/> });
    let id = format!("pup-asked-{}-{}", place.name, question.id.id);
    let label = id.clone();
    view! {
        <div class="pup-asked" role="group" aria-labelledby=label data-question=question.id.id>
            <div class="pup-asked-who" id=id>{collar(question.collar)}{who}</div>
            {claim}
            {children()}
        </div>
    }
    .into_any()
}

/// A title; one of a document or block opens it.
#[component]
fn Title(
    place: QuestionPlace,
    thing: Thing,
    /// The text after the title, which begins no line.
    #[prop(optional)]
    after: &'static str,
) -> AnyView {
    let title = asked::quoted(&thing.title, language());
    let Some(id) = thing.id else {
        return view! { <bdi class="pup-asked-title">{title}</bdi>{after} }.into_any();
    };
    let label = fill(place.words.opens, &[("title", &title)]);
    let open = move |_| {
        if !place.is_moving() {
            channel::look_at(&id);
        }
    };
    view! {
        <button class="pup-asked-title pup-asked-link" type="button" data-open="" aria-label=label on:click=open>
            <bdi>{title}</bdi>
            {after}
        </button>
    }
    .into_any()
}

/// The language of the page.
fn language() -> Language {
    Language::of(&channel::lang())
}

/// Returns the lines except lists, and whether no list was left out.
fn brief(question: &Question) -> (AnyView, bool) {
    let lines = asked::lines(&question.ask, language());
    let is_whole = lines.iter().all(|it| it.things.is_empty() && it.texts.is_empty());
    let is_list =
        |it: &QuestionLine<'_>| !it.texts.is_empty() || (it.tone == Tone::Things && !it.things.is_empty());
    let brief = lines
        .iter()
        .filter(|it| !is_list(it))
        .map(|it| view! { <div class=class(it.tone)>{it.text.clone()}</div> });
    (brief.collect_view().into_any(), is_whole)
}

/// The class of a line's weight.
const fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Things => "pup-asked-what",
        Tone::Loss => "pup-asked-loss",
        Tone::Note => "pup-asked-note",
        Tone::Back => "pup-asked-back",
    }
}

/// The lines below the deed: the things, what breaks, the way back.
fn below(place: QuestionPlace, question: &Question) -> AnyView {
    let about = &question.ask.about;
    let change = |(old, new): &(String, String)| {
        let new = (!new.is_empty()).then(|| view! { " → "<bdi>{new.clone()}</bdi> });
        view! { <li><bdi>{old.clone()}</bdi>{new}</li> }
    };
    let line = |line: &QuestionLine<'_>| {
        let things = if line.text.is_empty() { rows(place, line) } else { names(place, line) };
        let is_listed = !line.texts.is_empty();
        let texts =
            is_listed.then(|| view! { <ul tabindex="0">{line.texts.iter().map(change).collect_view()}</ul> });
        // A line of things without a list is a place; that of a single thing has the icon of its notebook.
        let is_place = line.tone == Tone::Things && line.things.is_empty();
        let has_place = |it: &&Thing| is_place && !asked::place(it).is_empty();
        let text = match about.things.first.first().filter(has_place) {
            Some(thing) => where_is(thing),
            None => line.text.clone().into_any(),
        };
        let more =
            (!line.more.is_empty()).then(|| view! { " "<span class="pup-quiet">{line.more.clone()}</span> });
        view! { <div class=class(line.tone)>{text}{things}{texts}{more}</div> }
    };
    asked::lines(&question.ask, language()).iter().map(line).collect_view().into_any()
}

/// Things one below the other, each with its place.
fn rows(place: QuestionPlace, line: &QuestionLine<'_>) -> AnyView {
    let row = |thing: &Thing| view! { <li><Title place thing=thing.clone()/>" "{where_is(thing)}</li> };
    view! { <ul tabindex="0">{line.things.iter().map(row).collect_view()}</ul> }.into_any()
}

/// Things one after the other.
fn names(place: QuestionPlace, line: &QuestionLine<'_>) -> AnyView {
    if line.things.is_empty() {
        return ().into_any();
    }
    // Within the link: a comma after it could begin the next line.
    let (comma, space) = if language() == Language::Chinese { ("、", "") } else { (",", " ") };
    let last = line.things.len().saturating_sub(1);
    let name = |(at, thing): (usize, &Thing)| {
        let (after, space) = if at == last { ("", "") } else { (comma, space) };
        view! { <Title place thing=thing.clone() after/>{space} }
    };
    let names = line.things.iter().enumerate().map(name).collect_view();
    view! { <div class="pup-asked-names" tabindex="0">{names}</div> }.into_any()
}

/// The notebook and the folder of a thing.
fn where_is(thing: &Thing) -> AnyView {
    let icon = thing.notebook.as_ref().map(|it| notebook(&it.icon));
    let icon = icon.map(|it| view! { <span class="pup-asked-icon" aria-hidden="true">{it}</span> });
    view! { <span class="pup-asked-place">{icon}<bdi>{asked::place(thing)}</bdi></span> }.into_any()
}

/// A question with its details and its choices.
#[component]
fn Article(place: QuestionPlace, question: Question) -> AnyView {
    let words = place.words;
    let below = below(place, &question);
    let until = match question.until.map(host::channel::clock) {
        Some(time) => fill(words.waits_until, &[("time", &time)]),
        None => words.waits.to_owned(),
    };
    // A note's style may cover the panel, so the first page leads to the dialog, which nothing covers.
    let leads = place.name == "home";
    let choices = if leads { vec![Choice::Deny] } else { question.choices() };
    let way = leads.then(|| {
        view! { <Pick place word="answer" title=words.answer press=|()| channel::open_dialog()/> }
    });
    let (id, verb, offered) = (question.id.clone(), question.ask.verb, question.offered);
    view! {
        <Asked place question>
            <div class="pup-asked-below">{below}</div>
            <Hint text=until/>
            <div class="pup-buttons"><Picks place id choices verb offered/>{way}</div>
        </Asked>
    }
    .into_any()
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
