//! The words of `siyuan-puppy agents`.

texts! {
    /// The help and the output of `agents`.
    AgentWords:
    agents: "Name agents and limit what each may do", "为智能体命名，并限制各自的权限";
    agents_more: "The level of a call is the lower one of the notebook's level and the agent's. Over HTTP an agent is known by its own token; over stdio by SIYUAN_MCP_AGENT or the client's name, which any program can claim. Without a subcommand, the agents are listed.", "每次调用的权限取笔记本权限与智能体权限中较低的一个。通过 HTTP 时以智能体自己的令牌识别；通过 stdio 时以 SIYUAN_MCP_AGENT 或客户端名称识别，而任何程序都可以冒用名称。不带子命令时列出智能体。";
    set: "Add an agent, or change one", "添加或更改智能体";
    anyone: "Limit callers that are none of the agents", "限制不属于任何智能体的调用方";
    token: "Issue a token for an agent; an earlier one ends", "为智能体签发令牌，之前的令牌随即失效";
    token_more: "Prints the token once. Only its hash is kept, on this machine.", "令牌只显示一次。本机只保存其哈希值。";
    revoke: "End the token of an agent", "吊销智能体的令牌";
    remove: "Remove an agent and its token", "移除智能体及其令牌";
    client: "Print the token in a snippet for this client", "把令牌放进这个客户端的配置片段中输出";
    name: "Name of the agent", "智能体的名称";
    level: "Highest level in any notebook", "在任何笔记本中的最高权限";
    notebook: "Notebook that exists for the agent, by name or id; repeat for more", "智能体可见的笔记本（名称或 ID），可重复";
    all_notebooks: "All notebooks exist for the agent", "所有笔记本对智能体可见";
    until: "Last day, such as 2026-12-31; `never` removes it", "最后一天，例如 2026-12-31；`never` 表示没有期限";
    color: "Colour of the agent", "智能体的颜色";
    none: "No agents are named, so every caller has the levels of the notebooks.", "还没有命名的智能体，所有调用方都拥有笔记本的权限。";
    everyone_else: "anyone else", "其他调用方";
    all: "all", "全部";
    no_token: "none", "无";
    token_here: "on this machine", "在本机";
    over: "ended", "已结束";
    no_agent(name): "There is no agent called {name}. `siyuan-puppy agents` lists them.", "没有名为 {name} 的智能体。`siyuan-puppy agents` 会列出所有智能体。";
    no_notebook(name): "There is no notebook called {name}. `siyuan-puppy notebook list` lists them.", "没有名为 {name} 的笔记本。`siyuan-puppy notebook list` 会列出所有笔记本。";
    two_notebooks(name): "Several notebooks are called {name}. Use the id, which `siyuan-puppy notebook list --wide` shows.", "有多个名为 {name} 的笔记本。请使用 ID，`siyuan-puppy notebook list --wide` 会显示。";
    saved(name): "Saved {name}.", "已保存 {name}。";
    removed(name): "Removed {name}. Its token ended.", "已移除 {name}，其令牌已失效。";
    revoked(name): "The token of {name} ended.", "{name} 的令牌已失效。";
    had_no_token(name): "{name} has no token on this machine.", "{name} 在本机没有令牌。";
    send_it(name): "The token of {name}, shown once. Clients send it as the header `Authorization: Bearer <token>`.", "{name} 的令牌，仅显示这一次。客户端以请求头发送：`Authorization: Bearer <token>`。";
    in_snippet(name): "The snippet for {name}, with its token, shown once.", "{name} 的配置片段，包含令牌，仅显示这一次。";
    in_variable(name, variable): "The snippet for {name}, and its token, shown once. Set {variable} where the client starts.", "{name} 的配置片段和令牌，仅显示这一次。请在启动客户端的环境中设置 {variable}。";
    when_asked(name): "The snippet for {name}, and its token, shown once. The client asks for it when it connects.", "{name} 的配置片段和令牌，仅显示这一次。客户端在连接时会询问令牌。";
    no_name: "A name needs a letter or a digit.", "名称至少要有一个字母或数字。";
    long_name(most): "A name has at most {most} characters, on one line.", "名称最多 {most} 个字符，且不能换行。";
    same_name: "Another agent has this name, or one that is read as the same.", "已有同名或读作相同的智能体。";
    no_day: "--until takes a day such as 2026-12-31, or never.", "--until 的值是日期（例如 2026-12-31）或 never。";
    too_many(most): "There are {most} agents, which is the most. Remove one first.", "已有 {most} 个智能体，达到上限。请先移除一个。";
    no_folder: "This user has no folder for the tokens.", "当前用户没有可存放令牌的文件夹。";
    tokens_unreadable(why): "The tokens on this machine cannot be read or written: {why}.", "无法读取或写入本机的令牌：{why}。";
}
