//! `system.sync`: syncs the workspace with the person's cloud.

use std::time::Duration;

use super::sync_stat;
use crate::content::stamp;
use crate::error::ErrorType;
use crate::prelude::*;

/// Sync the workspace with the user's cloud now.
#[derive(Debug, Action)]
#[action(
    system.sync,
    some = Write,
    effect = External,
    danger = "Sends and receives all notebooks with the sync service that is set up in SiYuan.",
    deed = Sync(Never),
    tier = advanced,
    idempotent = true,
    calls = [system::GET_CONF, sync::PERFORM_SYNC, sync::GET_SYNC_INFO],
)]
pub struct Sync;

/// The mode in which a person chooses a direction each time.
const BY_HAND: u64 = 3;
/// The pause between two looks at the outcome.
const PAUSE: Duration = Duration::from_secs(2);
/// The maximum number of looks: for one minute.
const LOOKS: usize = 30;

impl Change for Sync {
    type Facts = ();

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<()>, ToolError> {
        let conf = cx.conf().await?;
        let refused = |why: &str| Err(ToolError::new(ErrorType::Api, why));
        if !conf.sync.enabled {
            return refused("Sync is turned off in SiYuan. A person can turn it on: Settings, Sync.");
        }
        if conf.sync.mode == BY_HAND {
            return refused(
                "Sync is set to manual upload or download in SiYuan, so only a person can start it there.",
            );
        }
        Ok(Plan::new("sync", ()).about(ThingKind::Workspace, Things::default()))
    }

    async fn run(self, _plan: Plan<()>, cx: &Cx<'_>) -> Reply {
        let before = cx.ask(sync::get_sync_info()).await?;
        cx.ask(sync::perform_sync()).await?;
        let mut after = cx.ask(sync::get_sync_info()).await?;
        for _ in 0..LOOKS {
            if after != before {
                break;
            }
            cx.pause(PAUSE).await;
            after = cx.ask(sync::get_sync_info()).await?;
        }
        Ok(Output::new()
            .flag("unfinished", after == before)
            .with("stat", sync_stat::without_numbers(&after.stat))
            .with("synced", stamp::of_seconds(after.synced / 1_000)))
    }
}

#[cfg(test)]
#[path = "sync_tests.rs"]
mod tests;
