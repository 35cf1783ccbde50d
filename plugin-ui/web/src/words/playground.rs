//! The texts of the playground: actions in the page, and tools of servers.

texts! {
    /// The text of a question, apart from the others: the module of the actions needs no more.
    PlanWords:
    /// Above the plan.
    plan: "What it would do:", "将会执行：";
}

texts! {
    /// The texts of the playground.
    PlaygroundWords:
    /// The module of the actions did not arrive.
    actions_not_loaded: "The actions could not be loaded, so nothing was run. Run it again to retry.", "无法加载操作模块，未执行任何操作。请再次运行以重试。";
    try_action: "Try an action", "试用操作";
    try_hint: "The levels and switches for agents apply here too.", "对智能体生效的权限和开关在此同样生效。";
    place: "Where it runs", "运行位置";
    at_server: "On the server", "在服务中";
    in_page: "In this page", "在本页面";
    /// Explanation of that place.
    at_server_hint: "Runs on the server like an agent's call. Counts in Activity and earns coins.", "像智能体的调用一样在服务中运行，计入活动记录并获得金币。";
    /// Explanation of that place.
    in_page_hint: "Needs no server and earns no coins. The first run loads all actions (1.3 MB).", "不需要服务，也不会获得金币。首次运行会加载全部操作（1.3 MB）。";
    /// Neither is known yet.
    looking: "Checking for the server…", "正在查询服务是否可用…";
    /// The server is switched off among the connections.
    server_is_off: "The server is turned off in Connections.", "服务已在“连接”中关闭。";
    tool: "Tool", "工具";
    action: "Action", "操作";
    /// The effect that arguments can make worse.
    at_worst: "{usual}, at worst: {worst}", "{usual}，最多：{worst}";
    /// Behind the sentence of a danger.
    you_are_asked: "You are asked first.", "运行前会先询问你。";
    /// An action without arguments.
    no_arguments: "No arguments.", "此操作没有参数。";
    /// Above groups of arguments.
    one_of: "One of these:", "以下选其一：";
    /// Behind the name of an argument.
    required: "(required)", "（必填）";
    /// An argument that is not sent.
    left_out: "– not set –", "– 不填 –";
    preview: "Preview only", "仅预览";
    preview_hint: "Shows what would change without changing anything.", "只显示将会发生的更改，不做任何更改。";
    run: "Run", "运行";
    run_preview: "Run the preview", "运行预览";
    stop: "Stop", "停止";
    example: "Fill in the example", "填入示例";
    as_command: "Copy as a command", "复制为命令";
    as_call: "Copy as an MCP call", "复制为 MCP 调用";
    running: "Running…", "正在运行…";
    stopped: "Stopped. Requests already sent may still run.", "已停止。已送达的请求仍可能会执行。";
    answer: "Answer", "结果";
    done: "Done", "完成";
    failed: "Failed", "失败";
    /// Size and time of an answer.
    size: "{ms} ms · {bytes} bytes · ≈ {tokens} tokens", "{ms} 毫秒 · {bytes} 字节 · ≈ {tokens} 个 token";
    /// Look at an answer.
    as_content: "Text", "文本";
    /// Look at an answer.
    as_tree: "Tree", "树";
    /// Look at an answer.
    as_raw: "Raw JSON", "原始 JSON";
    copy_answer: "Copy the text", "复制文本";
    /// The description of a picture for screen readers.
    picture: "Picture in the answer", "结果中的图片";
    /// Link that saves a file.
    save_file: "Save {name}", "保存 {name}";
    /// Part of the playground.
    actions: "Actions", "操作";
    /// Part of the playground.
    connections: "Connections", "连接";
    /// Part of the playground.
    calls: "Tools of servers", "服务的工具";
    /// Label of the parts.
    parts: "Parts of the playground", "试运行的各部分";
    call_tool: "Call a tool through a connection", "通过连接调用工具";
    call_hint: "The call is sent to the server like an agent's. The server decides what it does.", "调用会像智能体的调用一样发送到服务，如何处理由服务决定。";
    /// No server is connected.
    nothing_connected: "No server is connected. Connections shows why.", "没有已连接的服务，原因见“连接”。";
    /// A server's annotation of a tool.
    says_reads: "According to the server, it only reads.", "服务声明它只读取。";
    /// A server's annotation of a tool.
    says_destroys: "According to the server, it may delete or overwrite.", "服务声明它可能删除或覆盖数据。";
    /// A call without an answer.
    no_answer: "{tool} of {server} failed ({kind}): {why}", "{server} 的 {tool} 失败（{kind}）：{why}";
    /// Progress of a call.
    progress: "Running… {done}{total} {message}", "正在运行… {done}{total} {message}";
}
