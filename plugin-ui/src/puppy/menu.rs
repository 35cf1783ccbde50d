//! The puppy's menu, in the host's own, and what its lines do; the cards' buttons do the same.

use std::rc::Rc;

use puppy_core::activity::shop::{Item, Kind};
use serde_json::{Value, json};

use super::card::Page;
use super::life::Life;
use puppy_plugin_ui::host;
use puppy_plugin_ui::kernel;

const OPEN: &str = "aria-expanded";

/// Whether the menu is open.
pub(crate) fn is_open(life: &Life) -> bool {
    life.view.node.has(OPEN)
}

/// Opens the menu; keys of the host work in it.
pub(crate) fn open(life: &Rc<Life>, at: (i32, i32)) {
    if is_open(life) {
        return;
    }
    life.view.node.set(OPEN, "true");
    life.card.close();
    let life = life.clone();
    host::spawn(async move {
        // Without a sidecar nobody writes the balance into the events.
        if let Ok(stats) = kernel::stats().await {
            life.know_balance(stats.balance);
        }
        let picked = life.bridge.menu(&lines(&life).to_string(), at.0, at.1).await;
        life.view.node.unset(OPEN);
        if let Some(word) = picked {
            pick(&life, &word);
        }
    });
}

fn lines(life: &Life) -> Value {
    let words = life.words;
    let (balance, readonly) = (life.known.get().balance, life.bridge.readonly());
    let food: Vec<Value> = Item::ALL
        .into_iter()
        .filter(|item| item.kind() == Kind::Food)
        .map(|item| {
            json!({
                "id": format!("buy {}", item.word()),
                "label": format!("{} {}", item.emoji(), words.item(item)),
                "hint": words.purse(item.cost()),
                "off": readonly || item.cost() > balance,
            })
        })
        .collect();
    json!([
        { "id": "wage", "label": life.summary() },
        {},
        { "id": "food", "label": words.feed, "lines": food },
        { "id": "shop", "label": words.shop },
        {},
        { "id": "hide-hour", "label": words.hide_hour },
        { "id": "hide", "label": words.hide, "off": readonly },
        { "id": "corner", "label": words.corner },
        {},
        { "id": "settings", "label": words.settings },
    ])
}

/// Does what a line or a button stands for.
pub(crate) fn pick(life: &Rc<Life>, word: &str) {
    match word {
        "wage" => life.card.open(life, Page::Wage),
        "food" => life.card.open(life, Page::Food),
        "shop" => life.card.open(life, Page::Shop),
        "close" => {
            life.card.close();
            life.view.node.focus();
        }
        "hide-hour" => life.hide(Some(1)),
        "hide" => life.hide(None),
        "corner" => life.spot.settle(None),
        "settings" => life.bridge.open_panel("puppy"),
        _ => {
            if let Some(item) = word.strip_prefix("buy ").and_then(Item::named) {
                life.card.buy(life, item);
            }
        }
    }
}
