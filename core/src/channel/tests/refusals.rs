//! Questions of callers that go on after a no, and of callers that share a principal.

use super::*;
use crate::agents::{AgentColor, AgentMark};

fn ask(channel: &mut Channel, new: NewQuestion) -> Result<String, NotAsked> {
    let random = channel.random();
    let (id, duties) = channel.sidecar.ask(new, channel.now, random);
    channel.work(duties);
    id
}

/// A question that differs from all others in its call.
fn another(channel: &mut Channel) -> NewQuestion {
    let [call, _] = channel.random();
    NewQuestion { call: Fingerprint::of([call.to_string().as_str()]), ..question() }
}

fn braked(seconds: u64) -> Result<String, NotAsked> {
    Err(NotAsked::Braked { seconds })
}

/// B-072: after three denials in a row the next question waits, longer each time; neither another session nor another
/// name helps. An approval ends it.
#[test]
fn questions_wait_after_several_denials() {
    let mut channel = Channel::new(1);
    for _ in 0..3 {
        let new = another(&mut channel);
        ask(&mut channel, new).unwrap();
        channel.answer(0, Choice::Deny);
    }
    let again = another(&mut channel);
    let renamed = NewQuestion { client: "Other".to_owned(), ..another(&mut channel) };
    let in_new_session = NewQuestion { principal: "new session".to_owned(), ..another(&mut channel) };
    for new in [again.clone(), renamed, in_new_session, NewQuestion { offers: None, ..again.clone() }] {
        assert_eq!(ask(&mut channel, new), braked(30));
    }
    assert!(channel.pages[0].questions(channel.now).is_empty());
    // The connection to the kernel is the caller's to disturb; the brake outlives it.
    let duties = channel.sidecar.connected(Key::new(KEY), 2, channel.now);
    channel.work(duties);
    channel.pass(29_000);
    assert_eq!(ask(&mut channel, again.clone()), braked(1));
    channel.pass(1_000);
    ask(&mut channel, again.clone()).unwrap();
    channel.answer(0, Choice::Deny);
    assert_eq!(ask(&mut channel, again.clone()), braked(60));
    channel.pass(MINUTE);
    let approved = ask(&mut channel, again.clone()).unwrap();
    channel.answer(0, Choice::Once);
    assert!(channel.sidecar.questions().state_of(&approved) == Some(QuestionState::Approved));
    for _ in 0..2 {
        let new = another(&mut channel);
        ask(&mut channel, new).unwrap();
        channel.answer(0, Choice::Deny);
    }
    assert!(ask(&mut channel, again).is_ok());
}

/// Questions that were open together may all be denied: they count as one, and an open question is still joined.
#[test]
fn denying_all_open_questions_begins_one_wait() {
    let mut channel = Channel::new(1);
    let news: Vec<NewQuestion> = (0..8).map(|_| another(&mut channel)).collect();
    for new in &news {
        ask(&mut channel, new.clone()).unwrap();
    }
    for _ in 0..7 {
        channel.answer(0, Choice::Deny);
    }
    let last = news[7].clone();
    assert!(ask(&mut channel, last.clone()).is_ok(), "it is open");
    assert_eq!(ask(&mut channel, NewQuestion { means: Fingerprint::of(["new plan"]), ..last }), braked(30));
    assert_eq!(channel.pages[0].questions(channel.now).len(), 1, "and stays");
}

/// A caller that changes its plan while the person reads would replace the question under the pointer.
#[test]
fn a_question_cannot_be_replaced_again_and_again() {
    let mut channel = Channel::new(1);
    let plan = |at: u64| NewQuestion { means: Fingerprint::of([at.to_string().as_str()]), ..question() };
    for at in 0..4 {
        ask(&mut channel, plan(at)).unwrap();
        channel.pass(100);
    }
    assert_eq!(ask(&mut channel, plan(4)), braked(30));
}

