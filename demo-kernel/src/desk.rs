//! A desk: one of each thing that examples of calls are about, laid out in a notebook.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::answer::FormPart;
use crate::{Result, StartError};

const TEXT: &str = "Mint grows in spring.\n\n## Summer\n\nMint flowers.\n\n## Autumn\n\nMint rests.";

/// The things of a database.
const OF_DATABASE: [&str; 7] = ["av", "carrier", "row", "column", "relation", "view", "second_view"];

/// The things by their names.
#[derive(Debug)]
pub struct Desk {
    things: BTreeMap<&'static str, String>,
}

/// A request that lays something out.
#[derive(Debug, Clone, Copy)]
pub enum RequestBody<'a> {
    /// A JSON body.
    Json(&'a Value),
    /// The form of `/api/file/putFile`.
    File {
        /// The path below the workspace.
        path: &'a str,
        /// The content.
        bytes: &'a [u8],
    },
}

impl RequestBody<'_> {
    /// The body and the form, as endpoints take them.
    pub(crate) fn parts(self) -> (Vec<u8>, Option<Vec<FormPart>>) {
        match self {
            RequestBody::Json(body) => (body.to_string().into_bytes(), None),
            RequestBody::File { path, bytes } => (Vec::new(), Some(FormPart::file(path, bytes))),
        }
    }
}

