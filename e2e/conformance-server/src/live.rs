//! Fixtures that talk with the client while they run: logging, progress, sampling, elicitation, changes.

use std::time::Duration;

use rmcp::model::{
    CallToolResult, ClientCapabilities, ContentBlock, CreateMessageRequestParams, ElicitRequestParams,
    ElicitationAction, ElicitationSchema, LoggingLevel, LoggingMessageNotificationParam,
    ProgressNotificationParam, SamplingMessage,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::fixtures::{Change, Fixtures, done};

/// A pause between messages, as the suite asks for.
const PAUSE: Duration = Duration::from_millis(50);

type Context = RequestContext<RoleServer>;

/// What a tool does while it runs.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Live {
    /// Three log messages.
    Logging,
    /// One log message, where the request names a level.
    LoggingAsAsked,
    /// Progress three times, where the request has a token.
    Progress,
    /// Nothing for a while.
    Pause,
    /// A question to the client's model.
    Sampling,
    /// The argument `value`.
    Echo,
    /// Tells subscribers that the tools changed.
    ChangeTools,
    /// Tells subscribers that the prompts changed.
    ChangePrompts,
    /// Refuses clients that cannot sample.
    NeedSampling,
}

impl Live {
    pub(crate) async fn run(
        self,
        fixtures: &Fixtures,
        arguments: &Value,
        cx: &Context,
    ) -> Result<CallToolResult, ErrorData> {
        match self {
            Live::Logging => {
                for text in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
                    log(LoggingLevel::Info, text, cx).await;
                    tokio::time::sleep(PAUSE).await;
                }
            }
            Live::LoggingAsAsked => {
                if let Some(level) = cx.meta.log_level() {
                    log(level, "A level was asked for", cx).await;
                }
            }
            Live::Progress => {
                for progress in [0.0, 50.0, 100.0] {
                    if let Some(token) = cx.meta.get_progress_token() {
                        let told = ProgressNotificationParam::new(token, progress).with_total(100.0);
                        ignore(cx.peer.notify_progress(told).await);
                    }
                    tokio::time::sleep(PAUSE).await;
                }
            }
            Live::Pause => tokio::time::sleep(PAUSE).await,
            Live::Sampling => return Ok(sample(word(arguments, "prompt").unwrap_or_default(), cx).await),
            Live::Echo => {
                let value = word(arguments, "value").map(done);
                return value.ok_or_else(|| ErrorData::invalid_params("`value` is a text", None));
            }
            Live::ChangeTools => fixtures.tell(Change::Tools),
            Live::ChangePrompts => fixtures.tell(Change::Prompts),
            Live::NeedSampling => {
                if cx.client_capabilities().unwrap_or_default().sampling.is_none() {
                    let needed = ClientCapabilities::builder().enable_sampling().build();
                    return Err(ErrorData::missing_required_client_capability(needed));
                }
            }
        }
        Ok(done("Done."))
    }
}

fn word<'a>(arguments: &'a Value, name: &str) -> Option<&'a str> {
    arguments.get(name).and_then(Value::as_str)
}

fn failed(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// A client that has gone is no fault of the call.
fn ignore<E: std::fmt::Display>(told: Result<(), E>) {
    if let Err(error) = told {
        tracing::debug!("a client could not be told: {error}");
    }
}

async fn log(level: LoggingLevel, text: &str, cx: &Context) {
    let message = LoggingMessageNotificationParam::new(level, json!(text)).with_logger("fixtures");
    ignore(cx.peer.notify_logging_message(message).await);
}

async fn sample(prompt: &str, cx: &Context) -> CallToolResult {
    let asked = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], 100);
    match cx.peer.create_message(asked).await {
        Ok(answer) => {
            let text = answer.message.content.first().and_then(|it| it.as_text()).map(|it| it.text.clone());
            done(&format!("LLM response: {}", text.unwrap_or_default()))
        }
        Err(error) => failed(format!("Sampling failed: {error}")),
    }
}

/// Asks the user through the client, as the era of 2025 does.
pub(crate) async fn elicit(schema: ElicitationSchema, arguments: &Value, cx: &Context) -> CallToolResult {
    let asked = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: word(arguments, "message").unwrap_or("Please fill in").to_owned(),
        requested_schema: schema,
    };
    match cx.peer.create_elicitation(asked).await {
        Ok(answer) => {
            let action = match answer.action {
                ElicitationAction::Accept => "accept",
                ElicitationAction::Decline => "decline",
                _ => "cancel",
            };
            done(&format!("User response: action={action}, content={}", json!(answer.content)))
        }
        Err(error) => failed(format!("Elicitation failed: {error}")),
    }
}
