//! The place of one end on one connection: it signs and numbers what it says, and decides which letters count.

use std::collections::VecDeque;

use super::key::Key;
use super::letter::{Letter, PeerId, Unread};
use super::message::Message;

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

/// The place of one end on one connection.
#[derive(Debug)]
pub(super) struct Seat {
    key: Key,
    id: PeerId,
    said: u64,
    /// The senders of messages to this end. Nobody without the key can add one: the id is new with each connection.
    answered: Numbers,
    /// The senders of messages to everybody only. Recorded messages of earlier connections fill this memory too, so it
    /// is separate: they must not push out the numbers of those who have answered.
    others: Numbers,
}

/// The result of reading a received text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Heard {
    /// Nothing for this end.
    Nothing,
    /// Signed by nobody with the key: somebody else's, or the key has changed.
    Forged,
    /// A message.
    Message {
        from: PeerId,
        /// Whether it names this end; an introduction need not.
        is_mine: bool,
        said: Message,
    },
}

impl Seat {
    /// Takes a place; `random` makes its id.
    pub(super) fn new(key: Key, random: u64) -> Seat {
        let (answered, others) = Default::default();
        Seat { key, id: PeerId::of(random), said: 0, answered, others }
    }

    /// The text to send.
    pub(super) fn say(&mut self, to: Vec<PeerId>, said: Message) -> String {
        self.said += 1;
        Letter::new(self.id.clone(), self.said, to, said).sealed(&self.key)
    }

    /// Judges a text. What was recorded earlier does not count: its number is not new, or it names an end of the past.
    pub(super) fn hear(&mut self, text: &str) -> Heard {
        let letter = match Letter::opened(text, &self.key) {
            Ok(letter) => letter,
            Err(Unread::Forged) => return Heard::Forged,
            Err(Unread::Unknown) => return Heard::Nothing,
        };
        let is_mine = letter.to.contains(&self.id);
        let is_open =
            letter.to.is_empty() && matches!(letter.said, Message::Hello(_) | Message::Changed { .. });
        let is_new = letter.from != self.id && self.is_new(&letter, is_mine, is_open);
        if !is_new || !(is_mine || is_open) {
            return Heard::Nothing;
        }
        Heard::Message { from: letter.from, is_mine, said: letter.said }
    }

    /// Whether the number of a message is higher than every earlier one of its sender; notes it.
    fn is_new(&mut self, letter: &Letter, is_mine: bool, is_open: bool) -> bool {
        let Letter { from, n, .. } = letter;
        if is_mine || self.answered.has(from) {
            return self.answered.is_new(from, *n) && !self.others.is_old(from, *n);
        }
        is_open && self.others.is_new(from, *n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats() -> [Seat; 3] {
        [1, 2, 3].map(|id| Seat::new(Key::new([7; 32]), id))
    }

    fn counts(seat: &mut Seat, text: &str) -> bool {
        matches!(seat.hear(text), Heard::Message { .. })
    }

    /// B-190: a letter counts once, in its order, and for its addressees.
    #[test]
    fn a_letter_counts_once_and_for_its_addressee() {
        let [mut a, mut b, mut c] = seats();
        let to_b = vec![b.id.clone()];
        let [one, two] = [1, 2].map(|ticket| a.say(to_b.clone(), Message::Held { ticket }));
        assert!(counts(&mut b, &two) && !counts(&mut b, &two) && !counts(&mut b, &one));
        assert!(!counts(&mut c, &two) && !counts(&mut a, &two));
        let nobodys = a.say(Vec::new(), Message::Stirred);
        assert!(!counts(&mut b, &nobodys));
        let news = a.say(Vec::new(), Message::Changed { files: Vec::new(), ticket: None });
        assert!(counts(&mut b, &news) && counts(&mut c, &news) && !counts(&mut b, &news));
    }

    /// B-190: letters of another key, and those recorded on an earlier connection, say nothing.
    #[test]
    fn forged_and_recorded_letters_do_not_count() {
        let [mut a, mut b, _] = seats();
        let recorded = a.say(vec![b.id.clone()], Message::Held { ticket: 1 });
        let mut again = Seat::new(Key::new([7; 32]), 9);
        assert_eq!(again.hear(&recorded), Heard::Nothing);
        let forged = Seat::new(Key::new([8; 32]), 1).say(vec![b.id.clone()], Message::Bye);
        assert_eq!(b.hear(&forged), Heard::Forged);
        assert!(counts(&mut b, &recorded));
    }

    /// The memory for numbers is bounded, and the oldest senders are forgotten first.
    #[test]
    fn numbers_of_gone_senders_are_remembered_for_long() {
        let [_, mut b, _] = seats();
        let to = vec![b.id.clone()];
        let letter = |id: u64| Seat::new(Key::new([7; 32]), id).say(to.clone(), Message::Bye);
        for id in 10..1_033 {
            assert!(counts(&mut b, &letter(id)));
        }
        assert!(!counts(&mut b, &letter(10)));
        assert!(counts(&mut b, &letter(2_000)) && counts(&mut b, &letter(2_001)));
        assert_eq!(b.answered.0.len(), MOST);
    }
}
