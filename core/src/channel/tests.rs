//! Both ends over a simulated channel and clock: greetings, changes, questions, requests, and every way they go wrong.

mod http;
mod news;
mod presence;
mod refusals;

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::agents::Identity;
use crate::ask::{About, Ask, Thing, ThingKind, Things};
use crate::errands::{ErrandBounds, ErrandCost};
use crate::fingerprint::Fingerprint;
use crate::kernel::page::{PageError, PageRequest};
use crate::spec::{Back, Verb};

const KEY: [u8; 32] = [7; 32];
const ABILITIES: [&str; 2] = ["get_ui_state", "ask_user"];
const MINUTE: u64 = 60_000;

/// One sidecar and some pages on one channel, with everything that was sent and what came of it.
struct Channel {
    now: u64,
    chance: u64,
    sidecar: SidecarEnd,
    pages: Vec<PageEnd>,
    /// Texts in the order in which they were sent.
    sent: Vec<String>,
    duties: Vec<Duty>,
    news: Vec<(usize, News)>,
}

impl Channel {
    fn new(pages: usize) -> Channel {
        let mut channel = Channel {
            now: 1_000,
            chance: 100,
            sidecar: SidecarEnd::new("1"),
            pages: (0..pages).map(|_| PageEnd::new("1", &ABILITIES, false)).collect(),
            sent: Vec::new(),
            duties: Vec::new(),
            news: Vec::new(),
        };
        let duties = channel.sidecar.connected(Key::new(KEY), 1, channel.now);
        channel.work(duties);
        for at in 0..pages {
            let hello = channel.pages[at].connected(Key::new(KEY), 10 + at as u64);
            channel.spread(&hello, Some(at));
        }
        channel.duties.clear();
        channel
    }

    fn random(&mut self) -> [u64; 2] {
        self.chance += 1;
        [self.chance, 0]
    }

    /// Gives a text to everybody but its sender, and what they say to the others in turn.
    fn spread(&mut self, text: &str, from: Option<usize>) {
        self.sent.push(text.to_owned());
        if from.is_some() {
            let random = self.random();
            let duties = self.sidecar.receive(text, self.now, random);
            self.work(duties);
        }
        for at in (0..self.pages.len()).filter(|at| Some(*at) != from) {
            for news in self.pages[at].receive(text, self.now) {
                match news {
                    News::Send(text) => self.spread(&text, Some(at)),
                    news => self.news.push((at, news)),
                }
            }
        }
    }

    fn work(&mut self, duties: Vec<Duty>) {
        for duty in duties {
            match duty {
                Duty::Send(text) => self.spread(&text, None),
                duty => self.duties.push(duty),
            }
        }
    }

    fn page_says(&mut self, at: usize, text: Option<String>) {
        if let Some(text) = text {
            self.spread(&text, Some(at));
        }
    }

    /// Lets time pass, with everything that falls due on the way.
    fn pass(&mut self, ms: u64) {
        let end = self.now + ms;
        while let Some(due) = self.sidecar.due().filter(|due| *due <= end) {
            self.now = due.max(self.now);
            let duties = self.sidecar.tick(self.now);
            self.work(duties);
        }
        self.now = end;
    }

    fn ask(&mut self, new: NewQuestion) -> String {
        let random = self.random();
        let (id, duties) = self.sidecar.ask(new, self.now, random);
        self.work(duties);
        id.unwrap()
    }

    fn answer(&mut self, at: usize, choice: Choice) {
        let asked = self.pages[at].questions(self.now).remove(0);
        let text = self.pages[at].answer(&asked.sidecar, &asked.it.id, choice, self.now);
        assert!(text.is_some());
        self.page_says(at, text);
    }

    fn runs(&mut self) -> Vec<(String, PeerId)> {
        let duties = std::mem::take(&mut self.duties);
        let run = |duty| match duty {
            Duty::CarryOut { question, means, page } => {
                assert_eq!(means, Fingerprint::of(["plan"]));
                Some((question, page))
            }
            _ => None,
        };
        duties.into_iter().filter_map(run).collect()
    }

