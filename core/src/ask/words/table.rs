//! The words of questions, English and Chinese side by side. `{it}` and `{other}` are titles; a reader quotes or links
//! them.

use crate::ask::{About, Ask, Consequence, ThingKind};
use crate::permission::Level;
use crate::spec::{Back, Verb};

/// A text in English and in Chinese.
pub(super) type Pair = (&'static str, &'static str);

pub(super) const SOMEBODY: Pair = ("An agent", "智能体");
pub(super) const WANTS: Pair = (" wants to ", " 想");
pub(super) const NAMELESS: Pair = ("an object without a name", "无名称的对象");
pub(super) const NOTHING: Pair = ("nothing", "空");
pub(super) const MORE: Pair = ("and {n} more", "另有 {n} 项");
pub(super) const OTHERS: Pair = ("and others", "等");
pub(super) const IN: Pair = ("In “{place}”", "位于“{place}”");
pub(super) const BELOW: Pair = ("Below:", "其下文档：");
pub(super) const REMOVED: Pair = ("These documents are removed:", "将移除以下文档：");
pub(super) const MOVED: Pair = ("These documents are moved back:", "将移回以下文档：");
pub(super) const STAYS: Pair = ("These documents stay as they are:", "以下文档保持不变：");
pub(super) const KEEPS: Pair = (
    "Blocks that somebody changed since stay as they are in these documents:",
    "以下文档中，之后有人更改过的内容块保持不变：",
);
pub(super) const OVERWRITES: Pair =
    ("Later changes by others in these documents will be lost:", "以下文档中其他人之后的更改将丢失：");
pub(super) const IRREVERSIBLE: Pair =
    ("“Put back” in Activity cannot undo this.", "活动页中的“放回”无法撤销此操作。");
pub(super) const OTHER_CHANGE: Pair = (
    "1 change of something else, such as a file or a flashcard, cannot be put back.",
    "另有 1 处对其他内容（例如文件或闪卡）的更改无法放回。",
);
pub(super) const OTHER_CHANGES: Pair = (
    "{n} changes of other things, such as files or flashcards, cannot be put back.",
    "另有 {n} 处对其他内容（例如文件或闪卡）的更改无法放回。",
);
pub(super) const DOCUMENT: Pair = ("1 document", "1 篇文档");
pub(super) const DOCUMENTS: Pair = ("{n} documents", "{n} 篇文档");
pub(super) const BLOCK: Pair = ("1 block", "1 个内容块");
pub(super) const BLOCKS: Pair = ("{n} blocks", "{n} 个内容块");
pub(super) const ACROSS: Pair = ("{blocks} of {documents}", "{documents}的 {blocks}");
pub(super) const REFERENCE: Pair = ("1 reference will break.", "1 处引用将失效。");
pub(super) const REFERENCES: Pair = ("{n} references will break.", "{n} 处引用将失效。");
pub(super) const REFERENCE_IN: Pair =
    ("1 reference in {documents} will break.", "{documents}中的 1 处引用将失效。");
pub(super) const REFERENCES_IN: Pair =
    ("{n} references in {documents} will break.", "{documents}中的 {n} 处引用将失效。");
pub(super) const ROW: Pair = ("1 database row will disappear.", "1 个数据库条目将消失。");
pub(super) const ROWS: Pair = ("{n} database rows will disappear.", "{n} 个数据库条目将消失。");
pub(super) const BLOCK_GOES: Pair = ("1 block will be replaced.", "1 个内容块将被替换。");
pub(super) const BLOCKS_GO: Pair = ("{n} blocks will be replaced.", "{n} 个内容块将被替换。");
pub(super) const VALUE: Pair = ("1 value will be lost.", "1 个值将丢失。");
pub(super) const VALUES: Pair = ("{n} values will be lost.", "{n} 个值将丢失。");
pub(super) const GOES: Pair = ("This text is removed:", "将移除：");
pub(super) const COMES: Pair = ("This text is added:", "将加入：");
pub(super) const CHANGES: Pair = ("This text changes:", "将更改：");
pub(super) const LOOK: Pair =
    ("Its icon, cover and place in the tree are lost.", "其图标、题头图和在文档树中的位置将丢失。");
