//! The words of the commands for people who set this up: clients, profiles, kernels, the pause, and where settings come
//! from.

texts! {
    /// The output of `install`, `list`, `config`, `kernels`, `pause`, and errors of their options.
    SetupWords:
    paste: "paste manually: run install", "需手动粘贴：执行 install";
    not_here: "not found", "未找到";
    not_set_up: "not set up", "未设置";
    starts: "starts this program", "启动此程序";
    calls: "calls this program's server", "调用此程序的服务";
    stale: "its program is missing: run install", "程序已不存在：执行 install";
    broken: "its file cannot be read", "文件无法读取";
    no_clients: "There are none.", "没有。";
    no_client: "There is no such client.", "没有这个客户端。";
    no_own_path(why): "The path of this program cannot be determined: {why}.", "无法确定此程序的路径：{why}。";
    entry_name: "--name must consist of letters, digits, spaces, dots, - and _.", "--name 只能包含字母、数字、空格、点、- 和 _。";
    remove_by_hand(client): "{client} does not store its servers in a file: remove siyuan in its settings under MCP servers.", "{client} 不在文件中保存服务：请在其设置的 MCP 服务中移除 siyuan。";
    cherry: "Settings, MCP, Add, Import from JSON", "设置 › MCP › 添加 › 从 JSON 导入";
    elsewhere: "its settings, MCP servers, add", "其设置 › MCP 服务 › 添加";
    paste_there(client, place): "{client} does not store its servers in a file. Paste this there ({place}):", "{client} 不在文件中保存服务。请将以下内容粘贴到“{place}”：";
    chatgpt: "ChatGPT on the web reaches this program through OpenAI's tunnel. These steps follow OpenAI's documents and have not been tried. Your calls and the notes in them pass through OpenAI. Nothing was changed.", "网页版 ChatGPT 通过 OpenAI 的隧道访问此程序。以下步骤依据 OpenAI 的文档，尚未经过尝试。你的调用及其中的笔记会经过 OpenAI。没有任何更改。";
    chatgpt_prepare: "At https://platform.openai.com/settings/organization/tunnels, create a tunnel for your ChatGPT workspace and download tunnel-client. Create a restricted key with Tunnels: Read and Use.", "在 https://platform.openai.com/settings/organization/tunnels 为你的 ChatGPT 工作区创建隧道并下载 tunnel-client，再创建一个仅有 Tunnels: Read 和 Use 权限的密钥。";
    chatgpt_run: "Run these with your key and the tunnel's id. ChatGPT reaches your notes only while the last one runs:", "填入密钥和隧道的 ID 后执行以下命令。只有最后一条运行期间，ChatGPT 才能访问你的笔记：";
    chatgpt_connect: "At https://chatgpt.com/#settings/Connectors, add a connector, choose the connection Tunnel, and select the tunnel. Then ask: List my notebooks.", "在 https://chatgpt.com/#settings/Connectors 添加连接器，连接方式选择 Tunnel，并选中该隧道。然后问它：列出我的笔记本。";
    chatgpt_page(page): "More: {page}", "更多信息（英文）：{page}";
    must_run: "The server must be running (`siyuan-puppy http`, or SiYuan with the plugin). If it has a token, send it as the header `Authorization: Bearer <token>`.", "服务必须正在运行（`siyuan-puppy http`，或带插件的思源）。如果有令牌，请作为请求头发送：`Authorization: Bearer <token>`。";
    connect_alone: "--connect names a server that is already connected to SiYuan, so it cannot be combined with --url, --profile or --token-file. Remove these options.", "--connect 指向的服务已经连接思源，因此不能与 --url、--profile 和 --token-file 一起使用。请去掉它们。";
    token_needs_kernel: "--token-file belongs to one address, but the current profile can change. Add --url or --profile.", "--token-file 属于某个地址，而当前配置以后可能改变。请同时指定 --url 或 --profile。";
    entry_address: "An address must start with http:// or https:// and a host, such as http://127.0.0.1:6806.", "地址必须以 http:// 或 https:// 和主机名开头，例如 http://127.0.0.1:6806。";
    entry_person: "This address contains a user name or a password, and every program on this machine can read the command line in the entry. Store it in a profile with `siyuan-puppy config set url`, then use --profile here.", "此地址含有用户名或密码，而本机的任何程序都可以读取条目中的命令行。请将其放入配置：先执行 `siyuan-puppy config set url`，再在此使用 --profile。";
    bad_path(why): "This path cannot be used: {why}.", "无法使用此路径：{why}。";
    no_file(file): "No such file: {file}.", "没有这个文件：{file}。";
    link(file, target): "{file} (a link to {target})", "{file}（指向 {target} 的链接）";
    same_entry(client, file): "{client}: {file} already has the entry. Nothing was changed.", "{client}：{file} 中已有该条目，没有任何更改。";
    no_entry(client, file): "{client}: {file} has no entry for this server. Nothing was changed.", "{client}：{file} 中没有此服务的条目，没有任何更改。";
    would_change(file): "{file} would change:", "{file} 将有以下更改：";
    nothing_changed: "Nothing was changed.", "没有任何更改。";
    updated(client, file): "{client}: updated {file}.", "{client}：已更新 {file}。";
    kept(file): "The old file is saved as {file}.", "旧文件已保存为 {file}。";
    restart(client): "Restart {client}.", "请重启 {client}。";
    restart_ask(client): "Restart {client}, then ask it: List my notebooks.", "请重启 {client}，然后问它：列出我的笔记本。";
    hidden: "(hidden)", "（已隐藏）";
    store_token: "If SiYuan has an access code, store its token with `siyuan-puppy config set url` and `siyuan-puppy config set token-file`, or repeat this command with --url and --token-file.", "如果思源设置了访问授权码，请用 `siyuan-puppy config set url` 和 `siyuan-puppy config set token-file` 保存其令牌，或加上 --url 和 --token-file 重新执行此命令。";
    no_home: "This user has no home folder.", "当前用户没有主文件夹。";
    not_in_profile(name, setting): "Profile {name} has no {setting}.", "配置 {name} 没有 {setting}。";
    not_in_profile_same(name, setting): "Profile {name} has no {setting}. Nothing was changed.", "配置 {name} 没有 {setting}，没有任何更改。";
    switched(name): "Switched to profile {name}.", "已切换到配置 {name}。";
    removed_profile(name): "Removed profile {name}.", "已移除配置 {name}。";
    no_profiles: "There are no profiles. `siyuan-puppy config set url ADDRESS` creates one.", "还没有配置。`siyuan-puppy config set url 地址` 会创建一个。";
    set(setting, name): "Set {setting} in profile {name}.", "已设置配置 {name} 的 {setting}。";
    replaced(setting): "Removed {setting}, which it replaces.", "它取代了 {setting}，后者已移除。";
    unset(setting, name): "Removed {setting} from profile {name}.", "已移除配置 {name} 的 {setting}。";
    imported(names): "Imported: {names}.", "已导入：{names}。";
    token_command: "token-command is a JSON list of the program and its arguments, such as '[\"pass\", \"siyuan\"]'.", "token-command 是程序及其参数的 JSON 列表，例如 '[\"pass\", \"siyuan\"]'。";
    token_env: "token-env is the name of an environment variable: letters, digits and _.", "token-env 是环境变量的名称，由字母、数字和 _ 组成。";
    no_kernels: "No running SiYuan found. Commands still try port 6806; use --url for another address.", "没有找到正在运行的思源。命令仍会尝试端口 6806；其他地址请使用 --url。";
    paused: "Paused. All agent calls are refused until you run `siyuan-puppy resume`.", "已暂停。在执行 `siyuan-puppy resume` 之前，智能体的调用会被拒绝。";
    resumed: "Resumed. Agents can make calls again.", "已继续，智能体可以再次调用。";
    still_paused: "Agents are still paused: another program changed the setting at the same time. Try again.", "智能体仍处于暂停状态：其他程序同时更改了设置，请重试。";
    not_paused: "Agents are not paused: another program changed the setting at the same time. Try again.", "智能体没有暂停：其他程序同时更改了设置，请重试。";
    siyuan_at(address, from): "SiYuan at {address} ({from}).", "思源位于 {address}（{from}）。";
    of_profile(name): "profile {name}", "配置 {name}";
    default_address: "default address", "默认地址";
    found_here: "found on this machine", "在本机找到";
    two_kernels: "--url and --profile name two kernels. Use only one of these options.", "--url 和 --profile 指定了两个思源内核，请只使用其中一个。";
    token_for_profile(name): "--token-file needs --url or --profile: without one, the token would be sent to the address of the current profile, {name}.", "--token-file 需要 --url 或 --profile：否则令牌会发送到当前配置 {name} 的地址。";
    token_file_failed(why): "The file given with --token-file cannot be read: {why}.", "无法读取 --token-file 指定的文件：{why}。";
    no_variable(name, near, known): "siyuan-puppy has no setting {name}.{near} The settings are {known}.", "siyuan-puppy 没有 {name} 这个设置。{near}可用的设置：{known}。";
    bad_host: "--host must be an IP address of this machine, such as 127.0.0.1.", "--host 必须是本机的 IP 地址，例如 127.0.0.1。";
}