    fn state(&self, id: &str) -> Option<QuestionState> {
        self.sidecar.questions().state(id, "caller", Fingerprint::of(["call"]))
    }
}

fn bounds() -> ErrandBounds {
    ErrandBounds { most: ErrandCost { changes: 20, deletes: 0 }, minutes: 10 }
}

fn question() -> NewQuestion {
    NewQuestion {
        principal: "caller".to_owned(),
        client: "Test".to_owned(),
        agent: None,
        is_stranger: false,
        identity: Identity::Unknown,
        ask: Ask {
            verb: Verb::Delete,
            back: Back::DataHistory,
            about: About { things: Things::of([Thing::titled("Old plan")]), ..About::default() },
        },
        call: Fingerprint::of(["call"]),
        means: Fingerprint::of(["plan"]),
        notebooks: BTreeSet::from(["20250101000000-garden0".to_owned()]),
        offers: Some(bounds()),
        is_shared: false,
        named: None,
        patience_ms: Some(10 * MINUTE),
    }
}

/// B-181: both ends know each other after one greeting, whoever came first, and again after a lost connection.
#[test]
fn ends_find_each_other() {
    let mut channel = Channel::new(2);
    assert!(channel.sidecar.has_page("get_ui_state", channel.now));
    assert!(!channel.sidecar.has_page("open_document", channel.now));
    assert_eq!(channel.pages.iter().map(|it| it.sidecars(channel.now)).collect::<Vec<_>>(), [1, 1]);
    channel.pass(MINUTE);
    assert!(channel.sidecar.has_page("get_ui_state", channel.now));
    assert_eq!(channel.pages[0].sidecars(channel.now), 1);
    channel.sidecar.disconnected();
    assert!(!channel.sidecar.has_page("get_ui_state", channel.now));
    let duties = channel.sidecar.connected(Key::new(KEY), 2, channel.now);
    channel.work(duties);
    assert!(channel.sidecar.has_page("get_ui_state", channel.now));
}

/// B-181: a page that went silently is forgotten within 5 s, one that says goodbye at once.
#[test]
fn pages_that_went_are_forgotten() {
    let mut channel = Channel::new(1);
    let bye = channel.pages[0].leave(channel.now);
    channel.page_says(0, bye);
    assert!(!channel.sidecar.has_page("ask_user", channel.now));
    let mut silent = Channel::new(1);
    silent.pages[0].disconnected();
    silent.pass(5_000);
    assert!(!silent.sidecar.has_page("ask_user", silent.now));
    assert_eq!(silent.sidecar.call(&PageRequest::UiState, silent.now), Err(PageError::NoPage));
    // A page that only slept finds the sidecar again.
    let mut slept = Channel::new(1);
    let page = slept.pages.remove(0);
    slept.pass(MINUTE);
    slept.pages.push(page);
    assert!(!slept.sidecar.has_page("ask_user", slept.now));
    slept.pass(20_000);
    assert!(slept.sidecar.has_page("ask_user", slept.now) && slept.pages[0].sidecars(slept.now) == 1);
}

