//! Tests of the gate with every kind of client and a given clock.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::FutureExt;
use puppy_core::activity::Transport;
use puppy_core::agents::Identity;
use puppy_core::ask::{About, Ask, Thing, ThingKind, Things};
use puppy_core::channel::Choice;
use puppy_core::config::{ApprovalMethod, CallSettings};
use puppy_core::dispatch::{ApprovalRequest, ApprovalState, Fingerprint, Gate, PlanQuestion, Verdict};
use puppy_core::errands::ErrandBounds;
use puppy_core::error::ToolError;
use puppy_core::spec::{Back, Tool, Verb};
use serde_json::{Map, json};

use super::*;
use crate::channel::testing::Window;

const NOW: u64 = 1_700_000_000_000;

/// A client with a fixed answer, or one that never answers.
#[derive(Debug, Default)]
struct Fake {
    reach: Option<Reach>,
    answer: Option<Answer>,
    brought: Option<(String, Answer)>,
    asked: AtomicUsize,
}

impl Client for Fake {
    fn reach(&self) -> Reach {
        self.reach.unwrap_or(Reach::Never)
    }

    fn brought(&self) -> Option<(&str, Answer)> {
        self.brought.as_ref().map(|(state, answer)| (state.as_str(), *answer))
    }

    fn name(&self) -> String {
        "Test".to_owned()
    }

    fn is_patient(&self) -> bool {
        false
    }

    async fn ask(&self, _question: &PlanQuestion) -> Answer {
        self.asked.fetch_add(1, Ordering::Relaxed);
        match self.answer {
            Some(answer) => answer,
            None => std::future::pending().await,
        }
    }
}

fn question() -> PlanQuestion {
    let plan = json!({ "would": "remove", "removed": [{ "title": "Roses\u{202e}\nIgnore", "below": 2 }] });
    PlanQuestion {
        tool: Tool::Document,
        arguments: Map::new(),
        agent: None,
        is_stranger: false,
        notebooks: BTreeSet::new(),
        path: "document.remove".to_owned(),
        danger: "Deletes them.".to_owned(),
        ask: Ask {
            verb: Verb::Delete,
            back: Back::DataHistory,
            about: About {
                kind: ThingKind::Document,
                things: Things::of([Thing::titled("Roses\u{202e}\nIgnore")]),
                ..About::default()
            },
        },
        in_siyuan: false,
        offers: ErrandBounds::default().offered((Verb::Delete, ThingKind::Document)),
        plan: plan.as_object().cloned().unwrap(),
        call: Fingerprint::of(["call"]),
        means: Fingerprint::of(["plan"]),
    }
}

fn asking(call: Fingerprint, confirm: Option<&str>) -> ApprovalRequest<'_> {
    ApprovalRequest { call, in_siyuan: false, confirm }
}

fn settings(confirm: &[ApprovalMethod]) -> CallSettings {
    CallSettings { confirm: confirm.to_vec(), ..CallSettings::default() }
}

fn gate(house: &Gatehouse, client: Fake) -> CallGate<Fake> {
    gate_of(house, client, "someone", NOW)
}

fn gate_of(house: &Gatehouse, client: Fake, principal: &str, now_ms: u64) -> CallGate<Fake> {
    let (principal, transport) = (principal.to_owned(), Transport::Stdio);
    let caller =
        Caller { principal, is_in_session: true, transport, identity: Identity::Unknown, proof: None };
    CallGate::new(house.clone(), Channel::new(), client, caller, now_ms)
}

fn house() -> Gatehouse {
    Gatehouse::new(Vec::new())
}

fn error(verdict: Verdict) -> ToolError {
    match verdict {
        Verdict::Approved | Verdict::Ran(_) => panic!("approved"),
        Verdict::Refused(error) | Verdict::Later { error, .. } => error,
    }
}

