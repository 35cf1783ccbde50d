//! The golden sheet of questions: the words that a person reads before each dangerous deed, in English and Chinese.
//!
//! `UPDATE_EXPECT=1 cargo test -p puppy-core --test calls question_sheet` rewrites `golden/questions.md`; read it as a person
//! would who has three seconds.

use std::collections::BTreeSet;
use std::sync::Mutex;

use expect_test::expect_file;
use puppy_core::activity::Transport;
use puppy_core::ask::words::{Language, QuestionLine, deed, deeds, flat, lines, place, quoted, wants};
use puppy_core::ask::{About, Ask, Book, Consequence, LONGEST, Thing, ThingKind, Things, clean};
use puppy_core::config::CallSettings;
use puppy_core::dispatch::{ApprovalRequest, ApprovalState, Call, Engine, Gate, PlanQuestion, Verdict};
use puppy_core::id::is_node_id;
use puppy_core::kernel::Boxed;
use puppy_core::output::Reply;
use puppy_core::part::Part;
use puppy_core::registry::ACTIONS;
use puppy_core::spec::{ActionSpec, Back, Tool, Verb};
use serde_json::{Value, json};

use crate::examples::{examples, with_action, world as everything};
use crate::kernel::Nobody;
use crate::world::{World, ready};

/// A gate that keeps each question and approves nothing.
#[derive(Default)]
struct Listener(Mutex<Vec<PlanQuestion>>);

impl Gate for Listener {
    fn standing(&self, _: &CallSettings, _: ApprovalRequest<'_>) -> ApprovalState {
        ApprovalState::Open
    }

    fn ask<'a>(&'a self, _: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        let refused = question.unanswered("");
        self.0.lock().unwrap().push(question);
        Box::pin(async { Verdict::Refused(refused) })
    }
}

/// The question that a call asks, or its answer where it asks nothing.
fn question(engine: &Engine<World, Nobody>, tool: Tool, arguments: &Value) -> Result<PlanQuestion, Reply> {
    let arguments = arguments.as_object().cloned().unwrap();
    let listener = Listener::default();
    let call =
        Call { tool, arguments, part: Part::Whole, transport: Transport::Stdio, client: "Claude".to_owned() };
    let reply = ready(engine.dispatch(call, &listener));
    listener.0.into_inner().unwrap().pop().ok_or(reply)
}

/// A line as the sheet shows it.
fn spelled(line: &QuestionLine<'_>, language: Language) -> String {
    let titles = line.things.iter().map(|it| match place(it).as_str() {
        "" => quoted(&it.title, language),
        place => format!("{} ({place})", quoted(&it.title, language)),
    });
    let texts = line.texts.iter().map(|(old, new)| format!("[{old}] → [{new}]"));
    let list: Vec<String> =
        titles.chain(texts).chain(Some(line.more.clone()).filter(|it| !it.is_empty())).collect();
    [line.text.clone(), list.join("; ")].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ")
}

fn sheet(name: &str, client: &str, ask: &Ask) -> String {
    let mut text = format!("## {name}\n");
    for language in [Language::English, Language::Chinese] {
        text.push_str(&format!("\n{}\n", flat(&wants(client, ask, language), language)));
        for line in lines(ask, language) {
            text.push_str(&format!("- {}\n", spelled(&line, language)));
        }
    }
    text.push('\n');
    text
}

/// The text without what stands in quotes: this product's own words.
fn own_words(text: &str) -> String {
    let mut own = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('“') {
        own.push_str(before);
        rest = after.split_once('”').map_or("", |(_, after)| after);
    }
    own + rest
}

/// Ids in names that a test world chose, as the sheet shows them.
fn without_ids(text: &str) -> String {
    let ids: BTreeSet<&str> = text
        .split(|it: char| !(it.is_ascii_alphanumeric() || it == '-'))
        .filter(|it| is_node_id(it))
        .collect();
    ids.into_iter().fold(text.to_owned(), |text, id| text.replace(id, "#"))
}

