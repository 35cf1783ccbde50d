//! The current policy: rules and scope, read together and cached for a short while.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard, PoisonError};

use async_lock::Mutex;
use futures_util::future::join;

use super::stored::{StoredFiles, StoredSettings};
use super::{ACCESS_FILE, AGENTS_FILE, CallSettings, GRANTS_FILE, MADE_FILE, Offer, SWITCHES_FILE, Switches};
use crate::agents::{self, AgentMark, Agents, Identity};
use crate::kernel::api::notebook::{self, Notebooks};
use crate::kernel::{self, Boxed, Kernel, KernelError};
use crate::permission::{
    AccessSettings, Ceiling, Closed, Grants, LevelTable, Scope, ScopeSource, Unfiltered,
};
use crate::sorted::IntoSorted as _;

/// The rights that a person grants at one moment.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The rules that decide whether a call may run; for the pipeline, never for an action.
    pub rules: Rules,
    /// The reach of a call.
    pub scope: Arc<Scope>,
    /// Whether the kernel answered every request.
    is_answered: bool,
}

/// The rules that decide whether a call may run at all.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The switches, or the reason why they cannot be used.
    pub switches: Result<Switches, Closed>,
    /// The settings that apply to every call.
    pub calls: CallSettings,
}

impl Policy {
    /// The actions to offer, as far as the switches and levels are known; for lists, never for calls.
    pub fn offer(&self) -> Offer {
        let grants = &self.scope.grants;
        let is_known = grants.table.is_ok() && grants.made.is_ok();
        let switches = self.rules.switches.clone().unwrap_or_default();
        Offer::new(switches, is_known.then(|| self.scope.highest_level()))
    }

    /// Like `offer`, but `None` where a part could not be read: that is no change to tell anybody of.
    pub fn known_offer(&self) -> Option<Offer> {
        (self.is_answered && self.rules.switches.is_ok()).then(|| self.offer())
    }

    /// The policy for one caller on a day such as `2026-12-31`.
    fn under(self: Arc<Policy>, identity: &Identity, today: &str) -> Arc<Policy> {
        let scope = self.scope.under(identity, today);
        if Arc::ptr_eq(&scope, &self.scope) {
            return self;
        }
        Arc::new(Policy { scope, ..Policy::clone(&self) })
    }

    /// Reads all parts side by side. A part that cannot be read is closed (fail closed).
    pub async fn read(kernel: &dyn Kernel) -> Policy {
        Policy::read_with(kernel, &StoredFiles::default()).await
    }

    /// Like `read`; files that have not changed since are not read again.
    async fn read_with(kernel: &dyn Kernel, files: &StoredFiles) -> Policy {
        let notebooks = kernel::ask(kernel, notebook::ls_notebooks());
        let (StoredSettings { switches, grants, made, access, agents, http }, notebooks) =
            join(files.read(kernel), notebooks).await;
        let is_answered = [&switches, &grants, &made, &access, &agents, &http].iter().all(|it| it.is_ok())
            && notebooks.is_ok();
        let notebooks = notebooks.map(Unfiltered::for_the_check);
        let table = match &notebooks {
            // Without the list, nobody knows which notebooks are encrypted.
            Err(error) => Err(Closed::Kernel(error.clone())),
            Ok(_) => usable(grants, GRANTS_FILE, LevelTable::parse),
        };
        let notebooks = notebooks.map(|it: Notebooks| it.notebooks).unwrap_or_default();
        let encrypted: BTreeSet<String> =
            notebooks.iter().filter(|it| it.encrypted).map(|it| it.id.clone()).into_set();
        let made = usable(made, MADE_FILE, LevelTable::parse);
        let grants = Grants { table, made, encrypted, ceiling: Ceiling::OPEN };
        let agents = usable(agents, AGENTS_FILE, Agents::parse);
        let access =
            usable(access, ACCESS_FILE, AccessSettings::parse).unwrap_or_else(|_| AccessSettings::closed());
        Policy {
            rules: Rules {
                switches: usable(switches, SWITCHES_FILE, Switches::parse),
                calls: http
                    .map_or_else(|why| CallSettings::unknown(Closed::Kernel(why)), CallSettings::stored),
            },
            scope: Arc::new(Scope::new(grants, access, notebooks).with_agents(agents)),
            is_answered,
        }
    }
}

