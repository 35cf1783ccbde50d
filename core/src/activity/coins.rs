//! The purses of all processes in the kernel's storage: how they are summed, held, released and paid from (B-291).
//!
//! The kernel has no locks, but of two attempts to rename one file only one succeeds. So each purse has one holder,
//! the only process that writes it: `coins/<holder>.json`. A process that ends releases its purse as
//! `coins/<holder>.free.json`, and the next one takes it over by renaming it. There are never more purses than there
//! were holders at once.

use std::collections::BTreeMap;

use super::instance;
use super::purse::Purse;
use super::stats::{CoveredPurchase, STATS_FILE, Stats};
use crate::kernel::api::file::{self, Entry};
use crate::kernel::{Boxed, Kernel, KernelError, Route, files};

/// The routes that read everybody's coins.
pub const READS: [Route; 2] = [file::GET_FILE, file::READ_DIR];
/// The further routes that a payment needs.
pub const WRITES: [Route; 2] = [file::RENAME_FILE, file::PUT_FILE];

const FREE: &str = ".free";
const ENDING: &str = ".json";
/// The time in seconds after which a purse that was not written has no holder any more: two days, twice the time
/// after which a holder releases it by itself.
const ABANDONED: u64 = 2 * 24 * 60 * 60;
/// The maximum number of attempts to read the purses when one changes hands meanwhile.
const LOOKS: usize = 5;

/// Purses that need no second read: nobody writes a free purse, and no name is used twice.
#[derive(Debug, Default)]
pub struct PurseCache(BTreeMap<String, Purse>);

/// The sum of all purses. The only such sum, for the sidecar, the page and the panel.
pub fn sum<'a>(kernel: &'a dyn Kernel, known: &'a mut PurseCache) -> Boxed<'a, Result<Stats, KernelError>> {
    // Without a type of its own, because each place that knows it would have its code once more.
    Box::pin(summed(kernel, known))
}

async fn summed(kernel: &dyn Kernel, known: &mut PurseCache) -> Result<Stats, KernelError> {
    let bytes = files::read(kernel, &stats_path()).await?;
    let before = bytes.map(|bytes| Stats::parse(&bytes)).unwrap_or_default();
    let mut looks = 1;
    loop {
        match purses(kernel, known).await {
            Ok(Some(purses)) => return Ok(before.sum(&purses)),
            // The kernel also looks at a folder twice, and fails if a file was renamed in between.
            Ok(None) | Err(KernelError::Code(..)) if looks < LOOKS => looks += 1,
            Ok(None) => return Err(KernelError::Malformed(file::READ_DIR.path)),
            Err(error) => return Err(error),
        }
    }
}

/// Every purse; `None` if one changed hands meanwhile.
async fn purses(kernel: &dyn Kernel, known: &mut PurseCache) -> Result<Option<Vec<Purse>>, KernelError> {
    let mut names: Vec<String> = listed(kernel).await?.into_iter().map(|it| it.name).collect();
    known.0.retain(|name, _| names.contains(name));
    // A purse that is being released may be listed under both of its names.
    let twice = |name: &String| names.contains(&format!("{name}{FREE}"));
    if names.iter().any(twice) {
        return Ok(None);
    }
    names.retain(|name| !known.0.contains_key(name));
    let mut all: Vec<Purse> = known.0.values().cloned().collect();
    for name in names {
        let Some(bytes) = files::read(kernel, &path(&name)).await? else { return Ok(None) };
        let purse = Purse::parse(&bytes);
        if name.ends_with(FREE) {
            known.0.insert(name, purse.clone());
        }
        all.push(purse);
    }
    Ok(Some(all))
}

/// Writes the totals for readers that only display them.
pub async fn show(kernel: &dyn Kernel, stats: &Stats) -> Result<(), KernelError> {
    files::write(kernel, &stats_path(), serde_json::to_vec(stats).unwrap_or_default()).await
}

/// Takes over a purse that nobody holds, or creates one; returns its content.
pub fn hold<'a>(kernel: &'a dyn Kernel, holder: &'a str) -> Boxed<'a, Result<Purse, KernelError>> {
    Box::pin(held(kernel, holder))
}

