//! The texts of the page of tools and actions.

texts! {
    /// The texts of the page of tools and actions.
    ToolWords:
    /// Label of the filter.
    filter: "Filter tools and actions", "筛选工具和操作";
    all: "All {n}", "全部 {n}";
    on: "On {n}", "已开启 {n}";
    off: "Off {n}", "已关闭 {n}";
    dangerous: "Dangerous {n}", "危险 {n}";
    changed: "Changed {n}", "已更改 {n}";
    /// Name of the choices, for screen readers.
    which: "Actions to show", "显示哪些操作";
    /// The filter leaves nothing.
    none_shown: "No action matches this filter.", "没有符合筛选条件的操作。";
    /// The whole list, as a client loads it.
    list: "≈ {tokens} tokens: {tools} tools, {n} of {all} actions", "≈ {tokens} 个 token：{tools} 个工具，{n} / {all} 个操作";
    list_hint: "Every client loads these descriptions when it connects.", "每个客户端连接时都会加载这些描述。";
    /// Tooltip of the list.
    list_bytes: "{bytes} of {most} bytes", "{bytes} / {most} 字节";
    /// The share of a tool.
    cost: "≈ {tokens} tokens", "≈ {tokens} 个 token";
    /// The switch of a tool.
    all_on: "All of its actions are on. Click to turn the tool off.", "该工具的操作全部开启。点击关闭该工具。";
    /// The switch of a tool.
    some_on: "Some of its actions are on. Click to turn on all that are shown.", "该工具的部分操作已开启。点击开启所有显示的操作。";
    /// The switch of a tool.
    none_on: "The tool is off. Click to restore its actions.", "该工具已关闭。点击恢复之前开启的操作。";
    /// Badge of an action that no notebook's level allows.
    withheld: "no notebook allows it", "没有笔记本允许";
    /// Link to the levels.
    to_levels: "Change levels", "更改权限";
    /// Before the buttons for many actions.
    switch_shown: "Turn all {n}:", "将全部 {n} 项：";
    /// Before the buttons for many actions.
    switch_selected: "Turn {n} selected:", "将所选的 {n} 项：";
    /// Button for many actions.
    turn_on: "On", "开启";
    /// Button for many actions.
    turn_off: "Off", "关闭";
    /// Many actions, as a button and as a step.
    many_on: "Turn {n} on", "开启 {n} 项";
    /// Many actions, as a button and as a step.
    many_off: "Turn {n} off", "关闭 {n} 项";
    /// Many actions, as a button and as a step.
    many_default: "Set {n} to the default", "将 {n} 项恢复默认";
    preset_hint: "Read only keeps actions that read. Everyday omits actions that usually delete or always need approval. Switches you changed before are kept.", "“只读”：仅保留读取操作。“日常”：不含通常会删除或始终需要批准的操作。之前更改过的开关保持不变。";
    unfold: "Show all actions", "展开所有操作";
    fold: "Hide all actions", "收起所有操作";
}