pub(super) const LEARNING: Pair = ("The learning history is lost.", "学习记录将丢失。");
pub(super) const MERGES: Pair =
    ("Afterwards the two cannot be separated again.", "合并后无法再将两者区分开。");
pub(super) const VANISHES: Pair = (
    "Until it is opened again, its documents do not appear in search, the document tree or databases.",
    "在重新打开之前，其文档不会出现在搜索、文档树和数据库中。",
);
pub(super) const OTHER_RULES: Pair =
    ("The other notebook may have other permissions and readers.", "目标笔记本的权限和可见范围可能不同。");
pub(super) const CHANGE_MOST: Pair = ("1 change", "1 处更改");
pub(super) const CHANGES_MOST: Pair = ("{n} changes", "{n} 处更改");
pub(super) const DELETION: Pair = ("1 deletion of a document", "1 次文档删除");
pub(super) const DELETIONS: Pair = ("{n} deletions of documents", "{n} 次文档删除");
pub(super) const MINUTE: Pair = ("1 minute", "1 分钟");
pub(super) const MINUTES: Pair = ("{n} minutes", "{n} 分钟");
pub(super) const BOUNDS: Pair = (
    "At most {changes} and {deletes}, for {minutes}, without asking each time.",
    "最多 {changes}和 {deletes}，时限 {minutes}，期间不再逐次询问。",
);
pub(super) const BOUNDS_WITHOUT_DELETIONS: Pair = (
    "At most {changes} and no deletions of documents, for {minutes}, without asking each time.",
    "最多 {changes}，不删除文档，时限 {minutes}，期间不再逐次询问。",
);
pub(super) const COLON: Pair = (": ", "：");
pub(super) const SIZE: Pair = ("Size: {size}", "大小：{size}");

/// The way back after a deed. Each change of an errand has its own.
pub(super) fn back_of(ask: &Ask) -> Pair {
    match ask.verb {
        Verb::Errand => ("Everything can be put back.", "所有更改都可以放回。"),
        _ => back(ask.back),
    }
}

const fn back(back: Back) -> Pair {
    match back {
        Back::DataHistory => ("You can restore it from Data History.", "可以从数据历史中恢复。"),
        Back::DocumentHistory => {
            ("You can restore the old text from the document history.", "可以从文档历史中恢复旧版本。")
        }
        Back::Reverse => ("You can change it back later.", "之后可以改回来。"),
        Back::PutBack => ("“Put back” in Activity can bring it back.", "可以通过活动页中的“放回”恢复。"),
        Back::Never => ("This cannot be undone.", "此操作无法撤销。"),
        Back::Unchanged => ("Your notes do not change.", "笔记本身保持不变。"),
    }
}

/// The name of a level, as the panel calls it.
pub(super) const fn level(level: Level) -> Pair {
    match level {
        Level::None => ("No access", "不可访问"),
        Level::Read => ("Read", "只读"),
        Level::Write => ("Write", "读写"),
        Level::Delete => ("Delete", "读写删"),
    }
}

/// The name of a format of files.
pub(super) fn format(word: &str) -> String {
    match word {
        "md" => "Markdown".to_owned(),
        "md_zip" => "Markdown (zip)".to_owned(),
        "sy_zip" => "SiYuan (zip)".to_owned(),
        word => word.to_uppercase(),
    }
}

/// The name of a setting of a notebook.
pub(super) fn setting(name: &str) -> Option<Pair> {
    Some(match name {
        "docCreateSaveBox" => ("Notebook of new documents", "新建文档的笔记本"),
        "docCreateSavePath" => ("Place of new documents", "新建文档的位置"),
        "refCreateSaveBox" => ("Notebook of documents created from references", "引用新建文档的笔记本"),
        "refCreateSavePath" => ("Place of documents created from references", "引用新建文档的位置"),
        "dailyNoteSavePath" => ("Place of daily notes", "日记的位置"),
        "dailyNoteTemplatePath" => ("Template of daily notes", "日记的模板"),
        "sortMode" => ("Order of documents", "文档的排序"),
        _ => return None,
    })
}

