//! `search.asset_content`: assets by the text in them.
//!
//! The kernel knows no notebooks here, so while some notebook is closed, the hits are narrowed to assets that readable
//! notes use. Neither their number nor whether there are more says anything about the others.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::assets::{Endings, endings};
use super::excerpt::excerpt;
use crate::content::paging::{Shown, page};
use crate::content::{asset_name, pattern};
use crate::index::{self, Select, Table};
use crate::kernel::api::search::AssetHit;
use crate::output::object;
use crate::prelude::*;

/// The maximum number of hits that the kernel is asked for.
const MOST: usize = 256;
/// The maximum number of characters of a hit's text.
const TEXT: usize = 200;

/// Search inside asset files (PDF, Office, text).
#[derive(Debug, Action)]
#[action(
    search.asset_content,
    workspace = Read,
    danger = None,
    idempotent = true,
    tier = advanced,
    calls = [search::FULL_TEXT_SEARCH_ASSET_CONTENT, query::SQL],
    examples = [{ "query": "spring" }, { "query": "spr.ng", "match": "regex", "ext": [".pdf"], "limit": 5 }],
)]
pub struct AssetContent {
    /// What to look for.
    pub query: Text<1, 500>,
    /// How the query is meant.
    pub r#match: How,
    /// Only files with these endings, such as .pdf.
    pub ext: Option<Endings>,
    /// A page of the files.
    #[args]
    pub page: Paging<Shown, 20, 100, 600>,
}

/// How a query is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum How {
    /// Every word in the file.
    #[default]
    Words,
    /// A regular expression (RE2).
    Regex,
}

impl Run for AssetContent {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let query = self.query.as_str().replace('\0', "").trim().to_owned();
        if query.is_empty() {
            return Err(ToolError::field("query", "more than blanks"));
        }
        let method = match self.r#match {
            How::Words => 0,
            How::Regex => match pattern::problem(&query) {
                Some(problem) => {
                    return Err(ToolError::field(
                        "query",
                        format!("a regular expression (RE2); here: {problem}"),
                    ));
                }
                None => 3,
            },
        };
        let ends = endings(self.ext.as_ref());
        let found = search::full_text_search_asset_content(&query, method, NonEmpty::of(&ends), MOST);
        let found = cx.ask(found).await?;
        let mut hits = found.asset_contents;
        hits.retain(|it| AssetPath::parse(&it.path).is_some());
        let any_hidden = cx.grants().any_hidden();
        if any_hidden {
            self.narrow(&mut hits, cx).await?;
        }
        let shown = page(&hits, self.page.after(), self.page.limit.get(), |it| &it.path);
        let items: Vec<Value> = shown.items.iter().map(item).collect();
        Ok(Output::new()
            .with("items", items)
            .with("total", hits.len())
            .flag("truncated", !any_hidden && found.matched_asset_count > MOST)
            .with("next", shown.next))
    }
}

impl AssetContent {
    /// Keeps the assets that readable notes use. It always asks once, whatever was found.
    async fn narrow(&self, hits: &mut Vec<AssetHit>, cx: &Cx<'_>) -> Result<(), ToolError> {
        let used = Select::from(Table::Assets)
            .column(index::ASSET, "asset")
            .per([index::ASSET])
            .filter(index::in_list(index::ASSET, hits.iter().map(|it| it.path.as_str())));
        let rows = cx.select(used.limit(MOST)).await?.rows;
        let used: BTreeSet<&str> = rows.iter().map(|row| row.text("asset")).collect();
        hits.retain(|it| used.contains(it.path.as_str()));
        Ok(())
    }
}

fn item(hit: &AssetHit) -> Value {
    Value::Object(object([
        ("path", json!(hit.path)),
        ("name", json!(asset_name::shown(&hit.path))),
        ("size", json!(hit.size)),
        ("updated", json!(hit.updated)),
        ("text", json!(excerpt(&hit.content, TEXT))),
    ]))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::dispatch::{Approval, Engine};
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, World, call, shown, world};

    fn with_files(world: World) -> World {
        for (path, text) in [("used.md", "Mint grows in spring."), ("closed.md", "quicksilver in spring")] {
            let put = world.demo.put_file(&format!("/data/assets/{path}"), text.as_bytes());
            assert_eq!(put.status, 200);
            // Files that come in one burst are found as one.
            world.pass(1_000);
        }
        let world = world.doc("/Garden/Mint", "[mint](assets/used.md)");
        world.ask("sqlite/flushTransaction", &json!({}));
        world
    }

    fn found(world: World, arguments: &Value) -> (Vec<String>, String, Vec<&'static str>) {
        let engine = Engine::new(world, Nobody);
        let mut arguments = arguments.clone();
        arguments["action"] = json!("asset_content");
        let reply = call(&engine, Tool::Search, &arguments, &Approval::Missing);
        let told = shown(&reply);
        let items = reply.map(|it| it.data["items"].clone()).unwrap_or_default();
        let paths =
            items.as_array().into_iter().flatten().filter_map(|it| it["path"].as_str().map(str::to_owned));
        let sent = engine.kernel.take_sent().iter().filter_map(|(path, _)| path.rsplit('/').next()).collect();
        (paths.collect(), told, sent)
    }

    /// B-055: with a closed notebook, the files are those of readable notes, after the same requests.
    #[test]
    fn texts_of_files_that_readable_notes_use_are_found() {
        let closed =
            with_files(world().notebook("Private", "none").doc("/Private/Plan", "[x](assets/closed.md)"));
        let spring = json!({ "query": "spring" });
        let nothing = json!({ "query": "quicksilver", "match": "regex" });
        let ((paths, told, sent), none) = (found(closed.copy(), &spring), found(closed, &nothing));
        assert_eq!(
            (paths, sent.clone()),
            (vec!["assets/used.md".to_owned()], vec!["fullTextSearchAssetContent", "sql"])
        );
        assert!(told.contains("Mint grows in **spring**.") && !told.contains("quicksilver"), "{told}");
        assert!(none.0.is_empty() && none.1.contains("\"total\":0") && none.2 == sent, "{none:?}");
    }

    #[test]
    fn with_nothing_closed_every_file_is_found() {
        let (mut paths, _, sent) =
            found(with_files(world()).copy(), &json!({ "query": "in spring", "ext": ["md"] }));
        paths.sort();
        assert_eq!(
            (paths, sent),
            (
                vec!["assets/closed.md".to_owned(), "assets/used.md".to_owned()],
                vec!["fullTextSearchAssetContent"]
            )
        );
    }

    #[test]
    fn a_broken_pattern_is_refused_before_any_request() {
        let (_, told, sent) = found(world(), &json!({ "query": "a(", "match": "regex" }));
        assert!(told.contains("unclosed group") && sent.is_empty(), "{told}");
    }
}