/// B-073: only an accept with the field set counts; silence times out.
#[tokio::test(start_paused = true)]
async fn only_an_accept_with_the_field_set_approves() {
    for (answer, approved) in [
        (Some(Answer::Yes), true),
        (Some(Answer::No("declined")), false),
        (Some(Answer::No("accepted and empty")), false),
        (Some(Answer::No("cancelled")), false),
        (None, false),
    ] {
        let gate = gate(&house(), Fake { reach: Some(Reach::Now), answer, ..Fake::default() });
        assert!(gate.waits(&settings(&[]), &question()));
        let verdict = gate.ask(&settings(&[]), question()).await;
        assert_eq!(verdict == Verdict::Approved, approved, "{answer:?}");
        if !approved {
            let refusal = error(verdict);
            assert!(!refusal.details.contains_key("confirm"), "a no is final");
            assert!(refusal.message.contains("Nothing was changed"), "{}", refusal.message);
        }
    }
}

/// B-071: the first available way applies; a client that cannot be asked gets a token, or a refusal where tokens are
/// not wanted.
#[tokio::test]
async fn confirmation_uses_the_first_available_way() {
    let way = async |started: &[ApprovalMethod], set: &[ApprovalMethod], reach: Reach, answer: Answer| {
        let fake = Fake { reach: Some(reach), answer: Some(answer), ..Fake::default() };
        let gate = gate(&Gatehouse::new(started.to_vec()), fake);
        match gate.ask(&settings(set), question()).await {
            Verdict::Approved | Verdict::Ran(_) => "asked",
            Verdict::Later { error, .. } if error.details.contains_key("confirm") => "token",
            Verdict::Later { .. } => "comes back",
            Verdict::Refused(_) => "blocked",
        }
    };
    use ApprovalMethod::{Ask, Block, Token};
    use Reach::{Never, NextCall, Now};
    for (started, set, reach, expected) in [
        (&[][..], &[][..], Now, "asked"),
        (&[], &[], NextCall, "comes back"),
        (&[], &[], Never, "token"),
        (&[Ask], &[], Never, "blocked"),
        (&[Ask, Block, Token], &[], Never, "blocked"),
        (&[Token], &[], Now, "token"),
        (&[Block], &[], Now, "blocked"),
        (&[], &[Token], Now, "token"),
        (&[], &[Block], NextCall, "blocked"),
        (&[Ask], &[Block], Now, "asked"),
    ] {
        assert_eq!(way(started, set, reach, Answer::Yes).await, expected, "{started:?} {set:?} {reach:?}");
    }
    // A client that claims it can ask and then cannot counts as one that cannot.
    assert_eq!(way(&[], &[], Now, Answer::Cannot).await, "token");
    assert_eq!(way(&[Ask], &[], Now, Answer::Cannot).await, "blocked");
}

/// B-074: the token approves one call by its caller, once; the answer names the fault of a bad token.
#[tokio::test]
async fn confirmation_token_approves_its_call_once() {
    let house = house();
    let stopped = error(gate(&house, Fake::default()).ask(&settings(&[]), question()).await);
    let token = stopped.details["confirm"].as_str().unwrap().to_owned();
    assert_eq!(stopped.details["plan"]["would"], "remove");
    let stand = |gate: &CallGate<Fake>, call: &str, token: &str| {
        gate.standing(&settings(&[]), asking(Fingerprint::of([call]), Some(token)))
    };
    let other = gate_of(&house, Fake::default(), "another", NOW);
    assert_eq!(stand(&other, "call", &token), ApprovalState::Open);
    assert_eq!(stand(&gate(&house, Fake::default()), "other", &token), ApprovalState::Open);
    let late = gate_of(&house, Fake::default(), "someone", NOW + 301_000);
    assert_eq!(stand(&late, "call", &token), ApprovalState::Open);
    let refusal = error(late.ask(&settings(&[]), question()).await);
    assert!(refusal.message.contains("older than 5 minutes"), "{}", refusal.message);
    let asking = gate(&house, Fake { reach: Some(Reach::Now), ..Fake::default() });
    assert_eq!(stand(&asking, "call", &token), ApprovalState::Open, "who can be asked is asked");
    assert_eq!(
        stand(&gate(&house, Fake::default()), "call", &token),
        ApprovalState::ApprovedPlan(question().means)
    );
    let again = gate(&house, Fake::default());
    assert_eq!(stand(&again, "call", &token), ApprovalState::Open);
    let refusal = error(again.ask(&settings(&[]), question()).await);
    assert!(refusal.message.contains("used before") && refusal.details["confirm"] != json!(token));
}

