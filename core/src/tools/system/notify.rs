//! `system.notify`: shows a short message in SiYuan.

use crate::prelude::*;
use crate::visible::is_seen;

/// Show a short message in SiYuan.
#[derive(Debug, Action)]
#[action(
    system.notify,
    effect = Screen,
    danger = None,
    idempotent = false,
    calls = [notification::PUSH_MSG, notification::PUSH_ERR_MSG],
    examples = [{ "message": "The plan is ready." }, { "message": "It failed.", "level": "error", "seconds": 20 }],
)]
pub struct Notify {
    /// Plain text.
    #[read_by(Html)]
    pub message: Text<1, 500>,
    /// The kind of message.
    pub level: MessageKind,
    /// Time on screen, in seconds.
    pub seconds: Int<1, 60, 7>,
}

/// The kind of message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum MessageKind {
    /// It tells something.
    #[default]
    Info,
    /// Something went wrong.
    Error,
}

impl Change for Notify {
    type Facts = ();

    async fn plan(&self, _cx: &Cx<'_>) -> Result<Plan<()>, ToolError> {
        if !self.message.as_str().chars().any(is_seen) {
            return Err(ToolError::field("message", "visible text"));
        }
        Ok(Plan::new("show", ()).show("message", self.message.as_str()))
    }

    async fn run(self, _plan: Plan<()>, cx: &Cx<'_>) -> Reply {
        let (html, time) = (escaped(self.message.as_str().trim()), self.seconds.get() * 1_000);
        cx.ask(match self.level {
            MessageKind::Info => notification::push_msg(&html, time),
            MessageKind::Error => notification::push_err_msg(&html, time),
        })
        .await?;
        // SiYuan does not tell whether a window is open.
        Ok(Output::new().with("shown_to", "open windows"))
    }
}

/// The text as HTML, which the page takes messages for.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            letter => html.push(letter),
        }
    }
    html
}

#[cfg(test)]
#[path = "notify_tests.rs"]
mod tests;
