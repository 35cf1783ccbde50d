//! Tests of the agents: how callers are known, what their ceilings are, and how the file changes.

use serde_json::{Value, json};

use super::*;
use crate::grants::Level;

const DAY: &str = "2026-11-28";

fn agents(file: &Value) -> Option<Agents> {
    Agents::parse(file.to_string().as_bytes())
}

fn two() -> Agents {
    agents(&json!({
        "anyone": { "level": "r" },
        "agents": {
            "k1": { "name": "Claude Code", "color": "green", "level": "rw", "notebooks": ["garden"] },
            "k2": { "name": "Tidy", "level": "rwd", "until": DAY },
        },
    }))
    .unwrap()
}

fn proved(id: &str) -> Identity {
    Identity::Proved(id.to_owned())
}

fn claimed(name: &str) -> Identity {
    Identity::Claimed(name.to_owned())
}

#[test]
fn a_caller_has_the_ceiling_of_its_agent() {
    let all = two();
    let level = |identity: &Identity, notebook: &str| all.ceiling(identity, DAY).in_notebook(notebook);
    assert_eq!([level(&proved("k1"), "garden"), level(&proved("k1"), "attic")], [Level::Write, Level::None]);
    for name in ["claude-code", "Claude Code", "CLAUDECODE"] {
        assert_eq!(level(&claimed(name), "garden"), Level::Write, "{name}");
    }
    for unknown in [Identity::Unknown, claimed("k1"), claimed(""), claimed("-"), claimed("Claude")] {
        assert_eq!(level(&unknown, "attic"), Level::Read, "{unknown:?}");
    }
    // A token that was issued for an agent that is gone is no way to be anyone, and neither is the name of its process.
    for gone in ["", "k3", "Claude Code"] {
        assert_eq!(level(&proved(gone), "garden"), Level::None, "{gone}");
    }
    let given = |name: &str| level(&Identity::Given(name.to_owned()), "garden");
    assert_eq!([given("claude code"), given("Claude"), given("")], [Level::Write, Level::None, Level::None]);
}

/// Letters that look alike are others.
#[test]
fn a_caller_has_the_mark_of_its_agent() {
    let all = two();
    let mark = |is_proved| AgentMark { name: "Claude Code".to_owned(), color: AgentColor::Green, is_proved };
    assert_eq!(all.mark(&proved("k1")), Some(mark(true)));
    assert_eq!(all.mark(&claimed("claude-code")), Some(mark(false)));
    assert_eq!(all.mark(&Identity::Given("Claude Code".to_owned())), Some(mark(false)));
    let alike = ["Cl\u{430}ude Code", "\u{ff23}laude Code", "Claude C\u{f6}de", "Claude Code\u{301}b"];
    for other in alike.map(claimed).into_iter().chain([Identity::Person, Identity::Unknown, proved("k3")]) {
        assert_eq!(all.mark(&other), None, "{other:?}");
    }
}

#[test]
fn an_agent_ends_after_its_last_day() {
    let all = two();
    let level = |today: &str| all.ceiling(&proved("k2"), today).level;
    assert_eq!(
        [level("2026-11-27"), level(DAY), level("2026-11-29")],
        [Level::Delete, Level::Delete, Level::None]
    );
    for odd in [json!("tomorrow"), json!("2026-13-01"), json!("2026-1-1"), json!(7), json!("")] {
        let one = agents(&json!({ "agents": { "k": { "name": "A", "until": odd } } })).unwrap();
        assert_eq!(one.ceiling(&proved("k"), DAY), Ceiling::CLOSED, "{odd}");
    }
    assert_eq!((day_of("20261128143000"), day_of("2026")), (DAY.to_owned(), String::new()));
}

