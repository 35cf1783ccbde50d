//! One end of one connection: it signs and numbers what it sends, and decides which messages count.

use std::collections::VecDeque;

use super::key::Key;
use super::message::Message;
use super::signed::{PeerId, Rejection, SignedMessage};

/// The maximum number of senders whose numbers are remembered, those that have gone included.
const MOST: usize = 1_024;

/// The highest number of each sender, oldest sender first.
#[derive(Debug, Default)]
struct Numbers(VecDeque<(PeerId, u64)>);

impl Numbers {
    /// Whether a number is higher than every earlier one of its sender; notes it.
    fn is_new(&mut self, from: &PeerId, n: u64) -> bool {
        if let Some((_, last)) = self.0.iter_mut().find(|(id, _)| id == from) {
            let is_new = n > *last;
            *last = n.max(*last);
            return is_new;
        }
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back((from.clone(), n));
        true
    }

    /// Whether a sender has used this number or a higher one.
    fn is_old(&self, from: &PeerId, n: u64) -> bool {
        self.0.iter().any(|(id, last)| id == from && n <= *last)
    }

    fn has(&self, from: &PeerId) -> bool {
        self.0.iter().any(|(id, _)| id == from)
    }
}

/// One end of one connection.
#[derive(Debug)]
pub(super) struct Connection {
    key: Key,
    id: PeerId,
    /// The number of its last message.
    last: u64,
    /// The senders of messages to this end. Nobody without the key can add one: the id is new with each connection.
    answered: Numbers,
    /// The senders of messages to everybody only. Recorded messages of earlier connections fill this memory too, so it
    /// is separate: they must not push out the numbers of those who have answered.
    others: Numbers,
}

/// The result of reading a received text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ReceivedMessage {
    /// Nothing for this end.
    Nothing,
    /// Signed by nobody with the key: somebody else's, or the key has changed.
    Forged,
    Message {
        from: PeerId,
        /// Whether it names this end; an introduction need not.
        is_mine: bool,
        message: Message,
    },
}

impl Connection {
    /// Begins a connection; `random` makes its id.
    pub(super) fn new(key: Key, random: u64) -> Connection {
        let (answered, others) = Default::default();
        Connection { key, id: PeerId::of(random), last: 0, answered, others }
    }

    /// The text to send.
    pub(super) fn send(&mut self, to: Vec<PeerId>, message: Message) -> String {
        self.last += 1;
        SignedMessage::new(self.id.clone(), self.last, to, message).to_text(&self.key)
    }

    /// Judges a text. What was recorded earlier does not count: its number is not new, or it names an end of the past.
    pub(super) fn receive(&mut self, text: &str) -> ReceivedMessage {
        let signed = match SignedMessage::from_text(text, &self.key) {
            Ok(signed) => signed,
            Err(Rejection::Forged) => return ReceivedMessage::Forged,
            Err(Rejection::Unknown) => return ReceivedMessage::Nothing,
        };
        let is_mine = signed.to.contains(&self.id);
        let is_open =
            signed.to.is_empty() && matches!(signed.message, Message::Hello(_) | Message::Changed { .. });
        let is_new = signed.from != self.id && self.is_new(&signed, is_mine, is_open);
        if !is_new || !(is_mine || is_open) {
            return ReceivedMessage::Nothing;
        }
        ReceivedMessage::Message { from: signed.from, is_mine, message: signed.message }
    }

    /// Whether the number of a message is higher than every earlier one of its sender; notes it.
    fn is_new(&mut self, signed: &SignedMessage, is_mine: bool, is_open: bool) -> bool {
        let SignedMessage { from, n, .. } = signed;
        if is_mine || self.answered.has(from) {
            return self.answered.is_new(from, *n) && !self.others.is_old(from, *n);
        }
        is_open && self.others.is_new(from, *n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections() -> [Connection; 3] {
        [1, 2, 3].map(|id| Connection::new(Key::new([7; 32]), id))
    }

    fn counts(connection: &mut Connection, text: &str) -> bool {
        matches!(connection.receive(text), ReceivedMessage::Message { .. })
    }

    /// B-190: a message counts once, in its order, and for its addressees.
    #[test]
    fn a_message_counts_once_and_for_its_addressee() {
        let [mut a, mut b, mut c] = connections();
        let to_b = vec![b.id.clone()];
        let [one, two] = [1, 2].map(|ticket| a.send(to_b.clone(), Message::Held { ticket }));
        assert!(counts(&mut b, &two) && !counts(&mut b, &two) && !counts(&mut b, &one));
        assert!(!counts(&mut c, &two) && !counts(&mut a, &two));
        let nobodys = a.send(Vec::new(), Message::Stirred);
        assert!(!counts(&mut b, &nobodys));
        let news = a.send(Vec::new(), Message::Changed { files: Vec::new(), ticket: None });
        assert!(counts(&mut b, &news) && counts(&mut c, &news) && !counts(&mut b, &news));
    }

    /// B-190: messages of another key, and those recorded on an earlier connection, do not count.
    #[test]
    fn forged_and_recorded_messages_do_not_count() {
        let [mut a, mut b, _] = connections();
        let recorded = a.send(vec![b.id.clone()], Message::Held { ticket: 1 });
        let mut again = Connection::new(Key::new([7; 32]), 9);
        assert_eq!(again.receive(&recorded), ReceivedMessage::Nothing);
        let forged = Connection::new(Key::new([8; 32]), 1).send(vec![b.id.clone()], Message::Bye);
        assert_eq!(b.receive(&forged), ReceivedMessage::Forged);
        assert!(counts(&mut b, &recorded));
    }

    /// The memory for numbers is bounded, and the oldest senders are forgotten first.
    #[test]
    fn numbers_of_gone_senders_are_remembered_for_long() {
        let [_, mut b, _] = connections();
        let to = vec![b.id.clone()];
        let message = |id: u64| Connection::new(Key::new([7; 32]), id).send(to.clone(), Message::Bye);
        for id in 10..1_033 {
            assert!(counts(&mut b, &message(id)));
        }
        assert!(!counts(&mut b, &message(10)));
        assert!(counts(&mut b, &message(2_000)) && counts(&mut b, &message(2_001)));
        assert_eq!(b.answered.0.len(), MOST);
    }
}
