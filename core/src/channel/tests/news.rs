//! News over the simulated channel: requests for a hello, changes of settings and notebooks, and what calls touched.

use super::*;
use crate::permission::Level;

/// B-010: a change is held once every living sidecar has said so; other pages hear of it.
#[test]
fn a_change_is_held_when_every_sidecar_says_so() {
    let mut channel = Channel::new(2);
    let (ticket, text) = channel.pages[0].changed(&["notebookPermissions"], channel.now);
    assert!(!channel.pages[0].holds(ticket, channel.now));
    channel.page_says(0, text);
    let heard = News::Changed(vec!["notebookPermissions".to_owned()]);
    assert!(channel.news.contains(&(1, heard)));
    let Some(Duty::Reread { ticket: Some((page, number)), rights: true }) = channel.duties.pop() else {
        panic!()
    };
    let held = channel.sidecar.held(page, number).into_iter().collect();
    channel.work(held);
    assert!(channel.pages[0].holds(ticket, channel.now));
    // A sidecar that died is not waited for.
    let (ticket, _) = channel.pages[0].changed(&[], channel.now);
    assert!(!channel.pages[0].holds(ticket, channel.now));
    assert!(channel.pages[0].holds(ticket, channel.now + 5_000));
}

/// B-010, B-290: what a sidecar has written others read again; pages hear of it, and of what a call touched.
#[test]
fn a_sidecars_news_are_heard() {
    let mut channel = Channel::new(1);
    channel.news.clear();
    let mut other = SidecarEnd::new("1");
    other.connected(Key::new(KEY), 2, channel.now);
    let Some(Duty::Send(text)) = channel.sidecar.changed(&["agentNotebooks"], channel.now) else { panic!() };
    assert_eq!(other.receive(&text, channel.now, [0, 0]), [Duty::Reread { ticket: None, rights: true }]);
    channel.spread(&text, None);
    let touched = TouchedPlace { doc: Some("d".to_owned()), block: None, level: Level::Write };
    let duty = channel.sidecar.touched(touched.clone(), channel.now);
    channel.work(duty.into_iter().collect());
    // An agent that calls in a loop does not keep the pages busy.
    assert_eq!(channel.sidecar.touched(touched.clone(), channel.now + 499), None);
    assert!(channel.sidecar.touched(touched.clone(), channel.now + 500).is_some());
    let changed = News::Changed(vec!["agentNotebooks".to_owned()]);
    assert_eq!(channel.news, [(0, changed), (0, News::Touched(touched))]);
}

/// B-010: others are notified at most twice a second of changes of the list of notebooks, and always of the last one.
/// Changes of settings are sent immediately. Without a connection, changes wait for the next one.
#[test]
fn changes_of_the_list_of_notebooks_are_gathered() {
    let mut channel = Channel::new(0);
    let (mut other, now) = (SidecarEnd::new("1"), channel.now);
    other.connected(Key::new(KEY), 2, now);
    let mut rereads = |duties: Vec<Duty>| {
        let hear = |duty| match duty {
            Duty::Send(text) => other.receive(&text, now, [0, 0]),
            _ => Vec::new(),
        };
        let heard: Vec<Duty> = duties.into_iter().flat_map(hear).collect();
        heard.into_iter().map(|it| it == Duty::Reread { ticket: None, rights: true }).collect::<Vec<_>>()
    };
    assert_eq!(rereads(channel.sidecar.changed(&[], now).into_iter().collect()), [false]);
    for late in [1, 250, 499] {
        assert_eq!(channel.sidecar.changed(&[], now + late), None);
    }
    assert_eq!((channel.sidecar.due(), channel.sidecar.tick(now + 499)), (Some(now + 500), Vec::new()));
    assert_eq!(rereads(channel.sidecar.tick(now + 500)), [false]);
    assert_eq!(channel.sidecar.changed(&[], now + 501), None);
    let both = channel.sidecar.changed(&["notebookPermissions"], now + 502);
    assert_eq!(rereads(both.into_iter().collect()), [true]);
    assert_eq!(channel.sidecar.tick(now + 1_900), []);
    channel.sidecar.disconnected();
    for files in [&["agentNotebooks"][..], &[], &["notebookPermissions"], &["agentNotebooks"]] {
        assert_eq!(channel.sidecar.changed(files, now + 1_901), None);
    }
    assert_eq!(channel.sidecar.due(), None);
    assert_eq!(rereads(channel.sidecar.connected(Key::new(KEY), 3, now + 1_902)), [true]);
    assert_eq!(channel.sidecar.unsent(), None);
    channel.sidecar.disconnected();
    channel.sidecar.changed(&["notebookPermissions"], now + 1_903);
    channel.sidecar.changed(&["agentNotebooks"], now + 1_903);
    channel.sidecar.changed(&["notebookPermissions"], now + 1_903);
    let files = ["agentNotebooks", "notebookPermissions"];
    assert_eq!(channel.sidecar.unsent().as_deref(), Some(&files[..]));
}

/// B-181: every request for a hello is answered with an introduction, and many within a second with one.
#[test]
fn hello_requests_are_answered_once_a_second() {
    let mut channel = Channel::new(0);
    let introduces = |duties: Vec<Duty>| matches!(duties.as_slice(), [Duty::Send(_)]);
    let now = channel.now;
    assert!(introduces(channel.sidecar.receive(HELLO_REQUEST, now, [1, 0])));
    assert_eq!(channel.sidecar.due(), Some(now + 2_000), "the next beat");
    for (at, late) in [1, 500, 999].into_iter().enumerate() {
        assert_eq!(channel.sidecar.receive(HELLO_REQUEST, now + late, [at as u64, 0]), []);
    }
    assert_eq!((channel.sidecar.due(), channel.sidecar.tick(now + 999)), (Some(now + 1_000), Vec::new()));
    assert!(introduces(channel.sidecar.tick(now + 1_000)));
    assert_eq!(channel.sidecar.tick(now + 1_999), []);
    assert!(introduces(channel.sidecar.receive(HELLO_REQUEST, now + 2_000, [5, 0])));
    channel.sidecar.receive(HELLO_REQUEST, now + 2_001, [6, 0]);
    channel.sidecar.disconnected();
    assert_eq!(channel.sidecar.receive(HELLO_REQUEST, now + 9_000, [7, 0]), []);
    assert_eq!(channel.sidecar.due(), None);
}
