//! The puppy's life in the page: it asks for events, goes on with time, and shows what is.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use puppy_core::activity::events::EventFile;

use super::touch;
use super::view::View;
use puppy_plugin_ui::host::{self, Bridge, Element, Mounted};
use puppy_plugin_ui::kernel;
use puppy_plugin_ui::state::polling;
use puppy_plugin_ui::state::puppy::Puppy;
use puppy_plugin_ui::words::PuppyWords;

/// Puts the puppy into an element of the page, until the handle is told to unmount it.
pub(crate) fn mount(parent: &Element, bridge: &Bridge) -> Mounted {
    let Some(view) = View::new(parent, PuppyWords::of(&bridge.lang())) else { return Mounted::new(|| ()) };
    let life = Rc::new(Life {
        view,
        puppy: RefCell::new(Puppy::new(host::now_ms(), host::random_bits(), host::wants_calm())),
        asking: RefCell::new(Asking { next: host::now_ms(), is_open: false, failures: 0 }),
        timer: RefCell::new(None),
        listeners: RefCell::new(Vec::new()),
    });
    life.listen();
    life.tick();
    Mounted::new(move || life.end())
}

/// What is known of the questions to the kernel.
struct Asking {
    /// When the next one is due.
    next: u64,
    /// Whether one is on its way.
    is_open: bool,
    failures: u32,
}

pub(crate) struct Life {
    pub(crate) view: View,
    puppy: RefCell<Puppy>,
    asking: RefCell<Asking>,
    timer: RefCell<Option<Timeout>>,
    listeners: RefCell<Vec<EventListener>>,
}

impl Life {
    fn listen(self: &Rc<Self>) {
        let weak = Rc::downgrade(self);
        let mut listeners = touch::listen(self);
        listeners.extend(host::on_visibility({
            let weak = weak.clone();
            move || with(&weak, Life::visibility)
        }));
        listeners.extend(host::on_resize(move || with(&weak, |life| life.view.put(life.view.remembered()))));
        *self.listeners.borrow_mut() = listeners;
    }

    /// Listeners and timer hold the view weakly, but the browser holds the listeners.
    fn end(&self) {
        self.listeners.borrow_mut().clear();
        self.timer.take();
        self.view.node.remove();
    }

    fn visibility(self: &Rc<Self>) {
        if !host::is_hidden() {
            let now = host::now_ms();
            self.puppy.borrow_mut().resume(now);
            self.asking.borrow_mut().next = now;
        }
        self.tick();
    }

    /// Somebody touched the puppy.
    pub(crate) fn pet(self: &Rc<Self>) {
        self.puppy.borrow_mut().pet(host::now_ms());
        self.tick();
    }

    /// Shows what is now, and sets the one timer to the next change or question. A hidden page sets none.
    fn tick(self: &Rc<Self>) {
        if host::is_hidden() {
            self.timer.take();
            return;
        }
        let now = host::now_ms();
        let mut puppy = self.puppy.borrow_mut();
        puppy.advance(now);
        self.view.show(&puppy.scene(now));
        let (is_due, next) = {
            let asking = self.asking.borrow();
            (!asking.is_open && asking.next <= now, (!asking.is_open).then_some(asking.next))
        };
        if is_due {
            let mut asking = self.asking.borrow_mut();
            asking.is_open = true;
            asking.next = now + polling::wait(puppy.since_event(now), asking.failures);
            host::spawn(ask(Rc::downgrade(self)));
        }
        let next = if is_due { None } else { next };
        let wake = puppy.wake_at(now).into_iter().chain(next).min();
        let weak = Rc::downgrade(self);
        *self.timer.borrow_mut() =
            wake.map(|at| host::later(at.saturating_sub(now), move || with(&weak, Life::tick)));
    }

    fn answered(self: &Rc<Self>, answer: Option<&Option<EventFile>>) {
        let now = host::now_ms();
        {
            let mut puppy = self.puppy.borrow_mut();
            let mut asking = self.asking.borrow_mut();
            asking.is_open = false;
            match answer {
                Some(file) => {
                    asking.failures = 0;
                    puppy.feed(now, file.as_ref());
                }
                None => {
                    asking.failures += 1;
                    puppy.silence(now);
                }
            }
            let began = asking.next;
            asking.next = began.min(now + polling::wait(puppy.since_event(now), asking.failures));
            if asking.failures > 0 {
                asking.next = now + polling::wait(puppy.since_event(now), asking.failures);
            }
        }
        self.tick();
    }
}

fn with(life: &Weak<Life>, what: impl FnOnce(&Rc<Life>)) {
    if let Some(life) = life.upgrade() {
        what(&life);
    }
}

async fn ask(life: Weak<Life>) {
    let answer = kernel::events().await;
    with(&life, |life| life.answered(answer.as_ref()));
}
