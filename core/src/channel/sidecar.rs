//! The sidecar's end of the channel: what it does about each message and as time passes. Clock and chance are handed in.
//!
//! It outlives connections: questions go on waiting while the kernel is away; requests to pages do not.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::HELLO_REQUEST;
use super::calls::PageCalls;
use super::connection::{Connection, ReceivedMessage};
use super::key::Key;
use super::message::{
    Approvals, Errand, Hello, HttpAnnouncement, Message, Role, Ruling, TokenNotice, TouchedPlace,
};
use super::peers::Peers;
use super::questions::{Decision, NewQuestion, NotAsked, Questions};
use super::signed::PeerId;
use crate::errands::Errands;
use crate::fingerprint::Fingerprint;
use crate::kernel::page::{PageError, PageRequest};

/// The time between two greetings of the known pages, which answer each: a page in the background has no clock.
const BEAT_MS: u64 = 2_000;
/// The number of greetings of which one goes to everybody: a page that slept finds the sidecar again.
const OPEN_BEAT: u64 = 8;
/// The time between two answers to requests for a hello: a request needs no key, so many cost no more than one.
const HELLO_REST_MS: u64 = 1_000;
/// The time after a message about a touched place in which no other is sent: a page could show no more, and agents call
/// without a limit.
const TOUCH_MS: u64 = 500;
/// The time after a message about changes in which no other goes out about the list of notebooks alone: every server
/// that receives one asks the kernel for everything again.
const CHANGE_MS: u64 = 500;

/// Something that the driver of this end must do.
#[derive(Debug, Clone, PartialEq)]
pub enum Duty {
    /// Send this text.
    Send(String),
    /// Read settings and levels again before the next call, then confirm it with [`SidecarEnd::held`].
    Reread {
        /// The page that waits for it, with the ticket of its change.
        ticket: Option<(PeerId, u64)>,
        /// Whether callers may have other rights now; otherwise the list of notebooks alone has changed.
        rights: bool,
    },
    /// Keep the hash of an agent's token, or forget it, then confirm it with [`SidecarEnd::held`].
    Token {
        /// The agent and the hash.
        notice: TokenNotice,
        /// The page that waits for it.
        page: PeerId,
    },
    /// A request to a page is over.
    Ended {
        /// Its id.
        call_id: String,
        /// The answer.
        answer: Result<Value, PageError>,
    },
    /// Carry out the approved plan of a question, then confirm it with [`SidecarEnd::carried_out`].
    CarryOut {
        /// The question.
        question: String,
        /// The fingerprint of the plan that was approved.
        means: Fingerprint,
        /// The page that approved it.
        page: PeerId,
    },
    /// A question is over without being carried out.
    Over {
        /// The question.
        question: String,
    },
    /// Somebody without the key speaks, or the key has changed.
    Forged,
}

/// The sidecar's end.
#[derive(Debug)]
pub struct SidecarEnd {
    version: String,
    /// The addresses at which it serves MCP over HTTP; each hello sets its age.
    http: Option<HttpAnnouncement>,
    connection: Option<Connection>,
    pages: Peers,
    calls: PageCalls,
    questions: Questions,
    errands: Arc<Errands>,
    /// The revisions of the questions and errands that pages know.
    sent_revision: (u64, u64),
    beats: u64,
    beat_at: u64,
    /// Whether a page has asked for a hello.
    is_hello_asked: bool,
    /// The moment from which such a request is answered again.
    hello_at: u64,
    /// The files of settings whose change was not sent yet; none if only the list of notebooks has changed.
    unsent: Option<BTreeSet<&'static str>>,
    /// The moment from which others are notified again of the list of notebooks.
    change_at: u64,
    /// The moment from which pages are notified again of touched places.
    touch_at: u64,
}

impl SidecarEnd {
    /// An end that is not connected.
    pub fn new(version: &str) -> SidecarEnd {
        SidecarEnd {
            version: version.to_owned(),
            http: None,
            connection: None,
            pages: Peers::of(Role::Page),
            calls: PageCalls::default(),
            questions: Questions::default(),
            errands: Arc::default(),
            sent_revision: (0, 0),
            beats: 0,
            beat_at: 0,
            is_hello_asked: false,
            hello_at: 0,
            unsent: None,
            change_at: 0,
            touch_at: 0,
        }
    }