pub(super) fn deed(ask: &Ask) -> Pair {
    let about = &ask.about;
    let is_one = about.things.n == 1;
    match ask.verb {
        Verb::Delete if of_database(about.kind) => of_databases(about.kind, is_one),
        Verb::Delete => deletes(about.kind, is_one, about.below() > 0),
        Verb::Overwrite => overwrites(about.kind, is_one),
        Verb::Replace => replaces(about),
        Verb::Restore => ("restore {it} as it was saved on {when}", "将{it}恢复为 {when} 保存的版本"),
        Verb::PutBack if removed(about) > 0 => puts_back_removing(removed(about) == about.things.n, is_one),
        Verb::PutBack if is_one => ("put {it} back to its state before a run", "将{it}放回运行之前的状态"),
        Verb::PutBack => {
            ("put {n} documents back to their state before a run", "将 {n} 篇文档放回运行之前的状态")
        }
        Verb::Move => moves(about.kind, is_one, about.below() > 0),
        Verb::Extract => (
            "turn the block {it} into a document in the notebook {other}",
            "将内容块{it}转换为笔记本{other}中的文档",
        ),
        Verb::Absorb => {
            ("turn the document {it} into a section of {other}", "将文档{it}转换为{other}中的一节")
        }
        Verb::Swap => {
            ("swap {it} with {other}, which is in another notebook", "将{it}与另一笔记本中的{other}对调")
        }
        Verb::Redirect if is_one => {
            ("redirect 1 reference from {it} to {other}", "将 1 处指向{it}的引用改为指向{other}")
        }
        Verb::Redirect => {
            ("redirect {n} references from {it} to {other}", "将 {n} 处指向{it}的引用改为指向{other}")
        }
        Verb::Rename => renames(about.kind, about.effects.contains(&Consequence::Merges)),
        Verb::Send => (
            "send the search text {it} to the embedding service that is set up in SiYuan",
            "将搜索文本{it}发送给思源中设置的嵌入服务",
        ),
        Verb::Sync => (
            "sync all notebooks with the sync service that is set up in SiYuan",
            "通过思源中设置的同步服务同步所有笔记本",
        ),
        Verb::Export => exports(about.kind, is_one, has_other(about)),
        Verb::Upload => (
            "copy the file {it} from the server's computer into SiYuan",
            "将服务所在电脑上的文件{it}复制到思源",
        ),
        Verb::Reset if is_one => ("reset the flashcard {it}", "重置闪卡{it}"),
        Verb::Reset => ("reset {n} flashcards", "重置 {n} 张闪卡"),
        Verb::Errand => works(about.kind, is_one),
        Verb::Close => ("close the notebook {it}", "关闭笔记本{it}"),
        Verb::Set => ("change settings of the notebook {it}", "更改笔记本{it}的设置"),
        // The levels come first: agents choose the name, and a long one would push them out of sight.
        Verb::Allow => (
            "change the access of agents from {from} to {to} in the notebook {it}",
            "将智能体的权限由“{from}”改为“{to}”，笔记本{it}",
        ),
    }
}

/// The deed of an errand, with the agent's own sentence.
const fn works(kind: ThingKind, is_one: bool) -> Pair {
    match (kind, is_one) {
        (ThingKind::Document, true) => {
            ("work in {it} and the documents below it: {purpose}", "在{it}及其下文档中工作：{purpose}")
        }
        (ThingKind::Document, false) => (
            "work in {n} documents and those below them: {purpose}",
            "在 {n} 篇文档及其下文档中工作：{purpose}",
        ),
        (_, true) => ("work in {it}: {purpose}", "在{it}中工作：{purpose}"),
        (_, false) => ("work in {n} notebooks: {purpose}", "在 {n} 个笔记本中工作：{purpose}"),
    }
}

