//! The words of errors for people. What core says beyond them is for agents, and stays English below a Chinese line.

use puppy_core::error::{ErrorType, ToolError};
use puppy_core::kernel::{KernelError, Nature};

use super::{Language, language};

texts! {
    /// Errors, and the hints below them.
    ErrorWords:
    prefix: "error: ", "错误：";
    tip(text): "tip: {text}", "提示：{text}";
    try_call(call): "Try: {call}", "可以试试：{call}";
    list_call(call): "List: {call}", "列出：{call}";
    did_you_mean(near): "Did you mean {near}?", "是否想输入 {near}？";
    or: " or ", " 或 ";
    no_document(path): "No such document: {path}.", "没有这篇文档：{path}。";
    no_thing(option, value): "Nothing found for {option} {value}. It may have been deleted, be at No access, or be in a notebook that is closed in SiYuan.", "没有找到 {option} {value}。它可能已删除、不可访问，或所在的笔记本已在思源中关闭。";
    no_notebook(name): "No such notebook: {name}. It may be at No access.", "没有这个笔记本：{name}。它也可能不可访问。";
    paused: "Agents are paused. Run `siyuan-puppy resume` to end the pause.", "智能体已暂停。执行 `siyuan-puppy resume` 即可继续。";
    needs_here(level, notebook, at): "This needs {level} in the notebook “{notebook}”, which is at {at}.", "此操作需要“{notebook}”的权限为{level}，目前为{at}。";
    needs_everywhere(level, below): "This needs {level} in every notebook that it changes. Below that: {below}.", "此操作需要所更改的每个笔记本的权限为{level}。低于此权限的有：{below}。";
    needs_somewhere(level): "This needs {level}, which no notebook has.", "此操作需要{level}权限，但没有笔记本达到。";
    notebook_at(notebook, level): "“{notebook}” ({level})", "“{notebook}”（{level}）";
    raise: "Raise it in SiYuan: MCP Puppy, Permissions.", "可在思源中提高：MCP 小狗 › 权限。";
    no_table: "Could not read the table of levels. Continuing without it.", "无法读取权限表，将不使用它继续。";
    forgive: "Or add --no-permission-file to treat every notebook as Read.", "或加上 --no-permission-file，将所有笔记本视为只读。";
    nothing_changed: "Nothing was changed.", "没有任何更改。";
    note_changed: "The note changed while it was being read. Run the command again.", "读取期间笔记已被更改，请重新执行命令。";
    on_terminal: "Run the command on a terminal to confirm it, or make the change in SiYuan: MCP Puppy, Permissions.", "请在终端中执行此命令以确认，或在思源中更改：MCP 小狗 › 权限。";
    no_yes: "The setting `confirm` in SiYuan does not accept --yes without a terminal. Run the command on a terminal.", "思源中的 `confirm` 设置不接受没有终端的 --yes。请在终端中执行此命令。";
    no_terminal: "No terminal to ask on. Add --yes to confirm.", "没有可供询问的终端。请加上 --yes 表示确认。";
    must_approve: "A person must approve this. Nothing was changed.", "此操作需要用户批准，没有任何更改。";
    two_forms: "--json and --ids cannot be used together.", "--json 和 --ids 不能同时使用。";
    no_action(tool, action): "there is no {tool} {action}", "没有 {tool} {action} 这个命令";
    no_json(option, why): "{option} is not valid JSON: {why}.", "{option} 不是有效的 JSON：{why}。";
    unreadable(option, value, why): "{option}: {value} cannot be read: {why}.", "{option}：无法读取 {value}：{why}。";
    cannot_start(why): "cannot start: {why}", "无法启动：{why}";
    no_server(address): "No server answers at {address}. Start one with `siyuan-puppy http`, or choose another with --host and --port.", "{address} 没有服务响应。请用 `siyuan-puppy http` 启动，或用 --host 和 --port 指定其他地址。";
    no_folder(folder, why): "cannot write the manual pages below {folder}: {why}", "无法将手册页写入 {folder}：{why}";
    no_write(file, why): "cannot write {file}: {why}", "无法写入 {file}：{why}";
    invalid: "Wrong arguments.", "参数有误。";
    not_found: "Not found, or not visible. Check the id or path. The notebook may be at No access, or closed in SiYuan.", "未找到，或不可访问。请检查 ID 或路径；笔记本可能不可访问，或已在思源中关闭。";
    not_found_here: "Not found.", "未找到。";
    denied: "Not allowed.", "权限不足。";
    disabled: "Not available.", "此操作不可用。";
    expired: "The question was not answered.", "无人回答询问。";
    conflict: "The content is different from what was expected.", "内容与预期不符。";
    refused: "SiYuan refused the request.", "思源拒绝了请求。";
    unreachable: "SiYuan cannot be reached.", "无法连接思源。";
    token: "SiYuan does not accept the token.", "思源不接受此令牌。";
    no_window: "No window of SiYuan is open. Open SiYuan in a window, then try again.", "没有打开的思源窗口。请先打开思源，然后重试。";
    internal: "Internal error.", "内部错误。";
    siyuan_silent: "SiYuan does not answer: nothing listens at its address. Start SiYuan, or set its address with --url.", "思源没有响应：其地址上没有程序在监听。请启动思源，或用 --url 设置其地址。";
    siyuan_slow: "SiYuan did not answer in time. It may be busy. Try again in a moment; after a change, check first whether it was made.", "思源未及时响应，可能正忙。请稍后重试；如果是更改，请先确认是否已生效。";
    siyuan_broke: "The connection to SiYuan broke. Check that SiYuan is running, then try again.", "与思源的连接中断。请确认思源正在运行，然后重试。";
    siyuan_broke_writing: "The connection to SiYuan broke during a change. Check whether it was made before you try again.", "更改过程中与思源的连接中断。重试之前请先确认更改是否已生效。";
    siyuan_token: "SiYuan refused the token, or requires one. `siyuan-puppy doctor` shows where it comes from; the right one is in SiYuan: Settings, About.", "思源拒绝了令牌，或需要令牌。`siyuan-puppy doctor` 会显示令牌的来源；正确的令牌在思源中：设置 › 关于。";
    siyuan_forbids: "SiYuan does not allow this with the token in use. Use the token of an administrator, and check that SiYuan is not read-only.", "思源不允许当前令牌执行此操作。请使用管理员的令牌，并确认思源不是只读模式。";
    siyuan_indexing: "SiYuan is indexing this document. Try again in a second.", "思源正在为此文档建立索引，请稍后重试。";
    siyuan_untrusted: "Nothing was sent to SiYuan, because its certificate could not be verified.", "无法验证思源的证书，因此没有发送任何内容。";
    siyuan_status(status): "SiYuan answered HTTP {status}. See its log if this continues.", "思源返回 HTTP {status}。如果持续出现，请查看其日志。";
}

