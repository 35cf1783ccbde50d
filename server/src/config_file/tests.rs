//! Files as people have them: commented, minified, torn, linked.

use std::fs;

use serde_json::json;

use super::*;

fn written(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// The text after one entry is set.
fn set(name: &str, text: &str, keys: &[&str], value: Value) -> Result<String, String> {
    let (_folder, path) = written(name, text);
    ConfigFile::open(&path)?.edit(&[(keys.to_vec(), Some(value))]).map(|it| it.text)
}

fn entry() -> Value {
    json!({ "command": "/opt/siyuan-puppy", "args": ["stdio"] })
}

/// B-104: comments, order, blanks and commas stay.
#[test]
fn json_keeps_everything_else() {
    let zed = "// Zed settings\n//\n{\n  \"theme\": \"One Dark\", // dark\n  /* servers */\n  \"context_servers\": {\n    // mine\n    \"other\": { \"command\": \"npx\", \"args\": [\"-y\", \"x\"] },\n  },\n  \"vim_mode\": true,\n}\n";
    let after = set("settings.json", zed, &["context_servers", "siyuan"], entry()).unwrap();
    let added = "    \"siyuan\": {\n      \"command\": \"/opt/siyuan-puppy\",\n      \"args\": [\"stdio\"],\n    },\n";
    assert_eq!(after, zed.replace("\"x\"] },\n", &format!("\"x\"] }},\n{added}")));
    let (_folder, path) = written("settings.json", &after);
    let back = ConfigFile::open(&path).unwrap().edit(&[(vec!["context_servers", "siyuan"], None)]).unwrap();
    assert_eq!(back.text, zed);
}

#[test]
fn json_takes_any_form() {
    for text in [
        "",
        " \n",
        "{}",
        "{ }\n",
        "\u{feff}{\"a\":1}",
        "{\"mcpServers\":{}}",
        "{\"mcpServers\":{\"x\":{\"command\":\"y\"}}}",
        "{\r\n\t\"mcpServers\": {\r\n\t\t\"x\": {}\r\n\t}\r\n}\r\n",
        "// only a comment\n",
    ] {
        let after = set("mcp.json", text, &["mcpServers", "siyuan"], entry()).unwrap();
        assert_eq!(after.starts_with(MARK), text.starts_with(MARK));
        assert_eq!(after.contains("\r\n"), text.contains("\r\n"), "{after:?}");
        let bare = after.trim_start_matches(MARK);
        assert_eq!(json::values(bare).unwrap()["mcpServers"]["siyuan"], entry(), "{after}");
    }
}

/// A file that cannot be parsed is refused, and the error shows none of its content.
#[test]
fn broken_files_are_refused() {
    for (name, text, why) in [
        (
            "mcp.json",
            "{\"mcpServers\": {\"x\": {\"token\": \"secret\" \"b\"}}}",
            "its line 1 is not valid JSON",
        ),
        ("mcp.json", "{\"mcpServers\": {", "not valid JSON"),
        ("mcp.json", "{'mcpServers': {}}", "not valid JSON"),
        ("mcp.json", "[]", "does not contain a JSON object"),
        ("mcp.json", "{\"mcpServers\": []}", "`mcpServers` in it contains no entries"),
        ("mcp.json", "{\"mcpServers\": null}", "contains no entries"),
        ("mcp.json", "{\"mcpServers\":{},\"mcpServers\":{}}", "names `mcpServers` twice"),
        ("mcp.json", "{\"mcpServers\":{\"siyuan\":1,\"siyuan\":2}}", "names `siyuan` twice"),
        ("mcp.json", "{} {}", "not valid JSON"),
        ("config.toml", "a = 1\nmcpServers = { x = \"secret", "its line 2 is not valid TOML"),
        ("config.toml", "mcpServers = 1", "contains no entries"),
        ("config.toml", "[mcpServers]\n[mcpServers]\n", "not valid TOML"),
    ] {
        let said = set(name, text, &["mcpServers", "siyuan"], entry()).unwrap_err();
        assert!(said.contains(why), "{text}: {said}");
        assert!(!said.contains("secret"), "{said}");
    }
    let (_folder, path) = written("mcp.json", "");
    fs::write(&path, b"{\"a\":\"\xff\"}").unwrap();
    assert!(ConfigFile::open(&path).unwrap_err().contains("is not text"));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(set("mcp.json", &deep, &["mcpServers", "siyuan"], entry()).is_err());
}

/// B-104: TOML, with its comments, inline tables and sections.
#[test]
fn toml_keeps_everything_else() {
    let codex = "# Codex\nmodel = \"o\" # best\n\n[mcp_servers.other]\ncommand = \"npx\"\nargs = [\"-y\", \"x\"] # both\n\n[tui]\ntheme = \"dark\"\n";
    let after = set("config.toml", codex, &["mcp_servers", "siyuan"], entry()).unwrap();
    let added = "[mcp_servers.siyuan]\ncommand = \"/opt/siyuan-puppy\"\nargs = [\"stdio\"]\n";
    assert!(after.contains(added), "{after}");
    assert_eq!(
        after.replacen(added, "", 1).split_whitespace().collect::<Vec<_>>(),
        codex.split_whitespace().collect::<Vec<_>>()
    );
    let keys = ["mcp_servers", "other", "args"];
    let mended = set("config.toml", codex, &keys, json!(["z"])).unwrap();
    assert_eq!(mended, codex.replace("[\"-y\", \"x\"]", "[\"z\"]"), "the comment stays");
    for text in [
        "",
        "mcp_servers = {}\n",
        "mcp_servers = { x = { command = \"zzz\" } }\n",
        "[mcp_servers]\n",
        "mcp_servers.x.command = \"zzz\"\n",
    ] {
        let after = set("config.toml", text, &["mcp_servers", "siyuan"], entry()).unwrap();
        assert_eq!(toml::values(&after).unwrap()["mcp_servers"]["siyuan"], entry(), "{after}");
        assert_eq!(after.contains("zzz"), text.contains("zzz"), "{after}");
    }
}

/// The old content stays beside the new one, and so does the mode.
#[cfg(unix)]
#[test]
fn writing_keeps_mode_link_and_old_content() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (folder, path) = written("real.json", "{\"a\":1}\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("mcp.json");
    symlink(&path, &link).unwrap();
    for n in 0..2 {
        let edited = ConfigFile::open(&link).unwrap().edit(&[(vec!["n"], Some(json!(n)))]).unwrap();
        let before = fs::read_to_string(&path).unwrap();
        let kept = edited.write().unwrap().unwrap();
        assert_eq!(fs::read_to_string(&kept).unwrap(), before);
        assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o640);
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_to_string(&link).unwrap(), "{\n  \"a\":1,\n  \"n\": 1\n}\n");
    let new = folder.path().join("below/new.json");
    assert_eq!(
        ConfigFile::open(&new).unwrap().edit(&[(vec!["n"], Some(json!(1)))]).unwrap().write(),
        Ok(None)
    );
    assert_eq!(fs::metadata(&new).unwrap().permissions().mode() & 0o777, 0o600);
    let left = fs::read_dir(folder.path()).unwrap().flatten();
    assert!(
        !left.map(|it| it.file_name().to_string_lossy().into_owned()).any(|it| it.starts_with(".siyuan"))
    );
}

