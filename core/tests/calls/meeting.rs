//! A first meeting, as a transcript: what an agent reads that knows nothing, from the brief to its first write.

use std::fmt::Write;

use expect_test::expect_file;
use puppy_core::activity::Transport;
use puppy_core::config::Offer;
use puppy_core::dispatch::{Approval, Call, Engine};
use puppy_core::part::Part;
use puppy_core::render::result::{Audience, error, texts};
use puppy_core::render::schema::descriptors;
use puppy_core::spec::Tool;
use serde_json::Value;

use crate::world::{Nobody, World, ready};

/// The calls of an agent that was asked: "We had frost last night. Which of my beds need cover? Note it where it
/// belongs." Each follows from the answers before it.
const CALLS: [(Tool, &str); 4] = [
    (Tool::System, r#"{ "action": "get_info" }"#),
    (Tool::Search, r#"{ "action": "text", "query": "frost" }"#),
    (Tool::Fs, r#"{ "action": "read", "path": "/Garden/Beds", "section": "North side", "with_ids": true }"#),
    (
        Tool::Block,
        r#"{ "action": "append", "id": "{/Garden/Beds}", "markdown": "Frost in the night of 14 June: cover the north side." }"#,
    ),
];

fn world() -> World {
    let world = World::new()
        .notebook("Garden", "rw")
        .notebook("Reading", "r")
        .notebook("Private", "none")
        .doc("/Garden/AGENTS", "Dates in full. One line for each day.")
        .doc("/Garden/Beds", "Four beds.\n\n# South side\n\nTomatoes, safe from frost.\n\n# North side\n\nLettuce. Cover it after frost.")
        .doc("/Garden/Plants/Mint", "Mint grows.")
        .doc("/Reading/Weather", "Late frost is rare.")
        .doc("/Private/Beds", "quicksilver frost");
    assert_eq!(world.demo.put_file("/data/ai/AGENTS.md", b"Write in British English.\n").status, 200);
    world.pass(10_000);
    world
}

/// B-017: brief, search, read, write, each with its bytes, stand in the golden file. What is closed leaves no trace in
/// it, and the answers take less than a third of the bytes of the list of tools.
#[test]
fn first_meeting_is_short() {
    let engine = Engine::new(world(), Nobody);
    let list: usize = descriptors(&Offer::default())
        .iter()
        .map(|it| it.description.len() + Value::Object(it.input_schema.clone()).to_string().len())
        .sum();
    let mut sheet = String::from(
        "# A first meeting\n\n> We had frost last night. Which of my beds need cover? Note it where it belongs.\n",
    );
    let (mut sent, mut answered) = (0, 0);
    for (tool, arguments) in CALLS {
        let arguments: Value = serde_json::from_str(&engine.kernel.fill(arguments)).unwrap();
        let call = Call {
            tool,
            arguments: arguments.as_object().cloned().unwrap(),
            part: Part::Whole,
            transport: Transport::Stdio,
            client: String::new(),
        };
        let reply = ready(engine.dispatch_in(Some("a"), call, &Approval::Missing));
        let answer = match &reply {
            Ok(output) => texts(output),
            Err(failed) => vec![error(failed, Audience::Model).to_string()],
        };
        assert!(reply.is_ok(), "{answer:?}");
        let (asks, answers) = (arguments.to_string().len(), answer.iter().map(String::len).sum::<usize>());
        sent += asks;
        answered += answers;
        let (arguments, answer) =
            (engine.kernel.unfill(&arguments.to_string()), engine.kernel.unfill(&answer.join("\n\n")));
        let name = tool.name();
        write!(sheet, "\n## {name}, {asks} bytes, answered with {answers}\n\n```\n{arguments}\n```\n\n```\n{answer}\n```\n")
            .unwrap();
        engine.kernel.pass(5_000);
    }
    write!(sheet, "\nIn all {sent} bytes were sent and {answered} answered.\n").unwrap();
    assert!(!sheet.contains("quicksilver") && !sheet.contains("Private"), "{sheet}");
    assert!(answered < list / 3, "{answered} of {list}");
    expect_file!["../golden/meeting.md"].assert_eq(&sheet);
}
