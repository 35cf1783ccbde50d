//! The tools: their order, their names for machines and people, and when to take which.

/// The eleven MCP tools, in the order of `tools/list` and the docs (B-001).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tool {
    /// Notes as files, by workspace path.
    Fs,
    /// Notebooks as a whole.
    Notebook,
    /// Documents by id.
    Document,
    /// Blocks by id.
    Block,
    /// Databases.
    Av,
    /// Assets, exports, templates.
    File,
    /// Text, links, SQL.
    Search,
    /// Tags and bookmarks.
    Tag,
    /// The app itself.
    System,
    /// Spaced repetition.
    Flashcard,
    /// The puppy.
    Mascot,
}

impl Tool {
    /// Every tool, in order.
    pub const ALL: [Tool; 11] = [
        Tool::Fs,
        Tool::Notebook,
        Tool::Document,
        Tool::Block,
        Tool::Av,
        Tool::File,
        Tool::Search,
        Tool::Tag,
        Tool::System,
        Tool::Flashcard,
        Tool::Mascot,
    ];

    /// The tool's name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Tool::Fs => "fs",
            Tool::Notebook => "notebook",
            Tool::Document => "document",
            Tool::Block => "block",
            Tool::Av => "av",
            Tool::File => "file",
            Tool::Search => "search",
            Tool::Tag => "tag",
            Tool::System => "system",
            Tool::Flashcard => "flashcard",
            Tool::Mascot => "mascot",
        }
    }

    /// The name for people in SiYuan: the things that the tool is about.
    pub const fn label(self) -> &'static str {
        match self {
            Tool::Fs => "Notes by path",
            Tool::Notebook => "Notebooks",
            Tool::Document => "Documents",
            Tool::Block => "Blocks",
            Tool::Av => "Databases",
            Tool::File => "Files",
            Tool::Search => "Search",
            Tool::Tag => "Tags and bookmarks",
            Tool::System => "SiYuan",
            Tool::Flashcard => "Flashcards",
            Tool::Mascot => "Puppy",
        }
    }

    /// The name for people outside of SiYuan, where tools of other servers stand beside it (B-016): the label after
    /// "SiYuan", or other words where that would say too little.
    pub fn title(self) -> String {
        match self {
            Tool::Fs => "SiYuan notes".to_owned(),
            Tool::Search => "SiYuan notes: search".to_owned(),
            Tool::System => "SiYuan itself".to_owned(),
            _ => format!("SiYuan {}", self.label().to_lowercase()),
        }
    }

    /// The words by which a client finds the tool without its description (B-016): what people call these things, in
    /// English and Chinese. Some clients rank by this instead of the description, so it repeats what matters there.
    pub const fn hint(self) -> &'static str {
        match self {
            Tool::Fs => "read notes, write notes, append, journal, diary, page 阅读笔记 写笔记 日记",
            Tool::Notebook => "new create list 笔记本 知识库",
            Tool::Document => "create move delete page 新建 移动 删除 文档 页面",
            Tool::Block => "paragraph heading list change delete 修改 段落 内容块",
            Tool::Av => "table row column cell add set 数据库 表格 添加",
            Tool::File => "asset image picture attachment rename 附件 图片 重命名",
            Tool::Search => "find mention word text 搜索 查找 笔记",
            Tool::Tag => "label rename most used 标签 书签",
            Tool::System => "version status 思源 版本",
            Tool::Flashcard => "review learn spaced repetition 闪卡 复习",
            Tool::Mascot => "pet coins treat shop 小狗 宠物 金币",
        }
    }

    /// When to take this tool: the first sentence of its description, read by models.
    pub const fn purpose(self) -> &'static str {
        match self {
            Tool::Fs => {
                "Notes as files by workspace path (/Notebook/Folder/Doc): list, read, write, edit Markdown. Start here."
            }
            Tool::Notebook => "Notebooks: which exist and what you may do in each.",
            Tool::Document => "Documents by id. For text use fs.",
            Tool::Block => "Blocks by id: paragraphs, headings, lists, tables.",
            Tool::Av => "Databases: rows, columns, views.",
            Tool::File => "Assets, exports and templates.",
            Tool::Search => "Find blocks across notebooks by their text.",
            Tool::Tag => "Tags and bookmarks.",
            Tool::System => "The app: version and state.",
            Tool::Flashcard => "Spaced repetition cards.",
            Tool::Mascot => "The puppy in the window; touches no notes.",
        }
    }

    /// The tool of that name.
    pub fn named(name: &str) -> Option<Tool> {
        Tool::ALL.into_iter().find(|tool| tool.name() == name)
    }
}
