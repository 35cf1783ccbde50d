//! The texts of questions about dangerous calls, and of what the servers say of a change.

use puppy_core::channel::{Choice, OfferedErrand, Ruling, UsedOf};
use puppy_core::spec::Verb;

texts! {
    /// The texts of questions, and of what servers hold.
    ChannelWords:
    /// Title of the dialog.
    title: "An agent asks for approval", "智能体请求许可";
    /// Below a caller that is known by its name only.
    claimed: "Known by a name that any program can claim.", "仅以名称识别，任何程序都可以冒用。";
    /// A client without a name.
    someone: "An agent", "智能体";
    waits_until: "Waits until {time}.", "等待至 {time}。";
    waits: "Waits for you.", "等待你的答复。";
    deny: "Deny", "拒绝";
    once: "Allow once", "允许一次";
    /// The answer to the question about an errand.
    allow_errand: "Allow the errand", "允许此委托";
    /// The same deed again and again, as an errand.
    errand: "Allow up to {n} for {minutes} minutes", "允许最多 {n} 次，{minutes} 分钟内";
    deny_all: "Deny all", "全部拒绝";
    /// Button that leaves the questions open.
    later: "Later", "稍后";
    /// Button that opens the dialog.
    more: "Details", "详情";
    /// Button of the first page that opens the dialog.
    answer: "Answer…", "去回答…";
    /// Message after the deed that a person allowed.
    done: "Done: {deed}.", "已完成：{deed}。";
    others: "{n} more questions are waiting.", "还有 {n} 个问题在等待。";
    other: "1 more question is waiting.", "还有 1 个问题在等待。";
    stale: "The notes have changed since the question. Nothing was done. The agent can ask again.", "提问之后笔记已更改，未执行任何操作。智能体可以再次请求。";
    failed: "Allowed, but it failed. The agent received the error.", "已允许，但执行失败。错误已返回给智能体。";
    gone: "The agent no longer waits for an answer. Nothing was done.", "智能体已不再等待答复，未执行任何操作。";
    questions: "Questions", "等待答复的问题";
    /// Number behind the name of the first page, for screen readers.
    waiting: "{n} waiting", "{n} 个等待答复";
    standing: "Errands", "委托";
    may: "{client} may {deeds}", "{client} 可{deeds}";
    /// A link to a document or block, for screen readers.
    opens: "Open {title}", "打开 {title}";
    /// The document of a link was not opened.
    unopened: "The document could not be opened.", "无法打开该文档。";
    /// An errand that an agent announced, with its own sentence.
    works: "{client} is on an errand: {purpose}", "{client} 正在执行委托：{purpose}";
    /// The place, the numbers and the remaining time of an errand.
    bounds: "{where} · {numbers} · {time} left", "{where} · {numbers} · 剩余 {time}";
    used_changes: "{used} of {most} changes", "更改 {used}/{most}";
    used_deletes: "{used} of {most} deletions of documents", "删除文档 {used}/{most}";
    one_document: "1 document and those below it", "1 个文档及其下级";
    n_documents: "{n} documents and those below them", "{n} 个文档及其下级";
    stop: "Stop", "停止";
    /// Button, for screen readers.
    stop_what: "Stop: {what}", "停止：{what}";
    held: "Applied on {n} servers.", "已在 {n} 个服务中应用。";
    held_one: "Applied on 1 server.", "已在 1 个服务中应用。";
    late: "Applied. Some servers have not responded. It takes effect there within 30 seconds.", "已应用。部分服务尚未响应，将在 30 秒内生效。";
}

impl ChannelWords {
    /// The name of a choice about a deed; that of an errand has its bounds.
    pub fn choice(&self, choice: Choice, verb: Verb, offered: Option<OfferedErrand>) -> String {
        match choice {
            Choice::Deny => self.deny.to_owned(),
            Choice::Once if verb == Verb::Errand => self.allow_errand.to_owned(),
            Choice::Once => self.once.to_owned(),
            Choice::Errand => {
                let OfferedErrand { n, minutes } = offered.unwrap_or(OfferedErrand { n: 1, minutes: 1 });
                super::fill(self.errand, &[("n", &n.to_string()), ("minutes", &minutes.to_string())])
            }
        }
    }

    /// The numbers of an errand: of its changes, and of its deletions where it may delete.
    pub fn used(&self, changes: UsedOf, deletes: UsedOf) -> String {
        let part = |text, it: UsedOf| {
            let (used, most) = (it.used.to_string(), it.most.to_string());
            (it.most > 0).then(|| super::fill(text, &[("used", &used), ("most", &most)]))
        };
        let parts = [part(self.used_changes, changes), part(self.used_deletes, deletes)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    /// The message about the outcome of an answer; `None` if the person sees the outcome.
    pub const fn ruling(&self, ruling: Ruling) -> Option<&'static str> {
        match ruling {
            Ruling::Done | Ruling::Denied => None,
            Ruling::Stale => Some(self.stale),
            Ruling::Failed => Some(self.failed),
            Ruling::Expired | Ruling::Gone => Some(self.gone),
        }
    }

    /// The text of an errand that a question offered; a client without a name has a general one.
    pub fn who_may(&self, client: &str, deeds: &str) -> String {
        let client = if client.is_empty() { self.someone } else { client };
        super::fill(self.may, &[("client", client), ("deeds", deeds)])
    }

    /// The text of an errand that an agent announced, with its purpose in quotes.
    pub fn who_works(&self, client: &str, purpose: &str) -> String {
        let client = if client.is_empty() { self.someone } else { client };
        super::fill(self.works, &[("client", client), ("purpose", purpose)])
    }

    /// The documents of an errand; none where it covers notebooks.
    pub fn documents(&self, n: usize) -> Option<String> {
        match n {
            0 => None,
            1 => Some(self.one_document.to_owned()),
            n => Some(super::fill(self.n_documents, &[("n", &n.to_string())])),
        }
    }

    /// The number of further questions; empty for none.
    pub fn others(&self, n: usize) -> String {
        match n {
            0 => String::new(),
            1 => self.other.to_owned(),
            _ => super::fill(self.others, &[("n", &n.to_string())]),
        }
    }

    /// The number of servers that hold a change.
    pub fn held(&self, n: usize) -> String {
        if n == 1 { self.held_one.to_owned() } else { super::fill(self.held, &[("n", &n.to_string())]) }
    }
}
