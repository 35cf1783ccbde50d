//! A token that a caller has shown, and whether it is still in force.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use puppy_core::agents::token::token_hash;

use super::AgentTokens;

/// The file of the tokens; none for a user without folders, who has no agents with tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenPlace(Option<Arc<Path>>);

impl Default for TokenPlace {
    fn default() -> TokenPlace {
        TokenPlace(AgentTokens::place().map(Arc::from))
    }
}

impl From<PathBuf> for TokenPlace {
    fn from(file: PathBuf) -> TokenPlace {
        TokenPlace(Some(Arc::from(file)))
    }
}

/// The reason why a token is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProofRefusal {
    /// It was revoked, or issued on another machine.
    Unknown,
    /// The file of tokens cannot be read.
    Unreadable,
}

impl TokenPlace {
    /// The proof that a token is.
    ///
    /// # Errors
    /// Returns the reason why it is none. The file is small and local, so it is read again for every request: a token that
    /// was revoked admits none that comes later.
    pub(crate) fn proof(&self, token: &str) -> Result<AgentProof, ProofRefusal> {
        let file = self.0.as_ref().ok_or(ProofRefusal::Unknown)?;
        let tokens = AgentTokens::read(file).map_err(|_| ProofRefusal::Unreadable)?;
        let agent = tokens.holder(token).ok_or(ProofRefusal::Unknown)?.to_owned();
        Ok(AgentProof { agent, hash: token_hash(token), place: self.clone() })
    }
}

/// A token that was in force when a caller showed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentProof {
    agent: String,
    hash: String,
    place: TokenPlace,
}

impl AgentProof {
    /// The id of the agent.
    pub(crate) fn agent(&self) -> &str {
        &self.agent
    }

    /// Whether the token is still in force. One that cannot be looked up is not.
    pub(crate) fn holds(&self) -> bool {
        let tokens = self.place.0.as_ref().and_then(|file| AgentTokens::read(file).ok());
        tokens.is_some_and(|it| it.is_kept(&self.agent, &self.hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A later token of the same agent does not revive the earlier one.
    #[test]
    fn a_proof_ends_with_its_token() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens.json");
        let place = TokenPlace::from(file.clone());
        assert_eq!(place.proof("puppy_a_00"), Err(ProofRefusal::Unknown));
        let mut tokens = AgentTokens::default();
        let token = tokens.issue("a").unwrap();
        tokens.write(&file).unwrap();
        let proof = place.proof(&token).unwrap();
        assert!(proof.agent() == "a" && proof.holds());
        let later = tokens.issue("a").unwrap();
        tokens.write(&file).unwrap();
        assert!(!proof.holds() && place.proof(&later).unwrap().holds());
        assert_eq!(place.proof(&token), Err(ProofRefusal::Unknown));
        std::fs::write(&file, "torn").unwrap();
        assert_eq!((place.proof(&later), proof.holds()), (Err(ProofRefusal::Unreadable), false));
    }
}
