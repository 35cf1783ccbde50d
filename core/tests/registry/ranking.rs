//! Whether a client that searches among many tools finds the right one of ours (B-016).
//!
//! Clients with many tools show a model only the best few for a request. They rank by plain word statistics, over
//! names, titles and hints or over everything. Our tools stand here beside made-up ones of other servers.

use std::collections::{BTreeMap, BTreeSet};

use puppy_core::render::schema::descriptors;
use puppy_core::spec::Tool;

use super::shape::{everything, offered};

/// A tool as a client indexes it.
struct Indexed {
    name: String,
    title: String,
    hint: String,
    description: String,
}

/// Requests in a person's words, each with the tool that answers it.
const REQUESTS: [(&str, Tool); 30] = [
    ("What did I write in my diary about tomatoes?", Tool::Fs),
    ("Append a thought to my journal", Tool::Fs),
    ("Write a new page in my SiYuan notes", Tool::Fs),
    ("What notebooks do I have?", Tool::Notebook),
    ("Create a new notebook for recipes", Tool::Notebook),
    ("Move the document Ideas into another notebook", Tool::Document),
    ("Delete the old document about Lisbon", Tool::Document),
    ("Change only this one paragraph", Tool::Block),
    ("Delete this block", Tool::Block),
    ("Add a row to my SiYuan database of books", Tool::Av),
    ("Set a cell in the table of expenses", Tool::Av),
    ("Rename an image among my SiYuan assets", Tool::File),
    ("Search my notes for the word compost", Tool::Search),
    ("Which of my notes mention Berlin?", Tool::Search),
    ("Which tags do I use most?", Tool::Tag),
    ("Rename the tag garden to gardening", Tool::Tag),
    ("Which version of SiYuan is running?", Tool::System),
    ("How many coins does the puppy have?", Tool::Mascot),
    ("我有哪些笔记本", Tool::Notebook),
    ("在我的笔记里搜索番茄", Tool::Search),
    ("阅读我写的花园笔记", Tool::Fs),
    ("写一篇今天的日记", Tool::Fs),
    ("把这个文档移动到别处", Tool::Document),
    ("删除这篇文档", Tool::Document),
    ("给数据库添加一行", Tool::Av),
    ("我最常用的标签是什么", Tool::Tag),
    ("重命名这张图片", Tool::File),
    ("修改这个段落", Tool::Block),
    ("思源现在是什么版本", Tool::System),
    ("小狗有多少金币", Tool::Mascot),
];

