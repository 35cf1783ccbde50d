//! Stdin and stdout: only JSON-RPC is written, whatever arrives.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Command;

use serde_json::{Value, json};

use super::door::{call, greeting, request};
use crate::client::Era;
use crate::process::{ended, program};

/// An address at which nothing listens.
const NOWHERE: &str = "http://127.0.0.1:9";

/// Sends lines, closes stdin, and returns every line of stdout.
fn fed(command: &mut Command, lines: &[String]) -> (Vec<Value>, String) {
    let mut child = command.arg("stdio").spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let logging = std::thread::spawn(move || {
        let mut all = String::new();
        stderr.read_to_string(&mut all).map(|_| all).unwrap()
    });
    let lines = lines.to_vec();
    let due = lines.iter().filter(|it| !it.contains("notifications/")).count();
    let writing = std::thread::spawn(move || {
        for line in lines {
            writeln!(stdin, "{line}").unwrap();
        }
        stdin
    });
    let mut answers = Vec::new();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    while answers.len() < due {
        let line = out.next().expect("an answer for every line").unwrap();
        let message: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON on stdout: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        answers.push(message);
    }
    drop(writing.join().unwrap());
    for line in out.map(Result::unwrap) {
        serde_json::from_str::<Value>(&line).unwrap_or_else(|_| panic!("no JSON on stdout: {line}"));
    }
    assert!(ended(&mut child).success());
    (answers, logging.join().unwrap())
}

/// The first lines of a client.
fn greeted(era: Era) -> Vec<String> {
    match era {
        Era::Old => vec![
            greeting(era).to_string(),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string(),
        ],
        Era::New => vec![greeting(era).to_string()],
    }
}

fn listing(era: Era, id: u64) -> String {
    let params = json!({ "name": "notebook", "arguments": { "action": "help" } });
    match era {
        Era::Old => call(id, "notebook", &params["arguments"]).to_string(),
        Era::New => request(id, "tools/call", params).to_string(),
    }
}

/// B-146: true at every log level, because the log goes to stderr.
#[test]
fn stdout_contains_messages_only() {
    for level in ["error", "warn", "info", "debug", "trace"] {
        for era in [Era::Old, Era::New] {
            let mut lines = greeted(era);
            lines.push(call(5, "notebook", &json!({ "action": "list" })).to_string());
            if era == Era::New {
                lines.pop();
                let params = json!({ "name": "notebook", "arguments": { "action": "list" } });
                lines.push(request(5, "tools/call", params).to_string());
            }
            lines.push(listing(era, 6));
            let (_, logged) = fed(program(NOWHERE).args(["--log", level]), &lines);
            assert_eq!(logged.is_empty(), ["error", "warn", "info"].contains(&level), "{level}: {logged}");
        }
    }
}

/// B-141: each invalid line gets an answer, before and after the greeting, and the next call works.
#[test]
fn invalid_lines_are_answered_in_both_eras() {
    for era in [Era::Old, Era::New] {
        let large = format!(r#"{{"x":"{}"}}"#, "x".repeat(5 * 1024 * 1024));
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        let wrong =
            ["{torn".to_owned(), "[]".to_owned(), "\u{7}".to_owned(), r#"{"id":9}"#.to_owned(), deep, large];
        let mut lines = wrong.to_vec();
        lines.extend(greeted(era));
        lines.extend(wrong.clone());
        lines.push(listing(era, 6));
        let (answers, _) = fed(&mut program(NOWHERE), &lines);
        let codes: Vec<i64> = answers.iter().filter_map(|it| it["error"]["code"].as_i64()).collect();
        let expected = [-32700, -32600, -32700, -32600, -32700, -32600];
        assert_eq!(codes, [expected, expected].concat(), "{era:?}");
        assert!(answers.iter().any(|it| it["id"] == 6 && it["result"]["isError"] == false), "{era:?}");
    }
}

/// B-141: an overlong request is answered under its id, over stdio and through the relay.
#[test]
fn overlong_request_is_answered_under_its_id() {
    for (way, megabytes) in [(&["stdio"][..], 5), (&["stdio", "--connect", "http://127.0.0.1:9/mcp"], 17)] {
        let mut child = program(NOWHERE).args(way).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let long = call(77, "fs", &json!({ "markdown": "x".repeat(megabytes * 1024 * 1024) }));
        let writing = std::thread::spawn(move || {
            writeln!(stdin, "{long}").unwrap();
            stdin
        });
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(77), &json!(-32600)),
            "{way:?}: {answer}"
        );
        drop(writing.join().unwrap());
        assert!(ended(&mut child).success());
    }
}

/// B-141: lines of 200 MB do not increase the memory of the process.
#[cfg(target_os = "linux")]
#[test]
fn unending_line_does_not_fill_the_memory() {
    let mut child = program(NOWHERE).arg("stdio").spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let part = vec![b'x'; 1024 * 1024];
    for _ in 0..200 {
        stdin.write_all(&part).unwrap();
    }
    stdin.write_all(b"\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["error"]["code"], -32600);
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").trim().parse().unwrap();
    assert!(peak < 80 * 1024, "{peak} kB");
    drop(stdin);
    assert!(ended(&mut child).success());
}
