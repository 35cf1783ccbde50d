//! The token of an agent: its form, and the hash that is kept of it.
//!
//! It names its agent and carries 32 random bytes, so its hash needs no salt and no slow function.

use sha2::{Digest, Sha256};

/// The prefix of every agent's token. A server's own token has no such prefix.
const MARK: &str = "puppy_";
/// The number of random bytes.
pub const RANDOM_BYTES: usize = 32;

/// The token of an agent, from cryptographically random bytes.
pub fn token(agent: &str, random: [u8; RANDOM_BYTES]) -> String {
    format!("{MARK}{agent}_{}", random.map(|byte| format!("{byte:02x}")).concat())
}

/// Whether a text has the form of an agent's token. The token itself may be unknown.
pub fn is_of_agent(token: &str) -> bool {
    token.starts_with(MARK)
}

/// The id of the agent that a token names.
pub fn agent_in(token: &str) -> Option<&str> {
    Some(token.strip_prefix(MARK)?.rsplit_once('_')?.0)
}

/// The hash of a token, as 64 hexadecimal digits.
pub fn token_hash(token: &str) -> String {
    Sha256::digest(token).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a text is such a hash.
pub fn is_token_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_its_agent_and_its_hash_does_not_contain_it() {
        let random: [u8; RANDOM_BYTES] = std::array::from_fn(|at| u8::try_from(at * 7).unwrap());
        let token = token("kx3f9a2b", random);
        assert_eq!(token.len(), MARK.len() + 8 + 1 + 64);
        assert_eq!((is_of_agent(&token), agent_in(&token)), (true, Some("kx3f9a2b")));
        assert_eq!((is_of_agent("secret"), agent_in("secret"), agent_in("puppy_")), (false, None, None));
        let hash = token_hash(&token);
        assert!(is_token_hash(&hash) && !token.contains(&hash), "{hash}");
        for wrong in ["", "puppy_", &hash[1..], &hash.to_uppercase(), &format!("{hash}0")] {
            assert!(!is_token_hash(wrong), "{wrong}");
        }
    }
}
