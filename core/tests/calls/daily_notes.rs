//! The text of a new daily note, which SiYuan makes from a template, for each action that makes one.

use puppy_core::dispatch::{Approval, Engine};
use puppy_core::error::ErrorType;
use puppy_core::spec::Tool;
use serde_json::json;

use crate::kernel::Nobody;
use crate::world::{World, call, shown};

/// S3: a daily note contains only text that the caller may write, even if a person set its template.
#[test]
fn a_daily_note_contains_nothing_that_the_caller_may_not_write() {
    let with = |level: &str, text: &str| {
        let world = World::new()
            .notebook("Garden", "rw")
            .notebook("Private", level)
            .doc("/Private/Diary", "quicksilver");
        let text = world.fill(text);
        assert_eq!(world.demo.put_file("/data/templates/daily.md", text.as_bytes()).status, 200);
        let garden = world.id("/Garden");
        let body = json!({ "notebook": garden, "conf": { "dailyNoteTemplatePath": "/daily.md" } });
        world.ask("notebook/setNotebookConf", &body);
        Engine::new(world, Nobody)
    };
    let notes = [
        (Tool::Document, json!({ "action": "daily_note", "notebook": "Garden" })),
        (Tool::Block, json!({ "action": "add_to_daily_note", "notebook": "Garden", "markdown": "mint" })),
    ];
    for (tool, arguments) in &notes {
        for (level, text) in [
            ("none", "see (({/Private/Diary} 'x')) end"),
            ("none", "see ((.action{print \"{/Private/Diary}\"} 'x')) end"),
            ("rw", "a.action{print `\n\n`}{{//!js_esc_newline_x}}.action{print `\n\n`}b"),
            ("rw", "<img src=x on.action{print \"error\"}=x>"),
        ] {
            let engine = with(level, text);
            engine.kernel.take_sent();
            let refused = call(&engine, *tool, arguments, &Approval::Given);
            let kind = refused.as_ref().map_err(|error| error.kind).err();
            assert_eq!(kind, Some(ErrorType::Disabled), "{text}: {}", shown(&refused));
            let sent = engine.kernel.take_sent();
            let wrote = |path: &str| path.contains("DailyNote") || path.ends_with("createDocWithMd");
            assert!(!sent.iter().any(|(path, _)| wrote(path)), "{text}: {sent:?}");
        }
        // The note contains the text as the gate prints it, not as SiYuan renders it.
        let engine = with("rw", "hello\n{.action{print \":\"} memo='\" onmouseover=\"x\" x=\"'}");
        call(&engine, *tool, arguments, &Approval::Given).unwrap();
        let sent = engine.kernel.take_sent();
        let made = sent.iter().find(|(path, _)| path.ends_with("createDocWithMd")).unwrap();
        let quoted = "\\{: memo='\" onmouseover=\"x\" x=\"'}";
        assert!(made.1["markdown"].as_str().unwrap().ends_with(quoted), "{made:?}");
        let engine = with("rw", "# .action{.title}\n\nsee (({/Private/Diary} 'x')) .action{.id}");
        assert!(call(&engine, *tool, arguments, &Approval::Given).is_err(), "its own id is none yet");
        let engine = with("rw", "# .action{.title}\n\nsee (({/Private/Diary} 'x'))");
        let output = call(&engine, *tool, arguments, &Approval::Given).unwrap();
        let id = ["id", "doc"].iter().find_map(|it| output.data.get(*it)?.as_str()).unwrap().to_owned();
        let text = engine.kernel.ask("export/exportMdContent", &json!({ "id": id }));
        let text = text["content"].as_str().unwrap().to_owned();
        assert!(text.contains("# 2025-06-15") && text.contains("see"), "{text}");
        // The second call opens it.
        engine.kernel.take_sent();
        call(&engine, *tool, arguments, &Approval::Given).unwrap();
        assert!(!engine.kernel.take_sent().iter().any(|(path, _)| path.ends_with("createDocWithMd")));
    }
}
