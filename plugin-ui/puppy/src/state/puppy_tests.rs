//! The puppy's states under a simulated clock.

use super::*;

/// A puppy, its file, and the writer of the file.
struct Play {
    puppy: Puppy,
    file: EventFile,
    seq: u64,
}

impl Play {
    fn new() -> Play {
        let mut puppy = Puppy::new(0, 1, false);
        puppy.feed(0, None);
        puppy.feed(0, Some(&EventFile::default()));
        Play { puppy, file: EventFile::default(), seq: 0 }
    }

    fn write(&mut self, ts: u64, path: &str, status: CallStatus) -> &mut Event {
        self.seq += 1;
        let (tool, action) = path.split_once('.').unwrap();
        self.file.add([Event {
            seq: self.seq,
            instance: "one".into(),
            tool: tool.into(),
            action: action.into(),
            status,
            ts,
            duration_ms: None,
            notebook: None,
            doc: None,
            item: None,
            title: None,
            client: None,
            agent: None,
            waited_ms: None,
            error_type: None,
        }]);
        self.file.events.last_mut().unwrap()
    }

    fn read(&mut self, now: u64) -> &'static str {
        self.puppy.feed(now, Some(&self.file));
        self.at(now)
    }

    fn at(&mut self, now: u64) -> &'static str {
        self.puppy.advance(now);
        self.puppy.scene(now).state.word()
    }
}

/// B-293: acting for 600 ms even if the call was over before the poll, then the result for 1.8 s.
#[test]
fn call_shows_acting_then_result_then_idle() {
    for (status, word) in
        [(CallStatus::Success, "success"), (CallStatus::Error, "error"), (CallStatus::Dangerous, "dangerous")]
    {
        let mut play = Play::new();
        play.write(100, "notebook.list", CallStatus::Running);
        play.write(105, "notebook.list", status);
        assert_eq!(play.read(500), "reading");
        assert_eq!(play.puppy.scene(500).tool, Some(Tool::Notebook));
        assert_eq!(
            [play.at(1_099), play.at(1_100), play.at(2_899), play.at(2_900)],
            ["reading", word, word, "idle"]
        );
    }
}

/// B-293: a result waits for the acting time that is left, and no longer.
#[test]
fn late_result_is_shown_at_once() {
    let mut play = Play::new();
    play.write(0, "fs.read", CallStatus::Running);
    assert_eq!(play.read(0), "reading");
    play.write(900, "fs.read", CallStatus::Success);
    assert_eq!(play.read(1_000), "success");
    assert_eq!([play.at(2_799), play.at(2_800)], ["success", "idle"]);
}

/// B-030: a cancelled call is neither done nor failed.
#[test]
fn cancelled_call_returns_to_idle() {
    let mut play = Play::new();
    play.write(0, "fs.read", CallStatus::Running);
    assert_eq!(play.read(0), "reading");
    play.write(900, "fs.read", CallStatus::Success).error_type = Some("cancelled".into());
    assert_eq!(play.read(1_000), "idle");
}

/// B-293: of several new events the newest counts.
#[test]
fn older_events_are_skipped() {
    let mut play = Play::new();
    play.write(1, "document.remove", CallStatus::Dangerous);
    play.write(2, "fs.read", CallStatus::Error);
    play.write(3, "notebook.create", CallStatus::Running);
    assert_eq!(play.read(10), "writing");
    assert_eq!(play.at(2_000), "writing");
}

/// B-294: with a poll every 500 ms a second call is seen within 700 ms, and the first is held for 600.
#[test]
fn second_call_waits_for_the_first_calls_remaining_time() {
    let mut play = Play::new();
    play.write(0, "fs.read", CallStatus::Running);
    assert_eq!(play.read(0), "reading");
    play.write(10, "notebook.create", CallStatus::Running);
    assert_eq!([play.read(500), play.at(599), play.at(600)], ["reading", "reading", "writing"]);
}

/// B-293: a torn or missing file keeps the last state.
#[test]
fn torn_event_file_keeps_the_state() {
    let mut play = Play::new();
    play.write(0, "notebook.create", CallStatus::Running);
    play.read(0);
    play.puppy.feed(500, None);
    assert_eq!(play.at(500), "writing");
    assert_eq!(play.read(1_000), "writing", "nothing is new, so nothing begins again");
    assert_eq!(play.puppy.shown.since, 0);
}

