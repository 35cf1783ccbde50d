//! The page's end of the channel: what it knows of every sidecar, and what it answers. The clock is handed in.

use std::time::Duration;

use super::connection::{Connection, ReceivedMessage};
use super::key::Key;
use super::message::{
    Approvals, Choice, Errand, Hello, HttpAnnouncement, Message, OpenQuestion, PageAnswer, PageCall, Role,
    Ruling, TokenNotice, TouchedPlace,
};
use super::peers::Peers;
use super::signed::PeerId;
use crate::kernel::page::PageRequest;

/// Something that the page must do.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// Send this text.
    Send(String),
    /// Questions or errands have changed; see [`PageEnd::questions`] and [`PageEnd::errands`].
    Waiting,
    /// These files of settings were changed elsewhere.
    Changed(Vec<String>),
    /// A sidecar holds a change; see [`PageEnd::holds`].
    Held,
    /// Do this within the time, then answer with [`PageEnd::answer_call`].
    Call {
        /// The sidecar that asks, and the id of its call.
        from: (PeerId, String),
        /// The request.
        request: PageRequest,
        /// The time for it.
        within: Duration,
    },
    /// Nobody wants the answer to this call any more.
    Cancelled {
        /// The sidecar that asked, and the id of its call.
        from: (PeerId, String),
    },
    /// The outcome of a question that this page answered.
    Ruled {
        /// The id of the question.
        question: String,
        /// The outcome.
        ruling: Ruling,
    },
    /// There are new events for the puppy: poll now.
    Stirred,
    /// A call of an agent touched this.
    Touched(TouchedPlace),
    /// A sidecar came or went.
    Sidecars,
    /// Somebody without the key speaks, or the key has changed.
    Forged,
}

/// A question or an errand, with the sidecar that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FromSidecar<T> {
    /// The sidecar that it belongs to.
    pub sidecar: PeerId,
    /// The question or errand.
    pub it: T,
}

/// A change that waits until every sidecar holds it.
#[derive(Debug)]
struct PendingChange {
    ticket: u64,
    missing: Vec<PeerId>,
}

/// The page's end of the channel.
#[derive(Debug)]
pub struct PageEnd {
    hello: Hello,
    connection: Option<Connection>,
    sidecars: Peers,
    waiting: Vec<(PeerId, u64, Approvals)>,
    /// Questions that this page has answered; their sidecars may still list them for a moment.
    answered: Vec<(PeerId, String)>,
    changes: Vec<PendingChange>,
    tickets: u64,
    calls: Vec<(PeerId, String)>,
}

impl PageEnd {
    /// An end that is not connected, of a page with these abilities. Connect it when they are ready (B-181).
    pub fn new(version: &str, abilities: &[&str], focus: bool) -> PageEnd {
        let abilities = abilities.iter().map(|&it| it.to_owned()).collect();
        PageEnd {
            hello: Hello { role: Role::Page, version: version.to_owned(), abilities, focus, http: None },
            connection: None,
            sidecars: Peers::of(Role::Sidecar),
            waiting: Vec::new(),
            answered: Vec::new(),
            changes: Vec::new(),
            tickets: 0,
            calls: Vec::new(),
        }
    }

    /// Notes a new connection; the text introduces this page.
    pub fn connected(&mut self, key: Key, random: u64) -> String {
        self.disconnected();
        let mut connection = Connection::new(key, random);
        let text = connection.send(Vec::new(), Message::Hello(self.hello.clone()));
        self.connection = Some(connection);
        text
    }

    /// Notes that the connection is gone. The open questions arrive again after the next one.
    pub fn disconnected(&mut self) {
        self.connection = None;
        self.sidecars.clear();
        self.waiting.clear();
        self.answered.clear();
        self.changes.iter_mut().for_each(|it| it.missing.clear());
        self.calls.clear();
    }

    /// The last word before the page goes.
    pub fn leave(&mut self, now: u64) -> Option<String> {
        self.send_to_sidecars(Message::Bye, now)
    }

    /// Notes whether the person looks at this page; a page that knows no sidecar introduces itself again.
    pub fn focus(&mut self, focus: bool, now: u64) -> Option<String> {
        if self.hello.focus == focus {
            return None;
        }
        self.hello.focus = focus;
        let hello = Message::Hello(self.hello.clone());
        let sidecars = self.sidecars.ids(now);
        Some(self.connection.as_mut()?.send(sidecars, hello))
    }

