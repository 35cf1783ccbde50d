//! `block.get`: blocks as Markdown or kramdown, with their types and places.

use std::borrow::Cow;

use futures_util::future::join;
use serde_json::{Value, json};

use super::source::{self, kramdowns};
use crate::content::kramdown::{self, AttributeList, Block};
use crate::content::window::{Cursor, cut};
use crate::content::{attrs, hash};
use crate::index::{self, Select, Table};
use crate::kernel::api::query::Row;
use crate::permission::Grants;
use crate::prelude::*;

/// Read blocks: text, type, document, attributes and hash.
#[derive(Debug, Action)]
#[action(
    block.get,
    danger = None,
    idempotent = true,
    calls = [query::SQL, ..source],
    examples = [
        { "ids": ["{block}"] },
        { "ids": ["{block}", "{heading}"], "format": "kramdown", "budget": 500 },
    ],
)]
pub struct Get {
    /// Ids of blocks.
    #[needs(Read)]
    pub ids: Ids<BlockId, 64>,
    /// The format of the text; kramdown shows ids and attributes, nested ones too.
    pub format: Format,
    /// About how many tokens of text.
    pub budget: Int<100, 32_000, 2_000>,
    /// The `next` of an earlier answer, to go on there.
    pub cursor: Option<Next<Cursor>>,
}

/// The format of a block's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum Format {
    /// Without ids and attributes.
    #[default]
    Markdown,
    /// With them.
    Kramdown,
}

impl Run for Get {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let from = self.cursor.as_ref().map(|it| *it.get()).unwrap_or_default();
        let ids: Vec<&BlockId> = self.ids.as_slice().iter().collect();
        let read = cx.to_read(self.ids.as_slice()).await;
        let read: Vec<&BlockId> = read.iter().collect();
        let (rows, mut texts) = if read.is_empty() {
            Default::default()
        } else if read.len() <= 3 {
            let alone: Vec<_> = read.iter().map(|id| ((*id).clone(), None)).collect();
            let (rows, texts) = join(rows(&read, cx), kramdowns(&alone, cx)).await;
            (rows?, texts?)
        } else {
            // The documents that contain them decide the best way to read them.
            let rows = rows(&read, cx).await?;
            let of = |id: &BlockId| rows.iter().find(|row| row.text("id") == id.as_str());
            let known: Vec<_> = read
                .iter()
                .map(|id| ((*id).clone(), of(id).and_then(|row| DocId::parse(row.text("root_id")))))
                .collect();
            let texts = kramdowns(&known, cx).await?;
            (rows, texts)
        };
        let (mut items, mut bodies, mut missing) = (Vec::new(), Vec::new(), Vec::new());
        for id in ids {
            let (Some(place), Some(text)) = (cx.place(id).await, texts.remove(id.as_str())) else {
                missing.push(id.as_str());
                continue;
            };
            let doc = place.doc.as_ref().map(ToString::to_string).unwrap_or_default();
            // The index lags by up to 3 s, so its row counts only if it names the block's current place (F17).
            let row = rows.iter().find(|row| {
                row.text("id") == id.as_str()
                    && row.text("box") == place.notebook.as_str()
                    && row.text("root_id") == doc
            });
            let text = without_databases(&text, cx.grants());
            items.push(item(id, &doc, place.notebook.as_str(), row, &text));
            let text = match self.format {
                Format::Markdown if doc == id.as_str() => {
                    kramdown::blocks(&text).iter().map(Block::markdown).collect::<Vec<_>>().join("\n\n")
                }
                Format::Markdown => kramdown::strip(&text),
                Format::Kramdown => text.trim_end().to_owned(),
            };
            bodies.push(format!("<!-- {id} -->\n{text}"));
        }
        let window = cut(&bodies, 0, from, 64, self.budget.get());
        let items: Vec<Value> = items.into_iter().skip(from.block).take(window.shown).collect();
        let next = window.next.map(|it| it.to_string());
        let output = Output::new()
            .with("items", items)
            .with("truncated", next.is_some().then_some(true))
            .with("partial", window.partial.then_some(true))
            .with("next", next);
        let output = if missing.is_empty() { output } else { output.with("missing", missing) };
        // A missing body is not an empty one.
        Ok(if bodies.is_empty() { output } else { output.body(window.text) })
    }
}

/// A block's kramdown without the attributes that name databases which the caller may not know of (F15).
fn without_databases<'a>(kramdown: &'a str, grants: &Grants) -> Cow<'a, str> {
    let told = |list: &AttributeList| list.iter().any(|(name, _)| !attrs::is_shown(name, grants));
    if !kramdown::lists(kramdown).iter().any(|it| told(&it.attributes)) {
        return Cow::Borrowed(kramdown);
    }
    Cow::Owned(kramdown::rewrite(kramdown, |list| {
        let mut kept = list.clone();
        kept.retain(|name, _| attrs::is_shown(name, grants));
        Some(kept)
    }))
}