#[test]
fn writers_are_distinguished_by_instance() {
    let mut play = Play::new();
    play.write(0, "fs.read", CallStatus::Success);
    play.read(0);
    assert_eq!(play.at(5_000), "idle");
    play.write(5_000, "notebook.create", CallStatus::Running).instance = "two".into();
    play.file.events.last_mut().unwrap().seq = 1;
    assert_eq!(play.read(5_100), "writing");
}

#[test]
fn events_from_before_the_start_are_skipped() {
    let mut play = Play::new();
    play.write(0, "notebook.create", CallStatus::Success);
    play.puppy.resume(60_000);
    assert_eq!(play.read(60_000), "idle");
    play.write(60_100, "fs.read", CallStatus::Running);
    play.puppy.resume(65_000);
    assert_eq!(play.read(65_000), "reading", "a call that still runs is the present");
}

/// A workspace without a file of events: its first event is news, however late it is read.
#[test]
fn first_event_of_a_new_workspace_is_shown() {
    let mut play = Play::new();
    play.write(1_000, "fs.read", CallStatus::Success);
    assert_eq!(play.read(6_000), "reading");
}

#[test]
fn unfinished_call_times_out() {
    let mut play = Play::new();
    play.write(0, "fs.read", CallStatus::Running);
    play.read(0);
    assert_eq!([play.at(59_999), play.at(60_000)], ["reading", "idle"]);
}

#[test]
fn silent_kernel_is_shown_after_three_seconds() {
    let mut play = Play::new();
    play.puppy.silence(1_000);
    assert_eq!(play.at(1_000), "idle");
    play.puppy.silence(4_000);
    assert_eq!(play.at(4_000), "offline");
    play.puppy.feed(5_000, None);
    assert_eq!(play.at(5_000), "idle");
}

#[test]
fn refusal_differs_from_failure() {
    let mut play = Play::new();
    play.write(0, "fs.write", CallStatus::Error).error_type = Some("permission_denied".into());
    play.read(0);
    play.at(700);
    assert_eq!(play.puppy.scene(700).state, State::Denied);
    assert_eq!(play.puppy.scene(700).state.word(), "denied");
}

/// After a no, the puppy shows the refusal and nothing of the deed, which never ran.
#[test]
fn refused_deed_is_never_shown_as_running() {
    for error in ["denied", "expired", "permission_denied", "paused"] {
        let mut play = Play::new();
        play.write(0, "document.remove", CallStatus::Running);
        assert_eq!(play.read(0), "deleting");
        play.puppy.ask(100, true);
        play.write(3_000, "document.remove", CallStatus::Dangerous);
        assert_eq!(play.read(3_000), "question");
        play.puppy.ask(4_000, false);
        assert_eq!((play.at(4_000), play.puppy.scene(4_000).says), ("idle", None));
        play.write(4_100, "document.remove", CallStatus::Error).error_type = Some(error.into());
        assert_eq!(
            [play.read(4_200), play.at(5_999), play.at(6_000)],
            ["denied", "denied", "idle"],
            "{error}"
        );
    }
}

#[test]
fn withdrawn_question_leaves_the_bubble() {
    let mut play = Play::new();
    play.puppy.ask(0, true);
    play.at(0);
    assert_eq!(play.puppy.scene(0).says, Some(State::Question));
    play.puppy.ask(1_000, false);
    assert_eq!((play.at(1_000), play.puppy.scene(1_000).says), ("idle", None));
}

#[test]
fn concurrent_calls_show_one_pose_with_a_count() {
    let mut play = Play::new();
    for ts in 0..6 {
        play.write(ts * 50, "fs.read", CallStatus::Running);
        play.write(ts * 50 + 5, "fs.read", CallStatus::Success);
    }
    assert_eq!(play.read(300), "reading");
    assert_eq!(play.puppy.scene(300).burst, 6);
    for ts in 6..12 {
        play.write(ts * 50, "notebook.create", CallStatus::Running);
        play.write(ts * 50 + 5, "notebook.create", CallStatus::Success);
    }
    assert_eq!(play.read(800), "reading", "the pose does not restart");
    assert_eq!(play.puppy.scene(800).burst, 12);
    assert_eq!([play.at(1_999), play.at(2_000)], ["reading", "success"]);
}

