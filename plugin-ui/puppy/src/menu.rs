//! The lines of the puppy's menu, in the host's own, and the wish of each line; the card's buttons share them.

use std::fmt::Write as _;

use puppy_core::activity::shop::{ItemKind, ShopItem};
use puppy_ui_web::words::touch::TouchWords;

use super::wish::{CardPage, Wish};

/// Everything that the lines of the menu depend on.
#[derive(Clone, Copy)]
pub(crate) struct MenuFacts<'a> {
    pub(crate) words: &'static TouchWords,
    /// The first line: name, state, calls and coins.
    pub(crate) summary: &'a str,
    pub(crate) balance: u64,
    pub(crate) readonly: bool,
    /// Whether every call is paused.
    pub(crate) is_paused: bool,
    /// Whether an agent has changed notes at which nobody has looked.
    pub(crate) has_mound: bool,
    /// Whether an agent has an active errand.
    pub(crate) has_bag: bool,
}

/// The menu, a line of text for each entry: depth, id, label, price, and `off` where it is disabled.
pub(crate) fn lines(facts: MenuFacts<'_>) -> String {
    let MenuFacts { words, summary, balance, readonly, is_paused, has_mound, has_bag } = facts;
    let mut text = String::new();
    let mut line = |depth: u8, id: &str, label: &str, price: &str, is_off: bool| {
        let _ = writeln!(text, "{depth}\t{id}\t{label}\t{price}\t{}", if is_off { "off" } else { "" });
    };
    line(0, "wage", summary, "", false);
    if has_mound {
        line(0, "run", words.run, "", false);
    }
    if has_bag {
        line(0, "end-errands", words.end_errand, "", false);
    }
    line(0, "", "", "", false);
    line(0, "food", words.feed, "", false);
    for item in ShopItem::ALL.into_iter().filter(|item| item.kind() == ItemKind::Food) {
        let label = format!("{} {}", item.emoji(), words.item(item));
        let is_off = readonly || item.cost() > balance;
        line(1, &format!("buy {}", item.word()), &label, &words.purse(item.cost()), is_off);
    }
    line(0, "shop", words.shop, "", false);
    line(0, "", "", "", false);
    let (id, label) = if is_paused { ("resume", words.resume) } else { ("pause", words.pause) };
    line(0, id, label, "", readonly);
    line(0, "hide-hour", words.hide_hour, "", false);
    line(0, "hide", words.hide, "", readonly);
    line(0, "corner", words.corner, "", false);
    line(0, "", "", "", false);
    line(0, "settings", words.settings, "", false);
    text
}

/// The wish behind the id of a line or a button.
pub(crate) fn wish(id: &str) -> Option<Wish> {
    Some(match id {
        "wage" => Wish::OpenCard(CardPage::Wage),
        "food" => Wish::OpenCard(CardPage::Food),
        "shop" => Wish::OpenCard(CardPage::Shop),
        "run" => Wish::OpenRun,
        "close" => Wish::LeaveCard,
        "hide-hour" => Wish::Hide(Some(1)),
        "hide" => Wish::Hide(None),
        "corner" => Wish::Move(None),
        "pause" => Wish::Pause(true),
        "resume" => Wish::Pause(false),
        "end-errands" => Wish::EndErrands,
        "settings" => Wish::OpenPanel("puppy"),
        _ => Wish::Buy(ShopItem::named(id.strip_prefix("buy ")?)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu(balance: u64, readonly: bool) -> Vec<(String, bool)> {
        let words = TouchWords::of("en");
        let text = lines(MenuFacts {
            words,
            summary: "Puppy · idle",
            balance,
            readonly,
            is_paused: readonly,
            has_mound: true,
            has_bag: true,
        });
        let ids = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        ids.map(|it| (it[1].to_owned(), it[4] == "off")).filter(|it| !it.0.is_empty()).collect()
    }

    #[test]
    fn every_menu_line_parses_to_a_wish() {
        for (id, _) in menu(100, false) {
            assert!(wish(&id).is_some(), "{id}");
        }
        assert_eq!(wish("buy fish"), Some(Wish::Buy(ShopItem::Fish)));
        assert_eq!(wish("hide-hour"), Some(Wish::Hide(Some(1))));
        for id in ["", "buy", "buy ", "buy brick", "fly", "fish"] {
            assert_eq!(wish(id), None, "{id}");
        }
    }

    /// B-299: nothing can be picked that cannot be paid, or saved.
    #[test]
    fn unaffordable_menu_lines_are_disabled() {
        let off = |lines: Vec<(String, bool)>| -> Vec<String> {
            lines.into_iter().filter(|it| it.1).map(|it| it.0).collect()
        };
        assert_eq!(off(menu(100, false)), Vec::<String>::new());
        let foods = ShopItem::ALL.into_iter().filter(|item| item.kind() == ItemKind::Food).count();
        assert_eq!(off(menu(0, false)).len(), foods);
        let readonly = off(menu(100, true));
        assert_eq!(readonly.len(), foods + 2);
        assert!(readonly.contains(&"resume".to_owned()), "a pause is a setting");
        assert!(readonly.contains(&"hide".to_owned()), "hiding for good is a setting");
    }
}
