//! The texts of the connection page in the panel.

use super::{PanelWords, fill};
use crate::state::address::HttpServer;
use crate::state::server::{ServerPhase, ServerStatus, Why};

/// The time, in ms, in which a server has just started.
const MINUTE: u64 = 60_000;

texts! {
    /// The texts of the connection page.
    ConnectionWords:
    asking: "Checking the server…", "正在查询服务…";
    off: "Not running. Changes apply when it starts.", "未运行。更改会在启动后生效。";
    starting: "Starting…", "正在启动…";
    stopping: "Stopping after running calls finish…", "正在停止，等待进行中的调用结束…";
    running: "Running for {time} at {url}", "已在 {url} 运行 {time}";
    /// State, in the first minute.
    fresh: "Just started at {url}", "刚刚在 {url} 启动";
    /// State, followed by the reason.
    failed: "Not running.", "未运行。";
    /// State, with a server that this page did not start.
    elsewhere_one: "1 server is connected. It was started outside this page.", "已连接 1 个服务，它不是由此页面启动的。";
    /// State, with servers that this page did not start.
    elsewhere: "{n} servers are connected. They were started outside this page.", "已连接 {n} 个服务，它们不是由此页面启动的。";
    /// State, with a server over HTTP that this page did not start.
    elsewhere_at: "1 server is connected at {url}. It was started outside this page.", "已连接 1 个服务，地址为 {url}，它不是由此页面启动的。";
    /// State, with servers of which this one over HTTP is used.
    used_at: "{n} servers are connected. This panel uses the HTTP server at {url}.", "已连接 {n} 个服务。此面板使用地址为 {url} 的 HTTP 服务。";
    /// State, with servers of which the one that SiYuan started is used.
    kept_at: "{n} servers are connected. This panel uses the one that SiYuan started, at {url}.", "已连接 {n} 个服务。此面板使用由思源启动的服务，地址为 {url}。";
    /// State, after that of a server that this page can start but that does not run.
    other_at: "A server that was started outside this page is connected at {url}.", "已连接另一个服务，地址为 {url}，它不是由此页面启动的。";
    why_browser: "A browser cannot start programs. For clients over HTTP, run this on the computer that runs SiYuan:", "浏览器无法启动程序。如果客户端通过 HTTP 连接，请在运行思源的电脑上执行：";
    why_remote: "Your notes are on another computer or in a container. For clients over HTTP, run this there:", "笔记在另一台电脑或容器中。如果客户端通过 HTTP 连接，请在那里执行：";
    why_readonly: "SiYuan is read-only, so the server cannot run.", "思源处于只读模式，无法运行服务。";
    why_platform: "The package has no program for this machine ({detail}). Build it from source, then run this:", "安装包中没有适用于本机（{detail}）的程序。请从源码构建后执行：";
    why_package: "The package is incomplete: {detail} is missing. Reinstall the plugin.", "安装包不完整：缺少 {detail}。请重新安装插件。";
    why_broken: "The program in the package is damaged. Reinstall the plugin.", "安装包中的程序已损坏。请重新安装插件。";
    why_taken: "The port is taken by {detail}. Stop that program, or use another port and update your clients.", "端口被 {detail} 占用。请停止该程序，或改用其他端口并更新客户端。";
    why_crashed: "The server stopped unexpectedly several times. See the log below.", "服务多次意外退出，详见下方日志。";
    why_again: "The server stopped unexpectedly. Restarting…", "服务意外退出，正在重新启动…";
    why_slow: "The server did not answer in time. Try again.", "服务未及时响应，请重试。";
    why_stays: "An older server (process {detail}) does not stop. End that process, then start again.", "旧的服务（进程 {detail}）无法停止。请结束该进程后重新启动。";
    why_settings: "The settings cannot be read, so the server does not start.", "无法读取设置，因此不会启动服务。";
    why_token: "The client token could not be saved, so the server does not start.", "无法保存客户端令牌，因此不会启动服务。";
    why_unknown: "{detail}", "{detail}";
    stop: "Stop", "停止";
    restart: "Restart", "重启";
    other_port: "Use port {port}", "改用端口 {port}";
    stale: "The settings have changed. They apply after a restart.", "设置已更改，重启后生效。";
    port_wrong: "Enter a number from 1 to 65535.", "请输入 1 到 65535 之间的数字。";
    origins_wrong: "Each origin needs a scheme and a host, such as https://app.example.", "每个来源都需要协议和域名，例如 https://app.example。";
    token_none: "No token. Any program on this computer can connect.", "没有令牌：本机的任何程序都可以连接。";
    token_is: "Clients must send the token, which ends in {end}.", "客户端必须提供令牌，末四位为 {end}。";
    token_new: "This is the token. It is shown only once; copied snippets include it.", "这就是令牌，只显示这一次；复制下方的配置时会带上它。";
    token_replace: "Replace…", "更换…";
    token_remove: "Remove…", "移除…";
    token_replace_ask: "Clients with the old token are refused until they have the new one.", "使用旧令牌的客户端会被拒绝，直到换上新令牌。";
    token_remove_ask: "Any program on this computer can then work in your notes, within the permissions.", "此后本机的任何程序都可以在权限范围内操作你的笔记。";
    copy: "Copy", "复制";
    /// Button, for screen readers.
    copy_what: "Copy: {what}", "复制：{what}";
    not_saved: "Not saved.", "未保存。";
    torn: "The settings file cannot be read. Agents are stopped, and the file is not overwritten.", "无法读取设置文件，智能体已停止，也不会覆盖该文件。";
    other: "Other", "其他";
    starts: "Local (stdio)", "本地（stdio）";
    over_http: "HTTP", "通过 HTTP";
    /// Group, for screen readers.
    ways: "Connection method", "连接方式";
    put_into: "Put this into", "将以下内容写入";
    run_this: "Run this in a terminal", "在终端中执行";
    enter_this: "Add this as an MCP server in the client", "在客户端中将其添加为 MCP 服务";
    variable: "The client reads the token from the environment variable SIYUAN_MCP_TOKEN.", "客户端从环境变量 SIYUAN_MCP_TOKEN 读取令牌。";
    hidden: "The token is shown as dots but copied in full.", "令牌以圆点显示，复制时为完整内容。";
    must_run: "The server must be running.", "需要服务正在运行。";
    own_path: "Use its full path in place of /path/to.", "请将 /path/to 换成它的完整路径。";
    /// Link, before that hint.
    download: "Download siyuan-puppy.", "下载 siyuan-puppy。";
    /// Link that opens a client.
    add_to: "Add to {client}", "添加到 {client}";
    /// Step, after that link.
    or_run: "Or run this in a terminal", "或在终端中执行";
    /// Between two ways of one step.
    or: "Or", "或者";
    ask_this: "Restart the client, then ask it: “List my notebooks.”", "重启客户端，然后问它：“列出我的笔记本。”";
    /// State of the step.
    waiting: "Waiting for a call…", "正在等待调用…";
    /// State of the step.
    arrived: "Connected. A call arrived.", "已连接，收到了调用。";
    assistant: "SiYuan's own assistant", "思源自带的智能体";
    assistant_differs: "The existing entry is different, for example from an older path. Turn it off and on to update it.", "现有条目与此不同，例如路径较旧。关闭后再打开即可更新。";
    assistant_unknown: "This version of SiYuan has no MCP server settings.", "此版本的思源没有 MCP 服务设置。";
    log: "Log", "日志";
    log_empty: "The log is empty.", "日志为空。";
    server: "Server", "服务";
    server_settings: "Server settings", "服务设置";
    start: "Start", "启动";
    autostart: "Start with SiYuan", "随思源启动";
    autostart_hint: "The server always stops with SiYuan.", "服务始终随思源退出。";
    port: "Port", "端口";
    port_hint: "On this computer only (127.0.0.1). If the port is taken, the server does not start.", "仅限本机（127.0.0.1）。端口被占用时，服务不会启动。";
    encrypted: "Encrypt (TLS)", "加密（TLS）";
    encrypted_hint: "Uses a certificate created on this computer. Clients must trust it; the log shows its path.", "使用本机生成的证书。客户端需要信任它，证书路径见日志。";
    origins: "Allowed web origins", "允许的网页来源";
    origins_hint: "Separate with spaces, e.g. https://app.example. Local pages need the token.", "用空格分隔，例如 https://app.example。本机网页需要令牌。";
    token: "Token", "令牌";
    token_make: "Create a token", "生成令牌";
    clients: "Connect a client", "连接客户端";
    assistant_use: "Let it use MCP Puppy", "让它使用 MCP 小狗";
    assistant_hint: "Adds an entry to Settings › AI › MCP servers. Turning it off removes the entry.", "在“设置 › AI › MCP 服务”中添加一项，关闭时移除。";
}

