//! `tag.list`: labels with counts, or the blocks that carry one.
//!
//! The kernel's own lists count every notebook, and its tag tree writes the person's settings, so both lists come
//! from the index.

use serde_json::{Value, json};

use crate::args::After;
use crate::index::{self, Order, RowCondition, RowPage, Select, StartKey, Table};
use crate::kernel::api::query::Row;
use crate::prelude::*;

/// List tags or bookmarks with counts, or the blocks with one label.
#[derive(Debug, Action)]
#[action(
    tag.list,
    workspace = Read,
    danger = None,
    idempotent = true,
    calls = [query::SQL],
    examples = [
        { "query": "herb", "sort": "count", "limit": 20 },
        { "kind": "tag", "label": "{tag}", "notebook": "{notebook}" },
    ],
)]
pub struct List {
    /// Tags are in text and on documents, bookmarks on blocks.
    pub kind: LabelKind,
    /// Only labels that contain this, in any case.
    #[read_by(Sql)]
    pub query: Option<Text<1, 128>>,
    /// Exactly this label, including the subtags of a tag; list then returns its blocks.
    #[read_by(Sql)]
    pub label: Option<Text<1, 128>>,
    /// Only in this notebook, by id or exact name.
    #[needs(Read, else = workspace)]
    pub notebook: Option<NotebookRef>,
    /// By name, or the most used first.
    pub sort: TagSort,
    /// A page of the list.
    #[args]
    pub page: Paging<After, 200, 500, 600>,
}

/// The kind of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum LabelKind {
    /// `#tag#` in text, or a tag of a document.
    #[default]
    Tag,
    /// An attribute of a block.
    Bookmark,
}

/// Which label comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum TagSort {
    /// By name.
    #[default]
    Label,
    /// The most used.
    Count,
}

impl Run for List {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let notebook = match &self.notebook {
            Some(notebook) => Some(cx.found(notebook).await?.notebook.to_string()),
            None => None,
        };
        let (head, statement) = match &self.label {
            None => (("kind", self.kind.word()), self.labels(notebook.as_deref())),
            Some(label) => (("label", label.as_str()), self.blocks(label.as_str(), notebook.as_deref())),
        };
        let RowPage { rows, more, total } =
            cx.select(statement.limit(self.page.limit.get()).counted()).await?;
        let entry = if self.label.is_some() { index::block } else { label };
        let next = rows.last().filter(|_| more).map(|last| self.after(last).to_string());
        let output =
            Output::new().with(head.0, head.1).with("items", rows.iter().map(entry).collect::<Vec<_>>());
        Ok(output.with("total", total).with("next", next))
    }
}

impl LabelKind {
    /// The kind as a question names it.
    pub(super) const fn asked(self) -> ThingKind {
        match self {
            LabelKind::Tag => ThingKind::Tag,
            LabelKind::Bookmark => ThingKind::Bookmark,
        }
    }

    /// The attribute that holds a block's own labels.
    pub(super) const fn attribute(self) -> &'static str {
        match self {
            LabelKind::Tag => "tags",
            LabelKind::Bookmark => "bookmark",
        }
    }

    /// The table of labels, with its columns for label, block and document, and the condition for rows with a label.
    fn place(self) -> (Table, [&'static str; 3], RowCondition) {
        match self {
            LabelKind::Tag => {
                let columns = ["s.content", "s.block_id", "s.root_id"];
                (Table::Spans, columns, index::is_tag())
            }
            LabelKind::Bookmark => {
                let is_bookmark = index::eq("a.name", "bookmark");
                let columns = ["a.value", "a.block_id", "a.root_id"];
                (Table::Attributes, columns, is_bookmark.and(index::is_not("a.value", "")))
            }
        }
    }

    /// Like `place`, for rows with this label, or a tag below it.
    pub(super) fn place_of(self, label: &str) -> (Table, [&'static str; 3], RowCondition) {
        let (table, columns, is_label) = self.place();
        let exact = index::eq(columns[0], label);
        let wanted = match self {
            LabelKind::Tag => index::any([exact, index::starts_with(columns[0], &format!("{label}/"))]),
            LabelKind::Bookmark => exact,
        };
        (table, columns, is_label.and(wanted))
    }
}

impl List {
    fn labels(&self, notebook: Option<&str>) -> Select {
        let (table, [label, block, doc], is_label) = self.kind.place();
        let mut select =
            Select::from(table).column(label, "label").count(block, "blocks").count(doc, "documents");
        select = select.per([label]).filter(is_label);
        select = notebook.iter().fold(select, |select, it| select.filter(index::eq("box", it)));
        let query = self.query.as_ref().map(|it| index::in_any_case(label, it.as_str()));
        select = query.into_iter().fold(select, Select::filter);
        let after = self.page.after();
        let name = |it: &After| [StartKey::from(it.1.as_str()), StartKey::from(it.1.as_str())];
        match self.sort {
            TagSort::Label => select
                .order([Order::Name(label), Order::Up(label)])
                .after(after.map_or(vec![], |it| name(it).into())),
            TagSort::Count => {
                let keys =
                    after.map_or(vec![], |it| [StartKey::Number(it.0)].into_iter().chain(name(it)).collect());
                select.order([Order::Most(block), Order::Name(label), Order::Up(label)]).after(keys)
            }
        }
    }

    fn blocks(&self, label: &str, notebook: Option<&str>) -> Select {
        let (table, [_, block, _], has_label) = self.kind.place_of(label);
        let select = Select::blocks().join(table, block, "b.id").filter(has_label);
        let select = notebook.iter().fold(select, |select, it| select.filter(index::eq("b.box", it)));
        let keys = self.page.after().map_or(vec![], |After(n, id)| {
            vec![StartKey::Text(format!("{n:014}")), StartKey::from(id.as_str())]
        });
        select.order([Order::Down("b.updated"), Order::Up("b.id")]).after(keys)
    }

    fn after(&self, last: &Row) -> After {
        match self.label {
            None => After(last.number("blocks"), last.text("label").to_owned()),
            Some(_) => After(last.text("updated").parse().unwrap_or_default(), last.text("id").to_owned()),
        }
    }
}

fn label(row: &Row) -> Value {
    json!({
        "label": row.text("label"),
        "blocks": row.number("blocks"),
        "documents": row.number("documents"),
    })
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
