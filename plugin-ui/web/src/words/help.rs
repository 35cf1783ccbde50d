//! The texts of the help page.

texts! {
    /// The texts of the help page.
    HelpWords:
    /// Step.
    step_connect: "Connect a client: copy its snippet, restart it.", "连接客户端：复制其配置片段，然后重启客户端。";
    /// Step.
    step_levels: "Choose what agents may do in each notebook. Not listed means Read.", "选择智能体在每个笔记本中可以做什么。未列出的为只读。";
    /// Step.
    step_watch: "Ask the agent: “List my notebooks.” The puppy and Activity show the call.", "对智能体说：“列出我的笔记本。”小狗和“活动”页会显示这次调用。";
    /// State.
    off: "The server is not running", "服务未运行";
    /// What to do.
    off_do: "Start it on Connection. In a browser, run siyuan-puppy on the computer that runs SiYuan.", "在“连接”页启动。在浏览器中，请在运行思源的电脑上执行 siyuan-puppy。";
    /// State.
    no_tools: "The client shows no tools", "客户端没有显示工具";
    /// What to do.
    no_tools_do: "Restart the client after its file has changed. siyuan-puppy doctor in a terminal says what is wrong.", "更改配置文件后重启客户端。在终端执行 siyuan-puppy doctor 可查看问题所在。";
    /// State.
    unseen: "An agent does not see a notebook, or cannot write", "智能体看不到某个笔记本，或无法写入";
    /// What to do.
    unseen_do: "Raise its level on Permissions, and look whether the action is on under Tools. Encrypted notebooks stay closed.", "在“权限”页提高级别，并查看“工具”页中操作是否开启。加密的笔记本始终关闭。";
    /// State.
    refused: "Every call is refused", "所有调用都被拒绝";
    /// What to do.
    refused_do: "You may have paused agents: resume on Home. A settings file that cannot be read pauses them too; its page says so.", "可能是你暂停了智能体：在主页继续。设置文件无法读取时也会暂停，相应页面会说明。";
    /// State.
    waits: "A call waits, or was stopped as dangerous", "调用在等待，或因危险被停止";
    /// What to do.
    waits_do: "Answer in the agent's client, or let the agent call again after you agreed. Advanced says who is asked.", "在智能体的客户端答复，或在你同意后让它再次调用。“高级”页可设置询问方式。";
    /// What to do.
    silent_do: "The panel tries again by itself. Where SiYuan has stopped, start it; drafts stay while this page is open.", "面板会自动重试。如果思源已停止，请启动它；此页面打开期间草稿会保留。";
    /// State.
    readonly: "Nothing can be changed", "无法更改任何设置";
    /// What to do.
    readonly_do: "SiYuan is in read-only mode. Leave that mode, then open the panel again.", "思源处于只读模式。退出该模式后重新打开面板。";
    /// Term.
    level: "Level", "级别";
    /// Its meaning.
    level_means: "What agents may do in a notebook: No access, Read, Write, Delete.", "智能体在笔记本中可以做什么：不可访问、只读、读写、读写删。";
    /// Term.
    tool: "Tool and action", "工具与操作";
    /// Its meaning.
    tool_means: "A tool is an area such as document; an action is one thing that it does, such as document.read.", "工具是一个领域，例如 document；操作是其中的一件事，例如 document.read。";
    /// Term.
    draft: "Draft", "草稿";
    /// Its meaning.
    draft_means: "Changes on Permissions and Tools. Agents notice nothing before you apply them.", "“权限”和“工具”页上的更改。应用之前智能体不受影响。";
    /// Its meaning.
    dangerous_means: "An action that deletes or overwrites much. It stops until a person has approved its plan.", "会大量删除或覆盖内容的操作。在有人批准其计划之前会停下。";
    /// Key.
    key_search: "Search", "搜索";
    /// Keys.
    key_pages: "Another page", "切换页面";
    /// Keys.
    key_cells: "Move in the table of levels; nothing changes", "在权限表中移动，不做更改";
    /// Keys.
    key_choose: "Choose the level or press the button under the cursor", "选择光标处的级别或按下按钮";
    /// Keys.
    key_close: "Close the panel; drafts stay", "关闭面板，草稿会保留";
    /// Keys.
    key_puppy: "On the puppy: pet it, move it, open its menu", "在小狗上：抚摸、移动、打开菜单";
    /// Below that title.
    docs_hint: "In English, on GitHub; opens in the browser.", "英文，位于 GitHub，在浏览器中打开。";
    /// Link.
    doc_install: "Install and remove", "安装与卸载";
    /// Link.
    doc_danger: "Danger and questions", "危险操作与询问";
    /// Link.
    doc_faq: "Questions and answers", "常见问题";
    /// Link.
    doc_reference: "Every tool and action", "所有工具和操作";
    /// Title.
    steps: "Three steps", "三个步骤";
    /// Title.
    troubles: "When something does not work", "遇到问题时";
    /// Title.
    terms: "Words", "用语";
    /// Title.
    keys: "Keys", "按键";
    /// Title.
    docs: "Read more", "了解更多";
}
