//! A kernel in memory that reveals too much: its lists contain every row, whatever the request.
//!
//! It has four notebooks: Garden `rw`, Reading `r`, Attic not in the table, Private `none`. Core must not rely on the
//! kernel's own filters, because they have holes.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use puppy_core::activity::Transport;
use puppy_core::dispatch::{Approval, Call, Engine};
use puppy_core::kernel::{Ambient, Answer, Body, Boxed, Kernel, KernelError, Nature, Request};
use puppy_core::output::Reply;
use puppy_core::part::Part;
use puppy_core::spec::Tool;
use serde_json::{Value, json};

pub(crate) use crate::slow::{ready, turns};
pub(crate) use crate::world::Nobody;
use crate::world::{form_taken_by_3_8, taken_by_3_8};

pub(crate) const GARDEN: &str = "20250101000000-garden0";
pub(crate) const READING: &str = "20250101000000-reading";
pub(crate) const ATTIC: &str = "20250101000000-attic00";
pub(crate) const PRIVATE: &str = "20250101000000-private";
/// A word that occurs in every title and text of Private and nowhere else.
pub(crate) const SECRET: &str = "quicksilver";
/// A block of Private that no caller can know of.
pub(crate) const UNSEEN: &str = "20250104000002-unseen0";

const STORAGE: &str = "/data/storage/petal/siyuan-mcp-puppy/";

/// A block with its document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub(crate) id: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) notebook: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
}

impl Block {
    fn is_doc(&self) -> bool {
        self.id == self.doc
    }
}

const fn block(
    id: &'static str,
    doc: &'static str,
    notebook: &'static str,
    title: &'static str,
    text: &'static str,
) -> Block {
    Block { id, doc, notebook, title, text }
}

pub(crate) const PLANTS: &str = "20250102000000-plants0";
pub(crate) const LEAF: &str = "20250102000001-leaf000";
pub(crate) const BOOKS: &str = "20250103000000-books00";
pub(crate) const PAGE: &str = "20250103000001-page000";
pub(crate) const PLAN: &str = "20250104000000-secret0";
pub(crate) const MERCURY: &str = "20250104000001-mercur0";

const BLOCKS: [Block; 8] = [
    block(PLANTS, PLANTS, GARDEN, "Plants", "Plants"),
    block(LEAF, PLANTS, GARDEN, "Plants", "green leaf"),
    block(BOOKS, BOOKS, READING, "Books", "Books"),
    block(PAGE, BOOKS, READING, "Books", "first page"),
    block("20250105000000-chest00", "20250105000000-chest00", ATTIC, "Chest", "Chest"),
    block(PLAN, PLAN, PRIVATE, "quicksilver plan", "quicksilver plan"),
    block(MERCURY, PLAN, PRIVATE, "quicksilver plan", "quicksilver is a metal"),
    block(UNSEEN, PLAN, PRIVATE, "quicksilver plan", "quicksilver again"),
];

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SentRequest {
    pub(crate) path: &'static str,
    pub(crate) nature: Nature,
    pub(crate) body: Value,
}

/// The kernel.
pub(crate) struct Workspace {
    /// Whether Private has content.
    full: bool,
    /// Whether requests for places are answered only after all others.
    slow_check: bool,
    /// The version of SiYuan that it tells.
    version: &'static str,
    /// Whether reads of Private's content never end.
    endless: bool,
    notebooks: Mutex<Vec<Value>>,
    /// The answer of `getBlockAttrs` in place of the stored attributes.
    attributes: Option<Value>,
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    sent: Mutex<Vec<SentRequest>>,
}

impl Workspace {
    pub(crate) fn new(full: bool) -> Workspace {
        let table = json!({ GARDEN: "rw", READING: "r", PRIVATE: "none" });
        let notebooks = Mutex::new(notebooks());
        let (files, sent) = (Mutex::default(), Mutex::default());
        let version = "3.7.3";
        Workspace {
            full,
            slow_check: false,
            version,
            endless: false,
            notebooks,
            attributes: None,
            files,
            sent,
        }
        .file("notebookPermissions", &table)
    }

    /// Lets reads be answered before their check.
    pub(crate) fn slow_check(self, slow_check: bool) -> Workspace {
        Workspace { slow_check, ..self }
    }

    /// Tells another version of SiYuan.
    pub(crate) fn version(self, version: &'static str) -> Workspace {
        Workspace { version, ..self }
    }

    /// Lets no read of Private's content end.
    pub(crate) fn endless(self) -> Workspace {
        Workspace { endless: true, ..self }
    }

