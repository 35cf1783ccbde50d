//! The way to connect a client that is chosen until a person chooses another one.

use puppy_core::clients::{Client, ClientTransport};

/// The first way of a client. Over HTTP, if a server is connected that serves it, and this page does not know the place
/// of the program that the client would start.
pub fn first_way(client: Client, has_http: bool, has_program: bool) -> ClientTransport {
    let ways = client.ways();
    if has_http && !has_program && ways.contains(&ClientTransport::Http) {
        return ClientTransport::Http;
    }
    ways.first().copied().unwrap_or(ClientTransport::Starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_comes_first_where_a_server_is_connected_and_no_program_is_known() {
        assert_eq!(first_way(Client::Cursor, true, false), ClientTransport::Http);
        assert_eq!(first_way(Client::Cursor, true, true), ClientTransport::Starts);
        assert_eq!(first_way(Client::Cursor, false, false), ClientTransport::Starts);
        assert_eq!(
            first_way(Client::ClaudeDesktop, true, false),
            ClientTransport::Starts,
            "it knows no other way"
        );
        assert_eq!(first_way(Client::LlamaCpp, false, true), ClientTransport::Http);
    }
}
