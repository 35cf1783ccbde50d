//! The program as a person uses it: exit codes, suggestions, output for people and for programs.

use std::process::{Command, Output, Stdio};

use puppy_core::registry::ACTIONS;
use serde_json::{Value, json};

use crate::world::World;

/// Runs the program with these arguments against a kernel, without a terminal.
fn run(url: &str, words: &[&str]) -> Output {
    program(url).args(words).output().unwrap()
}

/// The output of a command that succeeds.
pub(crate) fn printed(url: &str, words: &[&str]) -> String {
    let output = run(url, words);
    assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn program(url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
    for name in ["SIYUAN_TOKEN", "SIYUAN_MCP_TOKEN", "SIYUAN_MCP_PARENT_PID", "NO_COLOR"] {
        command.env_remove(name);
    }
    command.env("SIYUAN_API_URL", url).env("LC_ALL", "C").stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// B-093: the exit code tells the outcome.
#[tokio::test(flavor = "multi_thread")]
async fn exit_codes_match_outcomes() {
    let world = World::with_token(Some("right")).await;
    let url = world.kernel.url();
    let table: [(&str, &str, &[&str], i32); 9] = [
        (&url, "right", &["notebook", "list"], 0),
        (&url, "right", &["fs", "read", "--path", "/Garden/No such document"], 1),
        (&url, "right", &["fs", "read"], 2),
        (&url, "right", &["fs", "tree", "--depth", "99"], 2),
        (&url, "right", &["fs", "tree", "--url", "ftp://x"], 2),
        ("http://127.0.0.1:9", "right", &["notebook", "list"], 3),
        (&url, "wrong", &["notebook", "list"], 4),
        (&url, "", &["notebook", "list"], 4),
        (&url, "right", &["fs", "write", "--path", "/Reading/New", "--markdown", "x"], 5),
    ];
    for (url, token, words, code) in table {
        let output = program(url).env("SIYUAN_TOKEN", token).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", text(&output.stderr));
        assert_eq!(output.stdout.is_empty(), code != 0, "{words:?}: {}", text(&output.stdout));
    }
}

/// B-092: a misspelt word gets the nearest suggestion.
#[test]
fn misspelt_command_suggests_the_nearest() {
    for (words, nearest) in [
        (vec!["notebok", "list"], "notebook"),
        (vec!["notebook", "lst"], "list"),
        (vec!["outline"], "siyuan-puppy document outline"),
        (vec!["notebook", "grep"], "siyuan-puppy fs grep"),
        (vec!["fs", "read", "--paht", "/x"], "--path"),
        (vec!["fs", "write", "--path", "/x", "--markdown", "x", "--mode", "overwite"], "overwrite"),
    ] {
        let output = run("http://127.0.0.1:9", &words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(nearest), "{words:?}: {}", text(&output.stderr));
    }
}

/// B-090, B-099: one line for programs; no escape bytes without a terminal.
#[tokio::test(flavor = "multi_thread")]
async fn output_differs_for_people_and_programs() {
    let world = World::new().await;
    let url = world.kernel.url();
    let people = text(&run(&url, &["notebook", "list"]).stdout);
    assert!(people.starts_with(" name ") && people.contains(" Garden "), "{people}");
    assert!(!people.contains('\u{1b}'));
    let whole = text(&run(&url, &["notebook", "list", "--header"]).stdout);
    assert!(whole.starts_with("✓ notebook list\n") && whole.contains("total: 4"), "{whole}");
    let programs = text(&run(&url, &["notebook", "list", "--json"]).stdout);
    assert_eq!(programs.lines().count(), 1);
    let data: Value = serde_json::from_str(&programs).unwrap();
    assert_eq!(data["total"], 4);
    let failed = run(&url, &["--json", "fs", "read", "--path", "/No/thing"]);
    let data: Value = serde_json::from_slice(&failed.stdout).unwrap();
    assert_eq!(data["error"]["type"], "not_found");
}

/// B-091: text comes from a file or from stdin, and alternative spellings work; the written text is stored.
#[tokio::test(flavor = "multi_thread")]
async fn text_argument_reads_a_file_or_stdin() {
    let world = World::new().await;
    let url = world.kernel.url();
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("note.md");
    std::fs::write(&file, "- from a file\n").unwrap();
    let from_file = format!("@{}", file.display());
    let written = run(&url, &["fs", "write", "--path", "/Garden/A", "--markdown", &from_file]);
    assert!(written.status.success(), "{}", text(&written.stderr));
    let mut child = program(&url)
        .args(["fs", "write", "--path", "/Garden/B", "--markdown", "@-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"from stdin").unwrap();
    assert!(child.wait().unwrap().success());
    for (path, due) in [("/Garden/A", "- from a file"), ("/Garden/B", "from stdin")] {
        let read = text(&run(&url, &["fs", "read", "--path", path]).stdout);
        assert!(read.contains(due), "{read}");
    }
    assert!(run(&url, &["notebook", "ls"]).status.success());
}

/// B-099: a note in a pipe is its text, however long, and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn a_piped_note_is_its_text() {
    let world = World::new().await;
    let url = world.kernel.url();
    let lines: Vec<String> = (0..450).map(|at| format!("Line {at}.")).collect();
    let note = lines.join("\n\n");
    assert!(run(&url, &["fs", "write", "/Garden/Long", "--markdown", &note]).status.success());
    let read = run(&url, &["fs", "read", "/Garden/Long"]);
    assert_eq!((text(&read.stdout), text(&read.stderr)), (format!("{note}\n"), String::new()));
    let part = run(&url, &["fs", "read", "/Garden/Long", "--limit", "2"]);
    assert_eq!(text(&part.stdout), "Line 0.\n\nLine 1.\n");
    assert_eq!(text(&part.stderr), "note: there is more. For the rest, add --cursor 2\n");
    let header = text(&run(&url, &["fs", "read", "/Garden/Long", "--limit", "1", "--header"]).stdout);
    assert!(header.contains("title: Long") && header.ends_with("\n\nLine 0.\n"), "{header}");
}

/// B-099, B-029: blocks that are larger than a page, and notes of several pages, arrive byte for byte.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_note_is_piped_byte_for_byte() {
    let world = World::new().await;
    let url = world.kernel.url();
    let garden = world.notebook("Garden").await;
    let paragraph = "Basil 小白菜 wilts. ".repeat(15_000).trim_end().to_owned();
    let code = format!("```\n{}```", "let bed = 1;\n\n".repeat(20_000));
    let lines: Vec<String> = (0..1_200).map(|at| format!("Line {at}.")).collect();
    let lines = lines.join("\n\n");
    for (name, blocks, pages) in [
        ("Paragraph", vec!["# Beds", &paragraph, "After."], 3),
        ("Code", vec![&code, &code], 6),
        ("Lines", vec![&lines], 3),
        ("Short", vec!["One.", "Two."], 1),
    ] {
        let note = blocks.join("\n\n");
        let body = json!({ "notebook": garden, "path": format!("/{name}"), "markdown": note });
        let id = world.raw("/api/filetree/createDocWithMd", body).await;
        let path = format!("/Garden/{name}");
        for words in [["fs", "read", &path], ["document", "read", id.as_str().unwrap()]] {
            let before = reads(&world);
            let read = run(&url, &words);
            assert_eq!(text(&read.stderr), "", "{words:?}");
            let read = text(&read.stdout);
            let at = read.bytes().zip(note.bytes()).position(|(one, other)| one != other);
            assert_eq!((at, read.len()), (None, note.len() + 1), "{words:?}");
            assert_eq!((read.ends_with('\n'), reads(&world) - before), (true, pages), "{words:?}");
        }
    }
}

/// The requests for the text of a note.
fn reads(world: &World) -> usize {
    world.asked().iter().filter(|path| path.ends_with("getChildBlocks")).count()
}

/// B-091: the first argument needs no name, beside options of every kind; with its name it means the same.
#[tokio::test(flavor = "multi_thread")]
async fn first_argument_needs_no_name() {
    let world = World::new().await;
    let url = world.kernel.url();
    let out = |words: &[&str]| {
        let output = run(&url, words);
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let id = out(&["--ids", "document", "list", "--notebook", "Garden"]).lines().next().unwrap().to_owned();
    for (short, long) in [
        (&["fs", "tree", "/Garden"][..], &["fs", "tree", "--path", "/Garden"][..]),
        (&["document", "info", &id, &id], &["document", "info", "--ids", &id, "--ids", &id]),
        (&["document", "read", "--with-ids", &id], &["document", "read", "--id", &id, "--with-ids=true"]),
        (&["search", "text", "tomatoes"], &["search", "text", "--query", "tomatoes"]),
    ] {
        assert_eq!(out(short), out(long));
    }
    let missing = run(&url, &["fs", "read"]);
    assert!(text(&missing.stderr).contains("<PATH>"), "{missing:?}");
    let twice = run(&url, &["fs", "read", "/Garden", "--path", "/Garden"]);
    assert_eq!(twice.status.code(), Some(2), "{twice:?}");
}

/// B-086, B-093: every error begins alike, in the words of commands.
#[tokio::test(flavor = "multi_thread")]
async fn errors_begin_alike() {
    let world = World::new().await;
    let url = world.kernel.url();
    for (words, due) in [
        (
            &["fs", "read", "/Garden/No such document"][..],
            "error: No such document: /Garden/No such document.",
        ),
        (&["fs", "tree", "--depth", "99"], "error: --depth must be"),
        (&["fs", "tree", "--url", "ftp://x"], "error: "),
        (&["fs", "tree", "--dpth", "9"], "error: "),
    ] {
        let failed = text(&run(&url, words).stderr);
        assert!(failed.starts_with(due), "{failed}");
        assert!(!failed.contains("siyuan-puppy:"), "{failed}");
    }
    let lost = text(&run(&url, &["fs", "read", "/Garden/No such document"]).stderr);
    assert!(lost.contains("\n  List: siyuan-puppy fs list /Garden\n"), "{lost}");
    assert!(run(&url, &["pause"]).status.success());
    let paused = text(&run(&url, &["notebook", "list"]).stderr);
    assert_eq!(paused, "error: Agents are paused. Run `siyuan-puppy resume` to end the pause.\n");
}

/// Five lines, without a call of its own.
#[tokio::test(flavor = "multi_thread")]
async fn status_is_five_lines() {
    let world = World::new().await;
    let url = world.kernel.url();
    assert!(run(&url, &["notebook", "list"]).status.success());
    let home = tempfile::tempdir().unwrap();
    let status = |words: &[&str]| {
        let mut command = program(&url);
        let output = command.env("HOME", home.path()).env("USERPROFILE", home.path()).args(words).output();
        text(&output.unwrap().stdout)
    };
    let printed = status(&["status"]);
    let lines: Vec<&str> = printed.lines().filter(|it| !it.starts_with("  ")).collect();
    for (line, about) in lines.iter().zip(["SiYuan", "HTTP server", "clients", "levels", "last call"]) {
        assert!(line.contains(about), "{printed}");
    }
    assert!(lines.len() == 5 && printed.ends_with("Just now; 1 in all.\n"), "{printed}");
    let printed: Value = serde_json::from_str(&status(&["status", "--json"])).unwrap();
    assert_eq!(printed["calls"]["all"], 1, "{printed}");
    let nowhere = run("http://127.0.0.1:9", &["status"]);
    assert_eq!((nowhere.status.code(), text(&nowhere.stdout).contains("Unknown, ")), (Some(3), true));
}

/// B-103: a damaged file of settings is a fault with a next step, whatever the other lines say.
#[tokio::test(flavor = "multi_thread")]
async fn status_names_damaged_settings() {
    for file in
        ["mcpToolsConfig", "notebookPermissions", "agentNotebooks", "accessSettings", "mcpHttpSettings"]
    {
        let world = World::new().await;
        world.write(&format!("/data/storage/petal/siyuan-mcp-puppy/{file}"), "{torn").await;
        let home = tempfile::tempdir().unwrap();
        let mut command = program(&world.kernel.url());
        let output = command.env("HOME", home.path()).env("USERPROFILE", home.path()).arg("status").output();
        let output = output.unwrap();
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{printed}");
        assert!(
            printed.contains(&format!("{file} is damaged")) && printed.contains("config schema"),
            "{printed}"
        );
        let line = |about: &str| printed.lines().find(|it| it.contains(about)).unwrap_or_default();
        let is_unknown = line("HTTP server").contains("could not be read");
        assert_eq!(is_unknown, file == "mcpHttpSettings", "{printed}");
        assert_eq!(line("levels  ").starts_with('✓'), file != "notebookPermissions", "{printed}");
    }
}

/// B-290: a call that runs in another program is the last one before it is in the totals.
#[tokio::test(flavor = "multi_thread")]
async fn status_shows_a_running_call() {
    let world = World::new().await;
    let url = world.kernel.url();
    assert!(run(&url, &["notebook", "list"]).status.success());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let event = json!({ "seq": 9, "instance": "other", "tool": "fs", "action": "read", "status": "running", "ts": now });
    let file = json!({ "events": [event], "total_calls": 1 });
    world.write("/temp/siyuan-mcp-puppy/puppyEvents.json", &file.to_string()).await;
    let printed = text(&run(&url, &["status"]).stdout);
    assert!(printed.ends_with("fs read started just now and has not ended; 1 before it.\n"), "{printed}");
}

/// B-099: ids alone, for the next program; one that takes them from stdin gets the same things.
#[tokio::test(flavor = "multi_thread")]
async fn ids_are_passed_on() {
    let world = World::new().await;
    let url = world.kernel.url();
    let listed = run(&url, &["document", "list", "--notebook", "Garden", "--ids"]);
    assert!(listed.status.success() && listed.stderr.is_empty());
    let ids = text(&listed.stdout);
    assert!(ids.lines().count() > 1 && ids.lines().all(|it| it.len() == 22), "{ids}");
    let mut child = program(&url)
        .args(["--ids", "document", "info", "--ids", "@-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &listed.stdout).unwrap();
    assert_eq!(text(&child.wait_with_output().unwrap().stdout), ids);
    let some = run(&url, &["document", "list", "--notebook", "Garden", "--limit", "1", "--ids"]);
    assert_eq!(text(&some.stdout).lines().count(), 1);
    assert!(text(&some.stderr).starts_with("note: there is more. For the rest, add --cursor "), "{some:?}");
    let both = run(&url, &["notebook", "list", "--ids", "--json"]);
    assert_eq!(both.status.code(), Some(2));
    let failed = run(&url, &["fs", "read", "--path", "/No/thing", "--ids"]);
    assert!(failed.status.code() == Some(1) && failed.stdout.is_empty(), "an error is no id");
}

/// B-098: without a terminal a destructive command needs `--yes`, and a refusal has exit code 5.
#[tokio::test(flavor = "multi_thread")]
async fn destructive_command_needs_yes_without_a_terminal() {
    let world = World::new().await;
    let url = world.kernel.url();
    assert!(run(&url, &["fs", "write", "--path", "/Scratch/Doomed", "--markdown", "x"]).status.success());
    let found = run(&url, &["fs", "read", "--path", "/Scratch/Doomed", "--json"]);
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    let remove = ["document", "remove", "--ids", found["id"].as_str().unwrap()];
    let refused = run(&url, &remove);
    assert_eq!(refused.status.code(), Some(5), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("--yes"), "{}", text(&refused.stderr));
    assert!(run(&url, &["fs", "read", "--path", "/Scratch/Doomed"]).status.success());
    let done = run(&url, &[&remove[..], &["--yes"]].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert_eq!(run(&url, &["fs", "read", "--path", "/Scratch/Doomed"]).status.code(), Some(1));
}

/// B-097: a broken table stops the command unless a flag says to ignore it.
#[tokio::test(flavor = "multi_thread")]
async fn broken_table_stops_the_command_unless_ignored() {
    let world = World::new().await;
    let url = world.kernel.url();
    world.write("/data/storage/petal/siyuan-mcp-puppy/notebookPermissions", "{torn").await;
    let stopped = run(&url, &["notebook", "list"]);
    assert_eq!(stopped.status.code(), Some(1));
    assert!(text(&stopped.stderr).contains("--no-permission-file"), "{}", text(&stopped.stderr));
    let went_on = run(&url, &["notebook", "list", "--no-permission-file"]);
    assert!(
        went_on.status.success() && text(&went_on.stderr).contains("warning"),
        "{}",
        text(&went_on.stderr)
    );
    let write = ["fs", "write", "--path", "/Garden/New", "--markdown", "x", "--no-permission-file"];
    assert_eq!(run(&url, &write).status.code(), Some(5), "without a table every notebook is at r");
    // F9: the torn file still holds a person's restrictions; no command may overwrite it with a sound one.
    let made = run(&url, &["notebook", "create", "--name", "Seeds", "--no-permission-file"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let table = world.read("/data/storage/petal/siyuan-mcp-puppy/notebookPermissions").await;
    assert_eq!(table.as_deref(), Some(b"{torn".as_slice()));
    let seeds = ["fs", "write", "--path", "/Seeds/New", "--markdown", "x", "--no-permission-file"];
    assert!(run(&url, &seeds).status.success(), "the new notebook has its level all the same");
    world.set_table(&json!({ world.notebook("Garden").await: "none" })).await;
    let hidden = text(&run(&url, &["notebook", "list", "--no-permission-file"]).stdout);
    assert!(!hidden.contains("Garden"), "a sound table holds whatever was typed: {hidden}");
}

/// B-099, B-137: `--debug` shows requests on stderr, but never the token.
#[tokio::test(flavor = "multi_thread")]
async fn debug_shows_requests_without_secrets() {
    let world = World::with_token(Some("canary-token")).await;
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "canary-token\n").unwrap();
    let words = ["notebook", "list", "--debug", "--token-file", file.to_str().unwrap()];
    let output = run(&world.kernel.url(), &words);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success() && err.contains("/api/notebook/lsNotebooks"), "{err}");
    assert!(!out.contains("canary") && !err.contains("canary"), "{out}{err}");
}

/// B-291, B-255: the command waits until its activity is recorded for the puppy.
#[tokio::test(flavor = "multi_thread")]
async fn command_records_its_coin_before_it_exits() {
    let world = World::new().await;
    for _ in 0..3 {
        assert!(run(&world.kernel.url(), &["notebook", "list"]).status.success());
    }
    let stats = world.read_json("/temp/siyuan-mcp-puppy/puppyStats.json").await;
    assert_eq!((&stats["balance"], &stats["total_calls"]), (&json!(3), &json!(3)));
}

/// B-236: a misspelt setting is refused by its name.
#[test]
fn misspelt_setting_is_refused_by_name() {
    let output = program("http://127.0.0.1:9").env("SIYUAN_MCP_TOKN", "x").arg("stdio").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("SIYUAN_MCP_TOKN") && said.contains("Did you mean SIYUAN_MCP_TOKEN?"), "{said}");
}

/// The program asked by a shell for what follows the last of these words.
fn completed(url: &str, words: &[&str]) -> Vec<String> {
    let mut command = program(url);
    command.env("SIYUAN_PUPPY_COMPLETE", "fish").args(["--", "siyuan-puppy"]).args(words);
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(|it| it.split('\t').next().unwrap_or_default().to_owned()).collect()
}

/// B-102: commands and flags are completed, and values from what the workspace lets one read.
#[tokio::test(flavor = "multi_thread")]
async fn shell_completes_names_tags_and_ids() {
    let world = World::new().await;
    let url = world.kernel.url();
    assert!(completed(&url, &["note"]).contains(&"notebook".to_owned()));
    assert!(completed(&url, &["fs", "read", "--pa"]).contains(&"--path".to_owned()));
    assert_eq!(completed(&url, &["document", "search", "--notebook", "Gar"]), ["Garden"]);
    assert!(completed(&url, &["document", "search", "--notebook", "Pri"]).is_empty(), "it is closed");
    let garden = world.notebook("Garden").await;
    for title in ["/Zz$(id)", "/Zz plain", "/Zz-word"] {
        let body = json!({ "notebook": garden, "path": title, "markdown": "x" });
        world.raw("/api/filetree/createDocWithMd", body).await;
    }
    world.raw("/api/sqlite/flushTransaction", json!({})).await;
    let paths = completed(&url, &["fs", "read", "--path", "/Garden/Zz"]);
    assert_eq!(paths, ["/Garden/Zz-word"], "a shell would run or part the others");
    let tags = completed(&url, &["document", "set-properties", "--tags", ""]);
    assert!(!tags.is_empty() && tags.iter().all(|it| !it.starts_with("--")), "{tags:?}");
    let ids = completed(&url, &["document", "info", "--ids", "20"]);
    assert!(!ids.is_empty() && ids.iter().all(|it| it.len() == 22), "{ids:?}");
    assert!(completed("http://127.0.0.1:9", &["document", "search", "--notebook", "G"]).is_empty());
}

/// B-102: each shell gets a script that calls the program by the path at which it lies.
#[test]
fn scripts_call_the_program() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = text(&run("http://127.0.0.1:9", &["completions", shell]).stdout);
        let own = std::path::Path::new(env!("CARGO_BIN_EXE_siyuan-puppy")).canonicalize().unwrap();
        assert!(script.contains("SIYUAN_PUPPY_COMPLETE"), "{script}");
        assert!(script.contains(&*own.to_string_lossy()), "{script}");
    }
    let wrong = run("http://127.0.0.1:9", &["completions", "bsh"]);
    assert!(wrong.status.code() == Some(2) && text(&wrong.stderr).contains("bash"));
}

/// The list of actions needs no SiYuan, and its JSON is one line.
#[test]
fn actions_are_listed_without_siyuan() {
    let listed = text(&run("http://127.0.0.1:9", &["actions", "--json"]).stdout);
    assert_eq!(listed.lines().count(), 1);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), ACTIONS.len());
    let people = text(&run("http://127.0.0.1:9", &["actions"]).stdout);
    assert!(people.lines().count() == ACTIONS.len() + 1 && !people.contains('\u{1b}'), "{people}");
}
