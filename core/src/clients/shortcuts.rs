//! The shortcuts to an entry: a link that opens the client with it, and a command that writes it into the client's file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Client, ClientTransport, NAME, SnippetValues, VARIABLE, command_line};

impl Client {
    /// The address that opens the client and offers to add the server. `None` for a client without one, and where the
    /// entry contains the token or asks for it.
    pub fn link(self, way: ClientTransport, reach: &SnippetValues<'_>) -> Option<String> {
        let start = match self {
            Client::Cursor => "cursor://anysphere.cursor-deeplink/mcp/install?name=siyuan&config=",
            Client::LmStudio => "lmstudio://add_mcp?name=siyuan&config=",
            Client::VsCode => "vscode:mcp/install?",
            _ => return None,
        };
        if way == ClientTransport::Http && !reach.token.is_empty() {
            return None;
        }
        let entry = self.entry(way, reach)?.to_string();
        let config = match entry.strip_prefix('{') {
            Some(fields) if self == Client::VsCode => ["{\"name\":\"", NAME, "\",", fields].concat(),
            _ => STANDARD.encode(entry),
        };
        Some([start, &escaped(&config)].concat())
    }

    /// The command line that adds the server by this way; `None` for a client without one.
    pub fn command(self, way: ClientTransport, reach: &SnippetValues<'_>) -> Option<String> {
        match (self, way) {
            (_, ClientTransport::Starts) => self.install(reach),
            (Client::ClaudeCode, ClientTransport::Http) => {
                let mut words =
                    vec!["mcp", "add", "--transport", "http", "--scope", "project", NAME, reach.url];
                let header = format!("Authorization: Bearer ${{{VARIABLE}}}");
                if !reach.token.is_empty() {
                    words.extend(["--header", &header]);
                }
                Some(command_line("claude", &words))
            }
            (_, ClientTransport::Http) => None,
        }
    }

    /// The command line that adds the server to the client's file; `None` for a client without one.
    pub fn install(self, reach: &SnippetValues<'_>) -> Option<String> {
        let mut words = vec!["install", self.id()];
        words.extend_from_slice(reach.arguments().get(1..).unwrap_or_default());
        (!self.own_file("").is_empty()).then(|| command_line(reach.program, &words))
    }
}

/// A text as a part of an address.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            let hex = |half: u8| char::from_digit(half.into(), 16).unwrap_or_default().to_ascii_uppercase();
            escaped.extend(['%', hex(byte >> 4), hex(byte & 15)]);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::tests::{REACH, all};
    use serde_json::{Value, json};

    /// The text behind an escaped one.
    fn plain(text: &str) -> String {
        let mut pieces = text.split('%');
        let mut bytes = pieces.next().unwrap().as_bytes().to_vec();
        for piece in pieces {
            bytes.push(u8::from_str_radix(&piece[..2], 16).unwrap());
            bytes.extend(piece[2..].bytes());
        }
        String::from_utf8(bytes).unwrap()
    }

    /// The server's entry in a link.
    fn entry(link: &str) -> Value {
        let (start, query) = link.split_once('?').unwrap();
        let json = match query.split_once("&config=") {
            Some((name, config)) => {
                assert_eq!(name, "name=siyuan");
                STANDARD.decode(plain(config)).unwrap()
            }
            None => plain(query).into_bytes(),
        };
        let mut entry: Value = serde_json::from_slice(&json).unwrap();
        if start.starts_with("vscode:") {
            assert_eq!(entry.as_object_mut().unwrap().remove("name"), Some(json!("siyuan")));
        }
        entry
    }

    /// B-216: a link carries the entry of the snippet, and no character that ends an address.
    #[test]
    fn link_carries_the_entry_of_the_snippet() {
        let reach = SnippetValues { program: "/home/ä b/siyuan-puppy", token: "", ..REACH };
        let mut linked = Vec::new();
        for (client, way) in all() {
            let Some(link) = client.link(way, &reach) else { continue };
            assert!(link.bytes().all(|it| it.is_ascii_graphic() && !b"\"<>#".contains(&it)), "{link}");
            let snippet: Value = serde_json::from_str(&client.snippet(way, &reach)).unwrap();
            assert_eq!(entry(&link), snippet[client.key()][NAME], "{client:?} {way:?}");
            linked.push((client, link.split_once('?').unwrap().0.to_owned()));
        }
        linked.dedup();
        let starts =
            ["cursor://anysphere.cursor-deeplink/mcp/install", "vscode:mcp/install", "lmstudio://add_mcp"];
        let clients = [Client::Cursor, Client::VsCode, Client::LmStudio];
        assert_eq!(linked, clients.into_iter().zip(starts.map(str::to_owned)).collect::<Vec<_>>());
    }

    /// B-137: an address can be seen and is kept in histories.
    #[test]
    fn link_never_contains_the_token() {
        for (client, way) in all() {
            let link = client.link(way, &REACH);
            assert!(way == ClientTransport::Starts || link.is_none(), "{client:?}");
            assert!(link.is_none_or(|it| !entry(&it).to_string().contains(REACH.token)), "{client:?}");
        }
    }

    /// The client reads the variable, so the shell must not: what is stored is the entry of the snippet.
    #[test]
    fn command_over_http_names_the_variable_of_the_token() {
        let command =
            |client: Client, reach: &SnippetValues<'_>| client.command(ClientTransport::Http, reach);
        assert_eq!(
            command(Client::ClaudeCode, &REACH).unwrap(),
            "claude mcp add --transport http --scope project siyuan http://127.0.0.1:36806/mcp --header 'Authorization: Bearer ${SIYUAN_MCP_TOKEN}'"
        );
        let open = SnippetValues { token: "", ..REACH };
        let text = command(Client::ClaudeCode, &open).unwrap();
        assert!(text.ends_with(" siyuan http://127.0.0.1:36806/mcp"), "{text}");
        assert_eq!(command(Client::Cursor, &REACH), None);
        assert_eq!(Client::Cursor.command(ClientTransport::Starts, &REACH), Client::Cursor.install(&REACH));
    }

    #[test]
    fn command_installs_with_the_options_of_the_snippet() {
        assert_eq!(
            Client::Cursor.install(&REACH).unwrap(),
            "'/home/a b/siyuan-puppy' install cursor --connect http://127.0.0.1:36806/mcp --mcp-token-file /run/it.token"
        );
        let alone = SnippetValues { program: "siyuan-puppy", is_relay: false, ..REACH };
        assert_eq!(Client::Zed.install(&alone).unwrap(), "siyuan-puppy install zed");
        for form in [Client::Cherry, Client::LlamaCpp, Client::Other] {
            assert_eq!(form.install(&alone), None, "{form:?}");
        }
    }
}
