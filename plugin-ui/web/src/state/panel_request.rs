//! Requests of the puppy and of the page to the module of the panel, which is loaded on demand: requests and answers as text.

use puppy_core::activity::shop::ShopItem;
use puppy_core::permission::Level;

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PanelRequest {
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

impl PanelRequest {
    /// The request as text.
    pub fn to_text(&self) -> String {
        match self {
            PanelRequest::Purse => "purse".to_owned(),
            PanelRequest::Buy(item) => format!("buy {}", item.word()),
            PanelRequest::Place(notebook, doc) => {
                format!("place {notebook} {}", doc.as_deref().unwrap_or_default())
            }
            PanelRequest::Set(key, value) => format!("set {key} {value}"),
            PanelRequest::Changed(files) => format!("changed {}", files.join(" ")),
            PanelRequest::Levels => "levels".to_owned(),
            PanelRequest::Level(notebook, level) => format!("level {notebook} {level}"),
            PanelRequest::Pause(is) => is.map_or_else(|| "pause".to_owned(), |is| format!("pause {is}")),
        }
    }

    /// Reads that text.
    pub fn parse(text: &str) -> Option<PanelRequest> {
        let mut words = text.splitn(3, ' ');
        let kind = words.next()?;
        let mut word = || words.next().map(str::to_owned);
        Some(match kind {
            "purse" => PanelRequest::Purse,
            "buy" => PanelRequest::Buy(ShopItem::named(&word()?)?),
            "place" => PanelRequest::Place(word()?, word().filter(|it| !it.is_empty())),
            "set" => PanelRequest::Set(word()?, word()?),
            "changed" => PanelRequest::Changed(text.split_whitespace().skip(1).map(str::to_owned).collect()),
            "levels" => PanelRequest::Levels,
            "level" => PanelRequest::Level(word()?, Level::from_word(&word()?)),
            "pause" => PanelRequest::Pause(word().map(|it| it != "false")),
            _ => return None,
        })
    }
}

/// The answer to a request of coins.
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
    fn every_request_parses() {
        for request in [
            PanelRequest::Purse,
            PanelRequest::Buy(ShopItem::Drumstick),
            PanelRequest::Place("n".to_owned(), None),
            PanelRequest::Place("n".to_owned(), Some("d".to_owned())),
            PanelRequest::Set("show".to_owned(), "false".to_owned()),
            PanelRequest::Changed(Vec::new()),
            PanelRequest::Changed(vec!["mcpHttpSettings".to_owned(), "agentNotebooks".to_owned()]),
            PanelRequest::Levels,
            PanelRequest::Level("n".to_owned(), Level::Write),
            PanelRequest::Pause(None),
            PanelRequest::Pause(Some(true)),
            PanelRequest::Pause(Some(false)),
        ] {
            assert_eq!(PanelRequest::parse(&request.to_text()), Some(request));
        }
        for text in ["", "buy", "buy chocolate", "set show", "fly"] {
            assert_eq!(PanelRequest::parse(text), None, "{text}");
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
