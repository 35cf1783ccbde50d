//! Exit codes for scripts: the outcome of a command (B-093).

use puppy_core::error::{ErrorType, ToolError};

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
pub(super) const MEANINGS: [(u8, &str); 7] = [
    (0, "done"),
    (FAILED, "the call failed"),
    (WRONG_USE, "wrong use"),
    (UNREACHABLE, "SiYuan cannot be reached"),
    (NOT_AUTHORISED, "not authorised"),
    (REFUSED, "permission denied, or not confirmed"),
    (INTERRUPTED, "interrupted by Ctrl-C"),
];

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
            MEANINGS.iter().map(|(code, meaning)| format!("| {code} | {meaning} |")).collect();
        assert_eq!(rows, due);
    }
}
