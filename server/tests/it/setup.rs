//! The commands of people who set this up: doctor, profiles, clients, kernels, the pause.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::world::World;

/// The settings of the server.
const HTTP_FILE: &str = "/data/storage/petal/siyuan-mcp-puppy/mcpHttpSettings";

/// A person with a home folder of their own, and nothing in it.
struct Home {
    folder: TempDir,
}

impl Home {
    fn new() -> Home {
        Home { folder: TempDir::new().unwrap() }
    }

    fn path(&self, inside: &str) -> std::path::PathBuf {
        self.folder.path().join(inside)
    }

    fn write(&self, inside: &str, text: &str) {
        let path = self.path(inside);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn read(&self, inside: &str) -> String {
        std::fs::read_to_string(self.path(inside)).unwrap()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_siyuan-puppy"));
        let names = std::env::vars_os().map(|(name, _)| name);
        for name in
            names.filter(|it| ["SIYUAN_", "XDG_"].iter().any(|of| it.to_string_lossy().starts_with(of)))
        {
            command.env_remove(name);
        }
        command.env("HOME", self.folder.path()).env("APPDATA", self.path("AppData")).stdin(Stdio::null());
        command
    }

    /// Runs the program and returns its exit code, and what it says on both outputs.
    fn run(&self, words: &[&str]) -> (i32, String) {
        said(self.command().args(words).output().unwrap())
    }

    /// The same against a kernel.
    fn on(&self, world: &World, words: &[&str]) -> (i32, String) {
        said(self.command().env("SIYUAN_API_URL", world.kernel.url()).args(words).output().unwrap())
    }

    /// Writes down that a kernel runs on this machine, under the id of a process that does.
    fn has_kernel(&self, world: &World) {
        let port = world.kernel.url().rsplit(':').next().unwrap().to_owned();
        self.write(".config/siyuan/port.json", &json!({ std::process::id().to_string(): port }).to_string());
    }
}

fn said(output: Output) -> (i32, String) {
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

/// The findings of `doctor --json` about a thing, each as its state and its words.
fn about(text: &str, about: &str) -> Vec<(String, String)> {
    let data: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("{text}"));
    let all = data["findings"].as_array().unwrap().iter().filter(|it| it["about"] == about);
    let word = |it: &Value, key: &str| it[key].as_str().unwrap().to_owned();
    all.map(|it| (word(it, "state"), word(it, "says"))).collect()
}

/// B-103: each fault is found, has its exit code, and says what to do; no finding shows the token or the home folder.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_each_fault() {
    let world = World::with_token(Some("canary-token")).await;
    let home = Home::new();
    let look = |token: &str, words: &[&str]| {
        let mut command = home.command();
        command.env("SIYUAN_API_URL", world.kernel.url()).env("SIYUAN_TOKEN", token);
        let (code, text) = said(command.arg("doctor").args(words).output().unwrap());
        let place = home.folder.path().to_str().unwrap();
        assert!(!text.contains("canary") && !text.contains(place), "{text}");
        (code, text)
    };
    let (code, text) = look("canary-token", &[]);
    assert_eq!(code, 0, "{text}");
    for due in [
        "All is well",
        "✓ SiYuan",
        "SIYUAN_API_URL",
        "from SIYUAN_TOKEN",
        "5 notebooks: 1 at none",
        "of 124 are on",
    ] {
        assert!(text.contains(due), "{due}: {text}");
    }
    assert!(text.contains("not installed"), "B-096: {text}");
    assert!(text.lines().all(|line| line.chars().count() < 200) && !text.contains('\u{1b}'), "{text}");

    assert_eq!(look("wrong-canary", &[]).0, 4);
    assert_eq!(look("", &[]).0, 4);
    let (code, text) = look("canary-token", &["--url", "http://127.0.0.1:9", "--json"]);
    assert_eq!((code, about(&text, "SiYuan")[0].0.as_str()), (3, "bad"), "{text}");

