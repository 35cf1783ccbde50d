//! Messages to the puppy from `index.js` and from the panel: a word on the first line, its content on the others.

/// A message to the puppy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message<'a> {
    /// The settings, as lines of key and value.
    Settings(&'a str),
    /// The past, as lines of key and value.
    Past(&'a str),
    /// Whether the person has paused every call.
    Paused(bool),
    /// The name of the client whose question waits for the person, which may be empty; `None` if no question waits.
    Asked(Option<&'a str>),
    /// Whether an agent has an active errand.
    Errand(bool),
    /// There are new events: look now.
    Stir,
    /// A scene to play, by group and name; for the picture in the panel.
    Play(&'a str),
    /// Come back, even if hidden for good.
    Show,
    /// Go to the first place.
    Home,
}

impl<'a> Message<'a> {
    /// Reads a message; `None` for one of a later version.
    pub fn parse(text: &'a str) -> Option<Message<'a>> {
        let (word, rest) = text.split_once('\n').unwrap_or((text, ""));
        Some(match word {
            "settings" => Message::Settings(rest),
            "past" => Message::Past(rest),
            // Only a plain no lets agents through, as in the sidecar.
            "paused" => Message::Paused(rest != "false"),
            "asked" => {
                let (waits, client) = rest.split_once('\n').unwrap_or((rest, ""));
                Message::Asked((waits == "true").then_some(client))
            }
            "errand" => Message::Errand(rest == "true"),
            "stir" => Message::Stir,
            "play" => Message::Play(rest),
            "show" => Message::Show,
            "home" => Message::Home,
            _ => return None,
        })
    }

    /// The message as text.
    pub fn to_text(self) -> String {
        match self {
            Message::Settings(lines) => format!("settings\n{lines}"),
            Message::Past(lines) => format!("past\n{lines}"),
            Message::Paused(is) => format!("paused\n{is}"),
            Message::Asked(Some(client)) => format!("asked\ntrue\n{client}"),
            Message::Asked(None) => "asked\nfalse".to_owned(),
            Message::Errand(stands) => format!("errand\n{stands}"),
            Message::Stir => "stir".to_owned(),
            Message::Play(scene) => format!("play\n{scene}"),
            Message::Show => "show".to_owned(),
            Message::Home => "home".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_parses() {
        for message in [
            Message::Settings("size 48\ncalm true\n"),
            Message::Past("wears bow"),
            Message::Paused(true),
            Message::Paused(false),
            Message::Asked(Some("Claude Code")),
            Message::Asked(Some("")),
            Message::Asked(None),
            Message::Errand(true),
            Message::Errand(false),
            Message::Stir,
            Message::Play("tool search"),
            Message::Show,
            Message::Home,
        ] {
            assert_eq!(Message::parse(&message.to_text()), Some(message));
        }
        for text in ["", "\n", "fly", "Paused\ntrue"] {
            assert_eq!(Message::parse(text), None, "{text}");
        }
    }

    /// F21: a pause that cannot be understood is a pause, for the picture as for the calls.
    #[test]
    fn only_false_ends_the_pause() {
        for text in ["paused\ntrue", "paused\n1", "paused\n", "paused"] {
            assert_eq!(Message::parse(text), Some(Message::Paused(true)), "{text}");
        }
        assert_eq!(Message::parse("paused\nfalse"), Some(Message::Paused(false)));
    }

    /// Every word that `index.js` tells the puppy is a message.
    #[test]
    fn index_js_sends_known_messages_only() {
        let script = include_str!("../../../../index.js");
        let sent = ["puppy?.tell(", "tellPuppy("].iter().flat_map(|call| script.split(call).skip(1));
        let literal = |text: &'static str| {
            let quote = text.chars().next().filter(|it| ['"', '`'].contains(it))?;
            text.get(1..)?.split(quote).next()
        };
        let words: Vec<&str> = sent.filter_map(literal).filter_map(|it| it.split("\\n").next()).collect();
        assert!(words.len() >= 4, "{words:?}");
        for word in words {
            assert!(Message::parse(word).is_some(), "{word}");
        }
    }
}
