//! Runs one action for a person at a terminal, without a server (B-090).

use std::io::Write;

use puppy_core::activity::Transport;
use puppy_core::dispatch::Call;
use puppy_core::part::Part;
use puppy_core::permission::Closed;
use puppy_core::spec::{ActionSpec, Effect};
use serde_json::{Map, Value};

use super::ask::Terminal;
use super::{exit, print};
use crate::kernel::{HttpKernel, Options};
use crate::{Sidecar, sidecar, stop};

/// The parsed command.
pub(super) struct Typed {
    /// The action.
    pub(super) spec: &'static ActionSpec,
    /// Its arguments.
    pub(super) arguments: Map<String, Value>,
    /// Whether to print one line of JSON instead of text for people.
    pub(super) json: bool,
    /// Whether to skip the question.
    pub(super) yes: bool,
    /// Whether to continue when the table of levels is broken.
    pub(super) no_permission_file: bool,
}

/// Runs the action, prints its answer, and returns the exit code.
pub(super) async fn run(options: Options, typed: Typed) -> Result<u8, String> {
    let engine = sidecar(HttpKernel::new(options)?, typed.no_permission_file);
    // The puppy shows a long call while it runs, and barks while a person is asked.
    engine.observer.start();
    let code = tokio::select! {
        code = carry(&engine, &typed) => code,
        // The call is dropped; the events recorded for the puppy are still written.
        () = stop::signal() => exit::INTERRUPTED,
    };
    engine.observer.finish().await;
    Ok(code)
}

async fn carry(engine: &Sidecar, typed: &Typed) -> u8 {
    let gate = Terminal { asks: typed.spec.worst == Effect::Destructive, yes: typed.yes };
    let mut arguments = typed.arguments.clone();
    arguments.insert("action".to_owned(), Value::from(typed.spec.name));
    let call = Call { tool: typed.spec.tool, arguments, part: Part::Whole, transport: Transport::Cli };
    let reply = engine.dispatch(call, &gate).await;
    if engine.kernel.forgave() {
        let warning = "The table of levels could not be read; going on as if there were none.";
        let _ = writeln!(std::io::stderr(), "siyuan-puppy: warning: {warning}");
    }
    match &reply {
        Ok(output) => {
            print::output(typed.spec, output, typed.json);
            0
        }
        Err(error) => {
            print::error(error, typed.json);
            if matches!(engine.policy().await.scope.grants.table, Err(Closed::Malformed(_))) {
                let how = "Or go on without it: --no-permission-file (every notebook at r).";
                let _ = writeln!(std::io::stderr(), "  {how}");
            }
            exit::code(error)
        }
    }
}
