//! The texts of the puppy's menu, card and shop; they load with it at the page's start.

use puppy_core::activity::shop::ShopItem;
use puppy_core::activity::stats::Mood;

texts_at_start! {
    /// The texts of menu, card and shop.
    TouchWords:
    /// Between the parts of a line.
    dot: " · ", "・";
    today: "{n} calls today", "今天 {n} 次调用";
    /// One call since midnight.
    today_one: "1 call today", "今天 1 次调用";
    coins: "{n} coins", "{n} 枚金币";
    coin: "1 coin", "1 枚金币";
    feed: "Feed", "喂食";
    shop: "Shop", "商店";
    pause: "Pause all agents", "暂停所有智能体";
    resume: "Resume all agents", "让智能体继续";
    hide_hour: "Hide for 1 hour", "隐藏 1 小时";
    hide: "Hide", "隐藏";
    /// Menu: to its first place.
    corner: "Call to the corner", "叫回角落";
    /// Leads to the newest run of an agent.
    run: "What the agent changed", "智能体改了什么";
    end_errand: "Stop the errand", "停止委托";
    settings: "Settings", "设置";
    hidden: "Run \"Show the puppy\" from the command palette to bring it back.", "在命令面板中执行“显示小狗”可让它回来。";
    /// Button that closes a card.
    close: "Close", "关闭";
    /// An item that cannot be paid yet.
    missing: "{n} more needed", "还差 {n} 次调用";
    /// The kernel did not answer, or did not take it.
    not_bought: "SiYuan did not answer. Nothing was bought.", "思源没有响应，未购买。";
    /// The person's workspace cannot be written.
    readonly: "SiYuan is read-only.", "思源处于只读模式。";
    happy: "happy", "开心";
    content: "content", "满足";
    hungry: "would not mind a bite", "有点饿了";
    asleep: "asleep", "睡着了";
    bone: "Bone", "骨头";
    milk: "Milk", "牛奶";
    fish: "Fish", "鱼";
    cheese: "Cheese", "奶酪";
    kibble: "Kibble", "肉粮";
    drumstick: "Drumstick", "鸡腿";
    ball: "Ball", "球";
    bow: "Bow", "蝴蝶结";
    cake: "Cake", "蛋糕";
    /// Hint of an item.
    cake_hint: "happy for the whole evening", "整晚都开心";
    /// Hint of an item.
    bow_hint: "to wear", "可佩戴";
    /// Hint of an item that was bought.
    worn: "wearing it", "佩戴中";
    /// Hint of an item.
    ball_hint: "to play with", "可玩耍";
}

impl TouchWords {
    /// The name of an item.
    pub const fn item(&self, item: ShopItem) -> &'static str {
        match item {
            ShopItem::Bone => self.bone,
            ShopItem::Milk => self.milk,
            ShopItem::Fish => self.fish,
            ShopItem::Cheese => self.cheese,
            ShopItem::Kibble => self.kibble,
            ShopItem::Drumstick => self.drumstick,
            ShopItem::Ball => self.ball,
            ShopItem::Bow => self.bow,
            ShopItem::Cake => self.cake,
        }
    }

    /// The hint of an item; most have none.
    pub const fn hint(&self, item: ShopItem) -> &'static str {
        match item {
            ShopItem::Cake => self.cake_hint,
            ShopItem::Bow => self.bow_hint,
            ShopItem::Ball => self.ball_hint,
            _ => "",
        }
    }

    /// The name of a mood.
    pub const fn mood(&self, mood: Mood) -> &'static str {
        match mood {
            Mood::Happy => self.happy,
            Mood::Content => self.content,
            Mood::Hungry => self.hungry,
            Mood::Asleep => self.asleep,
        }
    }

    /// A number of calls today.
    pub fn calls(&self, n: u64) -> String {
        count(self.today_one, self.today, n)
    }

    /// A number of coins.
    pub fn purse(&self, n: u64) -> String {
        count(self.coin, self.coins, n)
    }
}

/// A number stays with its word.
fn count(one: &str, many: &str, n: u64) -> String {
    let text = if n == 1 { one.to_owned() } else { super::fill(many, &[("n", &n.to_string())]) };
    text.replace(' ', "\u{a0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_use_singular_and_plural() {
        let words = TouchWords::of("en");
        assert_eq!([0, 1, 2].map(|n| words.purse(n)), ["0\u{a0}coins", "1\u{a0}coin", "2\u{a0}coins"]);
        assert_eq!(words.calls(1), "1\u{a0}call\u{a0}today");
    }
}
