//! Messages about an error to the pipeline.

use serde_json::Value;

/// Facts about an error that only its cause knows, for advice that only the pipeline can word: it knows the caller's
/// own call and the offered actions. The pipeline takes them out of the error; no answer contains them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Hints {
    /// An argument (`id`, `ids[0]`) and a value that would have worked. The pipeline proposes the caller's own call with
    /// that value, unless it deletes something.
    pub(crate) instead: Option<Box<(String, Value)>>,
    /// The argument whose target was not found. The pipeline says where to look for such targets.
    pub(crate) missing: Option<Box<str>>,
    /// Whether a block was sent that can hold no others. The pipeline proposes its document.
    pub(crate) is_leaf: bool,
    /// The kernel's message as it arrived. The message of the error leaves out every name in it; the pipeline puts back
    /// those that the call itself contains (B-087).
    pub(crate) kernel_message: Option<String>,
}
