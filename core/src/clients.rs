//! The known clients and what each needs to reach the server, last checked against their documents in November 2026.

mod agents;
mod shortcuts;

use serde_json::{Value, json};

pub use agents::{AgentSnippet, TokenUse};

/// The name under which clients list the server.
pub const NAME: &str = "siyuan";
/// The environment variable from which clients read the token where they can.
const VARIABLE: &str = "SIYUAN_MCP_TOKEN";
/// The input by which VS Code asks for the token.
const INPUT: &str = "siyuan-token";

/// The transport by which a client reaches the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientTransport {
    /// It starts a program and talks over its stdin and stdout.
    Starts,
    /// It calls an address.
    Http,
}

/// A known client.
#[allow(missing_docs, reason = "most variants are named like their programs")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    /// Visual Studio Code.
    VsCode,
    Codex,
    /// Gemini CLI.
    Gemini,
    Windsurf,
    Zed,
    /// opencode.
    OpenCode,
    LmStudio,
    /// Cherry Studio.
    Cherry,
    /// The web page of llama.cpp.
    LlamaCpp,
    /// Any other.
    Other,
}

/// The names by which clients introduce themselves, in part and in lower case, that send only the arguments in a tool's
/// schema: llama.cpp and LM Studio, which runs on it, make a grammar of it, and Gemini CLI a declaration of its own.
const LISTED_ARGUMENTS_ONLY: [&str; 5] = ["gemini", "llama", "lm studio", "lm-studio", "lmstudio"];

/// Whether a client of this name sends only the arguments in a tool's schema.
pub fn sends_listed_arguments_only(name: &str) -> bool {
    let name = name.to_lowercase();
    LISTED_ARGUMENTS_ONLY.iter().any(|it| name.contains(it))
}

/// The values from which snippets are made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SnippetValues<'a> {
    /// The path of the program.
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
    pub is_relay: bool,
    /// The options with which the program reaches the notes by itself.
    pub options: &'a [String],
}

