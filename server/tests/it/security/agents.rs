//! Agents over the wire: each token opens what the ceiling of its agent allows, and names prove nothing.

mod ends;
mod every_action;

use std::process::Command;

use puppy_core::agents::AGENTS_FILE;
use puppy_core::config::GRANTS_FILE;
use puppy_core::kernel::files;
use puppy_server::http::{Settings, TokenPlace};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::door::{Door, call, greeting, request};
use crate::client::{Era, http};
use crate::process::{Running, program, talk};
use crate::relay::free_port;
use crate::world::{World, until};

/// A server with named agents, and the tokens of this machine in a folder of the test.
struct Kennel {
    world: World,
    folder: TempDir,
    server: Running,
}

impl Kennel {
    async fn new() -> Kennel {
        Kennel::with(&[]).await
    }

    async fn with(variables: &[(&str, &str)]) -> Kennel {
        let world = World::new().await;
        let mut table = json!({});
        for (name, level) in [("Garden", "rwd"), ("Attic", "rw"), ("Private", "none")] {
            table[world.notebook(name).await] = json!(level);
        }
        world.set_table(&table).await;
        let folder = tempfile::tempdir().unwrap();
        let mut command = of_user(&world, &folder);
        let server = Running::start(command.envs(variables.iter().copied()));
        Kennel { world, folder, server }
    }

