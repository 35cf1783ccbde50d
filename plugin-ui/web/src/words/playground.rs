//! The texts of the playground: actions in the page, and tools of servers.

texts! {
    /// The texts of the playground.
    PlaygroundWords:
    /// The module of the actions did not arrive.
    actions_not_loaded: "The actions could not be loaded. Run it again to try once more; nothing was done.", "无法加载操作模块，请再次运行以重试；未执行任何操作。";
    /// Group.
    try_action: "Try an action", "试用操作";
    /// Below that title.
    try_hint: "The levels and switches that hold for agents hold here too.", "对智能体生效的权限和开关在此同样生效。";
    /// Label.
    place: "Where it runs", "运行位置";
    /// Place.
    at_server: "At the server", "在服务中";
    /// Place.
    in_page: "In this page", "在本页面";
    /// What that place means.
    at_server_hint: "This plugin's server takes it for an agent's call: it earns coins, and counts in Activity.", "由本插件的服务像智能体的调用一样处理：会获得金币，并计入活动记录。";
    /// What that place means.
    in_page_hint: "No server is needed, and it earns no coins. The first run loads all actions (1.3 MB).", "不需要服务，也不会获得金币。首次运行会加载全部操作（1.3 MB）。";
    /// Neither is known yet.
    looking: "Asking whether the server is there…", "正在查询服务是否可用…";
    /// The server is switched off among the connections.
    server_is_off: "The server is switched off in Connections.", "服务已在“连接”中关闭。";
    /// Label.
    tool: "Tool", "工具";
    /// Label.
    action: "Action", "操作";
    /// The effect that arguments can make worse.
    at_worst: "{usual}, at worst: {worst}", "{usual}，最多：{worst}";
    /// Behind the sentence of a danger.
    you_are_asked: "You are asked first.", "运行前会先询问你。";
    /// An action without arguments.
    no_arguments: "It takes no arguments.", "此操作没有参数。";
    /// Above groups of arguments.
    one_of: "One of these:", "以下选其一：";
    /// Behind the name of an argument.
    required: "(required)", "（必填）";
    /// An argument that is not sent.
    left_out: "– left out –", "– 不填 –";
    /// Switch.
    preview: "Preview only", "仅预览";
    /// Below that switch.
    preview_hint: "Shows what would change, and changes nothing.", "只显示将会发生的更改，不做任何更改。";
    /// Button.
    run: "Run", "运行";
    /// Button.
    run_preview: "Run the preview", "运行预览";
    /// Button.
    stop: "Stop", "停止";
    /// Button.
    example: "Fill in the example", "填入示例";
    /// Button.
    as_command: "Copy as a command", "复制为命令";
    /// Button.
    as_call: "Copy as an MCP call", "复制为 MCP 调用";
    /// State.
    running: "Running…", "正在运行…";
    /// State.
    stopped: "Stopped. What had already arrived may still be carried out.", "已停止。已送达的请求仍可能会执行。";
    /// Group.
    answer: "Answer", "结果";
    /// Outcome.
    done: "Done", "完成";
    /// Outcome.
    failed: "Failed", "失败";
    /// Size and time of an answer.
    size: "{ms} ms · {bytes} bytes · ≈ {tokens} tokens", "{ms} 毫秒 · {bytes} 字节 · ≈ {tokens} 个词元";
    /// Look at an answer.
    as_content: "Text", "文本";
    /// Look at an answer.
    as_tree: "Tree", "树";
    /// Look at an answer.
    as_raw: "Raw JSON", "原始 JSON";
    /// Button.
    copy_answer: "Copy the text", "复制文本";
    /// The description of a picture for screen readers.
    picture: "Picture in the answer", "结果中的图片";
    /// Link that saves a file.
    save_file: "Save {name}", "保存 {name}";
    /// In a question, above the plan.
    plan: "What it would do:", "将会执行：";
    /// Part of the playground.
    actions: "Actions", "操作";
    /// Part of the playground.
    connections: "Connections", "连接";
    /// Part of the playground.
    calls: "Tools of servers", "服务的工具";
    /// Label of the parts.
    parts: "Parts of the playground", "试运行的各部分";
    /// Group.
    call_tool: "Call a tool through a connection", "通过连接调用工具";
    /// Below that title.
    call_hint: "The call goes to the server as an agent's would. What the server does with it is up to the server.", "调用会像智能体的调用一样发送到服务，如何处理由服务决定。";
    /// No server is connected.
    nothing_connected: "No server is connected. Connections says why.", "没有已连接的服务，原因见“连接”。";
    /// What a server says of a tool.
    says_reads: "The server says that it only reads.", "服务声明它只读取。";
    /// What a server says of a tool.
    says_destroys: "The server says that it may delete or overwrite.", "服务声明它可能删除或覆盖数据。";
    /// A call without an answer.
    no_answer: "{tool} of {server} failed ({kind}): {why}", "{server} 的 {tool} 失败（{kind}）：{why}";
    /// Progress of a call.
    progress: "Running… {done}{total} {message}", "正在运行… {done}{total} {message}";
}
