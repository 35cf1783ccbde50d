//! SiYuan's kernel as this page reaches it; core interprets its answers, for page and sidecar alike.

use puppy_core::activity::events::{EVENTS_FILE, EventFile};
use puppy_core::kernel::api::file::GET_FILE;
use puppy_core::kernel::api::notebook::{self, Notebook, Notebooks};
use puppy_core::kernel::{Ambient, Answer, Boxed, Kernel, KernelError, Request, files};
use std::time::Duration;

use crate::host;
use crate::state::events::event_file;

/// The time an answer may take, in milliseconds.
const DEADLINE_MS: u32 = 5_000;

/// The events of the puppy: `None` when the kernel is silent, `Some(None)` when the file is torn.
///
/// The puppy polls up to 7,000 times an hour and loads at the page's start, so this bypasses [`PageKernel`]; the
/// 202 of a missing file stands for a file without events.
pub async fn events() -> Option<Option<EventFile>> {
    let body = format!("{{\"path\":\"{}{EVENTS_FILE}\"}}", files::TEMP);
    let (status, body) = host::net::post(GET_FILE.path, &body, DEADLINE_MS).await?;
    match status {
        200 => Some(body.and_then(|it| event_file(&it))),
        202 => Some(Some(EventFile::default())),
        _ => None,
    }
}

/// Every notebook of any level: a person sees more than agents.
///
/// # Errors
/// Returns the kernel's failure.
pub async fn notebooks() -> Result<Vec<Notebook>, KernelError> {
    let route = notebook::LS_NOTEBOOKS;
    let data = PageKernel.send(notebook::ls_notebooks().request()).await?.data(route)?;
    let list: Notebooks = serde_json::from_value(data).map_err(|_| KernelError::Malformed(route.path))?;
    Ok(list.notebooks)
}

/// The kernel that served this page.
#[derive(Debug, Clone, Copy, Default)]
pub struct PageKernel;

impl Ambient for PageKernel {
    fn now_ms(&self) -> u64 {
        host::now_ms()
    }

    fn local_digits(&self) -> String {
        host::local_digits()
    }

    fn random(&self) -> u64 {
        host::random_bits()
    }
}

impl Kernel for PageKernel {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move { host::net::send(request.route, request.body, DEADLINE_MS).await })
    }

    fn pause(&self, time: Duration) -> Boxed<'_, ()> {
        Box::pin(async move {
            host::sleep(u32::try_from(time.as_millis()).unwrap_or(u32::MAX)).await;
        })
    }
}