impl ConnectionWords {
    /// The state of the server in a sentence or two, where so many servers are connected and this one over HTTP is used.
    pub fn status(
        &self,
        panel: &PanelWords,
        status: &ServerStatus,
        now: u64,
        (connected, http): (usize, Option<&HttpServer>),
    ) -> String {
        let own = self.own_status(panel, status, now);
        match (status.doing, http) {
            (ServerPhase::None, _) if connected > 0 => self.elsewhere(connected, http),
            (ServerPhase::Off | ServerPhase::Failed, Some(http)) => {
                [own.as_str(), " ", &fill(self.other_at, &[("url", &http.url)])].concat()
            }
            _ => own,
        }
    }

    /// The state of servers that this page did not start.
    fn elsewhere(&self, connected: usize, http: Option<&HttpServer>) -> String {
        let text = match (connected, http) {
            (1, None) => self.elsewhere_one,
            (1, Some(_)) => self.elsewhere_at,
            (_, None) => self.elsewhere,
            (_, Some(http)) if http.is_kept => self.kept_at,
            (_, Some(_)) => self.used_at,
        };
        let url = http.map_or("", |it| it.url.as_str());
        fill(text, &[("n", &connected.to_string()), ("url", url)])
    }

    fn own_status(&self, panel: &PanelWords, status: &ServerStatus, now: u64) -> String {
        match status.doing {
            ServerPhase::Unknown => self.asking.to_owned(),
            ServerPhase::Off if status.why != Why::Program => self.off.to_owned(),
            ServerPhase::Starting if status.why != Why::Unknown => self.why(status),
            ServerPhase::Starting => self.starting.to_owned(),
            ServerPhase::Stopping => self.stopping.to_owned(),
            ServerPhase::Running => {
                let runs = now.saturating_sub(status.since);
                let text = if runs < MINUTE { self.fresh } else { self.running };
                fill(text, &[("time", &panel.time(runs)), ("url", &status.url)])
            }
            ServerPhase::None => self.why(status),
            ServerPhase::Off | ServerPhase::Failed => {
                format!("{} {}", self.failed, self.why(status)).trim().to_owned()
            }
        }
    }