/// An error of SiYuan in the language in use; `None` for one that only English has words for.
pub(crate) fn kernel(error: &KernelError) -> Option<String> {
    if language() == Language::English {
        return None;
    }
    let words = ErrorWords::here();
    Some(match error {
        KernelError::Refused => words.siyuan_silent().to_owned(),
        KernelError::Untrusted(why) => format!("{}\n{why}", words.siyuan_untrusted()),
        KernelError::TimedOut => words.siyuan_slow().to_owned(),
        KernelError::Broken(Nature::Read) => words.siyuan_broke().to_owned(),
        KernelError::Broken(Nature::Write) => words.siyuan_broke_writing().to_owned(),
        KernelError::Unauthorized => words.siyuan_token().to_owned(),
        KernelError::Forbidden => words.siyuan_forbids().to_owned(),
        KernelError::Indexing => words.siyuan_indexing().to_owned(),
        KernelError::Status(status) => words.siyuan_status(status),
        _ => return None,
    })
}

impl ErrorWords {
    /// An error of core, and whether it says all: otherwise what core says follows. `None` where it
    /// stands alone, which is nearly always so in English.
    pub(crate) fn of_core(self, error: &ToolError) -> Option<(String, bool)> {
        let plain = ToolError::not_found();
        if (error.kind, &error.message) == (plain.kind, &plain.message) {
            return Some((self.not_found().to_owned(), true));
        }
        if self.0 == Language::English {
            return None;
        }
        Some(match self.same(error) {
            Some(whole) => (whole, true),
            None => (self.kind(error.kind).to_owned(), false),
        })
    }

    /// The words for an error that core words without values.
    fn same(self, error: &ToolError) -> Option<String> {
        const PLAIN: [KernelError; 7] = [
            KernelError::Refused,
            KernelError::TimedOut,
            KernelError::Broken(Nature::Read),
            KernelError::Broken(Nature::Write),
            KernelError::Unauthorized,
            KernelError::Forbidden,
            KernelError::Indexing,
        ];
        let is_it = |other: ToolError| other.kind == error.kind && other.message == error.message;
        match error.kind {
            ErrorType::NoFrontend if is_it(ToolError::no_frontend()) => Some(self.no_window().to_owned()),
            // Only this program says so, and in the language in use.
            ErrorType::Denied | ErrorType::ConfirmationRequired => Some(error.message.clone()),
            _ => PLAIN.iter().find(|it| is_it(ToolError::from((*it).clone()))).and_then(kernel),
        }
    }

    const fn kind(self, kind: ErrorType) -> &'static str {
        match kind {
            ErrorType::Validation => self.invalid(),
            ErrorType::NotFound => self.not_found_here(),
            ErrorType::PermissionDenied => self.denied(),
            ErrorType::Disabled => self.disabled(),
            ErrorType::Paused => self.paused(),
            ErrorType::ConfirmationRequired => self.must_approve(),
            ErrorType::Denied => self.nothing_changed(),
            ErrorType::Expired => self.expired(),
            ErrorType::Conflict => self.conflict(),
            ErrorType::Api => self.refused(),
            ErrorType::KernelUnreachable => self.unreachable(),
            ErrorType::KernelAuth => self.token(),
            ErrorType::NoFrontend => self.no_window(),
            ErrorType::Internal => self.internal(),
        }
    }
}
