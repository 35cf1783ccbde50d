//! The texts of the activity page.

texts! {
    /// The texts of the activity page. [`fill`](super::fill) replaces the names in braces.
    ActivityWords:
    /// Below the title.
    privacy: "Only counts and times are kept. Never your text.", "只记录次数和时间，从不记录内容。";
    /// Without a call.
    none: "No calls yet. Connect a client.", "还没有调用，先连接一个客户端。";
    /// No call passes the filter.
    no_match: "No call matches the filter.", "没有符合筛选条件的调用。";
    /// Lines that cannot be read.
    unread: "Lines that could not be read and are left out: {n}.", "无法读取而被略过的行数：{n}。";
    /// Calls beyond the most that are read.
    too_many: "Older calls are left out: the newest {n} were read.", "更早的调用未计入：只读取了最新的 {n} 次。";
    /// The sums.
    sums: "Calls: {calls} · {errors} % failed · {ms} ms on average · ≈ {tokens} tokens", "{calls} 次调用 · {errors} % 失败 · 平均 {ms} 毫秒 · 约 {tokens} 个词元";
    /// Label.
    period: "Period", "时间范围";
    /// Choice.
    day: "Today", "今天";
    /// Choice.
    year: "A year", "一年";
    /// Label.
    result: "Result", "结果";
    /// Choice.
    all: "All results", "所有结果";
    /// Choice.
    all_sources: "All sources", "所有来源";
    /// Choice.
    only_done: "Done", "成功";
    /// Choice.
    only_bad: "Failed or not allowed", "失败或不允许";
    /// Label.
    source: "Source", "来源";
    /// The question.
    clear_ask: "The record of every call is removed for good. Coins and the number of all calls stay. Clear it?", "将永久删除所有调用记录。金币和调用总数会保留。要清除吗？";
    /// Said afterwards.
    cleared: "Cleared.", "已清除。";
    /// Said where it failed.
    not_cleared: "Not cleared: {why}", "未清除：{why}";
    /// The chart for screen readers.
    chart_said: "Calls a day: {calls} in all, at most {most} on {date}.", "每日调用：共 {calls} 次，{date} 最多，为 {most} 次。";
    /// The map for screen readers.
    map_said: "Calls in a year: {calls}. Days with calls: {days}.", "一年内的调用：{days} 天共 {calls} 次。";
    /// Around the legend of the map.
    less: "less", "少";
    /// Around the legend of the map.
    more: "more", "多";
    /// In the legend of the bars.
    calls: "calls", "调用";
    /// Opens the table.
    as_table: "Show as table", "以表格显示";
    /// Column.
    date: "Day", "日期";
    /// Column.
    time: "Time", "时间";
    /// Column.
    action: "Action", "操作";
    /// Column.
    place: "Where", "位置";
    /// Column.
    took: "Took", "用时";
    /// Duration.
    ms: "{n} ms", "{n} 毫秒";
    /// End.
    runs: "running", "运行中";
    /// End.
    done: "done", "完成";
    /// End.
    cancelled: "cancelled", "已取消";
    /// End.
    waits: "waits for you", "等待你";
    /// End.
    denied: "not allowed", "不允许";
    /// End.
    failed: "failed", "失败";
    /// Transport.
    cli: "command line", "命令行";
    /// Transport.
    panel: "this page", "本页面";
    /// Title.
    recent: "Recent calls", "最近的调用";
    /// Label of the filter.
    filter_calls: "Filter actions", "筛选操作";
    /// Button.
    export_calls: "Export as CSV", "导出为 CSV";
    /// Button.
    clear: "Clear…", "清除…";
    /// Title of the question.
    clear_title: "Clear the activity", "清除活动记录";
    /// Title.
    chart: "Calls a day", "每日调用";
    /// Title.
    map: "A year", "一年";
    /// Title.
    top: "Most used actions", "最常用的操作";
}

impl ActivityWords {
    /// The name of a transport.
    pub fn transport(&self, word: &'static str) -> &'static str {
        match word {
            "http" => "HTTP",
            "cli" => self.cli,
            "panel" => self.panel,
            word => word,
        }
    }
}