    fn why(&self, status: &ServerStatus) -> String {
        let text = match status.why {
            Why::Browser => self.why_browser,
            Why::Remote => self.why_remote,
            Why::Readonly => self.why_readonly,
            Why::Platform => self.why_platform,
            Why::Package => self.why_package,
            Why::Broken => self.why_broken,
            Why::Taken => self.why_taken,
            Why::Crashed => self.why_crashed,
            Why::Again => self.why_again,
            Why::Slow => self.why_slow,
            Why::Stays => self.why_stays,
            Why::Settings => self.why_settings,
            Why::Token => self.why_token,
            Why::Program | Why::Unknown => self.why_unknown,
        };
        fill(text, &[("detail", &status.detail)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_is_told_with_reason_and_way_out() {
        let words = ConnectionWords::of("en");
        let panel = PanelWords::of("en");
        let status = |json: &str| {
            let status = serde_json::from_str(json).unwrap_or_default();
            words.status(panel, &ServerStatus::of(&status), 3_720_000, (0, None))
        };
        assert_eq!(
            status(r#"{"state":"running","url":"http://127.0.0.1:1/mcp","since":0}"#),
            "Running for 1 h 2 min at http://127.0.0.1:1/mcp"
        );
        assert_eq!(
            status(r#"{"state":"running","url":"http://127.0.0.1:1/mcp","since":3660001}"#),
            "Just started at http://127.0.0.1:1/mcp"
        );
        let taken = status(r#"{"state":"failed","why":"taken","detail":"nginx (process 7)"}"#);
        assert!(taken.contains("nginx (process 7)") && taken.contains("another port"), "{taken}");
        assert_eq!(status(r#"{"state":"failed","detail":"odd"}"#), "Not running. odd");
        assert!(status(r#"{"state":"starting","why":"again"}"#).ends_with("Restarting…"));
        let absent =
            |state: &str| status(&format!(r#"{{"state":"{state}","why":"program","detail":"It."}}"#));
        assert_eq!(
            ["off", "failed", "starting"].map(absent),
            ["Not running. It.", "Not running. It.", "It."]
        );
        assert!(status(r#"{"state":"none","why":"browser"}"#).ends_with(':'));
        let none = ServerStatus { doing: ServerPhase::None, ..ServerStatus::default() };
        assert_eq!(
            words.status(panel, &none, 0, (2, None)),
            "2 servers are connected. They were started outside this page."
        );
    }

    /// With a server over HTTP the state says its address, and of several which one is used.
    #[test]
    fn status_names_the_server_that_is_used() {
        let (words, panel) = (ConnectionWords::of("en"), PanelWords::of("en"));
        let url = "http://127.0.0.1:40000/mcp".to_owned();
        let manual = HttpServer { url, is_near: true, is_kept: false };
        let kept = HttpServer { is_kept: true, ..manual.clone() };
        let said = |doing: ServerPhase, connected: usize, http: Option<&HttpServer>| {
            let status = ServerStatus { doing, ..ServerStatus::default() };
            words.status(panel, &status, 0, (connected, http))
        };
        let none = ServerPhase::None;
        assert_eq!(
            said(none, 1, Some(&manual)),
            "1 server is connected at http://127.0.0.1:40000/mcp. It was started outside this page."
        );
        let many = [said(none, 2, Some(&manual)), said(none, 2, Some(&kept))];
        assert!(many[0].contains("uses the HTTP server at http://127.0.0.1:40000/mcp"), "{}", many[0]);
        assert!(
            many[1].contains("the one that SiYuan started, at http://127.0.0.1:40000/mcp"),
            "{}",
            many[1]
        );
        assert_eq!(said(none, 1, None), "1 server is connected. It was started outside this page.");
        let off = said(ServerPhase::Off, 1, Some(&manual));
        assert!(
            off.starts_with("Not running.") && off.ends_with("connected at http://127.0.0.1:40000/mcp."),
            "{off}"
        );
        assert_eq!(said(ServerPhase::Off, 1, None), words.off);
    }
}
