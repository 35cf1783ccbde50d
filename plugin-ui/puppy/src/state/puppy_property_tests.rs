//! Properties under random events: the order of states, their least times, and no unannounced change.

use proptest::prelude::*;

use super::*;

/// An event in the puppy's life.
#[derive(Debug, Clone)]
enum Happening {
    Event(&'static str, &'static str, CallStatus, Option<&'static str>),
    Silence,
    Torn,
    Pet,
    Drag,
    Land,
    Ask(bool),
    Pause(bool),
    Treat(ShopItem),
}

fn happening() -> impl Strategy<Value = Happening> {
    let call =
        prop::sample::select(vec![("fs", "read"), ("fs", "write"), ("document", "remove"), ("tag", "x")]);
    let status = prop::sample::select(vec![
        CallStatus::Running,
        CallStatus::Success,
        CallStatus::Error,
        CallStatus::Dangerous,
    ]);
    let error = prop::option::of(prop::sample::select(vec!["permission_denied", "api_error"]));
    let event = (call, status, error).prop_map(|((tool, action), status, error)| {
        Happening::Event(tool, action, status, error.filter(|_| status == CallStatus::Error))
    });
    prop_oneof![
        6 => event,
        1 => Just(Happening::Silence),
        1 => Just(Happening::Torn),
        1 => Just(Happening::Pet),
        1 => Just(Happening::Drag),
        2 => Just(Happening::Land),
        1 => any::<bool>().prop_map(Happening::Ask),
        1 => any::<bool>().prop_map(Happening::Pause),
        1 => prop::sample::select(ShopItem::ALL.to_vec()).prop_map(Happening::Treat),
    ]
}

/// Until the next thing happens: mostly moments, now and then hours.
fn wait() -> impl Strategy<Value = u64> {
    prop_oneof![19 => 0..1_500u64, 1 => 0..18_000_000u64]
}

fn happen(puppy: &mut Puppy, file: &mut EventFile, now: u64, what: &Happening) {
    match *what {
        Happening::Event(tool, action, status, error) => {
            let seq = file.events.last().map_or(1, |it| it.seq + 1);
            file.add([Event {
                seq,
                instance: "one".into(),
                tool: tool.into(),
                action: action.into(),
                status,
                ts: now,
                duration_ms: None,
                notebook: None,
                doc: None,
                item: None,
                title: None,
                client: None,
                agent: None,
                waited_ms: None,
                error_type: error.map(Into::into),
            }]);
            puppy.feed(now, Some(file));
        }
        Happening::Silence => puppy.silence(now),
        Happening::Torn => puppy.feed(now, None),
        Happening::Pet => puppy.pet(now),
        Happening::Drag => puppy.drag(now),
        Happening::Land => puppy.land(now),
        Happening::Ask(waits) => puppy.ask(now, waits),
        Happening::Pause(paused) => puppy.pause(now, paused),
        Happening::Treat(item) => puppy.treat(now, item),
    }
    puppy.advance(now);
}

/// The least time of a call's picture.
fn least(state: State) -> u64 {
    match state {
        State::Acting(_) | State::Success => HOLD,
        State::Error | State::Denied | State::Dangerous => RESULT,
        _ => 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn states_keep_order_and_minimum_time(
        happenings in prop::collection::vec((wait(), happening()), 1..40),
        calm in any::<bool>(),
    ) {
        let (mut puppy, mut file) = (Puppy::new(0, 1, calm), EventFile::default());
        puppy.feed(0, Some(&file));
        let (mut now, mut last) = (0, puppy.shown.clone());
        for (wait, what) in &happenings {
            let until = now + wait;
            while now < until {
                // Nothing changes between two announced moments, so no other timer is needed.
                let next = puppy.wake_at(now).unwrap_or(until).min(until);
                prop_assert!(next > now, "it wakes in the past");
                let before = puppy.scene(now);
                puppy.advance(next - 1);
                prop_assert_eq!(before, puppy.scene(next - 1), "changed before {} unannounced", next);
                now = next;
                puppy.advance(now);
                prop_assert!(held(&puppy, &last), "{:?} was cut short by {:?}", last, puppy.shown);
                last = puppy.shown.clone();
            }
            let was_asked = puppy.is_asked;
            happen(&mut puppy, &mut file, now, what);
            let is_answered = was_asked && !puppy.is_asked;
            prop_assert!(is_answered || held(&puppy, &last), "{:?} was cut short by {:?}", last, puppy.shown);
            last = puppy.shown.clone();
            let state = puppy.scene(now).state;
            let first = [(puppy.is_dragged, State::Dragging), (puppy.is_asked, State::Question)];
            let expected = first.into_iter().find(|it| it.0).map_or(puppy.shown.state, |it| it.1);
            prop_assert!(state == expected || expected == State::Idle, "{:?} instead of {:?}", state, expected);
        }
    }
}

/// Whether what was shown last had its time. A silent kernel ends everything, and a refusal whatever may have run.
fn held(puppy: &Puppy, last: &ShownCall) -> bool {
    let is_same = (puppy.shown.state, puppy.shown.since) == (last.state, last.since);
    let is_refused =
        puppy.shown.state == State::Denied && !matches!(last.state, State::Error | State::Denied);
    is_same || is_refused || puppy.is_offline || puppy.shown.since >= last.since + least(last.state)
}