/// A part that this version cannot read opens nothing.
#[test]
fn unreadable_parts_are_closed() {
    for torn in [
        "",
        "[]",
        "{",
        r#"{"anyone":7}"#,
        r#"{"agents":[]}"#,
        r#"{"agents":{"a":1}}"#,
        r#"{"anyone":{},"anyone":{}}"#,
    ] {
        assert_eq!(Agents::parse(torn.as_bytes()), None, "{torn}");
    }
    let level = |it: Value| agents(&json!({ "anyone": { "level": it } })).unwrap().anyone.level;
    assert_eq!(level(json!("admin")), Level::None);
    assert_eq!(level(json!(null)), Level::None);
    let notebooks = |it: Value| agents(&json!({ "anyone": { "notebooks": it } })).unwrap().anyone;
    for odd in [json!("garden"), json!({}), json!(7), json!([7])] {
        assert_eq!(notebooks(odd.clone()).in_notebook("garden"), Level::None, "{odd}");
    }
    assert_eq!(Agents::parse(b"{}"), Some(Agents::default()));
    assert_eq!(Agents::default().ceiling(&Identity::Unknown, DAY), Ceiling::OPEN);
}

fn set(id: &str, name: &str, until: &str) -> AgentChange {
    let ceiling = Ceiling { level: Level::Write, notebooks: Some(BTreeSet::from(["n".to_owned()])) };
    AgentChange::Set {
        id: id.to_owned(),
        name: name.to_owned(),
        color: AgentColor::Red,
        ceiling,
        until: until.to_owned(),
    }
}

#[test]
fn the_file_changes_agent_by_agent_and_keeps_the_rest() {
    let mut file =
        AgentsFile::parse(br#"{"of_tomorrow":1,"agents":{"a":{"name":"A","mood":"calm"}}}"#).unwrap();
    file.change(set("a", " Ada ", "2026-12-31")).unwrap();
    file.change(set("b", "Bob", "")).unwrap();
    file.change(AgentChange::Anyone(Ceiling::CLOSED)).unwrap();
    let text: Value = serde_json::from_str(&file.to_json()).unwrap();
    let ada = json!({ "name": "Ada", "mood": "calm", "level": "rw", "notebooks": ["n"], "color": "red", "until": "2026-12-31" });
    assert_eq!((&text["of_tomorrow"], &text["agents"]["a"]), (&json!(1), &ada));
    let all = file.agents();
    assert_eq!((all.anyone.clone(), all.named().count()), (Ceiling::CLOSED, 2));
    assert_eq!(
        all.of(&claimed("bob")).map(|it| (it.color, it.until.clone())),
        Some((AgentColor::Red, LastDay::Never))
    );
    file.change(set("a", "Ada", "")).unwrap();
    file.change(AgentChange::Remove("b".to_owned())).unwrap();
    let all = file.agents();
    assert_eq!(
        all.named().map(|it| (it.name.as_str(), it.until.clone())).collect::<Vec<_>>(),
        [("Ada", LastDay::Never)]
    );
}

#[test]
fn a_wrong_change_is_refused_and_changes_nothing() {
    let mut file = AgentsFile::default();
    file.change(set("a", "Ada", "")).unwrap();
    let before = file.clone();
    let long = "n".repeat(LONGEST_NAME + 1);
    for (name, until, why) in [
        ("", "", AgentRefusal::NoName),
        (" -- ", "", AgentRefusal::NoName),
        (long.as_str(), "", AgentRefusal::LongName),
        ("a\u{7}da2", "", AgentRefusal::LongName),
        ("ADA", "", AgentRefusal::SameName),
        ("Bob", "2026-02-40", AgentRefusal::NoDay),
    ] {
        assert_eq!(file.change(set("b", name, until)), Err(why), "{name}");
    }
    assert_eq!(file, before);
    for n in 1..MOST_AGENTS {
        file.change(set(&n.to_string(), &format!("Agent {n}"), "")).unwrap();
    }
    assert_eq!(file.change(set("b", "Bob", "")), Err(AgentRefusal::TooMany));
    assert_eq!(file.change(set("a", "Ada", "")), Ok(()), "a change of one that is there");
}

#[test]
fn ids_are_of_letters_and_digits() {
    for random in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
        let id = AgentsFile::new_id(random);
        assert!(id.len() == 8 && id.bytes().all(|it| it.is_ascii_alphanumeric()), "{id}");
    }
    assert_ne!(AgentsFile::new_id(1), AgentsFile::new_id(2));
}

#[test]
fn colors_have_words_of_their_own() {
    for color in AgentColor::ALL {
        assert_eq!(AgentColor::named(color.word()), Some(color));
    }
    assert_eq!(AgentColor::named("mauve"), None);
}
