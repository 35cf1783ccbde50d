//! `siyuan-puppy install chatgpt`: the commands by which OpenAI's tunnel starts this program. ChatGPT has no file on this
//! machine, so nothing is written; that the tunnel works was not tried.

use std::path::Path;

use puppy_core::clients::{Client, ClientTransport, SnippetValues};
use serde_json::{Value, json};

use crate::cli::print::CommandOutput;
use crate::folders;
use crate::installed::{PackageRunner, names_token};
use crate::words::SetupWords;

/// The name on the command line.
pub(super) const ID: &str = "chatgpt";
/// The page that has the steps in full.
const PAGE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/chatgpt.md");
/// A person confirms in a window of SiYuan; ChatGPT must not confirm its own calls.
const CONFIRM: [&str; 2] = ["--confirm", "approve,block"];

/// The steps for a person, or the commands for a program.
pub(super) fn steps(reach: &SnippetValues<'_>, as_json: bool) -> CommandOutput {
    let platform = folders::platform();
    let words = words(reach, platform);
    let commands = commands(&words, platform);
    if as_json {
        let report =
            json!({ "client": ID, "file": null, "changed": false, "written": false, "enter": commands });
        return CommandOutput::Json(report);
    }
    let texts = SetupWords::here();
    let mut text = format!("{}\n\n1. {}\n", texts.chatgpt(), texts.chatgpt_prepare());
    text.push_str(&format!("2. {}\n\n", texts.chatgpt_run()));
    commands.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
    text.push_str(&format!("\n3. {}\n\n{}\n", texts.chatgpt_connect(), texts.chatgpt_page(PAGE)));
    if names_token(&json!({ "args": words })).is_none() {
        text.push_str(&format!("{}\n", texts.store_token()));
    }
    CommandOutput::Text(text)
}

/// The words that start the server for the tunnel.
fn words(reach: &SnippetValues<'_>, platform: &str) -> Vec<String> {
    let Some(Value::Object(mut entry)) = Client::Cursor.entry(ClientTransport::Starts, reach) else {
        return Vec::new();
    };
    if let Some(runner) = PackageRunner::of(Path::new(reach.program)) {
        runner.apply(&mut entry, platform);
    }
    let command = entry.get("command").and_then(Value::as_str).into_iter();
    let args = entry.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut words: Vec<String> = command.chain(args).map(str::to_owned).collect();
    // A server that runs already has an order of its own.
    if !reach.is_relay {
        words.extend(CONFIRM.map(str::to_owned));
    }
    words
}

/// The lines for a shell of this platform.
fn commands(words: &[String], platform: &str) -> Vec<String> {
    let command = words.iter().map(|it| for_tunnel(it)).collect::<Vec<_>>().join(" ");
    let key = if platform == "win32" {
        "$env:CONTROL_PLANE_API_KEY = \"sk-...\""
    } else {
        "export CONTROL_PLANE_API_KEY=sk-..."
    };
    vec![
        key.to_owned(),
        format!(
            "tunnel-client init --sample sample_mcp_stdio_local --profile siyuan --tunnel-id TUNNEL_ID --mcp-command {}",
            for_shell(&command, platform)
        ),
        "tunnel-client doctor --profile siyuan --explain".to_owned(),
        "tunnel-client run --profile siyuan".to_owned(),
    ]
}

/// A word as `tunnel-client` splits a command: a backslash outside of single quotes is no part of a path there.
fn for_tunnel(word: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_-./:=@%+,".contains(it);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if !word.contains('\'') {
        return format!("'{word}'");
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text as one argument for the shell: PowerShell on Windows, else that of Unix.
fn for_shell(text: &str, platform: &str) -> String {
    let (escape, special) = if platform == "win32" { ('`', "`\"$") } else { ('\\', "\\\"$`") };
    let mut quoted = String::from("\"");
    for c in text.chars() {
        if special.contains(c) {
            quoted.push(escape);
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(program: &str, platform: &str) -> String {
        let reach = SnippetValues { program, ..SnippetValues::default() };
        commands(&words(&reach, platform), platform).swap_remove(1)
    }

    #[test]
    fn the_tunnel_gets_the_program_with_its_path_in_quotes() {
        let mac = "/Users/ana/Library/Application Support/siyuan-mcp-puppy/bin/siyuan-puppy";
        let due = format!("--mcp-command \"'{mac}' stdio --confirm approve,block\"");
        assert!(line(mac, "darwin").ends_with(&due), "{}", line(mac, "darwin"));
        let windows = r"C:\Users\A$b\siyuan-puppy.exe";
        let due = r#"--mcp-command "'C:\Users\A`$b\siyuan-puppy.exe' stdio --confirm approve,block""#;
        assert!(line(windows, "win32").ends_with(due), "{}", line(windows, "win32"));
        let odd = "/home/o'neil/siyuan-puppy";
        let due = r#"--mcp-command "\"/home/o'neil/siyuan-puppy\" stdio --confirm approve,block""#;
        assert!(line(odd, "linux").ends_with(due), "{}", line(odd, "linux"));
        let cached = "/home/ana/.npm/_npx/0a/node_modules/@siyuan-mcp-puppy/linux-x64/bin/siyuan-puppy";
        let due = "--mcp-command \"npx -y siyuan-puppy stdio --confirm approve,block\"";
        assert!(line(cached, "linux").ends_with(due), "{}", line(cached, "linux"));
    }

    #[test]
    fn a_running_server_keeps_its_own_order_of_asking() {
        let url = "http://127.0.0.1:36806/mcp";
        let reach =
            SnippetValues { program: "/opt/siyuan-puppy", url, is_relay: true, ..SnippetValues::default() };
        let words = words(&reach, "linux");
        assert_eq!(words[1..], ["stdio", "--connect", "http://127.0.0.1:36806/mcp"]);
    }
}
