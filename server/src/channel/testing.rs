//! A page for unit tests: it is there, shows questions, and approves one on request.

use std::collections::BTreeSet;

use puppy_core::activity::Transport;
use puppy_core::agents::Identity;
use puppy_core::ask::{About, Ask};
use puppy_core::channel::{APPROVE, Choice, Duty, Key, NewQuestion, News, PageEnd};
use puppy_core::dispatch::{Call, Fingerprint};
use puppy_core::part::Part;
use puppy_core::spec::{Back, Tool, Verb};
use serde_json::json;

use super::{Channel, locked, random};
use crate::caller::Caller;

/// An open page of SiYuan.
pub(crate) struct Window {
    channel: Channel,
    page: PageEnd,
}

impl Window {
    /// Opens a page that the channel knows.
    pub(crate) fn at(channel: &Channel) -> Window {
        let key = || Key::new([7; 32]);
        let mut window = Window { channel: channel.clone(), page: PageEnd::new("1", &[APPROVE], true) };
        locked(&channel.0.end).connected(key(), random(), channel.now());
        let hello = window.page.connected(key(), random());
        window.send(&hello);
        assert!(channel.can_approve());
        window
    }

    /// Approves the question that has waited longest.
    pub(crate) fn approve(&mut self) {
        self.answer(Choice::Once);
    }

    /// Answers the question that has waited longest.
    pub(crate) fn answer(&mut self, choice: Choice) {
        self.receive();
        let now = self.channel.now();
        let asked = self.page.questions(now).remove(0);
        let text = self.page.answer(&asked.sidecar, &asked.it.id, choice, now).unwrap();
        self.send(&text);
    }

    /// The open questions, longest waiting first: whether each offers an errand.
    pub(crate) fn shown(&mut self) -> Vec<bool> {
        self.receive();
        self.page.questions(self.channel.now()).iter().map(|it| it.it.may_stand).collect()
    }

    /// Receives the texts that wait to be sent; other duties that wait are dropped.
    pub(crate) fn receive(&mut self) -> Vec<News> {
        let now = self.channel.now();
        let duties = std::mem::take(&mut *locked(&self.channel.0.duties));
        let texts = duties.into_iter().filter_map(|it| match it {
            Duty::Send(text) => Some(text),
            _ => None,
        });
        texts.flat_map(|text| self.page.receive(&text, now)).collect()
    }

    /// Sends a text, receives the immediate answers, and leaves the channel the rest of its duties.
    fn send(&mut self, text: &str) {
        let now = self.channel.now();
        let duties = locked(&self.channel.0.end).receive(text, now, [0, 0]);
        for duty in duties {
            let Duty::Send(text) = duty else {
                self.channel.pass([duty]);
                continue;
            };
            for news in self.page.receive(&text, now) {
                if let News::Send(text) = news {
                    self.send(&text);
                }
            }
        }
    }
}

/// A call that reads and touches nothing.
pub(crate) fn call() -> Call {
    let arguments = json!({ "action": "list" }).as_object().cloned().unwrap();
    Call {
        tool: Tool::Notebook,
        arguments,
        part: Part::Whole,
        transport: Transport::Stdio,
        client: "Test".to_owned(),
    }
}

/// A question about it.
pub(crate) fn question() -> NewQuestion {
    NewQuestion {
        principal: "someone".to_owned(),
        client: "Test".to_owned(),
        agent: None,
        is_stranger: false,
        identity: Identity::Unknown,
        ask: Ask { verb: Verb::Delete, back: Back::DataHistory, about: About::default() },
        call: Fingerprint::of(["call"]),
        means: Fingerprint::of(["plan"]),
        notebooks: BTreeSet::new(),
        offers: None,
        is_shared: false,
        named: None,
        patience_ms: None,
    }
}

/// The caller of a call that belongs to no session.
pub(crate) fn stranger() -> Caller {
    let (principal, transport) = (String::new(), Transport::Http);
    Caller { principal, is_in_session: false, transport, identity: Identity::Unknown, proof: None }
}
