//! The snippet with the token of an agent, for a client that calls an address.

use super::{Client, ClientTransport, NAME, SnippetValues, command_line};

/// The way in which a client gets the token of its snippet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenUse {
    /// The snippet contains it.
    InSnippet,
    /// The client reads it from an environment variable, [`Client::TOKEN_VARIABLE`].
    Variable,
    /// The client asks the person for it.
    Asked,
}

/// The text for a person to copy, and what to do with the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSnippet {
    /// An entry of the client's configuration, a command line, or an address with a header.
    pub text: String,
    /// The place of the token.
    pub token: TokenUse,
}

impl Client {
    /// The environment variable from which some clients read the token.
    pub const TOKEN_VARIABLE: &'static str = super::VARIABLE;

    /// The clients that can present the token of an agent, because they call an address.
    pub fn of_agents() -> impl Iterator<Item = Client> {
        Client::ALL.into_iter().filter(|it| it.ways().contains(&ClientTransport::Http))
    }

    /// The snippet that connects a client to the server at an address as the agent with this token; `None` for a client
    /// that calls no address.
    pub fn snippet_of_agent(self, url: &str, token: &str) -> Option<AgentSnippet> {
        let (way, reach) = (ClientTransport::Http, SnippetValues { url, token, ..SnippetValues::default() });
        if !self.ways().contains(&way) {
            return None;
        }
        // The entry of a project reads a variable, because projects are shared; the agent of one person is not.
        let text = if self == Client::ClaudeCode {
            let header = format!("Authorization: Bearer {token}");
            command_line("claude", &["mcp", "add", "--transport", "http", NAME, url, "--header", &header])
        } else {
            self.snippet(way, &reach)
        };
        let token = match self {
            _ if text.contains(token) => TokenUse::InSnippet,
            Client::VsCode => TokenUse::Asked,
            _ => TokenUse::Variable,
        };
        Some(AgentSnippet { text, token })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "http://127.0.0.1:36806/mcp";
    const TOKEN: &str = "puppy_kx3f9a2b_00ff";

    /// The token is in a snippet once, or the client gets it in the way that the snippet names.
    #[test]
    fn every_client_has_a_snippet_with_one_token_or_none() {
        for client in Client::ALL {
            let Some(snippet) = client.snippet_of_agent(URL, TOKEN) else {
                assert_eq!(client, Client::ClaudeDesktop);
                continue;
            };
            assert!(snippet.text.contains(URL), "{client:?}: {}", snippet.text);
            let (count, word) = match snippet.token {
                TokenUse::InSnippet => (1, "Bearer"),
                TokenUse::Variable => (0, Client::TOKEN_VARIABLE),
                TokenUse::Asked => (0, "promptString"),
            };
            assert_eq!(snippet.text.matches(TOKEN).count(), count, "{client:?}: {}", snippet.text);
            assert!(snippet.text.contains(word), "{client:?}: {}", snippet.text);
        }
        let of = |client: Client| client.snippet_of_agent(URL, TOKEN).map(|it| it.token);
        assert_eq!(
            [Client::Codex, Client::VsCode, Client::Cursor].map(of),
            [TokenUse::Variable, TokenUse::Asked, TokenUse::InSnippet].map(Some)
        );
        assert_eq!(
            Client::ClaudeCode.snippet_of_agent(URL, TOKEN).unwrap().text,
            format!("claude mcp add --transport http siyuan {URL} --header 'Authorization: Bearer {TOKEN}'")
        );
    }
}
