//! Changes of blocks with their way back: the page's protocol, whose transactions SiYuan's undo log records.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Value, json};

use super::block::Transaction;
use crate::id::BlockId;
use crate::kernel::{NonEmpty, Route, TypedRequest};
use crate::sorted::IntoSorted as _;

/// Performs operations in order and answers when they are done.
///
/// The answer is code 0 even if an operation failed; the page then shows the person a dialog. The texts are unchanged,
/// but the kernel's table of blocks, its cached attributes and the databases may already follow the operations before
/// the failed one ([`refresh`] repairs the first two).
///
/// The undo log records a transaction that has a way back and changed a document, up to 64 for each document. The page
/// shows the first transaction of a request only, so a request has one.
pub const TRANSACTIONS: Route = Route::write("/api/transactions");

/// The place of a block in its document. It has one anchor: with a second one, the kernel would fail where it finds
/// the first only.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub enum BlockPlace {
    /// After this block.
    #[serde(rename = "previousID")]
    After(BlockId),
    /// At the front of this parent.
    #[serde(rename = "parentID")]
    FirstIn(BlockId),
}

/// One operation of the page's protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "camelCase")]
enum PageOperation {
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
    Update {
        id: BlockId,
        data: String,
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
}

/// A block that moves.
#[derive(Debug, Clone)]
pub struct MovedBlock {
    /// Its id.
    pub id: BlockId,
    /// Its place before.
    pub from: BlockPlace,
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

/// A block whose attributes change.
#[derive(Debug, Clone)]
pub struct ChangedAttrs {
    /// Its id.
    pub id: BlockId,
    /// The old and the new value of each attribute that changes; empty where there is none.
    pub changed: BTreeMap<String, (String, String)>,
}

/// A change of blocks of one document with its way back.
///
/// A person may take it back long after, when texts have changed by ways that the undo log does not know. So no way
/// back contains the text of a block that stays: it would overwrite what was written meanwhile.
#[derive(Debug)]
pub struct Reversible {
    forward: Vec<PageOperation>,
    back: Vec<PageOperation>,
}

impl Reversible {
    /// Deletes blocks, none inside another, with everything in them; what databases and flashcards knew of them does
    /// not come back. `None` if the places contradict each other.
    pub fn deletion(blocks: Vec<RemovedBlock>) -> Option<Reversible> {
        let forward = blocks.iter().map(|it| PageOperation::Delete { id: it.id.clone() }).collect();
        let order = in_order(blocks.iter().map(|it| (&it.id, &it.place)))?;
        let put_back = |it: RemovedBlock| {
            let RemovedBlock { id, dom, place } = it;
            PageOperation::Insert { id, data: dom, place }
        };
        let back = sorted_by(order, blocks.into_iter().map(put_back).collect());
        Some(Reversible { forward, back })
    }

    /// Moves blocks, none inside another, one after the other; `fresh` is the id of no block. `None` if their former
    /// places contradict each other.
    pub fn moves(blocks: &[MovedBlock], fresh: &BlockId) -> Option<Reversible> {
        let order = in_order(blocks.iter().map(|it| (&it.id, &it.from)))?;
        let mut forward = guards(blocks.iter().map(|it| (&it.id, &it.to)), fresh);
        let mut guarded = guards(blocks.iter().map(|it| (&it.id, &it.from)), fresh);
        let mut back = Vec::with_capacity(blocks.len());
        for MovedBlock { id, from, to } in blocks {
            forward.push(PageOperation::Move { id: id.clone(), place: to.clone() });
            back.push(PageOperation::Move { id: id.clone(), place: from.clone() });
        }
        guarded.extend(sorted_by(order, back));
        Some(Reversible { forward, back: guarded })
    }