    /// Receives a text from the channel.
    pub fn receive(&mut self, text: &str, now: u64) -> Vec<News> {
        let Some(connection) = &mut self.connection else { return Vec::new() };
        let (from, is_mine, message) = match connection.receive(text) {
            ReceivedMessage::Nothing => return Vec::new(),
            ReceivedMessage::Forged => return vec![News::Forged],
            ReceivedMessage::Message { from, is_mine, message } => (from, is_mine, message),
        };
        match message {
            Message::Hello(hello) if hello.role == Role::Sidecar => {
                let is_new = is_mine && self.sidecars.greet(&from, hello, now);
                let hello = Message::Hello(self.hello.clone());
                let sent = self.send(vec![from], hello).map(News::Send);
                sent.into_iter().chain(is_new.then_some(News::Sidecars)).collect()
            }
            Message::Changed { files, .. } => vec![News::Changed(files)],
            message if self.sidecars.is_there(&from, now) => {
                self.sidecars.note_message(&from, now);
                self.received_from_sidecar(from, message, now)
            }
            _ => Vec::new(),
        }
    }

    /// Takes a message of one of the sidecars that are there.
    fn received_from_sidecar(&mut self, from: PeerId, message: Message, now: u64) -> Vec<News> {
        match message {
            Message::Bye => {
                self.sidecars.leave(&from);
                self.forget_gone(now);
                vec![News::Sidecars, News::Waiting]
            }
            Message::Held { ticket } => {
                let change = self.changes.iter_mut().find(|it| it.ticket == ticket);
                change.into_iter().for_each(|it| it.missing.retain(|id| *id != from));
                vec![News::Held]
            }
            Message::Waiting(waiting) => {
                self.waiting.retain(|(id, ..)| *id != from);
                let is_listed = |id: &str| waiting.questions.iter().any(|it| it.id == id);
                self.answered.retain(|(sidecar, id)| *sidecar != from || is_listed(id));
                self.waiting.push((from, now, waiting));
                vec![News::Waiting]
            }
            Message::Ruled { question, ruling } => vec![News::Ruled { question, ruling }],
            Message::Stirred => vec![News::Stirred],
            Message::Touched(touched) => vec![News::Touched(touched)],
            Message::Cancel { call_id } => vec![News::Cancelled { from: (from, call_id) }],
            Message::Call(call) => self.called(from, &call),
            _ => Vec::new(),
        }
    }

    fn called(&mut self, sidecar: PeerId, call: &PageCall) -> Vec<News> {
        let from = (sidecar, call.call_id.clone());
        if self.calls.contains(&from) {
            return Vec::new();
        }
        self.calls.push(from.clone());
        match call.request() {
            Some(request) => {
                vec![News::Call { from, request, within: Duration::from_millis(call.deadline_ms) }]
            }
            None => self.answer_call(&from, PageAnswer::Failed).map(News::Send).into_iter().collect(),
        }
    }

    /// The answer to a call; none if it has been given, or if the sidecar has gone.
    pub fn answer_call(&mut self, from: &(PeerId, String), answer: PageAnswer) -> Option<String> {
        let at = self.calls.iter().position(|it| it == from)?;
        let (sidecar, call_id) = self.calls.remove(at);
        self.send(vec![sidecar], Message::Answered { call_id, answer })
    }

    /// Notifies every sidecar and page that files of settings were written; returns the number of the change.
    pub fn changed(&mut self, files: &[&str], now: u64) -> (u64, Option<String>) {
        self.tickets += 1;
        let ticket = self.tickets;
        self.changes.push(PendingChange { ticket, missing: self.sidecars.ids(now) });
        let files = files.iter().map(|&it| it.to_owned()).collect();
        (ticket, self.send(Vec::new(), Message::Changed { files, ticket: Some(ticket) }))
    }

    /// Sends the hash of an agent's token to every sidecar that serves MCP over HTTP, or ends the token with an empty hash;
    /// returns the number of the change, and of those sidecars.
    pub fn token(&mut self, agent: &str, hash: &str, now: u64) -> (u64, usize, Option<String>) {
        self.tickets += 1;
        let ticket = self.tickets;
        let serving = self.sidecars.serving(now);
        let n = serving.len();
        self.changes.push(PendingChange { ticket, missing: serving.clone() });
        let notice = TokenNotice { agent: agent.to_owned(), hash: hash.to_owned(), ticket };
        let text = if n == 0 { None } else { self.send(serving, Message::Token(notice)) };
        (ticket, n, text)
    }

