//! Recorded channels against ends that restarted: a message counts as presence only if it answers this very end.

use super::*;

/// Introduces a page that is new each time, as a recording of many days holds them.
fn introductions(many: u64) -> impl Iterator<Item = String> {
    (0..many).map(|at| PageEnd::new("1", &ABILITIES, true).connected(Key::new(KEY), 5_000 + at))
}

/// B-190: a server that restarts hears everything that was said to its predecessor, and believes that no window is
/// open until a page answers its own introduction.
#[test]
fn a_recorded_channel_opens_no_window_for_a_restarted_server() {
    let mut channel = Channel::new(2);
    channel.ask(question());
    channel.answer(0, Choice::Errand);
    let focus = channel.pages[1].focus(true, channel.now);
    channel.page_says(1, focus);
    channel.pass(MINUTE);
    let recorded = channel.sent.clone();
    let mut restarted = SidecarEnd::new("1");
    restarted.connected(Key::new(KEY), 77, channel.now);
    for text in recorded.iter().chain(&recorded) {
        restarted.receive(text, channel.now, [1, 2]);
        assert!(!restarted.has_page("get_ui_state", channel.now));
        assert!(!restarted.hears_changes(channel.now));
    }
    let mut page = PageEnd::new("1", &ABILITIES, true);
    page.connected(Key::new(KEY), 78);
    for text in recorded.iter().chain(&recorded) {
        page.receive(text, channel.now);
        assert_eq!(page.sidecars(channel.now), 0);
    }
    // Between old messages both find each other.
    let Some(Duty::Send(hello)) = restarted.introduce(channel.now) else { panic!() };
    let [News::Send(answer)] = &page.receive(&hello, channel.now)[..] else { panic!() };
    for text in &recorded {
        restarted.receive(text, channel.now, [1, 2]);
    }
    assert!(!restarted.has_page("get_ui_state", channel.now));
    restarted.receive(answer, channel.now, [1, 2]);
    assert!(restarted.has_page("get_ui_state", channel.now));
}

/// B-190: old introductions, however many, do not make an end forget which messages to itself it has heard. A page that
/// left does not come back by its own recorded greeting.
#[test]
fn many_recorded_introductions_bring_back_no_page_that_left() {
    let mut channel = Channel::new(1);
    let recorded = channel.sent.clone();
    let bye = channel.pages[0].leave(channel.now);
    channel.page_says(0, bye);
    channel.pages.clear();
    assert!(!channel.sidecar.has_page("get_ui_state", channel.now));
    for text in introductions(1_500).chain(recorded) {
        channel.sidecar.receive(&text, channel.now, [1, 2]);
        assert!(!channel.sidecar.has_page("get_ui_state", channel.now));
    }
}

/// The same on the other side: a server that ended is not shown as running.
#[test]
fn many_recorded_introductions_bring_back_no_server_that_ended() {
    let mut channel = Channel::new(1);
    let recorded = channel.sent.clone();
    let bye = channel.sidecar.leave(channel.now);
    channel.spread(&bye.unwrap(), None);
    assert_eq!(channel.pages[0].sidecars(channel.now), 0);
    let others = (0..1_500).map(|at| {
        let mut other = SidecarEnd::new("1");
        let Duty::Send(text) = other.connected(Key::new(KEY), 5_000 + at, 0).remove(0) else { panic!() };
        text
    });
    for text in others.collect::<Vec<_>>().iter().chain(&recorded) {
        channel.pages[0].receive(text, channel.now);
        assert_eq!(channel.pages[0].sidecars(channel.now), 0);
    }
}
