//! The names on the pages that load late: the search knows them before, and the pages have no others.

texts! {
    /// The names on the pages that load late.
    LateWords:
    /// Title.
    recent: "Recent calls", "最近的调用";
    /// Label of the filter.
    filter_calls: "Filter actions", "筛选操作";
    /// Button.
    export_calls: "Export as CSV", "导出为 CSV";
    /// Button.
    clear: "Clear…", "清除…";
    /// Title of the question.
    clear_title: "Clear the activity", "清除活动记录";
    /// Title.
    chart: "Calls a day", "每日调用";
    /// Title.
    map: "A year", "一年";
    /// Title.
    top: "Most used actions", "最常用的操作";
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
    /// Setting.
    show: "Show the puppy", "显示小狗";
    /// Hint of a setting.
    show_hint: "A command of the same name brings it back too.", "同名命令也能让它回来。";
    /// Setting.
    size: "Size", "大小";
    /// Setting.
    coat: "Coat", "毛色";
    /// Setting.
    collar: "Collar", "项圈";
    /// Setting.
    bubble: "Bubble", "气泡";
    /// Hint of a setting.
    bubble_hint: "Place names the notebook and document, never their text, and never a notebook at No access.", "“位置”会显示笔记本和文档名，从不显示内容，也从不显示不可访问的笔记本。";
    /// Setting.
    quiet: "Quiet while sharing", "共享时保密";
    /// Hint of a setting.
    quiet_hint: "Never says where, as in full screen.", "从不显示位置，与全屏时相同。";
    /// Setting.
    hearts: "Hearts", "爱心";
    /// Hint of a setting.
    hearts_hint: "Rise when it is petted or fed, and now and then.", "抚摸、喂食时出现，偶尔也会出现。";
    /// Setting.
    calm: "Calm", "安静";
    /// Hint of a setting.
    calm_hint: "Nothing moves; pose and mark alone say what happens.", "没有动画，只用姿势和标记表示状态。";
    /// Setting.
    trot: "Trot to what agents touch", "跑到智能体处理的地方";
    /// Hint of a setting.
    trot_hint: "In an open document; a click on the puppy leads there. Its leash shows what agents may do: short for read, long for write, with a bell for delete.", "仅在打开的文档中；点击小狗可跳转。牵绳表示权限：短为只读，长为可写，带铃铛为可删除。";
    /// Setting.
    follow: "Eyes follow the pointer", "目光跟随指针";
    /// Hint of a setting.
    follow_hint: "Only near it.", "仅在附近时。";
    /// Setting.
    fade: "Fade near the caret", "光标附近变淡";
    /// Hint of a setting.
    fade_hint: "It steps back while you write where it sits.", "在它所在处书写时会变淡。";
    /// Setting.
    speak: "Speak for screen readers", "屏幕阅读器播报";
    /// Hint of a setting.
    speak_hint: "Errors and questions only.", "仅错误和提问。";
    /// Setting.
    phones: "Show on phones", "在手机上显示";
    /// Hint of a setting.
    phones_hint: "There it is not loaded otherwise.", "否则手机上不会加载。";
    /// Group.
    test: "Test mode", "测试模式";
    /// Hint of the test mode.
    test_hint: "Shows everything it can do, without any agent. Nothing is called.", "无需智能体即可查看它的所有样子，不会产生任何调用。";
    /// Setting.
    puppy_home: "Place", "位置";
    /// Title.
    report: "Usage report", "使用报告";
    /// Setting.
    report_address: "Address", "地址";
    /// Setting.
    report_hours: "Hours between two reports", "两次报告的间隔小时数";
    /// Row.
    report_what: "What is sent", "发送的内容";
    /// Switch.
    report_send: "Send the report", "发送报告";
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
