//! The known clients and what each needs to reach the server, last checked against their documents in November 2026.

use serde_json::{Value, json};

/// The name under which clients list the server.
const NAME: &str = "siyuan";
/// The environment variable from which clients read the token where they can.
const VARIABLE: &str = "SIYUAN_MCP_TOKEN";

/// How a client reaches the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It starts a program and talks over its stdin and stdout.
    Starts,
    /// It calls an address.
    Http,
}

/// A known client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    /// Claude Desktop.
    ClaudeDesktop,
    /// Claude Code.
    ClaudeCode,
    /// Cursor.
    Cursor,
    /// Visual Studio Code.
    VsCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Cherry Studio.
    Cherry,
    /// The web page of llama.cpp.
    LlamaCpp,
    /// Any other.
    Other,
}

/// What the snippets name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach<'a> {
    /// The place of the program.
    pub program: &'a str,
    /// The address of the server.
    pub url: &'a str,
    /// The token; empty for none.
    pub token: &'a str,
    /// The file that holds it, for programs that are started; empty where there is none.
    pub token_file: &'a str,
    /// The certificate of the server that a started program must trust; empty for none.
    pub certificate: &'a str,
    /// Whether the program leads to the server of this workspace, or reaches the notes by itself.
    pub is_bridge: bool,
}

impl Client {
    /// Every client, in the order of the page.
    pub const ALL: [Client; 9] = [
        Client::ClaudeDesktop,
        Client::ClaudeCode,
        Client::Cursor,
        Client::VsCode,
        Client::Codex,
        Client::Gemini,
        Client::Cherry,
        Client::LlamaCpp,
        Client::Other,
    ];

