//! The puppy's coins, for the actions that count them and pay with them.

use super::Cx;
use crate::activity::coins;
use crate::activity::shop::ShopItem;
use crate::activity::stats::{CoveredPurchase, Stats};
use crate::error::ToolError;
use crate::kernel::api::file;

impl Cx<'_> {
    /// The total of everybody's coins and the puppy's gifts.
    pub async fn coins(&self) -> Result<Stats, ToolError> {
        self.declares(&coins::READS)?;
        Ok(coins::sum(self.kernel, &mut coins::PurseCache::default()).await?)
    }

    /// Pays for an order and gives it to the puppy; returns the new totals.
    pub async fn pay(&self, order: CoveredPurchase) -> Result<Stats, ToolError> {
        self.declares(&coins::READS)?;
        coins::WRITES.iter().try_for_each(|route| self.may_ask(*route))?;
        let item = order.item();
        let stats = self.watched(file::PUT_FILE, coins::pay(self.kernel, order)).await?;
        // A call pays at most once, so this cannot fail.
        let _ = self.bought.set(item);
        Ok(stats)
    }

    /// The item that the call has paid for, which its event names.
    pub(crate) fn bought(&self) -> Option<ShopItem> {
        self.bought.get().copied()
    }
}