/// The index's rows of the blocks that the caller may read.
async fn rows(ids: &[&BlockId], cx: &Cx<'_>) -> Result<Vec<Row>, ToolError> {
    let select = Select::from(Table::Blocks).columns(["id", "root_id", "hpath", "type", "subtype"]);
    let select = select.filter(index::in_list("id", ids.iter().map(|id| id.as_str())));
    Ok(cx.select(select.per(["id", "box", "root_id"])).await?.rows)
}

fn item(id: &BlockId, doc: &str, notebook: &str, row: Option<&Row>, text: &str) -> Value {
    let of = |column: &str| row.map(|row| row.text(column).to_owned()).unwrap_or_default();
    let is_doc = id.as_str() == doc;
    let own = kramdown::attribute_lists(text).into_iter().find(|it| it.id() == Some(id.as_str()));
    let hash = if is_doc {
        let blocks: Vec<String> = kramdown::blocks(text).iter().map(Block::markdown).collect();
        hash::of_blocks(blocks.iter().map(String::as_str))
    } else {
        hash::of_markdown(&kramdown::strip(text))
    };
    Value::Object(object([
        ("id", json!(id.as_str())),
        ("type", json!(of("type"))),
        ("subtype", json!(of("subtype"))),
        ("doc", json!(doc)),
        // For a notebook's own document, the index says `/Name` and everything else says `/`.
        ("hpath", json!(if doc == notebook { "/".to_owned() } else { of("hpath") })),
        ("notebook", json!(notebook)),
        ("attrs", attributes(&own.unwrap_or_default())),
        ("hash", json!(hash)),
    ]))
}

