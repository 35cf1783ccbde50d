//! The HTTP addresses of sidecars, as a page learns them, and as ends of earlier versions are treated.

use super::*;

const URL: &str = "http://127.0.0.1:40000/mcp";

fn page() -> PageEnd {
    let mut page = PageEnd::new("1", &ABILITIES, true);
    page.connected(Key::new(KEY), 2);
    page
}

/// A sidecar of this age that serves at a port, known to a page.
fn known(page: &mut PageEnd, id: u64, port: u16, age_ms: u64, now: u64) -> SidecarEnd {
    let mut sidecar = SidecarEnd::new("1");
    sidecar.serves(vec![format!("http://127.0.0.1:{port}/mcp")], false);
    let duties = sidecar.connected(Key::new(KEY), id, age_ms);
    meet(page, &mut sidecar, duties, age_ms, now);
    sidecar
}

/// Passes messages between both until neither has one left.
fn meet(page: &mut PageEnd, sidecar: &mut SidecarEnd, duties: Vec<Duty>, age_ms: u64, now: u64) {
    for duty in duties {
        let Duty::Send(text) = duty else { continue };
        for news in page.receive(&text, now) {
            let News::Send(text) = news else { continue };
            let more = sidecar.receive(&text, age_ms, [1, 2]);
            meet(page, sidecar, more, age_ms, now);
        }
    }
}

fn urls(page: &PageEnd, now: u64) -> Vec<String> {
    page.http_servers(now).into_iter().flat_map(|it| it.urls).collect()
}

/// A page knows the address of a server from the first greeting, until the server has gone; one on stdio has none.
#[test]
fn a_page_learns_the_address_of_a_server() {
    let mut channel = Channel::new(1);
    assert!(channel.pages[0].http_servers(channel.now).is_empty(), "a server on stdio");
    channel.sidecar.serves(vec![URL.to_owned()], true);
    channel.pass(3_000);
    let [announced] = &channel.pages[0].http_servers(channel.now)[..] else { panic!() };
    assert_eq!((announced.urls.as_slice(), announced.is_kept), (&[URL.to_owned()][..], true));
    assert!(announced.age_ms >= 1_000 && announced.age_ms <= channel.now, "{}", announced.age_ms);
    let bye = channel.sidecar.leave(channel.now).unwrap();
    channel.spread(&bye, None);
    assert!(channel.pages[0].http_servers(channel.now).is_empty());
}

/// The newest server comes first, in whatever order a page meets them, and stays first with each further greeting.
#[test]
fn the_newest_server_comes_first() {
    let (old, new) = ("http://127.0.0.1:1/mcp", "http://127.0.0.1:2/mcp");
    for is_old_first in [true, false] {
        let mut page = page();
        // Both are older than the page, whose clock has just begun.
        let mut ends = [(3, 1, 90_000), (4, 2, 20_000)];
        if !is_old_first {
            ends.reverse();
        }
        let ends = ends.map(|(id, port, age_ms)| (known(&mut page, id, port, age_ms, 10), age_ms));
        assert_eq!(urls(&page, 10), [new, old]);
        for (mut sidecar, age_ms) in ends {
            let duties = sidecar.tick(age_ms + 2_000);
            meet(&mut page, &mut sidecar, duties, age_ms + 2_000, 2_010);
            assert_eq!(urls(&page, 2_010), [new, old]);
        }
    }
}

/// An address that was recorded on an earlier connection is not believed.
#[test]
fn a_recorded_address_is_not_believed() {
    let mut before = page();
    let mut sidecar = SidecarEnd::new("1");
    sidecar.serves(vec![URL.to_owned()], true);
    let duties = sidecar.connected(Key::new(KEY), 3, 0);
    let Some(Duty::Send(open)) = duties.first() else { panic!() };
    let [News::Send(answer)] = &before.receive(open, 0)[..] else { panic!() };
    let Some(Duty::Send(greeting)) = sidecar.receive(answer, 0, [1, 2]).into_iter().next() else { panic!() };
    before.receive(&greeting, 0);
    assert_eq!(urls(&before, 0), [URL]);
    let mut after = PageEnd::new("1", &ABILITIES, true);
    after.connected(Key::new(KEY), 9);
    for text in [open, &greeting] {
        after.receive(text, 0);
        assert!(after.http_servers(0).is_empty());
    }
}

/// A hello without the field is read as one of a server without an address, a page sends none, and a field that this
/// version does not know is ignored.
#[test]
fn hellos_of_other_versions_are_read() {
    let text = r#"{"role":"sidecar","version":"0","abilities":[],"focus":false}"#;
    let hello: Hello = serde_json::from_str(text).unwrap();
    assert_eq!(hello.http, None);
    assert_eq!(serde_json::to_string(&hello).unwrap(), text);
    let later = text.replace("false}", r#"false,"http":{"urls":[],"is_kept":true,"age_ms":1,"x":2},"y":3}"#);
    let hello: Hello = serde_json::from_str(&later).unwrap();
    assert!(hello.http.is_some_and(|it| it.is_kept && it.urls.is_empty()));
}

/// The hash of a token is sent only to servers over HTTP, and counts as stored once they confirm it.
#[test]
fn a_token_is_kept_where_it_can_be_presented() {
    let hash = "0".repeat(64);
    let mut channel = Channel::new(1);
    let (_, servers, text) = channel.pages[0].token("kx3f9a2b", &hash, channel.now);
    assert_eq!((servers, text), (0, None), "a server on stdio");
    channel.sidecar.serves(vec![URL.to_owned()], true);
    channel.pass(3_000);
    for (hash, is_sound) in [(hash.as_str(), true), ("", true), ("00", false)] {
        channel.duties.clear();
        let (ticket, servers, text) = channel.pages[0].token("kx3f9a2b", hash, channel.now);
        assert_eq!(servers, 1);
        channel.page_says(0, text);
        let kept = channel.duties.pop();
        let Some(Duty::Token { notice, page }) = kept.filter(|_| is_sound) else {
            assert!(!is_sound && channel.duties.is_empty());
            continue;
        };
        assert_eq!((notice.agent.as_str(), notice.hash.as_str()), ("kx3f9a2b", hash));
        assert!(!channel.pages[0].holds(ticket, channel.now));
        let held = channel.sidecar.held(page, notice.ticket).into_iter().collect();
        channel.work(held);
        assert!(channel.pages[0].holds(ticket, channel.now));
    }
}
