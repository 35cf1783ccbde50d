//! The puppy's life in the page: it asks for events, goes on with time, and shows the present scene.

mod grant;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use puppy_core::activity::events::{Event, EventFile};
use puppy_core::activity::stats::Mood;

use super::bubble::Speech;
use super::card::Card;
use super::notice::Notice;
use super::position::Position;
use super::touch;
use super::view::View;
use super::wish::{Wish, Wishes};
use crate::state::past::Past;
use crate::state::polling::EventPolling;
use crate::state::puppy::Puppy;
use crate::state::today::{Today, since_midnight};
use puppy_ui_web::host::{self, Element, Host, Mounted, dom};
use puppy_ui_web::kernel;
use puppy_ui_web::state::message::Message;
use puppy_ui_web::state::panel_request::PanelRequest;
use puppy_ui_web::state::settings::{Bubble, Settings};
use puppy_ui_web::words::PuppyWords;
use puppy_ui_web::words::touch::TouchWords;

const TODAY_KEY: &str = "siyuan-mcp-puppy.today";
const AWAY_KEY: &str = "siyuan-mcp-puppy.hidden-until";
const GREETED_KEY: &str = "siyuan-mcp-puppy.greeted";
/// The time for which it greets, in milliseconds.
const GREETING_MS: u64 = 30_000;
/// The attribute of the puppy's element while it greets: its bubble takes clicks then.
const GREETS: &str = "data-greets";
/// The card with which SiYuan welcomes new users; it lies over the puppy's first place.
const WELCOME: &str = ".onboarding";

/// Mounts the puppy in an element of the page, until the handle is unmounted.
pub fn mount(parent: &Element, host: &Host) -> Mounted {
    let nothing = || Mounted::new(|| ());
    let lang = host.lang();
    let settings = Settings::of_lines(&host.settings());
    let granter = Rc::<OnceCell<Weak<Life>>>::default();
    let wishes = Wishes::new({
        let granter = granter.clone();
        move |wish| {
            if let Some(life) = granter.get() {
                with(life, |life| life.grant(wish));
            }
        }
    });
    let states = PuppyWords::of(&lang);
    let Some(view) = View::new(parent, states) else { return nothing() };
    let Some(card) = Card::new(parent, wishes.clone()) else { return nothing() };
    let Some(speech) = Speech::new(parent, &view.node, states) else { return nothing() };
    let now = host::now_ms();
    // A seed makes its own motions repeatable.
    let seed = parent.get_attribute("data-seed").and_then(|it| it.parse().ok());
    let life = Rc::new(Life {
        position: Rc::new(Position::new(view.node.clone(), settings.size.pixels())),
        notice: Notice::new(view.node.clone(), wishes.clone()),
        puppy: RefCell::new(Puppy::new(
            now,
            seed.unwrap_or_else(host::random_bits),
            settings.calm || host::wants_calm(),
        )),
        polling: RefCell::new(EventPolling::new(now)),
        counters: Cell::new(Counters::default()),
        newest: RefCell::default(),
        greets_until: Cell::new(0),
        away_until: Cell::new(host::remembered(AWAY_KEY).and_then(|it| it.parse().ok()).unwrap_or(0)),
        words: TouchWords::of(&lang),
        states,
        host: host.share(),
        settings: RefCell::new(settings),
        timer: RefCell::new(None),
        listeners: RefCell::new(Vec::new()),
        view,
        card,
        speech,
    });
    // It is set only here.
    let _ = granter.set(Rc::downgrade(&life));
    life.listen(&wishes);
    life.dress();
    life.tick();
    let weak = Rc::downgrade(&life);
    Mounted::new(move || life.end()).hearing(move |text| with(&weak, |life| life.hear(text)))
}

/// The numbers of the last answer.
#[derive(Debug, Clone, Copy, Default)]
struct Counters {
    balance: u64,
    today: u64,
    /// Whether the balance comes from the file of events.
    is_loaded: bool,
}

/// The puppy in the page, with everything that it shows and knows.
pub(crate) struct Life {
    view: View,
    position: Rc<Position>,
    card: Card,
    speech: Speech,
    notice: Notice,
    host: Host,
    words: &'static TouchWords,
    states: &'static PuppyWords,
    settings: RefCell<Settings>,
    counters: Cell<Counters>,
    /// The newest event that was read.
    newest: RefCell<(String, u64)>,
    puppy: RefCell<Puppy>,
    polling: RefCell<EventPolling>,
    /// The time until which it greets; 0 before that.
    greets_until: Cell<u64>,
    /// The time until which it is hidden on this device.
    away_until: Cell<u64>,
    timer: RefCell<Option<Timeout>>,
    listeners: RefCell<Vec<EventListener>>,
}

