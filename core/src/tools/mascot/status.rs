//! `mascot.status`: coins, mood and the last meal.

use serde_json::{Value, json};

use crate::prelude::*;

/// Show the puppy's coins, mood and last meal.
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
    use expect_test::{Expect, expect};
    use serde_json::json;

    use crate::kernel::Ambient as _;
    use crate::testing::world::{check, world};

    const FILE: &str = "/temp/siyuan-mcp-puppy/puppyStats.json";
    const PURSE: &str = "/temp/siyuan-mcp-puppy/coins/a.free.json";

    /// The status while these files are there.
    fn status(files: &[(&str, &str)], expected: &Expect) {
        let world = world();
        for (file, text) in files {
            assert_eq!(world.demo.put_file(file, text.as_bytes()).status, 200);
        }
        check("mascot.status", world, &json!({}), expected);
    }

    #[test]
    fn new_puppy_has_no_coins() {
        status(
            &[],
            &expect![[r#"
            getFile readDir
            {"balance":0,"total_earned":0,"mood":"content"}
        "#]],
        );
    }

    #[test]
    fn broken_coin_file_counts_as_no_coins() {
        let broken = "{\"earned\": ";
        status(
            &[(FILE, broken)],
            &expect![[r#"
            getFile readDir
            {"balance":0,"total_earned":0,"mood":"content"}
        "#]],
        );
        status(
            &[(PURSE, broken)],
            &expect![[r#"
            getFile readDir getFile
            {"balance":0,"total_earned":0,"mood":"content"}
        "#]],
        );
    }

    /// B-291: the sum of the file from before purses existed and of all purses.
    #[test]
    fn status_reports_coins_meal_favourite_and_clothes() {
        let now = world().now_ms();
        let stats = json!({
            "base": { "earned": 10, "spent": 7, "calls": 10 },
            "fed": { "bone": 2, "cake": 1, "milk": 1 }, "wears": "bow",
            "last_fed": { "item": "bone", "at": now - 7 * 60_000, "calls": 11 }, "updated_at": now
        });
        let purse = json!({ "earned": 2, "calls": 2, "fed": { "milk": 1 }, "at": 5 });
        status(
            &[(FILE, &stats.to_string()), (PURSE, &purse.to_string())],
            &expect![[r#"
            getFile readDir getFile
            {"balance":5,"total_earned":12,"mood":"happy","last_fed":{"item":"bone","minutes_ago":7},"favourite":"bone","wears":"bow"}
        "#]],
        );
    }
}
