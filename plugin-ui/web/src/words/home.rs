//! The texts of the panel's first page.

use puppy_core::siyuan::{Known, Siyuan};

texts! {
    /// The texts of the panel's first page.
    HomeWords:
    /// State of the server where the page can start none.
    not_here: "This page cannot start the server. Connection says how.", "此页面无法启动服务，方法见“连接”。";
    /// Button.
    pause: "Pause all", "全部暂停";
    /// Button.
    resume: "Resume", "继续";
    /// Notice.
    paused: "Paused by you. Agents get “paused”.", "已暂停。智能体会收到“已暂停”。";
    /// Group.
    may: "What agents may do", "智能体可以做什么";
    /// The notebooks of each level.
    levels: "{none} none · {r} read · {rw} write · {rwd} delete", "不可访问 {none} · 只读 {r} · 读写 {rw} · 读写删 {rwd}";
    /// The actions that are on.
    actions: "{n} of {all} actions are on", "已开启 {n} / {all} 个操作";
    /// Button.
    change: "Change", "更改";
    /// Button, for screen readers.
    change_what: "Change: {what}", "更改：{what}";
    /// Nothing can be said.
    unknown: "It cannot be read, so nothing is allowed.", "无法读取，因此一律不允许。";
    /// Group.
    calls: "Calls", "调用";
    /// The newest call.
    last: "The last one", "最近一次";
    /// The newest call and its time.
    ago: "{action}, {time} ago", "{action}，{time}前";
    /// Outcome.
    failed: "failed", "失败";
    /// Outcome.
    waits: "waits for a yes", "等待同意";
    /// Nobody has called.
    none_yet: "None yet. Connect a client and ask it: “List my notebooks.”", "还没有。连接一个客户端，然后问它：“列出我的笔记本。”";
    /// The number of calls ever.
    in_all: "In all", "总计";
    /// Group.
    host: "SiYuan", "思源笔记";
    /// Version.
    version: "Version {version}", "版本 {version}";
    /// How well a version is known.
    seen: "MCP Puppy was seen working with it.", "MCP 小狗已在此版本上验证可用。";
    /// How well a version is known.
    older: "It is older than the version that MCP Puppy was seen working with: untried.", "此版本比 MCP 小狗验证过的版本旧，未经测试。";
    /// How well a version is known.
    too_old: "It is too old for MCP Puppy: please update SiYuan.", "此版本过旧，不支持 MCP 小狗：请升级思源笔记。";
    /// How well a version is known.
    read: "MCP Puppy was made for it from its public sources, and not seen working with it.", "MCP 小狗根据其公开源码适配此版本，尚未实际验证。";
    /// How well a version is known.
    untried: "It is newer than all that MCP Puppy knows: untried. Please report what does not work.", "此版本比 MCP 小狗已知的都新，未经测试。如有问题请反馈。";
    /// What is different there.
    differs_tabs: "Tabs and mind maps read as plain text and lists, and no Markdown replaces them: change the blocks inside them.", "标签页和思维导图会读成纯文本和列表，且不能用 Markdown 替换：请修改其中的块。";
    /// What is different there.
    differs_strict: "Custom blocks are searched. Renaming tags and replacing text never change a block's type.", "自定义块可被搜索。重命名标签和替换文本不会改变块的类型。";
    /// What is different there.
    differs_views: "Databases may have list, calendar and map views; they can be read, not made.", "数据库可以有列表、日历和地图视图；可读取，不能新建。";
}

impl HomeWords {
    /// How well a version of SiYuan is known.
    pub fn known(&self, siyuan: Siyuan) -> &'static str {
        match siyuan.known() {
            Known::TooOld => self.too_old,
            Known::Older => self.older,
            Known::Seen => self.seen,
            Known::Read => self.read,
            Known::Untried => self.untried,
        }
    }

    /// What is different with a version of SiYuan, in the order in which the differences came.
    pub fn differences(&self, siyuan: Siyuan) -> impl Iterator<Item = &'static str> + use<> {
        let all = [self.differs_tabs, self.differs_strict, self.differs_views];
        all.into_iter().take(siyuan.differences().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page tells what `system.get_info` tells agents.
    #[test]
    fn differences_are_those_that_agents_are_told() {
        let words = HomeWords::of("en");
        for version in ["3.7.3", "3.8.3", "3.8.4", "3.8.6", "9.0.0"] {
            let siyuan = Siyuan::told(version);
            assert_eq!(words.differences(siyuan).collect::<Vec<_>>(), siyuan.differences(), "{version}");
        }
        let known = ["3.6.0", "3.7.2", "3.7.3", "3.8.6", "9.0.0"].map(|it| words.known(Siyuan::told(it)));
        assert_eq!(known, [words.too_old, words.older, words.seen, words.read, words.untried]);
    }
}
