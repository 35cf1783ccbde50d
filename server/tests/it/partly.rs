//! Every writing action, with each request after its first write failing in turn: the answer reports the failure.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use puppy_core::dispatch::{Approval, Engine};
use puppy_core::kernel::api::{history, query};
use puppy_core::kernel::page::Frontend;
use puppy_core::kernel::{Ambient, Answer, Boxed, Kernel, KernelError, Nature, Request, Route};
use puppy_core::output::Reply;
use puppy_core::permission::Level;
use puppy_core::spec::{ActionSpec, Effect, Tool};
use puppy_server::kernel::HttpKernel;
use serde_json::{Value, json};

use crate::contract::desk_in;
use crate::desk::{Desk, examples};
use crate::world::{Silent, World, call_as, window};

/// The routes that write but change no note.
const LEAVES_NOTES: [Route; 2] = [query::FLUSH_TRANSACTION, history::CREATE_DOC_HISTORY];

/// A kernel that fails once: at the request with this number, counted from the first write.
struct Failing {
    http: HttpKernel,
    at: usize,
    written: AtomicUsize,
    since: AtomicUsize,
}

impl Failing {
    fn new(http: HttpKernel, at: usize) -> Failing {
        Failing { http, at, written: AtomicUsize::new(0), since: AtomicUsize::new(0) }
    }

    /// Whether the call reached the request that fails.
    fn failed(&self) -> bool {
        self.since.load(Ordering::Relaxed) > self.at
    }
}

impl Kernel for Failing {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move {
            let route = request.route;
            let is_after = self.written.load(Ordering::Relaxed) > 0;
            if is_after && self.since.fetch_add(1, Ordering::Relaxed) == self.at {
                return Err(KernelError::TimedOut);
            }
            let answer = self.http.send(request).await;
            if answer.is_ok() && route.nature == Nature::Write && !LEAVES_NOTES.contains(&route) {
                self.written.fetch_add(1, Ordering::Relaxed);
            }
            answer
        })
    }

    fn pause(&self, time: Duration) -> Boxed<'_, ()> {
        Box::pin(async move {
            self.http.pause(time).await;
        })
    }

    fn frontend(&self) -> Option<&dyn Frontend> {
        window()
    }
}

impl Ambient for Failing {
    fn now_ms(&self) -> u64 {
        1_700_000_000_000
    }

    fn local_digits(&self) -> String {
        self.http.local_digits()
    }

    fn random(&self) -> u64 {
        self.http.random()
    }
}

/// Whether an answer says that one part was done and another was not.
fn tells(reply: &Reply) -> bool {
    match reply {
        Ok(output) => output.data.get("failed").and_then(Value::as_array).is_some_and(|it| !it.is_empty()),
        // Alternatively everything was undone, and the error says so.
        Err(error) if error.message.contains("removed again") => true,
        // Or nobody knows, and the error says that.
        Err(error) if error.details.get("outcome") == Some(&json!("unknown")) => {
            error.message.contains("could not be checked")
                && error.message.ends_with("Read the blocks before you try again.")
        }
        Err(error) => {
            let is_named =
                error.details.get("done").and_then(Value::as_array).is_some_and(|it| !it.is_empty());
            is_named
                && error.details.get("outcome") == Some(&json!("partly done"))
                && error.message.ends_with("Something was already changed: read before you try again.")
        }
    }
}

/// Whether the reply is a purchase with a correct balance. The requests after a payment only update displays and later
/// purses, which catch up with a failed one.
async fn is_paid(http: &HttpKernel, spec: &ActionSpec, reply: &Reply) -> bool {
    let Some(balance) = reply.as_ref().ok().and_then(|it| it.data.get("balance")) else { return false };
    let engine = Engine::new(http.clone(), Silent);
    let status = call_as(&engine, Tool::Mascot, json!({ "action": "status" }), Approval::Missing).await;
    spec.path() == "mascot.buy" && status.is_ok_and(|it| it.data.get("balance") == Some(balance))
}

/// B-036: no failure after the first write is hidden, and none reads as if nothing had happened.
#[tokio::test(flavor = "multi_thread")]
async fn failures_after_the_first_write_are_reported() {
    let (mut wrong, mut failures) = (Vec::new(), 0);
    let changes = |spec: &ActionSpec| spec.worst != Effect::Read;
    for (spec, example, title) in examples().filter(|(spec, ..)| changes(spec)) {
        let (world, notebook) = desk_in(World::empty().await, Level::Delete).await;
        for at in 0.. {
            let desk = Desk::new(&world, &notebook, &format!("{title} {at}"), spec.examples[example]).await;
            let sent = desk.example(spec, example);
            let engine = Engine::new(Failing::new(world.http.clone(), at), Silent);
            let reply = call_as(&engine, spec.tool, Value::Object(sent), Approval::Given).await;
            if !engine.kernel.failed() {
                assert!(reply.is_ok(), "{} without a fault: {reply:?}", spec.path());
                break;
            }
            failures += 1;
            if !tells(&reply) && !is_paid(&world.http, spec, &reply).await {
                wrong.push(format!("{}, request {at} after the first write: {reply:?}", spec.path()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Several actions read or write more than once after their first write.
    assert!(failures >= 8, "{failures}");
}
