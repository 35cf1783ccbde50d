//! Offers a person on a terminal the further pages of a list (B-100).

use std::io::{BufRead, IsTerminal, Write};

use puppy_core::spec::ActionSpec;
use serde_json::{Map, Value};

use super::names::CURSOR;
use super::print::Form;
use crate::words::AnswerWords;

/// The pages of a list.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// Whether there is somebody to ask.
    is_offered: bool,
    /// The cursors of the pages before this one.
    earlier: Vec<Option<Value>>,
    current: Option<Value>,
}

impl Pages {
    /// The pages that a call begins with.
    pub(super) fn new(spec: &ActionSpec, arguments: &Map<String, Value>, form: Form) -> Pages {
        let has_somebody = std::io::stdin().is_terminal()
            && std::io::stdout().is_terminal()
            && std::io::stderr().is_terminal();
        let has_pages = spec.params().any(|it| it.name == CURSOR);
        Pages {
            is_offered: form == Form::People && has_somebody && has_pages,
            current: arguments.get(CURSOR).cloned(),
            ..Pages::default()
        }
    }

    /// Whether the answer's `next` is offered and need not be shown.
    pub(super) fn are_offered(&self) -> bool {
        self.is_offered
    }

    /// Sets the argument for the page that the person wants; whether they want one.
    pub(super) async fn turned(&mut self, next: Option<&Value>, arguments: &mut Map<String, Value>) -> bool {
        if !self.is_offered || (next.is_none() && self.earlier.is_empty()) {
            return false;
        }
        let words = AnswerWords::here();
        let forward = if next.is_some() { words.forward() } else { "" };
        let back = if self.earlier.is_empty() { "" } else { words.back() };
        let _ = write!(std::io::stderr(), "{forward}{back}{}", words.quit());
        let wanted = match (answer().await.as_str(), next) {
            ("" | "n", Some(next)) => {
                self.earlier.push(self.current.take());
                Some(next.clone())
            }
            ("p", _) => match self.earlier.pop() {
                Some(earlier) => earlier,
                None => return false,
            },
            _ => return false,
        };
        match &wanted {
            Some(cursor) => arguments.insert(CURSOR.to_owned(), cursor.clone()),
            None => arguments.shift_remove(CURSOR),
        };
        self.current = wanted;
        true
    }
}

/// The line that was typed, in lower case; `q` at the end of the input or on an error.
async fn answer() -> String {
    let typed = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).map(|length| (length, line))
    });
    match typed.await {
        Ok(Ok((1.., line))) => line.trim().to_ascii_lowercase(),
        _ => {
            // Nobody typed the end of the line.
            let _ = writeln!(std::io::stderr());
            "q".to_owned()
        }
    }
}
