//! The signed channel to the pages of SiYuan: one connection, kept while the process serves agents.
//!
//! Core decides what each message means ([`SidecarEnd`]); this module owns the clock, the connection and the callers
//! that wait. Nothing here waits while it holds a lock; who needs several takes that of the end first.

mod announce;
mod asking;
mod errands;
mod keeper;
#[cfg(test)]
pub(crate) mod testing;

use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use puppy_core::activity::{self, CallEnd};
use puppy_core::channel::{Duty, SidecarEnd, TouchedPlace};
use puppy_core::errands::Errands;
use puppy_core::kernel::Boxed;
use puppy_core::kernel::page::{Frontend, PageError, PageRequest};
use serde_json::Value;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

pub(crate) use announce::announce;
pub(crate) use asking::{QuestionOutcome, Token};
pub(crate) use errands::ErrandEnd;
pub(crate) use keeper::Keeper;

/// The answer of a page.
type PageReply = Result<Value, PageError>;

/// The ability without which a page counts as none: every page that can do anything can report what is open.
const ABILITY: PageRequest = PageRequest::UiState;

/// The sidecar's end of the channel; clones share it. Until a [`Keeper`] keeps it connected, no page is there.
#[derive(Clone)]
pub(crate) struct Channel(Arc<ChannelState>);

