//! `mascot.shop`: the items for sale, and those that the coins cover.

use serde_json::{Value, json};

use crate::activity::shop::Item;
use crate::prelude::*;

/// List what can be bought, and what the coins are enough for.
#[derive(Debug, Action)]
#[action(mascot.shop, effect = Read, danger = None, idempotent = true, calls = [file::GET_FILE, file::READ_DIR])]
pub struct Shop;

impl Run for Shop {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let balance = cx.coins().await?.balance;
        let row = |item: Item| {
            json!({
                "item": item.word(), "emoji": item.emoji(), "cost": item.cost(),
                "kind": item.kind().word(), "affordable": item.cost() <= balance,
            })
        };
        let items: Vec<Value> = Item::ALL.into_iter().map(row).collect();
        Ok(Output::new().with("balance", balance).with("items", items))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::spec::Tool;
    use crate::testing::{FakeKernel, call, engine};

    #[test]
    fn shop_lists_prices_and_affordability() {
        let purse = json!({ "earned": 9, "spent": 5 }).to_string();
        let engine = engine(FakeKernel::new().file("/temp/siyuan-mcp-puppy/coins/a.json", &purse));
        let data = call(&engine, Tool::Mascot, json!({ "action": "shop" })).unwrap().data;
        let items = data["items"].as_array().unwrap();
        assert_eq!((&data["balance"], items.len()), (&json!(4), 9));
        let bone = json!({ "item": "bone", "emoji": "🦴", "cost": 3, "kind": "food", "affordable": true });
        assert_eq!(items[0], bone);
        let affordable = items.iter().filter(|it| it["affordable"] == true).count();
        assert_eq!(affordable, 4, "bone, milk, fish and cheese");
    }
}
