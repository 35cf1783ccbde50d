//! `system.reload_ui`: makes open windows draw parts of their screen anew.

use std::collections::BTreeSet;

use serde_json::json;

use super::screen;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// Reload open windows, for example after files changed outside SiYuan.
///
/// Without id or database, documents and databases are those on the screen.
#[derive(Debug, Action)]
#[action(
    system.reload_ui,
    workspace = Read,
    effect = Screen,
    danger = None,
    tier = advanced,
    idempotent = true,
    calls = [
        ui::RELOAD_PROTYLE, ui::RELOAD_FILETREE, ui::RELOAD_TAG, ui::RELOAD_ATTRIBUTE_VIEW, ..screen,
    ],
    examples = [
        { "parts": ["tree", "tags"] },
        { "parts": ["documents", "databases"], "id": "{block}", "database": "{av}" },
    ],
)]
pub struct ReloadUi {
    /// The parts to reload; documents and tree by default.
    pub parts: Option<Many<UiPart, 1, 4>>,
    /// The document or block.
    #[needs(Read, else = workspace)]
    pub id: Option<BlockId>,
    /// The database.
    #[needs(Read, else = workspace)]
    pub database: Option<AvId>,
}

/// A part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Choice)]
pub enum UiPart {
    /// Documents.
    Documents,
    /// The tree of documents.
    Tree,
    /// Tags.
    Tags,
    /// Databases.
    Databases,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    parts: BTreeSet<UiPart>,
    documents: BTreeSet<DocId>,
    databases: BTreeSet<AvId>,
}

impl Change for ReloadUi {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let given = self.parts.as_ref().map_or(&[UiPart::Documents, UiPart::Tree][..], |it| it.as_slice());
        let parts: BTreeSet<UiPart> = given.iter().copied().into_set();
        for (part, field, named) in [
            (UiPart::Documents, "id", self.id.is_some()),
            (UiPart::Databases, "database", self.database.is_some()),
        ] {
            if named && !parts.contains(&part) {
                return Err(ToolError::field(field, format!("left out, or {} among the parts", part.word())));
            }
        }
        let (mut documents, mut databases) = (BTreeSet::new(), BTreeSet::new());
        if let Some(id) = &self.id {
            documents.extend(cx.found(id).await?.doc.clone());
        }
        if let Some(id) = &self.database {
            cx.places(id).await?;
            databases.insert(id.clone());
        }
        let on_screen = |part: UiPart, named: bool| parts.contains(&part) && !named;
        let asks_for_documents = on_screen(UiPart::Documents, self.id.is_some());
        let asks_for_databases = on_screen(UiPart::Databases, self.database.is_some());
        if asks_for_documents || asks_for_databases {
            let open = screen::open(cx).await?;
            if asks_for_documents {
                let rows = screen::rows(&open.ids(), cx).await?;
                documents.extend(rows.iter().filter_map(|row| DocId::parse(row.text("root_id"))));
            }
            if asks_for_databases {
                let shown: Vec<AvId> = open.databases.iter().filter_map(|id| AvId::parse(id)).collect();
                let found = cx.databases(Level::Read, &shown.iter().collect::<Vec<_>>()).await?;
                let seen = shown.into_iter().zip(found).filter_map(|(id, found)| found.map(|_| id));
                databases.extend(seen);
            }
        }
        let words: Vec<&str> = parts.iter().map(|it| it.word()).collect();
        Ok(Plan::new("reload", Facts { parts, documents, databases }).show("parts", json!(words)))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { parts, documents, databases } = plan.facts;
        for id in &documents {
            cx.ask(ui::reload_protyle(id)).await?;
        }
        for id in &databases {
            cx.ask(ui::reload_attribute_view(id)).await?;
        }
        if parts.contains(&UiPart::Tree) {
            cx.ask(ui::reload_filetree()).await?;
        }
        if parts.contains(&UiPart::Tags) {
            cx.ask(ui::reload_tag()).await?;
        }
        Ok(Output::new().with("parts", parts.iter().map(|it| it.word()).collect::<Vec<_>>()))
    }
}

#[cfg(test)]
#[path = "reload_ui_tests.rs"]
mod tests;