impl Life {
    fn listen(self: &Rc<Self>, wishes: &Wishes) {
        let weak = Rc::downgrade(self);
        let is_card_open = move || weak.upgrade().is_some_and(|life| life.card.page().is_some());
        let mut listeners = touch::listen(&self.view.node, &self.position, is_card_open, wishes);
        listeners.extend(self.notice.listen());
        listeners.extend(self.card.listen(&self.view.node));
        let (shown, resized) = (Rc::downgrade(self), Rc::downgrade(self));
        listeners.extend(host::on_visibility(move || with(&shown, Life::come_back)));
        listeners.extend(host::on_resize(move || with(&resized, |life| life.position.recall())));
        *self.listeners.borrow_mut() = listeners;
    }

    /// Removes everything. The listeners have to be dropped too, because the browser holds them.
    fn end(&self) {
        self.listeners.borrow_mut().clear();
        self.timer.take();
        self.card.remove();
        self.speech.remove();
        self.view.node.remove();
    }

    /// Takes a message of `index.js` or of the panel.
    fn hear(self: &Rc<Self>, text: &str) {
        match Message::parse(text) {
            Some(Message::Settings(lines)) => {
                let before = self.settings.replace(Settings::of_lines(lines));
                self.dress();
                // The switch brings it back from wherever it was sent, like the command.
                if !before.show && self.settings.borrow().show { self.show_itself() } else { self.tick() }
            }
            Some(Message::Show) => self.show_itself(),
            Some(Message::Home) => self.grant(Wish::Move(None)),
            Some(Message::Past(lines)) => {
                let past = Past::of_lines(lines);
                self.touch(|puppy, _| puppy.remember(past));
            }
            Some(Message::Paused(paused)) => self.touch(|puppy, now| puppy.pause(now, paused)),
            Some(Message::Asked(asker)) => {
                self.speech.hears_asker(asker.unwrap_or_default());
                self.touch(|puppy, now| puppy.ask(now, asker.is_some()));
            }
            Some(Message::Errand(stands)) => self.view.show_bag(stands),
            Some(Message::Stir) => {
                self.polling.borrow_mut().hurry(host::now_ms());
                self.tick();
            }
            // Scenes are for the picture in the panel.
            Some(Message::Play(_)) | None => {}
        }
    }

    /// Takes its looks from the settings.
    fn dress(&self) {
        let settings = self.settings.borrow();
        if self.position.size() != settings.size.pixels() {
            self.position.resize(settings.size.pixels());
        }
        self.puppy.borrow_mut().set_calm(settings.calm || host::wants_calm());
        self.view.dress(&settings);
    }

    /// Shows or hides it from now on, in every window.
    fn set_shown(self: &Rc<Self>, shown: bool) {
        self.settings.borrow_mut().show = shown;
        let host = self.host.share();
        let request = PanelRequest::Set("show".to_owned(), shown.to_string());
        // If the kernel refuses, it holds for this page.
        host::spawn(async move { drop(host.request(&request).await) });
    }

    /// Comes back, even if it was hidden for good.
    fn show_itself(self: &Rc<Self>) {
        self.stay_away_until(0);
        if !self.settings.borrow().show {
            self.set_shown(true);
        }
        self.come_back();
    }

    /// Hides for some hours, or for good.
    fn hide(self: &Rc<Self>, hours: Option<u64>) {
        match hours {
            Some(hours) => self.stay_away_until(host::now_ms() + hours * 3_600_000),
            None => self.set_shown(false),
        }
        self.host.say(self.words.hidden);
        self.tick();
    }

    fn stay_away_until(&self, until: u64) {
        self.away_until.set(until);
        host::remember(AWAY_KEY, &until.to_string());
    }

    /// Resumes when page or puppy are visible again: the newest state counts, and it polls at once.
    fn come_back(self: &Rc<Self>) {
        if !host::is_hidden() {
            let now = host::now_ms();
            self.puppy.borrow_mut().resume(now);
            self.polling.borrow_mut().hurry(now);
        }
        self.tick();
    }

    /// Does something to the puppy and shows the result.
    fn touch(self: &Rc<Self>, what: impl FnOnce(&mut Puppy, u64)) {
        what(&mut self.puppy.borrow_mut(), host::now_ms());
        self.tick();
    }

