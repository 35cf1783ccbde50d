//! Profiles of a person (B-095).

use serde_json::{Value, json};

use super::{Home, said};

/// The file of profiles.
const FILE: &str = ".config/siyuan-mcp-puppy/config.json";

/// B-095: profiles are listed, used and removed; what a person wrote beside them stays; only they may read the file.
#[test]
fn profiles_are_kept_in_one_file() {
    let home = Home::new();
    let ok = |words: &[&str]| {
        let (code, text) = home.run(&[&["config"], words].concat());
        assert_eq!(code, 0, "{words:?}: {text}");
        text
    };
    ok(&["set", "url", "http://127.0.0.1:1/"]);
    home.write(FILE, &home.read(FILE).replacen('{', "{ // mine", 1));
    ok(&["set", "token-command", "[\"echo\", \"x\"]"]);
    ok(&["set", "url", "http://127.0.0.1:2", "--profile", "work"]);
    assert!(home.read(FILE).starts_with("{ // mine"), "{}", home.read(FILE));
    let listed: Value = serde_json::from_str(&ok(&["list", "--json"])).unwrap();
    assert_eq!(listed[0]["url"], "http://127.0.0.1:1");
    assert_eq!((&listed[0]["current"], &listed[1]["name"]), (&json!(true), &json!("work")));
    ok(&["use", "work"]);
    let shown: Value = serde_json::from_str(&ok(&["show", "--json"])).unwrap();
    assert_eq!(
        (&shown["address"], &shown["address_from"]),
        (&json!("http://127.0.0.1:2"), &json!("profile work"))
    );
    assert_eq!((&shown["token_from"], &shown["profiles"]), (&Value::Null, &json!(format!("~/{FILE}"))));
    ok(&["remove", "work"]);
    assert!(!home.read(FILE).contains("work"));
    assert_eq!(ok(&["path"]).trim(), home.path(FILE).to_str().unwrap());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        home.run(&["config", "set", "url", "http://127.0.0.1:1"]);
        let fresh = Home::new();
        fresh.run(&["config", "set", "url", "http://127.0.0.1:1"]);
        assert_eq!(std::fs::metadata(fresh.path(FILE)).unwrap().permissions().mode() & 0o777, 0o600);
    }
    for (words, why) in [
        (vec!["set", "url", "x"], "http://"),
        (vec!["set", "token", "secret"], "token-file"),
        (vec!["set", "token-file", "/no/such"], "No such file"),
        (vec!["set", "url", "http://127.0.0.1:1", "--profile", "../../x"], "letters"),
        (vec!["use", "defalt"], "Did you mean default?"),
        (vec!["use", "\u{1b}[31m"], "⟨U+001B⟩"),
    ] {
        let (code, text) = home.run(&[&["config"], &words[..]].concat());
        assert!(code != 0 && text.contains(why) && !text.contains('\u{1b}'), "{words:?}: {text}");
    }
    let before = "{\"profiles\": {\"a\": {\"token\": \"canary\"}}}";
    home.write(FILE, before);
    for words in [["config", "list"], ["config", "show"], ["notebook", "list"]] {
        let (code, text) = home.run(&words);
        assert!(code != 0 && !text.contains("canary"), "{text}");
    }
    home.write(FILE, "{torn");
    assert_ne!(home.run(&["config", "set", "url", "http://127.0.0.1:1"]).0, 0);
    assert_eq!(home.read(FILE), "{torn", "nothing is lost");
}

