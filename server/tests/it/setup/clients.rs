//! The entry in the files of clients (B-104).

use std::path::Path;

use serde_json::{Value, json};

use super::Home;

/// B-104: a client is configured, repaired and removed again; a dry run writes nothing; no token is in any file.
#[test]
fn a_client_is_told_and_forgotten() {
    const FILE: &str = ".cursor/mcp.json";
    let home = Home::new();
    let before =
        "{\n  \"mcpServers\": {\n    \"other\": {\n      \"env\": { \"KEY\": \"canary\" }\n    }\n  }\n}\n";
    home.write(FILE, before);
    let (code, text) = home.run(&["install", "cursor", "--dry-run"]);
    assert!(
        code == 0
            && text.contains("+ mcpServers.siyuan.args = [\"stdio\"]")
            && text.contains("~/.cursor/mcp.json"),
        "{text}"
    );
    assert!(!text.contains("canary"), "another server's secret is not shown: {text}");
    assert_eq!(home.read(FILE), before);

    let (code, text) = home.run(&["install", "cursor"]);
    assert!(code == 0 && text.contains(".bak") && text.contains("token-file"), "{text}");
    let entry = |text: &str| -> Value {
        serde_json::from_str::<Value>(text).unwrap()["mcpServers"]["siyuan"].clone()
    };
    let own = Path::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
    assert_eq!(Path::new(entry(&home.read(FILE))["command"].as_str().unwrap()).file_name(), own.file_name());
    assert_eq!(entry(&home.read(FILE))["args"], json!(["stdio"]));
    assert!(home.run(&["install", "cursor"]).1.contains("already"));
    let (_, listed) = home.run(&["list", "--json"]);
    let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed.len(), 12);
    assert_eq!(listed.iter().find(|it| it["client"] == "cursor").unwrap()["state"], "ready");

    home.write("token", "canary\n");
    let token = home.path("token");
    let words = ["install", "cursor", "--url", "http://127.0.0.1:1", "--token-file", token.to_str().unwrap()];
    assert_eq!(home.run(&words).0, 0);
    assert_eq!(
        entry(&home.read(FILE))["args"],
        json!(["stdio", "--url", "http://127.0.0.1:1", "--token-file", token])
    );
    let connect = [
        "install",
        "cursor",
        "--connect",
        "http://127.0.0.1:36806/mcp",
        "--mcp-token-file",
        token.to_str().unwrap(),
    ];
    assert_eq!(home.run(&connect).0, 0);
    assert_eq!(
        entry(&home.read(FILE))["args"],
        json!(["stdio", "--connect", "http://127.0.0.1:36806/mcp", "--mcp-token-file", token])
    );
    assert_eq!(home.run(&["uninstall", "cursor"]).0, 0);
    let left: Value = serde_json::from_str(&home.read(FILE)).unwrap();
    assert_eq!(left, serde_json::from_str::<Value>(before).unwrap());

    home.write(FILE, "{ broken \"canary\"");
    let (code, text) = home.run(&["install", "cursor"]);
    assert!(code == 1 && text.contains("was not changed") && !text.contains("canary"), "{text}");
    assert_eq!(home.read(FILE), "{ broken \"canary\"");
    assert_eq!(home.run(&["install", "cursr"]).0, 2);
    assert_eq!(home.run(&["install", "zed", "--profile", "none"]).0, 2);

    for (client, due) in [("cherry-studio", "mcpServers"), ("llama-cpp", "http://127.0.0.1:36806/mcp")] {
        let (code, text) = home.run(&["install", client]);
        assert!(code == 0 && text.contains(due), "{text}");
        assert_eq!(home.run(&["uninstall", client]).0, 0);
    }
    let (code, text) = home.run(&["install", "chatgpt"]);
    let due =
        ["have not been tried", "tunnel-client init ", "siyuan-puppy", "stdio --confirm approve,block\""];
    assert!(code == 0 && due.iter().all(|it| text.contains(it)), "{text}");
    assert_eq!(home.run(&["uninstall", "chatgpt"]).0, 2, "there is nothing of it on this machine");
}