impl Client {
    /// Every client, in the order of the page.
    pub const ALL: [Client; 13] = [
        Client::ClaudeDesktop,
        Client::ClaudeCode,
        Client::Cursor,
        Client::VsCode,
        Client::Codex,
        Client::Gemini,
        Client::Windsurf,
        Client::Zed,
        Client::OpenCode,
        Client::LmStudio,
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
            Client::Windsurf => "windsurf",
            Client::Zed => "zed",
            Client::OpenCode => "opencode",
            Client::LmStudio => "lm-studio",
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
            Client::Windsurf => "Windsurf",
            Client::Zed => "Zed",
            Client::OpenCode => "opencode",
            Client::LmStudio => "LM Studio",
            Client::Cherry => "Cherry Studio",
            Client::LlamaCpp => "llama.cpp",
            Client::Other => "",
        }
    }

    /// The ways that it knows, the better one first.
    pub const fn ways(self) -> &'static [ClientTransport] {
        match self {
            Client::ClaudeDesktop => &[ClientTransport::Starts],
            Client::LlamaCpp => &[ClientTransport::Http],
            _ => &[ClientTransport::Starts, ClientTransport::Http],
        }
    }

    /// The file that the snippet belongs into; empty where it belongs into a terminal or a form.
    pub const fn file(self, way: ClientTransport, platform: &str) -> &'static str {
        match (self, way) {
            (Client::ClaudeCode, ClientTransport::Starts) => "",
            (Client::ClaudeCode, ClientTransport::Http) => ".mcp.json",
            _ => self.own_file(platform),
        }
    }

    /// The file in which it keeps the servers of its user on a platform, in Node's words; empty where there is none.
    pub const fn own_file(self, platform: &str) -> &'static str {
        let [windows, macos, linux, any] = match self {
            Client::ClaudeDesktop => [
                r"%APPDATA%\Claude\claude_desktop_config.json",
                "~/Library/Application Support/Claude/claude_desktop_config.json",
                "~/.config/Claude/claude_desktop_config.json",
                "claude_desktop_config.json",
            ],
            Client::VsCode => [
                r"%APPDATA%\Code\User\mcp.json",
                "~/Library/Application Support/Code/User/mcp.json",
                "~/.config/Code/User/mcp.json",
                "mcp.json",
            ],
            Client::Zed => {
                let unix = "~/.config/zed/settings.json";
                [r"%APPDATA%\Zed\settings.json", unix, unix, unix]
            }
            Client::ClaudeCode => ["~/.claude.json"; 4],
            Client::Cursor => ["~/.cursor/mcp.json"; 4],
            Client::Codex => ["~/.codex/config.toml"; 4],
            Client::Gemini => ["~/.gemini/settings.json"; 4],
            Client::Windsurf => ["~/.codeium/windsurf/mcp_config.json"; 4],
            Client::OpenCode => ["~/.config/opencode/opencode.json"; 4],
            Client::LmStudio => ["~/.lmstudio/mcp.json"; 4],
            Client::Cherry | Client::LlamaCpp | Client::Other => [""; 4],
        };
        match platform.as_bytes() {
            b"win32" => windows,
            b"darwin" => macos,
            b"linux" => linux,
            _ => any,
        }
    }

    /// The environment variable in which its user names another folder for that file.
    pub const fn folder_variable(self) -> Option<&'static str> {
        match self {
            Client::ClaudeCode => Some("CLAUDE_CONFIG_DIR"),
            Client::Codex => Some("CODEX_HOME"),
            _ => None,
        }
    }

    /// The key in that file below which each server has its entry.
    pub const fn key(self) -> &'static str {
        match self {
            Client::VsCode => "servers",
            Client::Codex => "mcp_servers",
            Client::Zed => "context_servers",
            Client::OpenCode => "mcp",
            _ => "mcpServers",
        }
    }

    /// Whether it reads the token from an environment variable that a person sets.
    pub const fn reads_variable(self, way: ClientTransport) -> bool {
        matches!((self, way), (Client::ClaudeCode | Client::Codex, ClientTransport::Http))
    }

    /// The entry of the server; `None` where a client is configured in a form.
    pub fn entry(self, way: ClientTransport, reach: &SnippetValues<'_>) -> Option<Value> {
        let SnippetValues { program, url, token, .. } = *reach;
        let args = reach.arguments();
        let typed = |word: &str| json!({ "type": word, "command": program, "args": args });
        let called = |mut entry: Value, secret: &str| {
            if !token.is_empty()
                && let Some(fields) = entry.as_object_mut()
            {
                fields.insert("headers".to_owned(), json!({ "Authorization": format!("Bearer {secret}") }));
            }
            entry
        };
        Some(match (self, way) {
            (Client::LlamaCpp | Client::Other, _) => return None,
            (Client::ClaudeCode | Client::VsCode | Client::Cherry, ClientTransport::Starts) => typed("stdio"),
            (Client::OpenCode, ClientTransport::Starts) => {
                let command: Vec<&str> = std::iter::once(program).chain(args).collect();
                json!({ "type": "local", "command": command, "enabled": true })
            }
            (_, ClientTransport::Starts) => json!({ "command": program, "args": args }),
            (Client::ClaudeCode, ClientTransport::Http) => {
                called(json!({ "type": "http", "url": url }), &format!("${{{VARIABLE}}}"))
            }
            (Client::VsCode, ClientTransport::Http) => {
                called(json!({ "type": "http", "url": url }), &format!("${{input:{INPUT}}}"))
            }
            (Client::Codex, ClientTransport::Http) if token.is_empty() => json!({ "url": url }),
            (Client::Codex, ClientTransport::Http) => json!({ "url": url, "bearer_token_env_var": VARIABLE }),
            (Client::Gemini, ClientTransport::Http) => called(json!({ "httpUrl": url }), token),
            (Client::Windsurf, ClientTransport::Http) => called(json!({ "serverUrl": url }), token),
            (Client::Cherry, ClientTransport::Http) => {
                called(json!({ "type": "streamableHttp", "url": url }), token)
            }
            (Client::OpenCode, ClientTransport::Http) => {
                called(json!({ "type": "remote", "url": url, "enabled": true }), token)
            }
            (_, ClientTransport::Http) => called(json!({ "url": url }), token),
        })
    }

    /// Returns the text for a person to copy: an entry of the client's configuration, a command line, or an address.
    pub fn snippet(self, way: ClientTransport, reach: &SnippetValues<'_>) -> String {
        let SnippetValues { program, url, token, .. } = *reach;
        let command_line = || command_line(program, &reach.arguments());
        match (self, way, self.entry(way, reach)) {
            (Client::ClaudeCode, ClientTransport::Starts, _) => {
                format!("claude mcp add {NAME} -- {}", command_line())
            }
            (Client::Codex, _, Some(entry)) => table(self.key(), &entry),
            (_, _, Some(entry)) => {
                let mut all = json!({ (self.key()): { NAME: entry } });
                if (self, way) == (Client::VsCode, ClientTransport::Http)
                    && !token.is_empty()
                    && let Some(fields) = all.as_object_mut()
                {
                    let ask = json!({ "type": "promptString", "id": INPUT, "description": "MCP Puppy", "password": true });
                    fields.insert("inputs".to_owned(), json!([ask]));
                }
                serde_json::to_string_pretty(&all).unwrap_or_default()
            }
            (_, ClientTransport::Starts, None) => command_line(),
            (_, ClientTransport::Http, None) if token.is_empty() => url.to_owned(),
            (_, ClientTransport::Http, None) => format!("{url}\nAuthorization: Bearer {token}"),
        }
    }
}

