//! A kernel that takes its time for some requests, and counts how many of them wait at once.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use puppy_core::activity::Transport;
use puppy_core::dispatch::{Approval, Call, Engine};
use puppy_core::kernel::{Ambient, Answer, Body, Boxed, Kernel, KernelError, Request};
use puppy_core::output::Reply;
use puppy_core::part::Part;
use puppy_core::spec::Tool;
use serde_json::Value;

use super::world::{Nobody, World};

pub(crate) struct Slow {
    pub(crate) world: World,
    /// Whether a request, by its path and body, takes a while.
    is_slow: fn(&str, &Value) -> bool,
    running: AtomicUsize,
    /// The most of them at the same time.
    pub(crate) most: AtomicUsize,
    /// Whether they take longer than the deadline.
    pub(crate) is_stuck: AtomicBool,
}

impl Slow {
    pub(crate) fn engine(world: World, is_slow: fn(&str, &Value) -> bool) -> Engine<Slow, Nobody> {
        let (running, most, is_stuck) = Default::default();
        Engine::new(Slow { world, is_slow, running, most, is_stuck }, Nobody)
    }

    pub(crate) async fn call(engine: &Engine<Slow, Nobody>, tool: Tool, arguments: Value) -> Reply {
        let arguments = arguments.as_object().cloned().unwrap();
        let call =
            Call { tool, arguments, part: Part::Whole, transport: Transport::Stdio, client: String::new() };
        engine.dispatch(call, &Approval::Given).await
    }
}

impl Ambient for Slow {
    fn now_ms(&self) -> u64 {
        self.world.now_ms()
    }

    fn local_digits(&self) -> String {
        self.world.local_digits()
    }

    fn random(&self) -> u64 {
        self.world.random()
    }
}

impl Kernel for Slow {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move {
            let is_slow =
                matches!(&request.body, Body::Json(body) if (self.is_slow)(request.route.path, body));
            if is_slow {
                let running = self.running.fetch_add(1, Ordering::Relaxed) + 1;
                self.most.fetch_max(running, Ordering::Relaxed);
                turns(3).await;
                self.running.fetch_sub(1, Ordering::Relaxed);
                if self.is_stuck.load(Ordering::Relaxed) {
                    return Err(KernelError::TimedOut);
                }
            }
            self.world.send(request).await
        })
    }

    fn pause(&self, time: Duration) -> Boxed<'_, ()> {
        self.world.pause(time)
    }
}

/// Lets other futures run this many times.
pub(crate) async fn turns(mut left: usize) {
    std::future::poll_fn(move |cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// The result of a future that waits for nothing but turns.
pub(crate) fn ready<T>(what: impl Future<Output = T>) -> T {
    let mut what = pin!(what);
    let mut cx = Context::from_waker(Waker::noop());
    // Nothing needs as many turns as this, however slow its check.
    let mut polls = (0..1_000).map(|_| what.as_mut().poll(&mut cx));
    polls
        .find_map(|poll| match poll {
            Poll::Ready(reply) => Some(reply),
            Poll::Pending => None,
        })
        .unwrap()
}
