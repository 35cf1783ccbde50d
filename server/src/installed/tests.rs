//! Copies of what clients keep, before and after.

use std::fs;

use serde_json::json;

use super::*;

fn reach() -> SnippetValues<'static> {
    SnippetValues { program: "/opt/new/siyuan-puppy", ..SnippetValues::default() }
}

/// The file of a client with this content.
fn file(client: Client, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let name = client.own_file("linux").rsplit('/').next().unwrap();
    let path = folder.path().join(name);
    if !text.is_empty() {
        fs::write(&path, text).unwrap();
    }
    (folder, path)
}

fn installed(client: Client, text: &str, wish: &EntryRequest) -> Result<Value, String> {
    let (_folder, path) = file(client, text);
    install(client, &path, &reach(), wish)?.edited.write()?;
    Ok(Value::Object(ConfigFile::open(&path)?.values().clone()))
}

fn with_file() -> impl Iterator<Item = Client> {
    Client::ALL.into_iter().filter(|it| !it.own_file("linux").is_empty())
}

/// B-104: each client with a file gets the entry that its page in the panel shows, twice changes nothing more, and
/// taking it out leaves the file as it was.
#[test]
fn every_client_gets_its_entry_once() {
    assert_eq!(with_file().count(), 10);
    for client in with_file() {
        let (_folder, path) = file(client, "");
        install(client, &path, &reach(), &EntryRequest::default()).unwrap().edited.write().unwrap();
        let values = ConfigFile::open(&path).unwrap().values().clone();
        let entry = config_file::get(&values, &[client.key(), NAME]).cloned();
        assert_eq!(entry, client.entry(ClientTransport::Starts, &reach()), "{client:?}");
        assert!(
            install(client, &path, &reach(), &EntryRequest::default()).unwrap().edited.is_same(),
            "{client:?}"
        );
        assert!(uninstall(client, &path, Some("other")).unwrap().edited.is_same());
        uninstall(client, &path, None).unwrap().edited.write().unwrap();
        let left = ConfigFile::open(&path).unwrap();
        assert_eq!(ours(client, left.values()).count(), 0, "{client:?}");
        assert!(uninstall(client, &path, None).unwrap().edited.is_same());
    }
}

/// An entry of an older place gets the new one; everything that a person added to it stays.
#[test]
fn old_entries_are_mended() {
    let old = json!({ "mcpServers": { "notes": {
        "type": "stdio", "command": r"C:\Old\siyuan-puppy.exe", "args": ["stdio", "--compact"],
        "env": { "SIYUAN_TOKEN": "secret" }, "disabled": true
    } } });
    let mended = installed(Client::Cursor, &old.to_string(), &EntryRequest::default()).unwrap();
    let mut due = old.clone();
    due["mcpServers"]["notes"]["command"] = json!(reach().program);
    assert_eq!(mended, due);
    let anew = EntryRequest { has_options: true, ..EntryRequest::default() };
    let mended = installed(Client::Cursor, &old.to_string(), &anew).unwrap();
    assert_eq!(mended["mcpServers"]["notes"]["args"], json!(["stdio"]));
    let called =
        r#"{"mcpServers":{"siyuan":{"url":"http://127.0.0.1:36806/mcp","headers":{"a":"b"},"note":1}}}"#;
    let mended = installed(Client::Cursor, called, &EntryRequest::default()).unwrap();
    let due = json!({ "note": 1, "command": reach().program, "args": ["stdio"] });
    assert_eq!(mended["mcpServers"]["siyuan"], due);
    let off = r#"{"mcp":{"siyuan":{"type":"local","command":["/old/siyuan-puppy","stdio","--compact"],"enabled":false}}}"#;
    let mended = installed(Client::OpenCode, off, &EntryRequest::default()).unwrap();
    let due =
        json!({ "type": "local", "command": [reach().program, "stdio", "--compact"], "enabled": false });
    assert_eq!(mended["mcp"]["siyuan"], due);
    let codex = "[mcp_servers.siyuan]\ncommand = \"/old/siyuan-puppy\" # mine\nargs = [\"stdio\"]\nenv = { SIYUAN_TOKEN = \"secret\" }\n";
    let (_folder, path) = file(Client::Codex, codex);
    install(Client::Codex, &path, &reach(), &EntryRequest::default()).unwrap().edited.write().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), codex.replace("/old/", "/opt/new/"));
}

