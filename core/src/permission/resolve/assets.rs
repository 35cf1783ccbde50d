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
use crate::sorted::IntoSorted as _;

/// Assets per statement.
const CHUNK: usize = 64;

impl Resolver<'_> {
    /// For a change: while any notebook is hidden, nobody can know whether that notebook uses the asset, so no use is
    /// shown (B-057).
    pub(super) async fn assets(&self, asked: &[(Rule, &AssetPath)]) -> Result<Vec<Option<Where>>, ToolError> {
        if asked.iter().any(|(rule, _)| *rule == Rule::Every) && self.scope.grants.any_hidden() {
            return Err(ToolError::disabled(format!(
                "{} changes files that any notebook may use, and the uses in hidden notebooks are unknown. A person can do this in SiYuan.",
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

/// The statement that finds the notebooks with references to any of them. A link may name a page after an asset's
/// path, `plan.pdf?p=3`; however many pages are named, a notebook has one row.
fn statement(paths: &[&AssetPath]) -> String {
    let list = sql::list(paths.iter().map(|it| it.as_str()));
    let pages =
        paths.iter().map(|it| format!(" OR instr(path, {}) = 1", sql::text(&format!("{}?", it.as_str()))));
    let pages: String = pages.collect();
    format!(
        "SELECT CASE WHEN instr(path, '?') > 0 THEN substr(path, 1, instr(path, '?') - 1) ELSE path END AS asset, box \
         FROM assets WHERE path IN ({list}){pages} GROUP BY asset, box ORDER BY asset, box"
    )
}

fn of(scope: &Scope, path: &AssetPath, rows: &[Row]) -> Option<Where> {
    let used = rows.iter().filter(|row| row.text("asset") == path.as_str());
    let boxes: BTreeSet<&str> = used.map(|row| row.text("box")).into_set();
    let places: Vec<Place> = boxes.into_iter().filter_map(|id| of_notebook(scope, id)).collect();
    if !places.is_empty() {
        return Some(Where::at(places));
    }
    let everywhere = || scope.all_notebooks().iter().filter_map(|it| of_notebook(scope, &it.id)).collect();
    (!scope.grants.any_hidden()).then(|| Where::at(everywhere()))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::statement;
    use crate::id::AssetPath;

    /// F10: however many of its pages a note names, an asset has one row per notebook.
    #[test]
    fn pages_of_an_asset_are_the_asset() {
        let index = Connection::open_in_memory().unwrap();
        index.execute("CREATE TABLE assets (path, box)", []).unwrap();
        let rows = (0..50).map(|page| (format!("assets/a.pdf?p={page}"), "garden"));
        let other = [("assets/a.pdf", "attic"), ("assets/ab.pdf", "attic"), ("assets/b.pdf", "attic")];
        for (path, notebook) in rows.chain(other.map(|(path, notebook)| (path.to_owned(), notebook))) {
            index.execute("INSERT INTO assets VALUES (?1, ?2)", [path.as_str(), notebook]).unwrap();
        }
        let [a, b] = ["assets/a.pdf", "assets/b.pdf"].map(|it| AssetPath::parse(it).unwrap());
        let mut asked = index.prepare(&statement(&[&a, &b])).unwrap();
        let rows = asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let rows: Vec<(String, String)> = rows.collect::<Result<_, _>>().unwrap();
        let expected = [("assets/a.pdf", "attic"), ("assets/a.pdf", "garden"), ("assets/b.pdf", "attic")];
        assert_eq!(rows, expected.map(|(asset, notebook)| (asset.to_owned(), notebook.to_owned())));
    }
}
