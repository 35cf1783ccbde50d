//! Asks a person before a loss and shows them the plan (B-098).

use std::io::{BufRead, IsTerminal, Write};

use puppy_core::config::{CallSettings, Way};
use puppy_core::dispatch::{Fingerprint, Gate, Question, Standing, Verdict};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::Boxed;
use puppy_core::render::visible;
use serde_json::Value;

use super::print;

/// The gate of a terminal: typing the command is the confirmation, unless data would be lost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terminal {
    /// Whether this command needs an explicit yes.
    pub(super) asks: bool,
    /// Whether `--yes` was typed.
    pub(super) yes: bool,
}

impl Terminal {
    fn has_somebody() -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// Whether `--yes` counts. Without a terminal it proves no more than a token that an agent returns: the claim that
    /// a person agreed. A setting that rules out the token therefore rules out `--yes` too.
    fn takes_yes(settings: &CallSettings) -> bool {
        Terminal::has_somebody() || settings.confirm.is_empty() || settings.confirm.contains(&Way::Token)
    }
}

impl Gate for Terminal {
    fn standing(&self, settings: &CallSettings, _call: Fingerprint, _confirm: Option<&str>) -> Standing {
        let agreed = !self.asks || (self.yes && Terminal::takes_yes(settings));
        if agreed { Standing::Approved } else { Standing::Open }
    }

    fn waits(&self, _: &CallSettings) -> bool {
        Terminal::has_somebody()
    }

    /// Shows the effect of the call and waits for an answer; anything but yes means no.
    fn ask<'a>(&'a self, _: &'a CallSettings, question: Question) -> Boxed<'a, Verdict> {
        Box::pin(async move {
            if !Terminal::has_somebody() {
                let how = if self.yes {
                    "The setting `confirm` in SiYuan lets nobody agree by --yes without a terminal: run it on one."
                } else {
                    "Without a terminal to ask on, add --yes to do it."
                };
                return Verdict::Refused(question.unanswered(how));
            }
            let _ = write!(std::io::stderr(), "{}Do it? [y/N] ", asked(&question));
            let typed = tokio::task::spawn_blocking(|| {
                let mut line = String::new();
                std::io::stdin().lock().read_line(&mut line).map(|_| line)
            });
            match typed.await {
                Ok(Ok(line)) if is_yes(&line) => Verdict::Approved,
                _ => {
                    Verdict::Refused(ToolError::new(ErrorType::ConfirmationRequired, "Nothing was changed."))
                }
            }
        })
    }
}

/// The question with its plan. Both hold text from notes: each text is put on one line and its invisible characters are
/// shown, so that none can alter the text that a person reads before answering.
fn asked(question: &Question) -> String {
    let mut plan = question.plan.clone();
    plan.values_mut().for_each(one_line);
    visible::show_all(&mut plan);
    let danger = in_one_line(&question.danger);
    format!("{}\n{}", visible::shown(&danger), print::fields(&plan))
}

/// Puts every text on one line.
fn one_line(value: &mut Value) {
    match value {
        Value::String(text) => *text = in_one_line(text),
        Value::Array(items) => items.iter_mut().for_each(one_line),
        Value::Object(map) => map.values_mut().for_each(one_line),
        _ => {}
    }
}

fn in_one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r', '\t', '\u{2028}', '\u{2029}'], " ")
}

fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_yes_confirms() {
        assert!(is_yes("y\n") && is_yes("Yes\r\n"));
        for no in ["", "\n", "n", "yep", "j"] {
            assert!(!is_yes(no), "{no}");
        }
    }
}
