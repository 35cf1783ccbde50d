//! The puppy's menu, in the host's own, and what its lines do; the cards' buttons do the same.

use std::fmt::Write as _;
use std::rc::Rc;

use puppy_core::activity::shop::{Item, Kind};

use super::card::{self, Page};
use super::life::Life;
use puppy_plugin_ui::host;
use puppy_plugin_ui::state::errand::Errand;

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
        if !life.known.get().is_told
            && let Some(purse) = card::errand(&life, &Errand::Purse).await
        {
            life.know_balance(purse.balance);
        }
        let picked = life.bridge.menu(&lines(&life), at.0, at.1).await;
        life.view.node.unset(OPEN);
        if let Some(word) = picked {
            pick(&life, &word);
        }
    });
}

/// One line of text each: depth, id, label, what stands behind it, and whether it is off.
fn lines(life: &Life) -> String {
    let words = life.words;
    let (balance, readonly) = (life.known.get().balance, life.bridge.readonly());
    let mut text = String::new();
    let mut line = |depth: u8, id: &str, label: &str, hint: &str, is_off: bool| {
        let _ = writeln!(text, "{depth}\t{id}\t{label}\t{hint}\t{}", if is_off { "off" } else { "" });
    };
    line(0, "wage", &life.summary(), "", false);
    line(0, "", "", "", false);
    line(0, "food", words.feed, "", false);
    for item in Item::ALL.into_iter().filter(|item| item.kind() == Kind::Food) {
        let label = format!("{} {}", item.emoji(), words.item(item));
        let is_off = readonly || item.cost() > balance;
        line(1, &format!("buy {}", item.word()), &label, &words.purse(item.cost()), is_off);
    }
    line(0, "shop", words.shop, "", false);
    line(0, "", "", "", false);
    line(0, "hide-hour", words.hide_hour, "", false);
    line(0, "hide", words.hide, "", readonly);
    line(0, "corner", words.corner, "", false);
    line(0, "", "", "", false);
    line(0, "settings", words.settings, "", false);
    text
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
