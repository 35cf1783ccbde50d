//! Changes of blocks with their way back: the page's protocol, whose transactions SiYuan's undo log records.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::block::Transaction;
use crate::id::{BlockId, DocId};
use crate::kernel::{Route, TypedRequest};

/// Performs operations in order and answers when they are done.
///
/// The answer is code 0 even if an operation failed. The texts are then unchanged, but the kernel's table of blocks,
/// its cached attributes and the databases may already follow the operations before the failed one
/// ([`refresh`] repairs the table).
///
/// The undo log records a transaction that has a way back and changed a document, up to 64 for each document.
pub const TRANSACTIONS: Route = Route::write("/api/transactions");

/// The number of operations from which the kernel takes a list of deletions, or of insertions, for changes of the
/// document of the first one.
const ONE_DOCUMENT: usize = 32;

/// The place of a block: after a block, or at the front of its parent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct BlockPlace {
    /// The parent.
    #[serde(rename = "parentID")]
    pub parent: BlockId,
    /// The block before it in its parent.
    #[serde(rename = "previousID", skip_serializing_if = "Option::is_none")]
    pub previous: Option<BlockId>,
}

/// One operation of the page's protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "camelCase")]
enum PageOperation {
    Update {
        id: BlockId,
        data: String,
    },
    Insert {
        id: BlockId,
        data: String,
        #[serde(flatten)]
        place: BlockPlace,
    },
    Delete {
        id: BlockId,
    },
    Move {
        id: BlockId,
        #[serde(flatten)]
        place: BlockPlace,
    },
    MoveOutlineHeading {
        id: BlockId,
        #[serde(rename = "previousID", skip_serializing_if = "Option::is_none")]
        previous: Option<BlockId>,
        #[serde(rename = "parentID", skip_serializing_if = "Option::is_none")]
        parent: Option<BlockId>,
    },
    /// Sets attributes; an empty value removes one. Open editors do not show it.
    SetAttrs {
        id: BlockId,
        data: String,
    },
    /// Shows attributes in open editors; the kernel passes it on and changes nothing. An editor that did not show them
    /// would remove them with the person's next change of the block.
    UpdateAttrs {
        id: BlockId,
        data: Value,
    },
    /// Nothing: the kernel passes over a name that it does not know.
    Nothing {},
}

/// One operation of a way back.
#[derive(Debug)]
struct BackOperation {
    operation: PageOperation,
    /// The block that it puts into its place.
    places: Option<BlockId>,
    /// The blocks that must be in their places before.
    needs: Vec<BlockId>,
}

/// A block that moves.
#[derive(Debug, Clone)]
pub struct MovedBlock {
    /// Its id.
    pub id: BlockId,
    /// Its place before.
    pub from: BlockPlace,
    /// The container around that place, if it comes back with this change only.
    pub with: Option<BlockId>,
    /// Its place after.
    pub to: BlockPlace,
}

/// A block that disappears.
#[derive(Debug, Clone)]
pub struct RemovedBlock {
    /// Its id.
    pub id: BlockId,
    /// Its editor DOM.
    pub dom: String,
    /// Its place.
    pub place: BlockPlace,
}

/// A change of blocks with its way back. An operation without one cannot be added.
#[derive(Debug, Default)]
pub struct Reversible {
    forward: Vec<PageOperation>,
    forward_end: Vec<PageOperation>,
    back: Vec<BackOperation>,
    back_end: Vec<PageOperation>,
}

impl Reversible {
    /// A change of nothing.
    pub fn new() -> Reversible {
        Reversible::default()
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.forward.is_empty()
    }

    /// Replaces a block. Both texts are editor DOM with all attributes.
    pub fn update(&mut self, id: &BlockId, before: String, after: String) {
        self.forward.push(PageOperation::Update { id: id.clone(), data: after });
        self.go_back(PageOperation::Update { id: id.clone(), data: before });
    }

    /// Sets attributes of a block that has these; the changes are the old and the new value by name, empty where there
    /// is none.
    pub fn set_attrs(
        &mut self,
        id: &BlockId,
        before: &BTreeMap<String, String>,
        changed: &BTreeMap<String, (String, String)>,
    ) {
        let after = changed.iter().map(|(name, (_, new))| (name.clone(), new.clone()));
        let mut after: BTreeMap<String, String> = before.clone().into_iter().chain(after).collect();
        after.retain(|_, value| !value.is_empty());
        let values = |of: fn(&(String, String)) -> &String| {
            let values = changed.iter().map(|(name, both)| (name.clone(), json!(of(both)))).collect();
            Value::Object(values).to_string()
        };
        let set = |data| PageOperation::SetAttrs { id: id.clone(), data };
        let show = |old: &BTreeMap<String, String>, new: &BTreeMap<String, String>| {
            PageOperation::UpdateAttrs { id: id.clone(), data: json!({ "old": old, "new": new }) }
        };
        self.forward.extend([set(values(|(_, new)| new)), show(before, &after)]);
        self.go_back(set(values(|(old, _)| old)));
        self.go_back(show(&after, before));
    }

