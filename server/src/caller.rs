//! The caller of one call, as the gate and the questions in SiYuan know it.

use puppy_core::activity::Transport;
use puppy_core::agents::Identity;
use puppy_core::error::{ErrorType, ToolError};

use crate::agent_tokens::AgentProof;

/// The message of a plan that a person approved after the token of the agent had ended.
const TOKEN_ENDED: &str = "The agent's token ended before the plan was carried out. Nothing was changed. Do not try again unless the person asks for it.";

/// The caller of one call.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// The key of the caller. No other caller can confirm its calls.
    pub(crate) principal: String,
    /// Whether all its calls are known to be of one conversation.
    pub(crate) is_in_session: bool,
    /// The transport of its calls.
    pub(crate) transport: Transport,
    /// The way in which it is known, for what runs later of what it asks now.
    pub(crate) identity: Identity,
    /// The token of an agent that it showed.
    pub(crate) proof: Option<AgentProof>,
}

impl Caller {
    /// The session, if there is one.
    pub(crate) fn session(&self) -> Option<&str> {
        self.is_in_session.then_some(self.principal.as_str())
    }

    /// Whether it would still be admitted: what a person approved does not run for an agent whose token ended meanwhile,
    /// although the agent may have another one.
    pub(crate) fn is_admitted(&self) -> bool {
        self.proof.as_ref().is_none_or(AgentProof::holds)
    }
}

/// The error of a plan that a person approved after the token of the agent had ended.
pub(crate) fn token_ended() -> ToolError {
    ToolError::new(ErrorType::PermissionDenied, TOKEN_ENDED)
}