/// A link to something that is no file of settings changes nothing, and neither does a writer that was too late.
#[cfg(unix)]
#[test]
fn odd_files_are_left_alone() {
    use std::os::unix::fs::symlink;
    let (folder, keys) = written("authorized_keys", "ssh-ed25519 AAAA secret\n");
    let link = folder.path().join("mcp.json");
    for target in [keys.as_path(), folder.path(), Path::new("/no/such"), &link] {
        symlink(target, &link).unwrap();
        let said = ConfigFile::open(&link).unwrap_err();
        assert!(!said.contains("AAAA"), "{said}");
        fs::remove_file(&link).unwrap();
    }
    assert!(std::process::Command::new("mkfifo").arg(&link).status().unwrap().success());
    assert!(ConfigFile::open(&link).is_err());
    fs::remove_file(&link).unwrap();
    assert_eq!(fs::read_to_string(&keys).unwrap(), "ssh-ed25519 AAAA secret\n");

    fs::write(&link, "{}").unwrap();
    let edited = ConfigFile::open(&link).unwrap().edit(&[(vec!["n"], Some(json!(1)))]).unwrap();
    fs::write(&link, "{\"theirs\":true}").unwrap();
    assert!(edited.write().unwrap_err().contains("Another program"));
    assert_eq!(fs::read_to_string(&link).unwrap(), "{\"theirs\":true}");
}

