//! The puppy's attention to the person: its eyes follow the pointer, and it fades over the caret.

use std::cell::{Cell, RefCell};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;

use super::position::Position;
use super::wish::{Point, Wish, Wishes};
use crate::state::gaze;
use puppy_ui_web::host;
use puppy_ui_web::host::dom::{self, Node};

/// The eyes move this often at most.
const GAZE_MS: u64 = 200;
/// A caret that stays under the puppy for this long makes it fade.
const FADE_MS: u64 = 1_000;
const FADED: &str = "data-faded";

/// The puppy's attention.
pub(crate) struct Notice {
    node: Node,
    wishes: Wishes,
    /// Ends in fading, if the caret stays.
    waiting: RefCell<Option<Timeout>>,
}

impl Notice {
    pub(crate) fn new(node: Node, wishes: Wishes) -> Notice {
        Notice { node, wishes, waiting: RefCell::default() }
    }

    /// Listens to pointer and caret.
    pub(crate) fn listen(&self) -> Vec<EventListener> {
        let (wishes, last) = (self.wishes.clone(), Cell::new(0));
        let pointer = dom::on_any_pointer("pointermove", move |event| {
            let now = host::now_ms();
            if now.saturating_sub(last.get()) >= GAZE_MS {
                last.set(now);
                wishes.wish(Wish::LookAt((event.client_x(), event.client_y())));
            }
        });
        let wishes = self.wishes.clone();
        let caret = host::on_selection(move || wishes.wish(Wish::MindCaret));
        pointer.into_iter().chain(caret).collect()
    }

    /// Turns the pupils to the pointer; `None` lets them look straight out.
    pub(crate) fn look_at(&self, position: &Position, pointer: Option<Point>) {
        let ((x, y), size) = (position.at(), position.size());
        let eyes = (x + size / 2, y + size * 42 / 96);
        let shift = pointer.and_then(|it| gaze::shift(it.0 - eyes.0, it.1 - eyes.1));
        let (across, down) = shift.unwrap_or((0, 0));
        self.node.set("data-look", if shift.is_some() { "true" } else { "false" });
        self.node.style("--pup-look-x", &across.to_string());
        self.node.style("--pup-look-y", &down.to_string());
    }

    /// Waits to fade while the caret is covered, and comes back when it is not.
    pub(crate) fn mind_caret(&self, is_covered: bool) {
        if !is_covered {
            self.waiting.take();
            self.node.unset(FADED);
        } else if self.waiting.borrow().is_none() && !self.node.has(FADED) {
            let wishes = self.wishes.clone();
            *self.waiting.borrow_mut() = Some(host::later(FADE_MS, move || wishes.wish(Wish::Fade)));
        }
    }

    pub(crate) fn fade(&self) {
        self.node.set(FADED, "true");
    }
}

/// Whether the puppy stands over the caret.
pub(crate) fn covers_caret(position: &Position) -> bool {
    let Some([left, top, right, bottom]) = dom::caret() else { return false };
    let ((x, y), size) = (position.at(), position.size());
    left < x + size && right >= x && top < y + size && bottom >= y
}