    /// Gives every block these attributes.
    pub(crate) fn attributes(self, attributes: Value) -> Workspace {
        Workspace { attributes: Some(attributes), ..self }
    }

    /// Adds a notebook with a name as a person might choose it.
    pub(crate) fn notebook(self, id: &str, name: &str) -> Workspace {
        self.notebooks.lock().unwrap().push(notebook(id, name));
        self
    }

    /// Puts a file into the plugin's storage.
    pub(crate) fn file(self, name: &str, content: &Value) -> Workspace {
        self.files.lock().unwrap().insert(format!("{STORAGE}{name}"), content.to_string().into_bytes());
        self
    }

    /// The requests, without reads of switches, table and notebooks.
    pub(crate) fn sent(&self) -> Vec<SentRequest> {
        let policy = |it: &&SentRequest| {
            let path = it.body["path"].as_str().unwrap_or_default();
            let storage = path.starts_with(STORAGE.trim_end_matches('/'));
            let is_read = matches!(it.path, "/api/file/getFile" | "/api/file/readDir");
            it.path != "/api/notebook/lsNotebooks" && !(is_read && storage)
        };
        self.sent.lock().unwrap().iter().filter(policy).cloned().collect()
    }

    fn blocks(&self) -> impl Iterator<Item = &'static Block> {
        let full = self.full;
        BLOCKS.iter().filter(move |it| full || it.notebook != PRIVATE)
    }

    fn block(&self, id: &Value) -> Option<&'static Block> {
        self.blocks().find(|it| Some(it.id) == id.as_str())
    }

    fn inside(&self, id: &Value) -> Vec<&'static Block> {
        self.blocks().filter(|it| Some(it.doc) == id.as_str() && !it.is_doc()).collect()
    }

    fn answer(&self, path: &str, body: &Value) -> Value {
        let missing = json!({ "code": -1, "msg": "tree not found", "data": null });
        let ok = |data: Value| json!({ "code": 0, "msg": "", "data": data });
        match path {
            "/api/notebook/lsNotebooks" => ok(json!({ "notebooks": *self.notebooks.lock().unwrap() })),
            "/api/notebook/createNotebook" => {
                let made = self.sent.lock().unwrap().iter().filter(|it| it.path == path).count();
                // The kernel stores the name without invisible characters.
                let name = body["name"].as_str().unwrap_or_default().replace('\u{200b}', "");
                let made = notebook(&format!("20250106000000-fresh{made:02}"), name.trim());
                self.notebooks.lock().unwrap().push(made.clone());
                ok(json!({ "notebook": made }))
            }
            "/api/filetree/getPathByID" => self.block(&body["id"]).map_or(missing, |it| {
                ok(json!({ "notebook": it.notebook, "path": format!("/{}.sy", it.doc) }))
            }),
            "/api/filetree/getHPathByID" => {
                self.block(&body["id"]).map_or(missing, |it| ok(json!(format!("/{}", it.title))))
            }
            "/api/filetree/getIDsByHPath" => ok(json!(
                self.blocks()
                    .filter(|it| it.is_doc()
                        && body["notebook"] == it.notebook
                        && body["path"] == format!("/{}", it.title))
                    .map(|it| it.id)
                    .collect::<Vec<_>>()
            )),
            "/api/filetree/listDocsByPath" => {
                let files = self
                    .blocks()
                    .filter(|it| it.is_doc() && body["notebook"] == it.notebook && body["path"] == "/");
                let files: Vec<Value> = files.map(|it| json!({ "id": it.id, "name": it.title, "path": format!("/{}.sy", it.id), "subFileCount": 0 })).collect();
                ok(json!({ "box": body["notebook"], "files": files }))
            }
            "/api/filetree/createDocWithMd" => {
                ok(body.get("id").cloned().unwrap_or(json!("20250106000001-fresh00")))
            }
            "/api/block/getChildBlocks" | "/api/block/getTailChildBlocks" => {
                let blocks: Vec<Value> = self
                    .inside(&body["id"])
                    .into_iter()
                    .map(|it| json!({ "id": it.id, "type": "p", "markdown": it.text }))
                    .collect();
                ok(Value::Array(blocks))
            }
            "/api/block/getBlockKramdown" => {
                ok(json!({ "id": body["id"], "kramdown": self.kramdown(&body["id"]) }))
            }
            "/api/block/getBlockKramdowns" => {
                let ids = body["ids"].as_array().cloned().unwrap_or_default();
                let found = ids.iter().filter(|id| self.block(id).is_some());
                ok(Value::Object(
                    found
                        .map(|id| (id.as_str().unwrap_or_default().to_owned(), json!(self.kramdown(id))))
                        .collect(),
                ))
            }
            "/api/block/getBlockDOMs" => {
                let ids = body["ids"].as_array().cloned().unwrap_or_default();
                let dom = |it: &Block| {
                    json!(format!("<div data-node-id=\"{}\" data-type=\"NodeParagraph\"></div>", it.id))
                };
                ok(Value::Object(
                    ids.iter()
                        .filter_map(|id| self.block(id))
                        .map(|it| (it.id.to_owned(), dom(it)))
                        .collect(),
                ))
            }
            "/api/block/getBlockTreeInfos" => {
                let ids = body["ids"].as_array().cloned().unwrap_or_default();
                let info = |it: &Block| json!({ "id": it.id, "type": if it.is_doc() { "NodeDocument" } else { "NodeParagraph" }, "parentID": if it.is_doc() { "" } else { it.doc }, "parentType": "NodeDocument", "previousID": "", "nextID": "" });
                ok(Value::Object(
                    ids.iter()
                        .filter_map(|id| self.block(id))
                        .map(|it| (it.id.to_owned(), info(it)))
                        .collect(),
                ))
            }
            "/api/block/getTreeStat" => ok(
                json!({ "stat": { "wordCount": 2, "blockCount": 1, "runeCount": 9, "linkCount": 0, "imageCount": 0, "refCount": 0 } }),
            ),
            "/api/block/checkBlocksExist" => {
                let ids = body["ids"].as_array().cloned().unwrap_or_default();
                ok(Value::Object(
                    ids.iter()
                        .map(|id| {
                            (id.as_str().unwrap_or_default().to_owned(), json!(self.block(id).is_some()))
                        })
                        .collect(),
                ))
            }
            "/api/attr/getBlockAttrs" if self.attributes.is_some() => ok(json!(self.attributes)),
            "/api/attr/getBlockAttrs" => ok(self.block(&body["id"]).map_or(json!({}), attrs)),
            "/api/attr/batchGetBlockAttrs" => {
                let ids = body["ids"].as_array().cloned().unwrap_or_default();
                ok(Value::Object(
                    ids.iter()
                        .filter_map(|id| self.block(id))
                        .map(|it| (it.id.to_owned(), attrs(it)))
                        .collect(),
                ))
            }
            "/api/query/sql" => ok(json!(self.blocks().map(row).collect::<Vec<_>>())),
            "/api/search/fullTextSearchBlock" => {
                let hits: Vec<Value> = self.blocks().map(hit).collect();
                // The kernel's counts follow its filter; with `paths` that is right, and so it is here.
                ok(json!({ "blocks": hits, "matchedBlockCount": 5, "matchedRootCount": 3, "pageCount": 1 }))
            }
            "/api/system/version" => ok(json!(self.version)),
            "/api/system/currentTime" => ok(json!(1_700_000_000_000_u64)),
            "/api/system/getConf" => ok(
                json!({ "conf": { "lang": "en", "api": { "token": SECRET }, "system": { "os": "linux", "workspaceDir": SECRET } } }),
            ),
            "/api/block/appendBlock"
            | "/api/block/prependBlock"
            | "/api/block/insertBlock"
            | "/api/block/updateBlock"
            | "/api/block/batchUpdateBlock"
            | "/api/transactions" => {
                let data = r#"<div data-node-index="1" data-node-id="20250106000002-fresh00" data-type="NodeParagraph"></div>"#;
                ok(
                    json!([{ "timestamp": 1, "doOperations": [{ "action": "insert", "id": "20250106000002-fresh00", "data": data }], "undoOperations": null }]),
                )
            }
            _ => ok(Value::Null),
        }
    }

    fn kramdown(&self, id: &Value) -> String {
        let Some(block) = self.block(id) else { return String::new() };
        if !block.is_doc() {
            return format!("{}\n{{: id=\"{}\" updated=\"20250101000000\"}}", block.text, block.id);
        }
        let inside = self
            .inside(id)
            .into_iter()
            .map(|it| format!("{}\n{{: id=\"{}\" updated=\"20250101000000\"}}\n\n", it.text, it.id));
        format!(
            "{}\n{{: id=\"{}\" title=\"{}\" type=\"doc\"}}",
            inside.collect::<String>(),
            block.id,
            block.title
        )
    }
}

