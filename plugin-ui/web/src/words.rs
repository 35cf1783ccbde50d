//! Every text of the puppy and the panel, in English and Chinese; a text without one of them does not compile.

use puppy_core::permission::Level;
use puppy_core::spec::Effect;

use crate::state::act::Act;
use crate::state::scene::{Scene, State};
use crate::state::trouble::StorageTrouble;

#[macro_use]
mod texts;

pub mod actions;
pub mod activity;
pub mod advanced;
pub mod agents;
pub mod channel;
pub mod chinese;
pub mod connection;
pub mod copying;
#[cfg(not(target_arch = "wasm32"))]
pub mod file;
pub mod help;
pub mod home;
pub mod own_agent;
pub mod permissions;
pub mod playground;
pub mod puppy_page;
pub mod report;
pub mod runs;
pub mod search;
pub mod servers;
pub mod tools;
pub mod touch;
#[cfg(not(target_arch = "wasm32"))]
mod translations;
pub mod tries;

/// The section of tools and actions in the file of Chinese texts.
const ACTIONS: &str = "Actions";

texts_at_start! {
    /// The puppy's texts, apart from the rest because they load at the page's start.
    PuppyWords:
    /// Between the name of a client and what it does.
    by: ": ", "：";
    /// Between a name and what follows.
    comma: ", ", "，";
    /// Said once, before the first call.
    greeting: "Hi, connect your AI", "你好，来连接你的 AI";
    /// The tooltip of the mound, and a part of the puppy's name for screen readers while it is there.
    mound: "An agent changed notes", "智能体更改了笔记";
    /// A part of its name while it carries the bag of an errand.
    bag: "An agent is on an errand", "智能体正在执行委托";
    /// The puppy's name for screen readers.
    puppy: "Puppy", "小狗";
    idle: "idle", "空闲";
    reading: "reading", "正在读取";
    writing: "writing", "正在写入";
    /// A call moves or renames.
    moving: "moving", "正在移动";
    deleting: "deleting", "正在删除";
    /// A call is done.
    done: "done", "完成";
    error: "error", "出错";
    /// A call was not allowed.
    not_allowed: "denied", "已拒绝";
    /// A call waits for a person.
    dangerous_call: "waits for you", "等待你";
    /// A question waits for the person.
    question: "needs you", "需要你";
    eating: "eating", "正在吃";
    playing: "playing", "正在玩";
    /// A person pets it.
    petted: "happy", "开心";
    /// A person carries it.
    carried: "carried", "被抱着";
    /// The kernel is silent, or the server has ended.
    offline: "server is off", "服务未运行";
    /// The person has paused every call.
    paused: "paused", "已暂停";
}

