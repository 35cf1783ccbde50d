//! The words of the help of `stdio` and `http`.

texts! {
    /// The help of the servers.
    ServerHelp:
    stdio: "Serve one agent over stdin and stdout (MCP)", "通过 stdin 和 stdout 为一个智能体提供服务（MCP）";
    http: "Serve agents over HTTP at /mcp (MCP)", "通过 HTTP 在 /mcp 为智能体提供服务（MCP）";
    http_more: "Clients on this machine connect to http://127.0.0.1:36806/mcp. GET /health reports the state and needs no token.", "本机的客户端连接 http://127.0.0.1:36806/mcp。GET /health 返回状态，不需要令牌。";
    http_token: "Clients send the token as the header `Authorization: Bearer <token>`. Set it with SIYUAN_MCP_TOKEN, a file, or the plugin's settings in SiYuan. There is no option for the token itself: other programs can read command lines. Without a token, only this machine can connect, and the only web page that can is SiYuan's own.", "客户端用请求头 `Authorization: Bearer <token>` 发送令牌。令牌可通过 SIYUAN_MCP_TOKEN、文件或思源中的插件设置指定。没有直接传入令牌的选项，因为其他程序可以读取命令行。没有令牌时，只有本机可以连接，且只有思源自身的网页可以连接。";
    address: "Address", "地址";
    access: "Access", "访问";
    encryption: "Encryption", "加密";
    limits: "Limits", "限制";
    lifetime: "Lifetime", "生命周期";
    confirmation: "Confirmation", "确认";
    running_server: "Running server", "正在运行的服务";
    host: "Address to listen on; an address that other machines can reach needs a token", "监听的地址；其他电脑可以访问的地址需要令牌";
    port: "Port to listen on; 0 chooses a free one", "监听的端口；0 表示选择空闲端口";
    token_file: "File with the token that clients must send [or set SIYUAN_MCP_TOKEN to the token]", "存有客户端须发送的令牌的文件 [或将 SIYUAN_MCP_TOKEN 设为令牌]";
    allow_origin: "Allowed web origin, such as https://app.example. Local pages need only the token. Can be repeated", "允许的网页来源，例如 https://app.example。本机网页只需要令牌。可重复使用";
    allow_host: "Host name that clients use for this server besides localhost, such as notes.example. Can be repeated", "除 localhost 外，客户端访问此服务所用的主机名，例如 notes.example。可重复使用";
    tls: "`generate`: encrypt with a certificate that the server creates and stores, for localhost and the names in --host and --allow-host", "`generate`：使用服务生成并保存的证书加密，适用于 localhost 以及 --host 和 --allow-host 中的名称";
    tls_cert: "Encrypt with this certificate, followed by its chain", "使用此证书（其后为证书链）加密";
    tls_key: "The private key of the certificate", "证书的私钥";
    session_idle: "Close a session unused for this long: 90s, 30m, 8h", "关闭闲置超过此时间的会话：90s、30m、8h";
    sessions: "Maximum number of sessions; a new one replaces the one unused for longest", "会话的最大数量；新会话会取代闲置最久的会话";
    parent_pid: "Exit when this process exits [env: SIYUAN_MCP_PARENT_PID]", "此进程退出时随之退出 [环境变量：SIYUAN_MCP_PARENT_PID]";
    watch_stdin: "Exit on the line `stop` on stdin, or when stdin closes (with --parent-pid, only on `stop`)", "在 stdin 读到 `stop` 行或 stdin 关闭时退出（使用 --parent-pid 时仅限 `stop`）";
    connect: "Connect the agent to a running siyuan-puppy, such as http://127.0.0.1:36806/mcp", "让智能体连接正在运行的 siyuan-puppy，例如 http://127.0.0.1:36806/mcp";
    connect_token: "File with the token of that server [or set SIYUAN_MCP_TOKEN to the token]", "存有该服务令牌的文件 [或将 SIYUAN_MCP_TOKEN 设为令牌]";
    confirm: "How to confirm dangerous actions, in order of preference: `approve` in a window of SiYuan, `ask` through the agent's client, `token` that the agent sends back after asking you, `block` to refuse them [default: the setting in SiYuan, else approve,ask,token,block]", "如何确认危险操作，按优先顺序：`approve` 在思源窗口中，`ask` 通过智能体的客户端，`token` 由智能体询问你之后发回，`block` 表示拒绝 [默认：思源中的设置，否则为 approve,ask,token,block]";
    tool_prefix: "Prefix for the name of every tool, such as siyuan_", "所有工具名称的前缀，例如 siyuan_";
    surface: "With split, offer reading and changing as separate tools (document, document_edit), for clients that ask before each call of a tool that can write", "split 将读取和更改分为不同的工具（document、document_edit），适用于每次调用可写工具前都会询问的客户端";
    compact: "List the tools in at most 8,000 bytes instead of 13,500; help has the full descriptions", "将工具列表限制在 8,000 字节以内（而非 13,500）；完整描述见 help";
    all_arguments: "List every argument in the schemas, in at most 18,000 bytes, for clients that send only these", "在 schema 中列出所有参数（至多 18,000 字节），适用于只发送这些参数的客户端";
}
