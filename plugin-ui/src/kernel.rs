//! SiYuan's kernel as this page reaches it; what its answers mean is decided in core, once for page and sidecar.

use puppy_core::kernel::{Ambient, Answer, Kernel, KernelError, Request};
use std::time::Duration;

use crate::host;

/// How long an answer may take, in milliseconds.
const DEADLINE_MS: u32 = 5_000;

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
    async fn send(&self, request: Request) -> Result<Answer, KernelError> {
        host::net::send(request.route, request.body, DEADLINE_MS).await
    }

    async fn pause(&self, time: Duration) {
        host::sleep(u32::try_from(time.as_millis()).unwrap_or(u32::MAX)).await;
    }
}
