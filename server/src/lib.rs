//! The sidecar: the registry of core over MCP and on the command line, with a kernel reached over HTTP.
//!
//! Reading order: [`kernel`] and [`discover`] reach SiYuan; [`writers`] record activity for the puppy; [`mcp`] and
//! [`http`] serve agents, the gate asks a person before danger, and `channel` reaches the pages of SiYuan; [`relay`]
//! connects an agent on stdio to such a server; [`cli`] serves people; `profiles` name kernels, `installed` tells clients of this program through
//! `config_file`, and `doctor` looks at all of it, in the language of `words`; [`watchdog`] ends processes that nobody needs any more.

mod agent_tokens;
mod aside;
mod caller;
mod channel;
pub mod cli;
mod config_file;
pub mod discover;
mod doctor;
mod folders;
mod gate;
pub mod http;
mod input;
mod installed;
pub mod kernel;
mod limits;
pub mod local;
pub mod mcp;
mod ports;
mod profiles;
pub mod relay;
mod serving;
pub mod stop;
pub mod trust;
mod unfinished;
pub mod watchdog;
mod words;
pub mod writers;

use std::ops::Deref;
use std::sync::Arc;

use puppy_core::agents::Identity;
use puppy_core::config::ApprovalMethod;
use puppy_core::dispatch::Engine;
use puppy_core::kernel::{Ambient, KernelError};

use caller::Caller;
use channel::Channel;
use gate::{CallGate, Client, Gatehouse};
use kernel::{ForgivingKernel, HttpKernel};
use writers::Writers;

/// The engine that answers calls: core over a kernel reached by HTTP, with an observer for the puppy. Clones share it,
/// each for its caller; a new one is for a person.
#[derive(Debug, Clone)]
pub struct Sidecar {
    engine: Engine<ForgivingKernel, Writers>,
    gate: Gatehouse,
    channel: Channel,
}

impl Sidecar {
    /// Sets the order of the ways to ask a person, overriding the settings in SiYuan; an empty order leaves it to them.
    #[must_use]
    pub fn asking(mut self, order: Vec<ApprovalMethod>) -> Sidecar {
        self.gate = Gatehouse::new(order);
        self
    }

    /// A copy whose every request to SiYuan fails for this reason, even if SiYuan would answer.
    pub(crate) fn away(&self, why: KernelError) -> Sidecar {
        let engine = Engine::new(self.engine.kernel.away(why), self.engine.observer.beside());
        Sidecar { engine, gate: self.gate.clone(), channel: Channel::new() }
    }

    /// A copy for another caller. That caller's ceiling limits everything reached through it.
    pub(crate) fn known_as(&self, identity: Identity) -> Sidecar {
        Sidecar { engine: self.engine.known_as(identity), ..self.clone() }
    }

    /// The gate for one call by a principal.
    pub(crate) fn gate<C: Client>(&self, client: C, caller: Caller) -> CallGate<C> {
        CallGate::new(self.gate.clone(), self.channel.clone(), client, caller, self.engine.kernel.now_ms())
    }
}

/// Marks a request that was admitted while SiYuan could not be asked for the token: all its requests to SiYuan fail for
/// the same reason, even if SiYuan has come back. See [`Sidecar::away`].
#[derive(Debug, Clone)]
pub(crate) struct UncheckedToken(pub(crate) KernelError);

impl Deref for Sidecar {
    type Target = Engine<ForgivingKernel, Writers>;

    fn deref(&self) -> &Self::Target {
        &self.engine
    }
}

/// Makes a sidecar over a kernel; `forgiving` is for a person who continues without a table of levels.
pub fn sidecar(kernel: HttpKernel, forgiving: bool) -> Sidecar {
    let channel = Channel::new();
    let writers = Writers::telling(channel.clone(), kernel.clone());
    let runs = writers.runs();
    let engine = Engine::new(ForgivingKernel::new(kernel, forgiving, channel.clone()), writers);
    let engine = engine.keeping(runs);
    channel.shares(Arc::clone(engine.errands()));
    Sidecar { engine, gate: Gatehouse::new(Vec::new()), channel }
}
