//! `mascot.status`: coins, mood and the last meal.

use serde_json::{Value, json};

use crate::prelude::*;

/// Tell how the puppy is: coins, mood, last meal.
#[derive(Debug, Action)]
#[action(mascot.status, effect = Read, danger = None, idempotent = true, calls = [file::GET_FILE, file::READ_DIR])]
pub struct Status;

impl Run for Status {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let (stats, now) = (cx.coins().await?, cx.ambient().now_ms());
        let last_fed = stats.last_fed.as_ref().map(|meal| {
            let minutes = now.saturating_sub(meal.at) / 60_000;
            json!({ "item": meal.item, "minutes_ago": minutes })
        });
        // Of items given equally often, the first by name, so that the answer is stable.
        let favourite =
            stats.fed.iter().rev().max_by_key(|(_, count)| **count).map(|(item, _)| item.as_str());
        Ok(Output::new()
            .with("balance", stats.balance)
            .with("total_earned", stats.total_earned)
            .with("mood", stats.mood(now).word())
            .with("last_fed", last_fed.unwrap_or(Value::Null))
            .with("favourite", favourite)
            .with("wears", stats.wears.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::spec::Tool;
    use crate::testing::{FakeKernel, call, engine};

    const FILE: &str = "/temp/siyuan-mcp-puppy/puppyStats.json";
    const PURSE: &str = "/temp/siyuan-mcp-puppy/coins/a.free.json";
    /// The fake kernel's clock.
    const NOW: u64 = 1_700_000_000_000;

    fn status(kernel: FakeKernel) -> Value {
        let engine = engine(kernel);
        Value::Object(call(&engine, Tool::Mascot, json!({ "action": "status" })).unwrap().data)
    }

    #[test]
    fn new_puppy_has_no_coins() {
        let expected = json!({ "balance": 0, "total_earned": 0, "mood": "content" });
        assert_eq!(status(FakeKernel::new()), expected);
    }

    #[test]
    fn broken_coin_file_counts_as_no_coins() {
        let broken = |file| status(FakeKernel::new().file(file, "{\"earned\": "));
        assert_eq!([FILE, PURSE].map(|file| broken(file)["balance"].clone()), [0, 0]);
    }

    /// B-291: the sum of the file from before purses existed and of all purses.
    #[test]
    fn status_reports_coins_meal_favourite_and_clothes() {
        let stats = json!({
            "base": { "earned": 10, "spent": 7, "calls": 10 },
            "fed": { "bone": 2, "cake": 1, "milk": 1 }, "wears": "bow",
            "last_fed": { "item": "bone", "at": NOW - 7 * 60_000, "calls": 11 }, "updated_at": NOW
        });
        let expected = json!({
            "balance": 5, "total_earned": 12, "mood": "happy",
            "last_fed": { "item": "bone", "minutes_ago": 7 }, "favourite": "bone", "wears": "bow"
        });
        let purse = json!({ "earned": 2, "calls": 2, "fed": { "milk": 1 }, "at": 5 }).to_string();
        let kernel = FakeKernel::new().file(FILE, &stats.to_string()).file(PURSE, &purse);
        assert_eq!(status(kernel), expected);
    }
}