/// B-073, B-075: a returned state approves once and only with its answer, and it is not a token.
#[tokio::test]
async fn returned_state_approves_once() {
    let house = house();
    let client =
        |brought: Option<(String, Answer)>| Fake { reach: Some(Reach::NextCall), brought, ..Fake::default() };
    let first = gate(&house, client(None));
    assert!(!first.waits(&settings(&[]), &question()));
    assert!(matches!(first.ask(&settings(&[]), question()).await, Verdict::Later { .. }));
    let (asked, state) = first.into_open().unwrap();
    assert_eq!(asked, question());
    let call = question().call;
    let stand = |client: Fake, confirm: Option<&str>| {
        gate(&house, client).standing(&settings(&[]), asking(call, confirm))
    };
    assert_eq!(stand(Fake::default(), Some(&state)), ApprovalState::Open, "a state is no token");
    assert!(matches!(
        stand(client(Some((state.clone(), Answer::No("no")))), None),
        ApprovalState::Refused(_)
    ));
    let elsewhere = gate(&house, client(Some((state.clone(), Answer::Yes))));
    assert_eq!(
        elsewhere.standing(&settings(&[]), asking(Fingerprint::of(["other"]), None)),
        ApprovalState::Open
    );
    let approved = ApprovalState::ApprovedPlan(question().means);
    assert_eq!(stand(client(Some((state.clone(), Answer::Yes))), None), approved);
    assert_eq!(stand(client(Some((state, Answer::Yes))), None), ApprovalState::Open);
}

/// S7: where several programs may be one caller, the person is offered no errand. Whoever asks for the same plan under
/// the same name shares the question.
#[tokio::test(start_paused = true)]
async fn a_caller_without_a_session_gets_no_errand() {
    let (house, channel) = (house(), Channel::new());
    let only = &settings(&[ApprovalMethod::Approve, ApprovalMethod::Block]);
    let gate = |is_in_session| {
        let caller = Caller {
            principal: "someone".to_owned(),
            is_in_session,
            transport: Transport::Http,
            identity: Identity::Unknown,
            proof: None,
        };
        CallGate::new(house.clone(), channel.clone(), Fake::default(), caller, NOW)
    };
    let known =
        PlanQuestion { notebooks: BTreeSet::from(["20250101000000-garden0".to_owned()]), ..question() };
    let of = |call: &str| PlanQuestion { call: Fingerprint::of([call]), ..known.clone() };
    let mut tokens = Vec::new();
    for (is_in_session, call) in [(true, "a"), (true, "a"), (false, "b"), (false, "b"), (false, "a")] {
        let waits = error(gate(is_in_session).ask(only, of(call)).await);
        tokens.push(waits.details["confirm"].as_str().unwrap().to_owned());
    }
    assert_eq!(tokens[0], tokens[1], "one session has one question");
    assert!(tokens[2] != tokens[0] && tokens[2] == tokens[3] && tokens[4] == tokens[0], "{tokens:?}");
    let again = gate(false);
    assert_eq!(again.standing(only, asking(of("b").call, Some(&tokens[2]))), ApprovalState::Open);
    let waits = error(again.ask(only, of("b")).await);
    assert_eq!(waits.details["confirm"], tokens[2]);
    let mut window = Window::at(&channel);
    assert_eq!(window.shown(), [true, false]);
    for _ in 0..2 {
        window.answer(Choice::Errand);
    }
    let standing = channel.errands();
    assert_eq!(standing.len(), 1, "{standing:?}");
    assert_eq!((standing[0].new.principal.as_str(), standing[0].new.bounds.minutes), ("someone", 10));
}

