//! Tests of the recorded calls: what is read, what is refused, and what is shown.

use puppy_core::activity::{CallEnd, Outcome, Record, Transport, analytics};
use puppy_core::agents::{AgentColor, AgentMark};
use puppy_core::registry::ACTIONS;

use super::*;

const CLOCK: Clock = Clock { now_ms: 1_795_392_000_000, minutes_west: 0 };
const DAY: u64 = 86_400_000;

fn line(ago_ms: u64, action: &str, more: &str) -> String {
    let (tool, name) = action.split_once('.').unwrap();
    let at = CLOCK.now_ms - ago_ms;
    format!(
        r#"{{"timestamp":{at},"transport":"http","category":"{tool}","action":"{name}","duration_ms":8,"status":"success","request_approx_tokens":2,"response_approx_tokens":3{more}}}"#
    )
}

fn calls(lines: &[String]) -> Calls {
    Calls::parse(lines.join("\n").as_bytes())
}

/// The lines that a server writes are the lines that the page reads.
#[test]
fn written_lines_are_read() {
    let spec = ACTIONS.iter().find(|it| it.path() == "block.get").unwrap();
    for transport in Transport::ALL {
        let record = Record { spec, transport, started_ms: 5, client: "Claude".into(), agent: None };
        for (outcome, end) in [
            (Outcome::Success, End::Done),
            (Outcome::Cancelled, End::Cancelled),
            (Outcome::Dangerous, End::Asked),
            (Outcome::Error(ErrorType::Denied, None), End::Refused),
            (Outcome::Error(ErrorType::Expired, None), End::Expired),
            (Outcome::Error(ErrorType::Paused, None), End::Paused),
            (Outcome::Error(ErrorType::PermissionDenied, None), End::Denied),
            (Outcome::Error(ErrorType::Disabled, None), End::Denied),
            (Outcome::Error(ErrorType::NotFound, Some(3)), End::Failed("not_found".into())),
        ] {
            let ended = CallEnd {
                outcome,
                duration_ms: 7,
                waited_ms: 4,
                title: Some("Basil".into()),
                notebook: None,
                doc: None,
                block: None,
                level: None,
                item: None,
                request_chars: 8,
                response_chars: 9,
            };
            let read = Calls::parse(analytics::line(&record, &ended).as_bytes());
            let call = Call {
                at: 5,
                action: "block.get".into(),
                transport: transport.word(),
                took_ms: 3,
                waited_ms: 4,
                client: "Claude".into(),
                agent: None,
                title: String::new(),
                end,
                tokens: 5,
                place: None,
            };
            assert_eq!(read, Calls { calls: vec![call], unread: 0 });
        }
    }
}

/// Files that another program wrote: nothing but plain names and numbers gets in.
#[test]
fn hostile_lines_are_counted_and_left_out() {
    let good = line(0, "fs.read", "");
    for bad in [
        "torn{",
        "[]",
        "{}",
        &good.replace("fs", "<img onerror=alert(1)>"),
        &good.replace("read", "=HYPERLINK()"),
        &good.replace("read", &"x".repeat(61)),
        &good.replace("http", "elsewhere"),
        &good.replace("\"duration_ms\":8", "\"duration_ms\":-8"),
        &good.replace("success\"", "error\",\"error_type\":\"</svg>\""),
    ] {
        let read = Calls::parse(format!("{bad}\n{good}\n").as_bytes());
        assert_eq!((read.calls.len(), read.unread), (1, 1), "{bad}");
    }
    let huge = good
        .replace("_tokens\":2", "_tokens\":18446744073709551615")
        .replace("duration_ms\":8", "duration_ms\":18446744073709551615");
    let sums = Sums::of(&calls(&[huge.clone(), huge]), &Filter::default(), CLOCK);
    assert_eq!(sums.calls, 2);
}

fn event(seq: u64, ago: u64, status: CallStatus, took: Option<u64>) -> Event {
    Event {
        seq,
        instance: "i".into(),
        tool: "fs".into(),
        action: "read".into(),
        status,
        ts: CLOCK.now_ms - ago,
        duration_ms: took,
        notebook: took.map(|_| "20210808180117-aaaaaaa".into()),
        doc: None,
        item: None,
        title: None,
        client: None,
        agent: None,
        waited_ms: None,
        error_type: None,
    }
}

