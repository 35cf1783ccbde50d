//! The puppy's words: the bubble, the line while the pointer rests on it, and the text for screen readers.
//!
//! Events carry ids. The page turns them into titles itself, at the moment of showing, unless the person asked it not
//! to; a place that agents may not know is never named, and nothing is kept.

use std::cell::{Cell, RefCell};

use puppy_core::activity::events::{Event, EventFile};

use super::wish::{PlaceIds, Wish};
use puppy_ui_web::host::Element;
use puppy_ui_web::host::dom::Node;
use puppy_ui_web::state::scene::{Scene, State};
use puppy_ui_web::state::settings::Bubble;
use puppy_ui_web::words::PuppyWords;

/// The maximum number of characters of a client's name.
const LONGEST_CLIENT: usize = 24;

/// Everything that the puppy says.
pub(crate) struct Speech {
    words: &'static PuppyWords,
    tip: Node,
    spoken: Node,
    /// The place of the newest event.
    place: RefCell<Option<PlaceIds>>,
    /// The name that the client of the newest event gave itself.
    client: RefCell<String>,
    /// The name of the client whose question waits.
    asker: RefCell<String>,
    /// The place that is being looked up or shown, with its name once it is known.
    named: RefCell<Option<(PlaceIds, Option<String>)>>,
    last: Cell<State>,
}

impl Speech {
    pub(crate) fn new(parent: &Element, dog: &Node, words: &'static PuppyWords) -> Option<Speech> {
        Some(Speech {
            words,
            tip: dog.child(r#"<span class="pup-bubble pup-tip" aria-hidden="true"></span>"#)?,
            spoken: Node::append(parent, r#"<div class="pup-hidden" aria-live="polite"></div>"#)?,
            place: RefCell::default(),
            client: RefCell::default(),
            asker: RefCell::default(),
            named: RefCell::default(),
            last: Cell::new(State::Idle),
        })
    }

    pub(crate) fn remove(&self) {
        self.spoken.remove();
    }

    /// Shows the line over the puppy; `None` hides it.
    pub(crate) fn tip(&self, text: Option<&str>) {
        if let Some(text) = text {
            self.tip.text(text);
        }
        self.tip.set("data-shown", if text.is_some() { "true" } else { "false" });
    }

    /// Keeps the place of the newest event.
    pub(crate) fn hears(&self, file: &EventFile) {
        let newest = file.events.last();
        let client = newest.and_then(Event::caller).unwrap_or_default();
        *self.client.borrow_mut() = client.chars().take(LONGEST_CLIENT).collect();
        *self.place.borrow_mut() =
            newest.and_then(|event| Some((event.notebook.clone()?, event.doc.clone())));
    }

    /// Keeps the name of the client whose question waits.
    pub(crate) fn hears_asker(&self, client: &str) {
        *self.asker.borrow_mut() = client.chars().take(LONGEST_CLIENT).collect();
    }

    /// The text of the bubble in a scene, empty where it is closed, and the wish for a name that it lacks.
    pub(crate) fn says(&self, scene: &Scene, bubble: Bubble) -> (String, Option<Wish>) {
        let word = self.words.says(scene);
        if word.is_empty() || bubble == Bubble::Off {
            self.named.take();
            return (String::new(), None);
        }
        let word = match scene.says {
            Some(State::Question) => self.words.said_by(&self.asker.borrow(), word),
            Some(state) if is_of_a_call(state) => self.words.said_by(&self.client.borrow(), word),
            _ => word.to_owned(),
        };
        let place = self.place.borrow().clone();
        match place.filter(|_| bubble == Bubble::Place && scene.says.is_some_and(has_place)) {
            Some(ids) => self.with_place(&word, ids),
            None => (word, None),
        }
    }

    fn with_place(&self, word: &str, ids: PlaceIds) -> (String, Option<Wish>) {
        if let Some((known, name)) = &*self.named.borrow()
            && *known == ids
        {
            return (name.as_ref().map_or(word.to_owned(), |name| format!("{word} {name}")), None);
        }
        *self.named.borrow_mut() = Some((ids.clone(), None));
        (word.to_owned(), Some(Wish::NamePlace(ids)))
    }

    /// Takes the name of a place; false where it is not wanted any more.
    pub(crate) fn learn_name(&self, ids: PlaceIds, name: String) -> bool {
        let mut named = self.named.borrow_mut();
        let is_wanted = matches!(&*named, Some((wanted, None)) if *wanted == ids);
        if is_wanted {
            *named = Some((ids, Some(name)));
        }
        is_wanted
    }

    /// Says errors and questions to a screen reader, if the person wants that.
    pub(crate) fn speak(&self, scene: &Scene, wanted: bool) {
        let is_new = self.last.replace(scene.state) != scene.state;
        if !is_new || !wanted {
            return;
        }
        let is_said =
            matches!(scene.state, State::Error | State::Denied | State::Dangerous | State::Question);
        self.spoken.text(if is_said { self.words.state(scene.state) } else { "" });
    }
}

/// Whether a state is one of a call, which some client has made.
const fn is_of_a_call(state: State) -> bool {
    matches!(state, State::Acting(_) | State::Success | State::Dangerous | State::Error | State::Denied)
}

/// Whether a state happens somewhere: a failed call was nowhere.
const fn has_place(state: State) -> bool {
    matches!(state, State::Acting(_) | State::Success | State::Dangerous)
}