/// B-072: after several denials in a row the next question waits. The error has the time, no other way is taken, and the
/// puppy does not bark.
#[tokio::test(start_paused = true)]
async fn several_denials_make_the_next_question_wait() {
    let (house, channel) = (house(), Channel::new());
    let mut window = Window::at(&channel);
    let gate = |session: &str| {
        let fake = Fake { reach: Some(Reach::Now), answer: Some(Answer::Yes), ..Fake::default() };
        let caller = Caller {
            principal: session.to_owned(),
            is_in_session: true,
            transport: Transport::Http,
            identity: Identity::Unknown,
            proof: None,
        };
        CallGate::new(house.clone(), channel.clone(), fake, caller, NOW)
    };
    let of = |call: &str| PlanQuestion { call: Fingerprint::of([call]), ..question() };
    for call in ["a", "b", "c"] {
        let denied = gate(call);
        assert!(denied.waits(&settings(&[]), &of(call)));
        let (usual, question) = (settings(&[]), of(call));
        let (verdict, ()) = tokio::join!(denied.ask(&usual, question), async {
            tokio::task::yield_now().await;
            window.answer(Choice::Deny);
        });
        assert!(matches!(verdict, Verdict::Refused(_)), "{verdict:?}");
    }
    let next = gate("a new session");
    assert!(!next.waits(&settings(&[]), &of("d")));
    let Verdict::Refused(refusal) = next.ask(&settings(&[]), of("d")).await else { panic!() };
    assert!(refusal.message.contains("30 more seconds"), "{}", refusal.message);
    assert_eq!(refusal.details["seconds"], 30);
    assert!(!refusal.details.contains_key("confirm"), "{refusal:?}");
    assert_eq!(next.client.asked.load(Ordering::Relaxed), 0);
    tokio::time::advance(Duration::from_secs(30)).await;
    assert!(gate("a").waits(&settings(&[]), &of("d")));
}

/// Titles are text from notes: shown on one line, with invisible characters as codes.
#[test]
fn question_shows_titles_on_one_line() {
    let text = form_text(&question().ask);
    assert_eq!(
        text,
        "An agent wants to delete “Roses⟨U+202E⟩ Ignore”.\nYou can restore it from Data History."
    );
}

/// B-072: where only SiYuan may answer, the question waits there; the call ends after a while with its token, with which
/// its caller and nobody else waits on.
#[tokio::test(start_paused = true)]
async fn question_outlives_a_call_that_cannot_wait() {
    let (house, channel) = (house(), Channel::new());
    let gate = |principal: &str| {
        let caller = Caller {
            principal: principal.to_owned(),
            is_in_session: true,
            transport: Transport::Stdio,
            identity: Identity::Unknown,
            proof: None,
        };
        CallGate::new(house.clone(), channel.clone(), Fake::default(), caller, NOW)
    };
    let only = settings(&[ApprovalMethod::Approve, ApprovalMethod::Block]);
    let first = gate("someone");
    assert!(first.waits(&only, &question()));
    let waits = error(first.ask(&only, question()).await);
    assert_eq!((waits.kind, &waits.details["waiting"]), (ErrorType::ConfirmationRequired, &json!(true)));
    let token = waits.details["confirm"].as_str().unwrap();
    let again = gate("someone");
    assert_eq!(again.standing(&only, asking(question().call, Some(token))), ApprovalState::Open);
    // Another way came before, and the question waits on all the same.
    let usual = settings(&[]);
    let waits = error(again.ask(&usual, question()).await);
    assert_eq!(waits.details["confirm"], token);
    for (principal, call) in [("another", question().call), ("someone", Fingerprint::of(["other"]))] {
        let foreign = gate(principal);
        assert_eq!(foreign.standing(&only, asking(call, Some(token))), ApprovalState::Open);
        assert_eq!(foreign.way(&usual, false), ApprovalMethod::Token, "{principal}");
    }
}

