//! The words of `doctor` about stored text that SiYuan runs.

texts! {
    /// Stored text that SiYuan runs: the thing, and the next step. A number of blocks comes first.
    StoredWords:
    no_answer: "SiYuan did not answer the search for active content.", "思源没有响应对活动内容的搜索。";
    again: "Run `siyuan-puppy doctor` again.", "请重新执行 `siyuan-puppy doctor`。";
    embeds_good: "None in the search index runs more than one SELECT.", "搜索索引中没有执行多于一条 SELECT 的嵌入块。";
    embeds_fix: "SiYuan runs embeds automatically. Open the note there, and delete the embed or reduce it to one SELECT.", "思源会自动执行嵌入块。请打开该笔记，删除嵌入块或只保留一条 SELECT。";
    embed_in(place, id): "{place} ({id}): an embed runs more than one SELECT.", "{place}（{id}）：嵌入块执行多于一条 SELECT。";
    embeds_more(n): "In {n} more notes an embed runs more than one SELECT.", "另有 {n} 篇文档的嵌入块执行多于一条 SELECT。";
    embeds_hidden(n): "In {n} notes in notebooks at No access an embed runs more than one SELECT.", "不可访问的笔记本中有 {n} 篇文档的嵌入块执行多于一条 SELECT。";
    hidden(n): " ({n} in notebooks at No access)", "（其中 {n} 个在不可访问的笔记本中）";
    script: "1 query embed is JavaScript", "1 个嵌入块是 JavaScript";
    scripts(n): "{n} query embeds are JavaScript", "{n} 个嵌入块是 JavaScript";
    script_fix: "The page runs them as JavaScript when their note opens. Search SiYuan for each id, and delete the embed unless you wrote it.", "打开笔记时，页面会将其作为 JavaScript 执行。请在思源中搜索每个 ID，如果不是你写的，请删除该嵌入块。";
    drawing: "1 code block runs more than a plain drawing", "1 个代码块不只是普通图表";
    drawings(n): "{n} code blocks run more than a plain drawing", "{n} 个代码块不只是普通图表";
    drawing_fix: "The page runs the chart, or the links and styles of the diagram, when its note opens. Search SiYuan for each id, and delete the block unless you wrote it.", "打开笔记时，页面会执行图表，或其中的链接和样式。请在思源中搜索每个 ID，如果不是你写的，请删除该块。";
    formula: "1 block has a command that links, loads or styles", "1 个块含有可链接、加载或更改样式的公式命令";
    formulas(n): "{n} blocks have a command that links, loads or styles", "{n} 个块含有可链接、加载或更改样式的公式命令";
    formula_fix: "The page runs the command of the formula when its note opens. Search SiYuan for each id, and delete the command unless you wrote it.", "打开笔记时，页面会执行公式中的命令。请在思源中搜索每个 ID，如果不是你写的，请删除该命令。";
    template: "1 database has a template that is not known to be harmless", "1 个数据库含有无法确认无害的模板";
    templates(n): "{n} databases have a template that is not known to be harmless", "{n} 个数据库含有无法确认无害的模板";
    template_fix: "SiYuan renders the template when the database is shown, and a template can read every notebook. Search SiYuan for each id, and check the template columns of the database.", "显示数据库时思源会渲染模板，而模板可以读取所有笔记本。请在思源中搜索每个 ID，检查数据库的模板字段。";
    frame: "1 block shows a page in a frame", "1 个块以框架显示网页";
    frames(n): "{n} blocks show a page in a frame", "{n} 个块以框架显示网页";
    frame_fix: "SiYuan loads the framed page when the note opens, and that page can navigate to SiYuan's own address and run there. Search SiYuan for each id, and delete the frame unless you know the page.", "打开笔记时会加载该网页，它可以转到思源自身的地址并在那里执行。请在思源中搜索每个 ID，如果不认识该网页，请删除该框架。";
    address: "1 block has an address that makes SiYuan act or starts a program", "1 个块含有会让思源执行操作或启动程序的地址";
    addresses(n): "{n} blocks have an address that makes SiYuan act or starts a program", "{n} 个块含有会让思源执行操作或启动程序的地址";
    address_fix: "Loading such an address, or clicking on it, makes SiYuan or your system act. Search SiYuan for each id, and remove the link or picture unless you wrote it.", "加载或点击这样的地址会让思源或系统执行操作。请在思源中搜索每个 ID，如果不是你写的，请移除该链接或图片。";
    markup: "1 database has a name, description or value that is HTML", "1 个数据库的名称、描述或值是 HTML";
    markups(n): "{n} databases have a name, description or value that is HTML", "{n} 个数据库的名称、描述或值是 HTML";
    markup_fix: "SiYuan shows some names, descriptions and groups of databases as HTML. Search SiYuan for each id, and replace HTML in its names and cells with plain text.", "思源会将数据库的部分名称、描述和分组显示为 HTML。请在思源中搜索每个 ID，将其名称和单元格中的 HTML 改为纯文本。";
}