    /// Shows and ends these errands.
    pub fn shares(&mut self, errands: Arc<Errands>) {
        self.errands = errands;
    }

    /// The errands that it shows.
    pub const fn errands(&self) -> &Arc<Errands> {
        &self.errands
    }

    /// Notes where it serves MCP over HTTP. Pages learn it from the next hello.
    pub fn serves(&mut self, urls: Vec<String>, is_kept: bool) {
        self.http = Some(HttpAnnouncement { urls, is_kept, age_ms: 0 });
    }

    /// Notes a new connection and introduces itself.
    pub fn connected(&mut self, key: Key, random: u64, now: u64) -> Vec<Duty> {
        let mut duties = self.disconnected();
        self.connection = Some(Connection::new(key, random));
        (self.beats, self.beat_at) = (0, now);
        duties.extend(self.tick(now));
        duties
    }

    /// Notes that the connection is gone, and with it every page.
    pub fn disconnected(&mut self) -> Vec<Duty> {
        (self.connection, self.is_hello_asked) = (None, false);
        self.pages.clear();
        ended(self.calls.gone(None)).collect()
    }

    /// Whether there is a connection: then news of changes arrive.
    pub const fn is_connected(&self) -> bool {
        self.connection.is_some()
    }

    /// The last word before the process ends.
    pub fn leave(&mut self, now: u64) -> Option<String> {
        self.send_to_pages(Message::Bye, now)
    }

    /// Introduces itself again, so that an end with an older key notices.
    pub fn introduce(&mut self, now: u64) -> Option<Duty> {
        let hello = self.hello(now);
        self.send(Vec::new(), hello)
    }

    /// Does what is due by now.
    pub fn tick(&mut self, now: u64) -> Vec<Duty> {
        let mut duties: Vec<Duty> = ended(self.calls.expire(now)).collect();
        duties.extend(self.questions.expire(now).into_iter().map(|question| Duty::Over { question }));
        if self.connection.is_some() && self.beat_at <= now {
            self.beat_at = now.saturating_add(BEAT_MS);
            self.pages.forget_silent(now);
            let hello = self.hello(now);
            duties.extend(self.send_to_pages(hello, now).map(Duty::Send));
            if self.beats.is_multiple_of(OPEN_BEAT) {
                duties.extend(self.introduce(now));
            }
            self.beats += 1;
        }
        duties.extend(self.answer_hello_request(now));
        duties.extend(self.send_changes(now));
        self.send_questions(&mut duties, now);
        duties
    }

    /// The next moment at which something is due; none while there is nothing to wait for.
    pub fn due(&self) -> Option<u64> {
        let connected = self.connection.as_ref();
        let beat = connected.map(|_| self.beat_at);
        let hello = self.is_hello_asked.then_some(self.hello_at);
        let change = connected.and(self.unsent.as_ref()).map(|_| self.change_at);
        [beat, hello, change, self.calls.due(), self.questions.due()].into_iter().flatten().min()
    }

    /// Receives a text from the channel; `random` makes the id of an errand.
    pub fn receive(&mut self, text: &str, now: u64, random: [u64; 2]) -> Vec<Duty> {
        if text == HELLO_REQUEST {
            self.is_hello_asked = self.is_connected();
            return self.answer_hello_request(now).into_iter().collect();
        }
        let Some(connection) = &mut self.connection else { return Vec::new() };
        let (from, is_mine, message) = match connection.receive(text) {
            ReceivedMessage::Nothing => return Vec::new(),
            ReceivedMessage::Forged => return vec![Duty::Forged],
            ReceivedMessage::Message { from, is_mine, message } => (from, is_mine, message),
        };
        let mut duties = Vec::new();
        match message {
            Message::Hello(hello) => {
                let is_due = hello.role == Role::Page && (!is_mine || self.pages.greet(&from, hello, now));
                let greeting = is_due.then(|| self.greet(from, is_mine, now));
                duties.extend(greeting.into_iter().flatten());
            }
            Message::Changed { ticket, files } => {
                let ticket = ticket.map(|ticket| (from, ticket));
                duties.push(Duty::Reread { ticket, rights: !files.is_empty() });
            }
            message if self.pages.is_there(&from, now) => {
                self.pages.note_message(&from, now);
                duties.extend(self.received_from_page(from, message, now, random));
            }
            _ => {}
        }
        self.send_questions(&mut duties, now);
        duties
    }

