//! Touching the puppy: a click pets it, a drag carries it, keys do both; menu and hover line begin here.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;

use super::position::Position;
use super::wish::{CardPage, Point, Wish, Wishes};
use puppy_ui_web::host;
use puppy_ui_web::host::dom::{self, KeyboardEvent, Node, PointerEvent};

/// A pointer that moves less than this, in pixels, is a click (B-298).
const SLOP: i32 = 6;
const STEP: i32 = 8;
const WIDE_STEP: i32 = 32;
const LONG_PRESS_MS: u64 = 500;
const HOVER_MS: u64 = 600;
/// Two clicks within this time are one double click.
const DOUBLE_MS: u64 = 400;
/// The attribute of the puppy's element that says whether its menu is open.
pub(crate) const MENU_OPEN: &str = "aria-expanded";

/// A pointer that is down.
#[derive(Clone, Copy)]
struct PressedPointer {
    pointer: i32,
    /// The point where the pointer went down.
    start: Point,
    /// The place of the puppy at that time.
    from: Point,
    carried: bool,
    /// Whether it went down on the tag of the collar.
    on_tag: bool,
    /// Whether it went down on the mound.
    on_mound: bool,
}

/// The state of pointer and timers.
#[derive(Default)]
struct Hands {
    held: Option<PressedPointer>,
    /// Ends in the menu, if the finger stays.
    press: Option<Timeout>,
    hover: Option<Timeout>,
    last_click: u64,
}

/// The puppy's element as something that can be touched.
struct Touch {
    node: Node,
    position: Rc<Position>,
    is_card_open: Box<dyn Fn() -> bool>,
    wishes: Wishes,
    hands: RefCell<Hands>,
}

/// Listens to pointer and keys. Esc closes the card first, so it must be known whether that is open.
pub(crate) fn listen(
    node: &Node,
    position: &Rc<Position>,
    is_card_open: impl Fn() -> bool + 'static,
    wishes: &Wishes,
) -> Vec<EventListener> {
    let touch = Rc::new(Touch {
        node: node.clone(),
        position: position.clone(),
        is_card_open: Box::new(is_card_open),
        wishes: wishes.clone(),
        hands: RefCell::default(),
    });
    let mut listeners = Vec::from(node.keep_touches());
    let mut on = |kind: &'static str, what: fn(&Rc<Touch>, &PointerEvent)| {
        let touch = touch.clone();
        listeners.push(node.on_pointer(kind, move |event| what(&touch, event)));
    };
    on("pointerdown", Touch::down);
    on("pointermove", |touch, event| touch.moved(event));
    on("pointerup", |touch, event| touch.up(event));
    on("pointercancel", |touch, _| touch.put_back());
    on("pointerenter", |touch, event| touch.hover(event));
    on("pointerleave", |touch, _| touch.end_hover());
    let of_menu = touch.clone();
    listeners.push(node.on_menu(move |x, y| {
        of_menu.put_back();
        of_menu.wishes.wish(Wish::OpenMenu((x, y)));
    }));
    let of_focus = wishes.clone();
    listeners.push(node.on_focus(move || of_focus.wish(Wish::Refresh)));
    listeners.push(node.on_key(move |event| touch.key(event)));
    listeners
}

impl Touch {
    fn down(self: &Rc<Self>, event: &PointerEvent) {
        self.end_hover();
        if event.button() != 0 {
            return;
        }
        self.node.capture(event.pointer_id());
        let held = PressedPointer {
            pointer: event.pointer_id(),
            start: at(event),
            from: self.position.at(),
            carried: false,
            on_tag: dom::is_from(event, ".dog-tag"),
            on_mound: dom::is_from(event, ".pup-mound"),
        };
        let weak = Rc::downgrade(self);
        let press = host::later(LONG_PRESS_MS, move || with(&weak, Touch::long_press));
        let mut hands = self.hands.borrow_mut();
        hands.held = Some(held);
        hands.press = (event.pointer_type() == "touch").then_some(press);
    }

