//! The words of runs and of putting them back.

use super::{Language, language};

texts! {
    /// The words of runs.
    RunWords:
    no_runs: "There are no runs. A run begins when an agent changes something.", "没有运行。智能体更改内容时，就会开始一次运行。";
    nothing_put_back: "Nothing was put back.", "没有放回任何内容。";
    as_before: "There is nothing to put back.", "没有需要放回的内容。";
    put_back_one: "1 document put back.", "已放回 1 篇文档。";
    put_back_many(n): "{n} documents put back.", "已放回 {n} 篇文档。";
    other_changes(actions): "other changes ({actions})", "其他更改（{actions}）";
    unfinished(actions): "unfinished ({actions})", "未完成（{actions}）";
    with_titles(counts, titles): "{counts} ({titles})", "{counts}（{titles}）";
    with_more(counts, titles, more): "{counts} ({titles} and {more} more)", "{counts}（{titles}，另有 {more} 篇）";
    one_document(change): "1 document {change}", "{change} 1 篇文档";
    many_documents(n, change): "{n} documents {change}", "{change} {n} 篇文档";
    documents_of(n, each): "{n} documents: {each}", "{n} 篇文档：{each}";
    one_of_them(n, change): "{n} {change}", "{change} {n} 篇";
    puts_back(run): "puts back {run}", "放回运行 {run}";
    is_put_back: "put back", "已放回";
}

impl RunWords {
    /// So many documents with their change.
    pub(crate) fn documents(self, n: u64, change: &str) -> String {
        let change = changed(change);
        if n == 1 { self.one_document(change) } else { self.many_documents(n, change) }
    }

    /// So many of several documents.
    pub(crate) fn of_them(self, n: u64, change: &str) -> String {
        self.one_of_them(n, changed(change))
    }

    /// The mark between two parts of a sentence.
    pub(crate) const fn semicolon(self) -> &'static str {
        match self.0 {
            Language::English => "; ",
            Language::Chinese => "；",
        }
    }
}

/// The change of a document, as answers name it.
fn changed(change: &str) -> &str {
    match (language(), change) {
        (Language::Chinese, "created") => "新建",
        (Language::Chinese, "changed") => "更改",
        (Language::Chinese, "moved") => "移动",
        (Language::Chinese, "removed") => "删除",
        (Language::Chinese, "unfinished") => "未完成",
        (_, other) => other,
    }
}
