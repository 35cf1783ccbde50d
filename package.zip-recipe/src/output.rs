//! Standard output. A reader such as `head` may close it before the end, which stops the command quietly.

use crate::process;
use std::fmt::Arguments;
use std::io::{ErrorKind, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);
/// The exit code with which a shell reports a program that its reader left.
pub(crate) const LEFT: u8 = 141;

/// As that of the standard library, which panics when the reader has left.
macro_rules! println {
    ($($text:tt)*) => { $crate::output::line(format_args!($($text)*)) };
}

/// Writes a line. One that cannot be written interrupts the command, so that it ends its children and tidies up.
pub(crate) fn line(text: Arguments<'_>) {
    if is_closed() {
        return;
    }
    if let Err(error) = writeln!(std::io::stdout().lock(), "{text}") {
        if error.kind() != ErrorKind::BrokenPipe {
            eprintln!("cannot write to standard output: {error}");
        }
        CLOSED.store(true, Ordering::SeqCst);
        process::interrupt();
    }
}

/// Whether lines can no longer be written.
pub(crate) fn is_closed() -> bool {
    CLOSED.load(Ordering::SeqCst)
}
