//! Which token goes to which kernel (B-094).

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::{Home, said};
use crate::world::World;

/// An address that refuses every caller, and keeps what each says of itself.
struct Ear {
    url: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Ear {
    fn new() -> Ear {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = heard.clone();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
                kept.lock().unwrap().extend(lines.take_while(|it| !it.is_empty()));
                let _ = stream.write_all(
                    b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                );
            }
        });
        Ear { url, heard }
    }

    /// The tokens that were sent since the last question.
    fn tokens(&self) -> Vec<String> {
        let heard = std::mem::take(&mut *self.heard.lock().unwrap());
        let tokens = heard
            .iter()
            .filter_map(|it| it.to_lowercase().strip_prefix("authorization: ").map(str::to_owned));
        tokens.collect()
    }
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
}

/// B-094: a token goes to the address that was named with it, and to no other; the address that would hear it listens.
#[test]
fn a_token_without_its_address_goes_nowhere() {
    let ear = Ear::new();
    let home = Home::new();
    home.write("home.token", "token-of-home\n");
    let file = home.path("home.token");
    let file = file.to_str().unwrap();
    assert_eq!(home.run(&["config", "set", "url", &ear.url, "--profile", "work"]).0, 0);
    let run = |variables: &[(&str, &str)], words: &[&str]| {
        let mut command = home.command();
        command.envs(variables.iter().copied()).args(["notebook", "list"]).args(words);
        said(command.output().unwrap())
    };
    let (code, text) = run(&[], &["--token-file", file]);
    assert_eq!((code, ear.tokens()), (2, vec![]), "{text}");
    assert!(text.contains("--url") && text.contains("work"), "{text}");
    let one = [("SIYUAN_API_URL", "http://127.0.0.1:9"), ("SIYUAN_TOKEN", "token-of-one")];
    assert_eq!((run(&one, &["--url", &ear.url]).0, ear.tokens()), (4, vec![]));

    // The ear hears what it should.
    assert_eq!(run(&[], &["--profile", "work", "--token-file", file]).0, 4);
    assert!(ear.tokens().contains(&"token token-of-home".to_owned()));
    let same = format!("{}/", ear.url);
    let one = [("SIYUAN_API_URL", same.as_str()), ("SIYUAN_TOKEN", "token-of-one")];
    assert_eq!(run(&one, &["--url", &ear.url]).0, 4);
    assert!(ear.tokens().contains(&"token token-of-one".to_owned()));
    assert_eq!(run(&[("SIYUAN_TOKEN", "token-of-one")], &["--url", &ear.url]).0, 4);
    assert!(ear.tokens().contains(&"token token-of-one".to_owned()));
}

/// B-094: a process that got the id of an ended kernel does not get the kernel's token.
#[test]
fn a_port_of_another_process_is_no_kernel() {
    let ear = Ear::new();
    let home = Home::new();
    let mut other = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let port = ear.url.rsplit(':').next().unwrap();
    home.write(".config/siyuan/port.json", &json!({ other.id().to_string(): port }).to_string());
    let (_, text) = home.run(&["kernels", "--json"]);
    let mut command = home.command();
    let _ = command.env("SIYUAN_TOKEN", "token-of-home").args(["notebook", "list"]).output().unwrap();
    other.kill().unwrap();
    other.wait().unwrap();
    assert_eq!((text.trim(), ear.tokens()), ("[]", vec![]));
}

/// B-095: the program that prints a token takes nothing from what an agent sends.
#[cfg(unix)]
#[test]
fn a_token_command_does_not_read_the_agents_messages() {
    let ear = Ear::new();
    let home = Home::new();
    let eaten = home.path("eaten");
    let script = format!("cat >'{}'; echo a-token", eaten.display());
    let words = json!(["sh", "-c", script]).to_string();
    assert_eq!(home.run(&["config", "set", "url", &ear.url]).0, 0);
    assert_eq!(home.run(&["config", "set", "token-command", &words]).0, 0);
    let mut command = home.command();
    command.arg("stdio").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{hello}").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(std::fs::read_to_string(eaten).unwrap(), "");
    let answer = String::from_utf8(output.stdout).unwrap();
    assert!(answer.contains("\"id\":1") && answer.contains("siyuan"), "{answer}");
}

/// B-095: the program that prints a token runs only where a token is needed, and never while a shell completes.
#[cfg(unix)]
#[test]
fn a_token_command_runs_where_a_token_is_needed() {
    let ear = Ear::new();
    let home = Home::new();
    let ran = home.path("ran");
    let words = json!(["sh", "-c", format!("echo x >>'{}'; exit 1", ran.display())]).to_string();
    assert_eq!(home.run(&["config", "set", "url", &ear.url]).0, 0);
    assert_eq!(home.run(&["config", "set", "token-command", &words]).0, 0);
    let (code, text) = home.run(&["config", "show"]);
    assert!(code == 0 && text.contains("profile default"), "{text}");
    let mut command = home.command();
    command.env("SIYUAN_PUPPY_COMPLETE", "fish");
    command.args(["--", "siyuan-puppy", "document", "search", "--notebook", "G"]);
    let output = command.output().unwrap();
    assert!(output.stderr.is_empty() && !ran.exists(), "{output:?}");
    let (code, text) = home.run(&["notebook", "list"]);
    assert!(code == 2 && text.contains("profile default") && ran.exists(), "{text}");
}
