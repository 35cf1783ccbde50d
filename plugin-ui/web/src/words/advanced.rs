//! The texts of the advanced page.

texts! {
    /// The texts of the advanced page. [`fill`](super::fill) replaces the names in braces.
    AdvancedWords:
    /// Title.
    danger: "Dangerous actions", "危险操作";
    /// Setting.
    confirm: "Before something is deleted or overwritten", "删除或覆盖之前";
    /// Its hint.
    confirm_hint: "What you approve is the whole plan. An agent that calls twice confirms by itself. A server that was started with --confirm keeps its own order.", "你批准的是整个计划。再次调用时由智能体自己确认。以 --confirm 启动的服务保留自己的顺序。";
    /// Setting: the next way.
    confirm_next: "If that cannot be", "如果不可行";
    /// Choice.
    by_approval: "Ask in SiYuan", "在思源中询问";
    /// Choice.
    by_client: "Ask in the client", "在客户端中询问";
    /// Choice.
    by_token: "Agent calls twice", "智能体再次调用";
    /// Choice.
    by_nobody: "Refuse", "拒绝";
    /// Setting.
    patience: "A question waits in SiYuan for", "问题在思源中等待";
    /// Its hint.
    patience_hint: "In minutes. 0: until it is answered.", "单位：分钟。0 表示直到回答为止。";
    /// Its input makes no sense.
    patience_wrong: "Give whole minutes, such as 10.", "请填写整数分钟，例如 10。";
    /// Title.
    files: "Files and prompts", "文件与提示词";
    /// Setting.
    folder: "Transfer folder", "中转文件夹";
    /// Its hint.
    folder_hint: "The one folder of the server's computer that agents may upload from and export to. Empty: none.", "智能体可从中上传、可导出到的唯一文件夹，位于服务所在的电脑。留空：没有。";
    /// Its input makes no sense.
    folder_wrong: "Give the whole path, such as /home/me/exchange or C:\\Exchange.", "请填写完整路径，例如 /home/me/exchange 或 C:\\Exchange。";
    /// Setting.
    tag: "Tag of prompts", "提示词标签";
    /// Its hint.
    tag_hint: "Documents with this tag are offered to clients as prompts. Empty: none.", "带有此标签的文档会作为提示词提供给客户端。留空：没有。";
    /// Its input makes no sense.
    tag_wrong: "Give a tag without #.", "请填写不含 # 的标签。";
    /// Title.
    settings: "Settings", "设置";
    /// Row.
    older: "Settings of the older plugin", "旧插件的设置";
    /// Its hint.
    older_hint: "Takes over levels and switches of {name} as a draft. Its files stay as they are.", "将 {name} 的权限和开关作为草稿导入，其文件保持不变。";
    /// Button.
    import: "Import", "导入";
    /// Said afterwards.
    no_older: "This workspace has no settings of the older plugin.", "此工作空间没有旧插件的设置。";
    /// Said afterwards.
    older_torn: "The older plugin's file {file} cannot be read. Nothing was taken over.", "无法读取旧插件的文件 {file}，未导入任何内容。";
    /// Said afterwards.
    same: "Nothing there differs from what is set here, drafts included.", "与当前设置（包括草稿）没有差别。";
    /// Said afterwards.
    taken: "Now a draft: {levels} levels and {switches} switches. Nothing holds before you apply it.", "已成为草稿：{levels} 项权限和 {switches} 个开关。应用之前不会生效。";
    /// Button.
    review: "Review {page}", "查看{page}";
    /// Row.
    export: "Export", "导出";
    /// Its hint.
    export_hint: "All settings in one file, without the token and the playground's connections, which may hold tokens too.", "将所有设置导出为一个文件，不含令牌，也不含可能带有令牌的试运行连接。";
    /// Row.
    reset: "Reset", "重置";
    /// Its hint.
    reset_hint: "Levels and switches back to the defaults, as a draft.", "将权限和开关恢复为默认值，先作为草稿。";
    /// Said where the drafts are not read.
    not_read: "Levels or switches cannot be read. Open their page to see why.", "无法读取权限或开关，请打开相应页面查看原因。";
    /// Title.
    uninstall: "Uninstall", "卸载";
    /// Row.
    remove: "Remove everything of MCP Puppy", "移除 MCP 小狗的所有内容";
    /// Its hint.
    remove_hint: "Ends the server and removes settings, levels, coins, the record of calls, certificates and the entry of SiYuan's assistant. Take it out of other clients first:", "停止服务，并移除设置、权限、金币、调用记录、证书以及思源助手中的条目。请先从其他客户端中移除：";
    /// Button.
    remove_button: "Remove…", "移除…";
    /// The question.
    remove_ask: "Settings, levels, coins and the record of calls are removed for good, on every device that syncs them. Agents lose access until it is set up anew. Remove everything?", "设置、权限、金币和调用记录将被永久删除，所有同步的设备也一样。重新设置之前智能体无法访问。要全部移除吗？";
    /// Said afterwards.
    removed: "Everything is removed. Now uninstall the plugin in SiYuan's marketplace.", "已全部移除。现在请在思源集市中卸载本插件。";
    /// Said where it failed.
    not_removed: "Not everything was removed: {why}. Try again.", "未能全部移除：{why}。请重试。";
    /// The file of the server's settings is malformed.
    torn: "A settings file cannot be read, so its strictest meaning holds. Reset it to change it here.", "设置文件无法读取，因此按最严格的方式处理。重置后才能在此更改。";
    /// Button.
    anew: "Start a new file", "新建文件";
    /// The question.
    anew_ask: "The broken file is replaced by one with the default settings; a token in it is lost. Replace it?", "损坏的文件将被默认设置替换，其中的令牌会丢失。要替换吗？";
}