fn attributes(own: &AttributeList) -> Value {
    let mut all = serde_json::Map::new();
    for (name, value) in own.iter().filter(|(name, _)| !matches!(*name, "id" | "updated" | "type")) {
        put(&mut all, name, value.into());
    }
    if all.is_empty() { Value::Null } else { Value::Object(all) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::content::hash;
    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::world::reads_places;
    use crate::testing::{FakeKernel, GARDEN, PRIVATE, call, engine};

    const DOC: &str = "20250101000000-doc0000";
    const SECRET: &str = "20250101000000-secret0";
    const MISSING: &str = "20250101000000-missing";

    fn id(at: usize) -> String {
        format!("20250101000000-{at:07}")
    }

    fn kramdown(at: usize) -> String {
        format!("text {at} `c`\u{200b}\n{{: id=\"{}\" updated=\"20250101000000\" memo=\"m{at}\"}}", id(at))
    }

    /// Five paragraphs of one document; 4 is nested, so the document's kramdown does not show it on its own.
    fn kernel() -> FakeKernel {
        let row = |id: String, notebook: &str| json!({ "id": id, "box": notebook, "root_id": DOC, "hpath": "/Mint", "type": "p", "path": format!("/{DOC}.sy") });
        FakeKernel::new()
            .answer("/api/query/sql", move |ask| {
                let stmt = ask["stmt"].as_str().unwrap_or_default();
                let known = (0..5).map(id).filter(|id| stmt.contains(id)).map(|id| row(id, GARDEN));
                known.chain(stmt.contains(SECRET).then(|| row(SECRET.to_owned(), PRIVATE))).collect()
            })
            .answer("/api/filetree/getPathByID", |ask| match ask["id"].as_str() {
                Some(MISSING) => json!({ "code": -1, "msg": "tree not found", "data": null }),
                Some(SECRET) => json!({ "notebook": PRIVATE, "path": format!("/{DOC}.sy") }),
                _ => json!({ "notebook": GARDEN, "path": format!("/{DOC}.sy") }),
            })
            .answer("/api/block/getBlockKramdown", |_| {
                let all: Vec<String> = (0..4).map(kramdown).collect();
                json!({ "id": DOC, "kramdown": format!("{}\n\n{{: id=\"{DOC}\" title=\"Mint\" type=\"doc\"}}", all.join("\n\n")) })
            })
            .answer("/api/block/getBlockKramdowns", |ask| {
                let ids = ask["ids"].as_array().cloned().unwrap_or_default();
                let known = (0..5).filter(|at| ids.contains(&json!(id(*at)))).map(|at| (id(at), json!(kramdown(at))));
                let secret = ids.contains(&json!(SECRET)).then(|| (SECRET.to_owned(), json!("quicksilver")));
                Value::Object(known.chain(secret).collect())
            })
    }

    fn get(arguments: Value) -> (crate::output::Reply, Vec<&'static str>) {
        let engine = engine(kernel());
        let mut arguments = arguments;
        arguments["action"] = json!("get");
        let reply = call(&engine, Tool::Block, arguments);
        (reply, engine.kernel.asked().iter().map(|(path, _)| path.rsplit('/').next().unwrap()).collect())
    }

    #[test]
    fn get_returns_metadata_and_text() {
        let (reply, asked) = get(json!({ "ids": [id(1)] }));
        let reply = reply.unwrap();
        assert_eq!(reply.body.as_deref(), Some(format!("<!-- {} -->\ntext 1 `c`", id(1)).as_str()));
        let expected = json!({ "items": [{
            "id": id(1), "type": "p", "doc": DOC, "hpath": "/Mint", "notebook": GARDEN,
            "attrs": { "memo": "m1" }, "hash": hash::of_markdown("text 1 `c`"),
        }] });
        assert_eq!(Value::Object(reply.data), expected);
        // B-026: the check, the row and the text.
        assert_eq!(asked.len(), 3, "{asked:?}");
        let (reply, _) = get(json!({ "ids": [id(1)], "format": "kramdown" }));
        assert!(reply.unwrap().body.unwrap().contains("memo=\"m1\"}"));
    }

    #[test]
    fn blocks_of_one_document_are_read_together() {
        let (reply, asked) = get(json!({ "ids": [id(3), id(0), id(4), id(1), DOC] }));
        let reply = reply.unwrap();
        let order: Vec<&str> =
            reply.data["items"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
        assert_eq!(order[..4], [id(3), id(0), id(4), id(1)]);
        assert!(asked.contains(&"getBlockKramdown") && reply.body.unwrap().contains("text 4"));
    }

    #[test]
    fn budget_cuts_between_blocks_and_next_continues() {
        let ids: Vec<String> = (0..3).map(id).collect();
        let long = kernel().answer("/api/block/getBlockKramdowns", move |_| {
            Value::Object(
                (0..3).map(|at| (id(at), json!(format!("{}\n{}", "x".repeat(300), kramdown(at))))).collect(),
            )
        });
        let engine = engine(long);
        let first =
            call(&engine, Tool::Block, json!({ "action": "get", "ids": ids, "budget": 100 })).unwrap();
        assert_eq!((&first.data["next"], first.data["items"].as_array().unwrap().len()), (&json!("1"), 1));
        let second =
            call(&engine, Tool::Block, json!({ "action": "get", "ids": ids, "budget": 100, "cursor": "1" }))
                .unwrap();
        assert_eq!(second.data["items"][0]["id"], json!(id(1)));
    }

    /// B-055: a hidden block and a missing one get the same answer, after the same requests, and no text gets out.
    #[test]
    fn hidden_block_answers_like_a_missing_block() {
        for others in [vec![], vec![id(0), id(1)]] {
            let counted: Vec<usize> = [SECRET, MISSING]
                .into_iter()
                .map(|hidden| {
                    let mut ids = others.clone();
                    ids.push(hidden.to_owned());
                    let (reply, asked) = get(json!({ "ids": ids }));
                    let reply = reply.unwrap();
                    assert_eq!(reply.data["missing"], json!([hidden]));
                    assert_eq!(reply.body.is_none(), others.is_empty());
                    assert!(!format!("{reply:?}").contains("quicksilver"));
                    asked.len()
                })
                .collect();
            assert_eq!(counted[0], counted[1]);
        }
    }

    /// F15: while a notebook is hidden, the kramdown and the data around it name no databases.
    #[test]
    fn block_get_reveals_no_databases_while_a_notebook_is_hidden() {
        let bound = kernel().answer("/api/block/getBlockKramdowns", |_| {
            json!({ id(1): format!("text\n{{: id=\"{}\" custom-avs=\"20250101000000-hidden0\" memo=\"m\" custom-sy-av-s-text-20250101000000-hidden0=\"t\" av-names=\"n\"}}", id(1)) })
        });
        let engine = engine(bound);
        for format in ["kramdown", "markdown"] {
            let arguments = json!({ "action": "get", "ids": [id(1)], "format": format });
            let reply = call(&engine, Tool::Block, arguments).unwrap();
            assert_eq!(reply.data["items"][0]["attrs"], json!({ "memo": "m" }));
            let told = format!("{reply:?}");
            assert!(!told.contains("hidden0") && !told.contains("av-names"), "{told}");
        }
    }

    /// F17: a row of the index for another place is not used.
    #[test]
    fn stale_index_row_is_ignored() {
        for (column, value) in [("box", PRIVATE), ("box", "20250101000000-attic00"), ("root_id", SECRET)] {
            let kernel = kernel().answer("/api/query/sql", move |ask| {
                if reads_places(ask) {
                    return json!([]);
                }
                let mut row = json!({ "id": id(1), "box": GARDEN, "root_id": DOC, "hpath": "/quicksilver", "type": "p" });
                row[column] = json!(value);
                json!([row])
            });
            let engine = engine(kernel);
            let reply = call(&engine, Tool::Block, json!({ "action": "get", "ids": [id(1)] })).unwrap();
            let item = &reply.data["items"][0];
            assert_eq!((&item["notebook"], item.get("hpath")), (&json!(GARDEN), None), "{column}");
        }
    }

    #[test]
    fn malformed_id_is_refused_before_any_request() {
        let (reply, asked) = get(json!({ "ids": ["x"] }));
        assert_eq!((reply.unwrap_err().kind, asked.len()), (ErrorType::Validation, 0));
    }
}
