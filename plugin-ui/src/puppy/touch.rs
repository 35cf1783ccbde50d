//! Touching the puppy: a click pets it, a drag carries it, keys do both.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;

use super::life::Life;
use super::view::SIZE;
use puppy_plugin_ui::host;
use puppy_plugin_ui::host::dom::{KeyboardEvent, PointerEvent};
use puppy_plugin_ui::state::place::inside;

/// A pointer that moves less than this, in pixels, is a click (B-298).
const SLOP: i32 = 6;
const STEP: i32 = 8;
const WIDE_STEP: i32 = 32;

/// A pointer that is down.
#[derive(Clone, Copy)]
struct Held {
    pointer: i32,
    /// Where the pointer went down.
    start: (i32, i32),
    /// Where the puppy was then.
    from: (i32, i32),
    carried: bool,
}

/// Listens to pointer and keys; the listeners hold the puppy weakly.
pub(crate) fn listen(life: &Rc<Life>) -> Vec<EventListener> {
    let held = Rc::new(RefCell::new(None::<Held>));
    let node = &life.view.node;
    let mut listeners = Vec::from(life.view.shield());
    let mut on = |kind: &'static str, what: fn(&Rc<Life>, &RefCell<Option<Held>>, &PointerEvent)| {
        let (weak, held) = (Rc::downgrade(life), held.clone());
        listeners.push(node.on_pointer(kind, move |event| {
            if let Some(life) = weak.upgrade() {
                what(&life, &held, event);
            }
        }));
    };
    on("pointerdown", |life, held, event| {
        if event.button() == 0 {
            life.view.node.capture(event.pointer_id());
            *held.borrow_mut() = Some(Held {
                pointer: event.pointer_id(),
                start: at(event),
                from: life.view.at(),
                carried: false,
            });
        }
    });
    on("pointermove", |life, held, event| {
        if let Some(held) = held.borrow_mut().as_mut().filter(|it| it.pointer == event.pointer_id()) {
            let (across, down) = (at(event).0 - held.start.0, at(event).1 - held.start.1);
            held.carried |= across * across + down * down > SLOP * SLOP;
            if held.carried {
                life.view.node.set("data-dragging", "true");
                life.view.put(clamp((held.from.0 + across, held.from.1 + down)));
            }
        }
    });
    on("pointerup", |life, held, event| {
        let Some(held) = held.take().filter(|it| it.pointer == event.pointer_id()) else { return };
        life.view.node.set("data-dragging", "false");
        if held.carried {
            life.view.settle(Some(life.view.at()));
        } else {
            life.pet();
        }
    });
    on("pointercancel", |life, held, _| put_back(life, held));
    let weak = Rc::downgrade(life);
    listeners.push(node.on_key(move |event| weak.upgrade().is_some_and(|life| key(&life, &held, event))));
    listeners
}

fn key(life: &Rc<Life>, held: &RefCell<Option<Held>>, event: &KeyboardEvent) -> bool {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return false;
    }
    let step = if event.shift_key() { WIDE_STEP } else { STEP };
    let (x, y) = life.view.at();
    let target = match event.key().as_str() {
        "ArrowLeft" => (x - step, y),
        "ArrowRight" => (x + step, y),
        "ArrowUp" => (x, y - step),
        "ArrowDown" => (x, y + step),
        "Home" => {
            life.view.settle(None);
            return true;
        }
        "Enter" | " " => {
            life.pet();
            return true;
        }
        "Escape" if held.borrow().is_some() => {
            put_back(life, held);
            return true;
        }
        _ => return false,
    };
    life.view.settle(Some(clamp(target)));
    true
}

fn put_back(life: &Rc<Life>, held: &RefCell<Option<Held>>) {
    if let Some(held) = held.take() {
        life.view.node.set("data-dragging", "false");
        life.view.put(held.from);
    }
}

fn at(event: &PointerEvent) -> (i32, i32) {
    (event.client_x(), event.client_y())
}

fn clamp((x, y): (i32, i32)) -> (i32, i32) {
    let window = host::window_size();
    (inside(x, SIZE, window.0), inside(y, SIZE, window.1))
}
