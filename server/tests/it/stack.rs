//! The stack that a call takes: an overflow would end the whole process.

use puppy_core::activity::Transport;
use puppy_core::dispatch::{Approval, Call};
use puppy_core::error::ErrorType;
use puppy_core::part::Part;
use puppy_core::permission::Level;
use puppy_core::registry::ACTIONS;
use puppy_server::sidecar;
use tokio::runtime::Builder;

use crate::contract::{changes_assets, desk_world};
use crate::desk::Desk;
use crate::world::client;

/// Half of the smallest stack of our threads; the other half is for the servers around the call.
const STACK: usize = 512 * 1024;

#[tokio::test(flavor = "multi_thread")]
async fn every_call_fits_on_a_small_stack() {
    let (world, notebook) = desk_world(Level::Delete).await;
    let mut calls = Vec::new();
    for spec in ACTIONS {
        let title = spec.path().replace('.', " ");
        let arguments = Desk::new(&world, &notebook, &title, spec.examples[0]).await.arguments(spec);
        calls.push(Call {
            tool: spec.tool,
            arguments,
            part: Part::Whole,
            transport: Transport::Http,
            client: String::new(),
        });
    }
    let url = world.kernel.url();
    let small = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let sidecar = sidecar(client(&url, None), false);
        let done = |call| match runtime.block_on(sidecar.dispatch(call, &Approval::Given)) {
            Ok(_) => true,
            // As far as a call comes without a window of SiYuan.
            Err(failed) => failed.kind == ErrorType::NoFrontend,
        };
        calls.into_iter().map(done).collect::<Vec<_>>()
    });
    let done = tokio::task::spawn_blocking(move || small.unwrap().join().unwrap()).await.unwrap();
    let all: Vec<bool> = ACTIONS.iter().map(|spec| !changes_assets(spec)).collect();
    assert_eq!(done, all);
}
