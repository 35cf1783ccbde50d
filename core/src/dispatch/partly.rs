//! After step 9: a call that failed after its first write says so, whatever the action made of it.
//!
//! An action that can name what it did answers with `failed` and does not need this. It is the safety net below all
//! actions: no error after a successful write may read as if nothing had happened.

use serde_json::json;

use crate::content::written::{NOTHING, OUTCOME};
use crate::error::ToolError;
use crate::output::Reply;

/// The reply; an error also names the writes before it. Its event stays that of an error.
pub(super) fn with_writes(reply: Reply, written: &[&'static str]) -> Reply {
    match reply {
        // The only write turned out to have done nothing.
        Err(error) if written.len() == 1 && error.details.get(OUTCOME) == Some(&json!(NOTHING)) => Err(error),
        Err(error) if !written.is_empty() => Err(partly_done(error, written)),
        other => other,
    }
}

fn partly_done(error: ToolError, written: &[&'static str]) -> ToolError {
    let error = error.without_advice();
    let blank = if error.message.is_empty() { "" } else { " " };
    let message =
        format!("{}{blank}Something was already changed: read before you try again.", error.message);
    let done: Vec<&str> = written.iter().map(|path| path.trim_start_matches("/api/")).collect();
    ToolError { message, ..error }.with(OUTCOME, "partly done").with("done", json!(done))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorType;
    use crate::kernel::{KernelError, Nature};
    use crate::output::Output;

    #[test]
    fn error_before_any_write_is_unchanged() {
        let error = ToolError::from(KernelError::Refused);
        assert_eq!(with_writes(Err(error.clone()), &[]), Err(error));
        assert_eq!(with_writes(Ok(Output::new()), &["/api/x"]), Ok(Output::new()));
    }

    /// B-036: the error names what was done, and drops any advice that would do it twice.
    #[test]
    fn error_after_a_write_lists_what_was_written() {
        for (error, kind) in [
            (KernelError::Refused, ErrorType::KernelUnreachable),
            (KernelError::TimedOut, ErrorType::KernelUnreachable),
            (KernelError::Broken(Nature::Read), ErrorType::KernelUnreachable),
            (KernelError::Broken(Nature::Write), ErrorType::KernelUnreachable),
            (KernelError::Indexing, ErrorType::Api),
            (KernelError::Status(500), ErrorType::Api),
        ] {
            let error = with_writes(Err(error.into()), &["/api/notebook/createNotebook"]).unwrap_err();
            assert_eq!((error.kind, &error.details["outcome"]), (kind, &json!("partly done")));
            assert_eq!(error.details["done"], json!(["notebook/createNotebook"]));
            let before =
                error.message.strip_suffix("Something was already changed: read before you try again.");
            assert!(before.is_some_and(|it| !it.contains("again")), "{}", error.message);
        }
    }
}
