//! The texts of the pages with a draft: the matrix of notebooks, and what both have in their bar.

use super::fill;

texts! {
    /// The texts of the matrix and of the bars below drafts.
    PermissionWords:
    all: "All {n}", "全部 {n}";
    changed: "Changed {n}", "已更改 {n}";
    writable: "Write or Delete {n}", "读写或读写删 {n}";
    hidden: "No access {n}", "不可访问 {n}";
    /// Name of the choices, for screen readers.
    which: "Rows to show", "显示哪些行";
    /// The filter leaves no row.
    none_shown: "No notebook matches this filter.", "没有符合筛选条件的笔记本。";
    show_all: "Show all", "显示全部";
    /// Before the levels for many rows.
    set_selected: "Set {n} selected to:", "将所选的 {n} 项设为：";
    /// A level for many rows, as a button and as a step.
    set_many: "Set {n} to {level}", "将 {n} 项设为{level}";
    /// The level of a row, as a step.
    set_one: "{name}: {level}", "{name}：{level}";
    /// A row back to the default, as a step.
    unlist: "{name}: default", "{name}：默认";
    /// Many rows back to the default, as a button and as a step.
    unlist_many: "Set {n} to the default", "将 {n} 项恢复默认";
    /// Button for many rows.
    default: "Default", "默认";
    default_hint: "Removes their entries from the table. They get Read, or the level for notebooks created by agents.", "从表中移除其条目。恢复为只读，或智能体创建的笔记本的等级。";
    /// Box of a row.
    select: "Select {name}", "选择{name}";
    /// Box over all rows.
    select_all: "Select all shown notebooks", "选择所有显示的笔记本";
    select_none: "Clear selection", "取消选择";
    /// Choice of a preset.
    presets: "Preset", "预设";
    custom: "Custom", "自定义";
    read_only: "Read only", "只读";
    everyday: "Everyday", "日常";
    everything: "Everything", "全部允许";
    made: "Notebooks created by agents", "智能体创建的笔记本";
    made_hint: "Start at this level. Saved immediately.", "初始等级，更改后立即保存。";
    /// Asked where agents could delete in every notebook.
    type_word: "Agents could then delete in every notebook. Type “{word}” to continue.", "智能体将可以在所有笔记本中删除。请输入“{word}”以继续。";
    /// Title of the presets that a person saved.
    own_presets: "Saved", "已保存";
    preset_save: "Save as a preset…", "另存为预设…";
    preset_name: "Name of the preset", "预设名称";
    /// Button beside the field.
    preset_keep: "Save", "保存";
    preset_forget: "Delete “{name}”", "删除“{name}”";
    preset_saved: "“{name}” is saved.", "已保存“{name}”。";
    preset_forgotten: "“{name}” is deleted.", "已删除“{name}”。";
    preset_failed: "The preset was not saved: {why}.", "预设未保存：{why}。";
    /// A preset for levels.
    levels_preset_hint: "Read only and Everyday only lower levels. Selected rows are set to Read or Write. Rows you changed before are kept.", "“只读”和“日常”只降低等级；所选的行分别设为只读或读写。之前更改过的行保持不变。";
    /// Box beside the presets.
    replace: "Overwrite unsaved changes", "覆盖未保存的更改";
    /// Ids of the table without a notebook.
    unknown: "{n} ids in the table match no notebook. They are harmless, and apply again if the notebook returns.", "表中有 {n} 个 ID 没有对应的笔记本。它们无害，笔记本恢复时会重新生效。";
    forget: "Remove", "清除";
    forgotten: "Remove {n} ids", "清除 {n} 个 ID";
    /// Remark of a row whose level gives nothing.
    no_write: "no write action is on", "没有开启写入操作";
    /// Remark of a row whose level gives nothing.
    no_delete: "no delete action is on", "没有开启删除操作";
    view: "What an agent can see", "智能体能看到什么";
    view_hint: "Includes changes you have not applied yet.", "包括尚未应用的更改。";
    sees: "{n} of {all} notebooks, {actions} of {total} actions in {tools} tools.", "{n} / {all} 个笔记本，{tools} 个工具中的 {actions} / {total} 个操作。";
    /// Notebooks of a level, in the view of an agent.
    at: "{level}, {n}: {names}", "{level}，{n} 个：{names}";
    /// The numbers of actions by effect, in the notebooks of a level.
    reach: "{reads} actions read, {changes} change, {deletes} can delete or overwrite.", "{reads} 个操作读取，{changes} 个更改，{deletes} 个可删除或覆盖。";
    /// The reach of agents at No access.
    unseen: "Hidden from agents.", "对智能体隐藏。";
    /// Those numbers where agents cannot delete.
    reach_write: "{reads} actions read, {changes} change, {deletes} can overwrite, or remove tags and cards; large changes ask first.", "{reads} 个操作读取，{changes} 个更改，{deletes} 个可覆盖内容或移除标签和闪卡，较大的更改会先询问。";
    /// The number of names that are left out.
    more: "and {n} more", "等另外 {n} 个";
    tool: "{tool}: {n} of {all}", "{tool}：{n} / {all}";
    /// A tool with actions that no notebook allows.
    tool_withheld: "{tool}: {n} of {all}, {withheld} more with a higher level", "{tool}：{n} / {all}，提高权限后另有 {withheld} 个";
    to_tools: "Change tools", "更改工具";
    /// Direction, with a number.
    wider: "▲ {n} with more access", "▲ {n} 项放宽";
    /// Direction, with a number.
    narrower: "▼ {n} with less access", "▼ {n} 项收紧";
    /// Direction, with a number.
    same: "= {n} without effect", "= {n} 项无影响";
    /// Direction, for screen readers.
    is_wider: "more access", "放宽";
    /// Direction, for screen readers.
    is_narrower: "less access", "收紧";
    /// Direction, for screen readers.
    is_same: "without effect", "无影响";
    /// Shows what is not applied.
    show: "Show", "查看";
    /// Title of that list.
    diff: "Unapplied changes", "尚未应用的更改";
    /// A level in it.
    from_to: "{name}: {was} → {is}", "{name}：{was} → {is}";
    /// A switch in it.
    turns_on: "{name}: on", "{name}：开启";
    /// A switch in it.
    turns_off: "{name}: off", "{name}：关闭";
    /// Button of a line.
    take_back: "Discard: {what}", "放弃：{what}";
    back: "Undo: {what}", "撤销：{what}";
    forward: "Redo: {what}", "重做：{what}";
    /// Button without anything to do.
    no_back: "Nothing to undo", "没有可撤销的操作";
    /// Button without anything to do.
    no_forward: "Nothing to redo", "没有可重做的操作";
    /// Said after a step.
    taken_back: "Undone: {what}.", "已撤销：{what}。";
    /// Said after a step.
    made_again: "Redone: {what}.", "已重做：{what}。";
    /// Button with the number of changes.
    apply: "Apply {n}", "应用 {n}";
    /// Changes of an earlier visit.
    left: "{n} changes from your last visit were not applied.", "上次有 {n} 项更改尚未应用。";
    /// One change of an earlier visit.
    left_one: "1 change from your last visit was not applied.", "上次有 1 项更改尚未应用。";
    go_on: "Continue", "继续";
    /// Title of the keys.
    keys_title: "Keyboard", "键盘操作";
    /// Keys, below the matrix.
    keys: "Arrows move, 1 to 4 set the level of the row or selection, Space selects in the first column, Ctrl+A selects all shown, / filters, Ctrl+Z undoes, Ctrl+Enter shows the changes.", "方向键移动，1 至 4 设置该行或所选行的等级，空格在首列选择，Ctrl+A 全选显示的行，/ 筛选，Ctrl+Z 撤销，Ctrl+Enter 查看更改。";
}