/// B-072: the question reaches every page, waits, and a yes after fifteen minutes runs its plan once.
#[test]
fn a_late_yes_runs_once() {
    let mut channel = Channel::new(2);
    let id = channel.ask(NewQuestion { patience_ms: None, ..question() });
    assert_eq!(channel.ask(NewQuestion { patience_ms: None, ..question() }), id);
    channel.pass(15 * MINUTE);
    for page in &channel.pages {
        let [asked] = &page.questions(channel.now)[..] else { panic!() };
        assert_eq!((asked.it.waited_ms, asked.it.left_ms), (15 * MINUTE, None));
        assert_eq!(asked.it.ask.about.things.first[0].title, "Old plan");
    }
    let asked = channel.pages[1].questions(channel.now).remove(0);
    let second = channel.pages[1].answer(&asked.sidecar, &id, Choice::Once, channel.now);
    channel.answer(0, Choice::Once);
    // The other page clicked at the same time, and again.
    channel.page_says(1, second);
    assert_eq!(channel.pages[1].answer(&asked.sidecar, &id, Choice::Deny, channel.now), None);
    let runs = channel.runs();
    assert_eq!((runs.len(), channel.state(&id)), (1, Some(QuestionState::Approved)));
    let done = channel.sidecar.carried_out(&id, runs[0].1.clone(), Ruling::Done, channel.now);
    channel.work(done.into_iter().collect());
    assert_eq!(channel.state(&id), Some(QuestionState::Over(Ruling::Done)));
    let ruled: Vec<_> = channel.news.iter().filter(|(_, it)| matches!(it, News::Ruled { .. })).collect();
    let outcome = |ruling| News::Ruled { question: id.clone(), ruling };
    assert_eq!(ruled, [&(1, outcome(Ruling::Gone)), &(0, outcome(Ruling::Done))]);
    assert!(channel.pages.iter().all(|it| it.questions(channel.now).is_empty()));
}

/// B-072: nothing runs after a no, after its time, after a plan that changed, or after a restart of the sidecar.
#[test]
fn nothing_runs_without_a_yes_in_time() {
    let mut channel = Channel::new(1);
    let denied = channel.ask(question());
    channel.answer(0, Choice::Deny);
    assert_eq!(channel.state(&denied), Some(QuestionState::Over(Ruling::Denied)));
    let expired = channel.ask(question());
    let early = channel.pages[0].questions(channel.now).remove(0);
    let late = channel.pages[0].answer(&early.sidecar, &expired, Choice::Once, channel.now);
    channel.pass(10 * MINUTE);
    assert!(channel.duties.contains(&Duty::Over { question: expired.clone() }));
    channel.page_says(0, late);
    assert_eq!(channel.state(&expired), Some(QuestionState::Over(Ruling::Expired)));
    let stale = channel.ask(question());
    let other = channel.ask(NewQuestion { means: Fingerprint::of(["other plan"]), ..question() });
    assert_eq!(channel.state(&stale), Some(QuestionState::Over(Ruling::Gone)));
    let shown = channel.pages[0].questions(channel.now);
    assert_eq!(shown.iter().map(|it| it.it.id.as_str()).collect::<Vec<_>>(), [other.as_str()]);
    assert!(channel.runs().is_empty());
    // The sidecar ends: the page drops its question, and a new sidecar knows nothing of the answer.
    let text = channel.pages[0].answer(&shown[0].sidecar, &other, Choice::Once, channel.now);
    let bye = channel.sidecar.leave(channel.now);
    channel.spread(&bye.unwrap(), None);
    assert!(channel.pages[0].questions(channel.now).is_empty());
    channel.sidecar = SidecarEnd::new("1");
    let duties = channel.sidecar.connected(Key::new(KEY), 3, channel.now);
    channel.work(duties);
    channel.page_says(0, text);
    assert!(channel.runs().is_empty() && channel.state(&other).is_none());
}

/// B-072: a page that comes later finds the question, and one that stays finds it after the kernel was away.
#[test]
fn questions_wait_for_pages() {
    let mut channel = Channel::new(0);
    let id = channel.ask(question());
    channel.pass(MINUTE);
    channel.pages.push(PageEnd::new("1", &ABILITIES, true));
    let hello = channel.pages[0].connected(Key::new(KEY), 50);
    channel.spread(&hello, Some(0));
    assert_eq!(channel.pages[0].questions(channel.now)[0].it.waited_ms, MINUTE);
    channel.sidecar.disconnected();
    channel.pages[0].disconnected();
    assert!(channel.pages[0].questions(channel.now).is_empty());
    let duties = channel.sidecar.connected(Key::new(KEY), 2, channel.now);
    channel.work(duties);
    let hello = channel.pages[0].connected(Key::new(KEY), 51);
    channel.spread(&hello, Some(0));
    channel.answer(0, Choice::Once);
    assert_eq!(channel.runs()[0].0, id);
}

