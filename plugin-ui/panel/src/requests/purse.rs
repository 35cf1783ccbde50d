//! Coins: the balance, and purchases in the page (B-291).

use puppy_core::activity::coins::{self, PurseCache};
use puppy_core::activity::shop::{Purchase, ShopItem};
use puppy_core::activity::stats::Stats;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::panel_request::PurseAnswer;

/// The balance.
pub(crate) async fn look() -> Option<PurseAnswer> {
    Some(answer(&sum().await?, false))
}

/// Buys one and gives it; with too few coins nothing is bought.
pub(crate) async fn buy(item: ShopItem) -> Option<PurseAnswer> {
    let stats = sum().await?;
    match stats.clone().order(Purchase { item, count: 1 }) {
        Ok(order) => Some(answer(&coins::pay(&PageKernel, order).await.ok()?, true)),
        Err(_) => Some(answer(&stats, false)),
    }
}

async fn sum() -> Option<Stats> {
    coins::sum(&PageKernel, &mut PurseCache::default()).await.ok()
}

fn answer(stats: &Stats, bought: bool) -> PurseAnswer {
    PurseAnswer { balance: stats.balance, bought }
}
