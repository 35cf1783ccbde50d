//! The card above the puppy: wage, food and shop. A dialog that nothing waits for.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use puppy_core::activity::events::{CallStatus, EventFile};
use puppy_core::activity::shop::{ItemKind, ShopItem};
use puppy_core::activity::stats::Mood;
use puppy_core::spec::Tool;

use super::menu;
use super::wish::{CardPage, Point, Wish, Wishes};
use puppy_ui_web::host::dom::{self, Node};
use puppy_ui_web::host::{self, Element};
use puppy_ui_web::words::fill;
use puppy_ui_web::words::touch::TouchWords;

/// Between the card and the puppy, and between the card and the window's edge.
const GAP: i32 = 8;
/// The time that a card nobody asked for stays.
const STAYS_MS: u64 = 5_000;
const COIN: &str = r#"<i class="pup-coin" aria-hidden="true"></i>"#;

/// Everything that the card shows.
#[derive(Clone, Copy)]
pub(crate) struct CardFacts {
    pub(crate) words: &'static TouchWords,
    /// The puppy's name.
    pub(crate) puppy: &'static str,
    pub(crate) balance: u64,
    /// Calls since midnight.
    pub(crate) today: u64,
    pub(crate) mood: Mood,
    pub(crate) readonly: bool,
    /// Whether the puppy wears what it was bought to wear.
    pub(crate) wears: bool,
    /// Whether the balance was just read from the kernel.
    pub(crate) is_current: bool,
}

/// The card's element.
pub(crate) struct Card {
    node: Node,
    wishes: Wishes,
    page: Cell<Option<CardPage>>,
    /// Closes the card when it runs out.
    expiry: RefCell<Option<Timeout>>,
    /// The newest `mascot.status` that was answered with the card.
    asked: RefCell<(String, u64)>,
}

impl Card {
    pub(crate) fn new(parent: &Element, wishes: Wishes) -> Option<Card> {
        let node = Node::append(parent, r#"<div class="pup-card" role="dialog" hidden></div>"#)?;
        let (page, expiry, asked) = (Cell::new(None), RefCell::default(), RefCell::default());
        Some(Card { node, wishes, page, expiry, asked })
    }

    pub(crate) fn remove(&self) {
        self.expiry.take();
        self.node.remove();
    }

    /// The open page.
    pub(crate) fn page(&self) -> Option<CardPage> {
        self.page.get()
    }

    /// Whether the focus is in it, or the pointer over it.
    pub(crate) fn is_in_use(&self) -> bool {
        self.node.is_in_use()
    }

    pub(crate) fn close(&self) {
        self.expiry.take();
        if self.page.take().is_some() {
            self.node.set("hidden", "");
            self.node.fill("");
        }
    }

    /// Puts the focus on the first button that can be pressed.
    pub(crate) fn focus(&self) {
        self.node.focus_in("[data-pick]:not([aria-disabled=true])");
    }

    /// Puts the focus on the button of an item.
    pub(crate) fn focus_item(&self, item: ShopItem) {
        self.node.focus_in(&format!("[data-pick='buy {}'], [data-pick]", item.word()));
    }

    /// The wish of an agent that has just asked how the puppy is: the wage, for a while.
    pub(crate) fn hears(&self, file: &EventFile) -> Option<Wish> {
        let newest = file.events.iter().rev().find(|event| {
            event.tool == Tool::Mascot.name()
                && event.action == "status"
                && event.status == CallStatus::Success
        })?;
        let key = (newest.instance.clone(), newest.seq);
        let is_new = *self.asked.borrow() != key && host::now_ms().abs_diff(newest.ts) < STAYS_MS;
        *self.asked.borrow_mut() = key;
        (is_new && self.page().is_none()).then_some(Wish::ShowWage)
    }

    /// Lets it close by itself after a while.
    pub(crate) fn expire(&self) {
        let wishes = self.wishes.clone();
        *self.expiry.borrow_mut() = Some(host::later(STAYS_MS, move || wishes.wish(Wish::ExpireCard)));
    }

    pub(crate) fn show(&self, page: CardPage, facts: CardFacts) {
        self.expiry.take();
        self.page.set(Some(page));
        let title = match page {
            CardPage::Wage => facts.puppy,
            CardPage::Food => facts.words.feed,
            CardPage::Shop => facts.words.shop,
        };
        self.node.set("aria-label", title);
        self.node.fill(&html(page, title, facts));
        self.node.unset("hidden");
    }

    /// Puts it above the puppy, or below where there is no room, whole inside the window.
    pub(crate) fn place(&self, (x, y): Point, size: i32) {
        if self.page().is_none() {
            return;
        }
        let ((width, height), window) = (self.node.size(), host::window_size());
        let left = (x + (size - width) / 2).min(window.0 - width - GAP).max(GAP);
        let above = y - height - GAP;
        let below = (y + size + GAP).min(window.1 - height - GAP).max(GAP);
        let top = if above >= GAP { above } else { below };
        self.node.style("left", &format!("{left}px"));
        self.node.style("top", &format!("{top}px"));
    }

    /// Listens to its buttons, to Esc, and to clicks on neither it nor the puppy.
    pub(crate) fn listen(&self, dog: &Node) -> Vec<EventListener> {
        let [picks, keys, elsewhere] = [(); 3].map(|()| self.wishes.clone());
        let (card, dog) = (self.node.clone(), dog.clone());
        let mut listeners = vec![
            self.node.on_pick(move |id| {
                if let Some(wish) = menu::wish(id) {
                    picks.wish(wish);
                }
            }),
            self.node.on_key(move |event| {
                let is_end = event.key() == "Escape";
                if is_end {
                    keys.wish(Wish::LeaveCard);
                }
                is_end
            }),
        ];
        listeners.extend(dom::on_any_pointer("pointerdown", move |event| {
            if !card.holds(event) && !dog.holds(event) {
                elsewhere.wish(Wish::CloseCard);
            }
        }));
        listeners
    }
}

/// The card as HTML: our own words and numbers only.
fn html(page: CardPage, title: &str, facts: CardFacts) -> String {
    let CardFacts { words, balance, readonly, .. } = facts;
    let mut html = format!(
        r#"<div class="pup-card-head"><b>{title}</b><span class="pup-purse">{COIN}{}</span><button type="button" class="pup-x" data-pick="close" aria-label="{}">×</button></div>"#,
        words.purse(balance),
        words.close
    );
    let note = match facts.is_current {
        false => words.not_bought,
        true if readonly => words.readonly,
        true => "",
    };
    if !note.is_empty() {
        let _ = write!(html, r#"<p class="pup-card-note" role="alert">{note}</p>"#);
    }
    if page == CardPage::Wage {
        let _ = write!(
            html,
            r#"<p>{}</p><p>{}</p><div class="pup-card-foot"><button type="button" class="b3-button b3-button--outline" data-pick="food">{}</button><button type="button" class="b3-button b3-button--outline" data-pick="shop">{}</button></div>"#,
            words.calls(facts.today),
            words.mood(facts.mood),
            words.feed,
            words.shop
        );
        return html;
    }
    html.push_str(r#"<div class="pup-wares">"#);
    for item in
        ShopItem::ALL.into_iter().filter(|item| page == CardPage::Shop || item.kind() == ItemKind::Food)
    {
        let missing = item.cost().saturating_sub(balance);
        let is_worn = facts.wears && item.kind() == ItemKind::Wear;
        let is_off = missing > 0 || readonly || is_worn;
        let hint = if is_worn {
            words.worn.to_owned()
        } else if missing > 0 {
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