/// A link of a client's file that leads to something else changes nothing there.
#[cfg(unix)]
#[test]
fn a_link_to_something_else_is_refused() {
    let home = Home::new();
    home.write(".ssh/authorized_keys", "ssh-ed25519 AAAA canary\n");
    home.write(".cursor/none", "");
    std::os::unix::fs::symlink(home.path(".ssh/authorized_keys"), home.path(".cursor/mcp.json")).unwrap();
    let (code, text) = home.run(&["install", "cursor"]);
    assert!(code == 1 && !text.contains("canary"), "{text}");
    assert_eq!(home.read(".ssh/authorized_keys"), "ssh-ed25519 AAAA canary\n");
    assert_eq!(std::fs::read_dir(home.path(".ssh")).unwrap().count(), 1);
}

/// B-104: what cannot work later is refused now, as wrong use, and nothing is written.
#[test]
fn an_entry_that_could_not_work_is_refused() {
    let home = Home::new();
    home.write("token", "t");
    let token = home.path("token");
    let token = token.to_str().unwrap();
    assert_eq!(home.run(&["config", "set", "url", "http://127.0.0.1:1", "--profile", "x"]).0, 0);
    for (words, due) in [
        (&["--url", "nonsense"][..], "http://"),
        (&["--url", ""], "http://"),
        (&["--url", "http://"], "http://"),
        (&["--url", "http://ana:canary@h"], "password"),
        (&["--connect", "nonsense"], "http://"),
        (&["--connect", "http://ana:canary@h/mcp"], "password"),
        (&["--name", ""], "name"),
        (&["--name", "a\u{1b}b"], "name"),
        (&["--profile", "x", "--url", "http://127.0.0.1:1"], "two kernels"),
        (&["--connect", "http://127.0.0.1:36806/mcp", "--url", "http://127.0.0.1:1"], "--connect"),
        (&["--connect", "http://127.0.0.1:36806/mcp", "--profile", "x"], "--connect"),
        (&["--connect", "http://127.0.0.1:36806/mcp", "--token-file", token], "--connect"),
        (&["--token-file", token], "--url"),
        (&["--profile", "none"], "no profile"),
    ] {
        for before in [false, true] {
            // An option may stand before the command.
            let install: &[&str] = if before { &[] } else { &["install", "cursor"] };
            let after: &[&str] = if before { &["install", "cursor"] } else { &[] };
            if before && ["--connect", "--name"].contains(&words[0]) {
                continue;
            }
            let (code, text) = home.run(&[install, words, after].concat());
            assert!(code == 2 && text.contains(due), "{words:?}: {code} {text}");
            assert!(!text.contains("canary") && !text.contains('\u{1b}'), "{text}");
        }
    }
    assert!(!home.path(".cursor").exists());
}

