//! Errands that the puppy leaves to the panel's module, which is loaded on demand: requests and answers as text.

use puppy_core::activity::shop::ShopItem;
use puppy_core::permission::Level;

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Errand {
    /// Look into the purse.
    Purse,
    /// Buy one and give it.
    Buy(ShopItem),
    /// Find the names of a notebook and perhaps a document.
    Place(String, Option<String>),
    /// Change one setting.
    Set(String, String),
    /// Tell the servers that files of settings were written; without a file, that the list of notebooks changed.
    Changed(Vec<String>),
    /// Read the level of every notebook.
    Levels,
    /// Give agents a level in a notebook, at once.
    Level(String, Level),
    /// Pause every call of agents, or let them go on; without a wish the other of both.
    Pause(Option<bool>),
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
            Errand::Changed(files) => format!("changed {}", files.join(" ")),
            Errand::Levels => "levels".to_owned(),
            Errand::Level(notebook, level) => format!("level {notebook} {level}"),
            Errand::Pause(is) => is.map_or_else(|| "pause".to_owned(), |is| format!("pause {is}")),
        }
    }

    /// Reads that text.
    pub fn parse(text: &str) -> Option<Errand> {
        let mut words = text.splitn(3, ' ');
        let kind = words.next()?;
        let mut word = || words.next().map(str::to_owned);
        Some(match kind {
            "purse" => Errand::Purse,
            "buy" => Errand::Buy(ShopItem::named(&word()?)?),
            "place" => Errand::Place(word()?, word().filter(|it| !it.is_empty())),
            "set" => Errand::Set(word()?, word()?),
            "changed" => Errand::Changed(text.split_whitespace().skip(1).map(str::to_owned).collect()),
            "levels" => Errand::Levels,
            "level" => Errand::Level(word()?, Level::from_word(&word()?)),
            "pause" => Errand::Pause(word().map(|it| it != "false")),
            _ => return None,
        })
    }
}

/// The answer to an errand of coins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PurseAnswer {
    /// Coins.
    pub balance: u64,
    /// Whether something was bought just now.
    pub bought: bool,
}

impl PurseAnswer {
    /// The answer as text.
    pub fn to_text(self) -> String {
        format!("{} {}", self.balance, self.bought)
    }

    /// Reads that text; a silent kernel leads to an empty one.
    pub fn parse(text: &str) -> Option<PurseAnswer> {
        let (balance, bought) = text.split_once(' ')?;
        Some(PurseAnswer { balance: balance.parse().ok()?, bought: bought == "true" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_errand_parses() {
        for errand in [
            Errand::Purse,
            Errand::Buy(ShopItem::Drumstick),
            Errand::Place("n".to_owned(), None),
            Errand::Place("n".to_owned(), Some("d".to_owned())),
            Errand::Set("show".to_owned(), "false".to_owned()),
            Errand::Changed(Vec::new()),
            Errand::Changed(vec!["mcpHttpSettings".to_owned(), "agentNotebooks".to_owned()]),
            Errand::Levels,
            Errand::Level("n".to_owned(), Level::Write),
            Errand::Pause(None),
            Errand::Pause(Some(true)),
            Errand::Pause(Some(false)),
        ] {
            assert_eq!(Errand::parse(&errand.to_text()), Some(errand));
        }
        for text in ["", "buy", "buy chocolate", "set show", "fly"] {
            assert_eq!(Errand::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_purse_parses() {
        for bought in [true, false] {
            let answer = PurseAnswer { balance: 56, bought };
            assert_eq!(PurseAnswer::parse(&answer.to_text()), Some(answer));
        }
        for text in ["", "x", "1", "x true"] {
            assert_eq!(PurseAnswer::parse(text), None, "{text}");
        }
    }
}