    /// Introduces itself to the pages that have just opened, unless it did so a moment ago.
    fn answer_hello_request(&mut self, now: u64) -> Option<Duty> {
        if !self.is_hello_asked || now < self.hello_at {
            return None;
        }
        (self.is_hello_asked, self.hello_at) = (false, now.saturating_add(HELLO_REST_MS));
        self.introduce(now)
    }

    /// Takes a message of one of the pages that are there.
    fn received_from_page(
        &mut self,
        page: PeerId,
        message: Message,
        now: u64,
        random: [u64; 2],
    ) -> Vec<Duty> {
        match message {
            Message::Bye => {
                self.pages.leave(&page);
                ended(self.calls.gone(Some(&page))).collect()
            }
            Message::Answered { call_id, answer } => {
                ended(self.calls.answered(&page, call_id, answer)).collect()
            }
            Message::Answer { question, choice } => {
                match self.questions.answer(&question, choice, now) {
                    Some((Decision::Approved(means), errand)) => {
                        // If the caller already has an errand, only this plan is approved.
                        let _ = errand.map(|it| self.errands.begin(it, random));
                        vec![Duty::CarryOut { question, means, page }]
                    }
                    Some((Decision::Denied, _)) => {
                        let sent = self.ruled(page, question.clone(), Ruling::Denied);
                        sent.into_iter().chain([Duty::Over { question }]).collect()
                    }
                    None => self.ruled(page, question, Ruling::Gone).into_iter().collect(),
                }
            }
            // Without HTTP, no token is ever presented.
            Message::Token(notice) if self.http.is_some() && notice.is_sound() => {
                vec![Duty::Token { notice, page }]
            }
            Message::Revoke { errand } => {
                self.errands.revoke(&errand);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Greets a page that introduced itself, or that is new; a new one receives the open questions.
    fn greet(&mut self, page: PeerId, is_new: bool, now: u64) -> Vec<Duty> {
        let hello = self.hello(now);
        let mut duties: Vec<Duty> = self.send(vec![page.clone()], hello).into_iter().collect();
        if is_new {
            // It may have changed something before its hello arrived.
            duties.push(Duty::Reread { ticket: None, rights: true });
        }
        let waiting = self.waiting(now);
        if is_new && (!waiting.questions.is_empty() || !waiting.errands.is_empty()) {
            duties.extend(self.send(vec![page], Message::Waiting(waiting)));
        }
        duties
    }

    /// The questions and errands that pages show.
    fn waiting(&self, now: u64) -> Approvals {
        let errands = self.errands.standing().into_iter().map(Errand::of).collect();
        Approvals { questions: self.questions.shown(now), errands }
    }

    /// Sends every page the open questions and the errands, if they have changed.
    fn send_questions(&mut self, duties: &mut Vec<Duty>, now: u64) {
        let revision = (self.questions.revision(), self.errands.revision());
        if self.sent_revision != revision {
            self.sent_revision = revision;
            let waiting = Message::Waiting(self.waiting(now));
            duties.extend(self.send_to_pages(waiting, now).map(Duty::Send));
        }
    }

    /// Confirms that the next call obeys a change.
    pub fn held(&mut self, to: PeerId, ticket: u64) -> Option<Duty> {
        self.send(vec![to], Message::Held { ticket })
    }

    /// Announces new events and changes of errands.
    pub fn stirred(&mut self, now: u64) -> Vec<Duty> {
        let mut duties = self.news(now);
        duties.extend(self.send_to_pages(Message::Stirred, now).map(Duty::Send));
        duties
    }

    /// Announces changes of questions and errands.
    pub fn news(&mut self, now: u64) -> Vec<Duty> {
        let mut duties = Vec::new();
        self.send_questions(&mut duties, now);
        duties
    }

    /// Notifies everybody that files of settings were written, or with none that the list of notebooks has changed: at
    /// once, or as soon as there is a connection. An agent that changes notebooks in a loop is reported now and then.
    pub fn changed(&mut self, files: &[&'static str], now: u64) -> Option<Duty> {
        self.unsent.get_or_insert_default().extend(files);
        self.send_changes(now)
    }

    /// Takes the changes that were not sent yet.
    pub fn unsent(&mut self) -> Option<Vec<&'static str>> {
        Some(self.unsent.take()?.into_iter().collect())
    }

    fn send_changes(&mut self, now: u64) -> Option<Duty> {
        if self.connection.is_none() || (self.unsent.as_ref()?.is_empty() && now < self.change_at) {
            return None;
        }
        self.change_at = now.saturating_add(CHANGE_MS);
        let files = self.unsent.take()?.into_iter().map(str::to_owned).collect();
        self.send(Vec::new(), Message::Changed { files, ticket: None })
    }

    /// Notifies the pages of the place that a call touched, unless it did so a moment ago.
    pub fn touched(&mut self, touched: TouchedPlace, now: u64) -> Option<Duty> {
        if now < self.touch_at {
            return None;
        }
        self.touch_at = now.saturating_add(TOUCH_MS);
        self.send_to_pages(Message::Touched(touched), now).map(Duty::Send)
    }

    /// Whether those who change settings say so here: a page is there, and its news arrive.
    pub fn hears_changes(&self, now: u64) -> bool {
        self.connection.is_some() && self.pages.alive(now).next().is_some()
    }

    /// Whether a page with this ability is there.
    pub fn has_page(&self, ability: &str, now: u64) -> bool {
        self.pages.chosen(ability, now).is_some()
    }

    /// Asks one page; returns the id under which its answer will come.
    ///
    /// # Errors
    /// If no page can do it, or the person is being asked something else.
    pub fn call(&mut self, request: &PageRequest, now: u64) -> Result<(String, Vec<Duty>), PageError> {
        let page = self.pages.chosen(request.action(), now).cloned().ok_or(PageError::NoPage)?;
        let call = self.calls.open(request, &page, now)?;
        let id = call.call_id.clone();
        Ok((id, self.send(vec![page], Message::Call(call)).into_iter().collect()))
    }

    /// Forgets a request whose caller has gone, and lets the page know.
    pub fn cancel(&mut self, call_id: &str) -> Option<Duty> {
        let page = self.calls.dropped(call_id)?;
        self.send(vec![page], Message::Cancel { call_id: call_id.to_owned() })
    }

    /// Asks the person, or joins the same question; the id, or the reason why it is not asked, and what to do.
    pub fn ask(
        &mut self,
        new: NewQuestion,
        now: u64,
        random: [u64; 2],
    ) -> (Result<String, NotAsked>, Vec<Duty>) {
        let id = self.questions.ask(new, now, random);
        let mut duties = Vec::new();
        self.send_questions(&mut duties, now);
        (id, duties)
    }

    /// Reports the outcome of an approved plan.
    pub fn carried_out(&mut self, question: &str, page: PeerId, ruling: Ruling, now: u64) -> Option<Duty> {
        self.questions.carried_out(question, ruling, now);
        self.ruled(page, question.to_owned(), ruling)
    }

    /// Withdraws the open questions about a call that has run without an answer.
    pub fn withdraw(&mut self, principal: &str, call: Fingerprint, now: u64) -> Vec<Duty> {
        self.questions.withdraw(principal, call, now);
        self.news(now)
    }

    /// The questions.
    pub const fn questions(&self) -> &Questions {
        &self.questions
    }

    fn hello(&self, now: u64) -> Message {
        let (version, abilities) = (self.version.clone(), Vec::new());
        // The clock of this end begins with the process.
        let http = self.http.clone().map(|it| HttpAnnouncement { age_ms: now, ..it });
        Message::Hello(Hello { role: Role::Sidecar, version, abilities, focus: false, http })
    }

    fn ruled(&mut self, page: PeerId, question: String, ruling: Ruling) -> Option<Duty> {
        self.send(vec![page], Message::Ruled { question, ruling })
    }

    fn send(&mut self, to: Vec<PeerId>, message: Message) -> Option<Duty> {
        Some(Duty::Send(self.connection.as_mut()?.send(to, message)))
    }

    fn send_to_pages(&mut self, message: Message, now: u64) -> Option<String> {
        let pages = self.pages.ids(now);
        if pages.is_empty() { None } else { Some(self.connection.as_mut()?.send(pages, message)) }
    }
}

fn ended(calls: impl IntoIterator<Item = super::calls::CallReport>) -> impl Iterator<Item = Duty> {
    calls.into_iter().map(|(call_id, answer)| Duty::Ended { call_id, answer })
}