/// A comment above an entry may be about anything: it stays when the entry goes or is replaced, and so do line ends.
#[test]
fn toml_keeps_comments_above_an_entry() {
    let removed = |text: &str| {
        let (_folder, path) = written("config.toml", text);
        ConfigFile::open(&path).unwrap().edit(&[(vec!["mcp_servers", "siyuan"], None)]).unwrap().text
    };
    let block = "# off:\n# [mcp_servers.old]\n# command = \"old\"\n\n# notes\n";
    let own = "[mcp_servers.siyuan]\n# inside\ncommand = \"x\" # mine\n\n# more\n[mcp_servers.siyuan.env]\nA = \"b\"\n";
    for (before, after) in [("a = 1\n\n", "\n[tui]\nb = 2\n"), ("", "\n# last\n"), ("a = 1\n", "")] {
        let text = format!("{before}{block}{own}{after}");
        for end in ["\n", "\r\n"] {
            let text = text.replace('\n', end);
            let replaced = set("config.toml", &text, &["mcp_servers", "siyuan"], entry()).unwrap();
            for (new, has_entry) in [(removed(&text), false), (replaced, true)] {
                assert_eq!(new.contains("siyuan"), has_entry, "{new}");
                let lines = |text: &str| -> Vec<String> {
                    text.lines().filter(|it| it.starts_with('#')).map(str::to_owned).collect()
                };
                assert_eq!(lines(&new), lines(&text), "{new}");
                let bare = new.matches('\n').count() - new.matches("\r\n").count();
                assert_eq!((bare == 0, new.contains('\r')), (end == "\r\n", end == "\r\n"), "{new:?}");
                assert!(new.starts_with(&before.replace('\n', end)), "{new:?}");
                assert!(!has_entry || new.find("# notes") < new.find("[mcp_servers.siyuan]"), "{new}");
            }
        }
    }
    let mixed = "a = 1\r\nb = 2\n# c\r\n[mcp_servers.siyuan]\nx = 1\r\n[d]\ne = \"\"\"\r\nf\n\"\"\"\n";
    assert_eq!(removed(mixed), mixed.replace("[mcp_servers.siyuan]\nx = 1\r\n", ""));
    let open = set("config.toml", "a = 1\r\nb = 2", &["mcp_servers", "siyuan"], entry()).unwrap();
    assert!(open.starts_with("a = 1\r\nb = 2\r\n") && open.ends_with("]\r\n"), "{open:?}");
    let inline = "# s\nmcp_servers = { siyuan = { command = \"x\" }, y = { a = 1 } }\n";
    assert_eq!(removed(inline), "# s\nmcp_servers = { y = { a = 1 } }\n");
    let dotted = "# s\nmcp_servers.siyuan.command = \"x\"\n# t\nb = 1\n";
    assert_eq!(removed(dotted), "# s\n# t\nb = 1\n");
}

/// The comments around an entry of JSON stay when it goes.
#[test]
fn json_keeps_comments_around_an_entry() {
    let text = "{\n  \"mcpServers\": {\n    // \"old\": {},\n    \"a\": {}, // a\n    // b\n    \"siyuan\": { \"command\": \"x\" }\n    // c\n  }\n}\n";
    let (_folder, path) = written("mcp.json", text);
    let gone = ConfigFile::open(&path).unwrap().edit(&[(vec!["mcpServers", "siyuan"], None)]).unwrap().text;
    for comment in ["// \"old\": {},", "// a", "// b", "// c"] {
        assert!(gone.contains(comment), "{comment}: {gone}");
    }
}

/// A comment that an edit would lose is noticed, wherever it stands; one inside the entry goes with it.
#[test]
fn lost_comments_are_noticed() {
    let old = "# a\nb = 1\n  # a\n# c\n";
    assert_eq!(lost(Format::Toml, old, old), Vec::<&str>::new());
    assert_eq!(lost(Format::Toml, old, "# c\nb = 1\n# a\n"), ["# a"]);
    assert_eq!(lost(Format::Json, "// a\n{} // b\n", "{}"), ["// a"]);
    let text = "{\n  \"a\": { // x\n    // in\n    \"b\": 1\n  }\n}\n";
    let (_folder, path) = written("mcp.json", text);
    let gone = ConfigFile::open(&path).unwrap().edit(&[(vec!["a"], None)]).unwrap().text;
    assert!(!gone.contains("in"), "{gone}");
}

/// A file that renaming would take from its owner or part from its second name is left alone; what was left half
/// written is cleared.
#[cfg(unix)]
#[test]
fn what_renaming_would_lose_is_refused() {
    let (folder, path) = written("mcp.json", "{}");
    let put = || ConfigFile::open(&path).unwrap().edit(&[(vec!["n"], Some(json!(1)))]).unwrap().write();
    let second = folder.path().join("second.json");
    fs::hard_link(&path, &second).unwrap();
    assert!(put().unwrap_err().contains("hard link"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
    fs::remove_file(second).unwrap();
    // Only a superuser may give a file away.
    if std::os::unix::fs::chown(&path, Some(65_534), None).is_ok() {
        assert!(put().unwrap_err().contains("another user"));
        std::os::unix::fs::chown(&path, Some(0), None).unwrap();
    }
    let old = folder.path().join(".siyuan-puppy-old");
    let fresh = folder.path().join(".siyuan-puppy-fresh");
    let hours = std::time::SystemTime::now() - std::time::Duration::from_secs(7_200);
    File::create(&old).unwrap().set_modified(hours).unwrap();
    File::create(&fresh).unwrap();
    put().unwrap();
    assert!(!old.exists() && fresh.exists());
}

/// The name of the file says its language, not the place to which a link leads.
#[cfg(unix)]
#[test]
fn language_is_that_of_the_name() {
    let (folder, place) = written("codex", "");
    let link = folder.path().join("config.toml");
    std::os::unix::fs::symlink(&place, &link).unwrap();
    let edited = ConfigFile::open(&link).unwrap().edit(&[(vec!["a", "b"], Some(entry()))]).unwrap();
    assert!(edited.text.starts_with("[a.b]"), "{}", edited.text);
}