/// The number of documents that putting back removes.
pub(super) fn removed(about: &About) -> u64 {
    let of = |it: &Consequence| match it {
        Consequence::Removed(things) => things.n,
        _ => 0,
    };
    about.effects.iter().map(of).sum()
}

/// The deed that names first what goes.
const fn puts_back_removing(is_all: bool, is_one: bool) -> Pair {
    match (is_all, is_one) {
        (true, true) => ("remove {it}, which a run created", "移除某次运行新建的{it}"),
        (true, false) => ("remove {removed} that a run created", "移除某次运行新建的 {removed}"),
        (false, _) => (
            "remove {removed} that a run created and put {rest} back to their state before it",
            "移除某次运行新建的 {removed}，并将 {rest}放回该次运行之前的状态",
        ),
    }
}

fn has_other(about: &About) -> bool {
    about.other.as_ref().is_some_and(|it| !it.title.is_empty())
}

const fn overwrites(kind: ThingKind, is_one: bool) -> Pair {
    match (kind, is_one) {
        (ThingKind::Template, _) => ("replace the template {it}", "替换模板{it}"),
        (ThingKind::Block, true) => ("replace the block {it}", "替换内容块{it}"),
        (ThingKind::Block, false) => ("replace {n} blocks", "替换 {n} 个内容块"),
        _ => ("replace the whole text of {it}", "替换{it}的全文"),
    }
}

fn replaces(about: &About) -> Pair {
    if has_other(about) {
        ("replace {it} with {other} in {across}", "将{across}中的{it}替换为{other}")
    } else {
        ("remove the text {it} from {across}", "从{across}中移除文本{it}")
    }
}

const fn deletes(kind: ThingKind, is_one: bool, below: bool) -> Pair {
    match (kind, is_one, below) {
        (ThingKind::Document, true, true) => ("delete {it} and {below} below it", "删除{it}及其下 {below}"),
        (ThingKind::Document, false, false) => ("delete {n} documents", "删除 {n} 篇文档"),
        (ThingKind::Document, false, true) => {
            ("delete {n} documents and {below} below them", "删除 {n} 篇文档及其下 {below}")
        }
        (ThingKind::Notebook, _, false) => ("delete the notebook {it}", "删除笔记本{it}"),
        (ThingKind::Notebook, _, true) => {
            ("delete the notebook {it} with {below}", "删除笔记本{it}及其中 {below}")
        }
        (ThingKind::Block, true, _) => ("delete the block {it}", "删除内容块{it}"),
        (ThingKind::Block, false, _) => ("delete {n} blocks", "删除 {n} 个内容块"),
        (ThingKind::Template, ..) => ("delete the template {it}", "删除模板{it}"),
        (ThingKind::File, true, _) => ("delete the unused file {it}", "删除未使用的文件{it}"),
        (ThingKind::File, false, _) => ("delete {n} unused files", "删除 {n} 个未使用的文件"),
        (ThingKind::Card, true, _) => ("remove the flashcard {it}", "移除闪卡{it}"),
        (ThingKind::Card, false, _) => ("remove {n} flashcards", "移除 {n} 张闪卡"),
        (ThingKind::Tag, ..) => ("remove the tag {it} from {documents}", "从{documents}中移除标签{it}"),
        (ThingKind::Bookmark, ..) => {
            ("remove the bookmark {it} from {documents}", "从{documents}中移除书签{it}")
        }
        (_, true, _) => ("delete {it}", "删除{it}"),
        (_, false, _) => ("delete {n} things", "删除 {n} 项"),
    }
}

const fn of_database(kind: ThingKind) -> bool {
    matches!(kind, ThingKind::Row | ThingKind::Column | ThingKind::Choice | ThingKind::View)
}