    /// Deletes a block with everything in it. What databases and flashcards knew of it does not come back.
    pub fn delete(&mut self, block: RemovedBlock) {
        self.forward.push(PageOperation::Delete { id: block.id.clone() });
        self.put_back(block);
    }

    /// Moves a block.
    pub fn move_block(&mut self, block: MovedBlock) {
        let MovedBlock { id, from, with, to } = block;
        self.forward.push(PageOperation::Move { id: id.clone(), place: to });
        self.move_back(id, from, with);
    }

    /// Moves a section of the outline, whose blocks stood at these places, in the document's order. The texts of its
    /// headings, which may change their levels, are editor DOM.
    pub fn move_section(
        &mut self,
        id: &BlockId,
        previous: Option<&BlockId>,
        parent: Option<&BlockId>,
        blocks: Vec<(BlockId, BlockPlace)>,
        headings: Vec<(BlockId, String)>,
    ) {
        let (previous, parent) = (previous.cloned(), parent.cloned());
        self.forward.push(PageOperation::MoveOutlineHeading { id: id.clone(), previous, parent });
        for (id, from) in blocks {
            self.move_back(id, from, None);
        }
        for (id, data) in headings {
            self.go_back(PageOperation::Update { id, data });
        }
    }

    /// Adds a block before anything else happens; the way back removes it in the end.
    pub fn insert_first(&mut self, block: RemovedBlock) {
        let RemovedBlock { id, dom, place } = block;
        self.back_end.push(PageOperation::Delete { id: id.clone() });
        self.forward.insert(0, PageOperation::Insert { id, data: dom, place });
    }

    /// Adds a block after everything else; the way back removes it in the end.
    pub fn insert_last(&mut self, block: RemovedBlock) {
        let RemovedBlock { id, dom, place } = block;
        self.back_end.push(PageOperation::Delete { id: id.clone() });
        self.forward_end.push(PageOperation::Insert { id, data: dom, place });
    }

    /// Deletes a block after everything else.
    pub fn delete_last(&mut self, block: RemovedBlock) {
        self.forward_end.push(PageOperation::Delete { id: block.id.clone() });
        self.put_back(block);
    }

    fn go_back(&mut self, operation: PageOperation) {
        self.back.push(BackOperation { operation, places: None, needs: Vec::new() });
    }

    fn put_back(&mut self, block: RemovedBlock) {
        let RemovedBlock { id, dom, place } = block;
        let (places, needs) = (Some(id.clone()), needs(&place));
        self.back.push(BackOperation {
            operation: PageOperation::Insert { id, data: dom, place },
            places,
            needs,
        });
    }

    fn move_back(&mut self, id: BlockId, place: BlockPlace, with: Option<BlockId>) {
        let (places, mut needs) = (Some(id.clone()), needs(&place));
        needs.extend(with);
        self.back.push(BackOperation { operation: PageOperation::Move { id, place }, places, needs });
    }

    fn forward(&self) -> Vec<&PageOperation> {
        self.forward.iter().chain(&self.forward_end).collect()
    }

    /// The way back: each block is put after its neighbour, once that is in its place.
    fn back(&self) -> Vec<&PageOperation> {
        let mut rest: Vec<&BackOperation> = self.back.iter().collect();
        let mut sorted = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let waits = |it: &&BackOperation| {
                rest.iter().any(|other| other.places.as_ref().is_some_and(|id| it.needs.contains(id)))
            };
            let next = rest.iter().position(|it| !waits(it)).unwrap_or_default();
            sorted.push(&rest.remove(next).operation);
        }
        sorted.extend(&self.back_end);
        sorted
    }
}

fn needs(place: &BlockPlace) -> Vec<BlockId> {
    place.previous.iter().chain([&place.parent]).cloned().collect()
}

/// Makes a change of blocks in this number of documents (`TRANSACTIONS`). It is one entry of the undo log of each.
pub fn change_blocks(change: &Reversible, documents: usize) -> TypedRequest<Vec<Transaction>> {
    let (mut forward, mut back) = (change.forward(), change.back());
    for operations in [&mut forward, &mut back] {
        if documents > 1 && operations.len() >= ONE_DOCUMENT {
            operations.insert(1, &PageOperation::Nothing {});
        }
    }
    transaction(&forward, &back)
}

/// Lets the kernel read documents again after a change that failed, and write its table of their blocks.
pub fn refresh<'a>(documents: impl IntoIterator<Item = &'a DocId>) -> TypedRequest<Vec<Transaction>> {
    let operations: Vec<PageOperation> = documents
        .into_iter()
        .map(|id| PageOperation::SetAttrs { id: id.block(), data: "{}".to_owned() })
        .collect();
    transaction(&operations.iter().collect::<Vec<_>>(), &[])
}

fn transaction(forward: &[&PageOperation], back: &[&PageOperation]) -> TypedRequest<Vec<Transaction>> {
    let body = json!({
        "transactions": [{ "doOperations": forward, "undoOperations": back }],
        // The kernel sorts what waits by this number. A person's typing that waits with our change is thus done last.
        "reqId": 1, "app": "siyuan-mcp-puppy", "session": "siyuan-mcp-puppy",
    });
    TypedRequest::json(TRANSACTIONS, body)
}