fn notebooks() -> Vec<Value> {
    let all = [(GARDEN, "Garden"), (READING, "Reading"), (PRIVATE, "Private"), (ATTIC, "Attic")];
    all.into_iter().map(|(id, name)| notebook(id, name)).collect()
}

fn notebook(id: &str, name: &str) -> Value {
    json!({ "id": id, "name": name, "icon": "", "closed": false, "subFileCount": 1, "encrypted": false })
}

fn attrs(it: &Block) -> Value {
    json!({ "id": it.id, "title": it.title, "updated": "20250101000000", "custom-status": it.text })
}

/// A row with every column that a built-in statement names.
fn row(it: &'static Block) -> Value {
    json!({
        "id": it.id, "box": it.notebook, "root_id": it.doc, "parent_id": if it.is_doc() { "" } else { it.doc },
        "path": format!("/{}.sy", it.doc), "hpath": format!("/{}", it.title), "content": it.text, "markdown": it.text,
        "fcontent": it.text, "type": if it.is_doc() { "d" } else { "p" }, "subtype": "", "name": "", "alias": "", "memo": "",
        "tag": "", "bookmark": "", "ial": "", "sort": 1, "length": 10, "created": "20250101000000", "updated": "20250101000000",
        "hash": "abc1234", "title": it.title, "label": it.text, "value": it.text, "block_id": it.id,
        "n": 1, "total": 1, "count": 1, "n_blocks": 1, "n_docs": 1, "n_all": 3
    })
}

