//! The words around an answer: values, times, pages, and notes beside it.

texts! {
    /// The words around an answer.
    AnswerWords:
    yes: "yes", "是";
    no: "no", "否";
    none: "none", "无";
    now: "now", "现在";
    just_now: "just now", "刚刚";
    minute_ago: "1 minute ago", "1 分钟前";
    minutes_ago(n): "{n} minutes ago", "{n} 分钟前";
    hour_ago: "1 hour ago", "1 小时前";
    hours_ago(n): "{n} hours ago", "{n} 小时前";
    day_ago: "1 day ago", "1 天前";
    days_ago(n): "{n} days ago", "{n} 天前";
    in_minute: "in 1 minute", "1 分钟后";
    in_minutes(n): "in {n} minutes", "{n} 分钟后";
    in_hour: "in 1 hour", "1 小时后";
    in_hours(n): "in {n} hours", "{n} 小时后";
    in_day: "in 1 day", "1 天后";
    in_days(n): "in {n} days", "{n} 天后";
    note(text): "note: {text}", "注意：{text}";
    warning(text): "warning: {text}", "警告：{text}";
    more_pages(option): "there is more. For the rest, add {option}", "还有更多内容。查看其余部分请加上 {option}";
    more_alone(option): "there is more. For the rest, read it on its own with {option}", "还有更多内容。查看其余部分请单独读取，并加上 {option}";
    nothing_try(call): "nothing found. Try {call}.", "没有找到。可以试试 {call}。";
    nothing_similar(titles): "nothing found. Similar titles: {titles}", "没有找到。相近的标题：{titles}";
    pictures_left_out(n): "{n} pictures left out. --json prints them.", "省略了 {n} 张图片。--json 会输出它们。";
    missing(what): "not found: {what}", "未找到：{what}";
    truncated: "there is more than this command can list. Narrow it down, for example to a notebook.", "结果多于此命令能列出的数量。请缩小范围，例如限定在一个笔记本内。";
    any_word: "nothing contains all of these words. The results contain some of them.", "没有内容同时包含所有词语，以下结果包含其中一部分。";
    only_words: "nothing was found by meaning. The results contain the words themselves.", "按语义没有找到，以下结果包含这些词语本身。";
    may_be_hidden: "some of these may still exist, in notebooks at No access.", "其中一部分可能仍存在于不可访问的笔记本中。";
    withheld(columns): "columns left out, because they may show notes in notebooks at No access: {columns}", "省略了可能显示不可访问笔记本内容的字段：{columns}";
    ignored_conditions(filters): "filters of the view that were not applied: {filters}", "未应用的视图筛选条件：{filters}";
    more_pictures(n): "pictures beyond the limit: {n}", "超出上限的图片：{n}";
    forward: "Enter or n for more, ", "回车或 n 查看下一页，";
    back: "p for the previous page, ", "p 查看上一页，";
    quit: "q to quit: ", "q 退出：";
    running(call, seconds): "{call}: {seconds} s …", "{call}：已运行 {seconds} 秒…";
    reads: "reads", "读取";
    shows: "shows", "显示";
    writes: "writes", "写入";
    deletes: "deletes", "删除";
    sends: "sends out", "外发";
    never: "never", "从不";
    sometimes: "sometimes", "有时";
    always: "always", "总是";
    wrote_manual(folder): "Wrote the manual pages to {folder}. Read them with `man siyuan-puppy`.", "手册页已写入 {folder}，可用 `man siyuan-puppy` 阅读。";
    server_works(address): "The server at {address} works.", "{address} 的服务工作正常。";
    last_none: "None yet.", "还没有。";
    last_unknown: "Unknown, because the record of calls could not be read.", "未知：无法读取调用记录。";
    last_running(call, time, n): "{call} started {time} and has not ended; {n} before it.", "{call} 于{time}开始，尚未结束，此前共 {n} 次。";
    last_call(time, n): "{time}; {n} in all.", "{time}，共 {n} 次。";
}