/// B-095: a file that is malformed is reported by the key and the expected form; no value is shown (B-087).
#[test]
fn a_wrong_file_is_told_without_its_values() {
    let home = Home::new();
    for (text, due) in [
        (r#"{"currentProfile":{"a":"canary"}}"#, "currentProfile"),
        (r#"{"profiles":"canary"}"#, "profiles"),
        (r#"{"profiles":["canary"]}"#, "profiles"),
        (r#"{"profiles":{"a":"canary"}}"#, "profiles.a"),
        (r#"{"profiles":{"a":{"url":["canary"]}}}"#, "profiles.a.url"),
        (
            r#"{"profiles":{"a":{"url":"http://127.0.0.1:1","tokenCommand":"canary"}}}"#,
            "profiles.a.tokenCommand",
        ),
        (
            r#"{"profiles":{"a":{"url":"http://127.0.0.1:1","tokenCommand":["x",{"canary":1}]}}}"#,
            "profiles.a.tokenCommand",
        ),
        (r#"{"profiles":{"a":{"url":"http://127.0.0.1:1","tokenFile":7777}}}"#, "profiles.a.tokenFile"),
        (r#"{"profiles":{"a":{"tokenFile":"/canary"}}}"#, "profiles.a has no url"),
        (r#"{"profiles":{"a":{"url":"http://127.0.0.1:1","\u001b[2Jx":"canary"}}}"#, "⟨U+001B⟩[2Jx"),
        (r#"{"profiles":{"\u001b[2J":{"url":7777}}}"#, "profiles.⟨U+001B⟩[2J.url"),
    ] {
        home.write(FILE, text);
        for words in [&["config", "list"][..], &["config", "show"], &["notebook", "list"], &["doctor"]] {
            let (code, said) = home.run(words);
            assert!(code != 0 && said.contains(due), "{words:?} {text}: {said}");
            assert!(
                !["canary", "7777", "\u{1b}", "struct", "expected"].iter().any(|it| said.contains(it)),
                "{said}"
            );
        }
    }
}

/// No name or address from a file moves the cursor or shows a password.
#[test]
fn what_a_file_holds_is_shown_harmless() {
    let home = Home::new();
    let odd = "x\u{1b}[2J";
    let profile = json!({ "url": "http://ana:canary@127.0.0.1:9", "tokenEnv": odd });
    home.write(FILE, &json!({ "currentProfile": odd, "profiles": { odd: profile } }).to_string());
    for words in [
        &["config", "list"][..],
        &["config", "list", "--json"],
        &["config", "show"],
        &["config", "show", "--json"],
        &["config", "get", "url"],
        &["config", "get", "token-env"],
        &["config", "unset", "ca-file"],
        &["notebook", "list"],
        &["doctor"],
        &["doctor", "--json"],
    ] {
        let (_, said) = home.run(words);
        assert!(said.len() > 3 && !said.contains("canary") && !said.contains('\u{1b}'), "{words:?}: {said}");
    }
    assert!(home.run(&["config", "get", "url"]).1.contains("http://127.0.0.1:9"));
}

/// B-095: a setting that the next command would stumble over is refused at once.
#[test]
fn settings_are_checked_when_they_are_set() {
    let home = Home::new();
    home.write("token", "x");
    let token = home.path("token");
    let file = token.to_str().unwrap();
    for (words, code, due) in [
        (&["set", "token-file", file][..], 1, "config set url"),
        (&["set", "url", ""], 1, "http://"),
        (&["set", "url", "http://"], 1, "http://"),
        (&["set", "token-env", "X"], 1, "config set url"),
    ] {
        let (was, said) = home.run(&[&["config"], words].concat());
        assert!(was == code && said.contains(due), "{words:?}: {was} {said}");
        assert!(!home.path(FILE).exists(), "{words:?}");
    }
    let ok = |words: &[&str]| {
        let (code, said) = home.run(&[&["config"], words].concat());
        assert_eq!(code, 0, "{words:?}: {said}");
        said
    };
    ok(&["set", "url", "http://127.0.0.1:9"]);
    for wrong in ["", "A B", "A=B", "$X"] {
        assert_eq!(home.run(&["config", "set", "token-env", wrong]).0, 1, "{wrong:?}");
    }
    assert_eq!(home.run(&["config", "set", "token-command", "[\"\"]"]).0, 1);
    ok(&["set", "token-file", file]);
    let said = ok(&["set", "token-env", "SOME_TOKEN"]);
    assert!(said.contains("token-file"), "the older source is replaced, and that is said: {said}");
    assert!(!home.read(FILE).contains("tokenFile"));
    let mut command = home.command();
    let (_, text) = said_with(command.env("SOME_TOKEN", "t").args(["notebook", "list"]));
    assert!(!text.contains("more than one"), "{text}");
    for (words, code) in [
        (&["unset", "url"][..], 1),
        (&["unset", "token-env", "--profile", "foo"], 2),
        (&["use", "foo"], 2),
        (&["remove", "foo"], 2),
        (&["get", "url", "--profile", "foo"], 2),
        (&["get", "ca-file"], 1),
    ] {
        let (was, said) = home.run(&[&["config"], words].concat());
        assert!(was == code && !said.contains('✓'), "{words:?}: {was} {said}");
    }
    assert!(ok(&["unset", "ca-file"]).contains("Nothing was changed"));
    assert_eq!(ok(&["get", "token-env"]), "SOME_TOKEN\n");
    assert_eq!(ok(&["get", "token-env", "--json"]), "\"SOME_TOKEN\"\n");
    for words in [
        &["set", "url", "http://127.0.0.1:8"][..],
        &["unset", "token-env"],
        &["set", "url", "http://127.0.0.1:7", "--profile", "b"],
        &["use", "b"],
        &["remove", "b"],
    ] {
        let said = ok(&[words, &["--json"]].concat());
        let report: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{words:?}: {said}"));
        assert!(report["profile"].is_string(), "{said}");
    }
}

fn said_with(command: &mut std::process::Command) -> (i32, String) {
    said(command.output().unwrap())
}

/// B-095: the profiles of another file come in, all or none, and never over others without a word.
#[test]
fn profiles_are_imported() {
    let home = Home::new();
    let import = |text: &str, more: &[&str]| {
        home.write("in.json", text);
        let file = home.path("in.json");
        home.run(&[&["config", "import", file.to_str().unwrap()], more].concat())
    };
    let two = r#"{ // two
        "currentProfile": "b", "profiles": {"a":{"url":"http://127.0.0.1:1"},"b":{"url":"http://127.0.0.1:2","tokenEnv":"B"}}}"#;
    let (code, said) = import(two, &[]);
    assert!(code == 0 && said.contains("a, b"), "{said}");
    let listed: Value = serde_json::from_str(&home.run(&["config", "list", "--json"]).1).unwrap();
    assert_eq!((&listed[1]["token_env"], &listed[1]["current"]), (&json!("B"), &json!(true)));
    let before = home.read(FILE);
    let other = r#"{"currentProfile":"c","profiles":{"c":{"url":"http://127.0.0.1:3"},"a":{"url":"http://127.0.0.1:4"}}}"#;
    let (code, said) = import(other, &[]);
    assert!(code == 1 && said.contains("--replace"), "{said}");
    for wrong in [
        r#"{"profiles":{"d":{"url":"x"}}}"#,
        r#"{"profiles":{"d":{"url":"http://127.0.0.1:1","token":"canary"}}}"#,
        "{torn",
        "{}",
    ] {
        let (code, said) = import(wrong, &[]);
        assert!(code == 1 && !said.contains("canary"), "{wrong}: {said}");
    }
    assert_eq!(home.run(&["config", "import", "/no/such"]).0, 1);
    assert_eq!(home.read(FILE), before, "all or none");
    assert_eq!(import(other, &["--replace"]).0, 0);
    let listed: Value = serde_json::from_str(&home.run(&["config", "list", "--json"]).1).unwrap();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["url"]), (3, &json!("http://127.0.0.1:4")));
    assert_eq!(listed[1]["current"], true, "the current one stays");
}

/// Programs that change the file at once take turns: every change is in it at the end.
#[test]
fn changes_at_once_lose_nothing() {
    let home = Home::new();
    let children: Vec<_> = (0..8)
        .map(|at| {
            let mut command = home.command();
            let name = format!("p{at}");
            command.args(["config", "set", "url", "http://127.0.0.1:9", "--profile", &name]).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let listed: Value = serde_json::from_str(&home.run(&["config", "list", "--json"]).1).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 8);
}