impl SnippetValues<'_> {
    /// The arguments of the program; the token is in a file, never among them.
    fn arguments(&self) -> Vec<&str> {
        let mut all = vec!["stdio"];
        if !self.is_relay {
            all.extend(self.options.iter().map(String::as_str));
            return all;
        }
        all.extend(["--connect", self.url]);
        if !self.certificate.is_empty() {
            all.extend(["--ca-file", self.certificate]);
        }
        if !self.token.is_empty() && !self.token_file.is_empty() {
            all.extend(["--mcp-token-file", self.token_file]);
        }
        all
    }
}

/// The entry for SiYuan's own assistant, whose client starts a program.
pub fn assistant_entry(reach: &SnippetValues<'_>) -> String {
    json!({ "command": reach.program, "args": reach.arguments() }).to_string()
}

/// A table of TOML. Its texts and lists are written as in JSON.
fn table(key: &str, entry: &Value) -> String {
    let lines = entry.as_object().into_iter().flatten().map(|(name, value)| format!("{name} = {value}\n"));
    format!("[{key}.{NAME}]\n{}", lines.collect::<String>())
}

fn command_line(program: &str, args: &[&str]) -> String {
    std::iter::once(&program).chain(args).map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word of a command line, for the shells of Windows if it is a path of Windows, else for others.
fn quoted(word: &str) -> String {
    let is_plain = word.chars().all(|it| it.is_ascii_alphanumeric() || "_-./:\\=@%+,".contains(it));
    match (is_plain && !word.is_empty(), word.contains('\\')) {
        (true, false) => word.to_owned(),
        (_, true) => format!("\"{word}\""),
        (false, false) => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const REACH: SnippetValues<'static> = SnippetValues {
        program: "/home/a b/siyuan-puppy",
        url: "http://127.0.0.1:36806/mcp",
        token: "secret-token",
        token_file: "/run/it.token",
        certificate: "",
        is_relay: true,
        options: &[],
    };

    pub(super) fn all() -> impl Iterator<Item = (Client, ClientTransport)> {
        Client::ALL.into_iter().flat_map(|client| client.ways().iter().map(move |way| (client, *way)))
    }

    /// B-216: every snippet is sound, names the program or the address, and says its type in the client's word.
    #[test]
    fn snippets_are_what_clients_read() {
        for (client, way) in all() {
            let text = client.snippet(way, &REACH);
            let target = if way == ClientTransport::Starts { "siyuan-puppy" } else { REACH.url };
            assert!(text.contains(target), "{client:?} {way:?}: {text}");
            if client.file(way, "").ends_with(".json") || client == Client::Cherry {
                let value: Value = serde_json::from_str(&text).unwrap();
                assert!(value[client.key()][NAME].is_object(), "{client:?}: {text}");
            }
        }
        let http = |client: Client| -> Value {
            serde_json::from_str(&client.snippet(ClientTransport::Http, &REACH)).unwrap()
        };
        assert_eq!(http(Client::Cherry)["mcpServers"][NAME]["type"], "streamableHttp");
        assert_eq!(http(Client::Gemini)["mcpServers"][NAME]["httpUrl"], REACH.url);
        assert_eq!(
            http(Client::Cursor)["mcpServers"][NAME]["headers"]["Authorization"],
            "Bearer secret-token"
        );
        assert_eq!(http(Client::VsCode)["inputs"][0]["id"], "siyuan-token");
        assert_eq!(
            Client::ClaudeCode.snippet(ClientTransport::Starts, &REACH),
            "claude mcp add siyuan -- '/home/a b/siyuan-puppy' stdio --connect http://127.0.0.1:36806/mcp --mcp-token-file /run/it.token"
        );
        assert_eq!(http(Client::Windsurf)["mcpServers"][NAME]["serverUrl"], REACH.url);
        assert_eq!(
            Client::OpenCode
                .entry(ClientTransport::Starts, &SnippetValues { is_relay: false, ..REACH })
                .unwrap()["command"],
            json!([REACH.program, "stdio"])
        );
        assert_eq!(
            Client::Codex.snippet(ClientTransport::Http, &REACH),
            "[mcp_servers.siyuan]\nurl = \"http://127.0.0.1:36806/mcp\"\nbearer_token_env_var = \"SIYUAN_MCP_TOKEN\"\n"
        );
    }

    #[test]
    fn clients_that_obey_schemas_are_known_by_name() {
        for name in ["gemini-cli-mcp-client", "llama.cpp WebUI", "LM Studio", "lmstudio-mcp-bridge"] {
            assert!(sends_listed_arguments_only(name), "{name}");
        }
        for name in ["", "claude-code", "Visual Studio Code", "codex-mcp-client"] {
            assert!(!sends_listed_arguments_only(name), "{name}");
        }
    }

    /// B-137: what starts a program or reads a variable never holds the token.
    #[test]
    fn token_is_never_on_a_command_line() {
        for (client, way) in all() {
            let text = client.snippet(way, &REACH);
            if way == ClientTransport::Starts || client.reads_variable(way) {
                assert!(!text.contains(REACH.token), "{client:?} {way:?}: {text}");
            }
        }
        assert!(!assistant_entry(&REACH).contains(REACH.token));
    }

    #[test]
    fn snippets_without_a_token_say_nothing_of_one() {
        let reach = SnippetValues { token: "", ..REACH };
        for (client, way) in all() {
            let text = client.snippet(way, &reach).to_lowercase();
            assert!(!text.contains("bearer") && !text.contains("token"), "{client:?} {way:?}: {text}");
        }
        let encrypted = SnippetValues { certificate: "/a/local.pem", ..reach };
        assert!(
            Client::Other
                .snippet(ClientTransport::Starts, &encrypted)
                .ends_with("/mcp --ca-file /a/local.pem")
        );
        let alone = SnippetValues { is_relay: false, ..REACH };
        assert_eq!(Client::Other.snippet(ClientTransport::Starts, &alone), "'/home/a b/siyuan-puppy' stdio");
        let options = ["--profile", "home"].map(str::to_owned);
        let alone = SnippetValues { options: &options, ..alone };
        assert!(Client::Other.snippet(ClientTransport::Starts, &alone).ends_with(" stdio --profile home"));
    }

    #[test]
    fn words_of_command_lines_are_quoted_where_they_must_be() {
        assert_eq!(quoted("/usr/bin/x"), "/usr/bin/x");
        assert_eq!(quoted("/a'b"), r"'/a'\''b'");
        assert_eq!(quoted(r"C:\Users\A B\x.exe"), r#""C:\Users\A B\x.exe""#);
        assert_eq!(quoted("$(x)"), "'$(x)'");
    }
}
