//! Every declared example, called on a real SiYuan through the built sidecar, in a notebook made for it and removed
//! afterwards.
//!
//! Read in this order: `run` (desks, calls, and what came of them), `between` (stands between sidecar and SiYuan:
//! counts requests, keeps the person's settings out of it), `agent` (the sidecar as a process), `skips` (the actions
//! that are not called, with the reason), `cleanup` (removes what was made), `table`.

mod agent;
mod between;
mod cleanup;
mod kernel;
mod run;
mod skips;
mod table;

pub use run::{RunOptions, run};
pub use table::{Outcome, Table};