/// Another server with our name is not ours to change.
#[test]
fn foreign_entries_are_left_alone() {
    let theirs = r#"{"mcpServers":{"siyuan":{"command":"npx","args":["-y","siyuan-mcp"]}}}"#;
    let said = installed(Client::Cursor, theirs, &EntryRequest::default()).unwrap_err();
    assert!(said.contains("--name") && said.contains("--replace"), "{said}");
    let named = EntryRequest { name: Some("puppy".to_owned()), ..EntryRequest::default() };
    let both = installed(Client::Cursor, theirs, &named).unwrap();
    assert_eq!(both["mcpServers"].as_object().unwrap().len(), 2);
    let replaced = EntryRequest { replaces: true, ..EntryRequest::default() };
    let one = installed(Client::Cursor, theirs, &replaced).unwrap();
    assert_eq!(one["mcpServers"]["siyuan"]["command"], reach().program);
    let (_folder, path) = file(Client::Cursor, theirs);
    assert!(uninstall(Client::Cursor, &path, None).unwrap().edited.is_same());
    for odd in [r#"{"mcpServers":{"siyuan":7}}"#, r#"{"mcpServers":{"siyuan":{"command":7}}}"#] {
        assert!(installed(Client::Cursor, odd, &EntryRequest::default()).is_err(), "{odd}");
    }
}

/// A program in the cache of npx may be gone tomorrow, so its entry is the line that starts it; a path becomes the line
/// and back, and the options of a person stay.
#[test]
fn a_program_in_a_cache_is_entered_as_its_line() {
    let cached = "/home/ana/.npm/_npx/0a/node_modules/@siyuan-mcp-puppy/linux-x64/bin/siyuan-puppy";
    let by_npx = SnippetValues { program: cached, ..reach() };
    for client in with_file() {
        let (_folder, path) = file(client, "");
        let first = |reach| install(client, &path, reach, &EntryRequest::default()).unwrap();
        let of = || {
            let values = ConfigFile::open(&path).unwrap().values().clone();
            config_file::get(&values, &[client.key(), NAME]).cloned().unwrap_or_default()
        };
        first(&by_npx).edited.write().unwrap();
        assert!(of().to_string().contains("\"siyuan-puppy\",\"stdio\""), "{client:?}: {}", of());
        assert!(!of().to_string().contains("_npx"), "{client:?}: {}", of());
        assert_eq!(look_in(client, &path), 1, "{client:?} does not know its entry again");
        assert!(first(&by_npx).edited.is_same(), "{client:?}");
        let plain = reach();
        first(&plain).edited.write().unwrap();
        assert_eq!(Some(of()), client.entry(ClientTransport::Starts, &plain), "{client:?}");
        first(&by_npx).edited.write().unwrap();
        uninstall(client, &path, None).unwrap().edited.write().unwrap();
        assert_eq!(look_in(client, &path), 0, "{client:?}");
    }
    let kept = r#"{ "mcpServers": { "siyuan": { "command": "/old/siyuan-puppy", "args": ["stdio", "--profile", "work"] } } }"#;
    let (_folder, path) = file(Client::Cursor, kept);
    install(Client::Cursor, &path, &by_npx, &EntryRequest::default()).unwrap().edited.write().unwrap();
    let values = ConfigFile::open(&path).unwrap().values().clone();
    let args = config_file::get(&values, &["mcpServers", "siyuan", "args"]).cloned().unwrap();
    let args: Vec<&str> = args.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(args.ends_with(&["siyuan-puppy", "stdio", "--profile", "work"]), "{args:?}");
}

/// The number of our entries in a file.
fn look_in(client: Client, path: &Path) -> usize {
    ours(client, ConfigFile::open(path).unwrap().values()).count()
}
