//! Calls through a connection: the message, its progress and its end.

use std::rc::Rc;

use crate::state::answer::Answer;
use crate::state::connection_text;
use puppy_mcp_client::connection::{CallFailure, Connection, Outcome, StopRegistration};
use puppy_mcp_client::{OnProgress, Progress};
use puppy_ui_web::words::fill;
use puppy_ui_web::words::playground::PlaygroundWords;
use puppy_ui_web::words::servers::ServerWords;
use serde_json::{Map, Value, json};

use crate::room::Room;
use crate::run::{CallEnd, Run};

/// A call as it is sent over MCP.
pub(crate) fn message(tool: &str, arguments: &Map<String, Value>) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    serde_json::to_string_pretty(&message).unwrap_or_default()
}

/// Calls a tool; `run` shows the progress.
pub(crate) async fn call(
    room: Room,
    run: Run,
    connection: Connection,
    tool: &str,
    arguments: Map<String, Value>,
    stopping: StopRegistration,
) -> CallEnd {
    let words = room.words;
    let on_progress: OnProgress = Rc::new(move |it| run.tell(progress(words, &it)));
    match connection.call(tool, arguments, stopping, on_progress).await {
        Outcome::Done(called) => CallEnd::Answered(Answer::of_called(called)),
        Outcome::Stopped => CallEnd::Stopped,
        Outcome::Failed(failure) => CallEnd::Failed(failed(room, &failure)),
    }
}

fn progress(words: &PlaygroundWords, progress: &Progress) -> String {
    let total = progress.total.map(|it| format!(" / {it}")).unwrap_or_default();
    let message = progress.message.as_deref().unwrap_or_default();
    let done = progress.done.to_string();
    fill(words.progress, &[("done", &done), ("total", &total), ("message", message)])
}

fn failed(room: Room, failure: &CallFailure) -> String {
    let why = connection_text::reason(ServerWords::of(&room.lang()), &failure.why);
    let values = [
        ("tool", failure.tool.as_str()),
        ("server", &failure.server),
        ("kind", failure.why.kind()),
        ("why", &why),
    ];
    fill(room.words.no_answer, &values)
}
