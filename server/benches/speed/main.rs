//! The speed of calls compared to that of the kernel requests they are made of; `cargo recipe bench` starts it.
//!
//! Every figure comes from one run on one machine: raw requests and calls take turns, so that what the machine
//! does besides hits both.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark may stop at once"
)]
#![allow(clippy::indexing_slicing, reason = "of its own tables")]

mod memory;
mod operations;
mod recorder;
mod rounds;
mod sidecar;
mod throughput;
mod wire;

use std::path::PathBuf;

use puppy_server::trust::Trust;

/// The settings from the recipe: the shipped sidecar, and a running kernel.
pub(crate) struct Setting {
    pub(crate) program: PathBuf,
    pub(crate) kernel: String,
    pub(crate) token: Option<String>,
}

impl Setting {
    fn read() -> Setting {
        let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
        Setting {
            program: variable("BENCH_SIDECAR").expect("BENCH_SIDECAR names the sidecar").into(),
            kernel: variable("SIYUAN_API_URL").expect("SIYUAN_API_URL names the kernel"),
            token: variable("SIYUAN_TOKEN"),
        }
    }
}

/// A client for plain HTTP, past any proxy.
pub(crate) fn http() -> reqwest::Client {
    let plain = Trust::default().greeting(false).unwrap();
    reqwest::Client::builder().no_proxy().tls_backend_preconfigured(plain).build().unwrap()
}

// One thread: an answer that wakes a second one of the client's would be measured as the sidecar's time.
#[tokio::main(flavor = "current_thread")]
async fn main() {
    let setting = Setting::read();
    let operations = operations::prepare(&setting).await;
    rounds::compare(&setting, &operations).await;
    throughput::measure(&setting, &operations).await;
    memory::measure(&setting).await;
}
