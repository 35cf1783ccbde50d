//! Messages as lines: an unreadable line gets an error, and an overlong one is not kept (B-141, B-146).

use std::io;
use std::sync::{Arc, Mutex as SyncMutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorCode, ErrorData, GetMeta, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::running::{RunningRequests, short};
use crate::aside::aside;
use crate::input::{Input, InputRead};
use crate::limits::Limits;

/// A client at the other end of two pipes.
#[derive(Debug)]
pub(super) struct Lines<R, W> {
    from: Input<R>,
    to: Arc<Mutex<W>>,
    /// The maximum number of concurrent requests.
    most: usize,
    running: Arc<SyncMutex<RunningRequests>>,
    /// A refusal being written; the next line is read once it is sent.
    refusal: Option<JoinHandle<io::Result<()>>>,
}

enum ParsedLine {
    Message(Box<ClientJsonRpcMessage>),
    Wrong(ErrorData, Option<RequestId>),
    /// An empty line or an unknown notification; it needs no answer.
    Nothing,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(from: R, to: W, limits: &Limits) -> Lines<R, W> {
        Lines {
            from: Input::new(from, limits.body),
            to: Arc::new(Mutex::new(to)),
            most: limits.calls,
            running: Arc::default(),
            refusal: None,
        }
    }

    /// Takes the line that was read.
    fn take(&mut self) -> ParsedLine {
        match self.from.take(parse) {
            ParsedLine::Message(message) => self.admit(message),
            other => other,
        }
    }

    /// Admits a request, or refuses it because its id is in use or there are too many (B-141).
    fn admit(&self, message: Box<ClientJsonRpcMessage>) -> ParsedLine {
        let mut running = lock(&self.running);
        match message.as_ref() {
            ClientJsonRpcMessage::Request(request) => {
                let token = request.request.get_meta().get_progress_token();
                let begun = short(&request.id, token.as_ref());
                if let Err(why) = begun.and_then(|()| running.begin(&request.id, self.most, ())) {
                    return ParsedLine::Wrong(why.into(), Some(request.id.clone()));
                }
            }
            ClientJsonRpcMessage::Notification(note) => {
                if let ClientNotification::CancelledNotification(cancelled) = &note.notification
                    && let Some(request) = &cancelled.params.request_id
                {
                    running.cancel(request);
                }
            }
            _ => {}
        }
        ParsedLine::Message(message)
    }

    fn refuse(&mut self, error: ErrorData, request: Option<RequestId>) {
        let refusal = ServerJsonRpcMessage::error(error, request);
        // A separate task, because a cancelled read must not leave half a line written.
        self.refusal = Some(tokio::spawn(write(self.to.clone(), refusal)));
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answered = match &message {
            ServerJsonRpcMessage::Response(response) => Some(&response.id),
            ServerJsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = answered {
            lock(&self.running).end(id);
        }
        write(self.to.clone(), message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(refusal) = &mut self.refusal {
                let left = refusal.await;
                self.refusal = None;
                left.ok()?.ok()?;
            }
            let line = match self.from.read().await {
                Ok(InputRead::Line) => aside(self.from.length(), async { self.take() }).await,
                Ok(InputRead::TooLong(id)) => {
                    let why = format!(
                        "A message may have at most {} bytes. Send less at a time.",
                        self.from.most()
                    );
                    let id = id.and_then(|id| serde_json::from_value(id).ok());
                    ParsedLine::Wrong(ErrorData::invalid_request(why, None), id)
                }
                Ok(InputRead::End) => return None,
                Err(error) => {
                    tracing::warn!("stdin cannot be read: {error}");
                    return None;
                }
            };
            match line {
                ParsedLine::Message(message) => return Some(*message),
                ParsedLine::Wrong(error, request) => self.refuse(error, request),
                ParsedLine::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.to.lock().await.shutdown().await
    }
}

fn lock(running: &SyncMutex<RunningRequests>) -> MutexGuard<'_, RunningRequests> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn write<W: AsyncWrite + Unpin>(to: Arc<Mutex<W>>, message: ServerJsonRpcMessage) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');
    let mut to = to.lock().await;
    to.write_all(&line).await?;
    to.flush().await
}

fn parse(line: &[u8]) -> ParsedLine {
    if line.is_empty() {
        return ParsedLine::Nothing;
    }
    if let Ok(message) = serde_json::from_slice(line) {
        return ParsedLine::Message(Box::new(message));
    }
    match serde_json::from_slice::<Value>(line) {
        Err(_) => {
            let why = "The line is not JSON. Send one message per line.";
            ParsedLine::Wrong(ErrorData::new(ErrorCode::PARSE_ERROR, why, None), None)
        }
        Ok(Value::Object(object)) => {
            let id = object.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
            // Some clients send notifications of other protocols; these are ignored.
            if id.is_none() && object.get("method").is_some_and(Value::is_string) {
                return ParsedLine::Nothing;
            }
            let why = "The line is JSON, but not a JSON-RPC message of MCP.";
            ParsedLine::Wrong(ErrorData::invalid_request(why, None), id)
        }
        Ok(_) => {
            let why =
                "The line is JSON, but not a message. Batches are not supported; send one message per line.";
            ParsedLine::Wrong(ErrorData::invalid_request(why, None), None)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use tokio::io::{AsyncBufReadExt, BufReader};

    use super::*;

    const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

    /// The messages that pass and the immediate answers, for a text that arrives in small pieces.
    async fn fed(text: &str, limits: Limits) -> (Vec<Value>, Vec<Value>) {
        let (mut client, from) = tokio::io::duplex(64);
        let (to, answers) = tokio::io::duplex(1 << 20);
        let text = text.to_owned();
        let feeding = tokio::spawn(async move { client.write_all(text.as_bytes()).await });
        let mut lines = Lines::new(from, to, &limits);
        let mut through = Vec::new();
        while let Some(message) = lines.receive().await {
            through.push(serde_json::to_value(message).unwrap());
        }
        feeding.await.unwrap().unwrap();
        drop(lines);
        let mut answered = Vec::new();
        let mut answers = BufReader::new(answers).lines();
        while let Some(line) = answers.next_line().await.unwrap() {
            answered.push(serde_json::from_str(&line).unwrap());
        }
        (through, answered)
    }

    /// B-141: each invalid line gets an answer, and the next call works.
    #[tokio::test]
    async fn invalid_line_gets_an_error() {
        for (line, code, id) in [
            ("{torn", -32700, json!(null)),
            ("[", -32700, json!(null)),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, json!(null)),
            ("7", -32600, json!(null)),
            (r#"{"jsonrpc":"2.0","id":5}"#, -32600, json!(5)),
            (r#"{"id":"a","method":7}"#, -32600, json!("a")),
            (r#"{"jsonrpc":"2.0"}"#, -32600, json!(null)),
            (r#"{"method":null}"#, -32600, json!(null)),
        ] {
            let (through, answered) = fed(&format!("{line}\n{PING}\n"), Limits::default()).await;
            assert_eq!(through.len(), 1, "{line}");
            assert_eq!(through[0]["id"], 7, "{line}");
            assert_eq!((answered.len(), &answered[0]["error"]["code"]), (1, &json!(code)), "{line}");
            assert_eq!(answered[0]["id"], id, "{line}");
        }
    }

    #[tokio::test]
    async fn notifications_get_no_answer() {
        let other = r#"{"jsonrpc":"2.0","method":"$/setTrace","params":[1]}"#;
        let (through, answered) = fed(&format!("\u{feff}{PING}\r\n\n{other}\n"), Limits::default()).await;
        assert_eq!((&through[0]["id"], answered.len()), (&json!(7), 0));
    }

    /// B-141: an overlong line never takes more memory than the limit, and is answered under its id, which the Python SDK
    /// writes at its end.
    #[tokio::test]
    async fn overlong_line_is_answered_and_dropped() {
        let limits = Limits { body: 100, ..Limits::default() };
        let long = "x".repeat(10_000);
        let call = format!(r#"{{"jsonrpc":"2.0","id":"é","method":"tools/call","params":"{long}"}}"#);
        let late = format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":"{long}","id":9}}"#);
        let (through, answered) = fed(&format!("{long}\n{PING}\n{call}\n{late}\n{long}"), limits).await;
        assert_eq!(through.len(), 1);
        assert!(answered.iter().all(|it| it["error"]["code"] == -32600));
        let ids: Vec<&Value> = answered.iter().map(|it| &it["id"]).collect();
        assert_eq!(ids, [&json!(null), &json!("é"), &json!(9), &json!(null)]);
    }

    /// F10: an id is kept while its request runs, so its length is limited; the error carries that id.
    #[tokio::test]
    async fn overlong_id_is_refused() {
        let (long, fits) = ("x".repeat(257), "é".repeat(256));
        let ping = |id: &str| PING.replace('7', &format!("\"{id}\""));
        let token = PING.replace("}", &format!(r#","params":{{"_meta":{{"progressToken":"{long}"}}}}}}"#));
        let (through, answered) =
            fed(&format!("{}\n{token}\n{}\n", ping(&long), ping(&fits)), Limits::default()).await;
        assert_eq!((through.len(), &through[0]["id"]), (1, &json!(fits)));
        let answers: Vec<_> = answered.iter().map(|it| (&it["error"]["code"], &it["id"])).collect();
        assert_eq!(answers, [(&json!(-32600), &json!(long)), (&json!(-32600), &json!(7))]);
    }

    /// B-141: the second of two requests with one id is refused; once the first is answered the id is free.
    #[tokio::test]
    async fn duplicate_id_on_stdio_is_refused_while_in_flight() {
        let (through, answered) = fed(&format!("{PING}\n{PING}\n"), Limits::default()).await;
        assert_eq!((through.len(), answered.len()), (1, 1));
        assert_eq!((&answered[0]["error"]["code"], &answered[0]["id"]), (&json!(-32600), &json!(7)));
        let limits = Limits { calls: 1, ..Limits::default() };
        let (through, answered) = fed(&format!("{PING}\n{}\n", PING.replace('7', "8")), limits).await;
        assert_eq!((through.len(), &answered[0]["error"]["code"]), (1, &json!(-32000)));
    }

    proptest! {
        /// Any line is a message, gets an error, or needs no answer.
        #[test]
        fn any_line_is_parsed_or_refused(
            line in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..64),
                "\\{(\"(jsonrpc|id|method|params|result)\":(\"2.0\"|7|null|\\[\\]|\\{\\}|\"ping\"),?){0,5}\\}".prop_map(String::into_bytes),
            ]
        ) {
            match (parse(&line), serde_json::from_slice::<Value>(&line)) {
                (ParsedLine::Message(_), json) => prop_assert!(json.is_ok()),
                (ParsedLine::Wrong(error, _), json) => {
                    let code = if json.is_ok() { ErrorCode::INVALID_REQUEST } else { ErrorCode::PARSE_ERROR };
                    prop_assert_eq!(error.code, code);
                }
                (ParsedLine::Nothing, Ok(json)) => prop_assert!(json["method"].is_string()),
                (ParsedLine::Nothing, Err(_)) => prop_assert!(line.is_empty()),
            }
        }
    }
}