    fn long_press(&self) {
        let held = self.hands.borrow_mut().held.take();
        if let Some(held) = held {
            self.wishes.wish(Wish::OpenMenu(held.start));
        }
    }

    fn moved(&self, event: &PointerEvent) {
        let (target, is_lifted) = {
            let mut hands = self.hands.borrow_mut();
            let Some(held) = hands.held.as_mut().filter(|it| it.pointer == event.pointer_id()) else {
                return;
            };
            let (across, down) = (at(event).0 - held.start.0, at(event).1 - held.start.1);
            if !held.carried && across * across + down * down <= SLOP * SLOP {
                return;
            }
            let is_lifted = !std::mem::replace(&mut held.carried, true);
            let target = (held.from.0 + across, held.from.1 + down);
            hands.press = None;
            (target, is_lifted)
        };
        self.wishes.wish(Wish::Drag(target));
        if is_lifted {
            self.wishes.wish(Wish::Lift);
        }
    }

    fn up(&self, event: &PointerEvent) {
        let now = host::now_ms();
        let (held, last_click) = {
            let mut hands = self.hands.borrow_mut();
            hands.press = None;
            let Some(held) = hands.held.take_if(|it| it.pointer == event.pointer_id()) else { return };
            let last_click = hands.last_click;
            if !held.carried {
                hands.last_click = now;
            }
            (held, last_click)
        };
        self.wishes.wish(if held.carried {
            Wish::Land
        } else if held.on_tag {
            Wish::OpenCard(CardPage::Wage)
        } else if held.on_mound {
            Wish::OpenRun
        } else if now.saturating_sub(last_click) < DOUBLE_MS {
            Wish::OpenPanel("activity")
        } else {
            Wish::Pet
        });
    }

    fn hover(&self, event: &PointerEvent) {
        if event.pointer_type() != "mouse" || event.buttons() != 0 {
            return;
        }
        let wishes = self.wishes.clone();
        let show = host::later(HOVER_MS, move || wishes.wish(Wish::ShowTip(true)));
        self.hands.borrow_mut().hover = Some(show);
    }

    fn end_hover(&self) {
        self.hands.borrow_mut().hover = None;
        self.wishes.wish(Wish::ShowTip(false));
    }

    /// True where the key is handled.
    fn key(&self, event: &KeyboardEvent) -> bool {
        // The host's menu has keys of its own, and listens to them farther up.
        if self.node.has(MENU_OPEN) || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return false;
        }
        let step = if event.shift_key() { WIDE_STEP } else { STEP };
        let (x, y) = self.position.at();
        let is_held = self.hands.borrow().held.is_some();
        let wish = match event.key().as_str() {
            "ArrowLeft" => Wish::Move(Some((x - step, y))),
            "ArrowRight" => Wish::Move(Some((x + step, y))),
            "ArrowUp" => Wish::Move(Some((x, y - step))),
            "ArrowDown" => Wish::Move(Some((x, y + step))),
            "Home" => Wish::Move(None),
            "Enter" | " " => Wish::Pet,
            "ContextMenu" => Wish::OpenMenu((x, y)),
            "F10" if event.shift_key() => Wish::OpenMenu((x, y)),
            "Escape" if (self.is_card_open)() => Wish::CloseCard,
            "Escape" if is_held => {
                self.put_back();
                return true;
            }
            _ => return false,
        };
        self.wishes.wish(wish);
        true
    }

    fn put_back(&self) {
        let held = {
            let mut hands = self.hands.borrow_mut();
            hands.press = None;
            hands.held.take()
        };
        if let Some(held) = held.filter(|it| it.carried) {
            self.wishes.wish(Wish::PutBack(held.from));
        }
    }
}

fn with(touch: &Weak<Touch>, what: impl FnOnce(&Touch)) {
    if let Some(touch) = touch.upgrade() {
        what(&touch);
    }
}

fn at(event: &PointerEvent) -> Point {
    (event.client_x(), event.client_y())
}
