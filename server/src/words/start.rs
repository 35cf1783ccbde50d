//! The words of `stdio` and `http` as they start: where they listen, and why they cannot.

texts! {
    /// The messages of a server that starts, for the person at its terminal. Programs look for the English ones.
    StartWords:
    listening(url): "siyuan-puppy listening on {url}", "siyuan-puppy 正在监听 {url}";
    note(text): "note: {text}", "提示：{text}";
    certificate(file, day): "certificate {file} is valid until {day}", "证书 {file} 有效期至 {day}";
    own_certificate(file, day): "certificate {file} is valid until {day}; let clients trust it (--ca-file, curl --cacert)", "证书 {file} 有效期至 {day}；请让客户端信任它（--ca-file、curl --cacert）";
    needs_token: "An address that other machines can reach needs a token: set SIYUAN_MCP_TOKEN or --mcp-token-file, or create a token in the plugin's settings while SiYuan runs.", "在本机之外监听需要令牌：请设置 SIYUAN_MCP_TOKEN 或 --mcp-token-file，或在思源运行时在插件设置中生成令牌。";
    port_taken(port, holder): "Port {port} is taken by {holder}. Stop that program, or choose another port with --port.", "端口 {port} 被{holder}占用。请停止该程序，或用 --port 选择其他端口。";
    port_refused(port): "This user may not listen on port {port}. Choose a port from 1024 up with --port.", "当前用户不能监听端口 {port}。请用 --port 选择 1024 以上的端口。";
    port_failed(host, port, why): "Cannot listen on {host}, port {port}: {why}.", "无法监听 {host} 端口 {port}：{why}。";
    holder(name, pid): "{name} (process {pid})", " {name}（进程 {pid}）";
    other_program: "another program", "其他程序";
    token_file_failed(why): "The file given with --mcp-token-file cannot be read: {why}.", "无法读取 --mcp-token-file 指定的文件：{why}。";
    token_file_empty: "The file given with --mcp-token-file must contain a token: one line of visible ASCII.", "--mcp-token-file 指定的文件必须包含令牌：一行可见的 ASCII 字符。";
    bad_token: "SIYUAN_MCP_TOKEN must be visible ASCII without spaces.", "SIYUAN_MCP_TOKEN 必须是不含空格的可见 ASCII 字符。";
    name_without_token: "SIYUAN_MCP_AGENT does not count at the server that --connect names: there an agent is known by its own token. Put the token (siyuan-puppy agents token NAME) into SIYUAN_MCP_TOKEN or --mcp-token-file, or unset SIYUAN_MCP_AGENT.", "SIYUAN_MCP_AGENT 对 --connect 指定的服务器无效：那里以智能体自己的令牌识别。请把令牌（siyuan-puppy agents token NAME）放入 SIYUAN_MCP_TOKEN 或 --mcp-token-file，或取消 SIYUAN_MCP_AGENT。";
    no_certificate_folder: "This user has no home folder; give a certificate with --tls-cert and --tls-key.", "当前用户没有主文件夹；请用 --tls-cert 和 --tls-key 指定证书。";
    bad_parent: "SIYUAN_MCP_PARENT_PID must be the id of a process.", "SIYUAN_MCP_PARENT_PID 必须是进程的 ID。";
    no_parent(pid): "There is no process {pid} to watch; give the id of a running one with --parent-pid.", "没有可监视的进程 {pid}；请用 --parent-pid 指定正在运行的进程。";
    bad_allow_host(name): "--allow-host takes a name such as notes.example or notes.example:8443, not {name}.", "--allow-host 的值应为名称，例如 notes.example 或 notes.example:8443，而不是 {name}。";
    bad_allow_origin(name): "--allow-origin takes the origin of a page, such as https://app.example, not {name}. * and null are not accepted, because they would allow every page.", "--allow-origin 的值应为网页的来源，例如 https://app.example，而不是 {name}。不接受 * 和 null，因为它们会放行所有网页。";
}
