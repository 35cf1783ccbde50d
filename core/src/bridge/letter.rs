//! A letter: one message with its sender, its number and its addressees, signed as one line of text.

use serde::{Deserialize, Serialize};

use super::key::{Key, SIGNATURE};
use super::message::Message;

/// The version of the form of letters; another one is not read.
const VERSION: u32 = 1;
/// The greatest length of a letter that is read, in bytes.
const LONGEST: usize = 256 * 1024;

/// The id of one end on one connection. It is new with each connection, so an older letter names nobody who listens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PeerId(String);

impl PeerId {
    /// The id of these random bits.
    pub fn of(random: u64) -> PeerId {
        PeerId(format!("{random:016x}"))
    }
}

/// A letter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Letter {
    v: u32,
    /// The sender.
    pub from: PeerId,
    /// Rises with every letter of this sender.
    pub n: u64,
    /// The ends that it is for; none for an introduction or for news to everybody.
    pub to: Vec<PeerId>,
    /// The message.
    pub said: Message,
}

/// The reason why a letter is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// Nobody with the key signed it.
    Forged,
    /// Signed, but in a form of another version.
    Unknown,
}

impl Letter {
    /// Makes a letter.
    pub fn new(from: PeerId, n: u64, to: Vec<PeerId>, said: Message) -> Letter {
        Letter { v: VERSION, from, n, to, said }
    }

    /// The signed text.
    pub fn sealed(&self, key: &Key) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        format!("{}{text}", key.sign(&text))
    }

    /// Reads a signed text. The signature is checked before anything else is looked at.
    pub(super) fn opened(sealed: &str, key: &Key) -> Result<Letter, Unread> {
        if sealed.len() > LONGEST {
            return Err(Unread::Forged);
        }
        let (signature, text) = sealed.split_at_checked(SIGNATURE).ok_or(Unread::Forged)?;
        if !key.verify(text, signature) {
            return Err(Unread::Forged);
        }
        let letter: Letter = serde_json::from_slice(text.as_bytes()).map_err(|_| Unread::Unknown)?;
        if letter.v == VERSION { Ok(letter) } else { Err(Unread::Unknown) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-190: nothing but a text signed with the key is read, and nothing in it can be altered.
    #[test]
    fn altered_letters_are_not_read() {
        let key = Key::new([7; 32]);
        let letter = Letter::new(PeerId::of(1), 1, vec![PeerId::of(2)], Message::Held { ticket: 5 });
        let sealed = letter.sealed(&key);
        assert_eq!(Letter::opened(&sealed, &key), Ok(letter.clone()));
        assert_eq!(Letter::opened(&sealed, &Key::new([8; 32])), Err(Unread::Forged));
        for at in 0..sealed.len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[at] ^= 1;
            let altered = String::from_utf8(bytes).unwrap();
            assert_eq!(Letter::opened(&altered, &key), Err(Unread::Forged), "{at}");
        }
        let unsigned = serde_json::to_string(&letter).unwrap();
        for wrong in ["", "{}", &unsigned, &"é".repeat(40), &"0".repeat(300_000)] {
            assert_eq!(Letter::opened(wrong, &key), Err(Unread::Forged));
        }
    }

    /// A message or a form of a later version is not guessed at.
    #[test]
    fn letters_of_other_versions_are_not_read() {
        let key = Key::new([7; 32]);
        let said = |text: &str| Letter::opened(&format!("{}{text}", key.sign(text)), &key);
        let letter = r#"{"v":1,"from":"01","n":1,"to":[],"said":"bye"}"#;
        assert!(said(letter).is_ok());
        assert_eq!(said(&letter.replace("\"v\":1", "\"v\":2")), Err(Unread::Unknown));
        assert_eq!(said(&letter.replace("bye", "farewell")), Err(Unread::Unknown));
        assert_eq!(said("torn"), Err(Unread::Unknown));
    }
}