/// A workspace whose documents have the titles of people.
fn garden() -> World {
    let long: String = (0..60).map(|at| format!("Line {at}.\n\n")).collect();
    let notes: String = (0..30).map(|at| format!("Row {at} #herb/sweet#\n\n")).collect();
    let mut world = World::new().notebook("Garden", "rwd").notebook("Books", "rwd");
    world = world.doc("/Garden/Herbs", "## Bitter herbs #herb/bitter#\n\nWormwood.");
    world = world.file("mcpToolsConfig", &crate::examples::everything());
    world = world.docs(["/Garden/Plants", "/Garden/Plants/Basil", "/Garden/Plants/Mint", "/Garden/Beds"]);
    world = world.doc("/Garden/Beds/Pond edge", "The (({/Garden/Plants/Mint} 'Mint')) is kept in a pot.");
    world = world.doc(
        "/Garden/Calendar",
        "Cut (({/Garden/Plants/Mint} 'mint')) and (({/Garden/Plants/Basil} 'basil')).",
    );
    world = world.doc("/Garden/Jobs", &long).doc("/Garden/Rows", &notes).doc("/Books/Roses", "A rose.");
    world.doc("/Books/See", "See (({/Garden/Jobs#0} 'the first job')).")
}

/// Calls whose questions depend on their arguments.
fn calls(world: &World) -> Vec<(&'static str, Tool, Value)> {
    let id = |name: &str| world.id(name).to_owned();
    vec![
        ("a leaf", Tool::Document, json!({ "action": "remove", "ids": [id("/Garden/Plants/Basil")] })),
        (
            "with documents below",
            Tool::Fs,
            json!({ "action": "remove", "path": "/Garden/Plants", "recursive": true }),
        ),
        (
            "several documents",
            Tool::Document,
            json!({ "action": "remove", "ids": [id("/Garden/Plants"), id("/Garden/Jobs"), id("/Books/Roses")], "recursive": true }),
        ),
        (
            "a long document",
            Tool::Fs,
            json!({ "action": "write", "path": "/Garden/Jobs", "markdown": "Nothing to do.", "mode": "overwrite" }),
        ),
        (
            "into another notebook",
            Tool::Fs,
            json!({ "action": "move", "from": "/Garden/Plants", "to": "/Books/Plants" }),
        ),
        (
            "documents into another notebook",
            Tool::Document,
            json!({ "action": "move", "ids": [id("/Garden/Plants"), id("/Garden/Jobs")], "notebook": "Books" }),
        ),
        (
            "a block into another notebook",
            Tool::Block,
            json!({ "action": "move", "ids": [id("/Garden/Jobs#0")], "target": id("/Books/Roses"), "position": "last" }),
        ),
        ("a block", Tool::Block, json!({ "action": "delete", "ids": [id("/Garden/Jobs#0")] })),
        (
            "blocks",
            Tool::Block,
            json!({ "action": "delete", "ids": (0..15).map(|at| id(&format!("/Garden/Jobs#{at}"))).collect::<Vec<_>>() }),
        ),
        (
            "a text",
            Tool::Search,
            json!({ "action": "find_replace", "find": "Line 1", "replace": "Job 1", "under": id("/Garden/Jobs") }),
        ),
        (
            "a text away",
            Tool::Search,
            json!({ "action": "find_replace", "find": "Line 1", "replace": "", "under": id("/Garden/Jobs") }),
        ),
        (
            "a notebook",
            Tool::Notebook,
            json!({ "action": "remove", "notebook": "Books", "confirm_name": "Books" }),
        ),
        ("a level", Tool::Notebook, json!({ "action": "set_permission", "notebook": "Books", "level": "r" })),
        (
            "closing",
            Tool::Notebook,
            json!({ "action": "set_open_state", "notebook": "Books", "open": false }),
        ),
        (
            "a setting",
            Tool::Notebook,
            json!({ "action": "set_conf", "notebook": "Books", "conf": { "daily_note_save_path": "/Diary/today" } }),
        ),
        (
            "a notebook in a setting",
            Tool::Notebook,
            json!({ "action": "set_conf", "notebook": "Books", "conf": { "doc_create_save_box": "Garden", "doc_create_save_path": "/New" } }),
        ),
        ("a tag", Tool::Tag, json!({ "action": "remove", "label": "herb/sweet" })),
        (
            "two tags into one",
            Tool::Tag,
            json!({ "action": "rename", "label": "herb/sweet", "new_label": "herb/bitter", "merge": true }),
        ),
        (
            "a whole document",
            Tool::Block,
            json!({ "action": "update", "id": id("/Garden/Jobs"), "markdown": "Nothing to do." }),
        ),
        (
            "a heading into another notebook",
            Tool::Document,
            json!({ "action": "from_block", "block": id("/Garden/Herbs#0"), "notebook": "Books" }),
        ),
        (
            "two blocks",
            Tool::Block,
            json!({ "action": "swap_ref", "ref": id("/Books/See#0"), "id": id("/Garden/Jobs#0") }),
        ),
    ]
}