fn hit(it: &'static Block) -> Value {
    json!({
        "id": it.id, "box": it.notebook, "rootID": it.doc, "path": format!("/{}.sy", it.doc), "hPath": format!("/{}", it.title),
        "content": it.text, "markdown": it.text, "type": if it.is_doc() { "NodeDocument" } else { "NodeParagraph" }, "children": null
    })
}

impl Ambient for Workspace {
    fn now_ms(&self) -> u64 {
        1_700_000_000_000
    }

    fn local_digits(&self) -> String {
        "20231114221320".to_owned()
    }

    fn random(&self) -> u64 {
        7
    }
}

impl Kernel for Workspace {
    fn send(&self, request: Request) -> Boxed<'_, Result<Answer, KernelError>> {
        Box::pin(async move {
            let route = request.route;
            let (body, bytes) = match request.body {
                Body::Json(body) => {
                    taken_by_3_8(route.path, &body);
                    (body, None)
                }
                Body::File { path, bytes } => {
                    form_taken_by_3_8(route.path, &path);
                    (json!({ "path": path }), Some(bytes))
                }
            };
            if self.slow_check && CHECKS.contains(&route.path) {
                turns(8).await;
            }
            self.sent.lock().unwrap().push(SentRequest {
                path: route.path,
                nature: route.nature,
                body: body.clone(),
            });
            let hidden = BLOCKS.iter().any(|it| it.notebook == PRIVATE && body["id"] == it.id);
            if self.endless && hidden && !CHECKS.contains(&route.path) {
                std::future::pending::<()>().await;
            }
            let answer = |status: u16, body: Vec<u8>| Ok(Answer { status, retry_after: None, body });
            let path = body["path"].as_str().unwrap_or_default();
            if let Some(bytes) = bytes {
                self.files.lock().unwrap().insert(path.to_owned(), bytes);
                return answer(200, br#"{"code":0,"msg":"","data":null}"#.to_vec());
            }
            if route.path == "/api/file/getFile" {
                return match self.files.lock().unwrap().get(path) {
                    Some(bytes) => answer(200, bytes.clone()),
                    None => answer(202, br#"{"code":404,"msg":"file does not exist","data":null}"#.to_vec()),
                };
            }
            answer(200, self.answer(route.path, &body).to_string().into_bytes())
        })
    }

    fn pause(&self, _time: Duration) -> Boxed<'_, ()> {
        Box::pin(async {})
    }
}

/// The requests that find places.
const CHECKS: [&str; 3] =
    ["/api/filetree/getPathByID", "/api/filetree/getIDsByHPath", "/api/filetree/getHPathByID"];

/// An engine over a workspace.
pub(crate) fn engine(workspace: Workspace) -> Engine<Workspace, Nobody> {
    Engine::new(workspace, Nobody)
}

/// Makes one call, with or without a person's approval.
pub(crate) fn call(
    engine: &Engine<Workspace, Nobody>,
    tool: Tool,
    arguments: &Value,
    approval: Approval,
) -> Reply {
    let arguments = arguments.as_object().cloned().unwrap();
    let call =
        Call { tool, arguments, part: Part::Whole, transport: Transport::Stdio, client: String::new() };
    ready(engine.dispatch(call, &approval))
}