/// B-072: an answer begins an errand in the notebooks of its question, until its time is over or it is ended.
#[test]
fn an_answer_begins_an_errand_that_ends() {
    let mut channel = Channel::new(1);
    let errands = channel.sidecar.errands().clone();
    let stands = |now: u64| errands.of("caller", now).is_some();
    channel.ask(question());
    assert!(!stands(1_000));
    channel.answer(0, Choice::Errand);
    assert!(stands(1_000) && errands.of("other", 1_000).is_none());
    let shown = channel.pages[0].errands(channel.now).remove(0);
    assert_eq!(
        (shown.it.left_ms, shown.it.changes, shown.it.deletes.most),
        (10 * MINUTE, UsedOf { used: 0, most: 20 }, 0)
    );
    assert_eq!(shown.it.deed, Some((Verb::Delete, ThingKind::Workspace)));
    assert_eq!(Vec::from_iter(question().notebooks), shown.it.notebooks);
    let revoke = channel.pages[0].revoke(&shown.sidecar, &shown.it.id);
    channel.page_says(0, revoke);
    assert!(!stands(1_000) && channel.pages[0].errands(channel.now).is_empty());
    channel.ask(NewQuestion { call: Fingerprint::of(["second"]), ..question() });
    channel.answer(0, Choice::Errand);
    assert!(stands(10 * MINUTE + 999) && !stands(10 * MINUTE + 1_000));
    // Pages are notified of the end with the next hello.
    channel.pass(2_000);
    assert!(channel.pages[0].errands(channel.now).is_empty());
    // If every call needs a question of its own, the answer allows only one call.
    channel.ask(NewQuestion { offers: None, call: Fingerprint::of(["third"]), ..question() });
    assert!(!channel.pages[0].questions(channel.now)[0].it.may_stand);
    channel.answer(0, Choice::Errand);
    assert!(channel.pages[0].errands(channel.now).is_empty() && !stands(11 * MINUTE));
}

/// A call that has run without an answer takes its open question along: a late yes does not run it again.
#[test]
fn a_call_that_ran_withdraws_its_question() {
    let mut channel = Channel::new(1);
    let id = channel.ask(question());
    let other = channel.ask(NewQuestion { call: Fingerprint::of(["other"]), ..question() });
    let duties = channel.sidecar.withdraw("caller", question().call, channel.now);
    channel.work(duties);
    assert_eq!(channel.state(&id), Some(QuestionState::Over(Ruling::Gone)));
    assert_eq!(channel.pages[0].questions(channel.now).len(), 1);
    let open = channel.sidecar.questions().state_of(&other);
    assert_eq!(open, Some(QuestionState::Open));
}

