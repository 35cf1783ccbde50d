//! Long computations in a place of their own: a call over much text leaves its thread to the other calls.
//!
//! One thread serves, because handing a call to another thread takes a third of the time of a short one. A call computes
//! in proportion to its arguments and to the kernel's answers. Once one of these is large, tokio moves everything else to
//! another thread before the call goes on.

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::{block_in_place, yield_now};

/// The size from which a text is large, in bytes: below it, a call computes for less than a millisecond.
const LARGE: usize = 16 * 1024;

tokio::task_local! {
    /// Whether the running call has come upon a large text.
    static HAS_LARGE: Cell<bool>;
}

/// Runs work whose input has this size.
pub(crate) async fn aside<T>(size: usize, work: impl Future<Output = T>) -> T {
    let work = async {
        let mut work = pin!(work);
        poll_fn(|cx| {
            if HAS_LARGE.with(Cell::get) && leaves_a_thread() {
                block_in_place(|| work.as_mut().poll(cx))
            } else {
                work.as_mut().poll(cx)
            }
        })
        .await
    };
    HAS_LARGE.scope(Cell::new(size > LARGE), work).await
}

/// Notes the size of a text that the running call is about to read.
pub(crate) async fn reads(size: usize) {
    if size > LARGE && HAS_LARGE.try_with(|it| it.replace(true)) == Ok(false) {
        // The rest of the call runs when it is polled again, by then in its own place.
        yield_now().await;
    }
}

/// Whether other tasks can move to another thread: a command has one thread, and one call.
pub(crate) fn leaves_a_thread() -> bool {
    Handle::try_current().is_ok_and(|it| it.runtime_flavor() == RuntimeFlavor::MultiThread)
}

/// The size of a call's arguments, counted up to a little more than what is large.
pub(crate) fn size_of(arguments: &serde_json::Map<String, serde_json::Value>) -> usize {
    let mut size = 0;
    let mut rest: Vec<&serde_json::Value> = Vec::new();
    for (name, value) in arguments {
        size += name.len() + 1;
        rest.push(value);
        if size > LARGE {
            return size;
        }
    }
    while let Some(value) = rest.pop().filter(|_| size <= LARGE) {
        size += 1;
        match value {
            serde_json::Value::String(text) => size += text.len(),
            serde_json::Value::Array(items) => {
                size += items.len();
                rest.extend(items.iter().take(LARGE));
            }
            serde_json::Value::Object(fields) => {
                size += fields.len();
                for (name, value) in fields.iter().take(LARGE) {
                    size += name.len();
                    rest.push(value);
                }
            }
            _ => {}
        }
    }
    size
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    use super::*;

    /// Computes until another task has run; false if none could for a long time.
    async fn computes_until(ran: &AtomicBool) -> bool {
        let began = Instant::now();
        while !ran.load(Ordering::Acquire) {
            if began.elapsed() > Duration::from_secs(2) {
                return false;
            }
            std::thread::yield_now();
        }
        true
    }

    /// Whether another task runs while work over inputs of these sizes computes: its arguments, and an answer.
    async fn another_runs(arguments: usize, answer: usize) -> bool {
        let ran: &'static AtomicBool = Box::leak(Box::default());
        let work = tokio::spawn(async move {
            let work = async {
                reads(answer).await;
                tokio::spawn(async { ran.store(true, Ordering::Release) });
                computes_until(ran).await
            };
            aside(arguments, work).await
        });
        work.await.unwrap()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn work_over_a_large_text_lets_other_tasks_run() {
        assert!(another_runs(LARGE + 1, 0).await);
        assert!(another_runs(0, LARGE + 1).await);
        assert!(!another_runs(0, LARGE).await);
    }

    #[tokio::test]
    async fn one_thread_computes_in_its_place() {
        let text = async {
            reads(LARGE + 1).await;
            "done"
        };
        assert_eq!(aside(LARGE + 1, text).await, "done");
    }

    #[test]
    fn sizes_count_names_texts_and_items() {
        let size = |value: serde_json::Value| size_of(value.as_object().unwrap());
        assert!(size(serde_json::json!({ "a": "x", "b": [1, { "c": "y" }] })) < 100);
        for large in [
            serde_json::json!({ "a": ["x", { "b": "y".repeat(LARGE) }] }),
            serde_json::json!({ "a": vec![1; LARGE] }),
            serde_json::json!({ "y".repeat(LARGE): 1 }),
        ] {
            assert!(size(large) > LARGE);
        }
    }
}
