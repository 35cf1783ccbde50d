//! The meaning of the kernel's answers: its envelope, its pitfalls, its failures.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{KernelError, Route};

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

#[derive(Deserialize)]
struct Envelope<'a> {
    code: i64,
    #[serde(default)]
    msg: String,
    /// Not decoded yet: only the caller knows its type. `None` stands for null, too.
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

impl Answer {
    /// The answer of a request that succeeds with no data.
    pub(crate) fn null() -> Answer {
        Answer { status: 200, retry_after: None, body: br#"{"code":0,"data":null}"#.to_vec() }
    }

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
    pub fn read<R: DeserializeOwned>(&self, route: Route) -> Result<R, KernelError> {
        serde_json::from_slice(self.json(route)?.as_bytes()).map_err(|_| KernelError::Malformed(route.path))
    }

    /// The `data` of the envelope.
    pub fn data(&self, route: Route) -> Result<Value, KernelError> {
        self.read(route)
    }

    /// The JSON of the envelope's `data`. It is read as bytes, as everything in the page: for texts serde_json has a second
    /// reader, of the same size.
    fn json(&self, route: Route) -> Result<&str, KernelError> {
        if let Some(error) = self.status_error() {
            return Err(error);
        }
        if self.body.is_empty() {
            return Err(KernelError::NoData(route.path));
        }
        let envelope: Envelope<'_> =
            serde_json::from_slice(&self.body).map_err(|_| KernelError::Malformed(route.path))?;
        match (envelope.code, envelope.data) {
            (0, _) if self.status == 202 => Err(KernelError::Malformed(route.path)),
            (0, None) if route.data_due => Err(KernelError::NoData(route.path)),
            (0, data) => Ok(data.map_or("null", RawValue::get)),
            (code, _) if code == 3 || envelope.msg.contains("ndexing") => Err(KernelError::Indexing),
            (code, _) => Err(KernelError::Code(code, envelope.msg)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Result<Value, KernelError> {
        Answer { status, retry_after: None, body: body.into() }.data(Route::read("/api/x"))
    }

    /// B-084, B-085.
    #[test]
    fn kernel_failures_are_distinguished() {
        assert_eq!(answer(200, r#"{"code":0,"msg":"","data":1}"#), Ok(Value::from(1)));
        assert_eq!(answer(200, r#"{"code":0,"msg":"","data":null}"#), Err(KernelError::NoData("/api/x")));
        assert_eq!(answer(200, ""), Err(KernelError::NoData("/api/x")));
        assert_eq!(answer(200, r#"{"code":0,"msg":""}"#), Err(KernelError::NoData("/api/x")));
        assert_eq!(answer(200, "<html>"), Err(KernelError::Malformed("/api/x")));
        assert_eq!(answer(200, r#"{"code":0,"msg":"","data":[1}"#), Err(KernelError::Malformed("/api/x")));
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
        assert_eq!(ok.data(route), Ok(Value::Null));
        assert_eq!(ok.read::<()>(route), Ok(()));
        assert_eq!(ok.read::<bool>(route), Err(KernelError::Malformed("/api/y")));
    }
}