fn usable<T: Default>(
    file: Result<Option<Vec<u8>>, KernelError>,
    name: &'static str,
    parse: impl Fn(&[u8]) -> Option<T>,
) -> Result<T, Closed> {
    match file {
        Ok(None) => Ok(T::default()),
        Ok(Some(bytes)) => parse(&bytes).ok_or(Closed::Malformed(name)),
        Err(error) => Err(Closed::Kernel(error)),
    }
}

/// The policy, cached with one read in flight (B-009, B-010): for half a minute where changes are announced, which
/// drops it at once, else for a second. A policy that the kernel did not answer
/// serves only the callers that waited for it: the next call reads again.
#[derive(Debug, Default)]
pub struct Cache {
    /// Held by the caller that reads.
    reading: Mutex<()>,
    kept: std::sync::Mutex<Option<CachedPolicy>>,
    files: StoredFiles,
    /// The number of callers so far.
    asked: AtomicU64,
}

#[derive(Debug, Clone)]
struct CachedPolicy {
    read_at: u64,
    policy: Arc<Policy>,
    /// The number of callers at the time it was read.
    asked: u64,
}

impl Cache {
    /// The lifetime of a policy in milliseconds where nobody reports changes.
    const LIFE_MS: u64 = 1_000;
    /// The lifetime where changes are reported; another device may still change a file without a word.
    const LONG_LIFE_MS: u64 = 30_000;

    /// The current policy; callers that arrive during a read wait for it.
    pub async fn policy(&self, kernel: &dyn Kernel) -> Arc<Policy> {
        let place = self.asked.fetch_add(1, Ordering::Relaxed);
        let _reading = self.reading.lock().await;
        let now = kernel.now_ms();
        let kept = self.kept().clone();
        if let Some(kept) = kept {
            // A read in the future means that the clock was set back.
            let life = if kernel.hears_changes() { Self::LONG_LIFE_MS } else { Self::LIFE_MS };
            let is_young = now.checked_sub(kept.read_at).is_some_and(|age| age < life);
            let is_fresh = kept.policy.is_answered && is_young;
            if is_fresh || place < kept.asked {
                return kept.policy;
            }
        }
        // Boxed, because every call would otherwise carry the space for these requests, and few calls make them.
        let policy = Arc::new(Box::pin(Policy::read_with(kernel, &self.files)).await);
        // The age counts from before the read, so that a change made during it is seen in time.
        let asked = self.asked.load(Ordering::Relaxed);
        *self.kept() = Some(CachedPolicy { read_at: now, policy: policy.clone(), asked });
        policy
    }

    /// The policy of the last read, however old. It makes no request and waits for none: the kernel may take long.
    pub fn known(&self) -> Option<Arc<Policy>> {
        self.kept().as_ref().map(|kept| kept.policy.clone())
    }

    fn kept(&self) -> MutexGuard<'_, Option<CachedPolicy>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The policy as one caller has it.
#[derive(Debug, Clone, Default)]
pub struct PolicyView {
    cache: Arc<Cache>,
    identity: Identity,
}

impl PolicyView {
    /// The same policy as another caller has it.
    #[must_use]
    pub fn known_as(&self, identity: Identity) -> PolicyView {
        PolicyView { cache: self.cache.clone(), identity }
    }

    /// The caller.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The mark of the caller under a policy; `None` for a person, and for a caller that is no agent.
    pub fn mark(&self, policy: &Policy) -> Option<AgentMark> {
        policy.scope.agents().ok()?.mark(&self.identity)
    }

    /// The current policy; see [`Cache::policy`].
    pub async fn policy(&self, kernel: &dyn Kernel) -> Arc<Policy> {
        self.cache.policy(kernel).await.under(&self.identity, &agents::day_of(&kernel.local_digits()))
    }