/// The database of rows, columns or views: it often has no name, and then its document names it.
pub(super) fn database(about: &About) -> Pair {
    if has_other(about) {
        ("the database {other}", "数据库{other}")
    } else if about.document().is_some() {
        ("the database in {document}", "{document}的数据库")
    } else {
        ("a database", "数据库")
    }
}

/// Whether the deed names the one document in which it happens.
pub(super) fn names_document(about: &About) -> bool {
    !of_database(about.kind) || (about.kind != ThingKind::Choice && !has_other(about))
}

const fn of_databases(kind: ThingKind, is_one: bool) -> Pair {
    match (kind, is_one) {
        (ThingKind::Row, true) => ("remove the row {it} from {database}", "从{database}中移除条目{it}"),
        (ThingKind::Row, false) => ("remove {n} rows from {database}", "从{database}中移除 {n} 个条目"),
        (ThingKind::Column, _) => ("remove the column {it} from {database}", "从{database}中移除字段{it}"),
        (ThingKind::View, _) => ("remove the view {it} from {database}", "从{database}中移除视图{it}"),
        (_, true) => ("remove the option {it} from the column {other}", "从字段{other}中移除选项{it}"),
        (_, false) => ("remove {n} options from the column {other}", "从字段{other}中移除 {n} 个选项"),
    }
}

const fn moves(kind: ThingKind, is_one: bool, below: bool) -> Pair {
    match (kind, is_one, below) {
        (ThingKind::Document, true, true) => (
            "move {it} and {below} below it to the notebook {other}",
            "将{it}及其下 {below}移动到笔记本{other}",
        ),
        (ThingKind::Document, false, false) => {
            ("move {n} documents to the notebook {other}", "将 {n} 篇文档移动到笔记本{other}")
        }
        (ThingKind::Document, false, true) => (
            "move {n} documents and {below} below them to the notebook {other}",
            "将 {n} 篇文档及其下 {below}移动到笔记本{other}",
        ),
        (ThingKind::Block, true, _) => {
            ("move the block {it} to the notebook {other}", "将内容块{it}移动到笔记本{other}")
        }
        (ThingKind::Block, false, _) => {
            ("move {n} blocks to the notebook {other}", "将 {n} 个内容块移动到笔记本{other}")
        }
        _ => ("move {it} to the notebook {other}", "将{it}移动到笔记本{other}"),
    }
}

const fn renames(kind: ThingKind, merges: bool) -> Pair {
    match (kind, merges) {
        (ThingKind::Tag, true) => {
            ("merge the tag {it} into {other} in {documents}", "将{documents}中的标签{it}并入{other}")
        }
        (ThingKind::Tag, false) => {
            ("rename the tag {it} to {other} in {documents}", "将{documents}中的标签{it}重命名为{other}")
        }
        (ThingKind::Bookmark, true) => {
            ("merge the bookmark {it} into {other} in {documents}", "将{documents}中的书签{it}并入{other}")
        }
        (ThingKind::Bookmark, false) => {
            ("rename the bookmark {it} to {other} in {documents}", "将{documents}中的书签{it}重命名为{other}")
        }
        (ThingKind::File, _) => (
            "rename the file {it} to {other} and change its links in {documents}",
            "将文件{it}重命名为{other}，并更改{documents}中的链接",
        ),
        _ => ("rename {it} to {other}", "将{it}重命名为{other}"),
    }
}

const fn exports(kind: ThingKind, is_one: bool, has_other: bool) -> Pair {
    match (kind, is_one, has_other) {
        (ThingKind::Notebook, _, true) => (
            "export the notebook {it} as {format} into the file {other}",
            "将笔记本{it}导出为 {format} 文件{other}",
        ),
        (ThingKind::Notebook, _, false) => {
            ("export the notebook {it} as {format}", "将笔记本{it}导出为 {format}")
        }
        (ThingKind::Database, _, true) => {
            ("export a database as {format} into the file {other}", "将数据库导出为 {format} 文件{other}")
        }
        (ThingKind::Database, _, false) => ("export a database as {format}", "将数据库导出为 {format}"),
        (_, true, true) => {
            ("export {it} as {format} into the file {other}", "将{it}导出为 {format} 文件{other}")
        }
        (_, true, false) => ("export {it} as {format}", "将{it}导出为 {format}"),
        (_, false, true) => (
            "export {n} documents as {format} into the file {other}",
            "将 {n} 篇文档导出为 {format} 文件{other}",
        ),
        (_, false, false) => ("export {n} documents as {format}", "将 {n} 篇文档导出为 {format}"),
    }
}

