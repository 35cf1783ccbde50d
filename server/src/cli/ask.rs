//! Asks a person before a loss and shows them the plan (B-098).

use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;

use puppy_core::config::{ApprovalMethod, CallSettings};
use puppy_core::dispatch::{ApprovalRequest, ApprovalState, Gate, PlanQuestion, Verdict};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::Boxed;

use super::error_text;
use super::people::{Style, painted};
use super::progress::Progress;
use super::screen::Screen;
use crate::gate::on_terminal;
use crate::words::{ErrorWords, Language, language};

/// The gate of a terminal: typing the command is the confirmation, unless data would be lost.
#[derive(Debug, Clone)]
pub(super) struct Terminal {
    /// Whether this command needs an explicit yes.
    pub(super) asks: bool,
    /// Whether `--yes` was typed.
    pub(super) yes: bool,
    /// The line that must not stand in the question.
    pub(super) progress: Arc<Progress>,
}

impl Terminal {
    fn has_somebody() -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// The error where nobody can be asked.
    fn unasked(&self, question: &PlanQuestion) -> ToolError {
        let words = ErrorWords::here();
        let how = if question.in_siyuan {
            words.on_terminal()
        } else if self.yes {
            words.no_yes()
        } else {
            words.no_terminal()
        };
        let (above, last) = on_terminal(&question.ask, language());
        let lines: Vec<String> = above.into_iter().chain([last]).collect();
        let mut error = question.unanswered(how).with(error_text::QUESTION, lines);
        if language() == Language::Chinese {
            error.message = format!("{}{how}", words.must_approve());
        }
        error
    }

    /// Whether `--yes` counts. Without a terminal it proves no more than a token that an agent returns: the claim that
    /// a person agreed. A setting that rules out the token therefore rules out `--yes` too.
    fn takes_yes(settings: &CallSettings) -> bool {
        Terminal::has_somebody()
            || settings.confirm.is_empty()
            || settings.confirm.contains(&ApprovalMethod::Token)
    }
}

impl Gate for Terminal {
    fn standing(&self, settings: &CallSettings, asking: ApprovalRequest<'_>) -> ApprovalState {
        let agreed = !self.asks || (self.yes && !asking.in_siyuan && Terminal::takes_yes(settings));
        if agreed { ApprovalState::Approved } else { ApprovalState::Open }
    }

    fn waits(&self, _: &CallSettings, _: &PlanQuestion) -> bool {
        Terminal::has_somebody()
    }

    /// Shows the effect of the call and waits for an answer; anything but yes means no.
    fn ask<'a>(&'a self, _: &'a CallSettings, question: PlanQuestion) -> Boxed<'a, Verdict> {
        Box::pin(async move {
            if !Terminal::has_somebody() {
                return Verdict::Refused(self.unasked(&question));
            }
            self.progress.asks(true);
            let screen = Screen::err();
            let _ = write!(std::io::stderr(), "{}", asked(&question, screen.is_coloured));
            let typed = tokio::task::spawn_blocking(|| {
                let mut line = String::new();
                std::io::stdin().lock().read_line(&mut line).map(|_| line)
            });
            let typed = typed.await;
            self.progress.asks(false);
            match typed {
                Ok(Ok(line)) if is_yes(&line) => Verdict::Approved,
                _ => {
                    Verdict::Refused(ToolError::new(ErrorType::Denied, ErrorWords::here().nothing_changed()))
                }
            }
        })
    }
}

/// The question, which ends with the deed and what it costs.
fn asked(question: &PlanQuestion, is_coloured: bool) -> String {
    let (above, last) = on_terminal(&question.ask, language());
    let above: String = above.iter().map(|it| format!("{it}\n")).collect();
    let heading = Style::Heading.on(&last);
    painted(&format!("{above}{heading} [y/N] "), is_coloured)
}

fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use puppy_core::ask::{About, Ask, Consequence, Thing, ThingKind, Things};
    use puppy_core::spec::{Back, Verb};

    use super::*;

    fn remove(title: &str, n: u64) -> Ask {
        let things = Things { n, ..Things::of((0..n).map(|_| Thing::titled(title))) };
        let breaks = Consequence::Breaks { refs: 3, documents: Things::of([Thing::titled("Calendar")]) };
        let about = About { kind: ThingKind::Document, things, effects: vec![breaks], other: None };
        Ask { verb: Verb::Delete, back: Back::DataHistory, about }
    }

    /// B-098: the last line names the deed and what it costs.
    #[test]
    fn question_ends_with_the_deed_and_its_cost() {
        let last = |ask: &Ask, language| on_terminal(ask, language).1;
        assert_eq!(
            last(&remove("Basil", 1), Language::English),
            "Delete “Basil”? 3 references in 1 document will break. You can restore it from Data History."
        );
        assert_eq!(
            last(&remove("罗勒", 1), Language::Chinese),
            "删除“罗勒”？1 篇文档中的 3 处引用将失效。可以从数据历史中恢复。"
        );
    }

    /// B-098: text from notes cannot hide the deed, whatever its length and characters.
    #[test]
    fn hostile_titles_hide_nothing_on_a_terminal() {
        let title = format!("Fare\u{1b}[2J\u{202e}well\n{}", "小".repeat(10_000));
        for n in [1, 500] {
            let (above, last) = on_terminal(&remove(&title, n), Language::English);
            let text = format!("{}\n{last}", above.join("\n"));
            assert!(!text.contains(['\u{1b}', '\u{202e}']) && text.lines().count() < 20, "{text}");
            assert!(last.starts_with("Delete ") && last.chars().count() < 250, "{last}");
            assert!(n == 1 || last.starts_with("Delete 500 documents?"), "{last}");
        }
    }

    #[test]
    fn only_yes_confirms() {
        assert!(is_yes("y\n") && is_yes("Yes\r\n"));
        for no in ["", "\n", "n", "yep", "j"] {
            assert!(!is_yes(no), "{no}");
        }
    }
}
