//! The texts of the page of agents.

texts! {
    /// The texts of the page of agents. [`fill`](super::fill) replaces the names in braces.
    AgentWords:
    about: "Give each program that works in your notes a name and a limit. A call has the lower one of the notebook's level and the agent's.", "为每个使用你笔记的程序起名并设置上限。每次调用的权限取笔记本权限与智能体上限中较低的一个。";
    identity: "Over HTTP an agent is known by its own token, which protects your notes. A program that its client starts is known by SIYUAN_MCP_AGENT or by the name that the client gives; any program can claim that name, so it only tells agents apart.", "通过 HTTP 时以智能体自己的令牌识别，能保护你的笔记。由客户端启动的程序以 SIYUAN_MCP_AGENT 或客户端自报的名称识别；任何程序都可以冒用，因此只用于区分智能体。";
    title: "Agents", "智能体";
    none: "No agents are named yet. Every caller has the levels of the notebooks.", "还没有命名的智能体。所有调用方都拥有笔记本的权限。";
    /// Callers that are no agent of the list.
    anyone: "Anyone else", "其他调用方";
    anyone_hint: "Callers that are none of the agents above", "不属于上述智能体的调用方";
    add: "Add an agent", "添加智能体";
    new_name: "Name, such as Claude Code", "名称，例如 Claude Code";
    name: "Name", "名称";
    color: "Colour", "颜色";
    level: "Highest level", "最高权限";
    notebooks: "Notebooks", "笔记本";
    all: "All notebooks", "全部笔记本";
    chosen: "Chosen notebooks", "所选笔记本";
    n_chosen: "{n} notebooks", "{n} 个笔记本";
    one_chosen: "1 notebook", "1 个笔记本";
    no_chosen: "no notebooks", "没有笔记本";
    closed_book: "{name} (closed)", "{name}（已关闭）";
    until: "Last day", "最后一天";
    until_day: "until {day}", "至 {day}";
    ended: "ended", "已结束";
    comma: ", ", "，";
    token: "Token for HTTP", "HTTP 令牌";
    token_hint: "A new token ends the one before.", "新令牌会使之前的令牌失效。";
    new_token: "New token", "新建令牌";
    end_token: "End the token", "吊销令牌";
    end_title: "End the token?", "吊销令牌？";
    end_ask: "What {name} has open over HTTP ends immediately, on every machine. It needs a new token to call again.", "{name} 通过 HTTP 打开的连接会立即在所有设备上结束，再次调用需要新的令牌。";
    token_ended: "The token of {name} has ended.", "{name} 的令牌已失效。";
    token_shown: "This token is shown once. Only its hash is kept.", "令牌只显示这一次，仅保存其哈希值。";
    token_nowhere: "No server runs over HTTP, so a token could not be kept. Start the server on the page Connection.", "没有通过 HTTP 运行的服务，无法保存令牌。请先在“连接”页启动服务。";
    token_late: "The server did not confirm the token. Try again.", "服务没有确认令牌，请重试。";
    client: "Client", "客户端";
    /// Any other client.
    other: "Another client", "其他客户端";
    snippet: "Configuration", "配置";
    put_into: "Put this into {file}:", "写入 {file}：";
    run_this: "Run this in a terminal:", "在终端执行：";
    enter_this: "Enter this:", "填写：";
    variable: "This client reads the token from the environment variable SIYUAN_MCP_TOKEN.", "此客户端从环境变量 SIYUAN_MCP_TOKEN 读取令牌。";
    asks: "This client asks for the token.", "此客户端会询问令牌。";
    copy: "Copy", "复制";
    copy_token: "Copy the token", "复制令牌";
    copy_snippet: "Copy the configuration", "复制配置";
    hide: "Done", "完成";
    remove: "Remove…", "移除…";
    remove_title: "Remove {name}?", "移除 {name}？";
    remove_ask: "Its token ends immediately. Calls under this name are then those of anyone else.", "其令牌立即失效，以后以此名称的调用视为其他调用方。";
    not_saved: "Not saved: {why}", "未保存：{why}";
    no_name: "A name needs a letter or a digit.", "名称至少要有一个字母或数字。";
    long_name: "A name has at most 40 characters, on one line.", "名称最多 40 个字符，且不能换行。";
    same_name: "Another agent has this name, or one that is read as the same.", "已有同名或读作相同的智能体。";
    no_day: "The last day is no day of the calendar.", "最后一天不是有效日期。";
    too_many: "There are 50 agents, which is the most. Remove one first.", "已有 50 个智能体，达到上限。请先移除一个。";
    broken: "The file of agents cannot be read, so agents may do nothing. Repair or remove it on the page Advanced.", "无法读取智能体文件，因此智能体不能执行任何操作。请在“高级”页修复或删除该文件。";
    blue: "Blue", "蓝色";
    green: "Green", "绿色";
    gold: "Gold", "金色";
    orange: "Orange", "橙色";
    red: "Red", "红色";
    pink: "Pink", "粉色";
    violet: "Violet", "紫色";
    grey: "Grey", "灰色";
}
