//! The puppy's shop: items, prices, kinds.

use puppy_core_derive::Choice;

/// Something to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Choice)]
pub enum ShopItem {
    /// A bone.
    Bone,
    /// Milk.
    Milk,
    /// A fish.
    Fish,
    /// Cheese.
    Cheese,
    /// Kibble.
    Kibble,
    /// A drumstick.
    Drumstick,
    /// A ball.
    Ball,
    /// A bow.
    Bow,
    /// A cake.
    Cake,
}

/// The use of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// The puppy eats it.
    Food,
    /// The puppy plays with it.
    Toy,
    /// The puppy wears it until it gets another one.
    Wear,
}

impl ItemKind {
    /// The word in answers.
    pub const fn word(self) -> &'static str {
        match self {
            ItemKind::Food => "food",
            ItemKind::Toy => "toy",
            ItemKind::Wear => "wear",
        }
    }
}

impl ShopItem {
    /// Every item, in the order of the shop: cheapest first.
    pub const ALL: [ShopItem; 9] = [
        ShopItem::Bone,
        ShopItem::Milk,
        ShopItem::Fish,
        ShopItem::Cheese,
        ShopItem::Kibble,
        ShopItem::Drumstick,
        ShopItem::Ball,
        ShopItem::Bow,
        ShopItem::Cake,
    ];

    /// The item with that word.
    pub fn named(word: &str) -> Option<ShopItem> {
        ShopItem::ALL.into_iter().find(|it| it.word() == word)
    }

    /// Its picture.
    pub const fn emoji(self) -> &'static str {
        match self {
            ShopItem::Bone => "🦴",
            ShopItem::Milk => "🥛",
            ShopItem::Fish => "🐟",
            ShopItem::Cheese => "🧀",
            ShopItem::Kibble => "🥣",
            ShopItem::Drumstick => "🍗",
            ShopItem::Ball => "🎾",
            ShopItem::Bow => "🎀",
            ShopItem::Cake => "🎂",
        }
    }

    /// The price of one, in coins.
    pub const fn cost(self) -> u64 {
        match self {
            ShopItem::Bone | ShopItem::Milk => 3,
            ShopItem::Fish | ShopItem::Cheese => 4,
            ShopItem::Kibble => 5,
            ShopItem::Drumstick => 7,
            ShopItem::Ball => 8,
            ShopItem::Bow => 15,
            ShopItem::Cake => 30,
        }
    }

    /// Its use.
    pub const fn kind(self) -> ItemKind {
        match self {
            ShopItem::Ball => ItemKind::Toy,
            ShopItem::Bow => ItemKind::Wear,
            _ => ItemKind::Food,
        }
    }
}

/// A number of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Purchase {
    /// The item.
    pub item: ShopItem,
    /// The number.
    pub count: u64,
}

impl Purchase {
    /// The price of all, in coins.
    pub const fn cost(self) -> u64 {
        self.item.cost() * self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_word_parses_to_its_item() {
        for item in ShopItem::ALL {
            assert_eq!(ShopItem::named(item.word()), Some(item));
        }
        assert_eq!(ShopItem::named("chocolate"), None);
    }
}