impl Desk {
    /// Lays out a desk in a notebook of any kernel. The titles of its documents begin with `title`, which no document
    /// there may have. `ask` sends a request to a path like `/api/block/appendBlock` and gives the body of the answer.
    /// `wants` is asked for the things that take long or lie outside of the notebook: a version, a run, a spare notebook, and
    /// what belongs to a database.
    ///
    /// # Errors
    /// When the kernel refuses it.
    pub fn lay_out(
        ask: impl Fn(&str, RequestBody<'_>) -> std::result::Result<Vec<u8>, String>,
        notebook: &str,
        title: &str,
        wants: impl Fn(&str) -> bool,
    ) -> Result<Desk> {
        let to = Client { ask };
        let list = to.ask("notebook/lsNotebooks", &json!({}))?;
        let found = list
            .get("notebooks")
            .and_then(Value::as_array)
            .and_then(|all| all.iter().find(|it| it.get("id").is_some_and(|id| id == notebook)));
        let name = found.map_or(Ok(String::new()), |it| text(it, "/name"))?;
        let (doc, blocks) = to.document(notebook, title, TEXT)?;
        let (other_doc, other_blocks) = to.document(notebook, &format!("{title} other"), TEXT)?;
        let (data, lists) = to.document(notebook, &format!("{title} data"), "* [ ] Water the mint")?;
        let (below, _) = to.document(notebook, &format!("{title} data/{title} below"), TEXT)?;
        let [block, heading, _, other_heading, ..] = blocks.as_slice() else {
            return Err(unlike("a document"));
        };
        let (Some(other_block), Some(tasks)) = (other_blocks.first(), lists.first()) else {
            return Err(unlike("a document"));
        };
        let task = to.children(tasks)?.into_iter().next().ok_or_else(|| unlike("a task list"))?;
        // A tag and an asset of its own for each desk, so that no call changes the things of another.
        let tag = format!("desk {data}");
        to.ask("attr/setBlockAttrs", &json!({ "id": data, "attrs": { "tags": tag } }))?;
        let asset = format!("assets/{data}.png");
        to.put(&format!("/data/{asset}"), b"A picture.")?;
        to.append(&data, &format!("![x]({asset})"))?;
        // Words of its own, so that a search finds them on this desk only.
        let reference = to.append(&data, &format!("See (({block} 'the mint')) of {title} new."))?;
        // Not the whole id, which stands in the document too.
        let unused = format!("assets/unused-{}.png", data.rsplit('-').next().unwrap_or_default());
        to.put(&format!("/data/{unused}"), b"A picture.")?;
        let template = format!("{data}.md");
        let source = b"# .action{.title}\n\nToday.";
        to.put(&format!("/data/templates/{template}"), source)?;
        let card = to.append(&data, "Mint ==grows== anywhere.")?;
        to.ask("riff/addRiffCards", &json!({ "deckID": crate::riff::BUILT_IN, "blockIDs": [card] }))?;
        let deck = format!("deck {data}");
        to.ask("riff/createRiffDeck", &json!({ "name": deck }))?;
        let mut things = BTreeMap::from([
            ("card", card),
            ("deck", deck),
            ("block", block.clone()),
            ("heading", heading.clone()),
            ("other_heading", other_heading.clone()),
            ("reference", reference),
            ("other_block", other_block.clone()),
            ("task", task),
            ("notebook", notebook.to_owned()),
            ("path", format!("/{name}/{title}")),
            ("new_path", format!("/{name}/{title} new")),
            ("hpath", format!("/{title}")),
            ("new", format!("{title} new")),
            ("asset", asset),
            ("tag", tag),
            ("unused", unused),
            ("template", template),
        ]);
        if wants("version") {
            things.insert("version", to.version(&doc)?);
        }
        if wants("run") {
            things.insert("run", to.run(notebook, &doc)?);
        }
        if wants("spare") || wants("spare_name") {
            let spare = format!("{title} spare");
            let made = to.ask("notebook/createNotebook", &json!({ "name": spare }))?;
            things.extend([("spare", text(&made, "/notebook/id")?), ("spare_name", spare)]);
        }
        if OF_DATABASE.into_iter().any(wants) {
            let made = to.database(&data)?;
            things.extend(OF_DATABASE.into_iter().zip(made));
        }
        things.extend([("doc", doc), ("other_doc", other_doc), ("folder", data), ("below", below)]);
        Ok(Desk { things })
    }

    /// The thing of that name: an id, a path or a name.
    #[must_use]
    pub fn thing(&self, name: &str) -> Option<&str> {
        self.things.get(name).map(String::as_str)
    }

    /// All of the things.
    pub fn things(&self) -> impl Iterator<Item = &str> {
        self.things.values().map(String::as_str)
    }
}

/// The kernel that is asked.
struct Client<F> {
    ask: F,
}

impl<F: Fn(&str, RequestBody<'_>) -> std::result::Result<Vec<u8>, String>> Client<F> {
    fn ask(&self, path: &str, body: &Value) -> Result<Value> {
        self.send(path, RequestBody::Json(body))
    }

    fn put(&self, path: &str, bytes: &[u8]) -> Result<Value> {
        self.send("file/putFile", RequestBody::File { path, bytes })
    }

    fn send(&self, path: &str, sent: RequestBody<'_>) -> Result<Value> {
        let answer = (self.ask)(&format!("/api/{path}"), sent).map_err(StartError)?;
        let mut envelope: Value = serde_json::from_slice(&answer).unwrap_or_default();
        let answered = envelope.get("code").and_then(Value::as_i64) == Some(0);
        let data = envelope.get_mut("data").filter(|_| answered).map(Value::take);
        data.ok_or_else(|| StartError(format!("{path}: {}", String::from_utf8_lossy(&answer))))
    }

    /// Creates a document and gives its id and those of its blocks.
    fn document(&self, notebook: &str, title: &str, markdown: &str) -> Result<(String, Vec<String>)> {
        let body = json!({ "notebook": notebook, "path": format!("/{title}"), "markdown": markdown });
        let id = text(&self.ask("filetree/createDocWithMd", &body)?, "")?;
        // Without it the index of 3.7.3 now and then has the blocks of a new document twice, which costs it its life
        // when the notebook is removed.
        self.ask("sqlite/flushTransaction", &json!({}))?;
        let blocks = self.children(&id)?;
        Ok((id, blocks))
    }

    fn children(&self, id: &str) -> Result<Vec<String>> {
        let blocks = self.ask("block/getChildBlocks", &json!({ "id": id }))?;
        blocks.as_array().into_iter().flatten().map(|it| text(it, "/id")).collect()
    }

    /// Saves a version of a document and gives its path below the folder of versions, without the ending.
    fn version(&self, doc: &str) -> Result<String> {
        self.ask("history/createDocHistory", &json!({ "id": doc }))?;
        let search = json!({ "query": doc, "type": 3, "page": 1 });
        // The real kernel adds a version to its index a little later.
        let mut created = self.ask("history/searchHistory", &search)?;
        for _ in 0..100 {
            if created.pointer("/histories/0").is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
            created = self.ask("history/searchHistory", &search)?;
        }
        let created = text(&created, "/histories/0")?;
        let asked = json!({ "query": doc, "type": 3, "created": created });
        let path = text(&self.ask("history/getHistoryItems", &asked)?, "/items/0/path")?;
        Ok(path.trim_start_matches("/history/").trim_end_matches(".sy").to_owned())
    }

    /// Records a run after which somebody changed a document, and gives its id.
    fn run(&self, notebook: &str, doc: &str) -> Result<String> {
        let time = doc.split('-').next().unwrap_or_default();
        let run = format!("{time}-1");
        let document = json!({
            "id": doc, "notebook": notebook, "path": format!("/{doc}.sy"), "before": "0", "after": "1",
        });
        let change = json!({ "kind": "changed", "what": "document", "id": doc });
        let call = json!({ "at": 1, "action": "fs.write", "finished": true });
        let record = json!({
            "id": run, "client": "Mint", "transport": "stdio", "started": 1, "latest": 1,
            "calls": [call], "documents": [document], "changes": [change],
        });
        self.put(&format!("/temp/siyuan-mcp-puppy/runs/{run}.json"), record.to_string().as_bytes())?;
        Ok(run)
    }

    fn append(&self, doc: &str, markdown: &str) -> Result<String> {
        let body = json!({ "parentID": doc, "dataType": "markdown", "data": markdown });
        text(&self.ask("block/appendBlock", &body)?, "/0/doOperations/0/id")
    }

    /// Makes a database in a document, with a row and a column of text; gives the things of [`OF_DATABASE`].
    fn database(&self, doc: &str) -> Result<[String; OF_DATABASE.len()]> {
        let tail = doc.rsplit('-').next().unwrap_or_default();
        let [av, row, column, link, board] =
            ["20250601000000", "20250601000001", "20250601000002", "20250601000003", "20250601000004"]
                .map(|it| format!("{it}-{tail}"));
        let element =
            format!(r#"<div data-type="NodeAttributeView" data-av-id="{av}" data-av-type="table"></div>"#);
        let carrier = self.append(doc, &element)?;
        let made = self.ask("av/renderAttributeView", &json!({ "id": av, "blockID": carrier }))?;
        let view = text(&made, "/viewID")?;
        let columns = made.pointer("/view/columns").and_then(Value::as_array);
        let columns = columns.ok_or_else(|| unlike("a table"))?;
        let select = columns.iter().find(|it| it["type"] == "select").ok_or_else(|| unlike("a table"))?;
        let status = json!({
            "avID": av, "keyID": column, "keyName": "Status", "keyType": "text", "keyIcon": "", "previousKeyID": "",
        });
        self.ask("av/addAttributeViewKey", &status)?;
        let own = json!([{ "itemID": row, "isDetached": true, "content": "Mint" }]);
        self.ask("av/addAttributeViewBlocks", &json!({ "avID": av, "blockID": carrier, "srcs": own }))?;
        // A board stands beside the table; the block shows the table again.
        let todo = json!([{ "name": "Todo", "color": "1", "desc": "" }]);
        let operations = json!([
            { "action": "updateAttrViewColOptions", "avID": av, "id": select["id"], "data": todo },
            { "action": "addAttrViewCol", "avID": av, "id": link, "name": "Link", "type": "relation", "data": "", "previousID": column },
            { "action": "updateAttrViewColRelation", "avID": av, "keyID": link, "id": av, "isTwoWay": false, "backRelationKeyID": "", "name": "", "format": "Link" },
            { "action": "addAttrViewView", "avID": av, "blockID": carrier, "id": board, "layout": "kanban" },
            { "action": "setAttrViewBlockView", "avID": av, "blockID": carrier, "id": view },
        ]);
        let body = json!({
            "transactions": [{ "doOperations": operations, "undoOperations": [] }], "reqId": 1, "app": "", "session": "",
        });
        self.ask("transactions", &body)?;
        Ok([av, carrier, row, "Status".to_owned(), "Link".to_owned(), view, board])
    }
}

/// The text at a JSON pointer.
fn text(value: &Value, at: &str) -> Result<String> {
    value
        .pointer(at)
        .and_then(Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| unlike(&format!("text at {at}")))
}

fn unlike(what: &str) -> StartError {
    StartError(format!("the desk: the kernel made something other than {what}"))
}
