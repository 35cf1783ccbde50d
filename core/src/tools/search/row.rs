//! Hits as rows: {id, doc, hpath, notebook, type, text}.

use serde_json::{Map, Value, json};

use super::excerpt::{excerpt, plain};
use super::types::BlockType;
use crate::content::overwrite::fragile;
use crate::kernel::api::search::Hit;
use crate::output::object;

/// The maximum number of characters of a row's text.
const TEXT: usize = 200;

/// The form in which a row is rendered.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowForm {
    /// The whole text instead of an excerpt.
    pub(super) whole: bool,
    /// Whether texts that show other notebooks are withheld (K19).
    pub(super) withhold: bool,
}

/// A hit with its place; if hits are grouped, a document's row with the hits below it.
pub(super) fn row(hit: &Hit, telling: RowForm) -> Map<String, Value> {
    let blocks: Option<Vec<Value>> = hit.children.as_ref().map(|children| {
        // The kernel groups by document; hits from elsewhere do not belong here. A document whose title matches is
        // among its own hits.
        let is_below = |it: &&Hit| it.notebook == hit.notebook && it.root == hit.id && it.id != hit.id;
        let own = children.iter().filter(is_below);
        own.map(|it| Value::Object(block(it, telling))).collect()
    });
    let mut row = object([
        ("id", json!(hit.id)),
        ("doc", json!(hit.root)),
        ("hpath", json!(hpath(hit))),
        ("notebook", json!(hit.notebook)),
    ]);
    row.extend(block(hit, telling).into_iter().filter(|(key, _)| key != "id"));
    if let Some(blocks) = blocks {
        row.insert("blocks".to_owned(), Value::Array(blocks));
    }
    row
}

fn block(hit: &Hit, telling: RowForm) -> Map<String, Value> {
    let kind = BlockType::of_node(&hit.kind);
    let text = match (kind, telling) {
        (kind, RowForm { withhold: true, .. }) if shows_elsewhere(kind, hit) => String::new(),
        (_, RowForm { whole: true, .. }) if !hit.markdown.is_empty() => hit.markdown.trim_end().to_owned(),
        (_, RowForm { whole: true, .. }) => plain(&hit.content),
        _ => excerpt(&hit.content, TEXT),
    };
    // A node that nobody searches for on purpose keeps the kernel's name.
    let word = kind.map_or(hit.kind.as_str(), |it| it.word());
    object([("id", json!(hit.id)), ("type", json!(word)), ("text", json!(text))])
}

/// Whether the text of a hit shows rows or results from any notebook; a container's text does if a block in it does
/// (K19).
fn shows_elsewhere(kind: Option<BlockType>, hit: &Hit) -> bool {
    // An unknown kind may hold others: newer versions of SiYuan have more of them.
    kind.is_some_and(BlockType::shows_elsewhere)
        || (kind.is_none_or(BlockType::holds_others)
            && matches!(fragile(&hit.markdown), Some("database" | "embed")))
}

/// The hpath of a hit's document.
///
/// A document's own row has its parent's hpath, a grouped one its own. The storage path tells which, because it has
/// as many segments as the right hpath. A notebook's own document lies at `/`.
pub(super) fn hpath(hit: &Hit) -> String {
    if hit.root == hit.notebook {
        return "/".to_owned();
    }
    let hpath = plain(&hit.hpath);
    let segments = |path: &str| path.split('/').filter(|it| !it.is_empty()).count();
    if hit.id == hit.root && segments(&hpath) < segments(&hit.path) {
        return format!("{}/{}", hpath.trim_end_matches('/'), plain(&hit.content));
    }
    hpath
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hit(value: &Value) -> Hit {
        serde_json::from_value(value.clone()).unwrap()
    }

    const SHORT: RowForm = RowForm { whole: false, withhold: false };

    #[test]
    fn search_row_uses_the_documents_own_hpath() {
        let hpath_of = |hpath: &str, path: &str, content: &str| {
            let value = json!({ "id": "d", "rootID": "d", "box": "b", "hPath": hpath, "path": path, "content": content, "type": "NodeDocument" });
            row(&hit(&value), SHORT)["hpath"].clone()
        };
        assert_eq!(hpath_of("/", "/d.sy", "<mark>Plants</mark>"), "/Plants");
        assert_eq!(hpath_of("/A", "/a/d.sy", "A"), "/A/A");
        assert_eq!(hpath_of("/A/Pears &amp; more", "/a/d.sy", "Pears &amp; more"), "/A/Pears & more");
        let own = json!({ "id": "b", "rootID": "b", "box": "b", "hPath": "/Garden", "path": "/b.sy", "type": "NodeDocument" });
        assert_eq!(row(&hit(&own), SHORT)["hpath"], "/");
    }

    #[test]
    fn hit_document_is_not_among_its_own_blocks() {
        let below = |id: &str| json!({ "id": id, "rootID": "d", "box": "b", "hPath": "/A", "path": "/d.sy", "content": "A", "type": "NodeParagraph" });
        let value = json!({ "id": "d", "rootID": "d", "box": "b", "hPath": "/A", "path": "/d.sy", "content": "A", "type": "NodeDocument", "children": [below("d"), below("p")] });
        let row = row(&hit(&value), SHORT);
        let blocks = row["blocks"].as_array().unwrap();
        assert_eq!(blocks.iter().map(|it| &it["id"]).collect::<Vec<_>>(), ["p"]);
    }

    /// K19, B-055.
    #[test]
    fn search_row_withholds_text_from_other_notebooks() {
        for kind in ["NodeAttributeView", "NodeBlockQueryEmbed"] {
            let value = json!({ "id": "x", "rootID": "d", "box": "b", "hPath": "/P", "path": "/d.sy", "content": "secret", "type": kind });
            assert_eq!(row(&hit(&value), SHORT)["text"], "secret");
            for whole in [false, true] {
                let item = row(&hit(&value), RowForm { whole, withhold: true });
                assert_eq!(item.get("text"), None, "{kind}");
            }
        }
        for (markdown, is_withheld) in [
            ("> plain", false),
            ("> <div data-type=\"NodeAttributeView\" data-av-id=\"20250101000000-rowsrow\"></div>", true),
            ("> {{SELECT * FROM blocks}}", true),
        ] {
            // A kind that is not known here may hold others, as a quote does.
            for kind in ["NodeBlockquote", "NodeOfTomorrow"] {
                let value = json!({ "id": "x", "rootID": "d", "box": "b", "hPath": "/P", "path": "/d.sy", "content": "secret", "markdown": markdown, "type": kind });
                let item = row(&hit(&value), RowForm { whole: false, withhold: true });
                assert_eq!(item.get("text").is_none(), is_withheld, "{kind}: {markdown}");
            }
        }
    }
}
