//! A message with its sender, its number and its addressees, signed as one line of text.

use serde::{Deserialize, Serialize};

use super::key::{Key, SIGNATURE};
use super::message::Message;

/// The version of the form of messages; another one is not read.
const VERSION: u32 = 1;
/// The greatest length of a message that is read, in bytes.
const LONGEST: usize = 256 * 1024;

/// The id of one end on one connection. It is new with each connection, so an older message names nobody who listens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PeerId(String);

impl PeerId {
    /// The id of these random bits.
    pub fn of(random: u64) -> PeerId {
        PeerId(format!("{random:016x}"))
    }
}

/// A message that is ready to be signed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SignedMessage {
    v: u32,
    /// The sender.
    pub from: PeerId,
    /// Rises with every message of this sender.
    pub n: u64,
    /// The ends that it is for; none for an introduction or for news to everybody.
    pub to: Vec<PeerId>,
    /// The message. Ends of other versions read it under this name.
    #[serde(rename = "said")]
    pub message: Message,
}

/// The reason why a message is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rejection {
    /// Nobody with the key signed it.
    Forged,
    /// Signed, but in a form of another version.
    Unknown,
}

impl SignedMessage {
    /// Addresses a message.
    pub fn new(from: PeerId, n: u64, to: Vec<PeerId>, message: Message) -> SignedMessage {
        SignedMessage { v: VERSION, from, n, to, message }
    }

    /// The signed text.
    pub fn to_text(&self, key: &Key) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        format!("{}{text}", key.sign(&text))
    }

    /// Reads a signed text. The signature is checked before anything else is looked at.
    pub(super) fn from_text(signed: &str, key: &Key) -> Result<SignedMessage, Rejection> {
        if signed.len() > LONGEST {
            return Err(Rejection::Forged);
        }
        let (signature, text) = signed.split_at_checked(SIGNATURE).ok_or(Rejection::Forged)?;
        if !key.verify(text, signature) {
            return Err(Rejection::Forged);
        }
        let read: SignedMessage = serde_json::from_slice(text.as_bytes()).map_err(|_| Rejection::Unknown)?;
        if read.v == VERSION { Ok(read) } else { Err(Rejection::Unknown) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-190: nothing but a text signed with the key is read, and nothing in it can be altered.
    #[test]
    fn altered_messages_are_not_read() {
        let key = Key::new([7; 32]);
        let message = SignedMessage::new(PeerId::of(1), 1, vec![PeerId::of(2)], Message::Held { ticket: 5 });
        let text = message.to_text(&key);
        assert_eq!(SignedMessage::from_text(&text, &key), Ok(message.clone()));
        assert_eq!(SignedMessage::from_text(&text, &Key::new([8; 32])), Err(Rejection::Forged));
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let altered = String::from_utf8(bytes).unwrap();
            assert_eq!(SignedMessage::from_text(&altered, &key), Err(Rejection::Forged), "{at}");
        }
        let unsigned = serde_json::to_string(&message).unwrap();
        for wrong in ["", "{}", &unsigned, &"é".repeat(40), &"0".repeat(300_000)] {
            assert_eq!(SignedMessage::from_text(wrong, &key), Err(Rejection::Forged));
        }
    }

    /// A message or a form of a later version is not guessed at.
    #[test]
    fn messages_of_other_versions_are_not_read() {
        let key = Key::new([7; 32]);
        let read = |text: &str| SignedMessage::from_text(&format!("{}{text}", key.sign(text)), &key);
        let message = r#"{"v":1,"from":"01","n":1,"to":[],"said":"bye"}"#;
        assert!(read(message).is_ok());
        assert_eq!(read(&message.replace("\"v\":1", "\"v\":2")), Err(Rejection::Unknown));
        assert_eq!(read(&message.replace("bye", "farewell")), Err(Rejection::Unknown));
        assert_eq!(read("torn"), Err(Rejection::Unknown));
    }
}
