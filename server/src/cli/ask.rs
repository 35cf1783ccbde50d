//! Asks a person before something is lost, with the plan in front of them (B-098).

use std::io::{BufRead, IsTerminal, Write};

use puppy_core::error::ToolError;
use serde_json::Value;

use super::print;

/// What a person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Do it.
    Yes,
    /// Leave it.
    No,
    /// There is nobody to ask.
    NoTerminal,
}

/// Shows what a call would do and waits for yes or no; anything but yes is no.
pub(super) async fn ask(refused: &ToolError) -> Answer {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Answer::NoTerminal;
    }
    let mut text = String::new();
    if let Some(sentence) = refused.details.get("danger").and_then(Value::as_str) {
        text.push_str(&format!("{sentence}\n"));
    }
    if let Some(Value::Object(plan)) = refused.details.get("plan") {
        text.push_str(&print::fields(plan));
    }
    let _ = write!(std::io::stderr(), "{text}Do it? [y/N] ");
    let typed = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).map(|_| line)
    });
    match typed.await {
        Ok(Ok(line)) if is_yes(&line) => Answer::Yes,
        _ => Answer::No,
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
