//! The page's kernel, for calls that run in the page.

use std::cell::RefCell;
use std::time::Duration;

use puppy_core::kernel::page::Frontend;
use puppy_core::kernel::{Ambient, Answer, Boxed, Kernel, KernelError, Request};
use puppy_ui_web::host::{self, Host};
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::panel_request::PanelRequest;

use crate::screen::Screen;

/// The time that one request to the kernel may take, in milliseconds: an export takes longer than a setting.
const PATIENCE_MS: u32 = 60_000;

thread_local! {
    /// The page, which has the channel to the servers of agents.
    static PAGE: RefCell<Option<Host>> = const { RefCell::new(None) };
}

/// Notes the page of a call.
pub(crate) fn serves(page: &Host) {
    PAGE.set(Some(page.share()));
}

/// The page's kernel, which may take its time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PatientKernel;

impl Ambient for PatientKernel {
    fn now_ms(&self) -> u64 {
        PageKernel.now_ms()
    }

    fn local_digits(&self) -> String {
        PageKernel.local_digits()
    }

    fn random(&self) -> u64 {
        PageKernel.random()
    }
}

impl Kernel for PatientKernel {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move { host::net::send(request.route, request.body, PATIENCE_MS).await })
    }

    fn pause(&self, time: Duration) -> Boxed<'_, ()> {
        PageKernel.pause(time)
    }

    fn announce(&self, files: &[&'static str]) {
        let Some(page) = PAGE.with_borrow(|it| it.as_ref().map(Host::share)) else { return };
        let changed = PanelRequest::Changed(files.iter().map(|it| (*it).to_owned()).collect());
        host::spawn(async move {
            page.request(&changed).await;
        });
    }

    fn frontend(&self) -> Option<&dyn Frontend> {
        Some(&Screen)
    }
}