texts! {
    /// The panel's texts. [`fill`] replaces the names in braces.
    PanelWords:
    /// Title of the panel.
    title: "MCP Puppy", "MCP 小狗";
    home: "Home", "主页";
    connection: "Connection", "连接";
    /// Page of the matrix.
    permissions: "Permissions", "权限";
    /// Page of the agents.
    agents: "Agents", "智能体";
    /// Page of the switches.
    tools: "Tools", "工具";
    /// Page of the calls.
    activity: "Activity", "活动";
    /// Page for trying things.
    playground: "Playground", "试运行";
    /// Page of the puppy.
    puppy: "Puppy", "小狗";
    /// Page of what is seldom changed.
    advanced: "Advanced", "高级";
    /// Page of what to do.
    help: "Help", "帮助";
    /// Behind the name of a page with changes.
    unsaved: "{n} unsaved", "{n} 项未保存";
    /// The module of a page does not come.
    not_loaded: "This page could not be loaded: {why}. Agents are not affected.", "无法加载此页面：{why}。智能体不受影响。";
    /// The files are being read.
    loading: "Loading…", "加载中…";
    /// SiYuan does not answer.
    silent: "SiYuan does not answer. Retrying in 3 s.", "思源没有响应，3 秒后重试。";
    /// SiYuan does not let the page in.
    refused: "SiYuan refused the request.", "思源拒绝了请求。";
    failed: "SiYuan could not read the settings.", "思源无法读取设置。";
    /// The grants cannot be read.
    broken_table: "The table could not be read, so nothing is allowed.", "权限表无法读取，因此一律不允许。";
    /// The switches cannot be read.
    broken_switches: "The switches could not be read, so nothing is allowed.", "工具开关无法读取，因此一律不允许。";
    try_again: "Try again", "重试";
    /// The kernel refuses every write.
    readonly: "SiYuan is read-only. Nothing can be changed.", "思源处于只读模式，无法更改。";
    /// Title above the matrix.
    notebooks: "Notebooks", "笔记本";
    notebooks_hint: "Each level includes the ones before it. The default is Read.", "每个等级都包含前面的等级。默认为只读。";
    /// Label of the filter.
    filter: "Filter notebooks", "筛选笔记本";
    /// The number of rows that are shown.
    shown: "{n} of {all}", "{n} / {all}";
    /// The workspace has none.
    no_notebooks: "No notebooks yet.", "还没有笔记本。";
    notebook: "Notebook", "笔记本";
    level_none: "No access", "不可访问";
    level_r: "Read", "只读";
    level_rw: "Write", "读写";
    level_rwd: "Delete", "读写删";
    /// Hint of a level.
    hint_none: "Hidden from agents.", "对智能体隐藏。";
    /// Hint of a level.
    hint_r: "May read.", "可读取。";
    /// Hint of a level.
    hint_rw: "May also create, edit and move.", "还可新建、编辑、移动。";
    /// Hint of a level.
    hint_rwd: "May also delete.", "还可删除。";
    /// Badge of a row without an entry.
    default: "default", "默认";
    /// Badge of a closed notebook.
    closed: "closed", "已关闭";
    /// Badge of an encrypted notebook.
    locked: "locked: no access", "已加密：不可访问";
    /// The former level of a changed row.
    was: "was {level}", "原为{level}";
    /// Button of a changed row.
    undo_row: "Undo: {name}", "撤销：{name}";
    /// A row was changed in another window too.
    elsewhere: "changed in another window", "已在其他窗口更改";
    /// Below the title of the switches.
    tools_hint: "Agents see only what is turned on.", "智能体只能看到已开启的内容。";
    /// The number of actions of a tool that are on.
    actions_on: "{n} of {all} on", "已开启 {n} / {all}";
    /// A tool that is off.
    tool_off: "off: hidden from agents", "已关闭：对智能体隐藏";
    /// Button that shows or hides actions.
    fold: "Actions of {name}", "{name} 的操作";
    reads: "Reads", "读取";
    shows: "Shows", "显示";
    writes: "Writes", "写入";
    deletes: "Deletes", "删除";
    sends_out: "Sends out", "对外发送";
    dangerous: "Dangerous", "危险";
    /// Level that an action needs.
    needs: "needs {level}", "需要{level}";
    off_by_default: "Off by default", "默认关闭";
    changes: "{n} changes not applied", "{n} 项更改尚未应用";
    change: "1 change not applied", "1 项更改尚未应用";
    no_changes: "No changes", "没有更改";
    applying: "Applying…", "正在应用…";
    applied: "Applied. Takes effect with the next call.", "已应用，下一次调用起生效。";
    /// In the bar, when the table is another one a second later.
    applied_elsewhere: "Applied, but another window has changed the levels since. See the marked rows.", "已应用，但其他窗口随后又更改了权限，请查看标出的行。";
    not_saved: "Not saved: {why}", "未保存：{why}";
    why_silent: "SiYuan does not answer", "思源没有响应";
    why_refused: "SiYuan refused it", "思源拒绝了请求";
    why_failed: "SiYuan could not write the file", "思源无法写入文件";
    why_broken: "the file is damaged", "文件已损坏";
    discard: "Discard", "放弃";
    apply: "Apply", "应用";
    /// Title of the question.
    wider_title: "Give agents more access?", "扩大智能体的权限？";
    wider: "Agents get: {list}.", "智能体将获得：{list}。";
    /// A level in that question.
    to: "{name}: {level}", "{name}：{level}";
    /// Between the parts of a list.
    list_comma: ", ", "、";
    moment: "a moment", "片刻";
    minutes: "{n} min", "{n} 分钟";
    hours: "{h} h {n} min", "{h} 小时 {n} 分钟";
    days: "{n} days", "{n} 天";
    /// Said after a choice.
    selected: "{name}: {level}.", "{name}：{level}。";
}