/// Names prove nothing: a caller that joins under the name of another must not get the errand meant for that one.
#[test]
fn a_question_of_two_callers_is_allowed_once() {
    let mut channel = Channel::new(1);
    let first = ask(&mut channel, question()).unwrap();
    assert!(channel.pages[0].questions(channel.now)[0].it.may_stand);
    for principal in ["second session", "second session", "third session"] {
        let joins = NewQuestion { principal: principal.to_owned(), ..question() };
        assert_eq!(ask(&mut channel, joins), Ok(first.clone()));
        assert!(!channel.pages[0].questions(channel.now)[0].it.may_stand, "{principal}");
    }
    for at in 2..64 {
        ask(&mut channel, NewQuestion { principal: at.to_string(), ..question() }).unwrap();
    }
    let one_more = NewQuestion { principal: "one more".to_owned(), ..question() };
    assert_eq!(ask(&mut channel, one_more), Err(NotAsked::Full));
    assert_eq!(ask(&mut channel, question()), Ok(first));
    channel.answer(0, Choice::Errand);
    assert!(channel.pages[0].errands(channel.now).is_empty());
}

/// Two agents never share a question, although their clients have one name; neither does an agent with a caller that only
/// has its name.
#[test]
fn a_question_of_another_agent_is_another_question() {
    let mut channel = Channel::new(1);
    let mark = |is_proved| AgentMark { name: "Tidy".to_owned(), color: AgentColor::Red, is_proved };
    let agents =
        [None, Some(mark(true)), Some(mark(false)), Some(AgentMark { name: "Ada".to_owned(), ..mark(true) })];
    let new = |at: usize| NewQuestion { principal: at.to_string(), agent: agents[at].clone(), ..question() };
    let ids: BTreeSet<String> = (0..4).map(|at| ask(&mut channel, new(at)).unwrap()).collect();
    assert_eq!(ids.len(), 4);
    let shown: Vec<_> = channel.pages[0].questions(channel.now).into_iter().map(|it| it.it.agent).collect();
    assert!(agents.iter().all(|it| shown.contains(it)), "{shown:?}");
}

/// S7: where several programs may have one principal, no errand begins, and a call withdraws a question only if it
/// names it. The same plan under the same name is one question, because a person could not tell two apart.
#[test]
fn callers_that_share_a_principal_share_nothing_else() {
    let mut channel = Channel::new(1);
    let shared = NewQuestion { is_shared: true, ..question() };
    let first = ask(&mut channel, shared.clone()).unwrap();
    assert!(!channel.pages[0].questions(channel.now)[0].it.may_stand);
    for principal in ["caller", "another session"] {
        let retried = NewQuestion { principal: principal.to_owned(), ..shared.clone() };
        assert_eq!(ask(&mut channel, retried), Ok(first.clone()));
    }
    let second = ask(&mut channel, NewQuestion { client: "Other".to_owned(), ..shared.clone() }).unwrap();
    assert_ne!(first, second);
    // Another plan of the same call withdraws no question of another program.
    let replanned = NewQuestion { means: Fingerprint::of(["other plan"]), ..shared.clone() };
    ask(&mut channel, replanned.clone()).unwrap();
    assert_eq!([&first, &second].map(|id| channel.state(id)), [Some(QuestionState::Open); 2]);
    let named = |new: &NewQuestion| NewQuestion { named: Some(first.clone()), ..new.clone() };
    assert_eq!(ask(&mut channel, named(&shared)), Ok(first.clone()));
    ask(&mut channel, named(&replanned)).unwrap();
    assert_eq!(channel.state(&first), Some(QuestionState::Over(Ruling::Gone)));
    // A page that is not up to date may still send the choice.
    channel.answer(0, Choice::Errand);
    assert_eq!(channel.state(&second), Some(QuestionState::Approved));
    assert!(channel.sidecar.errands().standing().is_empty());
    assert!(channel.pages[0].errands(channel.now).is_empty());
}
