//! `file.rename_asset`: renames an asset, wherever it is used.
//!
//! The kernel replaces the old file name by the new one in every text, including closed notebooks, whether a text
//! refers to the asset or only mentions its name. So all of these places must be writable.

use std::collections::BTreeSet;

use super::asset_name;
use crate::index::{self, Raw, RowPage, Select, Table};
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The maximum number of documents with uses of an asset.
const MOST: usize = 20_000;

/// Rename an asset and every reference to it.
#[derive(Debug, Action)]
#[action(
    file.rename_asset,
    danger = "Renames {name} and changes {n} references in {documents} documents.",
    deed = Rename(Reverse),
    idempotent = false,
    tier = advanced,
    calls = [query::FLUSH_TRANSACTION, query::SQL, asset::STAT_ASSET, asset::RENAME_ASSET],
    examples = [{ "path": "{asset}", "name": "{new}" }],
)]
pub struct RenameAsset {
    /// The asset, as notes name it.
    #[needs(Write)]
    pub path: AssetPath,
    /// File name, without folder; renaming keeps the extension.
    #[read_by(Html)]
    pub name: Text<1, 120>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    refs: u64,
    documents: usize,
}

impl Change for RenameAsset {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let stem = self.stem()?;
        let missing = |error: ToolError| if error.code == Some(1) { ToolError::not_found() } else { error };
        cx.ask(asset::stat_asset(&self.path)).await.map_err(missing)?;
        let mentions = cx.select_raw(&Raw::mentions(self.path.file_name())).await?;
        let named = mentions.iter().map(|row| row.text("box"));
        let closed = cx.scope().visible_notebooks().filter(|it| it.closed).map(|it| it.id.as_str());
        cx.require(Level::Write, named.chain(closed))?;
        let RowPage { rows: uses, more, .. } = cx.select(self.uses()).await?;
        if more {
            // The kernel would change them all, and the person would approve a smaller number.
            return Err(ToolError::conflict(format!(
                "More than {MOST} documents refer to this asset or to one whose name contains it, too many to change safely. A person can rename it in SiYuan."
            )));
        }
        if let Some(other) =
            uses.iter().find(|row| row.text("path").split('?').next() != Some(self.path.as_str()))
        {
            let expected =
                "an asset whose file name is not part of another file name: SiYuan would change that one too";
            return Err(ToolError::field("path", expected).with("other", other.text("path")));
        }
        let refs: u64 = uses.iter().map(|row| row.number("n_refs")).sum();
        let changes: BTreeSet<DocId> =
            uses.iter().filter_map(|row| DocId::parse(row.text("root_id"))).into_set();
        let documents = changes.len();
        Ok(Plan::new("rename", Facts { refs, documents })
            .show("path", self.path.as_str())
            .show("name", stem)
            .show("refs", refs)
            .show("documents", documents)
            .about(ThingKind::File, Things::of([Thing::file(self.path.as_str())]))
            .and(Thing::titled(stem))
            .also(Consequence::across(0, &changes))
            .changing(changes)
            .touching(usize::try_from(refs).unwrap_or(usize::MAX), self.path.as_str()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let renamed = cx.ask(asset::rename_asset(&self.path, self.stem()?)).await?.new_path;
        if renamed.is_empty() {
            cx.taken_back();
            return Ok(Output::new().with("path", self.path.as_str()).with("changed", false));
        }
        let reply = Output::new().with("path", renamed).with("refs", plan.facts.refs);
        // The new name must be found from now on; the rename is done, whatever becomes of this request.
        let flushed = cx.ask(query::flush_transaction()).await;
        let late = flushed.err().map(|error| Failed::new(error).what("making the index current"));
        Ok(reply.failed(late.into_iter().collect()))
    }
}

impl RenameAsset {
    fn extension(&self) -> &str {
        let name = self.path.file_name();
        name.rfind('.').and_then(|at| name.get(at..)).unwrap_or_default()
    }

    /// The new name as the kernel expects it: the kernel adds the extension itself.
    fn stem(&self) -> Result<&str, ToolError> {
        let name = self.name.as_str().trim();
        let stem = name.strip_suffix(self.extension()).unwrap_or(name);
        // SiYuan puts the name into the links of every note that uses the asset.
        let is_plain = stem.chars().all(|it| asset_name::is_kept(it) || it == ' ');
        if is_plain && stem.contains(char::is_alphanumeric) {
            return Ok(stem);
        }
        Err(ToolError::field(
            "name",
            "a file name of letters, digits, blanks and - _ . , + @, without a folder",
        ))
    }

    /// The statement for references to the asset, and to others whose path contains its file name.
    fn uses(&self) -> Select {
        Select::from(Table::Assets)
            .columns(["f.path", "f.root_id"])
            .count("f.block_id", "n_refs")
            .per(["f.path", "f.box", "f.root_id"])
            .filter(index::contains("f.path", self.path.file_name()))
            .limit(MOST)
    }
}

#[cfg(test)]
#[path = "rename_asset_tests.rs"]
mod tests;
