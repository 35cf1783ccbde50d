//! Asks a person before a loss and shows them the plan (B-098).

use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;

use puppy_core::config::{CallSettings, Way};
use puppy_core::dispatch::{Asking, Gate, Question, Standing, Verdict};
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::Boxed;
use puppy_core::render::visible;
use serde_json::{Map, Value};

use super::people::{Style, View, fields, painted};
use super::progress::Progress;
use super::screen::Screen;

/// The most entries of a list in a question: the danger must stay in sight.
const MOST: usize = 10;
/// The most characters of a text in it.
const LONGEST: usize = 400;

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

    /// Whether `--yes` counts. Without a terminal it proves no more than a token that an agent returns: the claim that
    /// a person agreed. A setting that rules out the token therefore rules out `--yes` too.
    fn takes_yes(settings: &CallSettings) -> bool {
        Terminal::has_somebody() || settings.confirm.is_empty() || settings.confirm.contains(&Way::Token)
    }
}

impl Gate for Terminal {
    fn standing(&self, settings: &CallSettings, asking: Asking<'_>) -> Standing {
        let agreed = !self.asks || (self.yes && !asking.in_siyuan && Terminal::takes_yes(settings));
        if agreed { Standing::Approved } else { Standing::Open }
    }

    fn waits(&self, _: &CallSettings, _: &Question) -> bool {
        Terminal::has_somebody()
    }

    /// Shows the effect of the call and waits for an answer; anything but yes means no.
    fn ask<'a>(&'a self, _: &'a CallSettings, question: Question) -> Boxed<'a, Verdict> {
        Box::pin(async move {
            if !Terminal::has_somebody() {
                let how = if question.in_siyuan {
                    "Without a terminal to ask on, a person does it in SiYuan: Settings of the plugin MCP Puppy, Permissions."
                } else if self.yes {
                    "The setting `confirm` in SiYuan lets nobody agree by --yes without a terminal: run it on one."
                } else {
                    "Without a terminal to ask on, add --yes to do it."
                };
                return Verdict::Refused(question.unanswered(how));
            }
            self.progress.asks(true);
            let screen = Screen::err();
            let text = painted(&asked(&question, screen.width), screen.is_coloured);
            let _ = write!(std::io::stderr(), "{text}Do it? [y/N] ");
            let typed = tokio::task::spawn_blocking(|| {
                let mut line = String::new();
                std::io::stdin().lock().read_line(&mut line).map(|_| line)
            });
            let typed = typed.await;
            self.progress.asks(false);
            match typed {
                Ok(Ok(line)) if is_yes(&line) => Verdict::Approved,
                _ => {
                    Verdict::Refused(ToolError::new(ErrorType::ConfirmationRequired, "Nothing was changed."))
                }
            }
        })
    }
}

/// The plan, then the question: a long plan must not push the danger out of sight. Both hold text from notes, which is
/// put on one line, cut, and its invisible characters shown, so that it can alter nothing that a person reads before
/// answering.
fn asked(question: &Question, width: Option<usize>) -> String {
    let mut plan = Map::new();
    for (key, value) in &question.plan {
        let count = value.as_array().map(Vec::len).filter(|it| *it > MOST);
        plan.insert(key.clone(), short(value));
        if let Some(count) = count {
            plan.insert(format!("{key}_in_all"), Value::from(count));
        }
    }
    visible::show_all(&mut plan);
    let danger = in_one_line(&question.danger);
    let view = View { width, ..View::default() };
    format!("{}\n{}\n", fields(&view, &plan), Style::Heading.on(&visible::shown(&danger)))
}

/// The value with every text on one line, and the beginnings of long texts and lists.
fn short(value: &Value) -> Value {
    match value {
        Value::String(text) => in_one_line(text).into(),
        Value::Array(items) => items.iter().take(MOST).map(short).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), short(value))).collect(),
        other => other.clone(),
    }
}

fn in_one_line(text: &str) -> String {
    let text = text.replace("\r\n", " ").replace(['\n', '\r', '\t', '\u{2028}', '\u{2029}'], " ");
    if text.chars().nth(LONGEST).is_none() {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use puppy_core::dispatch::Fingerprint;
    use puppy_core::spec::Tool;
    use serde_json::json;

    use super::*;

    /// B-098: text from notes cannot hide the danger, whatever its length and characters.
    #[test]
    fn question_ends_with_the_danger() {
        let title = format!("Fare\u{1b}[2J\u{202e}well\n{}", "小".repeat(10_000));
        let rows: Vec<Value> = (0..500).map(|_| json!({ "title": title })).collect();
        let Value::Object(plan) = json!({ "documents": rows, "titles": [title] }) else {
            panic!("no object")
        };
        let danger = format!("Deletes {title}.");
        let nothing = Fingerprint::of([]);
        let question = Question {
            tool: Tool::Document,
            path: "document.remove".to_owned(),
            arguments: Map::new(),
            notebooks: BTreeSet::new(),
            danger,
            in_siyuan: false,
            plan,
            call: nothing,
            means: nothing,
        };
        let text = painted(&asked(&question, Some(80)), false);
        assert!(!text.contains(['\u{1b}', '\u{202e}']) && text.lines().count() < 50, "{text}");
        assert!(text.contains("documents in all: 500"), "{text}");
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("Deletes Fare⟨U+001B⟩[2J⟨U+202E⟩well 小") && last.ends_with('…'), "{last}");
    }

    #[test]
    fn only_yes_confirms() {
        assert!(is_yes("y\n") && is_yes("Yes\r\n"));
        for no in ["", "\n", "n", "yep", "j"] {
            assert!(!is_yes(no), "{no}");
        }
    }
}
