//! The puppy's shop: items, prices, kinds.

use puppy_core_derive::Choice;

/// Something to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Choice)]
pub enum Item {
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
pub enum Kind {
    /// The puppy eats it.
    Food,
    /// The puppy plays with it.
    Toy,
    /// The puppy wears it until it gets another one.
    Wear,
}

impl Kind {
    /// The word in answers.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Food => "food",
            Kind::Toy => "toy",
            Kind::Wear => "wear",
        }
    }
}

impl Item {
    /// Every item, in the order of the shop: cheapest first.
    pub const ALL: [Item; 9] = [
        Item::Bone,
        Item::Milk,
        Item::Fish,
        Item::Cheese,
        Item::Kibble,
        Item::Drumstick,
        Item::Ball,
        Item::Bow,
        Item::Cake,
    ];

    /// The item with that word.
    pub fn named(word: &str) -> Option<Item> {
        Item::ALL.into_iter().find(|it| it.word() == word)
    }

    /// Its picture.
    pub const fn emoji(self) -> &'static str {
        match self {
            Item::Bone => "🦴",
            Item::Milk => "🥛",
            Item::Fish => "🐟",
            Item::Cheese => "🧀",
            Item::Kibble => "🥣",
            Item::Drumstick => "🍗",
            Item::Ball => "🎾",
            Item::Bow => "🎀",
            Item::Cake => "🎂",
        }
    }

    /// The price of one, in coins.
    pub const fn cost(self) -> u64 {
        match self {
            Item::Bone | Item::Milk => 3,
            Item::Fish | Item::Cheese => 4,
            Item::Kibble => 5,
            Item::Drumstick => 7,
            Item::Ball => 8,
            Item::Bow => 15,
            Item::Cake => 30,
        }
    }

    /// Its use.
    pub const fn kind(self) -> Kind {
        match self {
            Item::Ball => Kind::Toy,
            Item::Bow => Kind::Wear,
            _ => Kind::Food,
        }
    }
}

/// A number of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Purchase {
    /// The item.
    pub item: Item,
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
        for item in Item::ALL {
            assert_eq!(Item::named(item.word()), Some(item));
        }
        assert_eq!(Item::named("chocolate"), None);
    }
}
