//! The sidecar: the registry of core over MCP and on the command line, with a kernel reached over HTTP.
//!
//! Reading order: [`kernel`] and [`discover`] reach SiYuan; [`writers`] tell the puppy; [`mcp`] and
//! [`http`] serve agents, the gate asks a person before danger; [`connect`] leads an agent on
//! stdio to such a server, [`cli`] serves people; [`watchdog`] ends what nobody needs any more.

pub mod cli;
pub mod connect;
pub mod discover;
mod gate;
pub mod http;
mod input;
pub mod kernel;
mod limits;
pub mod mcp;
pub mod stop;
pub mod trust;
pub mod watchdog;
pub mod writers;

use std::ops::Deref;
use std::sync::Arc;

use puppy_core::config::Way;
use puppy_core::dispatch::Engine;
use puppy_core::kernel::{Ambient, KernelError};

use gate::{CallGate, Client, Gatehouse};
use kernel::{ForgivingKernel, HttpKernel};
use writers::Writers;

/// What answers calls: core over a kernel reached by HTTP, with the puppy told of them. Clones share it.
#[derive(Debug, Clone)]
pub struct Sidecar {
    engine: Arc<Engine<ForgivingKernel, Writers>>,
    gate: Gatehouse,
}

impl Sidecar {
    /// Asks a person in this order, whatever the settings in SiYuan say; an empty one leaves it to them.
    #[must_use]
    pub fn asking(mut self, order: Vec<Way>) -> Sidecar {
        self.gate = Gatehouse::new(order);
        self
    }

    /// The same with a SiYuan that fails for this reason, whether it would answer or not.
    pub(crate) fn away(&self, why: KernelError) -> Sidecar {
        let engine = Arc::new(Engine::new(self.engine.kernel.away(why), self.engine.observer.beside()));
        Sidecar { engine, gate: self.gate.clone() }
    }

    /// The gate of one call of a principal.
    pub(crate) fn gate<C: Client>(&self, client: C, principal: String) -> CallGate<C> {
        CallGate::new(self.gate.clone(), client, principal, self.engine.kernel.now_ms())
    }
}

/// The mark of a request that was let in while SiYuan could not be asked for the token: every request of it to
/// SiYuan fails for the same reason, even if SiYuan would answer by now. See [`Sidecar::away`].
#[derive(Debug, Clone)]
pub(crate) struct Unasked(pub(crate) KernelError);

impl Deref for Sidecar {
    type Target = Engine<ForgivingKernel, Writers>;

    fn deref(&self) -> &Self::Target {
        &self.engine
    }
}

/// A sidecar over a kernel; `forgiving` is for a person who goes on without a table of levels.
pub fn sidecar(kernel: HttpKernel, forgiving: bool) -> Sidecar {
    let writers = Writers::new(kernel.clone());
    let engine = Arc::new(Engine::new(ForgivingKernel::new(kernel, forgiving), writers));
    Sidecar { engine, gate: Gatehouse::new(Vec::new()) }
}
