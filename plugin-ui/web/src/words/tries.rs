//! The texts of the playground's prompts and resources.

texts! {
    /// The texts of the playground's prompts and resources.
    TryWords:
    prompts: "Prompts", "提示词";
    prompts_hint: "Fill in a prompt like a client, and see the messages that a model gets.", "像客户端一样填写提示词，查看模型将收到的消息。";
    prompt: "Prompt", "提示词";
    /// No server has one.
    no_prompts: "No connected server has prompts.", "已连接的服务均没有提示词。";
    fill: "Get the messages", "获取消息";
    copy_messages: "Copy the messages", "复制消息";
    /// A failure, followed by the reason.
    not_filled: "No messages:", "没有消息：";
    /// An attachment is not there yet.
    still_coming: "An attached resource is still loading. Try again in a moment.", "附加的资源仍在加载，请稍后重试。";
    context: "attached resources", "附加的资源";
    resources: "Resources", "资源";
    resources_hint: "Read what servers offer, including skills, and attach it to the next prompt.", "读取服务提供的资源（包括技能），并附加到下一个提示词。";
    resource: "Resource", "资源";
    /// No server has one.
    no_resources: "No connected server has resources.", "已连接的服务均没有资源。";
    read: "Read", "读取";
    attach: "Attach", "附加";
    /// A failure, followed by the reason.
    not_read: "Not read:", "未读取：";
    /// A template that cannot be filled in.
    no_template: "This address template cannot be filled in.", "无法填写此地址模板。";
    /// The server says so.
    changed: "Changed on the server. Read it again.", "服务端内容已更改，请重新读取。";
    attached: "Attached to the next prompt", "附加到下一个提示词";
    attached_hint: "Placed before the messages of the next prompt, then cleared.", "放在下一个提示词的消息之前，随后清空。";
    copy_context: "Copy as context", "复制为上下文";
}
