//! The sidecar: the registry of core over MCP and on the command line, with a kernel reached over HTTP.
//!
//! Reading order: [`kernel`] and [`discover`] reach SiYuan; [`writers`] tell the puppy; [`mcp`] and
//! [`http`] serve agents, [`cli`] serves people; [`watchdog`] ends what nobody needs any more.

pub mod cli;
pub mod discover;
pub mod http;
pub mod kernel;
pub mod mcp;
pub mod stop;
pub mod watchdog;
pub mod writers;

use std::sync::Arc;

use puppy_core::dispatch::Engine;

use kernel::{ForgivingKernel, HttpKernel};
use writers::Writers;

/// What answers calls: core over a kernel reached by HTTP, with the puppy told of them.
pub type Sidecar = Arc<Engine<ForgivingKernel, Writers>>;

/// A sidecar over a kernel; `forgiving` is for a person who goes on without a table of levels.
pub fn sidecar(kernel: HttpKernel, forgiving: bool) -> Sidecar {
    let writers = Writers::new(kernel.clone());
    Arc::new(Engine::new(ForgivingKernel::new(kernel, forgiving), writers))
}
