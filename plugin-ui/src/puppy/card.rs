//! The card above the puppy: wage, food and shop. A dialog that nothing waits for.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use puppy_core::activity::events::{EventFile, Status};
use puppy_core::activity::shop::{Item, Kind};
use puppy_core::spec::Tool;

use super::life::{Life, with};
use super::menu;
use puppy_plugin_ui::host::dom::{self, Node};
use puppy_plugin_ui::host::{self, Element};
use puppy_plugin_ui::state::errand::{Errand, Purse};
use puppy_plugin_ui::words::fill;

/// Between the card and the puppy, and between the card and the window's edge.
const GAP: i32 = 8;
/// How long a card that nobody asked for stays.
const STAYS_MS: u64 = 5_000;
const COIN: &str = r#"<i class="pup-coin" aria-hidden="true"></i>"#;

/// What the card shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// Coins, calls, mood.
    Wage,
    /// What can be eaten.
    Food,
    /// Everything.
    Shop,
}

/// The card's element.
pub(crate) struct Card {
    node: Node,
    page: Cell<Option<Page>>,
    /// Goes by itself when this runs out.
    goes: RefCell<Option<Timeout>>,
    /// The newest `mascot.status` that was answered with the card.
    asked: RefCell<(String, u64)>,
}

impl Card {
    pub(crate) fn new(parent: &Element) -> Option<Card> {
        let node = Node::append(parent, r#"<div class="pup-card" role="dialog" hidden></div>"#)?;
        Some(Card { node, page: Cell::new(None), goes: RefCell::default(), asked: RefCell::default() })
    }

    pub(crate) fn remove(&self) {
        self.goes.take();
        self.node.remove();
    }

    pub(crate) fn is_open(&self) -> bool {
        self.page.get().is_some()
    }

    pub(crate) fn close(&self) {
        self.goes.take();
        if self.page.take().is_some() {
            self.node.set("hidden", "");
            self.node.fill("");
        }
    }

    /// Opens at a page, with the focus in it.
    pub(crate) fn open(&self, life: &Rc<Life>, page: Page) {
        let life = life.clone();
        host::spawn(async move {
            let purse = errand(&life, &Errand::Purse).await;
            life.card.show(&life, page, purse);
            life.card.node.focus_in("[data-pick]:not([aria-disabled=true])");
        });
    }

    /// An agent asked how the puppy is: the wage is shown for a while.
    pub(crate) fn hears(&self, life: &Rc<Life>, file: &EventFile) {
        let newest = file.events.iter().rev().find(|event| {
            event.tool == Tool::Mascot.name() && event.action == "status" && event.status == Status::Success
        });
        let Some(newest) = newest else { return };
        let key = (newest.instance.clone(), newest.seq);
        let is_new = *self.asked.borrow() != key && host::now_ms().abs_diff(newest.ts) < STAYS_MS;
        *self.asked.borrow_mut() = key;
        if !is_new || self.is_open() {
            return;
        }
        let life = life.clone();
        host::spawn(async move {
            let purse = errand(&life, &Errand::Purse).await;
            life.card.show(&life, Page::Wage, purse);
            life.card.go_later(&life);
        });
    }

    fn go_later(&self, life: &Rc<Life>) {
        let weak = Rc::downgrade(life);
        let go = move || {
            with(&weak, |life| {
                if life.card.node.is_in_use() { life.card.go_later(life) } else { life.card.close() }
            });
        };
        *self.goes.borrow_mut() = Some(host::later(STAYS_MS, go));
    }

    /// Buys one and gives it; the card, if it is open, says what is left.
    pub(crate) fn buy(&self, life: &Rc<Life>, item: Item) {
        let life = life.clone();
        host::spawn(async move {
            let purse = errand(&life, &Errand::Buy(item)).await;
            if purse.is_some_and(|it| it.bought) {
                life.touch(|puppy, now| puppy.treat(now, item));
            }
            if let Some(page) = life.card.page.get() {
                life.card.show(&life, page, purse);
                life.card.node.focus_in(&format!("[data-pick='buy {}'], [data-pick]", item.word()));
            } else if let Some(purse) = purse {
                life.know_balance(purse.balance);
            } else {
                life.bridge.say(life.words.not_bought);
            }
        });
    }

    /// Without a purse the kernel is silent.
    fn show(&self, life: &Rc<Life>, page: Page, purse: Option<Purse>) {
        if let Some(purse) = purse {
            life.know_balance(purse.balance);
        }
        self.goes.take();
        self.page.set(Some(page));
        let title = match page {
            Page::Wage => life.states.puppy,
            Page::Food => life.words.feed,
            Page::Shop => life.words.shop,
        };
        self.node.set("aria-label", title);
        self.node.fill(&html(life, page, title, purse));
        self.node.unset("hidden");
        self.place(life);
    }

    /// Puts it above the puppy, below where there is no room, whole inside the window.
    pub(crate) fn place(&self, life: &Life) {
        if !self.is_open() {
            return;
        }
        let ((x, y), size) = (life.spot.at(), life.spot.size());
        let ((width, height), window) = (self.node.size(), host::window_size());
        let left = (x + (size - width) / 2).min(window.0 - width - GAP).max(GAP);
        let above = y - height - GAP;
        let below = (y + size + GAP).min(window.1 - height - GAP).max(GAP);
        let top = if above >= GAP { above } else { below };
        self.node.style("left", &format!("{left}px"));
        self.node.style("top", &format!("{top}px"));
    }
}

/// Has an errand of coins done; nothing where the kernel is silent.
pub(crate) async fn errand(life: &Life, errand: &Errand) -> Option<Purse> {
    Purse::parse(&life.bridge.errand(errand).await?)
}

/// Listens to its buttons, to Esc, and to clicks elsewhere.
pub(crate) fn listen(life: &Rc<Life>) -> Vec<EventListener> {
    let card = &life.card.node;
    let (picks, keys, elsewhere) = (Rc::downgrade(life), Rc::downgrade(life), Rc::downgrade(life));
    let mut listeners = vec![
        card.on_pick(move |word| with(&picks, |life| menu::pick(life, word))),
        card.on_key(move |event| {
            let is_end = event.key() == "Escape";
            if is_end {
                with(&keys, |life| menu::pick(life, "close"));
            }
            is_end
        }),
    ];
    listeners.extend(dom::on_any_pointer("pointerdown", move |event| {
        with(&elsewhere, |life| {
            if life.card.is_open() && !life.card.node.holds(event) && !life.view.node.holds(event) {
                life.card.close();
            }
        });
    }));
    listeners
}

/// The card as HTML: our own words and numbers only.
fn html(life: &Life, page: Page, title: &str, purse: Option<Purse>) -> String {
    let words = life.words;
    let balance = life.known.get().balance;
    let mut html = format!(
        r#"<div class="pup-card-head"><b>{title}</b><span class="pup-purse">{COIN}{}</span><button type="button" class="pup-x" data-pick="close" aria-label="{}">×</button></div>"#,
        words.purse(balance),
        words.close
    );
    let note = match purse {
        None => words.not_bought,
        _ if life.bridge.readonly() => words.readonly,
        _ => "",
    };
    if !note.is_empty() {
        let _ = write!(html, r#"<p class="pup-card-note" role="alert">{note}</p>"#);
    }
    if page == Page::Wage {
        let _ = write!(
            html,
            r#"<p>{}</p><p>{}</p><div class="pup-card-foot"><button type="button" class="b3-button b3-button--outline" data-pick="food">{}</button><button type="button" class="b3-button b3-button--outline" data-pick="shop">{}</button></div>"#,
            words.calls(life.known.get().today),
            words.mood(life.mood()),
            words.feed,
            words.shop
        );
        return html;
    }
    html.push_str(r#"<div class="pup-wares">"#);
    for item in Item::ALL.into_iter().filter(|item| page == Page::Shop || item.kind() == Kind::Food) {
        let missing = item.cost().saturating_sub(balance);
        let is_off = missing > 0 || life.bridge.readonly();
        let hint = if missing > 0 {
            fill(words.missing, &[("n", &missing.to_string())])
        } else {
            words.hint(item).to_owned()
        };
        let _ = write!(
            html,
            r#"<button type="button" class="pup-ware" data-pick="buy {}" aria-disabled="{is_off}"><span class="pup-emoji" aria-hidden="true">{}</span><span class="pup-ware-name">{}<small>{hint}</small></span><span class="pup-purse">{COIN}{}</span></button>"#,
            item.word(),
            item.emoji(),
            words.item(item),
            item.cost()
        );
    }
    html.push_str("</div>");
    html
}