    world.write(HTTP_FILE, "{torn").await;
    let (code, text) = look("canary-token", &["--json"]);
    assert!(code == 1 && about(&text, "settings")[0].1.contains("mcpHttpSettings is torn"), "{text}");
    world.write(HTTP_FILE, r#"{"paused":true}"#).await;
    let (code, text) = look("canary-token", &["--json"]);
    assert_eq!((code, about(&text, "paused").len()), (0, 1), "{text}");

    let access = "/data/storage/petal/siyuan-mcp-puppy/accessSettings";
    let gone = home.path("gone");
    world.write(access, &json!({ "transfer_folder": gone }).to_string()).await;
    let (code, text) = look("canary-token", &["--json"]);
    assert_eq!((code, about(&text, "transfer folder")[0].0.as_str()), (1, "bad"), "{text}");
    world.write(access, "{}").await;

    let stale = json!({ "mcpServers": { "siyuan": { "command": gone.join("siyuan-puppy") } } });
    home.write(".cursor/mcp.json", &stale.to_string());
    let (code, text) = look("canary-token", &["--json"]);
    assert!(code == 1 && about(&text, "clients")[0].1.contains("Cursor"), "{text}");
    std::fs::remove_file(home.path(".cursor/mcp.json")).unwrap();

    home.write(".config/siyuan-mcp-puppy/config.json", r#"{"currentProfile":"gone","profiles":{}}"#);
    let (code, text) = said(home.command().args(["doctor", "--json"]).output().unwrap());
    assert!(code == 1 && about(&text, "settings")[0].1.contains("gone"), "{text}");
}

/// With the plugin, its version and its switch are told, and so is what a newer SiYuan does differently.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_tells_of_the_plugin_and_the_version() {
    let world = World::of(demo_kernel::Siyuan::V3_8).await;
    let home = Home::new();
    let version = env!("CARGO_PKG_VERSION");
    for (told, state) in [(version, "good"), ("0.0.1\u{1b}[2J", "note")] {
        let about_plugin = json!({ "name": "siyuan-mcp-puppy", "version": told });
        world.write("/data/plugins/siyuan-mcp-puppy/plugin.json", &about_plugin.to_string()).await;
        let (code, text) = home.on(&world, &["doctor", "--json"]);
        assert_eq!((code, about(&text, "plugin")[0].0.as_str()), (0, state), "{text}");
        assert!(!text.contains("\\u001b"), "{text}");
    }
    let switched = json!([{ "name": "siyuan-mcp-puppy", "enabled": false }]);
    world.write("/data/storage/petal/petals.json", &switched.to_string()).await;
    let (_, text) = home.on(&world, &["doctor", "--json"]);
    assert!(about(&text, "plugin")[0].1.contains("switched off"), "{text}");
    assert!(!about(&text, "different there").is_empty(), "{text}");
}

/// B-094: an address and its token belong together, and the nearest word wins.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_goes_to_its_own_kernel_only() {
    let (one, two) =
        (World::with_token(Some("token-of-one")).await, World::with_token(Some("token-of-two")).await);
    let home = Home::new();
    home.write("one.token", "token-of-one\n");
    let token = home.path("one.token");
    let set = |profile: &str, key: &str, value: &str| {
        let (code, text) = home.run(&["config", "set", key, value, "--profile", profile]);
        assert_eq!(code, 0, "{text}");
    };
    set("one", "url", &one.kernel.url());
    set("one", "token-file", token.to_str().unwrap());
    set("two", "url", &two.kernel.url());
    let list = ["notebook", "list"];
    let run = |variables: &[(&str, &str)], words: &[&str]| {
        let mut command = home.command();
        command.envs(variables.iter().copied()).args(list).args(words);
        said(command.output().unwrap()).0
    };
    let url = two.kernel.url();
    assert_eq!(run(&[], &[]), 0, "the first profile is the current one");
    assert_eq!(run(&[("SIYUAN_TOKEN", "token-of-two")], &[]), 0, "the profile has a token of its own");
    assert_eq!(run(&[], &["--profile", "two"]), 4, "the token of one is not sent to two");
    assert_eq!(run(&[("SIYUAN_TOKEN", "token-of-one")], &["--profile", "two"]), 4);
    assert_eq!(run(&[("SIYUAN_PROFILE", "two")], &[]), 4);
    assert_eq!(run(&[("SIYUAN_PROFILE", "two")], &["--profile", "one"]), 0);
    assert_eq!(run(&[("SIYUAN_API_URL", &url)], &[]), 4, "an address without a token gets none");
    assert_eq!(run(&[("SIYUAN_API_URL", &url), ("SIYUAN_TOKEN", "token-of-two")], &[]), 0);
    assert_eq!(run(&[("SIYUAN_API_URL", &url)], &["--profile", "one"]), 0);
    assert_eq!(run(&[], &["--url", &url]), 4);
    assert_eq!(run(&[], &["--url", &url, "--profile", "one"]), 2);
    assert_eq!(run(&[], &["--profile", "../one"]), 2);
    set("two", "token-env", "TOKEN_OF_TWO");
    assert_eq!(run(&[("TOKEN_OF_TWO", "token-of-two")], &["--profile", "two"]), 0);
    assert_eq!(run(&[], &["--profile", "two"]), 2, "the variable is not set");
    let sent = two.kernel.log();
    assert!(!format!("{sent:?}").contains("token-of-one"), "{sent:?}");
}

