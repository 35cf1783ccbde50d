//! Tests of merging: what the run changed and nobody else goes back, and what somebody changed stays.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{MergedDocument, merge};
use crate::runs::record::{ChangedThing, RunChange, RunRecord};
use crate::runs::trail::{BlockTrail, trails};
use crate::runs::tree::BlockTree;

const DOC: &str = "doc";

/// Numbers that depend on a seed only.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n.max(1) as u64).unwrap()
    }
}

fn paragraph(id: &str, text: &str) -> Value {
    json!({
        "ID": id, "Type": "NodeParagraph", "Properties": { "id": id, "updated": "1" },
        "Children": [{ "Type": "NodeText", "Data": text }],
    })
}

fn container(id: &str, children: &[Value]) -> Value {
    json!({ "ID": id, "Type": "NodeBlockquote", "Properties": { "id": id }, "Children": children })
}

fn document(children: &[Value]) -> Value {
    json!({ "ID": DOC, "Type": "NodeDocument", "Properties": { "id": DOC, "title": "Mint" }, "Children": children })
}

fn bytes(document: &Value) -> Vec<u8> {
    document.to_string().into_bytes()
}

fn tree(document: &Value) -> BlockTree {
    BlockTree::parse(&bytes(document)).unwrap()
}

/// The changes of calls that left a document in these states, one after the other; the first is the state before.
fn run(states: &[Value]) -> RunRecord {
    let mut run = RunRecord { id: "1-2".to_owned(), ..RunRecord::default() };
    for (call, pair) in states.windows(2).enumerate() {
        let (before, after) = (tree(&pair[0]), tree(&pair[1]));
        for it in before.changes(&after) {
            let place = it.place.unwrap_or_default();
            let [id, r#in, before, after] = [it.id, DOC, it.before, it.after].map(str::to_owned);
            run.add(RunChange {
                call,
                kind: it.kind,
                what: ChangedThing::Block,
                id,
                r#in,
                before,
                after,
                place,
            });
        }
    }
    run
}

fn put_back(before: &Value, now: &Value, run: &RunRecord) -> MergedDocument {
    let trails: BTreeMap<String, BlockTrail> = trails(run, DOC, None).unwrap();
    merge(&bytes(before), &bytes(now), &trails, &BTreeSet::new()).unwrap()
}

fn merged(outcome: &MergedDocument, now: &Value) -> Value {
    outcome.file.as_ref().map_or_else(|| now.clone(), |it| serde_json::from_slice(it).unwrap())
}

#[test]
fn blocks_that_somebody_changed_stay_and_the_others_go_back() {
    let [a, b, c] = ["a", "b", "c"].map(|id| paragraph(id, id));
    let before = document(&[a.clone(), b.clone(), c.clone()]);
    let by_run = document(&[paragraph("a", "run"), paragraph("b", "run"), paragraph("n", "new")]);
    let now = document(&[
        paragraph("a", "run"),
        paragraph("b", "person"),
        paragraph("n", "new"),
        paragraph("p", "own"),
    ]);
    let outcome = put_back(&before, &now, &run(&[before.clone(), by_run]));
    let expected = document(&[a, paragraph("b", "person"), c, paragraph("p", "own")]);
    assert_eq!(tree(&merged(&outcome, &now)).hash, tree(&expected).hash);
    assert_eq!(outcome.left, BTreeSet::from(["b".to_owned()]));
    assert_eq!((outcome.gains, outcome.loses), (["c".to_owned()].into(), ["n".to_owned()].into()));
}

#[test]
fn blocks_that_are_in_another_document_do_not_come() {
    let before = document(&[paragraph("a", "a"), paragraph("b", "b")]);
    let now = document(&[paragraph("a", "a")]);
    let run = run(&[before.clone(), now.clone()]);
    let known = trails(&run, DOC, None).unwrap();
    let outcome = merge(&bytes(&before), &bytes(&now), &known, &["b".to_owned()].into()).unwrap();
    assert_eq!((outcome.file, outcome.left), (None, ["b".to_owned()].into()));
}

/// A container of the run with a person's block in it stays, and so does a person's order.
#[test]
fn nothing_of_a_person_is_removed_with_its_container() {
    let before = document(&[paragraph("a", "a")]);
    let by_run = document(&[paragraph("a", "a"), container("box", &[paragraph("n", "new")])]);
    let now =
        document(&[paragraph("a", "a"), container("box", &[paragraph("n", "new"), paragraph("p", "own")])]);
    let outcome = put_back(&before, &now, &run(&[before.clone(), by_run]));
    let expected = document(&[paragraph("a", "a"), container("box", &[paragraph("p", "own")])]);
    assert_eq!(tree(&merged(&outcome, &now)).hash, tree(&expected).hash);
    assert_eq!(outcome.left, BTreeSet::from(["box".to_owned()]));
}

/// A person changed a block between two calls that changed it too.
#[test]
fn blocks_that_somebody_changed_between_two_calls_stay() {
    let states: Vec<Value> =
        ["before", "run", "person", "run again"].map(|it| document(&[paragraph("a", it)])).into();
    let mut whole = run(&states[..2]);
    whole.changes.extend(run(&states[2..]).changes);
    let outcome = put_back(&states[0], &states[3], &whole);
    assert_eq!((outcome.file, outcome.left), (None, ["a".to_owned()].into()));
}

#[test]
fn a_single_call_goes_back() {
    let states = [
        document(&[paragraph("a", "a"), paragraph("b", "b")]),
        document(&[paragraph("a", "one"), paragraph("b", "b")]),
        document(&[paragraph("a", "one"), paragraph("b", "two")]),
    ];
    let whole = run(&states);
    let known = trails(&whole, DOC, Some(1)).unwrap();
    let outcome = merge(&bytes(&states[0]), &bytes(&states[2]), &known, &BTreeSet::new()).unwrap();
    assert_eq!(tree(&merged(&outcome, &states[2])).hash, tree(&states[1]).hash);
    // Two calls changed the same block: the text between them is nowhere.
    let again = document(&[paragraph("a", "three"), paragraph("b", "two")]);
    let whole = run(&[states[0].clone(), states[1].clone(), again.clone()]);
    let known = trails(&whole, DOC, Some(1)).unwrap();
    let outcome = merge(&bytes(&states[0]), &bytes(&again), &known, &BTreeSet::new()).unwrap();
    assert_eq!(outcome.left, BTreeSet::from(["a".to_owned()]));
}

/// A document of paragraphs, some in containers.
fn any_document(dice: &mut Dice) -> Value {
    let mut blocks = Vec::new();
    for at in 0..dice.below(8) + 1 {
        let of = |part: &str| paragraph(&format!("{at}{part}"), "text");
        blocks.push(match dice.below(3) {
            0 => container(&format!("{at}c"), &[of("x"), of("y")]),
            1 => container(&format!("{at}c"), &[container(&format!("{at}d"), &[of("x")]), of("y")]),
            _ => of("p"),
        });
    }
    document(&blocks)
}

/// The paths to all lists of blocks.
fn lists(node: &Value, path: &str, all: &mut Vec<String>) {
    let Some(children) = node["Children"].as_array() else { return };
    if node["Type"] == "NodeParagraph" {
        return;
    }
    all.push(format!("{path}/Children"));
    for (at, child) in children.iter().enumerate() {
        lists(child, &format!("{path}/Children/{at}"), all);
    }
}

/// One change: a text, a new block, a removed one or a moved one. An empty container goes too.
fn change(document: &mut Value, dice: &mut Dice, name: &str) {
    let mut all = Vec::new();
    lists(document, "", &mut all);
    let path = all[dice.below(all.len())].clone();
    let list = document.pointer_mut(&path).unwrap().as_array_mut().unwrap();
    let at = dice.below(list.len());
    match dice.below(4) {
        0 => list.insert(at, paragraph(&format!("{name}{}", dice.below(1_000_000)), name)),
        1 if list.len() > 1 => _ = list.remove(at),
        2 if list.len() > 1 => {
            let block = list.remove(at);
            let mut all = Vec::new();
            lists(document, "", &mut all);
            let to = all[dice.below(all.len())].clone();
            let list = document.pointer_mut(&to).unwrap().as_array_mut().unwrap();
            list.insert(dice.below(list.len() + 1), block);
        }
        _ => {
            if let Some(block) = list.get_mut(at).filter(|it| it["Type"] == "NodeParagraph") {
                block["Children"][0]["Data"] = json!(format!("{name}{}", dice.below(1_000_000)));
            }
        }
    }
}

fn changed(document: &Value, dice: &mut Dice, name: &str) -> Value {
    let mut document = document.clone();
    for _ in 0..dice.below(6) + 1 {
        change(&mut document, dice, name);
    }
    document
}

#[test]
fn what_nobody_changed_since_goes_back_whole() {
    for seed in 1..4_000 {
        let dice = &mut Dice(seed * 0x9e37_79b9);
        let before = any_document(dice);
        let middle = changed(&before, dice, "run");
        let after = changed(&middle, dice, "run");
        let record = run(&[before.clone(), after.clone()]);
        let outcome = put_back(&before, &after, &record);
        assert_eq!(outcome.left, BTreeSet::new(), "{seed}");
        assert_eq!(tree(&merged(&outcome, &after)).hash, tree(&before).hash, "{seed}");
    }
}

#[test]
fn nothing_of_a_person_is_lost() {
    for seed in 1..4_000 {
        let dice = &mut Dice(seed * 0x9e37_79b9);
        let before = any_document(dice);
        let after = changed(&before, dice, "run");
        let now = changed(&after, dice, "person");
        let outcome = put_back(&before, &now, &run(&[before.clone(), after.clone()]));
        let (trees, result) = ([&before, &after, &now].map(tree), tree(&merged(&outcome, &now)));
        let [before, after, now] = trees;
        let persons = after.changes(&now);
        let by_run: BTreeSet<String> = before.changes(&after).iter().map(|it| it.id.to_owned()).collect();
        for it in &persons {
            let present = result.blocks.get(it.id).map(|block| block.hash.as_str());
            // A person's text stays as it is, and what a person removed does not come back.
            let is_kept = present == Some(it.after).filter(|it| !it.is_empty());
            // A person who only moved it left its text to the run.
            let is_back = it.before == it.after && by_run.contains(it.id);
            assert!(is_kept || is_back, "{seed} {it:?}");
        }
        let touched: BTreeSet<&str> = persons.iter().map(|it| it.id).collect();
        for id in by_run.iter().filter(|id| !outcome.left.contains(*id) && !touched.contains(id.as_str())) {
            let (was, is) = (before.blocks.get(id), result.blocks.get(id));
            assert_eq!(was.map(|it| &it.hash), is.map(|it| &it.hash), "{seed} {id}");
        }
    }
}
