//! The texts of the usage report.

texts! {
    /// The texts of the usage report.
    ReportWords:
    about: "Off until you turn it on. No address is built in, and nothing is ever sent to the makers of MCP Puppy.", "在你开启之前始终关闭。没有内置地址，不会向 MCP 小狗的作者发送任何内容。";
    address_hint: "Where to send the report, such as your own server. Empty: not sent.", "报告发送到的地址，例如你自己的服务器。留空：不发送。";
    /// Its input makes no sense.
    address_wrong: "Enter an https:// address or an address of this computer.", "请填写 https:// 地址或本机地址。";
    hours_hint: "Sent when SiYuan's page opens, at most once per interval.", "在思源页面打开时发送，此间隔内最多一次。";
    /// Its input makes no sense.
    hours_wrong: "Enter a number from 1 to 168.", "请填写 1 到 168 之间的数字。";
    what_hint: "Exactly this text, created from the record of calls.", "与此完全相同的文本，根据调用记录生成。";
    show: "Show it", "显示";
    /// Hint of the switch.
    send_hint: "Counts and times only, as shown above.", "只包含上面显示的次数和时间。";
    /// In place of the switch.
    first: "Enter an address and view what is sent before you turn it on.", "填写地址并查看发送内容之后，才能开启。";
    report: "Usage report", "使用报告";
    report_address: "Address", "地址";
    report_hours: "Hours between reports", "报告间隔（小时）";
    report_what: "What is sent", "发送的内容";
    report_send: "Send the report", "发送报告";
}
