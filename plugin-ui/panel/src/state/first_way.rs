//! The way to connect a client that is chosen until a person chooses another one.

use puppy_core::clients::{Client, Way};

/// The first way of a client. Over HTTP, if a server is connected and this page does not know the place of the program
/// that the client would start.
pub fn first_way(client: Client, is_connected: bool, has_program: bool) -> Way {
    let ways = client.ways();
    if is_connected && !has_program && ways.contains(&Way::Http) {
        return Way::Http;
    }
    ways.first().copied().unwrap_or(Way::Starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_comes_first_where_a_server_is_connected_and_no_program_is_known() {
        assert_eq!(first_way(Client::Cursor, true, false), Way::Http);
        assert_eq!(first_way(Client::Cursor, true, true), Way::Starts);
        assert_eq!(first_way(Client::Cursor, false, false), Way::Starts);
        assert_eq!(first_way(Client::ClaudeDesktop, true, false), Way::Starts, "it knows no other way");
        assert_eq!(first_way(Client::LlamaCpp, false, true), Way::Http);
    }
}