/// Fills the names in braces of a text.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut rest = text;
    let mut filled = String::with_capacity(text.len());
    // In one pass: a title that looks like a name in braces is a title.
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let (name, behind) = after.split_once('}').unwrap_or((after, ""));
        filled.push_str(values.iter().find(|it| it.0 == name).map_or("", |it| it.1));
        rest = behind;
    }
    filled + rest
}

/// A number in digits, with a comma after each thousand.
pub fn grouped(digits: &str) -> String {
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

impl PuppyWords {
    /// The name of a state, in a word or two.
    pub const fn state(&self, state: State) -> &'static str {
        match state {
            State::Idle => self.idle,
            State::Acting(Act::Reading) => self.reading,
            State::Acting(Act::Writing) => self.writing,
            State::Acting(Act::Moving) => self.moving,
            State::Acting(Act::Deleting) => self.deleting,
            State::Success => self.done,
            State::Error => self.error,
            State::Denied => self.not_allowed,
            State::Dangerous => self.dangerous_call,
            State::Question => self.question,
            State::Eating => self.eating,
            State::Playing => self.playing,
            State::Petting => self.petted,
            State::Dragging => self.carried,
            State::Offline => self.offline,
            State::Paused => self.paused,
        }
    }

    /// The text of the bubble in a scene: the name of a state, or the food.
    pub const fn says(&self, scene: &Scene) -> &'static str {
        match (scene.says, scene.item) {
            (None, _) => "",
            (Some(State::Eating | State::Playing), Some(item)) => item.emoji(),
            (Some(state), _) => self.state(state),
        }
    }
}

impl PuppyWords {
    /// The client's name with the word for its activity; only the word if the client has no name.
    pub fn said_by(&self, client: &str, word: &str) -> String {
        if client.is_empty() { word.to_owned() } else { format!("{client}{}{word}", self.by) }
    }
}