/// B-294, B-297: the clock knows every change; between changes nothing has to run.
#[test]
fn clock_wakes_exactly_for_changes() {
    let mut play = Play::new();
    play.write(0, "fs.read", CallStatus::Running);
    play.write(1, "fs.read", CallStatus::Success);
    play.read(0);
    let mut now = 0;
    let mut changes = Vec::new();
    while let Some(next) = play.puppy.wake_at(now).filter(|it| *it < 20_000) {
        assert!(next > now);
        now = next;
        changes.push((now, play.at(now)));
    }
    assert!(changes.contains(&(600, "success")) && changes.contains(&(2_400, "idle")), "{changes:?}");
    assert!(changes.len() < 16, "{changes:?}");
}

/// B-298: every state yields to those before it in the order, and comes back when they are over.
#[test]
fn highest_ranked_state_is_shown() {
    let mut play = Play::new();
    play.puppy.pause(0, true);
    assert_eq!(play.at(0), "paused");
    play.puppy.silence(1);
    play.puppy.silence(3_001);
    assert_eq!(play.at(3_001), "offline");
    play.puppy.pet(3_100);
    assert_eq!(play.at(3_100), "petting");
    play.puppy.treat(3_200, ShopItem::Ball);
    assert_eq!(play.at(3_200), "playing");
    play.puppy.treat(3_250, ShopItem::Fish);
    assert_eq!(play.at(3_250), "eating");
    play.write(3_300, "fs.write", CallStatus::Running);
    assert_eq!(play.read(3_300), "writing");
    play.write(3_400, "fs.write", CallStatus::Error);
    assert_eq!([play.read(3_400), play.at(3_900)], ["writing", "error"]);
    play.puppy.ask(4_000, true);
    assert_eq!(play.at(4_000), "question");
    play.puppy.drag(4_100);
    assert_eq!(play.at(4_100), "dragging");
    play.puppy.land(4_200);
    assert!(play.puppy.scene(4_200).lands && !play.puppy.scene(4_380).lands);
    assert_eq!(play.at(4_200), "question");
    play.puppy.ask(4_300, false);
    assert_eq!([play.at(4_300), play.at(5_699), play.at(5_700)], ["error", "error", "eating"]);
    assert_eq!([play.at(13_249), play.at(13_250)], ["eating", "paused"]);
    play.puppy.pause(14_000, false);
    assert_eq!(play.at(14_000), "idle");
}

/// B-299: a purchase is a meal of ten seconds once the call was seen, also when it is not the newest event.
#[test]
fn purchase_is_eaten_for_ten_seconds() {
    for is_newest in [true, false] {
        let mut play = Play::new();
        play.write(0, "mascot.buy", CallStatus::Success).item = Some("fish".into());
        if !is_newest {
            play.write(1, "fs.read", CallStatus::Success);
        }
        play.read(0);
        let from = if is_newest { 600 } else { 2_400 };
        assert_ne!(play.at(from - 1), "eating");
        assert_eq!(play.at(from), "eating");
        assert_eq!(play.puppy.scene(from).item, Some(ShopItem::Fish));
        assert_eq!([play.at(10_599), play.at(10_600)], ["eating", "idle"]);
    }
}

/// A failure is held for its whole time; a success gives way to the next call, which is seen within 700 ms.
#[test]
fn failure_keeps_its_time_and_success_yields() {
    for (status, word, until) in
        [(CallStatus::Error, "error", 2_400), (CallStatus::Success, "success", 1_200)]
    {
        let mut play = Play::new();
        play.write(0, "fs.read", CallStatus::Running);
        play.write(1, "fs.read", status);
        play.read(0);
        assert_eq!(play.at(600), word);
        play.write(700, "fs.write", CallStatus::Running);
        assert_eq!(play.read(700), word);
        assert_eq!([play.at(until - 1), play.at(until)], [word, "writing"]);
    }
}

/// B-296: one success in eight has hearts; without motion there are none.
#[test]
fn one_success_in_eight_has_hearts() {
    for (calm, most) in [(false, 180), (true, 0)] {
        let mut play = Play::new();
        play.puppy.set_calm(calm);
        let mut hearts = 0;
        for round in 0..1_000 {
            let now = round * 10_000;
            play.write(now, "fs.read", CallStatus::Running);
            play.write(now + 1, "fs.read", CallStatus::Success);
            play.read(now);
            assert_eq!(play.at(now + 700), "success");
            hearts += u32::from(play.puppy.scene(now + 700).hearts);
        }
        assert!(hearts <= most && (calm || hearts >= 80), "{hearts}");
    }
}