/// B-095: profiles are listed, used and removed; what a person wrote beside them stays; only they may read the file.
#[test]
fn profiles_are_kept_in_one_file() {
    const FILE: &str = ".config/siyuan-mcp-puppy/config.json";
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
        (vec!["set", "token-file", "/no/such"], "There is no file"),
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

/// B-104: a client is told, mended and forgotten again; a dry run writes nothing; no token is in any file.
#[test]
fn a_client_is_told_and_forgotten() {
    const FILE: &str = ".cursor/mcp.json";
    let home = Home::new();
    let before =
        "{\n  \"mcpServers\": {\n    \"other\": {\n      \"env\": { \"KEY\": \"canary\" }\n    }\n  }\n}\n";
    home.write(FILE, before);
    let (code, text) = home.run(&["install", "cursor", "--dry-run"]);
    assert!(
        code == 0 && text.contains("+     \"siyuan\": {") && text.contains("~/.cursor/mcp.json"),
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
    assert!(code == 1 && text.contains("left as it is") && !text.contains("canary"), "{text}");
    assert_eq!(home.read(FILE), "{ broken \"canary\"");
    assert_eq!(home.run(&["install", "cursr"]).0, 2);
    assert_eq!(home.run(&["install", "zed", "--profile", "none"]).0, 1);

    for (client, due) in [("cherry-studio", "mcpServers"), ("llama-cpp", "http://127.0.0.1:36806/mcp")] {
        let (code, text) = home.run(&["install", client]);
        assert!(code == 0 && text.contains(due), "{text}");
        assert_eq!(home.run(&["uninstall", client]).0, 0);
    }
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

/// B-094: kernels that run here are found, and only those.
#[tokio::test(flavor = "multi_thread")]
async fn kernels_of_this_machine_are_listed() {
    let world = World::new().await;
    let home = Home::new();
    assert!(home.run(&["kernels"]).1.contains("None has said that it runs"));
    home.has_kernel(&world);
    let (code, text) = home.run(&["kernels", "--json"]);
    let listed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, 0);
    assert_eq!(listed[0]["address"].as_str().unwrap(), world.kernel.url());
    assert_eq!((&listed[0]["used"], listed[0]["version"].is_string()), (&json!(true), true));
    assert_eq!(home.run(&["notebook", "list"]).0, 0);
    assert!(home.run(&["config", "show"]).1.contains("found on this machine"));
}

/// Tables of these commands are lines of plain text where no terminal reads them.
#[tokio::test(flavor = "multi_thread")]
async fn tables_are_plain_lines() {
    let world = World::new().await;
    let home = Home::new();
    home.has_kernel(&world);
    assert_eq!(home.run(&["config", "set", "url", &world.kernel.url()]).0, 0);
    for words in [&["list"][..], &["kernels"], &["config", "list"]] {
        let (code, text) = home.run(words);
        assert!(code == 0 && text.ends_with('\n') && !text.ends_with("\n\n"), "{words:?}: {text:?}");
        assert!(text.lines().count() >= 2, "{words:?}: a heading and a row: {text:?}");
        assert!(!text.contains(['\u{1b}', '\u{2060}', '\u{2062}']), "{words:?}: {text:?}");
    }
}

/// The pause of the panel, from a terminal: every call is refused until it ends, and the other settings stay.
#[tokio::test(flavor = "multi_thread")]
async fn pause_refuses_calls_until_resume() {
    let world = World::new().await;
    let home = Home::new();
    world.write(HTTP_FILE, r#"{"token":"t","of_tomorrow":[1]}"#).await;
    assert_eq!(home.on(&world, &["pause"]).0, 0);
    let (code, text) = home.on(&world, &["notebook", "list"]);
    assert!(code == 1 && text.contains("paused"), "{text}");
    assert_eq!(home.on(&world, &["resume", "--json"]), (0, "{\"paused\":false}\n".to_owned()));
    assert_eq!(home.on(&world, &["notebook", "list"]).0, 0);
    let kept = world.read_json(HTTP_FILE).await;
    assert_eq!(kept, json!({ "token": "t", "of_tomorrow": [1], "paused": false }));
    world.write(HTTP_FILE, "{torn").await;
    for word in ["pause", "resume"] {
        assert_eq!(home.on(&world, &[word]).0, 1, "{word}");
        assert_eq!(world.read(HTTP_FILE).await.unwrap(), b"{torn");
        assert_eq!(home.run(&[word, "--url", "http://127.0.0.1:9"]).0, 3);
    }
}

/// The schemas are those of the settings and of the profiles, alone or together.
#[test]
fn schemas_are_printed() {
    let home = Home::new();
    let all: Value = serde_json::from_str(&home.run(&["config", "schema"]).1).unwrap();
    let names: Vec<&String> = all.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "mcpToolsConfig",
            "notebookPermissions",
            "agentNotebooks",
            "accessSettings",
            "mcpHttpSettings",
            "config"
        ]
    );
    let one: Value = serde_json::from_str(&home.run(&["config", "schema", "notebookPermissions"]).1).unwrap();
    assert_eq!(one, all["notebookPermissions"]);
    assert_eq!(home.run(&["config", "schema", "nothing"]).0, 2);
}

/// The help of each of these commands fits a screen and has an example.
#[test]
fn help_fits_a_screen_and_has_an_example() {
    let home = Home::new();
    for command in ["doctor", "install", "list", "uninstall", "config", "kernels", "pause", "resume"] {
        let (code, text) = home.run(&[command, "--help"]);
        assert_eq!(code, 0);
        assert!(text.contains("Example:") && text.contains(&format!("siyuan-puppy {command}")), "{text}");
        assert!(text.lines().count() <= 50, "{command}: {} lines", text.lines().count());
    }
}
