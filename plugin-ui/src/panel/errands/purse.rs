//! Coins: the balance, and purchases in the page through a part of their own (B-291).

use puppy_core::activity::instance;
use puppy_core::activity::purse;
use puppy_core::activity::shop::{Item, Purchase};
use puppy_core::activity::stats::{STATS_FILE, Stats};
use puppy_core::kernel::files;
use puppy_plugin_ui::host;
use puppy_plugin_ui::kernel::PageKernel;
use puppy_plugin_ui::state::errand::PurseAnswer;

/// The time from a write to its check, in milliseconds: another process may have written over it.
const LOOK_AGAIN_MS: u32 = 20;
const TRIES: usize = 20;

/// The balance.
pub(crate) async fn look() -> Option<PurseAnswer> {
    Some(answer(&read().await?, false))
}

/// Buys one and gives it; with too few coins nothing is bought.
pub(crate) async fn buy(item: Item) -> Option<PurseAnswer> {
    let now = host::now_ms();
    let mut own = purse::Purse::new(instance(now, host::random_bits()));
    let mut stats = read().await?;
    if own.buy(&stats, Purchase { item, count: 1 }, now).is_err() {
        return Some(answer(&stats, false));
    }
    // The part ends with this purchase; it is written until a read-back finds it.
    for _ in 0..TRIES {
        let (name, part) = own.settle(&mut stats, now, true);
        files::write(&PageKernel, &path(), serde_json::to_vec(&stats).ok()?).await.ok()?;
        host::sleep(LOOK_AGAIN_MS).await;
        stats = read().await?;
        if stats.holds(&name, part) {
            break;
        }
    }
    Some(answer(&stats, true))
}

async fn read() -> Option<Stats> {
    let bytes = files::read(&PageKernel, &path()).await.ok()?;
    Some(bytes.map(|bytes| Stats::parse(&bytes)).unwrap_or_default())
}

fn answer(stats: &Stats, bought: bool) -> PurseAnswer {
    PurseAnswer { balance: stats.balance, bought }
}

fn path() -> String {
    format!("{}{STATS_FILE}", files::TEMP)
}