/// B-104: a dry run shows the entry and no secret, neither another server's nor one of the entry; and writes nothing.
#[test]
fn a_dry_run_shows_no_secret() {
    const FILE: &str = ".cursor/mcp.json";
    let home = Home::new();
    let ours = r#"{"command":"/old/siyuan-puppy","args":["stdio"],"env":{"SIYUAN_TOKEN":"canary"}}"#;
    let called = r#"{"url":"http://127.0.0.1:36806/mcp","headers":{"Authorization":"Bearer canary"}}"#;
    let theirs = r#"{"command":"npx","args":["--key","canary"],"env":{"K":"canary"}}"#;
    for (text, words, due) in [
        (
            "{\n  \"mcpServers\": {\n    \"other\": { \"env\": { \"KEY\": \"canary\" } }\n  }\n}\n"
                .to_owned(),
            &["install", "cursor"][..],
            "+ mcpServers.siyuan.command",
        ),
        (
            r#"{"mcpServers":{"o":{"env":{"K":"canary"}}}}"#.to_owned(),
            &["install", "cursor"],
            "+ mcpServers.siyuan.command",
        ),
        (
            format!(r#"{{"mcpServers":{{"siyuan":{ours}}}}}"#),
            &["uninstall", "cursor"],
            "- mcpServers.siyuan.env.SIYUAN_TOKEN = (hidden)",
        ),
        (
            format!(r#"{{"mcpServers":{{"siyuan":{called}}}}}"#),
            &["install", "cursor"],
            "- mcpServers.siyuan.headers.Authorization = (hidden)",
        ),
        (
            format!(r#"{{"mcpServers":{{"siyuan":{theirs}}}}}"#),
            &["install", "cursor", "--replace"],
            "- mcpServers.siyuan.args = (hidden)",
        ),
    ] {
        home.write(FILE, &text);
        for form in [&["--dry-run"][..], &["--dry-run", "--json"]] {
            let (code, said) = home.run(&[words, form].concat());
            assert!(code == 0 && !said.contains("canary"), "{words:?} {text}: {said}");
            assert!(form.len() > 1 || said.contains(due), "{due}: {said}");
            assert!(said.lines().all(|line| line.trim() != "+"), "{said}");
        }
        assert_eq!(home.read(FILE), text);
    }
    home.write(FILE, "{}");
    assert!(
        home.run(&["install", "cursor", "--dry-run"]).1.contains("token-file"),
        "it tells of the token too"
    );
}

/// B-099: programs read one line of JSON.
#[test]
fn installing_is_told_to_programs() {
    let home = Home::new();
    let report = |words: &[&str]| -> Value {
        let (code, text) = home.run(&[words, &["--json"]].concat());
        assert_eq!((code, text.lines().count()), (0, 1), "{text}");
        serde_json::from_str(&text).unwrap()
    };
    let dry = report(&["install", "cursor", "--dry-run"]);
    assert_eq!(
        (&dry["changed"], &dry["written"], &dry["file"]),
        (&json!(true), &json!(false), &json!("~/.cursor/mcp.json"))
    );
    let done = report(&["install", "cursor"]);
    assert_eq!(
        (&done["written"], &done["client"], &done["needs_token"]),
        (&json!(true), &json!("cursor"), &json!(true))
    );
    assert_eq!(report(&["install", "cursor"])["changed"], false);
    assert_eq!(report(&["uninstall", "cursor"])["written"], true);
    assert!(report(&["install", "cherry-studio"])["enter"].as_str().unwrap().contains("mcpServers"));
}

/// The last lines match the change, and ask for the token only if the entry names none.
#[test]
fn last_words_fit_what_was_done() {
    const FILE: &str = ".cursor/mcp.json";
    let home = Home::new();
    for (entry, has_token) in [
        (r#"{"command":"/old/siyuan-puppy","args":["stdio"]}"#, false),
        (
            r#"{"command":"/old/siyuan-puppy","args":["stdio","--url","http://127.0.0.1:1","--token-file","/t"]}"#,
            true,
        ),
        (r#"{"command":"/old/siyuan-puppy","args":["stdio","--profile","a"]}"#, true),
        (r#"{"command":"/old/siyuan-puppy","args":["stdio","--connect","http://127.0.0.1:1/mcp"]}"#, true),
        (r#"{"command":"/old/siyuan-puppy","args":["stdio"],"env":{"SIYUAN_TOKEN":"t"}}"#, true),
    ] {
        home.write(FILE, &format!(r#"{{"mcpServers":{{"siyuan":{entry}}}}}"#));
        let (code, text) = home.run(&["install", "cursor"]);
        assert_eq!((code, text.contains("store its token")), (0, !has_token), "{entry}: {text}");
    }
    let (_, text) = home.run(&["uninstall", "cursor"]);
    assert!(text.contains("updated") && !text.contains("List my notebooks"), "{text}");
    let (_, text) = home.run(&["list"]);
    assert!(text.contains("paste manually") && text.contains("not found"), "{text}");
}

/// B-104: the client decides the language of its file, wherever a link leads.
#[cfg(unix)]
#[test]
fn a_link_does_not_decide_the_language() {
    let home = Home::new();
    home.write("dotfiles/codex", "");
    std::fs::create_dir_all(home.path(".codex")).unwrap();
    std::os::unix::fs::symlink(home.path("dotfiles/codex"), home.path(".codex/config.toml")).unwrap();
    assert_eq!(home.run(&["install", "codex"]).0, 0);
    assert!(
        home.read("dotfiles/codex").starts_with("[mcp_servers.siyuan]\n"),
        "{}",
        home.read("dotfiles/codex")
    );
}

/// B-104: a server of the usual name is ours only where this program listens by default.
#[test]
fn a_local_address_is_not_ours_by_its_name() {
    const FILE: &str = ".cursor/mcp.json";
    let home = Home::new();
    let file =
        |url: &str| format!(r#"{{"mcpServers":{{"siyuan":{{"url":"{url}","headers":{{"A":"b"}}}}}}}}"#);
    for foreign in [
        "http://127.0.0.1:8080/mcp",
        "http://127.0.0.1:36806/other",
        "https://far.example/mcp?next=http://127.0.0.1:36806/mcp",
        "http://127.0.0.1:36806@far.example/mcp",
    ] {
        home.write(FILE, &file(foreign));
        let (code, text) = home.run(&["install", "cursor"]);
        assert!(code == 1 && text.contains("--replace"), "{foreign}: {text}");
        assert_eq!(home.run(&["uninstall", "cursor"]).0, 0);
        assert_eq!(home.read(FILE), file(foreign));
        assert!(home.run(&["doctor"]).1.contains("None of the supported clients is set up"), "{foreign}");
    }
    for own in ["http://127.0.0.1:36806/mcp", "http://localhost:36806/mcp", "http://[::1]:36806/mcp"] {
        home.write(FILE, &file(own));
        let (_, listed) = home.run(&["list", "--json"]);
        let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
        assert_eq!(listed.iter().find(|it| it["client"] == "cursor").unwrap()["state"], "http", "{own}");
        assert!(home.run(&["doctor"]).1.contains("Cursor"), "{own}");
        assert_eq!(home.run(&["install", "cursor"]).0, 0, "{own}");
        assert!(home.read(FILE).contains("stdio"));
    }
}

/// A program that holds the turn for ever hinders no dry run, and a change only for a while.
#[test]
fn a_held_lock_is_told() {
    let home = Home::new();
    assert_eq!(home.run(&["install", "cursor", "--dry-run"]).0, 0);
    let lock = home.path(".local/share/siyuan-mcp-puppy/config.lock");
    assert!(!lock.exists(), "a dry run writes nothing");
    if !cfg!(target_os = "linux") {
        return;
    }
    home.write(".local/share/siyuan-mcp-puppy/config.lock", "");
    let held = std::fs::File::open(lock).unwrap();
    held.lock().unwrap();
    assert_eq!(home.run(&["install", "cursor", "--dry-run"]).0, 0);
    let (code, text) = home.run(&["install", "cursor"]);
    assert!(code == 1 && text.contains("Another siyuan-puppy"), "{text}");
    drop(held);
    assert_eq!(home.run(&["install", "cursor"]).0, 0);
}

/// B-104: the folders that Claude Code and Codex are configured to use instead of the home folder.
#[test]
fn folders_of_clients_are_heeded() {
    let home = Home::new();
    for (client, variable, file) in
        [("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"), ("codex", "CODEX_HOME", "config.toml")]
    {
        let mut command = home.command();
        command.env(variable, home.path("elsewhere")).args(["install", client]);
        assert!(command.output().unwrap().status.success());
        assert!(home.read(&format!("elsewhere/{file}")).contains("siyuan-puppy"), "{client}");
        assert!(!home.path(".claude.json").exists() && !home.path(".codex").exists());
    }
}
