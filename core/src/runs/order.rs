//! The person's order of the documents below one place, before a call and after it, and the way back to it.

use std::collections::BTreeSet;

use super::record::{RunOrder, RunRecord};
use crate::id::NotebookId;
use crate::kernel::api::filetree;
use crate::kernel::{self, Kernel};
use crate::sorted::IntoSorted as _;

/// The maximum number of places whose order a call keeps, and of documents below one.
const MOST_PLACES: usize = 16;
const MOST_DOCUMENTS: usize = 1_000;

/// The order below a place: what is known of it before a call, and what the next call found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeenOrder {
    pub(super) notebook: NotebookId,
    /// The storage path of a document, or `/`.
    pub(super) below: String,
    pub(super) before: Vec<String>,
    pub(super) after: Option<Vec<String>>,
}

/// The orders below some places as they are now.
pub(super) async fn look(kernel: &dyn Kernel, places: BTreeSet<(NotebookId, String)>) -> Vec<SeenOrder> {
    let mut all = Vec::new();
    for (notebook, below) in places.into_iter().take(MOST_PLACES) {
        if let Some(before) = order_below(kernel, &notebook, &below).await {
            all.push(SeenOrder { notebook, below, before, after: None });
        }
    }
    all
}

async fn order_below(kernel: &dyn Kernel, notebook: &NotebookId, below: &str) -> Option<Vec<String>> {
    let list = kernel::ask(kernel, filetree::list_docs_in_order(notebook, below)).await.ok()?;
    // The record says no more of a sibling than its id, and answers say nothing of it.
    let ids: Vec<String> = list.for_the_person().files.into_iter().map(|it| it.id).collect();
    (ids.len() <= MOST_DOCUMENTS).then_some(ids)
}

/// The orders that a call changed.
pub(super) async fn changed(kernel: &dyn Kernel, call: usize, seen: &[SeenOrder]) -> Vec<RunOrder> {
    let mut all = Vec::new();
    for it in seen {
        let after = match &it.after {
            Some(known) => Some(known.clone()),
            None => order_below(kernel, &it.notebook, &it.below).await,
        };
        let Some(after) = after.filter(|after| *after != it.before) else { continue };
        let (notebook, below) = (it.notebook.to_string(), it.below.clone());
        all.push(RunOrder { call, notebook, below, before: it.before.clone(), after });
    }
    all
}

/// The orders that a run, or one call of it, found and left behind. An order that somebody else changed between two
/// calls is not among them.
pub(crate) fn orders(run: &RunRecord, call: Option<usize>) -> Vec<RunOrder> {
    let mut all: Vec<(RunOrder, bool)> = Vec::new();
    for it in run.orders.iter().filter(|it| call.is_none_or(|call| call == it.call)) {
        match all.iter_mut().find(|(known, _)| (&known.notebook, &known.below) == (&it.notebook, &it.below)) {
            Some((known, is_broken)) => {
                *is_broken |= known.after != it.before;
                known.after.clone_from(&it.after);
            }
            None => all.push((it.clone(), false)),
        }
    }
    all.into_iter().filter(|(_, is_broken)| !is_broken).map(|(it, _)| it).collect()
}

impl RunOrder {
    /// Whether the call changed the order of documents that stayed.
    pub(crate) fn is_reordering(&self) -> bool {
        shared(&self.before, &self.after) != shared(&self.after, &self.before)
    }

    /// Whether nobody changed the order since, as far as the documents are still there.
    pub(crate) fn is_kept(&self, now: &[String]) -> bool {
        shared(now, &self.after) == shared(&self.after, now)
    }

    /// The documents that are there now in their order from before. One that was not there keeps its place behind the
    /// one before it.
    pub(crate) fn back(&self, now: &[String]) -> Vec<String> {
        let mut order: Vec<String> = shared(&self.before, now).into_iter().cloned().collect();
        let known: BTreeSet<&String> = self.before.iter().into_set();
        let mut previous: Option<&String> = None;
        for id in now {
            if !known.contains(id) {
                let at = previous.and_then(|it| order.iter().position(|known| known == it));
                order.insert(at.map_or(0, |at| at + 1), id.clone());
            }
            previous = Some(id);
        }
        order
    }
}

/// Those of a list that another one has too.
fn shared<'l>(list: &'l [String], other: &[String]) -> Vec<&'l String> {
    let other: BTreeSet<&String> = other.iter().into_set();
    list.iter().filter(|it| other.contains(it)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<String> {
        text.chars().map(String::from).collect()
    }

    fn order(call: usize, before: &str, after: &str) -> RunOrder {
        RunOrder { call, before: ids(before), after: ids(after), ..RunOrder::default() }
    }

    #[test]
    fn an_order_goes_back_around_new_documents() {
        for (before, after, now, due) in [
            // A document that was removed is restored as the first one.
            ("abc", "ac", "bac", "abc"),
            ("abc", "cba", "cba", "abc"),
            // Somebody's new document stays behind the one before it.
            ("abc", "cba", "cbxa", "abxc"),
            ("abc", "cba", "xcba", "xabc"),
            // One is gone since.
            ("abc", "cba", "ca", "ac"),
        ] {
            let it = order(0, before, after);
            assert!(it.is_kept(&ids(now)) || now == "bac", "{now}");
            assert_eq!(it.back(&ids(now)), ids(due), "{before} {after} {now}");
        }
        assert!(!order(0, "abc", "cba").is_kept(&ids("bca")));
        assert!(order(0, "abc", "cba").is_reordering() && !order(0, "abc", "ac").is_reordering());
    }

    #[test]
    fn orders_of_several_calls_are_one_unless_somebody_came_between() {
        let run = |orders: Vec<RunOrder>| RunRecord { orders, ..RunRecord::default() };
        let both = run(vec![order(0, "abc", "bac"), order(1, "bac", "cba")]);
        assert_eq!(orders(&both, None), [order(0, "abc", "cba")]);
        assert_eq!(orders(&both, Some(1)), [order(1, "bac", "cba")]);
        assert_eq!(orders(&run(vec![order(0, "abc", "bac"), order(1, "abc", "cba")]), None), []);
    }
}