    /// Sets attributes of blocks. Both ways contain those that change, and no others: in the meantime, the others may
    /// become different.
    pub fn attrs(blocks: impl IntoIterator<Item = ChangedAttrs>) -> Reversible {
        let (mut forward, mut back) = (Vec::new(), Vec::new());
        for ChangedAttrs { id, changed } in blocks {
            let (old, new): (BTreeMap<_, _>, BTreeMap<_, _>) =
                changed.into_iter().map(|(name, (old, new))| ((name.clone(), old), (name, new))).unzip();
            forward.extend(attrs_of(&id, &old, &new));
            back.extend(attrs_of(&id, &new, &old));
        }
        Reversible { forward, back }
    }
}

/// Operations that change nothing, but fail unless each block, and each that is to be before it, is still a block.
///
/// A heading or an item may have become a document, whose id is the same. SiYuan would move it as a block, or others next
/// to it, and their texts would be lost. It cannot insert next to a document, nor set attributes of what is gone, and
/// then does nothing of the transaction.
fn guards<'b>(
    blocks: impl Iterator<Item = (&'b BlockId, &'b BlockPlace)>,
    fresh: &BlockId,
) -> Vec<PageOperation> {
    let named = blocks.flat_map(|(id, place)| match place {
        BlockPlace::After(before) => [Some(id), Some(before)],
        BlockPlace::FirstIn(_) => [Some(id), None],
    });
    let named: BTreeSet<&BlockId> = named.flatten().into_set();
    let guard = |id: &BlockId| {
        [
            PageOperation::SetAttrs { id: id.clone(), data: "{}".to_owned() },
            PageOperation::Insert {
                id: fresh.clone(),
                data: empty_paragraph(fresh),
                place: BlockPlace::After(id.clone()),
            },
            PageOperation::Delete { id: fresh.clone() },
        ]
    };
    named.into_iter().flat_map(guard).collect()
}

/// An empty paragraph as editor DOM.
fn empty_paragraph(id: &BlockId) -> String {
    format!(
        "<div data-node-id=\"{id}\" data-type=\"NodeParagraph\" class=\"p\"><div contenteditable=\"true\" spellcheck=\"false\"></div><div class=\"protyle-attr\" contenteditable=\"false\"></div></div>"
    )
}

/// The operations that set these attributes and show them.
fn attrs_of(
    id: &BlockId,
    old: &BTreeMap<String, String>,
    new: &BTreeMap<String, String>,
) -> [PageOperation; 2] {
    let shown: BTreeMap<&String, &String> = new.iter().filter(|(_, value)| !value.is_empty()).into_map();
    [
        PageOperation::SetAttrs { id: id.clone(), data: json!(new).to_string() },
        PageOperation::UpdateAttrs { id: id.clone(), data: json!({ "old": old, "new": shown }) },
    ]
}

/// The order in which blocks can be put into places: each after its neighbour. `None` for places that no document has.
fn in_order<'b>(blocks: impl Iterator<Item = (&'b BlockId, &'b BlockPlace)>) -> Option<Vec<usize>> {
    let before = |place: &'b BlockPlace| match place {
        BlockPlace::After(id) => Some(id),
        BlockPlace::FirstIn(_) => None,
    };
    chained(&blocks.map(|(id, place)| (id, before(place))).collect::<Vec<_>>())
}

/// The positions of things in an order in which each comes after the one that it follows, if that is among them. `None`
/// if two follow the same one, or if they follow each other in a circle.
fn chained<K: Ord + Copy>(things: &[(K, Option<K>)]) -> Option<Vec<usize>> {
    let ids: BTreeSet<K> = things.iter().map(|(id, _)| *id).into_set();
    let following: BTreeMap<K, usize> =
        things.iter().enumerate().filter_map(|(at, (_, before))| Some(((*before)?, at))).into_map();
    let mut order = Vec::with_capacity(things.len());
    for (start, (_, before)) in things.iter().enumerate() {
        if before.is_some_and(|it| ids.contains(&it)) {
            continue;
        }
        let mut at = Some(start);
        while let Some(next) = at.filter(|_| order.len() < things.len()) {
            order.push(next);
            at = things.get(next).and_then(|(id, _)| following.get(id)).copied();
        }
    }
    (order.len() == things.len()).then_some(order)
}

fn sorted_by(order: Vec<usize>, operations: Vec<PageOperation>) -> Vec<PageOperation> {
    let mut operations: Vec<Option<PageOperation>> = operations.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| operations.get_mut(at)?.take()).collect()
}

/// Makes a change (`TRANSACTIONS`). It is one entry of the undo log of its document.
///
/// The kernel does what waits at the same time in the order of these times, in milliseconds. The page sends such times
/// too: an attribute that is set while a person types then comes after the text that they typed before it.
pub fn change_blocks(change: &Reversible, now_ms: u64) -> TypedRequest<Vec<Transaction>> {
    transaction(&change.forward, &change.back, now_ms)
}

/// Deletes blocks without a way back (`TRANSACTIONS`); `block/deleteBlock` answers before they are gone.
pub fn delete_blocks(ids: NonEmpty<'_, BlockId>) -> TypedRequest<Vec<Transaction>> {
    let operations: Vec<_> = ids.iter().map(|id| PageOperation::Delete { id: id.clone() }).collect();
    transaction(&operations, &[], FIRST)
}

/// Replaces blocks by editor DOM without a way back (`TRANSACTIONS`). A block that does not exist fails them all.
pub fn update_doms(doms: NonEmpty<'_, (BlockId, String)>) -> TypedRequest<Vec<Transaction>> {
    let update = |(id, dom): &(BlockId, String)| PageOperation::Update { id: id.clone(), data: dom.clone() };
    transaction(&doms.iter().map(update).collect::<Vec<_>>(), &[], FIRST)
}

