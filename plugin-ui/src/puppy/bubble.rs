//! What the puppy says: the bubble, the line while the pointer rests on it, and the words for screen readers.
//!
//! Events carry ids. The page turns them into titles itself, at the moment of showing and only when the
//! person asked for that; a place that agents may not know is never named, and nothing is kept.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use puppy_core::activity::events::EventFile;

use super::life::{Life, with};
use puppy_plugin_ui::host::dom::Node;
use puppy_plugin_ui::host::{self, Element};
use puppy_plugin_ui::state::errand::Errand;
use puppy_plugin_ui::state::puppy::{Scene, State};
use puppy_plugin_ui::state::settings::Bubble;

/// Ids of notebook and document.
type Ids = (String, Option<String>);

/// Everything that is said.
pub(crate) struct Speech {
    tip: Node,
    said: Node,
    /// Where the newest event was.
    place: RefCell<Option<Ids>>,
    /// What is being looked up or shown, and its name once it is known.
    named: RefCell<Option<(Ids, Option<String>)>>,
    last: Cell<State>,
}

impl Speech {
    pub(crate) fn new(parent: &Element, dog: &Node) -> Option<Speech> {
        Some(Speech {
            tip: dog.child(r#"<span class="pup-bubble pup-tip" aria-hidden="true"></span>"#)?,
            said: Node::append(parent, r#"<div class="pup-hidden" aria-live="polite"></div>"#)?,
            place: RefCell::default(),
            named: RefCell::default(),
            last: Cell::new(State::Idle),
        })
    }

    pub(crate) fn remove(&self) {
        self.said.remove();
    }

    /// The line while the pointer rests on the puppy.
    pub(crate) fn tip(&self, text: Option<&str>) {
        if let Some(text) = text {
            self.tip.text(text);
        }
        self.tip.set("data-shown", if text.is_some() { "true" } else { "false" });
    }

    /// Where the newest event was.
    pub(crate) fn hears(&self, file: &EventFile) {
        let newest = file.events.last();
        *self.place.borrow_mut() =
            newest.and_then(|event| Some((event.notebook.clone()?, event.doc.clone())));
    }

    /// What the bubble says in a scene; nothing closes it.
    pub(crate) fn says(&self, life: &Rc<Life>, scene: &Scene) -> String {
        self.speak(life, scene);
        let word = life.states.says(scene);
        let bubble = life.settings.borrow().bubble_now(host::is_full_screen());
        if word.is_empty() || bubble == Bubble::Off {
            self.named.take();
            return String::new();
        }
        let place = self.place.borrow().clone();
        match place.filter(|_| bubble == Bubble::Place && scene.says.is_some_and(has_place)) {
            Some(ids) => self.with_place(life, word, ids),
            None => word.to_owned(),
        }
    }

    fn with_place(&self, life: &Rc<Life>, word: &str, ids: Ids) -> String {
        if let Some((known, name)) = &*self.named.borrow()
            && *known == ids
        {
            return name.as_ref().map_or(word.to_owned(), |name| format!("{word} {name}"));
        }
        *self.named.borrow_mut() = Some((ids.clone(), None));
        let (weak, bridge) = (Rc::downgrade(life), life.bridge.share());
        host::spawn(async move {
            let name = bridge.errand(&Errand::Place(ids.0.clone(), ids.1.clone())).await;
            with(&weak, |life| {
                let is_wanted = matches!(&*life.speech.named.borrow(), Some((it, None)) if *it == ids);
                if let Some(name) = name.filter(|_| is_wanted) {
                    *life.speech.named.borrow_mut() = Some((ids, Some(name)));
                    life.tick();
                }
            });
        });
        word.to_owned()
    }

    /// Says errors and questions to a screen reader, if the person wants that.
    fn speak(&self, life: &Life, scene: &Scene) {
        let is_new = self.last.replace(scene.state) != scene.state;
        if !is_new || !life.settings.borrow().speak {
            return;
        }
        let is_said =
            matches!(scene.state, State::Error | State::Denied | State::Dangerous | State::Question);
        self.said.text(if is_said { life.states.state(scene.state) } else { "" });
    }
}

/// A failed call was nowhere; the rest is somewhere.
const fn has_place(state: State) -> bool {
    matches!(state, State::Acting(_) | State::Success | State::Dangerous)
}
