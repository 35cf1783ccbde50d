//! Progress notifications of a long call, for clients that asked for them (B-031).

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use tokio::time::Instant;

/// The interval of the notifications; at least one every 2 s is promised.
const EVERY: Duration = Duration::from_millis(1_500);

/// Runs a call and notifies the client while it runs.
pub(super) async fn reporting<T>(
    what: &str,
    cx: &RequestContext<RoleServer>,
    call: impl Future<Output = T>,
) -> T {
    let Some(token) = cx.meta.get_progress_token() else { return call.await };
    let began = Instant::now();
    let mut signs = tokio::time::interval_at(began + EVERY, EVERY);
    tokio::pin!(call);
    loop {
        tokio::select! {
            done = &mut call => return done,
            _ = signs.tick() => {
                let seconds = began.elapsed().as_secs_f64().round();
                let sign = ProgressNotificationParam::new(token.clone(), began.elapsed().as_secs_f64())
                    .with_message(format!("{what} is running for {seconds} s"));
                if let Err(error) = cx.peer.notify_progress(sign).await {
                    tracing::debug!("a client could not be notified of progress: {error}");
                }
            }
        }
    }
}
