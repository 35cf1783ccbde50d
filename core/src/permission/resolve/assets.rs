//! Places of assets: the notebooks whose blocks refer to them.
//!
//! An asset belongs to no notebook. An asset without a reference belongs to all of them, because nobody can tell
//! where it was taken from.

use std::collections::BTreeSet;

use super::{Resolver, all_rows, of_notebook};
use crate::error::ToolError;
use crate::id::AssetPath;
use crate::kernel::api::query::{self, Row};
use crate::kernel::{self, Kernel, sql};
use crate::permission::{Place, Rule, Scope, Where};

/// Assets per statement.
const CHUNK: usize = 64;

impl Resolver<'_> {
    /// For a change: while any notebook is hidden, nobody can know whether that notebook uses the asset, so no use is
    /// shown (B-057).
    pub(super) async fn assets(&self, asked: &[(Rule, &AssetPath)]) -> Result<Vec<Option<Where>>, ToolError> {
        if asked.iter().any(|(rule, _)| *rule == Rule::Every) && self.scope.grants.any_hidden() {
            return Err(ToolError::disabled(format!(
                "{} changes what every notebook may use, and some notebook is closed to agents, so nobody can tell what it uses. A person can do this in SiYuan.",
                self.spec.path()
            )));
        }
        kernel::ask(self.kernel, query::flush_transaction()).await?;
        let paths: Vec<&AssetPath> = asked.iter().map(|(_, path)| *path).collect();
        find(self.kernel, &self.scope, &paths).await
    }
}

/// The places that use each of these assets, hidden ones included. An asset without a reference lies in every
/// notebook, and nowhere while one of them is hidden.
pub(crate) async fn find(
    kernel: &dyn Kernel,
    scope: &Scope,
    paths: &[&AssetPath],
) -> Result<Vec<Option<Where>>, ToolError> {
    let mut all = Vec::with_capacity(paths.len());
    for chunk in paths.chunks(CHUNK) {
        let rows = all_rows(kernel, &statement(chunk)).await?;
        all.extend(chunk.iter().map(|path| of(scope, path, &rows)));
    }
    Ok(all)
}

/// Whether a reference points to this asset, or to a page of it.
fn is_of(path: &AssetPath, reference: &str) -> bool {
    reference.split('?').next() == Some(path.as_str())
}

/// The statement that finds references to any of them. A link may name a page after an asset's path: `plan.pdf?p=3`.
fn statement(paths: &[&AssetPath]) -> String {
    let list = sql::list(paths.iter().map(|it| it.as_str()));
    let pages =
        paths.iter().map(|it| format!(" OR instr(path, {}) = 1", sql::text(&format!("{}?", it.as_str()))));
    let pages: String = pages.collect();
    format!(
        "SELECT path, box FROM assets WHERE path IN ({list}){pages} GROUP BY path, box ORDER BY path, box"
    )
}

fn of(scope: &Scope, path: &AssetPath, rows: &[Row]) -> Option<Where> {
    let used = rows.iter().filter(|row| is_of(path, row.text("path")));
    let boxes: BTreeSet<&str> = used.map(|row| row.text("box")).collect();
    let places: Vec<Place> = boxes.into_iter().filter_map(|id| of_notebook(scope, id)).collect();
    if !places.is_empty() {
        return Some(Where::at(places));
    }
    let everywhere = || scope.all_notebooks().iter().filter_map(|it| of_notebook(scope, &it.id)).collect();
    (!scope.grants.any_hidden()).then(|| Where::at(everywhere()))
}