/// An event gives its place to the line of the same call, and stands for a call without one.
#[test]
fn events_join_the_lines() {
    let mut all = calls(&[line(1_000, "fs.read", "")]);
    let events = vec![
        event(1, 1_000, CallStatus::Running, None),
        event(2, 1_000 - 8, CallStatus::Success, Some(8)),
        event(3, 500, CallStatus::Running, None),
        event(4, 400, CallStatus::Error, Some(20)),
        Event { tool: "<b>".into(), ..event(5, 300, CallStatus::Running, None) },
    ];
    all.join(&EventFile { events, ..EventFile::default() });
    let shown: Vec<_> = all
        .newest(&Filter::default(), CLOCK, 9)
        .into_iter()
        .map(|it| (CLOCK.now_ms - it.at, it.transport, it.end.clone(), it.place.is_some()))
        .collect();
    assert_eq!(
        shown,
        [
            (420, "", End::Failed(String::new()), true),
            (500, "", End::Runs, false),
            (1_000, "http", End::Done, true),
        ]
    );
}

/// A call that waits shows so until the person's answer has written its line; the title of what it deleted is kept.
#[test]
fn a_late_answer_ends_a_call_that_waited() {
    let waits = Event {
        client: Some("Claude".into()),
        waited_ms: Some(50_000),
        ..event(1, 100_000 - 50_008, CallStatus::Dangerous, Some(50_008))
    };
    let ends = |lines: &[String], events: Vec<Event>| {
        let mut all = calls(lines);
        all.join(&EventFile { events, ..EventFile::default() });
        let [call] = all.calls.as_slice() else { panic!("{all:?}") };
        (call.end.clone(), call.took_ms, call.waited_ms, call.client.clone(), call.title.clone())
    };
    let claude = || "Claude".to_owned();
    assert_eq!(ends(&[], vec![waits.clone()]), (End::Waits, 8, 50_000, claude(), String::new()));
    let line = line(100_000, "fs.read", r#","waited_ms":90000,"client":"Claude","error_type":"denied""#);
    let line = line.replace("success", "error").replace("\"duration_ms\":8", "\"duration_ms\":90008");
    let late = Event {
        title: Some("Basil".into()),
        error_type: Some("denied".into()),
        status: CallStatus::Error,
        ..waits.clone()
    };
    let denied = (End::Refused, 8, 90_000, claude(), "Basil".to_owned());
    assert_eq!(ends(&[line], vec![waits, late]), denied);
}

/// Calls on a document that was deleted later have its title too; those after it was restored are looked up again.
#[test]
fn calls_on_a_document_that_was_deleted_later_have_its_title() {
    let of = |seq, ago, title: Option<&str>| Event {
        doc: Some("20210808180117-bbbbbbb".into()),
        title: title.map(str::to_owned),
        ..event(seq, ago, CallStatus::Success, Some(0))
    };
    let mut all = Calls::default();
    let events = vec![
        of(1, 900, None),
        of(2, 500, Some("Basil")),
        of(3, 100, None),
        event(4, 50, CallStatus::Error, Some(0)),
    ];
    all.join(&EventFile { events, ..EventFile::default() });
    let titles: Vec<&str> = all.calls.iter().map(|it| it.title.as_str()).collect();
    assert_eq!(titles, ["Basil", "Basil", "", ""]);
}

/// B-074: what asked for a token that has expired no longer needs an approval.
#[test]
fn a_call_whose_token_has_expired_says_so() {
    let asked = r#","error_type":"confirmation_required""#;
    let mut all = calls(&[
        line(CONFIRM_MS + 8, "fs.read", asked),
        line(CONFIRM_MS + 7, "fs.list", asked),
        line(DAY, "fs.tree", ""),
    ]);
    all.lapse(CLOCK.now_ms);
    let ends: Vec<&End> = all.calls.iter().map(|it| &it.end).collect();
    assert_eq!(ends, [&End::Lapsed, &End::Asked, &End::Done]);
}

/// A name that a client gave itself stays a name in a table for other programs.
#[test]
fn names_of_clients_are_quoted_in_tables() {
    let named = |name: &str| {
        let more = format!(r#","client":{}"#, serde_json::json!(name));
        calls(&[line(0, "fs.read", &more)]).to_csv(&Filter::default(), CLOCK)
    };
    assert!(
        named("=HYPERLINK(\"x\")").ends_with(",\"HYPERLINK('x')\",\"\"\n"),
        "{}",
        named("=HYPERLINK(\"x\")")
    );
    assert!(named("a,b\nc").ends_with(",\"a,b c\",\"\"\n"), "{}", named("a,b\nc"));
    let mark = r#","client":"claude-code","agent":{"name":"+Ada","color":"red","is_proved":true}"#;
    let text = calls(&[line(0, "fs.read", mark)]).to_csv(&Filter::default(), CLOCK);
    assert!(text.ends_with(",\"claude-code\",\"Ada\"\n"), "{text}");
}

/// A call is shown under the name of its agent, in a record of this version, of another one, and in an event.
#[test]
fn calls_are_shown_under_their_agents() {
    let read = |agent: &str| {
        let all = calls(&[line(0, "fs.read", &format!(r#","client":"claude-code","agent":{agent}"#))]);
        let call = all.calls[0].clone();
        (call.caller().to_owned(), call.agent.map(|it| (it.color, it.is_proved)))
    };
    let proved = r#"{"name":"Ada\u202e","color":"red","is_proved":true}"#;
    assert_eq!(read(proved), ("Ada".to_owned(), Some((AgentColor::Red, true))));
    assert_eq!(
        read(r#"{"name":"Ada","color":"mauve"}"#),
        ("Ada".to_owned(), Some((AgentColor::Blue, false)))
    );
    for other in ["null", "1", r#"{"color":"red"}"#] {
        assert_eq!(read(other), ("claude-code".to_owned(), None), "{other}");
    }
    let mark = AgentMark { name: "Ada".to_owned(), color: AgentColor::Gold, is_proved: false };
    let event = Event { agent: Some(mark), ..event(1, 0, CallStatus::Success, Some(1)) };
    assert_eq!(Call::of_event(&event).unwrap().caller(), "Ada");
}

#[test]
fn cleared_calls_are_forgotten() {
    let mut all = calls(&[line(10, "fs.read", ""), line(5, "fs.list", "")]);
    all.forget(CLOCK.now_ms - 10);
    assert_eq!(all.newest(&Filter::default(), CLOCK, 9).len(), 1);
}

/// Each part of the filter by itself; today counts as a day.
#[test]
fn filter_passes_by_day_end_source_and_name() {
    let bad = line(3 * DAY, "fs.write", r#","error_type":"permission_denied""#).replace("success", "error");
    let all = calls(&[line(0, "fs.read", ""), line(DAY, "block.get", ""), bad.replace("http", "cli")]);
    let count = |filter: Filter| all.newest(&filter, CLOCK, 9).len();
    let week = Filter::default();
    assert_eq!(count(week.clone()), 3);
    assert_eq!(count(Filter { days: 1, ..week.clone() }), 1);
    assert_eq!(count(Filter { only: Only::Bad, ..week.clone() }), 1);
    assert_eq!(count(Filter { only: Only::Done, ..week.clone() }), 2);
    assert_eq!(count(Filter { transport: "cli".into(), ..week.clone() }), 1);
    assert_eq!(count(Filter { text: "fs.".into(), ..week.clone() }), 2);
    assert_eq!(count(Filter { days: 3, only: Only::Bad, ..week }), 0);
    assert_eq!(Only::ALL.map(|it| Only::named(it.word())), Only::ALL);
}

/// B-257.
#[test]
fn sums_count_calls_errors_times_and_tokens() {
    let mut lines = vec![line(0, "fs.read", ""), line(1, "fs.read", ""), line(2 * DAY, "block.get", "")];
    lines.push(line(2 * DAY, "tag.list", "").replace("success", "error").replace("http", "stdio"));
    let sums = Sums::of(&calls(&lines), &Filter::default(), CLOCK);
    assert_eq!(
        (sums.calls, sums.bad, sums.bad_per_mille(), sums.average_ms(), sums.tokens),
        (4, 1, 250, 8, 20)
    );
    assert_eq!(sums.top(2), [("fs.read", 2), ("block.get", 1)]);
    assert_eq!(sums.transports().collect::<Vec<_>>(), [("http", 3), ("stdio", 1)]);
    let days: Vec<_> = sums.by_day(CLOCK).map(|(day, it)| (day.date(), it.all, it.bad)).take(3).collect();
    let day = |date: &str, all, bad| (date.to_owned(), all, bad);
    assert_eq!(days, [day("2026-11-23", 1, 0), day("2026-11-22", 1, 0), day("2026-11-21", 2, 1)]);
    assert_eq!(Sums::of(&Calls::default(), &Filter::default(), CLOCK).average_ms(), 0);
}

#[test]
fn newest_calls_come_first_and_those_of_a_moment_in_their_order() {
    let all = calls(&[
        line(9, "fs.read", ""),
        line(1, "tag.list", ""),
        line(9, "fs.list", ""),
        line(5, "fs.write", ""),
    ]);
    let newest = |most| -> Vec<&str> {
        all.newest(&Filter::default(), CLOCK, most).into_iter().map(|it| it.action.as_str()).collect()
    };
    assert_eq!(newest(9), ["tag.list", "fs.write", "fs.read", "fs.list"]);
    assert_eq!((newest(3).len(), newest(3).last(), newest(0).len()), (3, Some(&"fs.read"), 0));
}

#[test]
fn csv_has_the_shown_calls() {
    let all = calls(&[line(0, "fs.read", ""), line(DAY, "block.get", "")]);
    let filter = Filter { text: "block".into(), ..Filter::default() };
    assert_eq!(
        all.to_csv(&filter, CLOCK),
        "timestamp,transport,action,duration_ms,waited_ms,result,approx_tokens,client,agent\n1795305600000,http,block.get,8,0,success,5,\"\",\"\"\n"
    );
}
