//! MCP over stdin and stdout: only JSON-RPC is ever written to stdout (B-146).

use puppy_core::activity::Transport;
use rmcp::ServiceExt;
use rmcp::transport::io::stdio_pipes;
use tokio_util::task::TaskTracker;

use super::changes::announcer::Announcer;
use super::events::Readers;
use super::lines::Lines;
use super::tools::Lists;
use super::{Handler, Surface};
use crate::Sidecar;
use crate::limits::Limits;
use crate::stop::Stop;

/// Serves one client, to which a person may have given the name of an agent, until it closes stdin, the parent ends or the process is asked to stop.
///
/// # Errors
/// Returns a sentence for the log if the client failed to complete its greeting.
pub async fn serve(
    sidecar: Sidecar,
    surface: Surface,
    agent: Option<String>,
    stop: Stop,
) -> Result<(), String> {
    let running = TaskTracker::new();
    let announcer = Announcer::new(Readers::default());
    let handler = Handler::new(&sidecar, Lists::new(surface), Transport::Stdio, running.clone(), announcer);
    let handler = handler.named(agent);
    let (stdin, stdout) = stdio_pipes();
    let greeting = handler.serve(Lines::new(stdin, stdout, &Limits::default()));
    let service = tokio::select! {
        service = greeting => match service {
            Ok(service) => service,
            // A client that disconnects before it greets made no mistake.
            Err(error) if is_end_of_input(&error) => return Ok(()),
            Err(error) => return Err(format!("the client could not be initialized: {error}")),
        },
        () = stop.asked() => return Ok(()),
    };
    let end = service.cancellation_token();
    tokio::select! {
        _ = service.waiting() => {}
        () = stop.asked() => {
            stop.let_finish(&running).await;
            end.cancel();
        }
    }
    Ok(())
}

fn is_end_of_input(error: &rmcp::service::ServerInitializeError) -> bool {
    matches!(error, rmcp::service::ServerInitializeError::ConnectionClosed(_))
}
