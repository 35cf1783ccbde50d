//! The purses of all processes in the kernel's storage: how they are summed, held, left and paid from (B-291).
//!
//! The kernel has no lock, but of two renamings of one file only one goes well. So each purse has one holder,
//! who alone writes it: `coins/<holder>.json`. Who ends leaves it as `coins/<holder>.free.json`, and whoever
//! comes next makes it its own by renaming it. There are never more purses than there were holders at once.

use std::collections::BTreeMap;

use super::instance;
use super::purse::Purse;
use super::stats::{Order, STATS_FILE, Stats};
use crate::kernel::api::file::{self, Entry};
use crate::kernel::{Kernel, KernelError, Route, files};

/// What is asked to know everybody's coins.
pub const READS: [Route; 2] = [file::GET_FILE, file::READ_DIR];
/// What is asked beside it to pay.
pub const WRITES: [Route; 2] = [file::RENAME_FILE, file::PUT_FILE];

const FREE: &str = ".free";
const ENDING: &str = ".json";
/// A purse whose holder did not write it for so many seconds has none any more: two days, twice the time after
/// which a holder leaves it by itself.
const ABANDONED: u64 = 2 * 24 * 60 * 60;
/// How often the purses are looked at anew when one changes hands meanwhile.
const LOOKS: usize = 5;

/// Purses that need not be read again: nobody writes one that is free, and no name comes twice.
#[derive(Debug, Default)]
pub struct Known(BTreeMap<String, Purse>);

/// Everybody's coins. The one sum there is, for the sidecar, the page and the panel.
pub async fn sum(kernel: &dyn Kernel, known: &mut Known) -> Result<Stats, KernelError> {
    let bytes = files::read(kernel, &stats_path()).await?;
    let before = bytes.map(|bytes| Stats::parse(&bytes)).unwrap_or_default();
    let mut looks = 1;
    loop {
        match purses(kernel, known).await {
            Ok(Some(purses)) => return Ok(before.sum(&purses)),
            // The kernel, too, looks twice at a folder, and fails when a file has another name by then.
            Ok(None) | Err(KernelError::Code(..)) if looks < LOOKS => looks += 1,
            Ok(None) => return Err(KernelError::Malformed(file::READ_DIR.path)),
            Err(error) => return Err(error),
        }
    }
}

/// Every purse; `None` when one changed hands meanwhile.
async fn purses(kernel: &dyn Kernel, known: &mut Known) -> Result<Option<Vec<Purse>>, KernelError> {
    let mut names: Vec<String> = listed(kernel).await?.into_iter().map(|it| it.name).collect();
    known.0.retain(|name, _| names.contains(name));
    // One that is being left may be listed under both of its names.
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

/// Writes the sums for those who look at them only.
pub async fn show(kernel: &dyn Kernel, stats: &Stats) -> Result<(), KernelError> {
    files::write(kernel, &stats_path(), serde_json::to_vec(stats).unwrap_or_default()).await
}

/// Makes a purse of one's own out of one that nobody holds, or begins one; tells what is in it.
pub async fn hold(kernel: &dyn Kernel, holder: &str) -> Result<Purse, KernelError> {
    let own = path(holder);
    // An earlier try may have gone well without an answer.
    if let Some(bytes) = files::read(kernel, &own).await? {
        return Ok(Purse::parse(&bytes));
    }
    let now = kernel.now_ms() / 1_000;
    for purse in listed(kernel).await? {
        let abandoned = now.saturating_sub(purse.updated) > ABANDONED;
        if !abandoned && !purse.name.ends_with(FREE) {
            continue;
        }
        match files::rename(kernel, &path(&purse.name), &own).await {
            Ok(()) => {
                let bytes = files::read(kernel, &own).await?;
                return bytes.map(|it| Purse::parse(&it)).ok_or(KernelError::NoData(file::GET_FILE.path));
            }
            // Somebody else was first.
            Err(KernelError::Code(..)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Purse::default())
}

/// Writes the purse that somebody holds.
pub async fn write(kernel: &dyn Kernel, holder: &str, purse: &Purse) -> Result<(), KernelError> {
    files::write(kernel, &path(holder), serde_json::to_vec(purse).unwrap_or_default()).await
}

/// Leaves a purse to whoever comes next.
pub async fn leave(kernel: &dyn Kernel, holder: &str) -> Result<(), KernelError> {
    files::rename(kernel, &path(holder), &path(&format!("{holder}{FREE}"))).await
}

/// Pays for something and gives it; tells what is left.
pub async fn pay(kernel: &dyn Kernel, Order { stats, purchase }: Order) -> Result<Stats, KernelError> {
    let now = kernel.now_ms();
    let holder = instance(now, kernel.random());
    let mut bill = Purse::default();
    bill.pay(purchase, now, stats.total_calls);
    let purse = hold(kernel, &holder).await?.and(&bill);
    let written = write(kernel, &holder, &purse).await;
    // A purse that cannot be left is taken when it was silent for long enough.
    let _ = leave(kernel, &holder).await;
    written?;
    let stats = stats.with(&bill);
    // What is only looked at is written anew with the next call.
    let _ = show(kernel, &stats).await;
    Ok(stats)
}

/// A purse by its name without the ending.
struct Listed {
    name: String,
    updated: u64,
}

async fn listed(kernel: &dyn Kernel) -> Result<Vec<Listed>, KernelError> {
    let entries = files::list(kernel, &folder()).await?;
    let purse =
        |it: Entry| Some(Listed { name: it.name.strip_suffix(ENDING)?.to_owned(), updated: it.updated });
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
