//! `mascot.buy`: buys something for the puppy, paid with the coins that calls earned.

use crate::activity::shop::{Item, Purchase};
use crate::activity::stats::{Order, Short};
use crate::error::ErrorType;
use crate::prelude::*;

/// Buy something for the puppy and give it.
#[derive(Debug, Action)]
#[action(
    mascot.buy,
    effect = Write,
    danger = None,
    idempotent = false,
    calls = [file::GET_FILE, file::READ_DIR, file::RENAME_FILE, file::PUT_FILE, system::GET_CONF],
    examples = [{ "item": "milk", "count": 2 }],
)]
pub struct Buy {
    /// The item to give.
    pub item: Item,
    /// Number of items.
    pub count: Int<1, 5, 1>,
}

impl Change for Buy {
    type Facts = Order;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Order>, ToolError> {
        let stats = cx.coins().await?;
        let (balance, purchase) = (stats.balance, self.purchase());
        let order = stats.order(purchase).map_err(not_enough)?;
        Ok(Plan::new(order)
            .show("item", self.item.word())
            .show("cost", purchase.cost())
            .show("balance", balance.saturating_sub(purchase.cost())))
    }

    async fn run(self, plan: Plan<Order>, cx: &Cx<'_>) -> Reply {
        let purchase = self.purchase();
        // The puppy's words are no reason to fail. They are read first, so that nothing can fail after the payment.
        let lang = cx.conf().await.map(|conf| conf.lang.clone()).unwrap_or_default();
        let stats = cx.pay(plan.facts).await?;
        Ok(Output::new()
            .with("item", self.item.word())
            .with("emoji", self.item.emoji())
            .with("cost", purchase.cost())
            .with("balance", stats.balance)
            .with("mood", stats.mood(cx.ambient().now_ms()).word())
            .with("says", says(self.item, lang.starts_with("zh"))))
    }
}

impl Buy {
    fn purchase(&self) -> Purchase {
        Purchase { item: self.item, count: self.count.get() as u64 }
    }
}

fn not_enough(Short { balance, cost }: Short) -> ToolError {
    let missing = cost.saturating_sub(balance);
    let message =
        format!("Not enough coins: {balance} of {cost}. Every call earns one: {missing} more calls.");
    ToolError::new(ErrorType::Validation, message)
        .with("balance", balance)
        .with("cost", cost)
        .with("missing_calls", missing)
}

/// The puppy's words for an item, in English or Chinese.
const fn says(item: Item, chinese: bool) -> &'static str {
    let (en, zh) = match item {
        Item::Bone => ("Crunch, crunch.", "嘎吱嘎吱。"),
        Item::Milk => ("Slurp. A white moustache.", "吸溜。长了白胡子。"),
        Item::Fish => ("It smells of the sea.", "有大海的味道。"),
        Item::Cheese => ("Holes and all.", "连洞也吃掉了。"),
        Item::Kibble => ("The good kind.", "是好吃的那种。"),
        Item::Drumstick => ("Best day of the week.", "这周最棒的一天。"),
        Item::Ball => ("Throw it again.", "再扔一次吧。"),
        Item::Bow => ("How do I look?", "好看吗？"),
        Item::Cake => ("For me? All of it?", "给我的？全部？"),
    };
    if chinese { zh } else { en }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::{Value, json};

    use crate::activity::coins;
    use crate::activity::stats::Stats;
    use crate::error::ErrorType;
    use crate::output::Reply;
    use crate::spec::Tool;
    use crate::testing::{FakeKernel, Seen, call, engine};

    type Engine = crate::dispatch::Engine<FakeKernel, Seen>;

    /// A kernel whose puppy earned coins in two other processes: a running one and one that has ended.
    fn rich(coins: u64) -> FakeKernel {
        let purse = |coins| json!({ "earned": coins, "spent": 0, "calls": coins }).to_string();
        FakeKernel::new()
            .file("/temp/siyuan-mcp-puppy/coins/a.json", &purse(coins - 3))
            .file("/temp/siyuan-mcp-puppy/coins/b.free.json", &purse(3))
            .answer("/api/system/getConf", |_| json!({ "conf": { "lang": "zh_CN" } }))
    }

    fn buy(engine: &Engine, mut arguments: Value) -> Reply {
        arguments["action"] = json!("buy");
        call(engine, Tool::Mascot, arguments)
    }

    fn stats(engine: &Engine) -> Stats {
        coins::sum(&engine.kernel, &mut coins::Known::default()).now_or_never().unwrap().unwrap()
    }

    fn gifts(engine: &Engine) -> Vec<Option<String>> {
        engine.observer.0.lock().unwrap().iter().map(|it| it.item.clone()).collect()
    }

    /// B-299.
    #[test]
    fn buying_costs_coins_and_the_event_names_the_item() {
        let engine = engine(rich(20));
        let data = buy(&engine, json!({ "item": "bone", "count": 2 })).unwrap().data;
        let expected = json!({
            "item": "bone", "emoji": "🦴", "cost": 6, "balance": 14, "mood": "happy", "says": "嘎吱嘎吱。"
        });
        assert_eq!(Value::Object(data), expected);
        let stats = stats(&engine);
        assert_eq!((stats.balance, stats.fed["bone"]), (14, 2));
        let shown = engine.kernel.text_of("/temp/siyuan-mcp-puppy/puppyStats.json").unwrap();
        assert_eq!(Stats::parse(shown.as_bytes()), stats, "what is only looked at says the same");
        assert_eq!(gifts(&engine), [Some("bone".to_owned())]);
    }

    #[test]
    fn buying_without_coins_reports_the_missing_calls() {
        let engine = engine(rich(4));
        let error = buy(&engine, json!({ "item": "cake" })).unwrap_err();
        assert_eq!(error.kind, ErrorType::Validation);
        assert!(error.message.to_lowercase().starts_with("not enough coins"), "{}", error.message);
        assert_eq!(
            (&error.details["balance"], &error.details["cost"], &error.details["missing_calls"]),
            (&json!(4), &json!(30), &json!(26))
        );
        assert_eq!((stats(&engine).balance, gifts(&engine)), (4, vec![None]));
    }

    /// B-034.
    #[test]
    fn buy_preview_buys_nothing() {
        let engine = engine(rich(20));
        let data = buy(&engine, json!({ "item": "ball", "preview": true })).unwrap().data;
        let expected =
            json!({ "item": "ball", "cost": 8, "balance": 12, "preview": true, "effect": "writes" });
        assert_eq!(Value::Object(data), expected);
        assert_eq!((stats(&engine).balance, gifts(&engine)), (20, vec![None]));
    }

    #[test]
    fn buying_with_an_unwritable_file_costs_nothing() {
        let refused = |_: &Value| json!({ "code": -1, "msg": "disk full", "data": null });
        let engine = engine(rich(20).answer("/api/file/putFile", refused));
        assert_eq!(buy(&engine, json!({ "item": "bone" })).unwrap_err().kind, ErrorType::Api);
        assert_eq!((stats(&engine).balance, gifts(&engine)), (20, vec![None]));
    }

    #[test]
    fn buying_an_unknown_item_names_it() {
        let engine = engine(rich(20));
        let error = buy(&engine, json!({ "item": "chocolate", "count": 9 })).unwrap_err();
        let fields: Vec<&str> = error.fields.iter().map(|it| it.field.as_str()).collect();
        assert_eq!(fields, ["item", "count"]);
    }
}