    /// The name in the page's attributes and in what this device remembers.
    pub const fn id(self) -> &'static str {
        match self {
            Client::ClaudeDesktop => "claude-desktop",
            Client::ClaudeCode => "claude-code",
            Client::Cursor => "cursor",
            Client::VsCode => "vs-code",
            Client::Codex => "codex",
            Client::Gemini => "gemini",
            Client::Cherry => "cherry-studio",
            Client::LlamaCpp => "llama-cpp",
            Client::Other => "other",
        }
    }

    /// Its own name; empty for any other client.
    pub const fn title(self) -> &'static str {
        match self {
            Client::ClaudeDesktop => "Claude Desktop",
            Client::ClaudeCode => "Claude Code",
            Client::Cursor => "Cursor",
            Client::VsCode => "VS Code",
            Client::Codex => "Codex",
            Client::Gemini => "Gemini CLI",
            Client::Cherry => "Cherry Studio",
            Client::LlamaCpp => "llama.cpp",
            Client::Other => "",
        }
    }

    /// The ways that it knows, the better one first.
    pub const fn ways(self) -> &'static [Way] {
        match self {
            Client::ClaudeDesktop => &[Way::Starts],
            Client::LlamaCpp => &[Way::Http],
            _ => &[Way::Starts, Way::Http],
        }
    }

    /// The file that the snippet belongs into; empty where it belongs into a terminal or a form.
    pub fn file(self, way: Way, platform: &str) -> &'static str {
        match (self, way) {
            (Client::ClaudeDesktop, _) => match platform {
                "win32" => r"%APPDATA%\Claude\claude_desktop_config.json",
                "darwin" => "~/Library/Application Support/Claude/claude_desktop_config.json",
                "linux" => "~/.config/Claude/claude_desktop_config.json",
                _ => "claude_desktop_config.json",
            },
            (Client::ClaudeCode, Way::Http) => ".mcp.json",
            (Client::Cursor, _) => "~/.cursor/mcp.json",
            (Client::VsCode, _) => ".vscode/mcp.json",
            (Client::Codex, _) => "~/.codex/config.toml",
            (Client::Gemini, _) => "~/.gemini/settings.json",
            (Client::ClaudeCode | Client::Cherry | Client::LlamaCpp | Client::Other, _) => "",
        }
    }

    /// Whether it reads the token from an environment variable that a person sets.
    pub const fn reads_variable(self, way: Way) -> bool {
        matches!((self, way), (Client::ClaudeCode | Client::Codex, Way::Http))
    }

    /// What a person copies.
    pub fn snippet(self, way: Way, reach: &Reach<'_>) -> String {
        let Reach { program, url, token, .. } = *reach;
        let args = reach.arguments();
        let started = json!({ "command": program, "args": args });
        let bearer = |secret: &str| json!({ "Authorization": format!("Bearer {secret}") });
        let called = |keys: Value, secret: &str| {
            let mut entry = keys;
            if !token.is_empty()
                && let Some(fields) = entry.as_object_mut()
            {
                fields.insert("headers".to_owned(), bearer(secret));
            }
            entry
        };
        match (self, way) {
            (Client::ClaudeCode, Way::Starts) => {
                format!("claude mcp add {NAME} -- {}", command_line(program, &args))
            }
            (Client::ClaudeCode, Way::Http) => servers(
                "mcpServers",
                &called(json!({ "type": "http", "url": url }), &format!("${{{VARIABLE}}}")),
            ),
            (Client::VsCode, Way::Starts) => {
                servers("servers", &json!({ "type": "stdio", "command": program, "args": args }))
            }
            (Client::VsCode, Way::Http) => {
                let entry = called(json!({ "type": "http", "url": url }), "${input:siyuan-token}");
                let mut all = json!({ "servers": { NAME: entry } });
                if !token.is_empty()
                    && let Some(fields) = all.as_object_mut()
                {
                    let ask = json!({ "type": "promptString", "id": "siyuan-token", "description": "MCP Puppy", "password": true });
                    fields.insert("inputs".to_owned(), json!([ask]));
                }
                pretty(&all)
            }
            (Client::Codex, Way::Starts) => {
                format!("[mcp_servers.{NAME}]\ncommand = {}\nargs = {}\n", json!(program), json!(args))
            }
            (Client::Codex, Way::Http) => {
                let secret =
                    if token.is_empty() { "" } else { "bearer_token_env_var = \"SIYUAN_MCP_TOKEN\"\n" };
                format!("[mcp_servers.{NAME}]\nurl = {}\n{secret}", json!(url))
            }
            (Client::Gemini, Way::Http) => servers("mcpServers", &called(json!({ "httpUrl": url }), token)),
            (Client::Cherry, Way::Http) => {
                servers("mcpServers", &called(json!({ "type": "streamableHttp", "url": url }), token))
            }
            (Client::Cherry, Way::Starts) => {
                servers("mcpServers", &json!({ "type": "stdio", "command": program, "args": args }))
            }
            (Client::Cursor, Way::Http) => servers("mcpServers", &called(json!({ "url": url }), token)),
            (Client::ClaudeDesktop | Client::Cursor | Client::Gemini, _) => servers("mcpServers", &started),
            (Client::Other, Way::Starts) => command_line(program, &args),
            (Client::LlamaCpp | Client::Other, _) if token.is_empty() => url.to_owned(),
            (Client::LlamaCpp | Client::Other, _) => format!("{url}\nAuthorization: Bearer {token}"),
        }
    }
}

impl Reach<'_> {
    /// The arguments of the program; the token is in a file, never among them.
    fn arguments(&self) -> Vec<&str> {
        let mut all = vec!["stdio"];
        if self.is_bridge {
            all.extend(["--connect", self.url]);
            if !self.certificate.is_empty() {
                all.extend(["--ca-file", self.certificate]);
            }
            if !self.token.is_empty() && !self.token_file.is_empty() {
                all.extend(["--mcp-token-file", self.token_file]);
            }
        }
        all
    }
}

/// The entry for SiYuan's own assistant, whose client starts a program.
pub fn assistant_entry(reach: &Reach<'_>) -> String {
    json!({ "command": reach.program, "args": reach.arguments() }).to_string()
}

