//! The sidecar as a process, spoken to over stdio as an agent's client does.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// The time a call may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A sidecar that serves one client; it ends with this.
pub(crate) struct Agent {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    next: u64,
}

impl Agent {
    pub(crate) async fn start(program: &Path, kernel: &str, token: Option<&str>) -> Result<Agent, String> {
        let mut command = Command::new(program);
        // The settings of a person's own sidecar are not meant for this one.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SIYUAN_"))
        {
            command.env_remove(name);
        }
        command.env("SIYUAN_API_URL", kernel).arg("stdio").kill_on_drop(true);
        if let Some(token) = token {
            command.env("SIYUAN_TOKEN", token);
        }
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.map_err(|why| format!("The sidecar does not start: {why}."))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("The sidecar has no pipes.".to_owned());
        };
        let mut agent = Agent { child, input, output: BufReader::new(output).lines(), next: 0 };
        let client = json!({ "name": "live-run", "version": env!("CARGO_PKG_VERSION") });
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        agent.ask("initialize", &hello).await?;
        agent.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await?;
        Ok(agent)
    }

    /// Calls a tool and returns its answer, or the error that the call ended with.
    pub(crate) async fn call(&mut self, tool: &str, arguments: &Map<String, Value>) -> Result<Value, Value> {
        let call = json!({ "name": tool, "arguments": arguments });
        let result = self.ask("tools/call", &call).await.map_err(Value::String)?;
        let text = result.pointer("/content/0/text").and_then(Value::as_str).unwrap_or_default();
        // Text that is not JSON is an answer in Markdown.
        let content = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
        if result.get("isError") == Some(&json!(true)) { Err(content) } else { Ok(content) }
    }

    async fn ask(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.next += 1;
        let id = self.next;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await?;
        let answer = tokio::time::timeout(PATIENCE, self.answer(id)).await;
        answer.map_err(|_| format!("No answer to {method} in {} seconds.", PATIENCE.as_secs()))?
    }

    async fn answer(&mut self, id: u64) -> Result<Value, String> {
        while let Ok(Some(line)) = self.output.next_line().await {
            let mut message: Value = serde_json::from_str(&line).unwrap_or_default();
            if message.get("id") == Some(&json!(id)) && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(error.to_string()),
                    None => Ok(message.get_mut("result").map(Value::take).unwrap_or_default()),
                };
            }
        }
        Err("The sidecar has ended.".to_owned())
    }

    async fn write(&mut self, message: &Value) -> Result<(), String> {
        let line = format!("{message}\n");
        let written = self.input.write_all(line.as_bytes()).await;
        written.map_err(|_| "The sidecar has ended.".to_owned())
    }

    /// Lets it write down what it still has to.
    pub(crate) async fn end(self) {
        let Agent { mut child, input, output, .. } = self;
        drop(input);
        let _ = tokio::time::timeout(Duration::from_secs(5), child.wait()).await;
        drop(output);
    }
}
