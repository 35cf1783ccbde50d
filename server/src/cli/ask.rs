//! Asks a person before something is lost, with the plan in front of them (B-098).

use std::io::{BufRead, IsTerminal, Write};

use puppy_core::config::CallSettings;
use puppy_core::dispatch::{Fingerprint, Gate, Question, Standing, Verdict};
use puppy_core::error::{ErrorType, ToolError};

use super::print;

/// The gate of a terminal: typing a command confirms it, unless something is lost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terminal {
    /// Whether this command needs a yes.
    pub(super) asks: bool,
}

impl Terminal {
    fn has_somebody() -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }
}

impl Gate for Terminal {
    fn standing(&self, _: &CallSettings, _call: Fingerprint, _confirm: Option<&str>) -> Standing {
        if self.asks { Standing::Open } else { Standing::Approved }
    }

    fn waits(&self, _: &CallSettings) -> bool {
        Terminal::has_somebody()
    }

    /// Shows what the call would do and waits for yes or no; anything but yes is no.
    async fn ask(&self, _: &CallSettings, question: Question) -> Verdict {
        if !Terminal::has_somebody() {
            return Verdict::Refused(
                question.unanswered("Without a terminal to ask on, add --yes to do it."),
            );
        }
        let _ =
            write!(std::io::stderr(), "{}\n{}Do it? [y/N] ", question.danger, print::fields(&question.plan));
        let typed = tokio::task::spawn_blocking(|| {
            let mut line = String::new();
            std::io::stdin().lock().read_line(&mut line).map(|_| line)
        });
        match typed.await {
            Ok(Ok(line)) if is_yes(&line) => Verdict::Approved,
            _ => Verdict::Refused(ToolError::new(ErrorType::ConfirmationRequired, "Nothing was changed.")),
        }
    }
}

fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_yes_is_yes() {
        assert!(is_yes("y\n") && is_yes("Yes\r\n"));
        for no in ["", "\n", "n", "yep", "j"] {
            assert!(!is_yes(no), "{no}");
        }
    }
}
