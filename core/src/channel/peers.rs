//! The ends of the other side: who is there, and which page the person looks at.

use super::message::{Hello, HttpAnnouncement, Role};
use super::signed::PeerId;

/// The silence after which an end counts as gone, in milliseconds: two missed beats and some time for the way.
pub(super) const SILENCE_MS: u64 = 4_500;
/// The maximum number of ends; beyond it, no further one is greeted.
const MOST: usize = 64;

/// The living ends of one role.
#[derive(Debug)]
pub(super) struct Peers {
    role: Role,
    known: Vec<Peer>,
    /// Counts arrivals and changes of focus, to order them.
    moments: u64,
}

#[derive(Debug)]
struct Peer {
    id: PeerId,
    hello: Hello,
    /// Its arrival, or the last time at which it got the focus.
    at: u64,
    /// When its server was started, on the clock of this end: computed once, because the way of a message takes a time
    /// that varies. Negative where it is older than this end.
    began: i64,
    last_message_ms: u64,
}

impl Peers {
    pub(super) const fn of(role: Role) -> Peers {
        Peers { role, known: Vec::new(), moments: 0 }
    }

    /// Notes a greeting; returns whether its sender is new here. Greetings of the own side are ignored.
    pub(super) fn greet(&mut self, id: &PeerId, hello: Hello, now: u64) -> bool {
        self.forget_silent(now);
        if hello.role != self.role {
            return false;
        }
        self.moments += 1;
        if let Some(peer) = self.known.iter_mut().find(|it| it.id == *id) {
            if hello.focus && !peer.hello.focus {
                peer.at = self.moments;
            }
            (peer.hello, peer.last_message_ms) = (hello, now);
            return false;
        }
        let is_room = self.known.len() < MOST;
        if is_room {
            let age_ms = hello.http.as_ref().map_or(0, |it| it.age_ms);
            let began = signed(now).saturating_sub(signed(age_ms));
            self.known.push(Peer { id: id.clone(), hello, at: self.moments, began, last_message_ms: now });
        }
        is_room
    }

    /// Notes a message of an end.
    pub(super) fn note_message(&mut self, id: &PeerId, now: u64) {
        if let Some(peer) = self.known.iter_mut().find(|it| it.id == *id) {
            peer.last_message_ms = now;
        }
    }

    /// Forgets an end that has gone.
    pub(super) fn leave(&mut self, id: &PeerId) {
        self.known.retain(|it| it.id != *id);
    }

    pub(super) fn forget_silent(&mut self, now: u64) {
        self.known.retain(|it| it.lives(now));
    }

    /// Forgets everybody, because the connection is gone.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }

    pub(super) fn is_there(&self, id: &PeerId, now: u64) -> bool {
        self.alive(now).any(|it| it == id)
    }

    /// The living ends in the order of their arrival.
    pub(super) fn alive(&self, now: u64) -> impl Iterator<Item = &PeerId> {
        self.known.iter().filter(move |it| it.lives(now)).map(|it| &it.id)
    }

    /// The connected ends that serve MCP over HTTP.
    pub(super) fn serving(&self, now: u64) -> Vec<PeerId> {
        let serves = |it: &&Peer| it.lives(now) && it.hello.http.is_some();
        self.known.iter().filter(serves).map(|it| it.id.clone()).collect()
    }

    /// The HTTP servers of the living ends, the newest first.
    pub(super) fn announced(&self, now: u64) -> impl Iterator<Item = &HttpAnnouncement> {
        let mut all: Vec<&Peer> = self.known.iter().filter(|it| it.lives(now)).collect();
        all.sort_by_key(|it| std::cmp::Reverse(it.began));
        all.into_iter().filter_map(|it| it.hello.http.as_ref())
    }

    pub(super) fn ids(&self, now: u64) -> Vec<PeerId> {
        self.alive(now).cloned().collect()
    }

    /// The page that does something: of those that can, the one that the person looks at, else the newest (B-185).
    pub(super) fn chosen(&self, ability: &str, now: u64) -> Option<&PeerId> {
        let able =
            self.known.iter().filter(|it| it.lives(now) && it.hello.abilities.iter().any(|a| a == ability));
        able.max_by_key(|it| (it.hello.focus, it.at)).map(|it| &it.id)
    }
}

impl Peer {
    fn lives(&self, now: u64) -> bool {
        now.saturating_sub(self.last_message_ms) < SILENCE_MS
    }
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(focus: bool) -> Hello {
        let abilities = vec!["get_ui_state".to_owned()];
        Hello { role: Role::Page, version: "1".to_owned(), abilities, focus, http: None }
    }

    /// B-185: the page in front acts, else the newest; of two in front, the one that came there last.
    #[test]
    fn the_page_in_front_is_chosen_else_the_newest() {
        let mut pages = Peers::of(Role::Page);
        let [a, b, c] = [1, 2, 3].map(PeerId::of);
        assert_eq!(pages.chosen("get_ui_state", 0), None);
        assert!(pages.greet(&a, page(false), 0) && pages.greet(&b, page(false), 0));
        assert_eq!(pages.chosen("get_ui_state", 0), Some(&b));
        assert!(!pages.greet(&a, page(true), 0));
        assert_eq!(pages.chosen("get_ui_state", 0), Some(&a));
        pages.greet(&b, page(true), 0);
        pages.greet(&a, page(true), 0);
        assert_eq!(pages.chosen("get_ui_state", 0), Some(&b));
        let unable = Hello { abilities: Vec::new(), ..page(true) };
        pages.greet(&c, unable, 0);
        assert_eq!((pages.chosen("get_ui_state", 0), pages.ids(0).len()), (Some(&b), 3));
    }

    /// B-181: an end is removed within 5 s of its last message, and immediately after its goodbye.
    #[test]
    fn silent_ends_are_forgotten() {
        let mut pages = Peers::of(Role::Page);
        let [a, b] = [1, 2].map(PeerId::of);
        pages.greet(&a, page(false), 0);
        pages.greet(&b, page(false), 0);
        pages.note_message(&b, 1_000);
        assert!(pages.is_there(&a, 4_499) && !pages.is_there(&a, 4_500) && pages.is_there(&b, 4_999));
        pages.leave(&b);
        assert!(!pages.is_there(&b, 1_000));
        assert!(!pages.greet(&b, Hello { role: Role::Sidecar, ..page(true) }, 0));
        for id in 0..100 {
            pages.greet(&PeerId::of(id), page(false), 0);
        }
        assert_eq!(pages.ids(0).len(), MOST);
    }
}