impl PanelWords {
    /// The name of a level.
    pub const fn level(&self, level: Level) -> &'static str {
        match level {
            Level::None => self.level_none,
            Level::Read => self.level_r,
            Level::Write => self.level_rw,
            Level::Delete => self.level_rwd,
        }
    }

    /// The hint of a level.
    pub const fn level_hint(&self, level: Level) -> &'static str {
        match level {
            Level::None => self.hint_none,
            Level::Read => self.hint_r,
            Level::Write => self.hint_rw,
            Level::Delete => self.hint_rwd,
        }
    }

    /// The name of an effect.
    pub const fn effect(&self, effect: Effect) -> &'static str {
        match effect {
            Effect::Read => self.reads,
            Effect::Screen => self.shows,
            Effect::Write => self.writes,
            Effect::Destructive => self.deletes,
            Effect::External => self.sends_out,
        }
    }

    /// The reason that something was not saved.
    pub const fn why(&self, trouble: StorageTrouble) -> &'static str {
        match trouble {
            StorageTrouble::Silent => self.why_silent,
            StorageTrouble::Refused => self.why_refused,
            StorageTrouble::Failed => self.why_failed,
            StorageTrouble::Broken => self.why_broken,
        }
    }

    /// A time in words.
    pub fn time(&self, ms: u64) -> String {
        let minutes = ms / 60_000;
        match (minutes / 60, minutes % 60) {
            (0, 0) => self.moment.to_owned(),
            (0, n) => fill(self.minutes, &[("n", &n.to_string())]),
            (h @ 48.., _) => fill(self.days, &[("n", &(h / 24).to_string())]),
            (h, n) => fill(self.hours, &[("h", &h.to_string()), ("n", &n.to_string())]),
        }
    }

    /// The number of changes that wait.
    pub fn changes(&self, count: usize) -> String {
        match count {
            0 => self.no_changes.to_owned(),
            1 => self.change.to_owned(),
            _ => fill(self.changes, &[("n", &count.to_string())]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn names(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|it| it.0).collect()
    }

    /// B-301.
    #[test]
    fn texts_of_both_languages_have_the_same_placeholders() {
        let at_start = [PuppyWords::ALL, touch::TouchWords::ALL];
        for (key, en, zh) in file::PARTS.iter().map(|it| it.1).chain(at_start).flatten() {
            assert!(!en.is_empty() && !zh.is_empty(), "{key}");
            assert_eq!(names(en), names(zh), "{key}");
            assert!(!en.contains('!') && !zh.contains('！'), "{key}: no exclamation marks");
            let is_chinese = zh.chars().any(|c| c > '\u{2e7f}');
            assert!(
                is_chinese || ["shown", "dot", "why_unknown"].contains(key),
                "{key} is not translated: {zh}"
            );
        }
    }

    #[test]
    fn page_language_selects_the_texts() {
        for (lang, word) in
            [("zh-CN", "小狗"), ("zh_CN", "小狗"), ("en", "Puppy"), ("", "Puppy"), ("é", "Puppy")]
        {
            assert_eq!(PuppyWords::of(lang).puppy, word, "{lang}");
        }
    }

    #[test]
    fn times_are_told_in_the_largest_unit_that_matters() {
        let words = PanelWords::of("en");
        let minute = 60_000;
        let printed =
            [minute - 1, minute, 62 * minute, 47 * 60 * minute, 48 * 60 * minute].map(|ms| words.time(ms));
        assert_eq!(printed, ["a moment", "1 min", "1 h 2 min", "47 h 0 min", "2 days"]);
    }

    #[test]
    fn thousands_are_grouped() {
        let numbers = ["0", "999", "1000", "12345678"];
        assert_eq!(numbers.map(grouped), ["0", "999", "1,000", "12,345,678"]);
    }

    #[test]
    fn placeholders_are_filled_once() {
        assert_eq!(fill("{name}: {level}.", &[("name", "{level}"), ("level", "Read")]), "{level}: Read.");
        assert_eq!(fill("{n} of {all}", &[("n", "1")]), "1 of ");
    }

    /// The texts of `index.js` and of `page/`: the same keys in every file, and every key that it uses.
    #[test]
    fn host_text_files_have_the_same_keys() {
        let file = |text: &str| -> serde_json::Map<String, serde_json::Value> {
            serde_json::from_str(text).unwrap()
        };
        let en = file(include_str!("../../../i18n/en.json"));
        for other in [
            include_str!("../../../i18n/en_US.json"),
            include_str!("../../../i18n/zh-CN.json"),
            include_str!("../../../i18n/zh_CN.json"),
        ] {
            assert_eq!(file(other).keys().collect::<BTreeSet<_>>(), en.keys().collect::<BTreeSet<_>>());
        }
        let scripts = [
            include_str!("../../../index.js"),
            include_str!("../../../page/confirm.js"),
            include_str!("../../../page/channel.js"),
            include_str!("../../../page/own.js"),
            include_str!("../../../page/program.js"),
            include_str!("../../../page/removal.js"),
            include_str!("../../../page/screen.js"),
            include_str!("../../../page/tree.js"),
            include_str!("../../../page/walk.js"),
        ];
        let used: BTreeSet<&str> = scripts
            .iter()
            .flat_map(|it| it.split("i18n.").skip(1))
            .filter_map(|it| it.split(|c: char| !c.is_alphanumeric()).next())
            .collect();
        assert_eq!(used, en.keys().map(String::as_str).collect());
    }

    #[test]
    fn index_js_version_matches_the_plugin() {
        let script = include_str!("../../../index.js");
        assert!(script.contains(&format!("const VERSION = \"{}\";", env!("CARGO_PKG_VERSION"))));
    }
}