    /// The policy of the last read; see [`Cache::known`].
    pub fn known(&self, kernel: &dyn Kernel) -> Option<Arc<Policy>> {
        let today = agents::day_of(&kernel.local_digits());
        self.cache.known().map(|it| it.under(&self.identity, &today))
    }
}

impl ScopeSource for PolicyView {
    fn read_again<'a>(&'a self, kernel: &'a dyn Kernel, than: &'a Arc<Scope>) -> Boxed<'a, Arc<Scope>> {
        Box::pin(async move {
            let again = self.cache.read_again(kernel, than.whole()).await;
            again.under(&self.identity, &agents::day_of(&kernel.local_digits()))
        })
    }

    fn forget(&self) -> Boxed<'_, ()> {
        self.cache.forget()
    }
}

impl ScopeSource for Cache {
    fn read_again<'a>(&'a self, kernel: &'a dyn Kernel, than: &'a Arc<Scope>) -> Boxed<'a, Arc<Scope>> {
        Box::pin(async move {
            // Nobody has asked since it was read, so this very call read it: it asks the kernel nothing twice.
            let is_own = |it: &CachedPolicy| {
                Arc::ptr_eq(&it.policy.scope, than) && it.asked == self.asked.load(Ordering::Relaxed)
            };
            if self.kept().as_ref().is_some_and(|it| it.policy.is_answered && is_own(it)) {
                return than.clone();
            }
            self.forget().await;
            self.policy(kernel).await.scope.clone()
        })
    }

    fn forget(&self) -> Boxed<'_, ()> {
        Box::pin(async move {
            // A read that began earlier would otherwise be kept afterwards.
            let _reading = self.reading.lock().await;
            *self.kept() = None;
        })
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::sync::atomic::{AtomicBool, AtomicUsize};
    use std::task::Poll;
    use std::time::Duration;

    use futures_util::FutureExt;
    use futures_util::future::join3;

    use super::*;
    use crate::kernel::{Ambient, Answer, Request};

    /// A kernel that takes its time, fails on demand, and counts.
    #[derive(Default)]
    struct Slow {
        fails: std::sync::Mutex<Option<u16>>,
        asked: AtomicUsize,
        now_ms: AtomicU64,
        hears: AtomicBool,
    }

    impl Ambient for Slow {
        fn now_ms(&self) -> u64 {
            self.now_ms.load(Ordering::Relaxed)
        }

        fn local_digits(&self) -> String {
            String::new()
        }

        fn random(&self) -> u64 {
            0
        }
    }

    impl Kernel for Slow {
        fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
            Box::pin(async move {
                self.asked.fetch_add(1, Ordering::Relaxed);
                let mut waited = false;
                poll_fn(|cx| {
                    cx.waker().wake_by_ref();
                    if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
                })
                .await;
                let is_list = request.route.path.ends_with("lsNotebooks");
                let body = if is_list { r#"{"code":0,"data":{"notebooks":[]}}"# } else { "{}" };
                let status = self.fails.lock().unwrap().unwrap_or(200);
                Ok(Answer { status, retry_after: None, body: body.into() })
            })
        }

        fn pause(&self, _time: Duration) -> Boxed<'_, ()> {
            Box::pin(async {})
        }

        fn hears_changes(&self) -> bool {
            self.hears.load(Ordering::Relaxed)
        }
    }

    /// Polls a future until it is done.
    fn done<T>(future: impl Future<Output = T>) -> T {
        let mut future = Box::pin(future);
        loop {
            if let Some(done) = future.as_mut().now_or_never() {
                return done;
            }
        }
    }

    /// The status code that made the table unreadable.
    fn fault(policy: &Policy) -> Option<u16> {
        match policy.scope.grants.table {
            Err(Closed::Kernel(KernelError::Status(status))) => Some(status),
            _ => None,
        }
    }

    /// B-053, B-084: even at the same moment of the clock; a policy that was read well is kept.
    #[test]
    fn failed_policy_read_is_not_cached() {
        let (cache, kernel) = (Cache::default(), Slow::default());
        let read = |status: Option<u16>| {
            *kernel.fails.lock().unwrap() = status;
            fault(&done(cache.policy(&kernel)))
        };
        assert_eq!([Some(500), Some(503), None].map(read), [Some(500), Some(503), None]);
        let asked = kernel.asked.load(Ordering::Relaxed);
        assert_eq!((read(Some(500)), kernel.asked.load(Ordering::Relaxed)), (None, asked));
    }

    /// B-009: callers that wait for a read share it, even if it fails; later callers do not.
    #[test]
    fn failed_policy_read_is_shared_by_waiting_callers() {
        let (cache, kernel) = (Cache::default(), Slow::default());
        *kernel.fails.lock().unwrap() = Some(500);
        let ask = || cache.policy(&kernel);
        let (one, two, three) = done(join3(ask(), ask(), ask()));
        let asked = kernel.asked.swap(0, Ordering::Relaxed);
        *kernel.fails.lock().unwrap() = None;
        let later = done(ask());
        assert_eq!([one, two, three].map(|it| fault(&it)), [Some(500); 3]);
        assert_eq!((fault(&later), kernel.asked.load(Ordering::Relaxed)), (None, asked));
    }

    /// Whether a call at a moment reads the files.
    fn reads(cache: &Cache, kernel: &Slow, now_ms: u64) -> bool {
        kernel.now_ms.store(now_ms, Ordering::Relaxed);
        kernel.asked.store(0, Ordering::Relaxed);
        done(cache.policy(kernel));
        kernel.asked.load(Ordering::Relaxed) > 0
    }

    /// B-009: a policy is kept for a second, and not until a clock that was set back has caught up.
    #[test]
    fn a_clock_that_was_set_back_keeps_no_policy() {
        let (cache, kernel) = (Cache::default(), Slow::default());
        let reads = |now_ms| reads(&cache, &kernel, now_ms);
        let hour = 3_600_000;
        let moments = [hour, hour + 999, hour + 1_000, 0, 999];
        assert_eq!(moments.map(reads), [true, false, true, true, false]);
    }

    /// B-010: where changes are announced, half a minute of calls costs one read; an announcement, and a channel that
    /// breaks, are seen by the next call.
    #[test]
    fn announced_changes_let_a_policy_live_longer() {
        let (cache, kernel) = (Cache::default(), Slow::default());
        let reads = |now_ms| reads(&cache, &kernel, now_ms);
        kernel.hears.store(true, Ordering::Relaxed);
        assert_eq!([0, 1_000, 29_999, 30_000, 59_999].map(reads), [true, false, false, true, false]);
        done(cache.forget());
        assert!(reads(59_999) && !reads(70_000));
        kernel.hears.store(false, Ordering::Relaxed);
        assert!(reads(70_000));
    }

    /// B-026: the call that read the scope does not read it again for a name that it lacks; a later one does.
    #[test]
    fn scope_is_not_read_twice_by_one_call() {
        let (cache, kernel) = (Cache::default(), Slow::default());
        let asked = || kernel.asked.swap(0, Ordering::Relaxed);
        let own = done(cache.policy(&kernel)).scope.clone();
        let once = asked();
        assert!(Arc::ptr_eq(&own, &done(cache.read_again(&kernel, &own))) && asked() == 0);
        let later = done(cache.policy(&kernel)).scope.clone();
        assert!(Arc::ptr_eq(&own, &later) && asked() == 0);
        let again = done(cache.read_again(&kernel, &later));
        assert!(!Arc::ptr_eq(&own, &again) && asked() == once);
        // And that is new enough for the same call.
        assert!(Arc::ptr_eq(&again, &done(cache.read_again(&kernel, &again))) && asked() == 0);
    }

    /// B-022: what is known is known while the kernel takes its time over another read.
    #[test]
    fn the_known_policy_waits_for_no_read() {
        let (cache, kernel) = (Cache::default(), Slow::default());
        *kernel.fails.lock().unwrap() = Some(500);
        done(cache.policy(&kernel));
        let mut reading = Box::pin(cache.policy(&kernel));
        assert!(reading.as_mut().now_or_never().is_none());
        assert_eq!(cache.known().as_deref().and_then(fault), Some(500));
        done(reading);
    }
}
