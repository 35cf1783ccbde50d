//! The server for the public conformance suite: `conformance-server`, with its token in `SIYUAN_MCP_TOKEN`.
//!
//! The suite calls tools, resources and prompts of its own. They prove the protocol stack of the sidecar
//! (transport, sessions, token, limits), not the notes tools.

#[expect(deprecated, reason = "the suite tests what the newest revision will drop")]
mod fixtures;

use std::io::Write as _;
use std::process::ExitCode;

use puppy_server::discover::Address;
use puppy_server::http::{BearerToken, Server, Settings};
use puppy_server::kernel::{HttpKernel, Options};
use puppy_server::mcp::McpRoutes;
use puppy_server::sidecar;
use puppy_server::stop::Stop;

use fixtures::Fixtures;

/// A port without a listener: no fixture needs a kernel, and a running one must not be touched.
const NO_KERNEL: &str = "http://127.0.0.1:9";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A closed stderr changes nothing.
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), String> {
    let stop = Stop::watch(parent()?)?;
    let fixtures = Fixtures::new()?;
    let kernel = HttpKernel::new(Options::new(Address::new(Some(NO_KERNEL), None)?, None))?;
    let server = Server::bind(Settings { port: 0, token: Some(token()?), ..Settings::default() }).await?;
    let _ = writeln!(std::io::stderr(), "conformance-server listening on {}", server.url());
    server.serve(McpRoutes::handlers(move || fixtures.clone()), sidecar(kernel, false), stop).await;
    Ok(())
}

/// The token that the suite must send.
fn token() -> Result<BearerToken, String> {
    let text = std::env::var("SIYUAN_MCP_TOKEN").unwrap_or_default();
    BearerToken::new(&text).ok_or_else(|| "Set SIYUAN_MCP_TOKEN to the token that callers send.".to_owned())
}

/// The process with which this one ends, if one is named.
fn parent() -> Result<Option<u32>, String> {
    let Ok(text) = std::env::var("SIYUAN_MCP_PARENT_PID") else { return Ok(None) };
    text.parse().map(Some).map_err(|_| format!("SIYUAN_MCP_PARENT_PID is no process id: {text}"))
}
