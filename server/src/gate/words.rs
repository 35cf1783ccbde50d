//! The texts of the gate for a model whose call was stopped.

pub(super) use puppy_core::dispatch::gate_words::{DENIED, FINAL, FULL, NO_ANSWER, braked};

use super::seal::SealError;

/// The way to confirm a call that was stopped.
pub(super) const HOW_TO_CONFIRM: &str = "Show the person this plan. If they agree, send the same call again \
    with the argument `confirm` set to the text in `confirm` here; it is valid once, for this call, for 5 minutes.";
/// The way to get the answer of a call whose question waits.
pub(super) const WAITS: &str = "The question stays open in SiYuan after this answer. Tell the person, then send the same call again with the argument `confirm` set to the text in `confirm` here, to get the result or to keep waiting.";
/// The explanation while an approved plan is carried out.
pub(super) const RUNNING: &str =
    "This call was approved and is being carried out. Send it again for its result.";
/// The explanation of a token whose question is over.
pub(super) const UNANSWERED: &str = "The earlier question was not answered. ";
/// The explanation when nobody can be asked.
pub(super) const BLOCKED: &str = "It cannot be approved here. A person can do it in SiYuan or on the command line, or start siyuan-puppy with a different --confirm.";
/// The sentence after `FINAL` if the client sent the answer.
pub(super) const BY_CLIENT: &str = "(If the person saw no question, the client answered it: start siyuan-puppy with `--confirm token` to ask in another way.)";

/// The fault of a token that came with a call.
pub(super) const fn trouble(broken: SealError) -> &'static str {
    match broken {
        SealError::Foreign => {
            "The `confirm` that was sent was not issued for this call, these arguments and this caller. "
        }
        SealError::Expired => "The `confirm` that was sent is older than 5 minutes. ",
        SealError::Used => "The `confirm` that was sent was used before. ",
    }
}
