//! The texts of the help page.

texts! {
    /// The texts of the help page.
    HelpWords:
    off: "The server is not running", "服务未运行";
    off_do: "Start it on Connection. In a browser, run siyuan-puppy on the computer that runs SiYuan.", "在“连接”页启动。在浏览器中，请在运行思源的电脑上执行 siyuan-puppy。";
    no_tools: "The client shows no tools", "客户端没有显示工具";
    no_tools_do: "Restart the client after changing its file. Run siyuan-puppy doctor in a terminal to find the problem.", "更改配置文件后重启客户端。在终端执行 siyuan-puppy doctor 可查找问题。";
    unseen: "An agent does not see a notebook, or cannot write", "智能体看不到某个笔记本，或无法写入";
    unseen_do: "Raise its level on Permissions, the agent's limit on Agents, and check that the action is on under Tools. Encrypted notebooks are always at No access.", "在“权限”页提高等级，在“智能体”页提高上限，并确认“工具”页中该操作已开启。加密笔记本始终不可访问。";
    refused: "Every call is refused", "所有调用都被拒绝";
    refused_do: "Agents may be paused: resume on Home. A damaged settings file also stops them. The page of these settings shows it.", "智能体可能已暂停：在主页继续。设置文件损坏时也会停止，相应页面会说明。";
    waits: "A call waits, or was stopped as dangerous", "调用在等待，或因危险被停止";
    waits_do: "Answer in the dialog, next to the puppy or on Home. To change who approves, open Advanced.", "在对话框、小狗旁边或主页答复。批准方式可在“高级”页更改。";
    silent_do: "The panel retries automatically. If SiYuan has stopped, start it. Drafts are kept while this page is open.", "面板会自动重试。如果思源已停止，请启动它。此页面打开期间草稿会保留。";
    readonly: "Nothing can be changed", "无法更改任何设置";
    readonly_do: "SiYuan is in read-only mode. Leave that mode, then open the panel again.", "思源处于只读模式。退出该模式后重新打开面板。";
    level: "Level", "等级";
    level_means: "What agents may do in a notebook: No access, Read, Write, Delete.", "智能体在笔记本中可以做什么：不可访问、只读、读写、读写删。";
    agent: "Agent", "智能体";
    agent_means: "A program that works in your notes. On Agents it gets a name and a limit, which no level exceeds.", "使用你笔记的程序。在“智能体”页为它起名并设置上限，任何等级都不会超过该上限。";
    errand: "Errand", "委托";
    errand_means: "Changes that you allow an agent with one answer: so many, in one place, for some minutes.", "一次答复允许智能体执行的一组更改：限定数量、位置和时间。";
    tool: "Tool and action", "工具与操作";
    tool_means: "A tool covers an area, such as document. An action is one operation of a tool, such as document.read.", "工具对应一个领域，例如 document；操作是工具的一项功能，例如 document.read。";
    draft: "Draft", "草稿";
    draft_means: "Changes on Permissions and Tools. They take effect when you apply them.", "“权限”和“工具”页上的更改，应用之后才生效。";
    dangerous_means: "An action that deletes or overwrites a lot. It waits until a person approves its plan.", "会大量删除或覆盖内容的操作。在有人批准其计划之前不会执行。";
    key_search: "Search", "搜索";
    key_pages: "Another page", "切换页面";
    key_cells: "Move in the table of levels without changing it", "在权限表中移动，不做更改";
    key_choose: "Choose the level or press the button under the cursor", "选择光标处的等级或按下按钮";
    key_close: "Close the panel; drafts are kept", "关闭面板，草稿会保留";
    key_puppy: "On the puppy: pet it, move it, open its menu", "在小狗上：抚摸、移动、打开菜单";
    docs_hint: "In English, on GitHub; opens in the browser.", "英文，位于 GitHub，在浏览器中打开。";
    doc_install: "Install and remove", "安装与卸载";
    doc_danger: "Danger and questions", "危险操作与询问";
    doc_faq: "Questions and answers", "常见问题";
    doc_reference: "Every tool and action", "所有工具和操作";
    troubles: "When something does not work", "遇到问题时";
    terms: "Terms", "术语";
    keys: "Keyboard shortcuts", "快捷键";
    docs: "Read more", "了解更多";
}
