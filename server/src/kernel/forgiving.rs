//! `--no-permission-file`: a table of levels that cannot be read counts as missing (B-097), and stays as it is.
//!
//! Servers use this type too, never forgiving: two types of kernel would compile every action twice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use puppy_core::config::GRANTS_FILE;
use puppy_core::kernel::{Ambient, Answer, Body, Boxed, Kernel, KernelError, Request, files};
use puppy_core::permission::Table;

use super::HttpKernel;

/// A kernel that hides a broken table where a person asked for that, and remembers that it did; or one that fails
/// whether it would answer or not.
#[derive(Debug)]
pub struct ForgivingKernel {
    http: HttpKernel,
    forgiving: bool,
    forgave: AtomicBool,
    away: Option<KernelError>,
}

impl ForgivingKernel {
    /// The kernel as it is, or with `forgiving` as it would be without a broken table.
    pub fn new(http: HttpKernel, forgiving: bool) -> ForgivingKernel {
        ForgivingKernel { http, forgiving, forgave: AtomicBool::new(false), away: None }
    }

    /// The same to a caller who may not reach it.
    pub(crate) fn away(&self, why: KernelError) -> ForgivingKernel {
        ForgivingKernel { away: Some(why), ..ForgivingKernel::new(self.http.clone(), false) }
    }

    /// The kernel as it is.
    pub(crate) fn http(&self) -> &HttpKernel {
        &self.http
    }

    /// Whether the table was there and could not be used.
    pub fn forgave(&self) -> bool {
        self.forgave.load(Ordering::Relaxed)
    }
}

/// Whether a request reads the table.
fn reads_table(request: &Request) -> bool {
    let Body::Json(body) = &request.body else { return false };
    body.get("path").and_then(|it| it.as_str()) == Some(&format!("{}{GRANTS_FILE}", files::STORAGE))
}

/// Whether a request would write the table: over a broken one everything a person closed would be lost.
fn writes_table(request: &Request) -> bool {
    matches!(&request.body, Body::File { path, .. } if *path == format!("{}{GRANTS_FILE}", files::STORAGE))
}

/// Whether the table can be used as it came: there and sound, or certainly missing.
fn usable(answer: &Result<Answer, KernelError>) -> bool {
    match answer {
        Ok(answer) if answer.status == 200 => Table::parse(&answer.body).is_some(),
        Ok(answer) => answer.status == 202,
        // A kernel that is away answers nothing else either.
        Err(_) => true,
    }
}

impl Kernel for ForgivingKernel {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move {
            if let Some(why) = &self.away {
                return Err(why.clone());
            }
            if self.forgiving && writes_table(&request) {
                return Err(KernelError::Untrusted(
                    "The table of levels is not written with --no-permission-file.",
                ));
            }
            let forgivable = self.forgiving && reads_table(&request);
            let answer = self.http.send(request).await;
            if !forgivable || usable(&answer) {
                return answer;
            }
            self.forgave.store(true, Ordering::Relaxed);
            let missing = br#"{"code":404,"msg":"","data":null}"#.to_vec();
            Ok(Answer { status: 202, retry_after: None, body: missing })
        })
    }

    fn pause(&self, time: Duration) -> Boxed<'_, ()> {
        Box::pin(async move {
            self.http.pause(time).await;
        })
    }
}

impl Ambient for ForgivingKernel {
    fn now_ms(&self) -> u64 {
        self.http.now_ms()
    }

    fn local_digits(&self) -> String {
        self.http.local_digits()
    }

    fn local_offset(&self, at_ms: i64) -> i32 {
        self.http.local_offset(at_ms)
    }

    fn random(&self) -> u64 {
        self.http.random()
    }
}
