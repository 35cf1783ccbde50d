//! Exit codes: how a command ended, for scripts (B-093).

use puppy_core::error::{ErrorType, ToolError};

/// The call failed.
pub(super) const FAILED: u8 = 1;
/// The command line is wrong.
pub(super) const WRONG_USE: u8 = 2;
/// SiYuan does not answer.
const UNREACHABLE: u8 = 3;
/// SiYuan refuses the token.
const NOT_AUTHORISED: u8 = 4;
/// A level is missing, or a person did not agree.
const REFUSED: u8 = 5;
/// Ctrl-C, as shells count it.
pub(super) const INTERRUPTED: u8 = 130;

/// The code of a call that was not done.
pub(super) fn code(error: &ToolError) -> u8 {
    match error.kind {
        ErrorType::Validation => WRONG_USE,
        ErrorType::KernelUnreachable => UNREACHABLE,
        ErrorType::KernelAuth => NOT_AUTHORISED,
        ErrorType::PermissionDenied | ErrorType::ConfirmationRequired => REFUSED,
        _ => FAILED,
    }
}
