//! The texts of the advanced page.

texts! {
    /// The texts of the advanced page. [`fill`](super::fill) replaces the names in braces.
    AdvancedWords:
    danger: "Dangerous actions", "危险操作";
    confirm: "Ask for approval", "请求批准";
    confirm_hint: "You approve the exact change shown. “Agent confirms” lets the agent approve its own call. A server started with --\u{2060}confirm ignores this setting.", "你批准的正是所显示的更改。选择“智能体确认”时，智能体可以批准自己的调用。以 --\u{2060}confirm 启动的服务不受此设置影响。";
    /// Setting: the next way.
    confirm_next: "If unavailable", "如果不可用";
    by_approval: "In SiYuan", "在思源中";
    by_client: "In the AI client", "在 AI 客户端中";
    by_token: "Agent confirms", "智能体确认";
    by_nobody: "Block", "阻止";
    patience: "Answer timeout (minutes)", "答复时限（分钟）";
    patience_hint: "A question in SiYuan expires after this time. 0: never.", "思源中的询问超过此时间即过期。0 表示永不过期。";
    errand_changes: "Most changes of an errand", "委托最多更改次数";
    errand_deletes: "Most deletions of documents of an errand", "委托最多删除文档数";
    errand_minutes: "Longest errand (minutes)", "委托最长时间（分钟）";
    errand_off: "0 turns errands off.", "0 表示关闭委托。";
    errand_wrong: "Enter a whole number, at most 200 changes, 20 deletions or 60 minutes.", "请填写整数：最多 200 次更改、20 次删除或 60 分钟。";
    /// Its input makes no sense.
    patience_wrong: "Enter whole minutes, such as 10.", "请填写整数分钟，例如 10。";
    files: "Files and prompts", "文件与提示词";
    folder: "Transfer folder", "中转文件夹";
    folder_hint: "The only folder on the server's computer that agents can upload from and export to. Empty: none.", "智能体上传和导出时唯一可用的文件夹，位于服务所在的电脑。留空：没有。";
    /// Its input makes no sense.
    folder_wrong: "Enter a full path, such as /home/me/exchange or C:\\Exchange.", "请填写完整路径，例如 /home/me/exchange 或 C:\\Exchange。";
    tag: "Prompt tag", "提示词标签";
    tag_hint: "Clients offer documents with this tag as prompts. Empty: none.", "带有此标签的文档会作为提示词提供给客户端。留空：没有。";
    /// Its input makes no sense.
    tag_wrong: "Enter a tag without #.", "请填写不含 # 的标签。";
    settings: "Settings", "设置";
    older: "Settings of the older plugin", "旧插件的设置";
    older_hint: "Imports levels and switches of {name} as a draft. Its files are not changed.", "将 {name} 的权限和开关作为草稿导入，不更改其文件。";
    import: "Import", "导入";
    no_older: "This workspace has no settings of the older plugin.", "此工作空间没有旧插件的设置。";
    older_torn: "Nothing was imported, because the older plugin's file {file} cannot be read. Repair it, then import again.", "无法读取旧插件的文件 {file}，未导入任何内容。请修复该文件后重新导入。";
    same: "No differences from the current settings, drafts included.", "与当前设置（包括草稿）没有差别。";
    taken: "Added to the drafts: {levels} levels and {switches} switches. Nothing takes effect until you apply them.", "已加入草稿：{levels} 项权限和 {switches} 个开关。应用之前不会生效。";
    review: "Review {page}", "查看{page}";
    export: "Export", "导出";
    export_hint: "All settings in one file, without the token and the playground's connections, which may contain tokens.", "将所有设置导出为一个文件，不含令牌，也不含可能带有令牌的试运行连接。";
    reset: "Reset", "重置";
    reset_hint: "Loads the default levels and switches as a draft.", "将默认的权限和开关载入为草稿。";
    /// Said where the drafts are not read.
    not_read: "The levels or switches cannot be read. Open their page to see why.", "无法读取权限或开关，请打开相应页面查看原因。";
    uninstall: "Uninstall", "卸载";
    remove: "Remove all MCP Puppy data", "移除 MCP 小狗的所有数据";
    remove_hint: "Stops the server and removes settings, levels, coins, the record of calls, certificates and the entry in SiYuan's own assistant. Remove it from other clients first:", "停止服务，并移除设置、权限、金币、调用记录、证书以及思源自带智能体中的条目。请先从其他客户端中移除：";
    remove_button: "Remove…", "移除…";
    remove_ask: "Settings, levels, coins and the record of calls will be permanently deleted, on every synced device. Agents lose access until you set it up again. Remove everything?", "设置、权限、金币和调用记录将被永久删除，所有同步的设备也一样。重新设置之前智能体无法访问。要全部移除吗？";
    removed: "All data was removed. Now uninstall the plugin in SiYuan's marketplace.", "所有数据已移除。现在请在思源集市中卸载本插件。";
    /// Said where it failed.
    not_removed: "Some data could not be removed: {why}. Try again.", "部分数据未能移除：{why}。请重试。";
    /// The file of the server's settings is malformed.
    torn: "A settings file cannot be read, so the strictest settings apply. Reset it to change settings here.", "设置文件无法读取，因此采用最严格的设置。重置后才能在此更改。";
    anew: "Create a new file", "新建文件";
    anew_ask: "This replaces the damaged file with the default settings. Any token in it is lost. Replace it?", "损坏的文件将被默认设置替换，其中的令牌会丢失。要替换吗？";
}
