//! `search.asset_content`: assets by the text in them.
//!
//! The kernel knows no notebooks here, so while some notebook is closed, the hits are narrowed to assets that readable
//! notes use. Neither their number nor whether there are more says anything about the others. Their order must not
//! either, so it is by time and not by how rare a word is in all assets. And no other assets may crowd them out, which
//! uploads of the caller could bring about: more hits are asked for than anybody uploads unseen. A regular expression
//! cannot ask for so many, because the kernel answers it with whole texts; it is refused then.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::assets::{Endings, endings};
use super::excerpt::excerpt;
use crate::content::paging::{PageStart, page};
use crate::content::{asset_name, pattern};
use crate::index::{self, Select, Table};
use crate::kernel::api::search::AssetHit;
use crate::output::object;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The maximum number of hits that the kernel is asked for, and while a notebook is closed.
const MOST: usize = 256;
const MOST_OF_ALL: usize = 16_384;
/// The kernel's numbers of two orders: the best first, the newest first.
const BEST: u8 = 1;
const NEWEST: u8 = 3;
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
    /// The text to search for.
    // SiYuan quotes the words, and passes a regular expression as a parameter.
    #[read_by()]
    pub query: Text<1, 500>,
    /// The syntax of the query.
    pub r#match: AssetQuerySyntax,
    /// Only files with these extensions, such as .pdf.
    #[read_by(Sql)]
    pub ext: Option<Endings>,
    /// A page of the files.
    #[args]
    pub page: Paging<PageStart, 20, 100, 600>,
}

/// The syntax of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum AssetQuerySyntax {
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
        let any_hidden = cx.grants().any_hidden();
        let method = match self.r#match {
            AssetQuerySyntax::Words => 0,
            AssetQuerySyntax::Regex if any_hidden => {
                return Err(ToolError::disabled(
                    "A regular expression would also search assets of notebooks that are hidden from agents. Use match words.",
                ));
            }
            AssetQuerySyntax::Regex => match pattern::problem(&query) {
                Some(problem) => {
                    let expected = format!("a regular expression (RE2); here: {problem}");
                    return Err(ToolError::field("query", expected));
                }
                None => 3,
            },
        };
        let ends = endings(self.ext.as_ref());
        let (order, most) = if any_hidden { (NEWEST, MOST_OF_ALL) } else { (BEST, MOST) };
        let ask = search::full_text_search_asset_content(&query, method, order, NonEmpty::of(&ends), most);
        let found = cx.ask(ask).await?;
        let mut hits = found.asset_contents;
        hits.retain(|it| AssetPath::parse(&it.path).is_some());
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
        let mut used = Select::from(Table::Assets)
            .column(index::ASSET, "asset")
            .per([index::ASSET])
            .filter(index::starts_with("f.path", "assets/"));
        let ends = endings(self.ext.as_ref());
        if !ends.is_empty() {
            used = used.filter(index::any(ends.iter().map(|it| index::asset_ends_in(it))));
        }
        let rows = cx.select(used.limit(MOST_OF_ALL)).await?.rows;
        let used: BTreeSet<&str> = rows.iter().map(|row| row.text("asset")).into_set();
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
        let text = shown(&reply);
        let items = reply.map(|it| it.data["items"].clone()).unwrap_or_default();
        let paths =
            items.as_array().into_iter().flatten().filter_map(|it| it["path"].as_str().map(str::to_owned));
        let sent = engine.kernel.take_sent().iter().filter_map(|(path, _)| path.rsplit('/').next()).collect();
        (paths.collect(), text, sent)
    }

    /// B-055: with a closed notebook, the files are those of readable notes, after the same requests.
    #[test]
    fn texts_of_files_that_readable_notes_use_are_found() {
        let closed =
            with_files(world().notebook("Private", "none").doc("/Private/Plan", "[x](assets/closed.md)"));
        let spring = json!({ "query": "spring" });
        let nothing = json!({ "query": "quicksilver" });
        let ((paths, text, sent), none) = (found(closed.copy(), &spring), found(closed, &nothing));
        assert_eq!(
            (paths, sent.clone()),
            (vec!["assets/used.md".to_owned()], vec!["fullTextSearchAssetContent", "sql"])
        );
        assert!(text.contains("Mint grows in **spring**.") && !text.contains("quicksilver"), "{text}");
        assert!(none.0.is_empty() && none.1.contains("\"total\":0") && none.2 == sent, "{none:?}");
    }

    /// B-055: other files, newer and in any number, neither hide those of readable notes nor change their order, so
    /// that uploads of the caller's own cannot show whether a closed notebook has one more.
    #[test]
    fn other_files_do_not_crowd_out_those_of_readable_notes() {
        let world = with_files(world().notebook("Private", "none"));
        for at in 0..300 {
            world.pass(1_000);
            let path = format!("/data/assets/other-{at}.md");
            assert_eq!(world.demo.put_file(&path, b"quicksilver in spring").status, 200);
        }
        world.pass(1_000);
        let (paths, text, _) = found(world.copy(), &json!({ "query": "spring" }));
        assert_eq!(paths, ["assets/used.md"]);
        assert!(text.contains("\"total\":1") && !text.contains("truncated"), "{text}");
    }

    /// B-055: the kernel answers a regular expression with whole texts, of which no more than a few can be asked for.
    #[test]
    fn a_regular_expression_needs_every_notebook_open() {
        let pattern = json!({ "query": "spr.ng", "match": "regex" });
        let (_, text, sent) = found(with_files(world().notebook("Private", "none")), &pattern);
        assert!(text.contains("disabled_error") && sent.is_empty(), "{text}");
        let (paths, ..) = found(with_files(world()).copy(), &pattern);
        assert_eq!(paths.len(), 2);
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

    /// A world with an older file that is more about mint, and a newer one.
    fn with_best(world: World) -> World {
        for (path, text) in
            [("best.md", "Mint, mint."), ("worse.md", "Of many herbs one is mint, says the book.")]
        {
            assert_eq!(world.demo.put_file(&format!("/data/assets/{path}"), text.as_bytes()).status, 200);
            world.pass(1_000);
        }
        let world = world.doc("/Garden/Books", "[best](assets/best.md) [worse](assets/worse.md)");
        world.ask("sqlite/flushTransaction", &json!({}));
        world.copy()
    }

    /// If every notebook is open, the file that is most about the words comes first, however old it is. B-055: its rank
    /// depends on all files, so with a closed notebook the newest comes first.
    #[test]
    fn the_best_file_comes_first_where_nothing_is_closed() {
        let mint = json!({ "query": "mint" });
        let (paths, ..) = found(with_best(world()), &mint);
        assert_eq!(paths, ["assets/best.md", "assets/worse.md"]);
        let (paths, ..) = found(with_best(world().notebook("Private", "none")), &mint);
        assert_eq!(paths, ["assets/worse.md", "assets/best.md"]);
    }

    #[test]
    fn a_broken_pattern_is_refused_before_any_request() {
        let (_, text, sent) = found(world(), &json!({ "query": "a(", "match": "regex" }));
        assert!(text.contains("unclosed group") && sent.is_empty(), "{text}");
    }
}
