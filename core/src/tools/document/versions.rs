//! Saved versions of documents: the pages of their list, and the text of one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use futures_util::future::join_all;

use crate::content::stored::StoredDocument;
use crate::content::version::Version;
use crate::content::window::Cursor;
use crate::kernel::Route;
use crate::kernel::api::file;
use crate::kernel::api::history::VersionQuery;
use crate::permission::Place;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The routes that these helpers call.
pub(super) const CALLS: &[Route] =
    &[history::SEARCH_HISTORY, history::GET_HISTORY_ITEMS, filetree::GET_PATH_BY_ID, file::GET_FILE];

/// Times that are asked for at once.
const AT_ONCE: usize = 4;
/// The maximum number of requests for times and pages of them in one call.
const MOST_REQUESTS: usize = 200;
/// A time at which nothing was saved.
const NEVER: &str = "0";

/// A version of the list, with the title that the document had.
pub(super) struct VersionEntry {
    pub(super) version: Version,
    pub(super) title: String,
}

/// The position behind a version: `<page>.<time>.<versions of that time shown>`. SiYuan's pages only move back when new
/// versions come, so nothing between is missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionPosition {
    page: usize,
    time: usize,
    shown: usize,
}

impl FromStr for VersionPosition {
    type Err = ();

    fn from_str(text: &str) -> Result<VersionPosition, ()> {
        let numbers: Result<Vec<usize>, _> = text.split('.').map(str::parse).collect();
        match numbers.as_deref() {
            Ok([page, time, shown]) if *page > 0 => {
                Ok(VersionPosition { page: *page, time: *time, shown: *shown })
            }
            _ => Err(()),
        }
    }
}

impl fmt::Display for VersionPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.page, self.time, self.shown)
    }
}

/// The position at which a page goes on: in a list of versions, or in the text of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextPosition {
    /// In a list.
    List(VersionPosition),
    /// In a text.
    Text(Cursor),
}

impl FromStr for NextPosition {
    type Err = ();

    fn from_str(text: &str) -> Result<NextPosition, ()> {
        let of_text = |_| text.parse().map(NextPosition::Text).map_err(|_| ());
        text.parse().map(NextPosition::List).or_else(of_text)
    }
}

/// A page of versions.
#[derive(Default)]
pub(super) struct VersionPage {
    pub(super) items: Vec<VersionEntry>,
    pub(super) next: Option<VersionPosition>,
}

/// The versions after a position. The caller may know of the document that was judged already.
pub(super) async fn list(
    asked: &VersionQuery<'_>,
    after: Option<VersionPosition>,
    limit: usize,
    judged: Option<&DocId>,
    cx: &Cx<'_>,
) -> Result<VersionPage, ToolError> {
    cx.declares(CALLS)?;
    let (mut page, mut left) = (VersionPage::default(), MOST_REQUESTS);
    let mut number = after.map_or(1, |it| it.page);
    let mut last = after.map_or(usize::MAX, |it| it.time);
    let mut known: BTreeMap<DocId, bool> = judged.map(|it| (it.clone(), true)).into_iter().into_map();
    loop {
        let behind = |time, shown| Some(VersionPosition { page: number, time, shown });
        if left == 0 {
            page.next = behind(last.saturating_sub(1), 0);
            return Ok(page);
        }
        left -= 1;
        let found = cx.ask(history::search_history(asked, number)).await?;
        let seconds = |time: &String| time.parse::<usize>().unwrap_or_default();
        let times: Vec<&String> =
            found.histories.iter().filter(|time| after.is_none_or(|it| seconds(time) <= it.time)).collect();
        for some in times.chunks(AT_ONCE) {
            if left < some.len() {
                page.next = behind(some.first().map_or(last, |it| seconds(it)), 0);
                return Ok(page);
            }
            left -= some.len();
            let each = join_all(some.iter().map(|time| at(asked, time, cx))).await;
            for (time, versions) in some.iter().zip(each) {
                last = seconds(time);
                let skipped = after.filter(|it| it.time == last).map_or(0, |it| it.shown);
                for (shown, listed) in versions?.into_iter().enumerate().skip(skipped) {
                    if !is_known(&listed.version, &mut known, cx).await? {
                        continue;
                    }
                    if page.items.len() == limit {
                        page.next = behind(last, shown);
                        return Ok(page);
                    }
                    page.items.push(listed);
                }
            }
        }
        if number >= found.page_count {
            return Ok(page);
        }
        number += 1;
    }
}