struct ChannelState {
    end: Mutex<SidecarEnd>,
    /// The pending work of the keeper: texts to send, and work that takes time.
    duties: Mutex<Vec<Duty>>,
    /// The callers that wait for a page.
    calls: Mutex<HashMap<String, oneshot::Sender<PageReply>>>,
    /// The calls that questions hold up, by question.
    pending: Mutex<HashMap<String, asking::PendingCall>>,
    /// Wakes the callers whose question may be over.
    settled: Notify,
    /// Wakes the keeper.
    news: Notify,
    /// The number of changes that pages may have made so far.
    changes: AtomicU64,
    began: Instant,
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Channel").field("is_connected", &self.end().is_connected()).finish_non_exhaustive()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Random bits; those of ids are not to be guessed.
fn random() -> u64 {
    let mut bytes = [0; 8];
    match getrandom::fill(&mut bytes) {
        Ok(()) => u64::from_le_bytes(bytes),
        Err(_) => fastrand::u64(..),
    }
}

/// The time of the calendar, in milliseconds since 1970, by which errands end.
fn wall_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Channel {
    /// Shows these errands to the pages, and ends those that a person ends there.
    pub(crate) fn shares(&self, errands: Arc<Errands>) {
        locked(&self.0.end).shares(errands);
    }

    pub(crate) fn new() -> Channel {
        Channel(Arc::new(ChannelState {
            end: Mutex::new(SidecarEnd::new(env!("CARGO_PKG_VERSION"))),
            duties: Mutex::default(),
            calls: Mutex::default(),
            pending: Mutex::default(),
            settled: Notify::new(),
            news: Notify::new(),
            changes: AtomicU64::new(0),
            began: Instant::now(),
        }))
    }

    /// The end, to look at.
    fn end(&self) -> impl Deref<Target = SidecarEnd> {
        locked(&self.0.end)
    }

    /// Lets the end act, and queues what it sends before it acts again: messages are numbered, and one that comes after a
    /// later one counts as repeated.
    fn act<D: IntoIterator<Item = Duty>>(&self, act: impl FnOnce(&mut SidecarEnd, u64) -> D) {
        self.act_for(|end, now| ((), act(end, now)));
    }

    /// As [`Channel::act`], and returns what else came of it.
    fn act_for<T, D>(&self, act: impl FnOnce(&mut SidecarEnd, u64) -> (T, D)) -> T
    where
        D: IntoIterator<Item = Duty>,
    {
        let mut end = locked(&self.0.end);
        end.errands().pass(wall_ms());
        let (value, duties) = act(&mut end, self.now());
        self.pass(duties);
        value
    }

    /// Milliseconds since the process began to serve; this clock never jumps.
    fn now(&self) -> u64 {
        u64::try_from(self.0.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Passes on what is to be done.
    fn pass(&self, duties: impl IntoIterator<Item = Duty>) {
        let mut is_news = false;
        for duty in duties {
            is_news = true;
            if matches!(duty, Duty::Reread { .. }) {
                self.note_change();
            }
            match duty {
                Duty::Ended { call_id, answer } => {
                    if let Some(caller) = locked(&self.0.calls).remove(&call_id) {
                        // The caller may just have gone.
                        let _ = caller.send(answer);
                    }
                }
                Duty::Over { question } => {
                    self.0.settled.notify_waiters();
                    locked(&self.0.duties).push(Duty::Over { question });
                }
                duty => locked(&self.0.duties).push(duty),
            }
        }
        if is_news {
            self.0.news.notify_one();
        }
    }

    /// Notes where this process serves MCP over HTTP, before a [`Keeper`] connects it.
    pub(crate) fn serves(&self, urls: Vec<String>, is_kept: bool) {
        locked(&self.0.end).serves(urls, is_kept);
    }

    /// Whether a page is there that can do what page actions ask.
    pub(crate) fn has_page(&self) -> bool {
        self.end().has_page(ABILITY.action(), self.now())
    }

    /// Whether changes of settings are announced here: then nobody need look for them every second.
    pub(crate) fn hears_changes(&self) -> bool {
        self.end().hears_changes(self.now())
    }

    /// Counts a change that a page may have made; after a pause of the connection it may have made any.
    fn note_change(&self) {
        self.0.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// A number that changes whenever a page may have changed a file; `None` while pages cannot say so.
    pub(crate) fn changes(&self) -> Option<u64> {
        self.end().is_connected().then(|| self.0.changes.load(Ordering::Relaxed))
    }

    /// Notifies other servers and the pages that files of settings were written, or with none that the list of notebooks
    /// has changed; now, soon, or with the next connection.
    pub(crate) fn changed(&self, files: &[&'static str]) {
        if !files.is_empty() {
            // This process does not receive its own messages.
            self.forget_texts();
        }
        self.act(|end, now| end.changed(files, now));
        // Wakes the keeper, which sends the changes that were not sent immediately.
        self.0.news.notify_one();
    }

    /// Takes the changes that were not sent yet.
    pub(crate) fn unsent(&self) -> Option<Vec<&'static str>> {
        locked(&self.0.end).unsent()
    }

    /// Notifies the pages of the place that a call touched.
    pub(crate) fn touched(&self, ended: &CallEnd) {
        let Some(level) = ended.level.filter(|_| ended.outcome == activity::Outcome::Success) else { return };
        let touched = TouchedPlace { doc: ended.doc.clone(), block: ended.block.clone(), level };
        self.act(|end, now| end.touched(touched, now));
    }

    /// The active errands.
    #[cfg(test)]
    pub(crate) fn errands(&self) -> Vec<puppy_core::errands::StandingErrand> {
        self.end().errands().standing()
    }

    /// Ends the errands of a session that is over.
    pub(crate) fn session_ended(&self, principal: &str) {
        self.act(|end, now| {
            end.errands().end_of(principal);
            end.news(now)
        });
    }

    /// Notifies the pages of new events for the puppy.
    pub(crate) fn stir(&self) {
        self.act(SidecarEnd::stirred);
    }
}

/// A request to a page; dropping it lets the page know that nobody wants the answer.
struct PageRequestGuard<'a> {
    channel: &'a Channel,
    call_id: String,
}

impl Drop for PageRequestGuard<'_> {
    fn drop(&mut self) {
        if locked(&self.channel.0.calls).remove(&self.call_id).is_some() {
            self.channel.act(|end, _| end.cancel(&self.call_id));
        }
    }
}

impl Frontend for Channel {
    fn ask(&self, request: PageRequest) -> Boxed<'_, Result<Value, PageError>> {
        Box::pin(async move {
            let (sender, answer) = oneshot::channel();
            let call_id = self.act_for(|end, now| match end.call(&request, now) {
                Ok((id, duties)) => {
                    locked(&self.0.calls).insert(id.clone(), sender);
                    (Ok(id), duties)
                }
                Err(error) => (Err(error), Vec::new()),
            })?;
            let _asked = PageRequestGuard { channel: self, call_id };
            answer.await.unwrap_or(Err(PageError::TimedOut))
        })
    }
}

#[cfg(test)]
mod tests {
    use puppy_core::channel::News;

    use super::testing::Window;
    use super::*;

    /// A page takes a message that was overtaken for a repeated one, so none overtakes another.
    #[test]
    fn messages_of_many_threads_all_arrive() {
        let channel = Channel::new();
        let mut window = Window::at(&channel);
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| (0..500).for_each(|_| channel.stir()));
            }
        });
        assert_eq!(window.receive().iter().filter(|it| **it == News::Stirred).count(), 2_000);
    }
}