/// Clothes stay; food and toys go after their time.
#[test]
fn bow_is_worn_until_replaced() {
    let mut play = Play::new();
    play.write(0, "mascot.buy", CallStatus::Success).item = Some("bow".into());
    play.read(0);
    assert_eq!(play.at(600), "playing");
    assert_eq!(play.at(20_000), "idle");
    let scene = play.puppy.scene(20_000);
    assert!(scene.wears && scene.item.is_none(), "{scene:?}");
}

/// The bubble names a result for 2.4 s and a failure for 5 s, even if the puppy is idle again, and a question until
/// it is answered; it never names a person's own doings.
#[test]
fn bubble_outlasts_the_picture() {
    for (status, word, until) in
        [(CallStatus::Success, State::Success, 3_000), (CallStatus::Error, State::Error, 5_600)]
    {
        let mut play = Play::new();
        play.write(0, "fs.read", CallStatus::Running);
        play.write(1, "fs.read", status);
        play.read(0);
        let mut says = |now| {
            play.at(now);
            play.puppy.scene(now).says
        };
        assert_eq!([says(0), says(599), says(600)].map(|it| it == Some(word)), [false, false, true]);
        assert_eq!(
            [says(2_399), says(2_400), says(until - 1), says(until)],
            [Some(word), Some(word), Some(word), None]
        );
        play.puppy.ask(7_000, true);
        play.at(7_000);
        assert_eq!([play.at(7_000), play.at(900_000)], ["question"; 2]);
        assert_eq!(play.puppy.scene(900_000).says, Some(State::Question));
        play.puppy.ask(900_001, false);
        play.puppy.pet(900_001);
        assert_eq!((play.at(900_001), play.puppy.scene(900_001).says), ("petting", None));
    }
}

/// A meal, a silent kernel and a pause are named too, every time.
#[test]
fn bubble_names_meals_pauses_and_silence() {
    for state in [State::Eating, State::Offline, State::Paused] {
        let mut play = Play::new();
        for from in [0, 100_000] {
            match state {
                State::Eating => play.puppy.treat(from, ShopItem::Bone),
                State::Offline => [from, from + 3_000].iter().for_each(|now| play.puppy.silence(*now)),
                _ => play.puppy.pause(from, true),
            }
            let from = if state == State::Offline { from + 3_000 } else { from };
            let seen =
                [from, from + 2_399, from + 2_400].map(|now| (play.at(now), play.puppy.scene(now).says));
            let (word, says) = (state.word(), Some(state));
            assert_eq!(seen, [(word, says), (word, says), (word, None)]);
            play.puppy.pause(from + 30_000, false);
            assert_eq!(play.read(from + 30_000), "idle");
        }
    }
}

/// The mood follows from the last meal, calls and what happens; calls do not wait for the file of coins to be read again.
#[test]
fn mood_follows_meals_and_calls() {
    const HOUR: u64 = 3_600_000;
    let mut play = Play::new();
    let meal = Meal { item: "bone".into(), at: 0, calls: 10 };
    play.puppy.remember(Past { bow: true, meal: Some(meal), calls: 40 });
    let mood = |play: &mut Play, now| {
        play.at(now);
        play.puppy.scene(now).mood
    };
    assert!(play.puppy.scene(0).wears);
    assert_eq!(
        [0, HOUR / 2, HOUR / 2 + 1].map(|now| mood(&mut play, now)),
        [Mood::Happy, Mood::Happy, Mood::Content]
    );
    assert_eq!([HOUR, HOUR + 1].map(|now| mood(&mut play, now)), [Mood::Content, Mood::Asleep]);
    play.puppy.pet(5 * HOUR);
    assert_eq!(mood(&mut play, 5 * HOUR), Mood::Content, "30 calls since, and awake");
    play.file.total_calls = 60;
    play.write(5 * HOUR, "fs.read", CallStatus::Success);
    play.read(5 * HOUR);
    assert_eq!(mood(&mut play, 5 * HOUR), Mood::Hungry);
    play.write(5 * HOUR + 1, "mascot.buy", CallStatus::Success).item = Some("bow".into());
    play.read(5 * HOUR + 1);
    assert_eq!(mood(&mut play, 5 * HOUR + 1), Mood::Hungry, "a bow is no meal");
    play.puppy.treat(5 * HOUR + 2, ShopItem::Cake);
    assert_eq!(
        [5, 9].map(|hour| (play.puppy.pet(hour * HOUR + 2), mood(&mut play, hour * HOUR + 2)).1),
        [Mood::Happy; 2]
    );
}