/// Lets the kernel read blocks again after a change that failed: the table of all blocks of their documents, and the
/// attributes of these blocks.
pub fn refresh(blocks: NonEmpty<'_, BlockId>) -> TypedRequest<Vec<Transaction>> {
    let read = |id: &BlockId| PageOperation::SetAttrs { id: id.clone(), data: "{}".to_owned() };
    transaction(&blocks.iter().map(read).collect::<Vec<_>>(), &[], FIRST)
}

/// A time before those that the page sends.
const FIRST: u64 = 1;

fn transaction(
    forward: &[PageOperation],
    back: &[PageOperation],
    time: u64,
) -> TypedRequest<Vec<Transaction>> {
    let body = json!({
        "transactions": [{ "doOperations": forward, "undoOperations": back }],
        "reqId": time, "app": "siyuan-mcp-puppy", "session": "siyuan-mcp-puppy",
    });
    TypedRequest::json(TRANSACTIONS, body)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::cmp::Ordering;

    use super::*;

    thread_local! { static COMPARED: Cell<usize> = const { Cell::new(0) }; }

    /// A number that counts how often it is compared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Counted(usize);

    impl PartialOrd for Counted {
        fn partial_cmp(&self, other: &Counted) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Counted {
        fn cmp(&self, other: &Counted) -> Ordering {
            COMPARED.set(COMPARED.get() + 1);
            self.0.cmp(&other.0)
        }
    }

    #[test]
    fn blocks_are_put_back_after_their_neighbours() {
        // Two runs, 1 2 3 and 7 8, named in another order.
        let things = [(3, Some(2)), (8, Some(7)), (1, None), (2, Some(1)), (7, Some(6))];
        assert_eq!(chained(&things), Some(vec![2, 3, 0, 4, 1]));
        assert_eq!(chained(&[(1, Some(2)), (2, Some(1))]), None, "a circle");
        assert_eq!(chained(&[(1, Some(9)), (2, Some(1)), (3, Some(1))]), None, "two after one");
    }

    /// A way back of 1,921 blocks took 53 s when each block looked at all others.
    #[test]
    fn the_work_for_a_way_back_grows_with_its_length() {
        let work = |count: usize| {
            // The last block comes first, so that none is ready when it is looked at.
            let things: Vec<_> = (1..=count).rev().map(|it| (Counted(it), Some(Counted(it - 1)))).collect();
            COMPARED.set(0);
            assert_eq!(chained(&things).unwrap().len(), count);
            COMPARED.get()
        };
        let (small, large) = (work(500), work(5_000));
        assert!(large < small * 15, "{small} comparisons for 500 blocks, {large} for 5,000");
    }

    #[test]
    fn moves_fail_where_a_block_became_a_document() {
        let id = |at: usize| BlockId::parse(&format!("20250101000000-block{at:02}")).unwrap();
        let after = |at: usize| BlockPlace::After(id(at));
        let blocks = [
            MovedBlock { id: id(1), from: BlockPlace::FirstIn(id(0)), to: after(5) },
            MovedBlock { id: id(2), from: after(1), to: after(1) },
        ];
        let change = Reversible::moves(&blocks, &id(9)).unwrap();
        let guarded = |operations: &[PageOperation]| {
            let count = operations.len() - blocks.len();
            let (guards, moves) = operations.split_at(count);
            assert!(moves.iter().all(|it| matches!(it, PageOperation::Move { .. })));
            let guarded = guards.chunks(3).map(|guard| {
                let [attrs, insert, delete] = [0, 1, 2].map(|at| json!(guard[at]));
                assert_eq!((&attrs["action"], &attrs["data"]), (&json!("setAttrs"), &json!("{}")));
                assert_eq!((&insert["id"], &delete["id"]), (&json!(id(9)), &json!(id(9))));
                assert_eq!(insert["previousID"], attrs["id"]);
                insert["previousID"].clone()
            });
            guarded.collect::<Vec<_>>()
        };
        assert_eq!(guarded(&change.forward), [json!(id(1)), json!(id(2)), json!(id(5))]);
        assert_eq!(guarded(&change.back), [json!(id(1)), json!(id(2))]);
    }

    #[test]
    fn attributes_that_stay_are_in_no_way_back() {
        let id = BlockId::parse("20250101000000-block00").unwrap();
        let changed = BTreeMap::from([("memo".to_owned(), ("old".to_owned(), String::new()))]);
        let change = Reversible::attrs([ChangedAttrs { id, changed }]);
        let shown = |operations: &[PageOperation]| json!(operations)[1]["data"].clone();
        assert_eq!(shown(&change.forward), json!({ "old": { "memo": "old" }, "new": {} }));
        assert_eq!(shown(&change.back), json!({ "old": { "memo": "" }, "new": { "memo": "old" } }));
        assert_eq!(json!(change.back)[0]["data"], json!(r#"{"memo":"old"}"#));
    }
}
