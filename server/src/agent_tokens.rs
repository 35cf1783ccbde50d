//! The tokens of agents on this machine: only their hashes are kept, in a local file outside the synced notes.
//!
//! An agent has at most one token on a machine; a new one ends the old one. [`TokenPlace`] is where they are,
//! [`AgentProof`] a token that was shown.

mod proof;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use puppy_core::agents::Agents;
use puppy_core::agents::token::{RANDOM_BYTES, agent_in, token, token_hash};
use puppy_core::channel::TokenNotice;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

pub use proof::TokenPlace;
pub(crate) use proof::{AgentProof, ProofRefusal};

use crate::{folders, unfinished};

/// The name of the file.
const FILE: &str = "agentTokens.json";
/// The prefix of the file while it is written.
const UNFINISHED: &str = ".agent-tokens-";
/// The size beyond which the file is not ours, in bytes.
const LARGEST: u64 = 1 << 20;

/// The hashes of the tokens, by the ids of their agents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct AgentTokens(BTreeMap<String, String>);

impl AgentTokens {
    /// The place of the file; `None` for a user without folders.
    pub(crate) fn place() -> Option<PathBuf> {
        Some(folders::data()?.join(FILE))
    }

    /// Reads the file; empty if there is none.
    ///
    /// # Errors
    /// If it cannot be read, or is not such a file: then no token is known.
    pub(crate) fn read(place: &Path) -> io::Result<AgentTokens> {
        let found = match fs::metadata(place) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(AgentTokens::default()),
            Err(error) => return Err(error),
        };
        if !found.is_file() || found.len() > LARGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        serde_json::from_slice(&fs::read(place)?).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    /// Writes the file, which only its owner can read.
    pub(crate) fn write(&self, place: &Path) -> io::Result<()> {
        let folder = place.parent().ok_or(io::ErrorKind::InvalidInput)?;
        fs::create_dir_all(folder)?;
        unfinished::clear(folder, UNFINISHED);
        let mut fresh = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
        fresh.write_all(serde_json::to_string_pretty(self)?.as_bytes())?;
        fresh.persist(place).map(drop).map_err(|error| error.error)
    }

    /// Makes a token for an agent in place of the one that it had. The token is kept nowhere.
    pub(crate) fn issue(&mut self, agent: &str) -> io::Result<String> {
        let mut random = [0; RANDOM_BYTES];
        getrandom::fill(&mut random).map_err(|_| io::ErrorKind::Other)?;
        let token = token(agent, random);
        self.keep_hash(agent, token_hash(&token));
        Ok(token)
    }

    /// Keeps the hash of a token that was issued elsewhere, in place of the one that the agent had.
    pub(crate) fn keep_hash(&mut self, agent: &str, hash: String) {
        self.0.insert(agent.to_owned(), hash);
    }

    /// Does in the file what a page of SiYuan asked for.
    pub(crate) fn take_notice(place: &Path, notice: &TokenNotice) -> io::Result<()> {
        let mut tokens = AgentTokens::read(place)?;
        match notice.hash.as_str() {
            "" => drop(tokens.revoke(&notice.agent)),
            hash => tokens.keep_hash(&notice.agent, hash.to_owned()),
        }
        tokens.write(place)
    }

    /// Ends the token of an agent; returns whether it had one.
    pub(crate) fn revoke(&mut self, agent: &str) -> bool {
        self.0.remove(agent).is_some()
    }

    /// Removes the tokens of agents that no longer exist.
    pub(crate) fn keep(&mut self, agents: &Agents) {
        self.0.retain(|id, _| agents.get(id).is_some());
    }

    /// Whether an agent has a token here.
    pub(crate) fn has(&self, agent: &str) -> bool {
        self.0.contains_key(agent)
    }

    /// Whether an agent still has the token with this hash.
    fn is_kept(&self, agent: &str, hash: &str) -> bool {
        self.0.get(agent).is_some_and(|kept| bool::from(hash.as_bytes().ct_eq(kept.as_bytes())))
    }

    /// The agent whose token this is.
    pub(crate) fn holder(&self, token: &str) -> Option<&str> {
        let (agent, kept) = self.0.get_key_value(agent_in(token)?)?;
        bool::from(token_hash(token).as_bytes().ct_eq(kept.as_bytes())).then_some(agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_proves_its_agent_until_it_is_replaced_or_revoked() {
        let mut tokens = AgentTokens::default();
        let (one, other) = (tokens.issue("kx3f9a2b").unwrap(), tokens.issue("mm22aa33").unwrap());
        assert_eq!((tokens.holder(&one), tokens.holder(&other)), (Some("kx3f9a2b"), Some("mm22aa33")));
        let swapped = one.replace("kx3f9a2b", "mm22aa33");
        let longer = format!("{one}0");
        for wrong in
            ["", "puppy_", "puppy__", "puppy_kx3f9a2b_", "secret", swapped.as_str(), &longer, &one[1..]]
        {
            assert_eq!(tokens.holder(wrong), None, "{wrong}");
        }
        let again = tokens.issue("kx3f9a2b").unwrap();
        assert_eq!((tokens.holder(&one), tokens.holder(&again)), (None, Some("kx3f9a2b")));
        assert!(tokens.revoke("kx3f9a2b") && !tokens.revoke("kx3f9a2b"));
        assert_eq!(tokens.holder(&again), None);
    }

    /// The file holds no token, and only its owner can read it.
    #[test]
    fn the_file_keeps_hashes_only() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("deep").join(FILE);
        assert_eq!(AgentTokens::read(&place).unwrap(), AgentTokens::default());
        let mut tokens = AgentTokens::default();
        let token = tokens.issue("kx3f9a2b").unwrap();
        tokens.write(&place).unwrap();
        let text = fs::read_to_string(&place).unwrap();
        assert!(!text.contains(&token["puppy_kx3f9a2b_".len()..]), "{text}");
        assert_eq!(AgentTokens::read(&place).unwrap().holder(&token), Some("kx3f9a2b"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&place).unwrap().permissions().mode() & 0o777, 0o600);
        }
        for torn in ["", "[]", r#"{"a":1}"#, "{"] {
            fs::write(&place, torn).unwrap();
            assert!(AgentTokens::read(&place).is_err(), "{torn}");
        }
    }

    #[test]
    fn a_page_issues_and_ends_tokens_by_their_hashes() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join(FILE);
        let token = token("kx3f9a2b", [7; RANDOM_BYTES]);
        let mut notice = TokenNotice { agent: "kx3f9a2b".to_owned(), hash: token_hash(&token), ticket: 1 };
        AgentTokens::take_notice(&place, &notice).unwrap();
        assert_eq!(AgentTokens::read(&place).unwrap().holder(&token), Some("kx3f9a2b"));
        notice.hash.clear();
        AgentTokens::take_notice(&place, &notice).unwrap();
        assert_eq!(AgentTokens::read(&place).unwrap().holder(&token), None);
    }

    #[test]
    fn tokens_of_agents_that_are_gone_are_forgotten() {
        let mut tokens = AgentTokens::default();
        let _ = (tokens.issue("a").unwrap(), tokens.issue("b").unwrap());
        tokens.keep(&Agents::parse(br#"{"agents":{"a":{"name":"A"}}}"#).unwrap());
        assert!(tokens.has("a") && !tokens.has("b"));
    }
}
