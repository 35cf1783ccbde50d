//! The texts about SiYuan's own agent, on the pages Permissions and Home.

texts! {
    /// The texts about SiYuan's own agent.
    OwnAgentWords:
    title: "SiYuan's own agent", "思源自带的智能体";
    switch: "SiYuan's own agent asks the puppy", "思源自带的智能体通过小狗访问笔记";
    switch_hint: "Its calls then go through the levels, tools and pause set here, and Activity lists them. No server is needed. Saved immediately.", "其调用将遵循此处设置的等级、工具和暂停，并记录在“活动”中。不需要服务。更改后立即保存。";
    /// SiYuan is too old.
    too_old: "Needs SiYuan 3.8 or newer.", "需要思源笔记 3.8 或更高版本。";
    /// After it was turned off.
    off: "Turned off. SiYuan's list shows the names of the tools until you reload its window.", "已关闭。在重新加载思源笔记窗口之前，其列表中仍会显示这些工具的名称。";
    native: "SiYuan's own tools", "思源自带的工具";
    /// The list of tools cannot be read.
    unknown: "SiYuan did not list its tools. Assume that they reach all notes.", "思源笔记没有列出其工具，请视为它们能访问所有笔记。";
    /// None bypasses levels.
    none: "Its agent may use none of SiYuan's own tools that reach notes.", "思源自带的智能体不能使用任何会访问笔记的自带工具。";
    /// The number and the names of the tools.
    some: "{n} of them let its agent reach all notes, whatever their level: {names}", "其中 {n} 个让它不受等级限制地访问所有笔记：{names}";
    /// The number of tools of SiYuan's own MCP server.
    exposed: "SiYuan's own MCP server offers {n} of them to programs that have SiYuan's API token.", "思源自带的 MCP 服务向持有思源 API 令牌的程序提供其中 {n} 个。";
    deny: "Deny them to its agent", "禁止它使用";
    deny_all: "Deny them to its MCP server too", "同时在其 MCP 服务中禁止";
    open: "Open SiYuan's settings", "打开思源笔记的设置";
    /// Title of the question.
    deny_ask: "Deny SiYuan's own tools?", "禁止思源自带的工具？";
    /// Text of the question, with a number.
    deny_text: "{n} tools are denied in SiYuan's AI settings. Nothing else there changes, and you can allow them again there. Tools of other plugins and of MCP servers stay allowed.", "将在思源笔记的 AI 设置中禁止 {n} 个工具，其他设置不变，你也可以在那里重新允许。其他插件和 MCP 服务提供的工具仍可使用。";
    denied: "Denied. SiYuan's AI settings were read again and are as they were otherwise.", "已禁止。重新读取的 AI 设置除此之外没有变化。";
    failed: "SiYuan may not have denied the tools. Check its AI settings.", "思源笔记可能没有禁止这些工具，请检查其 AI 设置。";
    /// The part that no setting closes.
    stays: "With each message, SiYuan sends the title of the open document and the ids of its visible blocks to the model. MCP Puppy has no influence on that.", "思源笔记会随每条消息把当前文档的标题和可见块的 ID 发送给模型，MCP 小狗对此无能为力。";
    /// Notice on the first page.
    bypassed: "{n} of SiYuan's own tools let its agent reach all notes, whatever their level.", "思源自带的 {n} 个工具让其智能体不受等级限制地访问所有笔记。";
    see: "See Permissions", "查看“权限”";
    /// State on the first page where no server can run.
    no_server: "No server is needed for SiYuan's own agent.", "思源自带的智能体不需要服务。";
}
