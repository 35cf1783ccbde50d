//! The past before the page was loaded: clothes, last meal, number of calls. It comes from `index.js` as lines, so that
//! the page's start carries no JSON reader for the file.

use puppy_core::activity::shop::ShopItem;
use puppy_core::activity::stats::Meal;

/// The past.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// Whether it wears its bow.
    pub bow: bool,
    /// The last meal.
    pub meal: Option<Meal>,
    /// Calls ever.
    pub calls: u64,
}

impl Past {
    /// Reads lines of key and value, named as in `puppyStats.json`; missing or strange values are ignored.
    pub fn of_lines(text: &str) -> Past {
        let find = |key| text.lines().filter_map(|line| line.split_once(' ')).find(|it| it.0 == key);
        let word = |key| find(key).map_or("", |it| it.1);
        let number = |key| word(key).parse::<u64>().ok();
        let meal = ShopItem::named(word("item")).zip(number("at"));
        Past {
            bow: ShopItem::named(word("wears")) == Some(ShopItem::Bow),
            meal: meal.map(|(item, at)| Meal {
                item: item.word().to_owned(),
                at,
                calls: number("calls").unwrap_or(0),
            }),
            calls: number("total_calls").unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_or_malformed_history_is_empty() {
        let meal = Meal { item: "cake".to_owned(), at: 1_700_000_000_000, calls: 40 };
        let text = "wears bow\nitem cake\nat 1700000000000\ncalls 40\ntotal_calls 93";
        assert_eq!(Past::of_lines(text), Past { bow: true, meal: Some(meal), calls: 93 });
        for text in
            ["", "item cake", "at 7", "item brick\nat 7", "item cake\nat -7", "wears undefined", "calls"]
        {
            assert_eq!(Past::of_lines(text), Past::default(), "{text}");
        }
    }
}