/// The readable versions of one time, each once.
async fn at(asked: &VersionQuery<'_>, time: &str, cx: &Cx<'_>) -> Result<Vec<VersionEntry>, ToolError> {
    let items = cx.visible(cx.ask(history::get_history_items(asked, time)).await?).items;
    let open = cx.readable_boxes();
    let mut seen = BTreeSet::new();
    let versions = items.into_iter().flatten().filter_map(|item| {
        let version = Version::at(&item.path)?;
        let title = item.title.strip_suffix(".sy").unwrap_or(&item.title).to_owned();
        let notebook = version.notebook().as_str();
        let is_own = notebook == item.notebook && open.contains(&notebook);
        (is_own && seen.insert(version.token().to_owned())).then_some(VersionEntry { version, title })
    });
    Ok(versions.collect())
}

/// Whether the caller may know of a document: it was deleted, or lies in a readable notebook. A document that moved
/// into a closed notebook took its versions with it.
async fn is_known(
    version: &Version,
    known: &mut BTreeMap<DocId, bool>,
    cx: &Cx<'_>,
) -> Result<bool, ToolError> {
    if let Some(is_known) = known.get(version.doc()) {
        return Ok(*is_known);
    }
    let place = cx.located(version.doc()).await?;
    let is_known = place.is_none_or(|place| place.level >= Level::Read);
    known.insert(version.doc().clone(), is_known);
    Ok(is_known)
}

/// Whether the last version of a document that is nowhere was saved in a readable notebook. The requests are the same
/// for a document that never was (B-055).
pub(super) async fn was_readable(asked: &VersionQuery<'_>, cx: &Cx<'_>) -> Result<bool, ToolError> {
    cx.declares(CALLS)?;
    let times = cx.ask(history::search_history(asked, 1)).await?.histories;
    let last = times.first().map_or(NEVER, String::as_str);
    Ok(!at(asked, last, cx).await?.is_empty())
}

/// The document as it was saved. Its notebook must be readable, and the document itself if it still is somewhere.
pub(super) async fn read(
    version: &Version,
    now: Option<&Place>,
    cx: &Cx<'_>,
) -> Result<StoredDocument, ToolError> {
    cx.declares(CALLS)?;
    let is_open = cx.readable_boxes().contains(&version.notebook().as_str());
    if !is_open || now.is_some_and(|place| place.level < Level::Read) {
        return Err(ToolError::not_found());
    }
    match cx.read_file(&version.path()).await? {
        Some(bytes) => StoredDocument::parse(&bytes).filter(|it| it.ids.contains(version.doc().as_str())),
        None => None,
    }
    .ok_or_else(ToolError::not_found)
}

/// The document as it is now.
pub(super) async fn present(place: &Place, cx: &Cx<'_>) -> Result<Option<StoredDocument>, ToolError> {
    cx.declares(&[file::GET_FILE])?;
    let Some(storage) = &place.storage else { return Ok(None) };
    let bytes = cx.read_file(&format!("/data/{}{}", place.notebook, storage.as_str())).await?;
    Ok(bytes.and_then(|bytes| StoredDocument::parse(&bytes)))
}

/// The plan with the document that a version brings back, as a question names it.
pub(super) fn named<F>(plan: Plan<F>, id: &DocId, title: &str, version: &Version) -> Plan<F> {
    let thing = Thing::titled(title).with_id(id.as_str());
    let saved = Thing::titled(&version.saved().replace('T', " "));
    plan.about(ThingKind::Document, Things::of([thing])).and(saved)
}