/// Questions that no test world has: hostile titles and clients, hundreds of documents, long names.
fn hostile() -> Vec<(&'static str, &'static str, Ask)> {
    let book = |name: &str| Some(Book { name: clean(name, LONGEST), icon: "1f33b".to_owned() });
    let ask = |verb, kind, things, effects| Ask {
        verb,
        back: Back::DataHistory,
        about: About { kind, things, effects, other: None },
    };
    let title = "Plants”. Nothing is lost. “\u{202e}yllaer\u{2066}\n\nAllow? [y] \u{1b}[2J<b>x</b>";
    let one = Thing { notebook: book("Garden"), ..Thing::titled(title) };
    let many = (0..300).map(|at| Thing {
        place: "/Beds".to_owned(),
        notebook: book(&"Archive of everything ".repeat(20)),
        ..Thing::titled(&format!("Document {at}"))
    });
    let breaks = Consequence::Breaks {
        refs: 1_200,
        documents: Things { n: 0, ..Things::of((0..10).map(|at| Thing::titled(&format!("Note {at}")))) },
    };
    let below = Consequence::Below(Things::of((0..9).map(|at| Thing::titled(&format!("Below {at}")))));
    let level = |from: &str, to: &str| Consequence::Level { from: from.to_owned(), to: to.to_owned() };
    let plain = |verb, back, kind, title: &str| {
        let things = Things::of([Thing::titled(title)]);
        Ask { verb, back, about: About { kind, things, ..About::default() } }
    };
    let option = plain(Verb::Delete, Back::Never, ThingKind::Choice, "Todo");
    let also = Consequence::Values(4);
    let option = About { other: Some(Thing::titled("Status")), effects: vec![also], ..option.about };
    vec![
        ("a search text", "Claude", plain(Verb::Send, Back::Unchanged, ThingKind::Text, "my salary")),
        ("a sync", "Claude", plain(Verb::Sync, Back::Never, ThingKind::Workspace, "")),
        (
            "a local file",
            "Claude",
            plain(Verb::Upload, Back::Unchanged, ThingKind::File, "/home/me/plan.png"),
        ),
        ("an option", "Claude", Ask { verb: Verb::Delete, back: Back::Never, about: option }),
        (
            "a title that closes its quote",
            "Claude",
            ask(Verb::Delete, ThingKind::Document, Things::of([one]), vec![below.clone()]),
        ),
        (
            "a very long title",
            "Claude",
            ask(
                Verb::Delete,
                ThingKind::Document,
                Things::of([Thing::titled(&"Very long ".repeat(100))]),
                vec![below],
            ),
        ),
        (
            "three hundred documents",
            "<img src=x onerror=alert(1)>",
            ask(Verb::Delete, ThingKind::Document, Things::of(many), vec![breaks]),
        ),
        (
            "from right to left",
            "קלוד",
            ask(Verb::Delete, ThingKind::Document, Things::of([Thing::titled("גינה 12")]), vec![]),
        ),
        (
            "no name at all",
            "",
            ask(Verb::Delete, ThingKind::Document, Things::of([Thing::titled("\u{200b}")]), vec![]),
        ),
        (
            "a notebook's name as long as a page",
            "Claude",
            ask(
                Verb::Allow,
                ThingKind::Notebook,
                Things::of([Thing::titled(&"Read only, nothing changes ".repeat(40))]),
                vec![level("r", "rwd")],
            ),
        ),
    ]
}