    /// Whether every living sidecar holds a change: the end of Apply. One that has gone need not.
    pub fn holds(&mut self, ticket: u64, now: u64) -> bool {
        let sidecars = &self.sidecars;
        let is_held = |it: &PendingChange| !it.missing.iter().any(|id| sidecars.is_there(id, now));
        let is_open = self.changes.iter().any(|it| it.ticket == ticket && !is_held(it));
        self.changes.retain(|it| it.ticket > ticket || !is_held(it));
        !is_open
    }

    /// The number of living sidecars.
    pub fn sidecars(&self, now: u64) -> usize {
        self.sidecars.alive(now).count()
    }

    /// The living sidecars that serve MCP over HTTP, the newest first.
    pub fn http_servers(&self, now: u64) -> Vec<HttpAnnouncement> {
        self.sidecars.announced(now).cloned().collect()
    }

    /// The open questions of all living sidecars, longest waiting first.
    pub fn questions(&self, now: u64) -> Vec<FromSidecar<OpenQuestion>> {
        let mut all: Vec<FromSidecar<OpenQuestion>> = Vec::new();
        for (sidecar, at, waiting) in self.there(now) {
            let age = now.saturating_sub(*at);
            for asked in &waiting.questions {
                let is_answered = self.answered.iter().any(|(by, id)| by == sidecar && *id == asked.id);
                let left_ms = asked.left_ms.map(|left| left.saturating_sub(age));
                if !is_answered && left_ms != Some(0) {
                    let it = OpenQuestion {
                        waited_ms: asked.waited_ms.saturating_add(age),
                        left_ms,
                        ..asked.clone()
                    };
                    let position = all.partition_point(|seen| seen.it.waited_ms >= it.waited_ms);
                    all.insert(position, FromSidecar { sidecar: sidecar.clone(), it });
                }
            }
        }
        all
    }

    /// The active errands of all connected sidecars.
    pub fn errands(&self, now: u64) -> Vec<FromSidecar<Errand>> {
        let mut all = Vec::new();
        for (sidecar, at, waiting) in self.there(now) {
            let age = now.saturating_sub(*at);
            let living = waiting.errands.iter().filter(|it| it.left_ms > age);
            all.extend(living.map(|it| FromSidecar {
                sidecar: sidecar.clone(),
                it: Errand { left_ms: it.left_ms - age, ..it.clone() },
            }));
        }
        all
    }

    /// The person's answer; none if this page has answered, or if the sidecar has gone.
    pub fn answer(&mut self, sidecar: &PeerId, question: &str, choice: Choice, now: u64) -> Option<String> {
        let is_open = |it: &FromSidecar<OpenQuestion>| it.sidecar == *sidecar && it.it.id == question;
        if !self.questions(now).iter().any(is_open) {
            return None;
        }
        self.answered.push((sidecar.clone(), question.to_owned()));
        self.send(vec![sidecar.clone()], Message::Answer { question: question.to_owned(), choice })
    }

    /// Ends an errand.
    pub fn revoke(&mut self, sidecar: &PeerId, errand: &str) -> Option<String> {
        self.send(vec![sidecar.clone()], Message::Revoke { errand: errand.to_owned() })
    }

    /// The questions and errands of each connected sidecar, with the time at which they arrived.
    fn there(&self, now: u64) -> impl Iterator<Item = &(PeerId, u64, Approvals)> {
        self.waiting.iter().filter(move |(id, ..)| self.sidecars.is_there(id, now))
    }

    fn forget_gone(&mut self, now: u64) {
        let sidecars = &self.sidecars;
        self.waiting.retain(|(id, ..)| sidecars.is_there(id, now));
        self.answered.retain(|(id, _)| sidecars.is_there(id, now));
        self.calls.retain(|(id, _)| sidecars.is_there(id, now));
    }

    fn send(&mut self, to: Vec<PeerId>, message: Message) -> Option<String> {
        Some(self.connection.as_mut()?.send(to, message))
    }

    fn send_to_sidecars(&mut self, message: Message, now: u64) -> Option<String> {
        let sidecars = self.sidecars.ids(now);
        if sidecars.is_empty() { None } else { self.send(sidecars, message) }
    }
}
