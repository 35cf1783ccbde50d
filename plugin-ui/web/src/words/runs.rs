//! The texts of the runs.

use super::fill;

texts! {
    /// The texts of the runs. [`fill`](super::fill) replaces the names in braces.
    RunsWords:
    title: "Runs", "运行";
    about: "A run is the work of one agent until it changes nothing for ten minutes.", "一次运行是一个智能体的连续工作，十分钟没有更改即结束。";
    none: "No agent has changed anything yet.", "还没有智能体更改过内容。";
    not_read: "The runs could not be read. {why}", "无法读取运行记录。{why}";
    more: "Show older runs", "显示更早的运行";
    comma: ", ", "，";
    /// Between the numbers of a run and what happened.
    colon: ": ", "：";
    document: "1 document", "1 个文档";
    documents: "{n} documents", "{n} 个文档";
    change: "1 change", "1 项更改";
    changes: "{n} changes", "{n} 项更改";
    n_changed: "{n} changed", "修改 {n} 个";
    n_created: "{n} created", "新建 {n} 个";
    n_moved: "{n} moved", "移动 {n} 个";
    n_removed: "{n} removed", "删除 {n} 个";
    n_unfinished: "{n} unfinished", "未完成 {n} 个";
    n_row: "1 database row", "1 行数据库条目";
    n_rows: "{n} database rows", "{n} 行数据库条目";
    n_file: "1 file", "1 个文件";
    n_files: "{n} files", "{n} 个文件";
    /// The mark of a run that put back another one, and of one that was put back.
    puts_back: "put a run back", "放回了一次运行";
    is_put_back: "put back", "已放回";
    more_document: "1 more document", "另有 1 个文档";
    more_documents: "{n} more documents", "另有 {n} 个文档";
    /// The change of a document.
    was_changed: "changed", "已修改";
    was_created: "created", "已新建";
    was_moved: "moved", "已移动";
    was_removed: "removed", "已删除";
    was_unfinished: "unfinished", "未完成";
    /// The author of a run.
    you: "You", "你";
    a_person: "A person", "用户";
    an_agent: "An agent", "智能体";
    /// The title of a document that does not exist now.
    gone: "A document that no longer exists", "已不存在的文档";
    open: "Open", "打开";
    /// The name of a button for screen readers.
    open_titled: "Open {title}", "打开“{title}”";
    single: "Single changes", "逐项更改";
    put_back_run: "Put the run back…", "放回整次运行…";
    put_back: "Put back…", "放回…";
    put_back_now: "Put back", "放回";
    leave: "Cancel", "取消";
    plan_changed: "Something has changed in the meantime. Please look again.", "期间内容有变化，请再看一遍。";
    goes: "Goes back:", "将放回：";
    is_restored: "{title}: is restored", "{title}：将恢复";
    is_moved_back: "{title}: moves back", "{title}：将移回原处";
    is_removed: "{title}: is deleted", "{title}：将删除";
    gets_text: "{title}: gets its earlier text", "{title}：将恢复之前的文字";
    gets_database: "{title}: its database gets its earlier state", "{title}：其中的数据库将恢复之前的状态";
    stays: "Stays as it is:", "保持不变：";
    stays_whole: "{title}: {why}", "{title}：{why}";
    stays_block: "{title}, 1 block: {why}", "{title}，1 个块：{why}";
    stays_blocks: "{title}, {n} blocks: {why}", "{title}，{n} 个块：{why}";
    changed_since: "changed since", "之后又被修改";
    database_changed_since: "a database in it changed since", "其中的数据库之后又被修改";
    moved_since: "moved since", "之后又被移动";
    gone_since: "deleted since", "之后被删除";
    back_since: "it is there again", "已重新存在";
    has_documents: "there are documents below it", "下面还有文档";
    no_place: "the document above it has moved", "上级文档已不在原处";
    no_version: "there is no version from before the run", "没有运行前的版本";
    no_level: "its notebook is closed", "所在笔记本已关闭";
    elsewhere: "a block of it is in another document now", "其中的块现在位于另一个文档";
    unfinished: "the server ended while it was changed; put this document back on its own", "服务在更改过程中结束；请单独放回此文档";
    unreadable: "its file cannot be compared", "文件无法比较";
    irreversible: "part of its change cannot be put back", "部分更改无法放回";
    overwrites: "Later changes by others in these documents will be lost:", "以下文档中其他人之后的更改将丢失：";
    never_one: "1 change to something else, such as a database or a file, cannot be put back.", "另有 1 项对数据库、文件等的更改无法放回。";
    never: "{n} changes to something else, such as databases or files, cannot be put back.", "另有 {n} 项对数据库、文件等的更改无法放回。";
    is_final: "Part of this cannot be put back again.", "其中一部分无法再次放回。";
    nothing: "Nothing can be put back.", "没有可以放回的内容。";
    done_one: "1 document was put back. This is a run of its own, which you can put back too.", "已放回 1 个文档。这也是一次运行，同样可以放回。";
    done: "{n} documents were put back. This is a run of its own, which you can put back too.", "已放回 {n} 个文档。这也是一次运行，同样可以放回。";
    not_back: "Could not be put back:", "未能放回：";
    failed: "That did not work. {why}", "操作失败。{why}";
    /// The name of the comparison for screen readers.
    difference: "Difference: the version from before the run, and now", "差异：运行前的版本与现在";
    same: "The text is the same as before the run. Properties or a database in it may have changed.", "文字与运行前相同，属性或其中的数据库可能已更改。";
    same_moved: "The text is the same as before the run; only the place of the document changed.", "文字与运行前相同，只改变了文档的位置。";
    no_version_text: "There is no version from before the run.", "没有运行前的版本。";
    unread: "The versions could not be read.", "无法读取版本。";
    more_blocks: "Only the first {most} changed blocks are shown; {n} more are not.", "只显示前 {most} 个有更改的块，另有 {n} 个未显示。";
    /// The title of the answer.
    who: "Who wrote this", "这是谁写的";
    wrote: "{name}, {time}: {action}", "{name}，{time}：{action}";
    wrote_since: "A person changed this block since.", "之后由用户修改过此块。";
    wrote_none: "No run of an agent has changed this block.", "没有智能体的运行更改过此块。";
    open_run: "Open the run", "打开这次运行";
}

impl RunsWords {
    /// A number in a sentence that has another form for one.
    pub fn counted(&self, n: usize, one: &'static str, many: &'static str) -> String {
        if n == 1 { one.to_owned() } else { fill(many, &[("n", &n.to_string())]) }
    }

    /// The sentence below a document whose text is as it was before.
    pub fn same_text(&self, word: &str) -> &'static str {
        if word == "moved" { self.same_moved } else { self.same }
    }

    /// The change of a document, in words.
    pub fn was(&self, word: &str) -> &'static str {
        match word {
            "created" => self.was_created,
            "moved" => self.was_moved,
            "removed" => self.was_removed,
            "unfinished" => self.was_unfinished,
            _ => self.was_changed,
        }
    }
}