    /// Runs `siyuan-puppy agents`.
    fn agents(&self, words: &[&str]) -> String {
        let output = of_user(&self.world, &self.folder).arg("agents").args(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// The token of a new agent.
    fn agent(&self, name: &str, ceiling: &[&str]) -> String {
        self.agents(&[&["set", name], ceiling].concat());
        self.agents(&["token", name])
    }

    /// Posts a message and returns the status and the answer.
    async fn post(&self, tokens: &[&str], session: Option<&str>, message: &Value) -> (u16, String) {
        let mut request = http().post(&self.server.url).header("Content-Type", "application/json");
        request = request.header("Accept", "application/json, text/event-stream");
        for token in tokens {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if let Some(session) = session {
            request = request.header("Mcp-Session-Id", session);
        }
        if message["params"].get("_meta").is_some() {
            request = request.header("MCP-Protocol-Version", "2026-07-28");
            request = request.header("Mcp-Method", message["method"].as_str().unwrap());
            if let Some(name) = message["params"]["name"].as_str().or(message["params"]["uri"].as_str()) {
                request = request.header("Mcp-Name", name);
            }
        }
        let answer = request.body(message.to_string()).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// A request of the newer era with these tokens, and its result.
    async fn ask(&self, tokens: &[&str], method: &str, params: Value) -> Value {
        let (status, said) = self.post(tokens, None, &request(7, method, params)).await;
        assert_eq!(status, 200, "{said}");
        result(&said)
    }

    /// A call with these tokens.
    async fn call(&self, tokens: &[&str], tool: &str, arguments: Value) -> Value {
        let said = self.ask(tokens, "tools/call", json!({ "name": tool, "arguments": arguments })).await;
        serde_json::from_str(said["content"][0]["text"].as_str().unwrap_or_default()).unwrap()
    }

    /// The notebooks that a caller sees, with its level in each.
    async fn sees(&self, tokens: &[&str]) -> Vec<String> {
        seen(&self.call(tokens, "notebook", json!({ "action": "list" })).await)
    }

    /// Begins a session.
    async fn session(&self, token: Option<&str>) -> String {
        let mut hello = http().post(&self.server.url).header("Content-Type", "application/json");
        hello = hello.header("Accept", "application/json, text/event-stream");
        if let Some(token) = token {
            hello = hello.bearer_auth(token);
        }
        let hello = hello.body(greeting(Era::Old).to_string()).send().await.unwrap();
        assert_eq!(hello.status(), 200);
        let session = hello.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let greeted = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let tokens: Vec<&str> = token.into_iter().collect();
        assert_eq!(self.post(&tokens, Some(&session), &greeted).await.0, 202);
        session
    }
}

/// The program as the user whose folders these are.
fn of_user(world: &World, folder: &TempDir) -> Command {
    let mut command = program(&world.kernel.url());
    command.env("HOME", folder.path()).env("XDG_DATA_HOME", folder.path()).env("APPDATA", folder.path());
    command
}

/// The result in an answer, which may be a stream.
fn result(said: &str) -> Value {
    let lines = said.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    let message = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()).rfind(Value::is_object);
    let message = message.unwrap_or_default();
    assert!(message["result"].is_object(), "{said}");
    message["result"].clone()
}

fn seen(list: &Value) -> Vec<String> {
    let rows = list["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut all: Vec<String> =
        rows.iter().map(|it| format!("{} {}", it["name"], it["level"]).replace('"', "")).collect();
    all.sort();
    all
}

fn error_of(said: &Value) -> &str {
    said["error"]["type"].as_str().unwrap_or_default()
}

/// Everything that is reached with a token is under the ceiling of its agent.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_opens_what_the_ceiling_allows_and_nothing_else() {
    let kennel = Kennel::new().await;
    let reader = kennel.agent("Reader", &["--level", "r", "--notebook", "Garden"]);
    let writer = kennel.agent("Writer", &["--level", "rw"]);
    assert_eq!(kennel.sees(&[&reader]).await, ["Garden r"]);
    assert_eq!(kennel.sees(&[&writer]).await, ["Attic rw", "Garden rw", "Reading r", "Scratch r"]);
    assert_eq!(kennel.sees(&[]).await, ["Attic rw", "Garden rwd", "Reading r", "Scratch r"]);
    let write = json!({ "action": "write", "path": "/Garden/New", "markdown": "text" });
    assert_eq!(error_of(&kennel.call(&[&reader], "fs", write.clone()).await), "permission_denied");
    let attic = json!({ "action": "read", "path": "/Attic/Boxes" });
    assert_eq!(error_of(&kennel.call(&[&reader], "fs", attic.clone()).await), "not_found");
    assert_eq!(error_of(&kennel.call(&[&writer], "fs", attic).await), "");
    assert_eq!(error_of(&kennel.call(&[&writer], "fs", write).await), "");
    let remove = json!({ "action": "remove", "path": "/Garden/New" });
    assert_eq!(error_of(&kennel.call(&[&writer], "fs", remove).await), "permission_denied");
    // The older era, in a session.
    let session = kennel.session(Some(&reader)).await;
    let list = call(2, "notebook", &json!({ "action": "list" }));
    let (_, said) = kennel.post(&[&reader], Some(&session), &list).await;
    let listed: Value = serde_json::from_str(result(&said)["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(seen(&listed), ["Garden r"]);
    // Everything beside the actions.
    let resources = kennel.ask(&[&reader], "resources/list", json!({})).await.to_string();
    assert!(resources.contains("Compost") && !resources.contains("Boxes"), "{resources}");
    let info = |tokens: Vec<String>| {
        let kennel = &kennel;
        async move {
            let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
            kennel.call(&tokens, "system", json!({ "action": "get_info" })).await["agent"].clone()
        }
    };
    let due = json!({ "name": "Reader", "highest_level": "r", "some_notebooks": true });
    assert_eq!(info(vec![reader]).await, due);
    assert_eq!(info(vec![]).await, Value::Null);
    kennel.agents(&["anyone", "--level", "r"]);
    assert_eq!(info(vec![]).await, json!({ "unknown": true, "highest_level": "r" }));
    assert_eq!(kennel.sees(&[]).await, ["Attic r", "Garden r", "Reading r", "Scratch r"]);
    assert_eq!(info(vec![writer]).await, json!({ "name": "Writer", "highest_level": "rw" }));
}

/// The name of a client proves nothing over HTTP: the client of these tests calls itself `test`.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_opens_nothing_over_http() {
    let kennel = Kennel::new().await;
    let token = kennel.agent("Test", &["--level", "rwd"]);
    kennel.agents(&["anyone", "--level", "none"]);
    assert_eq!(kennel.sees(&[]).await, [""; 0]);
    assert_eq!(kennel.sees(&[&token]).await, ["Attic rw", "Garden rwd", "Reading r", "Scratch r"]);
}

/// Over stdio an agent is known by the name that a person gave its process, or else by the client's own; a given name
/// that no agent has opens nothing, because it was meant to limit.
#[tokio::test(flavor = "multi_thread")]
async fn names_are_identity_over_stdio() {
    let kennel = Kennel::new().await;
    kennel.agents(&["set", "Test", "--level", "r", "--notebook", "Garden"]);
    kennel.agents(&["set", "Tidy", "--level", "rw", "--notebook", "Attic"]);
    for (given, due) in [
        (None, vec!["Garden r"]),
        (Some("tidy"), vec!["Attic rw"]),
        (Some(" "), vec!["Garden r"]),
        (Some("Tydi"), vec![]),
    ] {
        let mut command = of_user(&kennel.world, &kennel.folder);
        if let Some(given) = given {
            command.env("SIYUAN_MCP_AGENT", given);
        }
        let greeted = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let list = call(2, "notebook", &json!({ "action": "list" }));
        let (answers, _) = talk(&mut command, &[greeting(Era::Old), greeted, list]);
        let text = answers.last().unwrap()["result"]["content"][0]["text"].as_str().unwrap();
        assert_eq!(seen(&serde_json::from_str(text).unwrap()), due, "{given:?}");
    }
}

/// A client on stdio that is led to the server is known there by the token that its relay sends.
#[tokio::test(flavor = "multi_thread")]
async fn a_relay_is_known_by_its_token() {
    let kennel = Kennel::new().await;
    kennel.agents(&["anyone", "--level", "none"]);
    let token = kennel.agent("Reader", &["--level", "r", "--notebook", "Garden"]);
    let file = kennel.folder.path().join("token");
    std::fs::write(&file, token).unwrap();
    let mut command = of_user(&kennel.world, &kennel.folder);
    // The name counts for nothing on the other side.
    command.env("SIYUAN_API_URL", "http://127.0.0.1:9").env("SIYUAN_MCP_AGENT", "Writer");
    command.env("SIYUAN_MCP_CONNECT", &kennel.server.url).env("SIYUAN_MCP_TOKEN_FILE", &file);
    let greeted = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let list = call(2, "notebook", &json!({ "action": "list" }));
    let (answers, _) = talk(&mut command, &[greeting(Era::Old), greeted, list]);
    let text = answers.last().unwrap()["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(seen(&serde_json::from_str(text).unwrap()), ["Garden r"]);
}

/// A name that a person gave the process was meant to limit its client. A relay cannot pass it on, so it does not start
/// without the token of an agent.
#[tokio::test(flavor = "multi_thread")]
async fn a_relay_does_not_drop_the_name_of_its_agent() {
    let kennel = Kennel::with(&[("SIYUAN_MCP_TOKEN", "canary-own")]).await;
    kennel.agents(&["set", "Reader", "--level", "r", "--notebook", "Garden"]);
    for token in [None, Some("canary-own")] {
        let mut command = of_user(&kennel.world, &kennel.folder);
        command.args(["stdio", "--connect", &kennel.server.url]).env("SIYUAN_MCP_AGENT", "Reader");
        command.envs(token.map(|it| ("SIYUAN_MCP_TOKEN", it)));
        let output = command.stdin(std::process::Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("SIYUAN_MCP_AGENT"), "{token:?}: {said}");
        assert!(!said.contains("canary-own"), "{said}");
    }
}

/// With a token of its own the server admits the holders of either; two tokens at once are none.
#[tokio::test(flavor = "multi_thread")]
async fn an_agents_token_is_enough_where_another_is_required() {
    let kennel = Kennel::with(&[("SIYUAN_MCP_TOKEN", "canary-own")]).await;
    let reader = kennel.agent("Reader", &["--level", "r", "--notebook", "Garden"]);
    assert_eq!(kennel.sees(&[&reader]).await, ["Garden r"]);
    assert_eq!(kennel.sees(&["canary-own"]).await.len(), 4);
    let list = request(7, "tools/list", json!({}));
    for tokens in [
        vec![],
        vec!["canary-wrong"],
        vec![reader.as_str(), "canary-own"],
        vec!["canary-own", reader.as_str()],
        vec![reader.as_str(), reader.as_str()],
    ] {
        let (status, said) = kennel.post(&tokens, None, &list).await;
        assert_eq!(status, 401, "{tokens:?}: {said}");
        assert!(tokens.iter().all(|it| !said.contains(it)), "{said}");
    }
    let last = if reader.ends_with('0') { '1' } else { '0' };
    let forged = format!("{}{last}", &reader[..reader.len() - 1]);
    let (status, said) = kennel.post(&[&forged], None, &list).await;
    assert!(status == 401 && said.contains("siyuan-puppy agents token"), "{status} {said}");
    assert!(!said.contains(&forged), "{said}");
}

/// An unknown token is refused with the way to a new one, also where none is required; a file of tokens that cannot be
/// read admits nobody. The file of another place does not count.
#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_token_is_no_way_to_be_anyone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.json");
    let settings = || Settings { tokens: TokenPlace::from(file.clone()), ..Settings::default() };
    let door = Door::open(settings()).await;
    let token = "puppy_abcdefgh_0123456789abcdef";
    let bearer = format!("Bearer {token}");
    let post = async || door.post(&[("Authorization", &bearer)], &greeting(Era::Old)).await;
    let refused = post().await;
    assert_eq!((refused.status, refused.header("www-authenticate").is_some()), (401, true));
    assert!(refused.body.contains("revoked") && !refused.body.contains(token), "{}", refused.body);
    let hash: String = {
        use sha2::{Digest as _, Sha256};
        Sha256::digest(token).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    std::fs::write(&file, json!({ "abcdefgh": hash }).to_string()).unwrap();
    assert_eq!(post().await.status, 200, "the server reads the file again");
    std::fs::write(&file, "torn").unwrap();
    assert_eq!(post().await.status, 503);
    assert_eq!(door.post(&[], &greeting(Era::Old)).await.status, 200, "others are not concerned");
}

/// A session belongs to the token with which it was begun.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_open_to_its_own_token_only() {
    let kennel = Kennel::new().await;
    let (one, two) = (kennel.agent("One", &["--level", "r"]), kennel.agent("Two", &["--level", "rw"]));
    let list = call(2, "notebook", &json!({ "action": "list" }));
    for (owner, others) in
        [(Some(one.as_str()), [vec![two.as_str()], vec![]]), (None, [vec![one.as_str()], vec![two.as_str()]])]
    {
        let session = kennel.session(owner).await;
        let own: Vec<&str> = owner.into_iter().collect();
        assert_eq!(kennel.post(&own, Some(&session), &list).await.0, 200);
        for tokens in others {
            let (status, said) = kennel.post(&tokens, Some(&session), &list).await;
            assert_eq!(status, 404, "{tokens:?}: {said}");
            let mut standing = http().get(&kennel.server.url).header("Mcp-Session-Id", &session);
            standing = standing.header("Accept", "text/event-stream");
            for token in tokens {
                standing = standing.bearer_auth(token);
            }
            assert_eq!(standing.send().await.unwrap().status(), 404);
        }
    }
}

/// The snippet for a client has the token and the address of the server; without a client the token is alone.
#[tokio::test(flavor = "multi_thread")]
async fn the_command_prints_the_snippet_of_a_client() {
    let kennel = Kennel::new().await;
    kennel.agents(&["set", "Reader", "--level", "r"]);
    let settings = format!("{}mcpHttpSettings", files::STORAGE);
    kennel.world.write(&settings, &json!({ "port": free_port() }).to_string()).await;
    let snippet: Value =
        serde_json::from_str(&kennel.agents(&["token", "Reader", "--for", "cursor"])).unwrap();
    let entry = &snippet["mcpServers"]["siyuan"];
    let token = entry["headers"]["Authorization"].as_str().unwrap().strip_prefix("Bearer ").unwrap();
    assert_eq!(kennel.sees(&[token]).await.len(), 4);
    assert!(entry["url"].as_str().unwrap().ends_with("/mcp"), "{entry}");
    let codex = kennel.agents(&["token", "Reader", "--for", "codex"]);
    let (entry, variable) = codex.split_once("\n\n").unwrap();
    assert!(entry.contains("bearer_token_env_var"), "{codex}");
    let later = variable.trim().strip_prefix("SIYUAN_MCP_TOKEN=").unwrap();
    assert_eq!(kennel.sees(&[later]).await.len(), 4);
    assert_eq!(kennel.post(&[token], None, &greeting(Era::Old)).await.0, 401, "a new token ends the old one");
    let data: Value =
        serde_json::from_str(&kennel.agents(&["token", "Reader", "--for", "vs-code", "--json"])).unwrap();
    assert!(data["token"].as_str().unwrap().starts_with("puppy_"), "{data}");
    let mut wrong = of_user(&kennel.world, &kennel.folder);
    let wrong = wrong.args(["agents", "token", "Reader", "--for", "claude-desktop"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(kennel.agents(&["token", "Reader"]).starts_with("puppy_"));
}

/// Removing an agent in the file, on whatever device, closes everything to its token, and so does the end of its last day.
#[tokio::test(flavor = "multi_thread")]
async fn a_removed_agent_and_one_that_ended_see_nothing() {
    let kennel = Kennel::new().await;
    let (gone, over) = (kennel.agent("Gone", &["--level", "rwd"]), kennel.agent("Over", &["--level", "rwd"]));
    assert_eq!((kennel.sees(&[&gone]).await.len(), kennel.sees(&[&over]).await.len()), (4, 4));
    kennel.agents(&["set", "Over", "--until", "2001-01-01"]);
    assert_eq!(kennel.sees(&[&over]).await, [""; 0]);
    kennel.agents(&["set", "Over", "--until", "never"]);
    assert_eq!(kennel.sees(&[&over]).await.len(), 4);
    let path = format!("{}{AGENTS_FILE}", files::STORAGE);
    kennel.world.write(&path, r#"{"agents":{}}"#).await;
    until("the agent to be gone", async || kennel.sees(&[&gone]).await.is_empty().then_some(())).await;
    let write = json!({ "action": "write", "path": "/Garden/New", "markdown": "text" });
    assert_eq!(error_of(&kennel.call(&[&gone], "fs", write).await), "permission_denied");
    assert_eq!(kennel.sees(&[]).await.len(), 4);
    // A file that cannot be read closes all agents and unknown callers.
    kennel.world.write(&path, "torn").await;
    until("all to be closed", async || kennel.sees(&[]).await.is_empty().then_some(())).await;
    assert!(kennel.world.table().await.is_some(), "{GRANTS_FILE} is as it was");
}
