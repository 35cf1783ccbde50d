//! Encrypted servers as peers: the trusted ones, the untrusted ones, and the advice that a person gets.

mod front;

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, Era, Way};
use crate::process::{Running, program};
use crate::world::World;
use front::{Front, Issuer};

const TOKEN: &str = "canary-token";
/// The validity from yesterday to tomorrow, in days.
const NOW: (i64, i64) = (-1, 1);

/// Lists the notebooks of the kernel at an address; returns the exit code and the whole output.
fn listed(url: &str, ca_file: Option<&Path>, machine: Option<&Path>) -> (Option<i32>, String) {
    let mut command = program(url);
    command.env("SIYUAN_TOKEN", TOKEN).args(["notebook", "list"]);
    if let Some(file) = ca_file {
        command.arg("--ca-file").arg(file);
    }
    // The trust store of this machine is read from this file, on systems where a variable can name it.
    if let Some(file) = machine {
        command.env("SSL_CERT_FILE", file);
    }
    let output = command.output().unwrap();
    let printed = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap()).concat();
    assert!(!printed.contains(TOKEN), "{printed}");
    (output.status.code(), printed)
}

#[tokio::test(flavor = "multi_thread")]
async fn kernel_is_called_over_tls() {
    let world = World::with_token(Some(TOKEN)).await;
    let issuer = Issuer::new("Ours");
    let front = Front::open(&world.kernel.url(), &issuer, "127.0.0.1", NOW).await;
    let (code, printed) = listed(&front.url, Some(&issuer.file()), None);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("Garden"), "{printed}");
    assert!(front.believed() > 0);
    #[cfg(target_os = "linux")]
    {
        let (code, printed) = listed(&front.url, None, Some(&issuer.file()));
        assert_eq!(code, Some(0), "{printed}");
        // A named file replaces every other source of trust.
        let (code, _) = listed(&front.url, Some(&Issuer::new("Other").file()), Some(&issuer.file()));
        assert_eq!(code, Some(3));
    }
}

/// Each failure has its own explanation, and the request is not sent.
#[tokio::test(flavor = "multi_thread")]
async fn unverified_kernel_receives_no_request() {
    let world = World::with_token(Some(TOKEN)).await;
    let (ours, other) = (Issuer::new("Ours"), Issuer::new("Other"));
    for (issuer, name, days, reason) in [
        (&other, "127.0.0.1", NOW, "--ca-file"),
        (&ours, "notes.example", NOW, "does not contain the name"),
        (&ours, "127.0.0.1", (-9, -1), "has expired"),
        (&ours, "127.0.0.1", (1, 9), "not valid yet"),
    ] {
        let front = Front::open(&world.kernel.url(), issuer, name, days).await;
        let (code, printed) = listed(&front.url, Some(&ours.file()), None);
        assert_eq!(code, Some(3), "{printed}");
        assert!(printed.contains("Nothing was sent") && printed.contains(reason), "{reason}: {printed}");
        assert_eq!(front.believed(), 0, "{reason}");
    }
    assert_eq!(world.asked(), [""; 0]);
    let plain = world.kernel.url().replace("http://", "https://");
    let (code, printed) = listed(&plain, Some(&ours.file()), None);
    assert!(code == Some(3) && printed.contains("http://"), "{printed}");
}

/// A sidecar that encrypts with the certificate it made, and the file of that certificate.
fn sidecar(world: &World, flags: &[&str]) -> (Running, TempDir, std::path::PathBuf) {
    let folder = TempDir::new().unwrap();
    let mut command = program(&world.kernel.url());
    command.env("SIYUAN_MCP_TOKEN", TOKEN).env("XDG_DATA_HOME", folder.path()).env("HOME", folder.path());
    let flags = [&["--tls", "generate"], flags].concat();
    let running = Running::start_with(&mut command, &flags);
    let file = folder.path().join("siyuan-mcp-puppy").join("local-certificate.pem");
    (running, folder, file)
}

fn token_file() -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), TOKEN).unwrap();
    file
}

/// B-140, B-189: the relay trusts the certificate made by our own server through its file, in both eras.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn relay_connects_to_a_tls_server() {
    let world = World::new().await;
    let (server, _folder, certificate) = sidecar(&world, &[]);
    let token = token_file();
    let flags = ["--connect", &server.url, "--mcp-token-file", token.path().to_str().unwrap()];
    let flags = [&flags[..], &["--ca-file", certificate.to_str().unwrap()]].concat();
    for era in [Era::Old, Era::New] {
        let mut client = Client::start(era, Way::Stdio, "http://127.0.0.1:9", &flags).await;
        let listed = client.ask("tools/list", json!({})).await.unwrap();
        assert!(listed["tools"].as_array().unwrap().iter().any(|it| it["name"] == "fs"));
        let called = client.call("notebook", json!({ "action": "list" })).await;
        assert!(called.to_string().contains("Garden"), "{era:?} {called}");
    }
}

/// The first answer of a relay to a client that greets.
fn greeted(url: &str, ca_file: &Path) -> Value {
    use std::io::Write;
    let mut command = program("http://127.0.0.1:9");
    command.env("SIYUAN_MCP_TOKEN", TOKEN).args(["stdio", "--connect", url, "--ca-file"]).arg(ca_file);
    let mut child = command.spawn().unwrap();
    let client = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{hello}").unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line)
        .unwrap();
    drop(stdin);
    assert!(crate::process::ended(&mut child).success());
    assert!(!line.contains(TOKEN), "{line}");
    serde_json::from_str(&line).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn relay_explains_why_a_server_is_not_verified() {
    let world = World::new().await;
    let (ours, other) = (Issuer::new("Ours"), Issuer::new("Other"));
    let plain = Running::start(program(&world.kernel.url()).env("SIYUAN_MCP_TOKEN", TOKEN));
    let behind = plain.url.trim_end_matches("/mcp").to_owned();
    for (issuer, name, days, reason) in [
        (&ours, "127.0.0.1", NOW, None),
        (&other, "127.0.0.1", NOW, Some("--ca-file")),
        (&ours, "notes.example", NOW, Some("does not contain the name")),
        (&ours, "127.0.0.1", (-9, -1), Some("has expired")),
    ] {
        let front = Front::open(&behind, issuer, name, days).await;
        let answer = greeted(&front.url, &ours.file());
        match reason {
            None => assert_eq!(answer["result"]["serverInfo"]["name"], "siyuan-puppy", "{answer}"),
            Some(reason) => {
                let said = answer["error"]["message"].as_str().unwrap_or_default();
                assert!(said.contains("Nothing was sent") && said.contains(reason), "{reason}: {answer}");
                assert_eq!(front.believed(), 0, "{reason}");
            }
        }
    }
}