    /// The present state, in a word or two.
    fn doing(&self) -> &'static str {
        self.states.state(self.puppy.borrow().scene(host::now_ms()).state)
    }

    fn mood(&self) -> Mood {
        self.puppy.borrow().mood(host::now_ms())
    }

    /// Name, state, calls and coins in one line.
    fn summary(&self) -> String {
        let Counters { balance, today, .. } = self.counters.get();
        [self.states.puppy, self.doing(), &self.words.calls(today), &self.words.purse(balance)]
            .join(self.words.dot)
    }

    /// Shows the present scene and sets the one timer to the next change or poll. A hidden page sets none.
    fn tick(self: &Rc<Self>) {
        if host::is_hidden() {
            self.timer.take();
            return;
        }
        let now = host::now_ms();
        let away_until = self.away_until.get();
        let is_away = now < away_until;
        if is_away || !self.settings.borrow().show {
            self.view.node.set("hidden", "");
            self.card.close();
            self.sleep_until(now, is_away.then_some(away_until));
            return;
        }
        self.view.node.unset("hidden");
        let (next, scene) = {
            let mut puppy = self.puppy.borrow_mut();
            puppy.advance(now);
            (puppy.wake_at(now), puppy.scene(now))
        };
        let (bubble, speaks) = {
            let settings = self.settings.borrow();
            (settings.bubble_now(host::is_full_screen()), settings.speak)
        };
        self.speech.speak(&scene, speaks);
        let (mut text, wish) = self.speech.says(&scene, bubble);
        let greets_until = self.greets_until.get();
        let is_greeting = now < greets_until && text.is_empty();
        if is_greeting {
            self.states.greeting.clone_into(&mut text);
        } else if greets_until > 0 {
            self.view.node.unset(GREETS);
        }
        self.view.show(&scene, &text);
        self.view.show_mound(self.puppy.borrow().has_mound());
        self.view.show_collars(self.puppy.borrow().collars(now));
        if let Some(wish) = wish {
            self.grant(wish);
        }
        let since_event = self.puppy.borrow().since_event(now);
        let mut polling = self.polling.borrow_mut();
        if polling.begin(now, since_event) {
            host::spawn(ask(Rc::downgrade(self)));
        }
        self.sleep_until(now, next.into_iter().chain(polling.due()).min());
    }

    fn sleep_until(self: &Rc<Self>, now: u64, wake: Option<u64>) {
        let weak = Rc::downgrade(self);
        *self.timer.borrow_mut() =
            wake.map(|at| host::later(at.saturating_sub(now), move || with(&weak, Life::come_round)));
    }

    /// The timer has run out.
    fn come_round(self: &Rc<Self>) {
        let away_until = self.away_until.get();
        if away_until > 0 && host::now_ms() >= away_until {
            self.stay_away_until(0);
            self.come_back();
        } else {
            self.tick();
        }
    }

    /// Greets once on this device, where no agent has called yet, and not behind SiYuan's welcome card.
    fn greet(&self, now: u64) {
        let settings = self.settings.borrow();
        let is_quiet = settings.quiet || host::is_full_screen() || settings.bubble == Bubble::Off;
        if !is_quiet
            && !dom::exists(WELCOME)
            && self.greets_until.get() == 0
            && host::remembered(GREETED_KEY).is_none()
        {
            host::remember(GREETED_KEY, "true");
            self.greets_until.set(now + GREETING_MS);
            self.view.node.set(GREETS, "true");
        }
    }

    fn answered(self: &Rc<Self>, answer: Option<&Option<EventFile>>) {
        let now = host::now_ms();
        match answer {
            Some(file) if file.as_ref().is_none_or(|it| it.total_calls == 0) => self.greet(now),
            // An agent has called, so nothing is left to connect.
            Some(_) if self.greets_until.get() > 0 => self.greets_until.set(1),
            _ => {}
        }
        let since_event = {
            let mut puppy = self.puppy.borrow_mut();
            match answer {
                Some(file) => puppy.feed(now, file.as_ref()),
                None => puppy.silence(now),
            }
            puppy.since_event(now)
        };
        self.polling.borrow_mut().end(now, since_event, answer.is_some());
        if let Some(Some(file)) = answer {
            self.learn(file);
        }
        self.tick();
    }

    /// Keeps the rest of the file: numbers, the place of the bubble, a request for the wage.
    fn learn(self: &Rc<Self>, file: &EventFile) {
        let newest = file.events.last().map_or((String::new(), 0), |it| (it.instance.clone(), it.seq));
        // An old file knows an old balance: this page may have spent some of it since.
        let is_news = self.newest.replace(newest.clone()) != newest;
        if is_news && file.total_calls > 0 {
            let before = host::remembered(TODAY_KEY);
            let digits = host::local_digits();
            let (day, time) = digits.split_at_checked(8).unwrap_or_default();
            let midnight = host::now_ms().saturating_sub(since_midnight(time));
            let is_of_today = |it: &&Event| it.duration_ms.is_some() && it.ts >= midnight;
            let newest = u64::try_from(file.events.iter().filter(is_of_today).count()).unwrap_or_default();
            let today = Today::look(before.as_deref(), day, file.total_calls, newest);
            self.counters.set(Counters { balance: file.balance, today: today.calls(), is_loaded: true });
            let text = today.to_text();
            if before.as_ref() != Some(&text) {
                host::remember(TODAY_KEY, &text);
            }
        }
        self.speech.hears(file);
        if let Some(wish) = self.card.hears(file) {
            self.grant(wish);
        }
    }
}

/// Runs something with a life that has not ended.
fn with(life: &Weak<Life>, what: impl FnOnce(&Rc<Life>)) {
    if let Some(life) = life.upgrade() {
        what(&life);
    }
}

async fn ask(life: Weak<Life>) {
    let answer = kernel::events().await;
    with(&life, |life| life.answered(answer.as_ref()));
}
