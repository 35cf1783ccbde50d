//! The texts of the connection page in the panel.

use super::{PanelWords, fill};
use crate::state::server::{Doing, ServerStatus, Why};

/// The time, in ms, in which a server has just started.
const MINUTE: u64 = 60_000;

texts! {
    /// The texts of the connection page.
    ConnectionWords:
    /// State.
    asking: "Asking for the server…", "正在查询服务…";
    /// State.
    off: "Not running. Changes apply when it starts.", "未运行。更改会在启动后生效。";
    /// State.
    starting: "Starting…", "正在启动…";
    /// State.
    stopping: "Stopping; running calls may finish…", "正在停止，等待进行中的调用结束…";
    /// State.
    running: "Running for {time} at {url}", "已在 {url} 运行 {time}";
    /// State, in the first minute.
    fresh: "Just started at {url}", "刚刚在 {url} 启动";
    /// State, followed by the reason.
    failed: "Not running.", "未运行。";
    /// Reason.
    why_browser: "A browser cannot start programs. Run this on the computer that runs SiYuan:", "浏览器无法启动程序。请在运行思源的电脑上执行：";
    /// Reason.
    why_remote: "The notes are on another computer or in a container. Run this there:", "笔记在另一台电脑或容器中。请在那里执行：";
    /// Reason.
    why_readonly: "SiYuan is read-only; agents cannot be served from here.", "思源处于只读模式，无法从这里提供服务。";
    /// Reason.
    why_platform: "The package has no program for this machine ({detail}). Build it from source and run this:", "安装包中没有适用于本机（{detail}）的程序。请从源码构建后执行：";
    /// Reason.
    why_package: "The package is not complete: {detail} is missing. Install the plugin again.", "安装包不完整：缺少 {detail}。请重新安装插件。";
    /// Reason.
    why_broken: "The program in the package is damaged. Install the plugin again.", "安装包中的程序已损坏。请重新安装插件。";
    /// Reason.
    why_taken: "The port is taken by {detail}. Stop that program, or use another port; clients need the new one too.", "端口被 {detail} 占用。请停止该程序，或改用其他端口；客户端也需要换成新端口。";
    /// Reason.
    why_crashed: "It ended by itself several times. The log below says more.", "服务多次自行退出，详见下方日志。";
    /// Reason.
    why_again: "It ended by itself and is started again…", "服务自行退出，正在重新启动…";
    /// Reason.
    why_slow: "It did not answer in time. Try again.", "服务未及时响应，请重试。";
    /// Reason.
    why_stays: "An older one (process {detail}) does not end. End it by hand, then start again.", "旧的服务（进程 {detail}）无法结束。请手动结束后重新启动。";
    /// Reason.
    why_settings: "The settings cannot be read, so nothing is started.", "无法读取设置，因此没有启动。";
    /// Reason.
    why_token: "The token of its clients could not be saved, so nothing is started.", "无法保存客户端令牌，因此没有启动。";
    /// Reason.
    why_unknown: "{detail}", "{detail}";
    /// Button.
    stop: "Stop", "停止";
    /// Button.
    restart: "Restart", "重启";
    /// Button.
    other_port: "Use port {port}", "改用端口 {port}";
    /// Notice.
    stale: "The settings have changed. They apply after a restart.", "设置已更改，重启后生效。";
    /// Error.
    port_wrong: "A number from 1 to 65535 is needed.", "需要 1 到 65535 之间的数字。";
    /// Error.
    origins_wrong: "Each needs a scheme and a name, such as https://app.example.", "每一项都需要协议和域名，例如 https://app.example。";
    /// Hint.
    token_none: "There is none: every program on this computer may call.", "没有令牌：本机的任何程序都可以调用。";
    /// Hint.
    token_is: "Clients must send it. Ends in {end}.", "客户端必须提供令牌，末四位为 {end}。";
    /// Hint.
    token_new: "This is the token. It is shown this once; the snippets below copy it too.", "这就是令牌，只显示这一次；下方的配置在复制时也会带上它。";
    /// Button.
    token_replace: "Make a new one…", "更换令牌…";
    /// Button.
    token_remove: "Remove…", "移除…";
    /// Question.
    token_replace_ask: "Clients that have the old token are refused until they get the new one.", "持有旧令牌的客户端将被拒绝，直到换上新令牌。";
    /// Question.
    token_remove_ask: "Every program on this computer may then work in your notes, within the permissions.", "此后本机的任何程序都可以在权限范围内操作你的笔记。";
    /// Button.
    copy: "Copy", "复制";
    /// Button, for screen readers.
    copy_what: "Copy: {what}", "复制：{what}";
    /// Error.
    not_saved: "Not saved.", "未保存。";
    /// Error.
    torn: "The settings file cannot be read, so agents are stopped and nothing is saved over it.", "无法读取设置文件，智能体已停止，也不会覆盖该文件。";
    /// Choice.
    other: "Other", "其他";
    /// Choice.
    starts: "It starts the program itself", "由客户端启动程序";
    /// Choice.
    over_http: "Over HTTP", "通过 HTTP";
    /// Group, for screen readers.
    ways: "How it connects", "连接方式";
    /// Step.
    put_into: "Put this into", "将以下内容写入";
    /// Step.
    run_this: "Run this in a terminal", "在终端中执行";
    /// Step.
    enter_this: "Enter this where the client asks for an MCP server", "在客户端添加 MCP 服务的地方填入";
    /// Hint.
    variable: "It reads the token from the environment variable SIYUAN_MCP_TOKEN.", "令牌从环境变量 SIYUAN_MCP_TOKEN 读取。";
    /// Hint.
    hidden: "The token is shown as dots and copied as it is.", "令牌以圆点显示，复制时为真实内容。";
    /// Hint.
    must_run: "The server must run for this.", "需要服务正在运行。";
    /// Hint.
    own_path: "Give the full path of siyuan-puppy on the computer of the client.", "请填写客户端所在电脑上 siyuan-puppy 的完整路径。";
    /// Step.
    ask_this: "Restart the client, then ask it: “List my notebooks.”", "重启客户端，然后问它：“列出我的笔记本。”";
    /// State of the step.
    waiting: "Waiting for a first call…", "正在等待第一次调用…";
    /// State of the step.
    arrived: "Connected: a call arrived.", "已连接：收到了调用。";
    /// Group.
    assistant: "SiYuan's own assistant", "思源自带的智能体";
    /// Hint.
    assistant_differs: "The entry there is another one, such as of an older place. Switch it off and on to renew it.", "现有条目与此不同，例如路径较旧。关闭后再打开即可更新。";
    /// Hint.
    assistant_unknown: "This SiYuan tells nothing of MCP servers.", "此版本的思源没有提供 MCP 服务设置。";
    /// Group.
    log: "Log", "日志";
    /// State.
    log_empty: "Nothing was written yet.", "暂无内容。";
    /// Group.
    server: "Server", "服务";
    /// Button.
    start: "Start", "启动";
    /// Setting.
    autostart: "Start with SiYuan", "随思源启动";
    /// Hint.
    autostart_hint: "It ends with SiYuan either way.", "无论如何都会随思源退出。";
    /// Setting.
    port: "Port", "端口";
    /// Hint.
    port_hint: "On this computer only (127.0.0.1). A port in use is never replaced by another one.", "仅限本机（127.0.0.1）。端口被占用时不会改用其他端口。";
    /// Setting.
    encrypted: "Encrypt (TLS)", "加密（TLS）";
    /// Hint.
    encrypted_hint: "With a certificate made on this computer. Clients must be told to trust it; the log names its file.", "使用本机生成的证书。客户端需要信任它，证书文件见日志。";
    /// Setting.
    origins: "Pages that may call", "允许调用的网页";
    /// Hint.
    origins_hint: "Origins such as https://app.example, between spaces. Pages of this computer may call with a token.", "形如 https://app.example 的来源，用空格分隔。本机网页持令牌即可调用。";
    /// Setting.
    token: "Token", "令牌";
    /// Button.
    token_make: "Make a token", "生成令牌";
    /// Group.
    clients: "Connect a client", "连接客户端";
    /// Setting.
    assistant_use: "Let it use the puppy", "让它使用小狗";
    /// Hint.
    assistant_hint: "Adds an entry to Settings › AI › MCP servers, and takes it out again.", "在“设置 › AI › MCP 服务”中添加一项，关闭时移除。";
}

impl ConnectionWords {
    /// The state of the server in a sentence or two.
    pub fn status(&self, panel: &PanelWords, status: &ServerStatus, now: u64) -> String {
        match status.doing {
            Doing::Unknown => self.asking.to_owned(),
            Doing::Off => self.off.to_owned(),
            Doing::Starting if status.why == Why::Again => self.why_again.to_owned(),
            Doing::Starting => self.starting.to_owned(),
            Doing::Stopping => self.stopping.to_owned(),
            Doing::Running => {
                let runs = now.saturating_sub(status.since);
                let text = if runs < MINUTE { self.fresh } else { self.running };
                fill(text, &[("time", &panel.time(runs)), ("url", &status.url)])
            }
            Doing::None => self.why(status),
            Doing::Failed => format!("{} {}", self.failed, self.why(status)).trim().to_owned(),
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
            Why::Unknown => self.why_unknown,
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
            words.status(panel, &ServerStatus::of(&status), 3_720_000)
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
        assert!(status(r#"{"state":"none","why":"browser"}"#).ends_with(':'));
    }
}
