//! What the puppy has done by the panel's module, which is loaded when it is first needed: questions and answers as text.

use puppy_core::activity::shop::Item;
use puppy_core::activity::stats::Mood;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Errand {
    /// Look into the purse.
    Purse,
    /// Buy one and give it.
    Buy(Item),
    /// Find the names of a notebook and perhaps a document.
    Place(String, Option<String>),
    /// Change one setting.
    Set(String, String),
}

impl Errand {
    /// The errand as text.
    pub fn to_text(&self) -> String {
        match self {
            Errand::Purse => "purse".to_owned(),
            Errand::Buy(item) => format!("buy {}", item.word()),
            Errand::Place(notebook, doc) => {
                format!("place {notebook} {}", doc.as_deref().unwrap_or_default())
            }
            Errand::Set(key, value) => format!("set {key} {value}"),
        }
    }

    /// Reads that text.
    pub fn parse(text: &str) -> Option<Errand> {
        let mut words = text.splitn(3, ' ');
        let kind = words.next()?;
        let mut word = || words.next().map(str::to_owned);
        Some(match kind {
            "purse" => Errand::Purse,
            "buy" => Errand::Buy(Item::named(&word()?)?),
            "place" => Errand::Place(word()?, word().filter(|it| !it.is_empty())),
            "set" => Errand::Set(word()?, word()?),
            _ => return None,
        })
    }
}

/// What is in the purse, and how the puppy is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purse {
    /// Coins.
    pub balance: u64,
    /// How it feels.
    pub mood: Mood,
    /// Whether something was bought just now.
    pub bought: bool,
}

impl Purse {
    /// The answer as text.
    pub fn to_text(self) -> String {
        format!("{} {} {}", self.balance, self.mood.word(), self.bought)
    }

    /// Reads that text; nothing is the answer of a kernel that is silent.
    pub fn parse(text: &str) -> Option<Purse> {
        let mut words = text.split(' ');
        let balance = words.next()?.parse().ok()?;
        let mood = words.next()?;
        let mood = [Mood::Happy, Mood::Content, Mood::Hungry, Mood::Asleep]
            .into_iter()
            .find(|it| it.word() == mood)?;
        Some(Purse { balance, mood, bought: words.next()? == "true" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_errand_is_understood() {
        for errand in [
            Errand::Purse,
            Errand::Buy(Item::Drumstick),
            Errand::Place("n".to_owned(), None),
            Errand::Place("n".to_owned(), Some("d".to_owned())),
            Errand::Set("show".to_owned(), "false".to_owned()),
        ] {
            assert_eq!(Errand::parse(&errand.to_text()), Some(errand));
        }
        for text in ["", "buy", "buy chocolate", "set show", "fly"] {
            assert_eq!(Errand::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_purse_is_understood() {
        for mood in [Mood::Happy, Mood::Content, Mood::Hungry, Mood::Asleep] {
            let purse = Purse { balance: 56, mood, bought: true };
            assert_eq!(Purse::parse(&purse.to_text()), Some(purse));
        }
        for text in ["", "x", "1", "1 grumpy true"] {
            assert_eq!(Purse::parse(text), None, "{text}");
        }
    }
}
