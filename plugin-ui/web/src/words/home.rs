//! The texts of the panel's first page.

use puppy_core::siyuan::{Siyuan, VersionSupport};

texts! {
    /// The texts of the panel's first page.
    HomeWords:
    /// State of the server where the page can start none.
    not_here: "This page cannot start a server. See Connection.", "此页面无法启动服务，请查看“连接”。";
    /// State of the server where the page can start none and agents have called before.
    none_connected: "No server is connected.", "没有已连接的服务。";
    /// Hint of the first step.
    for_http: "Only for clients that connect over HTTP. Other clients start the server themselves.", "仅通过 HTTP 连接的客户端需要；其他客户端会自行启动。";
    pause: "Pause all", "全部暂停";
    resume: "Resume", "继续";
    paused: "Paused. Agents are refused until you resume.", "已暂停。在你继续之前，智能体的调用会被拒绝。";
    may: "What agents may do", "智能体可以做什么";
    /// The notebooks, where all have one level.
    all_at: "{n} notebooks: {level}", "{n} 个笔记本：{level}";
    /// The actions that are on.
    actions: "{n} of {all} actions are on", "已开启 {n} / {all} 个操作";
    change: "Change", "更改";
    /// Button, for screen readers.
    change_what: "Change: {what}", "更改：{what}";
    /// Nothing can be said.
    unknown: "The setting cannot be read, so nothing is allowed.", "无法读取设置，因此一律不允许。";
    calls: "Calls", "调用";
    last: "Last call", "最近一次调用";
    /// The newest call and its time.
    ago: "{action}, {time} ago", "{action}，{time}前";
    /// The last call of a client.
    by: "{client}: {what}", "{client}：{what}";
    /// Group: the steps to the first call.
    steps: "First steps", "开始使用";
    choose: "Choose what agents may do", "选择智能体可以做什么";
    say: "Ask it", "对它说";
    /// The question of that step.
    first: "List my notebooks.", "列出我的笔记本。";
    /// State of a step.
    done: "✓ Done", "✓ 已完成";
    /// State of a step.
    open: "To do", "待完成";
    /// The number of calls ever.
    in_all: "Total calls", "调用总数";
    host: "SiYuan", "思源笔记";
    version: "Version {version}", "版本 {version}";
    /// Support of a version.
    seen: "Tested with this version.", "已在此版本上测试。";
    /// Support of a version.
    older: "Should work; not tested with this older version.", "应该可用，但未在此旧版本上测试。";
    /// Support of a version.
    too_old: "This version is too old for MCP Puppy. Please update SiYuan.", "此版本过旧，不支持 MCP 小狗。请升级思源笔记。";
    /// Support of a version.
    read: "Should work; not tested with this version yet.", "应该可用，尚未在此版本上测试。";
    /// Support of a version.
    untried: "Not tested: this version is newer than MCP Puppy. Please report problems.", "未经测试：此版本比 MCP 小狗更新。如有问题请反馈。";
    /// Difference of a version.
    differs_tabs: "Tabs and mind maps are read as plain text and lists. Markdown cannot replace them: change the blocks inside them.", "标签页和思维导图会读成纯文本和列表，且不能用 Markdown 替换：请修改其中的块。";
    /// Difference of a version.
    differs_strict: "Search includes custom blocks. Renaming tags and replacing text never change a block's type.", "搜索包括自定义块。重命名标签和替换文本不会改变块的类型。";
    /// Difference of a version.
    differs_views: "Databases can have list, calendar and map views, which agents can read but not create.", "数据库可以有列表、日历和地图视图，智能体可读取，但不能新建。";
}

impl HomeWords {
    /// The support of a SiYuan version, in a sentence.
    pub fn known(&self, siyuan: Siyuan) -> &'static str {
        match siyuan.known() {
            VersionSupport::TooOld => self.too_old,
            VersionSupport::Older => self.older,
            VersionSupport::Seen => self.seen,
            VersionSupport::Read => self.read,
            VersionSupport::Untried => self.untried,
        }
    }

    /// The differences of a SiYuan version, in the order in which SiYuan introduced them.
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
            let siyuan = Siyuan::parse(version);
            assert_eq!(words.differences(siyuan).collect::<Vec<_>>(), siyuan.differences(), "{version}");
        }
        let known = ["3.6.0", "3.7.2", "3.7.3", "3.8.6", "9.0.0"].map(|it| words.known(Siyuan::parse(it)));
        assert_eq!(known, [words.too_old, words.older, words.seen, words.read, words.untried]);
    }
}
