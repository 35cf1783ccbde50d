//! Messages on the screen.

use serde::Deserialize;

use super::endpoints;

endpoints! { "/api/notification/";
    /// Shows a message, which is HTML, for some milliseconds.
    write PUSH_MSG push_msg(html: &str, timeout: usize) -> MessageId = "pushMsg" { "msg": html, "timeout": timeout };
    /// Like `PUSH_MSG`, as an error.
    write PUSH_ERR_MSG push_err_msg(html: &str, timeout: usize) -> MessageId
        = "pushErrMsg" { "msg": html, "timeout": timeout };
}

/// Reply of both; the id of the message.
#[derive(Debug, Deserialize)]
pub struct MessageId {
    #[serde(default)]
    pub id: String,
}