/// Tools of other servers: name, title, hint, description.
const RIVALS: [[&str; 4]; 22] = [
    [
        "read_file",
        "Read file",
        "open text file contents 读取 文件",
        "Read a file from disk and return its text. Large files are cut; pass `head` or `tail` to read only the first or the last lines.\npath: absolute path of the file\nhead: number of lines\ntail: number of lines\nencoding: utf-8 unless given",
    ],
    [
        "write_file",
        "Write file",
        "save text to disk 写入 文件",
        "Write text to a file. Creates the file and its folders where they are missing and replaces what was there.\npath: absolute path of the file\ncontent: the text\nappend: add to the end instead\nencoding: utf-8 unless given",
    ],
    [
        "list_directory",
        "List directory",
        "folder contents 目录 列表",
        "List the files and folders in a directory, with sizes and times of change. Hidden ones are left out unless asked for.\npath: absolute path of the folder\nhidden: list those too\nsort: name, size or time",
    ],
    [
        "move_file",
        "Move file",
        "rename move path 移动 文件",
        "Move or rename a file or a folder. Fails where the destination exists, unless `overwrite` is set.\nsource: absolute path\ndestination: absolute path\noverwrite: replace what is there",
    ],
    [
        "delete_file",
        "Delete file",
        "remove from disk 删除 文件",
        "Delete a file for good, or an empty folder. There is no way back; use `trash` to keep it in the bin of the system.\npath: absolute path\ntrash: move it to the bin",
    ],
    [
        "search_files",
        "Search files",
        "find by name glob 搜索 文件",
        "Find files whose names match a pattern, in a folder and all folders below.\npath: folder to begin with\npattern: a glob such as *.md\nexclude: patterns to leave out\nlimit: most results",
    ],
    [
        "web_search",
        "Web search",
        "search the internet news 网页 搜索",
        "Search the web and return titles, links and short extracts. Use it for recent events and facts.\nquery: the words to search for\ncount: number of results\nlanguage: two letters\nfresh: day, week or month",
    ],
    [
        "fetch_page",
        "Fetch web page",
        "download url html 网页",
        "Fetch a page by its address and return it as text or as HTML. Scripts are not run.\nurl: the address\nformat: text or html\nmax_length: cut after this many characters\nstart: continue from here",
    ],
    [
        "list_events",
        "List events",
        "calendar agenda today 日历 日程",
        "List the events of a calendar between two times, with place, guests and notes.\ncalendar: name or id\nfrom: date and time\nto: date and time\nlimit: most events",
    ],
    [
        "create_event",
        "Create event",
        "calendar meeting 新建 日程",
        "Create an event in a calendar and invite guests to it.\ncalendar: name or id\ntitle: what it is\nstart: date and time\nend: date and time\nguests: addresses\nremind: minutes before",
    ],
    [
        "send_email",
        "Send email",
        "mail message 邮件 发送",
        "Send a message to one or several people, with attachments. A draft can be saved instead.\nto: addresses\nsubject: one line\nbody: the text\nattach: paths of files\ndraft: save only",
    ],
    [
        "search_mail",
        "Search mail",
        "find messages inbox 搜索 邮件",
        "Search the inbox and all other folders for messages by words, sender or date.\nquery: words to search for\nsender: an address\nsince: a date\nfolder: name of a folder\nlimit: most messages",
    ],
    [
        "vault_read",
        "Vault: read note",
        "open vault note",
        "Read one note of the vault as Markdown, with its properties.\npath: path of the note inside the vault\nheading: read this section only\nproperties: leave them out or not\nformat: markdown or text",
    ],
    [
        "vault_write",
        "Vault: write note",
        "save vault note",
        "Create or replace a note of the vault; folders are made where they are missing.\npath: path of the note inside the vault\ncontent: Markdown\nmode: replace, append or prepend\nproperties: an object",
    ],
    [
        "vault_search",
        "Vault: search notes",
        "search vault text",
        "Search all notes of the vault for text and return the lines around each hit.\nquery: text or pattern\nfolder: only below this one\ncase: heed capitals\ncontext: lines around a hit\nlimit: most hits",
    ],
    [
        "wiki_page",
        "Wiki pages",
        "team wiki page",
        "Read, create, move and delete pages of the team wiki, with their history.\naction: read, create, move or delete\nspace: key of the space\npage: title or id\nbody: the text\nparent: the page above",
    ],
    [
        "cloud_note_find",
        "云笔记: 查找",
        "云笔记 查找",
        "Find an entry of the cloud notes by its title and return the newest first.\nkeyword: part of the title\nfolder: name of a folder\nafter: a date\nlimit: most entries\npage: number of the page",
    ],
    [
        "tasks_add",
        "Add task",
        "todo list reminder 待办",
        "Add a task to a list, with a date and a reminder.\nlist: name of the list\ntitle: what there is to do\ndue: date and time\nrepeat: daily, weekly or monthly\npriority: low, normal or high",
    ],
    [
        "sql_query",
        "SQL query",
        "postgres select 查询 数据库",
        "Run a statement against the database and return its rows. Only reading is allowed unless the server was started for writing.\nsql: the statement\nparameters: values for the placeholders\nlimit: most rows",
    ],
    [
        "sheet_update",
        "Update sheet",
        "spreadsheet row column 电子表格",
        "Write values into a range of a spreadsheet; formulas are understood.\nfile: id of the spreadsheet\nrange: such as A1:C9\nvalues: rows of values\nraw: do not read formulas",
    ],
    [
        "image_generate",
        "Generate image",
        "draw picture 生成 图片",
        "Make an image from a description and save it.\nprompt: what to draw\nsize: width and height\nstyle: photo, drawing or painting\ncount: number of images\nfile: where to save it",
    ],
    [
        "git_tag",
        "Git tag",
        "release version git",
        "List, create and delete tags of a repository, signed or not.\naction: list, create or delete\nrepository: path of the repository\nname: of the tag\ncommit: what it marks\nmessage: text of the tag",
    ],
];

/// Words that say nothing of what is wanted; every ranking leaves them out.
const STOP: &str = "a about among an and another are by do does for have how i in into is it its many me my of on one or only \
    that the this to what which with";

