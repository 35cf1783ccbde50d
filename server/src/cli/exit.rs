//! Exit codes for scripts: the outcome of a command (B-093).

use puppy_core::error::{ErrorType, ToolError};

/// The call failed.
pub(super) const FAILED: u8 = 1;
/// The command line is wrong.
pub(super) const WRONG_USE: u8 = 2;
/// SiYuan is unreachable.
const UNREACHABLE: u8 = 3;
/// SiYuan rejected the token.
const NOT_AUTHORISED: u8 = 4;
/// A level is missing, or a person did not approve.
const REFUSED: u8 = 5;
/// Interrupted by Ctrl-C, with the number that shells use.
pub(super) const INTERRUPTED: u8 = 130;

/// The exit code of a call that failed.
pub(super) fn code(error: &ToolError) -> u8 {
    match error.kind {
        ErrorType::Validation => WRONG_USE,
        ErrorType::KernelUnreachable => UNREACHABLE,
        ErrorType::KernelAuth => NOT_AUTHORISED,
        ErrorType::PermissionDenied | ErrorType::ConfirmationRequired => REFUSED,
        _ => FAILED,
    }
}
