//! A page for unit tests: it is there, shows questions, and approves one when told to.

use std::collections::BTreeSet;

use puppy_core::activity::Transport;
use puppy_core::ask::{About, Ask};
use puppy_core::bridge::{APPROVE, Choice, Duty, Key, NewQuestion, News, PageEnd};
use puppy_core::dispatch::{Call, Fingerprint};
use puppy_core::part::Part;
use puppy_core::spec::{Back, Tool, Verb};
use serde_json::json;

use super::{Bridge, locked, random};

/// An open page of SiYuan.
pub(crate) struct Window {
    bridge: Bridge,
    page: PageEnd,
}

impl Window {
    /// Opens a page that the bridge knows.
    pub(crate) fn at(bridge: &Bridge) -> Window {
        let key = || Key::new([7; 32]);
        let mut window = Window { bridge: bridge.clone(), page: PageEnd::new("1", &[APPROVE], true) };
        locked(&bridge.0.end).connected(key(), random(), bridge.now());
        let hello = window.page.connected(key(), random());
        window.say(&hello);
        assert!(bridge.can_approve());
        window
    }

    /// Approves the question that has waited longest.
    pub(crate) fn approve(&mut self) {
        self.answer(Choice::Once);
    }

    /// Answers the question that has waited longest.
    pub(crate) fn answer(&mut self, choice: Choice) {
        self.hear();
        let now = self.bridge.now();
        let asked = self.page.questions(now).remove(0);
        let text = self.page.answer(&asked.sidecar, &asked.it.id, choice, now).unwrap();
        self.say(&text);
    }

    /// The open questions, longest waiting first: whether each offers ten minutes.
    pub(crate) fn shown(&mut self) -> Vec<bool> {
        self.hear();
        self.page.questions(self.bridge.now()).iter().map(|it| it.it.may_stand).collect()
    }

    /// Hears what waits to be sent; other duties that wait are dropped.
    pub(crate) fn hear(&mut self) -> Vec<News> {
        let now = self.bridge.now();
        let duties = std::mem::take(&mut *locked(&self.bridge.0.duties));
        let texts = duties.into_iter().filter_map(|it| match it {
            Duty::Send(text) => Some(text),
            _ => None,
        });
        texts.flat_map(|text| self.page.hear(&text, now)).collect()
    }

    /// Says a text, hears what the bridge says at once, and leaves it the rest of its duties.
    fn say(&mut self, text: &str) {
        let now = self.bridge.now();
        let duties = locked(&self.bridge.0.end).hear(text, now, [0, 0]);
        for duty in duties {
            let Duty::Send(text) = duty else {
                self.bridge.pass([duty]);
                continue;
            };
            for news in self.page.hear(&text, now) {
                if let News::Send(text) = news {
                    self.say(&text);
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
        action: "notebook.list".to_owned(),
        ask: Ask { verb: Verb::Delete, back: Back::DataHistory, about: About::default() },
        call: Fingerprint::of(["call"]),
        means: Fingerprint::of(["plan"]),
        notebooks: BTreeSet::new(),
        is_single: false,
        is_shared: false,
        named: None,
        patience_ms: None,
    }
}