/// Words in lower case without a plural s; Chinese has no spaces, so each pair of characters is a word.
fn words(text: &str) -> Vec<String> {
    let is_chinese = |it: char| ('\u{4e00}'..='\u{9fff}').contains(&it);
    let mut words = Vec::new();
    for run in text.to_lowercase().split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()) {
        if run.contains(is_chinese) {
            let letters: Vec<char> = run.chars().collect();
            words.extend(letters.windows(2).map(String::from_iter));
        } else {
            let word = run.strip_suffix('s').filter(|it| it.len() > 2).unwrap_or(run);
            words.extend((!STOP.split(' ').any(|it| it == run)).then(|| word.to_owned()));
        }
    }
    words
}

/// The names of the best tools by BM25 with the usual constants.
fn best<'a>(request: &str, tools: &'a [(String, Vec<String>)], first: usize) -> Vec<&'a str> {
    let count = tools.len() as f64;
    let average = tools.iter().map(|(_, words)| words.len()).sum::<usize>() as f64 / count;
    let mut holders: BTreeMap<&str, f64> = BTreeMap::new();
    for (_, words) in tools {
        for word in words.iter().map(String::as_str).collect::<BTreeSet<_>>() {
            *holders.entry(word).or_default() += 1.0;
        }
    }
    let request: BTreeSet<String> = self::words(request).into_iter().collect();
    let score = |words: &[String]| -> f64 {
        let of_word = |word: &String| {
            let often = words.iter().filter(|it| *it == word).count() as f64;
            let holders = holders.get(word.as_str()).copied().unwrap_or_default();
            let rarity = ((count - holders + 0.5) / (holders + 0.5) + 1.0).ln();
            rarity * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * words.len() as f64 / average))
        };
        request.iter().map(of_word).sum()
    };
    let mut ranked: Vec<_> = tools.iter().map(|(name, words)| (score(words), name.as_str())).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().map(|(_, name)| name).take(first).collect()
}

fn ours() -> Vec<Indexed> {
    let tools = descriptors(&offered(everything())).into_iter();
    let indexed = |it: puppy_core::render::schema::Descriptor| Indexed {
        name: it.name(),
        title: it.title(),
        hint: it.hint.unwrap_or_default().to_owned(),
        description: it.description,
    };
    tools.map(indexed).collect()
}

/// The requests whose right tool is not among the first results, and how many of these find rivals only.
fn missed(first: usize, text: impl Fn(&Indexed) -> String) -> (Vec<String>, usize) {
    let rivals = RIVALS.map(|it| it.map(str::to_owned)).map(|[name, title, hint, description]| Indexed {
        name,
        title,
        hint,
        description,
    });
    let tools: Vec<(String, Vec<String>)> =
        ours().iter().chain(&rivals).map(|it| (it.name.clone(), words(&text(it)))).collect();
    let mut missed = Vec::new();
    let mut lost = 0;
    for (request, tool) in REQUESTS {
        let found = best(request, &tools, first);
        if !found.contains(&tool.name()) {
            missed.push(format!("{request} -> {}", found.join(", ")));
            lost += usize::from(found.iter().all(|name| rivals.iter().any(|it| it.name == *name)));
        }
    }
    (missed, lost)
}

/// B-016: by names, titles and hints one of ours is always first, and in at least 28 cases the right one. By whole
/// descriptions, which are long and share words, the same holds for the first three, the fewest that clients load.
#[test]
fn requests_find_the_right_tool() {
    let brief = |it: &Indexed| format!("{} {} {}", it.name, it.title, it.hint);
    for (what, (missed, lost)) in [
        ("names, titles and hints", missed(1, brief)),
        ("everything", missed(3, |it| format!("{} {}", brief(it), it.description))),
    ] {
        assert!(missed.len() <= 2 && lost == 0, "{what}, {lost} lost to rivals: {missed:#?}");
    }
    // The hints are what does it: the names and titles alone lead astray.
    let (bare, _) = missed(1, |it| format!("{} {}", it.name, it.title));
    assert!(bare.len() > 8, "{bare:#?}");
}

/// B-016: hints are short, and each title says once whose tool it is.
#[test]
fn hints_are_short_and_titles_say_whose() {
    for tool in Tool::ALL {
        assert!(tool.hint().chars().count() <= 100, "{}", tool.name());
        assert_eq!(tool.title().matches("SiYuan").count(), 1, "{}", tool.title());
    }
}