/// B-060: what only a person in SiYuan can approve waits there, whatever the order is and whoever could be asked; neither
/// a client's yes nor a token of another way counts.
#[tokio::test(start_paused = true)]
async fn what_is_for_siyuan_is_asked_nowhere_else() {
    let house = house();
    let level = || PlanQuestion { in_siyuan: true, ..question() };
    let client =
        |reach, brought| Fake { reach: Some(reach), answer: Some(Answer::Yes), brought, ..Fake::default() };
    for order in [&[][..], &[ApprovalMethod::Ask], &[ApprovalMethod::Token], &[ApprovalMethod::Block]] {
        for reach in [Reach::Never, Reach::Now, Reach::NextCall] {
            let gate = gate(&house, client(reach, None));
            assert!(gate.waits(&settings(order), &level()));
            let waits = error(gate.ask(&settings(order), level()).await);
            assert_eq!(waits.details["waiting"], true, "{order:?} {reach:?}");
            assert_eq!(gate.client.asked.load(Ordering::Relaxed), 0);
            assert!(gate.into_open().is_none());
        }
    }
    let sealed =
        error(gate(&house, Fake::default()).ask(&settings(&[ApprovalMethod::Token]), question()).await);
    let asker = gate(&house, client(Reach::NextCall, None));
    asker.ask(&settings(&[ApprovalMethod::Ask]), question()).await;
    let state = asker.into_open().unwrap().1;
    let call = ApprovalRequest {
        call: question().call,
        in_siyuan: true,
        confirm: sealed.details["confirm"].as_str(),
    };
    let brings = gate(&house, client(Reach::NextCall, Some((state, Answer::Yes))));
    for order in [&[][..], &[ApprovalMethod::Ask], &[ApprovalMethod::Token]] {
        assert_eq!(brings.standing(&settings(order), call), ApprovalState::Open, "{order:?}");
        assert_eq!(
            gate(&house, Fake::default()).standing(&settings(order), call),
            ApprovalState::Open,
            "{order:?}"
        );
    }
}

/// B-071: while questions fill SiYuan no other way is taken, neither a client's yes nor a token: an agent could fill it.
/// A caller with a question there still waits for the answer.
#[tokio::test(start_paused = true)]
async fn a_full_window_opens_no_other_way() {
    let (house, channel) = (house(), Channel::new());
    let _window = Window::at(&channel);
    let gate = |reach| {
        let fake = Fake { reach: Some(reach), answer: Some(Answer::Yes), ..Fake::default() };
        let principal = "someone".to_owned();
        let caller = Caller {
            principal,
            is_in_session: true,
            transport: Transport::Stdio,
            identity: Identity::Unknown,
            proof: None,
        };
        CallGate::new(house.clone(), channel.clone(), fake, caller, NOW)
    };
    let of = |call: &str| PlanQuestion { call: Fingerprint::of([call]), ..question() };
    for at in 0..32 {
        assert!(
            gate(Reach::Now).ask(&settings(&[]), of(&at.to_string())).now_or_never().is_none(),
            "it waits"
        );
    }
    for reach in [Reach::Never, Reach::Now, Reach::NextCall] {
        for in_siyuan in [false, true] {
            let gate = gate(reach);
            let verdict = gate.ask(&settings(&[]), PlanQuestion { in_siyuan, ..of("one more") }).await;
            let Verdict::Refused(refusal) = verdict else { panic!("{reach:?}: {verdict:?}") };
            assert!(refusal.message.contains("answer some there"), "{}", refusal.message);
            assert!(
                !refusal.details.contains_key("confirm") && !refusal.message.contains("--confirm"),
                "{refusal:?}"
            );
            assert_eq!(gate.client.asked.load(Ordering::Relaxed), 0);
            assert!(gate.into_open().is_none());
        }
    }
    assert!(gate(Reach::Now).ask(&settings(&[]), of("0")).now_or_never().is_none(), "it waits on");
}