impl PermissionWords {
    /// The numbers of changes of each direction, those that are none left out.
    pub fn tally(&self, counts: [usize; 3]) -> String {
        let texts = [self.wider, self.narrower, self.same];
        let parts = texts.into_iter().zip(counts).filter(|(_, n)| *n > 0);
        parts.map(|(text, n)| fill(text, &[("n", &n.to_string())])).collect::<Vec<_>>().join(" ")
    }

    /// The first names of a list, and how many more there are.
    pub fn names(&self, names: &[String], most: usize, comma: &str) -> String {
        let mut parts: Vec<String> = names.iter().take(most).cloned().collect();
        if let Some(rest) = names.len().checked_sub(most).filter(|it| *it > 0) {
            parts.push(fill(self.more, &[("n", &rest.to_string())]));
        }
        parts.join(comma)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_told_without_what_is_none() {
        let words = PermissionWords::of("en");
        assert_eq!(words.tally([1, 0, 2]), "▲ 1 with more access = 2 without effect");
        assert_eq!(words.tally([0; 3]), "");
        let names = ["A", "B", "C"].map(str::to_owned);
        assert_eq!(words.names(&names, 2, ", "), "A, B, and 1 more");
        assert_eq!(words.names(&names, 3, ", "), "A, B, C");
    }
}
