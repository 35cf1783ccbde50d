//! What the puppy notices of the person: where the pointer is, and where the caret is.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;

use super::life::{Life, with};
use puppy_plugin_ui::host::{self, dom};
use puppy_plugin_ui::state::gaze;

/// The eyes move this often at most.
const GAZE_MS: u64 = 200;
/// A caret under it for so long makes it fade.
const FADE_MS: u64 = 1_000;
const FADED: &str = "data-faded";

/// Listens to pointer and caret; the listeners hold the puppy weakly.
pub(crate) fn listen(life: &Rc<Life>) -> Vec<EventListener> {
    let (weak, last) = (Rc::downgrade(life), Cell::new(0));
    let pointer = dom::on_any_pointer("pointermove", move |event| {
        let now = host::now_ms();
        if now.saturating_sub(last.get()) >= GAZE_MS {
            last.set(now);
            with(&weak, |life| look(life, (event.client_x(), event.client_y())));
        }
    });
    let (weak, waiting) = (Rc::downgrade(life), Rc::new(RefCell::new(None::<Timeout>)));
    let caret = host::on_selection(move || with(&weak, |life| fade(life, &waiting)));
    pointer.into_iter().chain(caret).collect()
}

/// Turns the pupils to the pointer.
fn look(life: &Life, pointer: (i32, i32)) {
    let follows = {
        let settings = life.settings.borrow();
        settings.follow && !settings.calm && !host::wants_calm()
    };
    let ((x, y), size) = (life.spot.at(), life.spot.size());
    let eyes = (x + size / 2, y + size * 42 / 96);
    let shift = gaze::shift(pointer.0 - eyes.0, pointer.1 - eyes.1).filter(|_| follows);
    let (across, down) = shift.unwrap_or((0, 0));
    life.view.node.set("data-look", if shift.is_some() { "true" } else { "false" });
    life.view.node.style("--pup-look-x", &across.to_string());
    life.view.node.style("--pup-look-y", &down.to_string());
}

/// Fades when the caret stays under it, and comes back when it leaves.
fn fade(life: &Rc<Life>, waiting: &RefCell<Option<Timeout>>) {
    if !is_over_caret(life) {
        waiting.take();
        life.view.node.unset(FADED);
    } else if waiting.borrow().is_none() && !life.view.node.has(FADED) {
        let weak = Rc::downgrade(life);
        let still = move || {
            with(&weak, |life| {
                if is_over_caret(life) {
                    life.view.node.set(FADED, "true");
                }
            });
        };
        *waiting.borrow_mut() = Some(host::later(FADE_MS, still));
    }
}

fn is_over_caret(life: &Life) -> bool {
    if !life.settings.borrow().fade {
        return false;
    }
    let Some([left, top, right, bottom]) = dom::caret() else { return false };
    let ((x, y), size) = (life.spot.at(), life.spot.size());
    left < x + size && right >= x && top < y + size && bottom >= y
}
