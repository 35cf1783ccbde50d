//! The commands of people who set this up: doctor, profiles, clients, kernels, the pause.

mod clients;
mod doctor;
mod health;
mod profiles;
mod tokens;

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
        let others = ["SIYUAN_", "XDG_", "CLAUDE_", "CODEX_"];
        for name in names.filter(|it| others.iter().any(|of| it.to_string_lossy().starts_with(of))) {
            command.env_remove(name);
        }
        command.env("HOME", self.folder.path()).env("APPDATA", self.path("AppData")).stdin(Stdio::null());
        command.env("LC_ALL", "C");
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

/// B-094: kernels that run here are found, and only those.
#[tokio::test(flavor = "multi_thread")]
async fn kernels_of_this_machine_are_listed() {
    let world = World::new().await;
    let home = Home::new();
    assert!(home.run(&["kernels"]).1.contains("No running SiYuan found"));
    home.has_kernel(&world);
    let (code, text) = home.run(&["kernels", "--json"]);
    let listed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, 0);
    assert_eq!(listed[0]["address"].as_str().unwrap(), world.kernel.url());
    assert_eq!((&listed[0]["used"], listed[0]["version"].is_string()), (&json!(true), true));
    assert_eq!(home.run(&["notebook", "list"]).0, 0);
    for (variable, words) in [
        ("SIYUAN_API_URL", &["kernels", "--json"][..]),
        ("X", &["kernels", "--json", "--url", "http://127.0.0.1:9"]),
    ] {
        let mut command = home.command();
        let (_, text) = said(command.env(variable, "http://127.0.0.1:9").args(words).output().unwrap());
        let listed: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(listed[0]["used"], false, "another one is in force");
    }
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
    let (code, text) = home.on(&world, &["pause"]);
    assert!(code == 0 && text.contains(&world.kernel.url()) && text.contains("SIYUAN_API_URL"), "{text}");
    let (code, text) = home.on(&world, &["notebook", "list"]);
    assert!(code == 1 && text.contains("paused"), "{text}");
    let (code, text) = home.on(&world, &["resume", "--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &report["paused"], &report["address"]), (0, &json!(false), &json!(world.kernel.url())));
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
            "agents",
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
    for command in
        ["doctor", "health", "install", "list", "uninstall", "config", "kernels", "pause", "resume"]
    {
        let (code, text) = home.run(&[command, "--help"]);
        assert_eq!(code, 0);
        assert!(text.contains("Example:") && text.contains(&format!("siyuan-puppy {command}")), "{text}");
        assert!(text.lines().count() <= 50, "{command}: {} lines", text.lines().count());
    }
}
