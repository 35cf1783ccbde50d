//! `--no-permission-file`: an unreadable table of levels counts as missing (B-097) and is never overwritten.
//!
//! Servers use this type too, without forgiving: two kernel types would compile every action twice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use puppy_core::config::GRANTS_FILE;
use puppy_core::kernel::page::Frontend;
use puppy_core::kernel::{Ambient, Answer, Body, Boxed, Kernel, KernelError, LocalFiles, Request, files};
use puppy_core::permission::LevelTable;

use super::HttpKernel;
use crate::channel::Channel;

/// A kernel that hides a broken table at a person's request and records that it did, or one that always fails.
#[derive(Debug)]
pub struct ForgivingKernel {
    http: HttpKernel,
    forgiving: bool,
    forgave: AtomicBool,
    away: Option<KernelError>,
    /// The way to the pages.
    channel: Channel,
}

impl ForgivingKernel {
    /// Wraps a kernel; with `forgiving` a broken table counts as missing.
    pub(crate) fn new(http: HttpKernel, forgiving: bool, channel: Channel) -> ForgivingKernel {
        ForgivingKernel { http, forgiving, forgave: AtomicBool::new(false), away: None, channel }
    }

    /// A copy for a caller that may not reach the kernel: every request fails with `why`, and no page is there.
    pub(crate) fn away(&self, why: KernelError) -> ForgivingKernel {
        ForgivingKernel { away: Some(why), ..ForgivingKernel::new(self.http.clone(), false, Channel::new()) }
    }

    /// The underlying kernel.
    pub(crate) fn http(&self) -> &HttpKernel {
        &self.http
    }

    /// Whether the table was present but unusable.
    pub fn forgave(&self) -> bool {
        self.forgave.load(Ordering::Relaxed)
    }
}

/// Whether a request reads the table.
fn reads_table(request: &Request) -> bool {
    let Body::Json(body) = &request.body else { return false };
    body.get("path").and_then(|it| it.as_str()) == Some(&format!("{}{GRANTS_FILE}", files::STORAGE))
}

/// Whether a request would write the table: overwriting a broken one would lose every restriction that a person set.
fn writes_table(request: &Request) -> bool {
    matches!(&request.body, Body::File { path, .. } if *path == format!("{}{GRANTS_FILE}", files::STORAGE))
}

/// Whether the answer settles the table: present and sound, or certainly missing.
fn usable(answer: &Result<Answer, KernelError>) -> bool {
    match answer {
        Ok(answer) if answer.status == 200 => LevelTable::parse(&answer.body).is_some(),
        Ok(answer) => answer.status == 202,
        // A kernel that is unreachable answers no other request either.
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

    fn local_files(&self) -> Option<&dyn LocalFiles> {
        self.http.local_files()
    }

    fn pause(&self, time: Duration) -> Boxed<'_, ()> {
        Box::pin(async move {
            self.http.pause(time).await;
        })
    }

    fn hears_changes(&self) -> bool {
        self.channel.hears_changes()
    }

    fn announce(&self, files: &[&'static str]) {
        self.channel.changed(files);
    }

    fn frontend(&self) -> Option<&dyn Frontend> {
        self.channel.has_page().then_some(&self.channel)
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
