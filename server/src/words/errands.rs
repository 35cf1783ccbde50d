//! The words of `siyuan-puppy errands`.

texts! {
    /// The help and the output of `errands`.
    ErrandWords:
    errands: "List and end errands: approvals for several changes", "列出和结束委托：一次同意多项更改";
    errands_more: "An errand is one approval for several changes, with a place, numbers and a time. Only a person begins one, by answering an agent's question. The command lists the errands of all running servers. The most that an errand may do is set by errand_changes, errand_deletes and errand_minutes in mcpHttpSettings; 0 minutes turns errands off.", "委托是对多项更改的一次同意，限定位置、次数和时间。只有用户回答智能体的询问时才会开始委托。此命令向正在运行的服务询问有哪些委托。上限由 mcpHttpSettings 中的 errand_changes、errand_deletes 和 errand_minutes 设定；分钟数为 0 时关闭委托。";
    stop: "End an errand, or all of them", "结束一项或全部委托";
    id: "Id of the errand, as the list shows it; without one, all end", "委托的 ID（见列表）；省略时结束全部委托";
    none: "There is no active errand. Each dangerous change asks.", "当前没有委托，每项危险更改都会询问。";
    no_errand(id): "There is no errand {id}. `siyuan-puppy errands` lists them.", "没有委托 {id}。`siyuan-puppy errands` 会列出所有委托。";
    ended(n): "Errands ended: {n}.", "已结束的委托：{n}。";
    still_stand(n): "Errands that did not end in time: {n}. Pause all agents with `siyuan-puppy pause`, or stop their server.", "未能及时结束的委托：{n}。请用 `siyuan-puppy pause` 暂停所有智能体，或停止其服务。";
}
