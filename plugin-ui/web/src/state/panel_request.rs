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
    /// Ask the person a question in JSON, about a call that runs in this page; the answer is a word.
    Ask(String),
    /// List the tools for SiYuan's own agent, if a person has them on.
    OwnTools,
    /// Read the level of every notebook.
    Levels,
    /// Give agents a level in a notebook, at once.
    Level(String, Level),
    /// Have the servers over HTTP keep the hash of the token that an agent, by its id, has from now on; an empty hash ends
    /// the one it had.
    Token(String, String),
    /// End every errand.
    EndErrands,
    /// Send the usage report, if a person has turned it on and it is due.
    Report,
    /// Pauses or resumes all calls of agents; `None` toggles.
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
            PanelRequest::Ask(question) => format!("ask {question}"),
            PanelRequest::OwnTools => "own-tools".to_owned(),
            PanelRequest::Report => "report".to_owned(),
            PanelRequest::Levels => "levels".to_owned(),
            PanelRequest::Level(notebook, level) => format!("level {notebook} {level}"),
            PanelRequest::Token(agent, hash) => format!("token {agent} {hash}"),
            PanelRequest::EndErrands => "end-errands".to_owned(),
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
            "ask" => PanelRequest::Ask(text.split_once(' ')?.1.to_owned()),
            "own-tools" => PanelRequest::OwnTools,
            "report" => PanelRequest::Report,
            "levels" => PanelRequest::Levels,
            "level" => PanelRequest::Level(word()?, Level::from_word(&word()?)),
            "token" => PanelRequest::Token(word()?, word()?),
            "end-errands" => PanelRequest::EndErrands,
            "pause" => PanelRequest::Pause(word().map(|it| it != "false")),
            _ => return None,
        })
    }
}

/// The answer to a request about a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenAnswer {
    /// Every server over HTTP keeps it; the address of the one that configurations name.
    Kept(String),
    /// No server runs over HTTP.
    Nowhere,
    /// Some server has not confirmed it.
    Late,
}

impl TokenAnswer {
    /// The answer as text.
    pub fn to_text(&self) -> String {
        match self {
            TokenAnswer::Kept(url) => format!("kept {url}"),
            TokenAnswer::Nowhere => "nowhere".to_owned(),
            TokenAnswer::Late => "late".to_owned(),
        }
    }

    /// Reads that text; anything else, such as the empty one of a failure, confirms nothing.
    pub fn parse(text: &str) -> TokenAnswer {
        match text.split_once(' ') {
            Some(("kept", url)) => TokenAnswer::Kept(url.to_owned()),
            _ if text == "nowhere" => TokenAnswer::Nowhere,
            _ => TokenAnswer::Late,
        }
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
            PanelRequest::Ask("{\"id\": \"a b\"}".to_owned()),
            PanelRequest::OwnTools,
            PanelRequest::Report,
            PanelRequest::Levels,
            PanelRequest::Level("n".to_owned(), Level::Write),
            PanelRequest::Token("kx3f9a2b".to_owned(), "00".to_owned()),
            PanelRequest::Token("kx3f9a2b".to_owned(), String::new()),
            PanelRequest::EndErrands,
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
    fn only_a_confirmed_token_is_kept() {
        for answer in [
            TokenAnswer::Kept("http://127.0.0.1:36806/mcp".to_owned()),
            TokenAnswer::Nowhere,
            TokenAnswer::Late,
        ] {
            assert_eq!(TokenAnswer::parse(&answer.to_text()), answer);
        }
        for text in ["", "kept", "yes"] {
            assert_eq!(TokenAnswer::parse(text), TokenAnswer::Late, "{text}");
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