/// B-182, B-184, B-185: one page is asked and answers once; late and doubled answers are dropped.
#[test]
fn a_request_has_one_answer() {
    let mut channel = Channel::new(2);
    let focus = channel.pages[0].focus(true, channel.now);
    channel.page_says(0, focus);
    channel.news.clear();
    let ask = |channel: &mut Channel, request: &PageRequest| {
        let (id, duties) = channel.sidecar.call(request, channel.now)?;
        channel.work(duties);
        Ok(id)
    };
    let id = ask(&mut channel, &PageRequest::UiState).unwrap();
    let [(0, News::Call { from, request: PageRequest::UiState, within })] = &channel.news[..] else {
        panic!("{:?}", channel.news)
    };
    assert_eq!(*within, Duration::from_secs(10));
    let from = from.clone();
    let answer = channel.pages[0].answer_call(&from, PageAnswer::Done(json!({ "open": [] }))).unwrap();
    assert_eq!(channel.pages[0].answer_call(&from, PageAnswer::Busy), None);
    channel.spread(&answer, Some(0));
    channel.spread(&answer, Some(0));
    let done = Duty::Ended { call_id: id, answer: Ok(json!({ "open": [] })) };
    assert_eq!(std::mem::take(&mut channel.duties), [done]);
    // A page that answers after its deadline is too late.
    let late = ask(&mut channel, &PageRequest::UiState).unwrap();
    let Some((_, News::Call { from, .. })) = channel.news.pop() else { panic!() };
    channel.pass(10_000);
    let answer = channel.pages[0].answer_call(&from, PageAnswer::Done(json!(1)));
    channel.page_says(0, answer);
    let timed_out = Duty::Ended { call_id: late, answer: Err(PageError::TimedOut) };
    assert_eq!(std::mem::take(&mut channel.duties), [timed_out]);
    // One question at a time; others go on beside it.
    let question = PageRequest::AskUser {
        question: "Which bed?".to_owned(),
        options: Vec::new(),
        allow_text: true,
        time: Duration::from_secs(60),
    };
    let first = ask(&mut channel, &question).unwrap();
    assert_eq!(ask(&mut channel, &question), Err(PageError::Busy));
    assert!(ask(&mut channel, &PageRequest::UiState).is_ok());
    let cancel = channel.sidecar.cancel(&first).into_iter().collect();
    channel.work(cancel);
    assert!(matches!(channel.news.last(), Some((0, News::Cancelled { .. }))));
    assert!(ask(&mut channel, &question).is_ok());
    let bye = channel.pages[0].leave(channel.now);
    channel.page_says(0, bye);
    assert_eq!(channel.duties.len(), 2);
    assert!(
        channel.duties.iter().all(|it| matches!(it, Duty::Ended { answer: Err(PageError::TimedOut), .. }))
    );
}

/// B-190: whatever was recorded on the channel does nothing when it is sent again, to old ends and to new ones.
#[test]
fn recorded_messages_do_nothing() {
    let mut channel = Channel::new(1);
    let asked = channel.ask(question());
    channel.answer(0, Choice::Errand);
    let (_, duties) = channel.sidecar.call(&PageRequest::UiState, channel.now).unwrap();
    channel.work(duties);
    let revoked = channel.pages[0].errands(channel.now).remove(0);
    let text = channel.pages[0].revoke(&revoked.sidecar, &revoked.it.id);
    channel.page_says(0, text);
    let recorded = channel.sent.clone();
    let bye = channel.pages[0].leave(channel.now);
    channel.page_says(0, bye);
    channel.runs();
    channel.news.clear();
    let mut fresh = PageEnd::new("1", &ABILITIES, true);
    fresh.connected(Key::new(KEY), 99);
    for text in &recorded {
        let random = channel.random();
        assert!(channel.sidecar.receive(text, channel.now, random).is_empty());
        assert!(channel.pages[0].receive(text, channel.now).is_empty());
        // A new page at most greets a sidecar that is not there.
        let news = fresh.receive(text, channel.now);
        assert!(news.iter().all(|it| matches!(it, News::Send(_))), "{news:?}");
    }
    assert_eq!((fresh.sidecars(channel.now), fresh.questions(channel.now).len()), (0, 0));
    assert_eq!(channel.state(&asked), Some(QuestionState::Approved));
    let forged = SidecarEnd::new("1").connected(Key::new([8; 32]), 5, 0).remove(0);
    let Duty::Send(forged) = forged else { panic!() };
    assert_eq!(fresh.receive(&forged, channel.now), [News::Forged]);
    assert_eq!(channel.sidecar.receive(&forged, channel.now, [0, 0]), [Duty::Forged]);
}

/// Too many questions are not asked; the sidecar then has another way or none.
#[test]
fn questions_are_bounded() {
    let mut channel = Channel::new(0);
    for at in 0..32 {
        channel.ask(NewQuestion { call: Fingerprint::of([at.to_string().as_str()]), ..question() });
    }
    let (id, _) = channel.sidecar.ask(question(), channel.now, [1, 1]);
    assert_eq!(id, Err(NotAsked::Full));
    channel.pass(10 * MINUTE);
    assert_eq!(channel.duties.len(), 32);
    channel.ask(question());
}
