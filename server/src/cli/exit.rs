//! Exit codes for scripts: the outcome of a command (B-093).

use puppy_core::error::{ErrorType, ToolError};

use crate::words::HelpWords;

/// The call failed.
pub(super) const FAILED: u8 = 1;
/// The command line is wrong.
pub(super) const WRONG_USE: u8 = 2;
/// SiYuan is unreachable.
pub(super) const UNREACHABLE: u8 = 3;
/// SiYuan rejected the token.
pub(super) const NOT_AUTHORISED: u8 = 4;
/// A level is missing, or a person did not approve.
const REFUSED: u8 = 5;
/// Interrupted by Ctrl-C, with the number that shells use.
pub(super) const INTERRUPTED: u8 = 130;

/// Every code with its meaning.
pub(super) fn meanings() -> [(u8, &'static str); 7] {
    let words = HelpWords::here();
    [
        (0, words.exit_done()),
        (FAILED, words.exit_failed()),
        (WRONG_USE, words.exit_wrong()),
        (UNREACHABLE, words.exit_unreachable()),
        (NOT_AUTHORISED, words.exit_not_authorised()),
        (REFUSED, words.exit_refused()),
        (INTERRUPTED, words.exit_interrupted()),
    ]
}

/// The exit code of a call that failed.
pub(super) fn code(error: &ToolError) -> u8 {
    match error.kind {
        ErrorType::Validation => WRONG_USE,
        ErrorType::KernelUnreachable => UNREACHABLE,
        ErrorType::KernelAuth => NOT_AUTHORISED,
        ErrorType::PermissionDenied
        | ErrorType::ConfirmationRequired
        | ErrorType::Denied
        | ErrorType::Expired => REFUSED,
        _ => FAILED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-093: the documentation names every code and no other.
    #[test]
    fn documentation_names_every_code() {
        let page = include_str!("../../../docs/command-line.md");
        let rows: Vec<&str> = page
            .lines()
            .filter(|it| it.starts_with("| ") && it.contains(|it: char| it.is_ascii_digit()))
            .collect();
        let due: Vec<String> =
            meanings().iter().map(|(code, meaning)| format!("| {code} | {meaning} |")).collect();
        assert_eq!(rows, due);
    }
}
