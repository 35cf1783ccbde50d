//! The meaning of the kernel's answers: its envelope, its pitfalls, its failures.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Nature, Route};

/// A raw HTTP answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The header `Retry-After`, in whole seconds.
    pub retry_after: Option<Duration>,
    /// The body.
    pub body: Vec<u8>,
}

/// The reason why the kernel did not carry out a request (B-084).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KernelError {
    /// Nothing listens at the address.
    Refused,
    /// The listener could not be verified as the kernel, for this reason; nothing was sent.
    Untrusted(&'static str),
    /// No answer within the deadline.
    TimedOut,
    /// The connection broke; for a write the outcome is unknown.
    Broken(Nature),
    /// HTTP 401: the token is wrong or missing.
    Unauthorized,
    /// HTTP 403: the kernel does not allow this caller to do this.
    Forbidden,
    /// HTTP 429, with the time to wait if the kernel named one.
    TooMany(Option<Duration>),
    /// Another HTTP status that is not a success.
    Status(u16),
    /// A refusal with the kernel's own code and message.
    Code(i64, String),
    /// The document is being indexed; it may exist in a moment.
    Indexing,
    /// Success without the required data: usually a panic inside the kernel (B-085).
    NoData(&'static str),
    /// An answer whose shape is not the endpoint's.
    Malformed(&'static str),
}

#[derive(Deserialize)]
struct Envelope {
    code: i64,
    #[serde(default)]
    msg: String,
    #[serde(default)]
    data: Value,
}

/// The part of an envelope that matters after a success.
#[derive(Deserialize)]
struct Success<R> {
    code: i64,
    data: Option<R>,
}

impl Answer {
    /// The failure that the HTTP status reports, if any.
    pub fn status_error(&self) -> Option<KernelError> {
        match self.status {
            200 | 202 => None,
            401 => Some(KernelError::Unauthorized),
            403 => Some(KernelError::Forbidden),
            429 => Some(KernelError::TooMany(self.retry_after)),
            other => Some(KernelError::Status(other)),
        }
    }

    /// The `data` of the envelope, decoded as its type.
    pub fn read<R: DeserializeOwned>(self, route: Route) -> Result<R, KernelError> {
        // A success is decoded in one pass; a failure is parsed again to find its reason.
        if self.status == 200
            && let Ok(Success { code: 0, data: Some(data) }) = serde_json::from_slice(&self.body)
        {
            return Ok(data);
        }
        serde_json::from_value(self.data(route)?).map_err(|_| KernelError::Malformed(route.path))
    }

    /// The `data` of the envelope.
    pub fn data(self, route: Route) -> Result<Value, KernelError> {
        if let Some(error) = self.status_error() {
            return Err(error);
        }
        if self.body.is_empty() {
            return Err(KernelError::NoData(route.path));
        }
        let envelope: Envelope =
            serde_json::from_slice(&self.body).map_err(|_| KernelError::Malformed(route.path))?;
        match envelope.code {
            0 if self.status == 202 => Err(KernelError::Malformed(route.path)),
            0 if envelope.data.is_null() && route.data_due => Err(KernelError::NoData(route.path)),
            0 => Ok(envelope.data),
            _ if envelope.code == 3 || envelope.msg.contains("ndexing") => Err(KernelError::Indexing),
            code => Err(KernelError::Code(code, envelope.msg)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads an answer in both ways and asserts that they agree.
    fn answer(status: u16, body: &str) -> Result<Value, KernelError> {
        let route = Route::read("/api/x");
        let answer = Answer { status, retry_after: None, body: body.into() };
        let read = answer.clone().read(route);
        assert_eq!(read, answer.data(route));
        read
    }

    /// B-084, B-085.
    #[test]
    fn kernel_failures_are_distinguished() {
        assert_eq!(answer(200, r#"{"code":0,"msg":"","data":1}"#), Ok(Value::from(1)));
        assert_eq!(answer(200, r#"{"code":0,"msg":"","data":null}"#), Err(KernelError::NoData("/api/x")));
        assert_eq!(answer(200, ""), Err(KernelError::NoData("/api/x")));
        assert_eq!(answer(200, "<html>"), Err(KernelError::Malformed("/api/x")));
        assert_eq!(answer(202, r#"{"code":404,"msg":"gone"}"#), Err(KernelError::Code(404, "gone".into())));
        assert_eq!(answer(401, ""), Err(KernelError::Unauthorized));
        assert_eq!(answer(403, ""), Err(KernelError::Forbidden));
        assert_eq!(answer(429, ""), Err(KernelError::TooMany(None)));
        assert_eq!(answer(500, ""), Err(KernelError::Status(500)));
        assert_eq!(answer(200, r#"{"code":-1,"msg":"indexing","data":null}"#), Err(KernelError::Indexing));
        assert_eq!(answer(200, r#"{"code":-1,"msg":"no"}"#), Err(KernelError::Code(-1, "no".into())));
    }

    #[test]
    fn silent_write_needs_no_data() {
        let route = Route::silent("/api/y");
        let ok =
            Answer { status: 200, retry_after: None, body: br#"{"code":0,"msg":"","data":null}"#.to_vec() };
        assert_eq!(ok.clone().data(route), Ok(Value::Null));
        assert_eq!(ok.read::<()>(route), Ok(()));
    }
}
