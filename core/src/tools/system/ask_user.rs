//! `system.ask_user`: asks the person at the screen. The answer is theirs; it approves no dangerous action.

use std::time::Duration;

use serde::Deserialize;

use crate::kernel::page::PageRequest;
use crate::prelude::*;
use crate::visible::is_seen;

/// Ask the person at the screen a question and wait for the answer.
///
/// The answer does not count as approval of a dangerous action.
#[derive(Debug, Action)]
#[action(
    system.ask_user,
    effect = Read,
    danger = None,
    tier = advanced,
    idempotent = false,
    calls = [],
    examples = [
        { "question": "Which bed is for mint?" },
        { "question": "Which bed?", "options": ["North", "South"], "allow_text": true, "seconds": 30 },
    ],
)]
pub struct AskUser {
    /// The question to show.
    #[read_by(Html)]
    pub question: Text<1, 500>,
    /// Answers to choose from.
    #[read_by(Html)]
    pub options: Option<Many<Text<1, 80>, 2, 4>>,
    /// Whether the person may write an answer.
    pub allow_text: Option<Flag<false>>,
    /// Time on screen, in seconds.
    pub seconds: Int<5, 300, 60>,
}

/// The page's answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct UserAnswer {
    /// The number of the chosen option.
    option: Option<usize>,
    text: Option<String>,
    /// Whether the person closed the question; otherwise its time ran out.
    dismissed: bool,
}

/// The maximum number of characters of a written answer.
const LONGEST: usize = 4_000;

impl Run for AskUser {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let options: Vec<String> =
            self.options.iter().flat_map(Many::as_slice).map(|it| it.as_str().trim().to_owned()).collect();
        let allow_text = self.allow_text.map_or(options.is_empty(), Flag::is_set);
        if !self.question.as_str().chars().any(is_seen) {
            return Err(ToolError::field("question", "visible text"));
        }
        let is_repeated = |at: usize, it: &String| options.iter().take(at).any(|other| other == it);
        let is_unclear = |(at, it): (usize, &String)| !it.chars().any(is_seen) || is_repeated(at, it);
        if options.iter().enumerate().any(is_unclear) {
            return Err(ToolError::field("options", "visible answers, each once"));
        }
        if options.is_empty() && !allow_text {
            return Err(ToolError::field("allow_text", "true, or left out, where there are no options"));
        }
        let time = Duration::from_secs(self.seconds.get() as u64);
        let question = self.question.as_str().to_owned();
        let request = PageRequest::AskUser { question, options: options.clone(), allow_text, time };
        let chosen = |it: &UserAnswer| it.option.and_then(|at| options.get(at).cloned());
        let is_answered = |it: &UserAnswer| chosen(it).is_some() || (allow_text && it.text.is_some());
        let answer: UserAnswer = cx.question(request, is_answered).await?;
        let option = chosen(&answer);
        let text = answer.text.filter(|_| allow_text).map(|it| it.chars().take(LONGEST).collect::<String>());
        let answered = option.is_some() || text.is_some();
        let reason = if answer.dismissed { "dismissed" } else { "timeout" };
        Ok(Output::new()
            .with("answered", answered)
            .with("option", option)
            .with("text", text)
            .with("reason", (!answered).then_some(reason)))
    }
}

#[cfg(test)]
#[path = "ask_user_tests.rs"]
mod tests;