/// The deed without things, in the plural, for an errand that a question offered.
pub(super) const fn deeds(verb: Verb, kind: ThingKind) -> Pair {
    match (verb, kind) {
        (Verb::Delete, ThingKind::Document) => ("delete documents", "删除文档"),
        (Verb::Delete, ThingKind::Notebook) => ("delete notebooks", "删除笔记本"),
        (Verb::Delete, ThingKind::Block) => ("delete blocks", "删除内容块"),
        (Verb::Delete, ThingKind::Template) => ("delete templates", "删除模板"),
        (Verb::Delete, ThingKind::File) => ("delete unused files", "删除未使用的文件"),
        (Verb::Delete, ThingKind::Row) => ("remove rows from databases", "移除数据库的条目"),
        (Verb::Delete, ThingKind::Column) => ("remove columns from databases", "移除数据库的字段"),
        (Verb::Delete, ThingKind::Choice) => ("remove options from columns", "移除字段的选项"),
        (Verb::Delete, ThingKind::View) => ("remove views from databases", "移除数据库的视图"),
        (Verb::Delete, ThingKind::Card) => ("remove flashcards", "移除闪卡"),
        (Verb::Delete, ThingKind::Tag) => ("remove tags", "移除标签"),
        (Verb::Delete, ThingKind::Bookmark) => ("remove bookmarks", "移除书签"),
        (Verb::Delete, _) => ("delete things", "删除内容"),
        (Verb::Overwrite, ThingKind::Block) => ("replace blocks", "替换内容块"),
        (Verb::Overwrite, ThingKind::Template) => ("replace templates", "替换模板"),
        (Verb::Overwrite, _) => ("replace whole documents", "替换整篇文档"),
        (Verb::Replace, _) => ("find and replace text", "查找并替换文本"),
        (Verb::Restore, _) => ("restore documents", "恢复文档"),
        (Verb::PutBack, _) => ("put back what a run changed", "放回运行所做的更改"),
        (Verb::Move, ThingKind::Block) => ("move blocks to other notebooks", "将内容块移动到其他笔记本"),
        (Verb::Move, _) => ("move documents to other notebooks", "将文档移动到其他笔记本"),
        (Verb::Extract, _) => ("turn blocks into documents", "将内容块转换为文档"),
        (Verb::Absorb, _) => ("turn documents into sections", "将文档转换为章节"),
        (Verb::Swap, _) => ("swap blocks across notebooks", "跨笔记本对调内容块"),
        (Verb::Redirect, _) => ("redirect references", "更改引用的指向"),
        (Verb::Rename, ThingKind::File) => ("rename files", "重命名文件"),
        (Verb::Rename, _) => ("rename and merge labels", "重命名和合并标签"),
        (Verb::Send, _) => ("send out search texts", "发送搜索文本"),
        (Verb::Sync, _) => ("sync all notebooks", "同步所有笔记本"),
        (Verb::Export, _) => ("export notes", "导出笔记"),
        (Verb::Upload, _) => ("copy files into SiYuan", "将文件复制到思源"),
        (Verb::Reset, _) => ("reset flashcards", "重置闪卡"),
        (Verb::Close, _) => ("close notebooks", "关闭笔记本"),
        (Verb::Set, _) => ("change settings of notebooks", "更改笔记本的设置"),
        (Verb::Allow, _) => ("change what agents may do", "更改智能体的权限"),
        (Verb::Errand, _) => ("work without a question for each change", "在不逐次询问的情况下工作"),
    }
}