async fn held(kernel: &dyn Kernel, holder: &str) -> Result<Purse, KernelError> {
    let own = path(holder);
    // An earlier attempt may have succeeded without an answer.
    if let Some(bytes) = files::read(kernel, &own).await? {
        return Ok(Purse::parse(&bytes));
    }
    let now = kernel.now_ms() / 1_000;
    for purse in listed(kernel).await? {
        if !purse.is_free(now) {
            continue;
        }
        match files::rename(kernel, &path(&purse.name), &own).await {
            Ok(()) => {
                let bytes = files::read(kernel, &own).await?;
                return bytes.map(|it| Purse::parse(&it)).ok_or(KernelError::NoData(file::GET_FILE.path));
            }
            // Another process was first.
            Err(KernelError::Code(..)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Purse::default())
}

/// Writes the purse of a holder.
pub async fn write(kernel: &dyn Kernel, holder: &str, purse: &Purse) -> Result<(), KernelError> {
    files::write(kernel, &path(holder), serde_json::to_vec(purse).unwrap_or_default()).await
}

/// Releases a purse for the next process.
pub async fn leave(kernel: &dyn Kernel, holder: &str) -> Result<(), KernelError> {
    files::rename(kernel, &path(holder), &path(&format!("{holder}{FREE}"))).await
}

/// Pays for an order and gives it to the puppy; returns the new totals.
pub async fn pay(
    kernel: &dyn Kernel,
    CoveredPurchase { stats, purchase }: CoveredPurchase,
) -> Result<Stats, KernelError> {
    let now = kernel.now_ms();
    let holder = instance(now, kernel.random());
    let mut bill = Purse::default();
    bill.pay(purchase, now, stats.total_calls);
    let purse = hold(kernel, &holder).await?.and(&bill);
    let written = write(kernel, &holder, &purse).await;
    // A purse that cannot be released is taken over once it has been silent long enough.
    let _ = leave(kernel, &holder).await;
    written?;
    let stats = stats.with(&bill);
    // The displayed totals are written again with the next call.
    let _ = show(kernel, &stats).await;
    Ok(stats)
}

/// A purse, by its file name without the ending.
struct PurseFile {
    name: String,
    updated: u64,
}

impl PurseFile {
    /// Whether another process may take it: it was released, or neither taken nor written for long. Taking over keeps
    /// the time of the last write, so the name counts too (see [`instance`]).
    fn is_free(&self, now: u64) -> bool {
        let taken = self.name.split('-').next().and_then(|ms| u64::from_str_radix(ms, 16).ok());
        let last = self.updated.max(taken.unwrap_or_default() / 1_000);
        self.name.ends_with(FREE) || now.saturating_sub(last) > ABANDONED
    }
}

async fn listed(kernel: &dyn Kernel) -> Result<Vec<PurseFile>, KernelError> {
    let entries = files::list(kernel, &folder()).await?;
    let purse =
        |it: Entry| Some(PurseFile { name: it.name.strip_suffix(ENDING)?.to_owned(), updated: it.updated });
    Ok(entries.into_iter().filter_map(purse).collect())
}

fn folder() -> String {
    format!("{}coins", files::TEMP)
}

fn path(name: &str) -> String {
    format!("{}/{name}{ENDING}", folder())
}

fn stats_path() -> String {
    format!("{}{STATS_FILE}", files::TEMP)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::testing::FakeKernel;

    fn now<T>(done: impl Future<Output = Result<T, KernelError>>) -> T {
        done.now_or_never().unwrap().unwrap()
    }

    fn purses(kernel: &FakeKernel) -> Vec<String> {
        let mut names: Vec<_> = now(listed(kernel)).into_iter().map(|it| it.name).collect();
        names.sort();
        names
    }

    /// B-291: a released purse goes on with its coins, to one process only; nobody takes a purse that is held.
    #[test]
    fn a_released_purse_is_passed_on_and_a_held_one_is_not() {
        let kernel = FakeKernel::new()
            .file(&path("running"), r#"{"earned":7}"#)
            .file(&path("ended.free"), r#"{"earned":3}"#);
        let mut purse = now(hold(&kernel, "first"));
        assert_eq!(purse.totals.earned, 3);
        assert_eq!(now(hold(&kernel, "second")), Purse::default());
        assert_eq!(purses(&kernel), ["first", "running"]);
        purse.totals.earned += 1;
        now(write(&kernel, "first", &purse));
        now(leave(&kernel, "first"));
        assert_eq!(purses(&kernel), ["first.free", "running"]);
        assert_eq!(now(hold(&kernel, "third")).totals.earned, 4);
        assert_eq!(now(sum(&kernel, &mut PurseCache::default())).balance, 11);
    }

    /// B-291: a purse that was just taken over still has the time of its last holder's last write.
    #[test]
    fn a_purse_is_free_once_it_was_neither_taken_nor_written_for_long() {
        let now = 1_700_000_000;
        let is_free = |name: &str, updated: u64| PurseFile { name: name.to_owned(), updated }.is_free(now);
        let (just, long_ago) = (instance(now * 1_000, 7), instance((now - ABANDONED - 1) * 1_000, 7));
        assert!(is_free(&long_ago, now - ABANDONED - 1) && is_free("other", now - ABANDONED - 1));
        assert!(is_free(&format!("{just}{FREE}"), now));
        assert!(!is_free(&long_ago, now - ABANDONED) && !is_free(&just, now - ABANDONED - 1));
    }
}
