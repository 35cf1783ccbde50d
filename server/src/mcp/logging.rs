//! Messages for a client's log: the outcome of its calls, never the content of notes (B-133).
//!
//! The older era sets a level for a session; the newer one names it in each request. Without a level no messages are
//! sent.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use puppy_core::error::ErrorType;
use puppy_core::output::Reply;
use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::RequestContext;
use serde_json::json;

/// The level that a session asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Log(Arc<Mutex<Option<LoggingLevel>>>);

impl Log {
    pub(super) fn set(&self, level: LoggingLevel) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(level);
    }

    /// Logs the end of a call.
    pub(super) async fn call(
        &self,
        what: &str,
        reply: &Reply,
        took: Duration,
        cx: &RequestContext<RoleServer>,
    ) {
        let session = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(wanted) = cx.meta.log_level().or(session) else { return };
        let level = match reply.as_ref().map_err(|error| error.kind) {
            Err(ErrorType::Internal) => LoggingLevel::Error,
            Err(ErrorType::KernelUnreachable | ErrorType::KernelAuth | ErrorType::Api) => {
                LoggingLevel::Warning
            }
            Ok(_) | Err(_) => LoggingLevel::Debug,
        };
        if rank(level) < rank(wanted) {
            return;
        }
        let error = reply.as_ref().err().map(|error| error.kind.word());
        let mut data = json!({ "call": what, "ms": u64::try_from(took.as_millis()).unwrap_or(u64::MAX) });
        if let (Some(error), Some(data)) = (error, data.as_object_mut()) {
            data.insert("error_type".to_owned(), json!(error));
        }
        let message = LoggingMessageNotificationParam::new(level, data).with_logger("siyuan-puppy");
        if let Err(error) = cx.peer.notify_logging_message(message).await {
            tracing::debug!("a client's log could not be written: {error}");
        }
    }
}

const fn rank(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}