fn judged(name: &str, client: &str, ask: &Ask, wrong: &mut Vec<String>) {
    let client = clean(client, LONGEST);
    for language in [Language::English, Language::Chinese] {
        let text = flat(&wants(&client, ask, language), language);
        let below: Vec<String> = lines(ask, language).iter().map(|it| spelled(it, language)).collect();
        let own = own_words(&format!("{text}\n{}", below.join("\n")));
        let has_id = own.split(|it: char| !(it.is_ascii_alphanumeric() || it == '-')).any(is_node_id);
        let is_hidden = |it: char| it.is_control() && it != '\n' || ('\u{202a}'..='\u{202e}').contains(&it);
        let has_dump = own.contains(['{', '"', '_']) || text.contains(is_hidden);
        let is_long = text.chars().count() > 4 * LONGEST;
        if has_id || has_dump || is_long || own.trim().is_empty() {
            wrong.push(format!("{name}: {text}\n{own}"));
        }
    }
}

/// B-071, B-072: every dangerous example of every action, and hostile ones, in both languages. No question shows an id,
/// JSON or the name of an action.
#[test]
fn questions_are_words() {
    let mut text = String::from("The questions of dangerous actions in words. A test writes this file.\n\n");
    let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
    let engine = Engine::new(everything(), Nobody);
    let mut all: Vec<(String, String, Ask)> = Vec::new();
    let dangerous: Vec<&ActionSpec> = ACTIONS.iter().copied().filter(|it| it.deed.is_some()).collect();
    for spec in &dangerous {
        for arguments in examples(&engine.kernel, spec) {
            engine.kernel.pass(1_000);
            let sent = with_action(&arguments, spec.name);
            if let Ok(question) = question(&engine, spec.tool, &sent) {
                all.push((spec.path(), "Claude".to_owned(), question.ask));
            }
        }
    }
    let engine = Engine::new(garden(), Nobody);
    for (name, tool, arguments) in calls(&engine.kernel) {
        match question(&engine, tool, &arguments) {
            Ok(question) => {
                all.push((format!("{}: {name}", question.path), "Claude".to_owned(), question.ask));
            }
            Err(reply) => wrong.push(format!("{name} asks nothing: {reply:?}")),
        }
    }
    all.extend(hostile().into_iter().map(|(name, client, ask)| (name.to_owned(), client.to_owned(), ask)));
    for (name, client, ask) in &all {
        seen.insert(name.split(':').next().unwrap_or_default().to_owned());
        judged(name, client, ask, &mut wrong);
        text.push_str(&sheet(name, &clean(client, LONGEST), ask));
    }
    // Actions that ask only with arguments that no example has, or that send something out, where no service is set up.
    let unasked: Vec<String> = dangerous.iter().map(|it| it.path()).filter(|it| !seen.contains(it)).collect();
    text.push_str(&format!("## Not on this sheet\n\n{}\n", unasked.join(", ")));
    expect_file!["../golden/questions.md"].assert_eq(&without_ids(&text));
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Each pair of a verb and a kind that a plan may have is worded for a consent, and no deed lacks its verb.
#[test]
fn every_deed_begins_with_its_verb() {
    for spec in ACTIONS.iter().filter(|it| it.deed.is_some()) {
        let (verb, back) = spec.deed.unwrap();
        let about = About { things: Things::of([Thing::titled("Basil")]), ..About::default() };
        let ask = Ask { verb, back, about };
        let english = flat(&deed(&ask, Language::English), Language::English);
        let first = english.split(' ').next().unwrap();
        assert!(first.chars().all(|it| it.is_ascii_lowercase()), "{}: {english}", spec.path());
        assert!(!deeds(verb, ThingKind::Document, Language::Chinese).is_empty());
    }
}

/// The model survives the way to a page, and an ask without optional parts is short.
#[test]
fn ask_travels_as_keys_and_values() {
    for (name, _, ask) in hostile() {
        let text = serde_json::to_string(&ask).unwrap();
        assert_eq!(serde_json::from_str::<Ask>(&text).unwrap(), ask, "{name}");
        assert!(text.len() < 8_000, "{name}: {}", text.len());
    }
    let short = Ask { verb: Verb::Sync, back: Back::Never, about: About::default() };
    assert_eq!(
        json!(short).to_string(),
        r#"{"verb":"sync","back":"never","about":{"kind":"workspace","things":{"n":0}}}"#
    );
}
