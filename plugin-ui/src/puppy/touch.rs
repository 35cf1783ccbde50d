//! Touching the puppy: a click pets it, a drag carries it, keys do both; menu and hover line begin here.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;

use super::life::{Life, with};
use super::menu;
use puppy_plugin_ui::host;
use puppy_plugin_ui::host::dom::{self, KeyboardEvent, PointerEvent};
use puppy_plugin_ui::state::puppy::Puppy;

/// A pointer that moves less than this, in pixels, is a click (B-298).
const SLOP: i32 = 6;
const STEP: i32 = 8;
const WIDE_STEP: i32 = 32;
const LONG_PRESS_MS: u64 = 500;
const HOVER_MS: u64 = 600;
/// Two clicks within this time are one double click.
const DOUBLE_MS: u64 = 400;

/// A pointer that is down.
#[derive(Clone, Copy)]
struct Held {
    pointer: i32,
    /// Where the pointer went down.
    start: (i32, i32),
    /// Where the puppy was then.
    from: (i32, i32),
    carried: bool,
    /// Whether it went down on the tag of the collar.
    on_tag: bool,
}

/// What the hands are about.
#[derive(Default)]
struct Hands {
    held: Option<Held>,
    /// Ends in the menu, if the finger stays.
    press: Option<Timeout>,
    hover: Option<Timeout>,
    last_click: u64,
}

type Shared = Rc<RefCell<Hands>>;

/// Listens to pointer and keys; the listeners hold the puppy weakly.
pub(crate) fn listen(life: &Rc<Life>) -> Vec<EventListener> {
    let hands = Shared::default();
    let node = &life.view.node;
    let mut listeners = Vec::from(node.keep_touches());
    let mut on = |kind: &'static str, what: fn(&Rc<Life>, &Shared, &PointerEvent)| {
        let (weak, hands) = (Rc::downgrade(life), hands.clone());
        listeners.push(node.on_pointer(kind, move |event| with(&weak, |life| what(life, &hands, event))));
    };
    on("pointerdown", down);
    on("pointermove", moved);
    on("pointerup", up);
    on("pointercancel", |life, hands, _| put_back(life, hands));
    on("pointerenter", hover);
    on("pointerleave", |life, hands, _| end_hover(life, hands));
    let (weak, hands_of_menu) = (Rc::downgrade(life), hands.clone());
    listeners.push(node.on_menu(move |x, y| {
        with(&weak, |life| {
            put_back(life, &hands_of_menu);
            menu::open(life, (x, y));
        });
    }));
    let weak = Rc::downgrade(life);
    listeners.push(node.on_focus(move || with(&weak, Life::tick)));
    let weak = Rc::downgrade(life);
    listeners.push(node.on_key(move |event| weak.upgrade().is_some_and(|life| key(&life, &hands, event))));
    listeners
}

fn down(life: &Rc<Life>, hands: &Shared, event: &PointerEvent) {
    end_hover(life, hands);
    if event.button() != 0 {
        return;
    }
    life.view.node.capture(event.pointer_id());
    let held = Held {
        pointer: event.pointer_id(),
        start: at(event),
        from: life.spot.at(),
        carried: false,
        on_tag: dom::is_from(event, ".dog-tag"),
    };
    let (weak, pressed) = (Rc::downgrade(life), Rc::downgrade(hands));
    let press = move || {
        with(&weak, |life| {
            let held = pressed.upgrade().and_then(|hands| hands.borrow_mut().held.take());
            if let Some(held) = held {
                menu::open(life, held.start);
            }
        });
    };
    let mut hands = hands.borrow_mut();
    hands.held = Some(held);
    hands.press = (event.pointer_type() == "touch").then(|| host::later(LONG_PRESS_MS, press));
}

fn moved(life: &Rc<Life>, hands: &Shared, event: &PointerEvent) {
    let (target, is_lifted) = {
        let mut hands = hands.borrow_mut();
        let Some(held) = hands.held.as_mut().filter(|it| it.pointer == event.pointer_id()) else { return };
        let (across, down) = (at(event).0 - held.start.0, at(event).1 - held.start.1);
        let carried = held.carried || across * across + down * down > SLOP * SLOP;
        if !carried {
            return;
        }
        let is_lifted = !std::mem::replace(&mut held.carried, true);
        let target = (held.from.0 + across, held.from.1 + down);
        hands.press = None;
        (target, is_lifted)
    };
    life.spot.put(target);
    if is_lifted {
        life.card.close();
        life.view.node.set("data-dragging", "true");
        life.touch(Puppy::drag);
    }
}

fn up(life: &Rc<Life>, hands: &Shared, event: &PointerEvent) {
    let held = {
        let mut hands = hands.borrow_mut();
        hands.press = None;
        let is_same = hands.held.is_some_and(|it| it.pointer == event.pointer_id());
        if is_same { hands.held.take() } else { None }
    };
    let Some(held) = held else { return };
    if held.carried {
        life.spot.settle(Some(life.spot.at()));
        set_down(life);
        return;
    }
    let now = host::now_ms();
    let last = std::mem::replace(&mut hands.borrow_mut().last_click, now);
    if held.on_tag {
        life.card.open(life, super::card::Page::Wage);
    } else if now.saturating_sub(last) < DOUBLE_MS {
        life.bridge.open_panel("activity");
    } else {
        life.touch(Puppy::pet);
    }
}

fn hover(life: &Rc<Life>, hands: &Shared, event: &PointerEvent) {
    if event.pointer_type() != "mouse" || event.buttons() != 0 {
        return;
    }
    let weak = Rc::downgrade(life);
    let show = move || with(&weak, |life| life.speech.tip(Some(&life.summary())));
    hands.borrow_mut().hover = Some(host::later(HOVER_MS, show));
}

fn end_hover(life: &Rc<Life>, hands: &Shared) {
    hands.borrow_mut().hover = None;
    life.speech.tip(None);
}

fn key(life: &Rc<Life>, hands: &Shared, event: &KeyboardEvent) -> bool {
    // The host's menu has keys of its own, and listens to them farther up.
    if menu::is_open(life) || event.ctrl_key() || event.meta_key() || event.alt_key() {
        return false;
    }
    let step = if event.shift_key() { WIDE_STEP } else { STEP };
    let (x, y) = life.spot.at();
    let target = match event.key().as_str() {
        "ArrowLeft" => Some((x - step, y)),
        "ArrowRight" => Some((x + step, y)),
        "ArrowUp" => Some((x, y - step)),
        "ArrowDown" => Some((x, y + step)),
        "Home" => None,
        "Enter" | " " => {
            life.touch(Puppy::pet);
            return true;
        }
        "ContextMenu" => {
            menu::open(life, (x, y));
            return true;
        }
        "F10" if event.shift_key() => {
            menu::open(life, (x, y));
            return true;
        }
        "Escape" if life.card.is_open() => {
            life.card.close();
            return true;
        }
        "Escape" if hands.borrow().held.is_some() => {
            put_back(life, hands);
            return true;
        }
        _ => return false,
    };
    life.spot.settle(target);
    life.card.place(life);
    true
}

fn put_back(life: &Rc<Life>, hands: &Shared) {
    let held = {
        let mut hands = hands.borrow_mut();
        hands.press = None;
        hands.held.take()
    };
    if let Some(held) = held.filter(|it| it.carried) {
        life.spot.put(held.from);
        set_down(life);
    }
}

fn set_down(life: &Rc<Life>) {
    life.view.node.set("data-dragging", "false");
    life.touch(Puppy::land);
}

fn at(event: &PointerEvent) -> (i32, i32) {
    (event.client_x(), event.client_y())
}
