//! `file.export`: documents as Markdown, or as a file in another format.
//!
//! The kernel's exporter runs query embeds, follows references and prints database rows of every notebook, so it is
//! asked only while no notebook is hidden. Markdown is read as it is, and nothing in it is expanded.

use super::format::ExportFormat;
use super::{exported, format, transfer};
use crate::content::{kramdown, part};
use crate::prelude::*;

/// Export documents as Markdown or as a file.
#[derive(Debug, Action)]
#[action(
    file.export,
    effect = When(Self::leaves, External),
    danger = When(Self::leaves, "Exports {n} documents ({name})."),
    deed = Export(Unchanged),
    idempotent = false,
    calls = [..exported, ..format],
    examples = [
        { "ids": ["{doc}"], "budget": 500 },
        { "ids": ["{doc}", "{other_doc}"], "format": "md_zip" },
        { "notebook": "{notebook}", "format": "sy_zip" },
        { "database": "{carrier}", "format": "csv" },
    ],
)]
pub struct Export {
    /// The documents, notebook or database to export.
    #[needs(Read)]
    #[one_of]
    pub what: Source,
    /// The format.
    pub format: ExportFormat,
    /// File name in the transfer folder.
    #[read_by()]
    pub save_as: Option<Text<1, 512>>,
    /// Approximate maximum length of the text, in tokens.
    pub budget: Int<100, 32_000, 2_000>,
    /// The `next` of an earlier answer, to continue there.
    pub cursor: Option<Next<usize>>,
}

/// The documents, notebook or database to export.
#[derive(Debug, OneOf)]
pub enum Source {
    /// Ids of documents.
    #[target]
    Ids(Ids<DocId, 64>),
    /// A notebook's id or exact name.
    #[target]
    Notebook(NotebookRef),
    /// A block that shows a database, for csv.
    #[target]
    Database(BlockId),
}

impl Change for Export {
    /// The documents, notebook or database.
    type Facts = Vec<String>;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Vec<String>>, ToolError> {
        format::declared(cx)?;
        self.fits()?;
        let (kind, what): (ThingKind, Vec<String>) = match &self.what {
            Source::Ids(ids) => {
                (ThingKind::Document, ids.as_slice().iter().map(ToString::to_string).collect())
            }
            Source::Notebook(it) => (ThingKind::Notebook, vec![cx.found(it).await?.notebook.to_string()]),
            Source::Database(block) => (ThingKind::Database, vec![block.to_string()]),
        };
        if self.format != ExportFormat::Md && cx.grants().any_hidden() {
            return Err(ToolError::disabled(
                "Only the format md is available with the current permissions: SiYuan's exporter follows references and queries into every notebook, and some notebook is hidden from agents.",
            ));
        }
        if let Some(name) = &self.save_as {
            transfer::may_write(name.as_str(), cx)?;
        }
        let name = self.save_as.as_ref().map_or("a file in SiYuan's folder of exports", Text::as_str);
        let n = what.len();
        Ok(Plan::new("export", what.clone())
            .about(kind, Things::of(what.iter().map(|id| Thing::of(id))))
            .and(Thing::path(self.save_as.as_ref().map_or("", Text::as_str)))
            .show("what", what)
            .show("format", self.format.word())
            .show("save_as", self.save_as.as_ref().map(|it| it.as_str().to_owned()))
            .also(Consequence::Format(self.format.word().to_owned()))
            .touching(n, name))
    }

    async fn run(self, _: Plan<Vec<String>>, cx: &Cx<'_>) -> Reply {
        match (self.format, &self.what) {
            (ExportFormat::Md, Source::Ids(ids)) => match ids.as_slice() {
                [id] => self.markdown(id, cx).await,
                _ => Err(one_document()),
            },
            _ => self.file(cx).await,
        }
    }
}

impl Export {
    fn leaves(&self, _: &Plan<Vec<String>>) -> bool {
        self.format != ExportFormat::Md || self.save_as.is_some()
    }

    /// Refuses a format that cannot hold what is exported.
    fn fits(&self) -> Result<(), ToolError> {
        let wrong = |expected: &str| Err(ToolError::field("format", expected));
        match (&self.what, self.format) {
            (Source::Ids(_), ExportFormat::MdZip | ExportFormat::SyZip) => Ok(()),
            (Source::Ids(_), ExportFormat::Csv) => wrong("another one: csv is for `database`"),
            (Source::Ids(ids), _) if ids.as_slice().len() > 1 => Err(one_document()),
            (Source::Notebook(_), ExportFormat::MdZip | ExportFormat::SyZip)
            | (Source::Database(_), ExportFormat::Csv)
            | (Source::Ids(_), _) => Ok(()),
            (Source::Notebook(_), _) => wrong("md_zip or sy_zip for a notebook"),
            (Source::Database(_), _) => wrong("csv for a database"),
        }
    }

    async fn markdown(&self, id: &DocId, cx: &Cx<'_>) -> Reply {
        let text = kramdown::strip(&cx.ask(block::get_block_kramdown(id)).await?.kramdown);
        if let Some(name) = &self.save_as {
            let size = text.len();
            transfer::create(name.as_str(), text.into_bytes(), cx).await?;
            return Ok(Output::new().with("saved", name.as_str()).with("size", size));
        }
        let from = self.cursor.map_or(0, |it| *it.get());
        let mut output = part::of(&text, from, self.budget.get(), Output::new());
        // Lists page with a text, so a cursor is one too.
        if let Some(next) = output.data.get_mut("next") {
            *next = next.to_string().into();
        }
        Ok(output)
    }

    async fn file(&self, cx: &Cx<'_>) -> Reply {
        let zip = match &self.what {
            Source::Ids(ids) => self.documents(ids.as_slice(), cx).await?,
            Source::Notebook(notebook) => {
                let id = &cx.found(notebook).await?.notebook;
                let ask = match self.format {
                    ExportFormat::SyZip => export::export_notebook_sy(id),
                    _ => export::export_notebook_md(id),
                };
                cx.ask(ask).await?.zip
            }
            Source::Database(block) => {
                let av = exported::database(block, cx).await?;
                cx.ask(export::export_attribute_view(&av, block)).await?.zip
            }
        };
        let bytes = exported::read(&zip, self.format.ending(), cx).await?;
        let output = Output::new().with("name", zip.rsplit('/').next()).with("size", bytes.len());
        match &self.save_as {
            Some(name) => {
                exported::save(&zip, bytes, name.as_str(), cx).await?;
                Ok(output.with("saved", name.as_str()))
            }
            None => Ok(output.with("path", zip.as_str())),
        }
    }

    async fn documents(&self, ids: &[DocId], cx: &Cx<'_>) -> Result<String, ToolError> {
        let all = NonEmpty::of(ids).ok_or_else(one_document)?;
        let route = match self.format {
            ExportFormat::MdZip => return Ok(cx.ask(export::export_mds(all)).await?.zip),
            ExportFormat::SyZip => return Ok(cx.ask(export::export_sys(all)).await?.zip),
            other => other.route().ok_or_else(one_document)?,
        };
        let [id] = ids else { return Err(one_document()) };
        Ok(cx.ask(export::converted(route, id)).await?.zip)
    }
}

fn one_document() -> ToolError {
    ToolError::field("ids", "one document; several go into md_zip or sy_zip")
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
