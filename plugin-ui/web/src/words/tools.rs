//! The texts of the page of tools and actions.

texts! {
    /// The texts of the page of tools and actions.
    ToolWords:
    /// Label of the filter.
    filter: "Filter tools and actions", "筛选工具和操作";
    /// Choice of actions.
    all: "All {n}", "全部 {n}";
    /// Choice of actions.
    on: "On {n}", "已开启 {n}";
    /// Choice of actions.
    off: "Off {n}", "已关闭 {n}";
    /// Choice of actions.
    dangerous: "Dangerous {n}", "危险 {n}";
    /// Choice of actions.
    changed: "Changed {n}", "已更改 {n}";
    /// Name of the choices, for screen readers.
    which: "Actions to show", "显示哪些操作";
    /// The filter leaves nothing.
    none_shown: "No action fits this filter.", "没有符合筛选条件的操作。";
    /// The whole list, as a client loads it.
    list: "{tools} tools, {n} of {all} actions, {bytes} bytes ≈ {tokens} tokens", "{tools} 个工具，{n} / {all} 个操作，{bytes} 字节 ≈ {tokens} 个 token";
    /// Below it.
    list_hint: "This is the list that every client loads at its start, of {most} bytes at most.", "每个客户端启动时都会加载这份列表，最多 {most} 字节。";
    /// The share of a tool.
    cost: "{bytes} B ≈ {tokens} tokens", "{bytes} 字节 ≈ {tokens} 个 token";
    /// The switch of a tool.
    all_on: "All of its actions are on. A click switches the tool off.", "该工具的操作全部开启。点击关闭该工具。";
    /// The switch of a tool.
    some_on: "Some of its actions are on. A click switches on all that are shown.", "该工具的部分操作已开启。点击开启所有显示的操作。";
    /// The switch of a tool.
    none_on: "The tool is off. A click brings back what was on.", "该工具已关闭。点击恢复之前开启的操作。";
    /// Badge of an action that no notebook's level allows.
    withheld: "no notebook allows it", "没有笔记本允许";
    /// Link to the levels.
    to_levels: "Change levels", "更改权限";
    /// Before the buttons for many actions.
    switch_shown: "Switch {n} shown:", "将显示的 {n} 项：";
    /// Before the buttons for many actions.
    switch_selected: "Switch {n} selected:", "将所选的 {n} 项：";
    /// Button for many actions.
    turn_on: "On", "开启";
    /// Button for many actions.
    turn_off: "Off", "关闭";
    /// Many actions, as a button and as a step.
    many_on: "Switch {n} on", "开启 {n} 项";
    /// Many actions, as a button and as a step.
    many_off: "Switch {n} off", "关闭 {n} 项";
    /// Many actions, as a button and as a step.
    many_default: "Set {n} to the default", "将 {n} 项恢复默认";
    /// Below the presets.
    preset_hint: "Read only: only what reads. Everyday: without what usually deletes or always has to be approved. Switches changed before stay.", "“只读”：仅保留读取操作。“日常”：不含通常会删除或始终需要批准的操作。之前更改过的开关保持不变。";
    /// Opens every tool.
    unfold: "Show all actions", "展开所有操作";
    /// Closes every tool.
    fold: "Hide all actions", "收起所有操作";
}
