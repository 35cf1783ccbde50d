//! The texts of the playground's connections.

texts! {
    /// The texts of the playground's connections.
    ServerWords:
    servers: "Connections", "连接";
    servers_hint: "What an agent sees. Switches last until you close this page.", "智能体看到的内容。开关在关闭此页面之前有效。";
    own: "MCP Puppy (this plugin's server)", "MCP 小狗（本插件的服务）";
    /// The numbers of connected servers and of their tools.
    connected_of: "{n} of {all} connected · {tools} tools", "已连接 {n} / {all} · {tools} 个工具";
    switched_off: "Turned off here", "已在此处关闭";
    idle: "Not connected yet", "尚未连接";
    /// State, with the phase.
    connecting: "Connecting: {phase}", "正在连接：{phase}";
    connected: "Connected", "已连接";
    /// State, with the number of tries.
    retrying: "Lost, trying again ({n} of 10): {why}", "连接已断开，正在重试（{n} / 10）：{why}";
    /// State, with the phase and the reason.
    failed: "Failed at “{phase}”: {why}", "在“{phase}”阶段失败：{why}";
    creating: "sending the first request", "发送首个请求";
    ready: "response received", "收到响应";
    initialising: "negotiating the protocol", "协商协议";
    exchanged: "capabilities exchanged", "已交换能力";
    listing: "fetching the lists", "获取列表";
    disconnected: "disconnected", "已断开";
    error: "failed", "失败";
    latency: "{ms} ms", "{ms} 毫秒";
    offers: "{tools} tools, {prompts} prompts, {resources} resources", "{tools} 个工具、{prompts} 个提示词、{resources} 个资源";
    check: "Check", "检查";
    edit: "Change", "更改";
    /// Button, for screen readers, and the title of the form.
    edit_what: "Change: {name}", "更改：{name}";
    remove: "Remove", "移除";
    /// Button, for screen readers.
    remove_what: "Remove: {name}", "移除：{name}";
    use_here: "Use here: {name}", "在此使用：{name}";
    /// Switch that is saved.
    always: "connect when the playground opens", "打开试运行页面时连接";
    /// Title of the folded part of a server.
    details: "Steps, instructions and capabilities", "步骤、说明和能力";
    add: "Add a server", "添加服务";
    name: "Name", "名称";
    url: "Address (Streamable HTTP)", "地址（Streamable HTTP）";
    header: "Header", "请求头";
    value: "Value of the header", "请求头的值";
    /// Below the fields of a server that is changed.
    headers_kept: "Leave empty to keep the current headers.", "留空则保留现有请求头。";
    secrets: "Headers are stored unencrypted with this plugin's settings and synced with them. They are sent to this address only.", "请求头未加密，与本插件的设置一起保存在工作空间中并随之同步，只会发送到该地址。";
    through_kernel: "Send through SiYuan's kernel", "通过思源内核发送";
    through_kernel_hint: "For https servers on the internet that do not allow web pages (CORS). Without live updates.", "用于不允许网页访问（CORS）的互联网 https 服务。没有实时更新。";
    ask_kernel: "Send through SiYuan's kernel?", "通过思源内核发送？";
    ask_kernel_what: "SiYuan's kernel will send this plugin's requests to {url}, with the headers that you entered, from the computer where your notes are.", "思源内核将从保存笔记的计算机向 {url} 发送请求，并附带你填写的请求头。";
    /// Behind the address of a server.
    by_kernel: "through SiYuan's kernel", "通过思源内核";
    add_it: "Add", "添加";
    save: "Save", "保存";
    cancel: "Cancel", "取消";
    /// A server that cannot be kept.
    no_name: "Enter a name.", "请填写名称。";
    /// A server that cannot be kept.
    taken: "This name is taken. Enter a different one.", "该名称已被占用，请填写其他名称。";
    /// A server that cannot be kept.
    no_address: "The address must begin with http:// or https://.", "地址必须以 http:// 或 https:// 开头。";
    /// A server that cannot be kept.
    private: "SiYuan's kernel does not connect to this machine, to its network, or without https. Turn that option off to connect from this page.", "思源内核不会访问本机、本机所在网络或未使用 https 的地址。请关闭该选项，由此页面直接连接。";
    /// A server that cannot be kept.
    no_header: "A header name has letters, digits and hyphens. Its value has plain characters.", "请求头名称只能包含字母、数字和连字符，值只能包含普通字符。";
    paste: "Paste a client's configuration", "粘贴客户端配置";
    paste_hint: "JSON with mcpServers, as used by Claude, Cursor or VS Code.", "包含 mcpServers 的 JSON，与 Claude、Cursor 或 VS Code 的格式相同。";
    take_over: "Import", "导入";
    /// A text that is none.
    no_configuration: "This is not a server configuration. Paste JSON with mcpServers.", "这不是服务配置，请粘贴包含 mcpServers 的 JSON。";
    /// Names of the added servers.
    added: "Added: {names}.", "已添加：{names}。";
    /// Names of skipped entries that start a program.
    programs: "A page cannot start programs, so these were skipped: {names}.", "页面无法启动程序，已跳过：{names}。";
    /// Names of skipped entries without an address.
    unreadable: "These have no address and were skipped: {names}.", "没有地址，已跳过：{names}。";
    limits: "Time limits", "时间限制";
    limits_hint: "Applies to new connections and calls.", "对新的连接和调用生效。";
    connect_limit: "Connection timeout (seconds)", "连接时限（秒）";
    connect_limit_hint: "A server that does not answer in time counts as failed. Default: 10.", "超时未响应即视为失败，默认 10。";
    /// Its input makes no sense.
    connect_limit_wrong: "Enter a number from 1 to 120.", "请填写 1 到 120 之间的数字。";
    call_limit: "Call timeout (seconds)", "调用时限（秒）";
    call_limit_hint: "The server is notified when a call times out. Default: 300.", "调用超时时会通知服务，默认 300。";
    /// Its input makes no sense.
    call_limit_wrong: "Enter a number from 1 to 3600.", "请填写 1 到 3600 之间的数字。";
    /// The file is malformed.
    torn: "The file mcpConnections is damaged. Nothing is saved until it is repaired or removed.", "文件 mcpConnections 已损坏，修复或删除前不会保存任何内容。";
    not_saved: "Not saved:", "未保存：";
    why_stopped: "stopped", "已停止";
    why_timed_out: "no answer within {detail} s", "{detail} 秒内没有响应";
    why_unreachable: "no server answers at this address, or it does not allow this page (CORS): it must allow the origin of SiYuan. {detail}", "该地址没有响应，或服务未允许此页面访问（CORS）：需要允许思源的来源地址。{detail}";
    why_broken: "the connection broke; it is unknown whether the request was carried out", "连接中断，无法确定请求是否已执行";
    why_no_session: "the session has expired on the server", "服务中的会话已失效";
    why_redirected: "the address redirects; enter the address it redirects to", "该地址会跳转，请填写跳转后的地址";
    why_unauthorized: "the server refused the token (401): check the header. {detail}", "服务拒绝了令牌（401），请检查请求头。{detail}";
    why_forbidden: "the server refused this page (403): its origin must be allowed there. {detail}", "服务拒绝了此页面（403），需要在服务端允许其来源地址。{detail}";
    why_http: "the server answered {detail}", "服务返回 {detail}";
    why_rpc: "the server answered with an error: {detail}", "服务返回错误：{detail}";
    why_no_revision: "the server supports other revisions of MCP: {detail}", "服务使用其他 MCP 版本：{detail}";
    why_needs_input: "the server asks a question, which is not supported here", "服务需要提问，此处无法回答";
    why_unreadable: "the response is not valid MCP: {detail}", "响应不符合 MCP：{detail}";
    why_not_connected: "not connected", "没有连接";
}