fn servers(key: &str, entry: &Value) -> String {
    pretty(&json!({ key: { NAME: entry } }))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn command_line(program: &str, args: &[&str]) -> String {
    std::iter::once(&program).chain(args).map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word of a command line, for the shells of Windows if it is a path of Windows, else for others.
fn quoted(word: &str) -> String {
    let is_plain = word.chars().all(|it| it.is_alphanumeric() || "_-./:\\=@%+,".contains(it));
    match (is_plain && !word.is_empty(), word.contains('\\')) {
        (true, false) => word.to_owned(),
        (_, true) => format!("\"{word}\""),
        (false, false) => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACH: Reach<'static> = Reach {
        program: "/home/a b/siyuan-puppy",
        url: "http://127.0.0.1:36806/mcp",
        token: "secret-token",
        token_file: "/run/it.token",
        certificate: "",
        is_bridge: true,
    };

    fn all() -> impl Iterator<Item = (Client, Way)> {
        Client::ALL.into_iter().flat_map(|client| client.ways().iter().map(move |way| (client, *way)))
    }

    /// B-216: every snippet is sound, names the program or the address, and says its type in the client's word.
    #[test]
    fn snippets_are_what_clients_read() {
        for (client, way) in all() {
            let text = client.snippet(way, &REACH);
            let target = if way == Way::Starts { "siyuan-puppy" } else { REACH.url };
            assert!(text.contains(target), "{client:?} {way:?}: {text}");
            if client.file(way, "").ends_with(".json") || client == Client::Cherry {
                let value: Value = serde_json::from_str(&text).unwrap();
                let key = if client == Client::VsCode { "servers" } else { "mcpServers" };
                assert!(value[key][NAME].is_object(), "{client:?}: {text}");
            }
        }
        let http =
            |client: Client| -> Value { serde_json::from_str(&client.snippet(Way::Http, &REACH)).unwrap() };
        assert_eq!(http(Client::Cherry)["mcpServers"][NAME]["type"], "streamableHttp");
        assert_eq!(http(Client::Gemini)["mcpServers"][NAME]["httpUrl"], REACH.url);
        assert_eq!(
            http(Client::Cursor)["mcpServers"][NAME]["headers"]["Authorization"],
            "Bearer secret-token"
        );
        assert_eq!(http(Client::VsCode)["inputs"][0]["id"], "siyuan-token");
        assert_eq!(
            Client::ClaudeCode.snippet(Way::Starts, &REACH),
            "claude mcp add siyuan -- '/home/a b/siyuan-puppy' stdio --connect http://127.0.0.1:36806/mcp --mcp-token-file /run/it.token"
        );
        assert_eq!(
            Client::Codex.snippet(Way::Http, &REACH),
            "[mcp_servers.siyuan]\nurl = \"http://127.0.0.1:36806/mcp\"\nbearer_token_env_var = \"SIYUAN_MCP_TOKEN\"\n"
        );
    }

    /// B-137: what starts a program or reads a variable never holds the token.
    #[test]
    fn token_is_never_on_a_command_line() {
        for (client, way) in all() {
            let text = client.snippet(way, &REACH);
            if way == Way::Starts || client.reads_variable(way) {
                assert!(!text.contains(REACH.token), "{client:?} {way:?}: {text}");
            }
        }
        assert!(!assistant_entry(&REACH).contains(REACH.token));
    }

    #[test]
    fn snippets_without_a_token_say_nothing_of_one() {
        let reach = Reach { token: "", ..REACH };
        for (client, way) in all() {
            let text = client.snippet(way, &reach).to_lowercase();
            assert!(!text.contains("bearer") && !text.contains("token"), "{client:?} {way:?}: {text}");
        }
        let encrypted = Reach { certificate: "/a/local.pem", ..reach };
        assert!(Client::Other.snippet(Way::Starts, &encrypted).ends_with("/mcp --ca-file /a/local.pem"));
        let alone = Reach { is_bridge: false, ..REACH };
        assert_eq!(Client::Other.snippet(Way::Starts, &alone), "'/home/a b/siyuan-puppy' stdio");
    }

    #[test]
    fn words_of_command_lines_are_quoted_where_they_must_be() {
        assert_eq!(quoted("/usr/bin/x"), "/usr/bin/x");
        assert_eq!(quoted("/a'b"), r"'/a'\''b'");
        assert_eq!(quoted(r"C:\Users\A B\x.exe"), r#""C:\Users\A B\x.exe""#);
        assert_eq!(quoted("$(x)"), "'$(x)'");
    }
}
