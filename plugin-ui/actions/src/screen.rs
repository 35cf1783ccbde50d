//! The page in which calls of SiYuan's own agent run, for the actions that show something there.

use std::cell::Cell;

use puppy_core::channel::PageAnswer;
use puppy_core::kernel::Boxed;
use puppy_core::kernel::page::{Frontend, PageError, PageRequest};
use puppy_ui_web::state::screen;
use serde_json::Value;

use crate::own_page;

thread_local! {
    /// The number of requests so far, which names them.
    static ASKED: Cell<u32> = const { Cell::new(0) };
}

/// The page; there is none for the calls of a person until SiYuan's own agent has called.
#[derive(Debug)]
pub(crate) struct Screen;

impl Frontend for Screen {
    fn ask(&self, request: PageRequest) -> Boxed<'_, Result<Value, PageError>> {
        Box::pin(async move {
            let page = own_page::page().ok_or(PageError::NoPage)?;
            let id = ASKED.with(|it| {
                it.set(it.get() + 1);
                format!("own-{}", it.get())
            });
            let answer = page.on_screen(&id, request.action(), &screen::args(&request)).await;
            match serde_json::from_slice(answer.as_bytes()).unwrap_or(PageAnswer::Failed) {
                PageAnswer::Done(value) => Ok(value),
                PageAnswer::Busy => Err(PageError::Busy),
                PageAnswer::Failed => Err(PageError::Failed),
            }
        })
    }
}
