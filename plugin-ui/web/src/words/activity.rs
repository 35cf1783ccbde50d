//! The texts of the activity page.

use puppy_core::agents::OWN_AGENT;
use puppy_core::error::ErrorType;

use crate::state::calls::End;

texts! {
    /// The texts of the activity page. [`fill`](super::fill) replaces the names in braces.
    ActivityWords:
    privacy: "Stores counts, times, ids and client names, never your text. The titles of deleted documents are kept for the newest calls.", "只记录次数、时间、ID 和客户端名称，不记录内容；最近的调用会保留已删除文档的标题。";
    calls_title: "Calls", "调用";
    /// For the search of the panel.
    undo: "Undo what an agent changed", "撤销智能体的更改";
    none: "No calls yet. Connect a client.", "还没有调用，先连接一个客户端。";
    /// No call passes the filter.
    no_match: "No call matches the filter.", "没有符合筛选条件的调用。";
    /// Lines that cannot be read.
    unread: "{n} unreadable lines were skipped.", "已跳过 {n} 行无法读取的记录。";
    /// Calls beyond the most that are read.
    too_many: "Only the newest {n} calls are shown.", "只显示最新的 {n} 次调用。";
    sums: "Calls: {calls} · {errors} % failed · {ms} ms on average · ≈ {tokens} tokens", "{calls} 次调用 · {errors} % 失败 · 平均 {ms} 毫秒 · 约 {tokens} 个 token";
    period: "Period", "时间范围";
    day: "Today", "今天";
    year: "Past year", "近一年";
    result: "Result", "结果";
    all: "All results", "所有结果";
    all_sources: "All sources", "所有来源";
    only_done: "Done", "成功";
    only_bad: "Failed or not allowed", "失败或不允许";
    source: "Source", "来源";
    /// The way in which an agent is known.
    proved: "known by its token", "以令牌识别";
    claimed: "known by a name that any program can claim", "以名称识别，任何程序都可以冒用";
    clear_ask: "This permanently deletes the record of all calls. Coins and the total number of calls are kept. Clear it?", "将永久删除所有调用记录，金币和调用总数会保留。要清除吗？";
    cleared: "Cleared.", "已清除。";
    /// Said where it failed.
    not_cleared: "Not cleared: {why}", "未清除：{why}";
    /// The chart for screen readers.
    chart_said: "Calls per day: {calls} in total, at most {most} on {date}.", "每日调用：共 {calls} 次，{date} 最多，为 {most} 次。";
    /// The map for screen readers.
    map_said: "Calls in a year: {calls}. Days with calls: {days}.", "一年内的调用：{days} 天共 {calls} 次。";
    /// Around the legend of the map.
    less: "less", "少";
    /// Around the legend of the map.
    more: "more", "多";
    /// In the legend of the bars.
    calls: "calls", "调用";
    as_table: "Show as table", "以表格显示";
    date: "Day", "日期";
    time: "Time", "时间";
    action: "Action", "操作";
    place: "Where", "位置";
    took: "Duration", "用时";
    ms: "{n} ms", "{n} 毫秒";
    runs: "running", "运行中";
    done: "done", "完成";
    cancelled: "cancelled", "已取消";
    waits: "waits for you", "等待你";
    asked: "needs approval", "需要批准";
    lapsed: "expired", "已过期";
    refused: "you denied it", "你拒绝了";
    expired: "you did not answer", "你未答复";
    paused: "refused: agents paused", "已拒绝：智能体暂停中";
    /// Duration of a call that waited.
    ms_waited: "{n} ms, waited {waited} s for you", "{n} 毫秒，等待你 {waited} 秒";
    /// Place of a deleted document.
    /// The name of a button for screen readers.
    open_doc: "Open {name}", "打开“{name}”";
    /// The tooltip of a deleted document.
    to_runs: "Show the runs, which can be put back", "显示可以放回的运行";
    deleted_doc: "{title} (deleted)", "{title}（已删除）";
    agent: "Agent", "智能体";
    denied: "not allowed", "不允许";
    failed: "failed", "失败";
    /// Reason of a failure.
    not_found: "not found", "未找到";
    /// Reason of a failure.
    wrong_arguments: "wrong arguments", "参数有误";
    /// Reason of a failure.
    conflict: "changed meanwhile", "内容已被更改";
    /// Reason of a failure.
    api: "SiYuan returned an error", "思源返回错误";
    /// Reason of a failure.
    unreachable: "SiYuan did not answer", "思源没有响应";
    /// Reason of a failure.
    token: "SiYuan refused the token", "思源拒绝了令牌";
    /// Reason of a failure.
    no_page: "no SiYuan page was open", "没有打开的思源页面";
    /// Reason of a failure.
    internal: "internal error", "内部错误";
    cli: "command line", "命令行";
    panel: "this page", "本页面";
    recent: "Recent calls", "最近的调用";
    /// Label of the filter.
    filter_calls: "Filter actions and agents", "筛选操作和智能体";
    export_calls: "Export as CSV", "导出为 CSV";
    clear: "Clear…", "清除…";
    /// Title of the question.
    clear_title: "Clear the activity", "清除活动记录";
    chart: "Calls per day", "每日调用";
    map: "Past year", "近一年";
    top: "Most used actions", "最常用的操作";
}

impl ActivityWords {
    /// The sign, the name and the class of an end.
    pub const fn end(&self, end: &End) -> (&'static str, &'static str, &'static str) {
        match end {
            End::Runs => ("…", self.runs, ""),
            End::Done => ("✓", self.done, "pup-good"),
            End::Cancelled => ("–", self.cancelled, ""),
            End::Waits => ("⚠\u{fe0e}", self.waits, "pup-warned"),
            End::Asked => ("⚠\u{fe0e}", self.asked, ""),
            End::Lapsed => ("–", self.lapsed, ""),
            End::Refused => ("✗", self.refused, "pup-failure"),
            End::Expired => ("–", self.expired, "pup-failure"),
            End::Paused => ("⊘", self.paused, "pup-failure"),
            End::Denied => ("⊘", self.denied, "pup-failure"),
            End::Failed(_) => ("✗", self.failed, "pup-failure"),
        }
    }

    /// The reason of a failure by the type of its error.
    pub fn reason(&self, error_type: &str) -> String {
        let known = [
            (ErrorType::NotFound, self.not_found),
            (ErrorType::Validation, self.wrong_arguments),
            (ErrorType::Conflict, self.conflict),
            (ErrorType::Api, self.api),
            (ErrorType::KernelUnreachable, self.unreachable),
            (ErrorType::KernelAuth, self.token),
            (ErrorType::NoFrontend, self.no_page),
            (ErrorType::Internal, self.internal),
        ];
        let reason = known.into_iter().find(|(kind, _)| kind.word() == error_type);
        reason.map_or_else(|| error_type.replace('_', " "), |(_, reason)| reason.to_owned())
    }

    /// The name of a transport.
    pub fn transport(&self, word: &'static str) -> &'static str {
        match word {
            "http" => "HTTP",
            "cli" => self.cli,
            "panel" => self.panel,
            "siyuan" => OWN_AGENT,
            word => word,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_have_reasons_for_people() {
        let words = ActivityWords::of("en");
        assert_eq!(words.reason("not_found"), "not found");
        assert_eq!(words.reason("validation_error"), "wrong arguments");
        assert_eq!(words.reason("error_of_tomorrow"), "error of tomorrow");
    }
}
