//! Arguments for any action, derived from its declaration and from a notebook to work in.

use puppy_core::kernel::api::{block, filetree};
use puppy_core::render::example;
use puppy_core::spec::{ActionSpec, Kind, Param, Presence, Slot, Tool};
use serde_json::{Map, Value, json};

use crate::world::World;

/// A notebook with two new documents for one call, and coins for a purchase.
pub(crate) struct Desk {
    pub(crate) notebook: String,
    /// The document that the call works on, with one block of text.
    doc: String,
    block: String,
    /// Another document, as a destination or neighbour.
    other_doc: String,
    other_block: String,
    title: String,
    /// A document of its own holds a database with a row, an asset in use and a label.
    database: String,
    row: String,
    asset: String,
    label: String,
}

impl Desk {
    pub(crate) async fn new(world: &World, notebook: &str, title: &str) -> Desk {
        world.earn(1_000).await;
        let (doc, block) = document(world, notebook, title).await;
        let (other_doc, other_block) = document(world, notebook, &format!("{title} other")).await;
        let (data, _) = document(world, notebook, &format!("{title} data")).await;
        // A different label for each desk, so that no call changes the things of another.
        let label = format!("desk {data}");
        let attrs = json!({ "id": data, "attrs": { "tags": label } });
        world.raw("/api/attr/setBlockAttrs", attrs).await;
        let asset = format!("assets/{data}.png");
        let picture = json!({ "parentID": data, "dataType": "markdown", "data": format!("![x]({asset})") });
        world.raw("/api/block/appendBlock", picture).await;
        let (database, row) = database(world, &data).await;
        let (notebook, title) = (notebook.to_owned(), title.to_owned());
        Desk { notebook, doc, block, other_doc, other_block, title, database, row, asset, label }
    }

    /// Every word that would reveal the desk.
    pub(crate) fn marks(&self) -> [&str; 5] {
        [&self.notebook, &self.doc, &self.block, &self.other_doc, &self.title]
    }

    /// The minimal arguments with which the action can succeed here.
    pub(crate) fn arguments(&self, spec: &ActionSpec) -> Map<String, Value> {
        let mut arguments = example::arguments(spec);
        for slot in spec.slots {
            let (params, chosen): (Vec<&Param>, bool) = match slot {
                Slot::One(param) => (vec![param], false),
                Slot::OneOf(groups, _) => (groups.iter().copied().flatten().collect(), true),
            };
            for param in params {
                let label = match param.name {
                    "label" => Some(self.label.as_str()),
                    "new_label" => Some(self.title.as_str()),
                    _ => None,
                };
                if let Some(label) = label.filter(|_| param.presence == Presence::Required) {
                    arguments.insert(param.name.to_owned(), json!(label));
                } else if let Some(value) = arguments.get_mut(param.name) {
                    *value = self.value(spec, param.kind, chosen).unwrap_or_else(|| value.take());
                }
            }
        }
        arguments.insert("action".to_owned(), json!(spec.name));
        arguments
    }

    /// The value for a kind. `chosen` marks one of several ways to name a destination, which is never the item itself.
    fn value(&self, spec: &ActionSpec, kind: Kind, chosen: bool) -> Option<Value> {
        // Actions that add to a container get the document; other block actions get its block.
        let adds = [block::APPEND_BLOCK, block::PREPEND_BLOCK];
        let in_blocks = spec.tool == Tool::Block && !adds.iter().any(|route| spec.calls.contains(route));
        Some(match kind {
            Kind::Id if spec.tool == Tool::Av => json!(self.database),
            Kind::Asset => json!(self.asset),
            Kind::Id => json!(match (in_blocks, chosen) {
                (true, false) => &self.block,
                (true, true) => &self.other_block,
                (false, false) => &self.doc,
                (false, true) => &self.other_doc,
            }),
            Kind::NotebookRef => json!(self.notebook),
            // Actions that create documents get a path that is not in use.
            Kind::Path if spec.calls.contains(&filetree::CREATE_DOC_WITH_MD) => {
                json!(format!("/Desk/{} new", self.title))
            }
            Kind::Path => json!(format!("/Desk/{}", self.title)),
            Kind::List { item, .. } => json!([self.value(spec, *item, chosen)?]),
            Kind::Record(params) => {
                let required = params.iter().filter(|param| param.presence == Presence::Required);
                // `text` occurs in every document of the desk, `words` in none.
                let words = ["text", "words"];
                let fields = required.enumerate().map(|(at, param)| {
                    let value = match (spec.tool, param.name) {
                        (Tool::Av, "row") => Some(json!(self.row)),
                        (Tool::Av, "column") => Some(json!("Primary Key")),
                        _ => self.value(spec, param.kind, chosen),
                    };
                    (param.name.to_owned(), value.unwrap_or_else(|| json!(words[at.min(1)])))
                });
                Value::Object(fields.collect())
            }
            _ => return None,
        })
    }
}

async fn document(world: &World, notebook: &str, title: &str) -> (String, String) {
    let body = json!({ "notebook": notebook, "path": format!("/{title}"), "markdown": "A line of text." });
    let doc = world.raw("/api/filetree/createDocWithMd", body).await;
    let children = world.raw("/api/block/getChildBlocks", json!({ "id": doc })).await;
    let id = |value: &Value| value.as_str().unwrap().to_owned();
    (id(&doc), id(&children[0]["id"]))
}

/// Makes a database with one row in a document, and returns the ids of both.
async fn database(world: &World, doc: &str) -> (String, String) {
    let tail = doc.rsplit('-').next().unwrap();
    let (database, row) = (format!("20250601000000-{tail}"), format!("20250601000001-{tail}"));
    let element =
        format!(r#"<div data-type="NodeAttributeView" data-av-id="{database}" data-av-type="table"></div>"#);
    let body = json!({ "parentID": doc, "dataType": "markdown", "data": element });
    let made = world.raw("/api/block/appendBlock", body).await;
    let carrier = made[0]["doOperations"][0]["id"].as_str().unwrap();
    world.raw("/api/av/renderAttributeView", json!({ "id": database, "blockID": carrier })).await;
    let own = json!([{ "itemID": row, "isDetached": true, "content": "text" }]);
    world
        .raw("/api/av/addAttributeViewBlocks", json!({ "avID": database, "blockID": carrier, "srcs": own }))
        .await;
    (database, row)
}
