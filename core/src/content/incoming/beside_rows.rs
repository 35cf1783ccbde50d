//! Text in a document whose blocks are rows of a database: the names of rows follow it.
//!
//! SiYuan names a row with the text of its block, of a list or a quote with the first text inside. A reference with a
//! dynamic anchor shows the text of its target, which may be in a document without rows, where no text is judged. So
//! such a reference counts as text that acts.

use std::collections::BTreeSet;

use super::code;
use super::embeds;
use super::references;
use super::rows::ActingTags;
use super::{AttributeList, ReplacedContent};
use crate::content::kramdown;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::DocId;
use crate::index::{self, Raw};
use crate::kernel::api::query;

/// The expected form of a text without tags that act.
const PLAIN: &str = "Markdown without active HTML, not even in code: blocks of this document are rows of a database, and SiYuan may show their text as HTML";
/// The expected form of its references.
const STATIC: &str = "Markdown whose references have fixed anchors in double quotes, such as ((id \"text\")): blocks of this document are rows of a database, and SiYuan may show their text as HTML";

/// The maximum length of the name of a row, in characters: SiYuan cuts the rest off.
const NAME: usize = 1_024;

/// The parts of a text that may act in the name of a group, now or later.
#[derive(Debug, Clone, Default)]
pub(super) struct RowText {
    tags: ActingTags,
    /// The references that follow their targets.
    following: BTreeSet<String>,
}

impl RowText {
    /// Collects them from a Markdown text, its code included.
    pub(super) fn of(markdown: &str) -> RowText {
        let may_refer = ["((", "block-ref", "&"].iter().any(|it| markdown.contains(it));
        let following = match may_refer {
            true => references::following(&embeds::blanked(&code::mask(markdown).text)),
            false => BTreeSet::new(),
        };
        RowText { tags: ActingTags::of(markdown), following }
    }

    /// Collects them from the first line of a block that is a row. It certainly is a part of the row's name, while the
    /// text behind it may only come to the front.
    pub(super) fn of_name(kramdown: &str) -> RowText {
        let text = kramdown::strip(kramdown);
        let line = text.trim_start().lines().next().unwrap_or_default();
        let end = line.char_indices().nth(NAME).map_or(line.len(), |(at, _)| at);
        RowText::of(line.get(..end).unwrap_or_default())
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.following.is_empty()
    }

    /// Whether it has one that another text lacks.
    pub(super) fn is_beyond(&self, before: &RowText) -> bool {
        self.beyond(before, true).is_some()
    }

    /// The expected form of a text that has more of them than another; `None` if it has not.
    fn beyond(&self, before: &RowText, follows: bool) -> Option<&'static str> {
        if self.tags.is_beyond(&before.tags) {
            return Some(PLAIN);
        }
        (follows && !self.following.is_subset(&before.following)).then_some(STATIC)
    }
}

/// Whether a block with one of these attribute lists, other than the document, is a row.
pub(super) fn has_rows(lists: &[AttributeList]) -> bool {
    lists.iter().any(|it| it.get("type") != Some("doc") && it.get("custom-avs").is_some())
}

/// Refuses the first text that adds such a part to a document with rows, and returns its position with the error
/// (`FLUSH_TRANSACTION`, `SQL`, once for each document).
pub(super) async fn refuse(
    cx: &Cx<'_>,
    texts: &[(&str, &ReplacedContent)],
) -> Result<(), (usize, ToolError)> {
    let mut without_rows: BTreeSet<&DocId> = BTreeSet::new();
    for (at, (markdown, kept)) in texts.iter().enumerate() {
        if kept.doc.is_none() && !kept.has_rows {
            continue;
        }
        let follows = kept.has_rows || !kept.is_top;
        let Some(expected) = RowText::of(markdown).beyond(&kept.row_text, follows) else { continue };
        let doc = kept.doc.as_ref().filter(|_| !kept.has_rows);
        if doc.is_some_and(|it| without_rows.contains(it)) {
            continue;
        }
        match doc {
            Some(doc) if !are_in(&[doc], cx).await.map_err(|error| (at, error))? => {
                without_rows.insert(doc);
            }
            _ => return Err((at, ToolError::field("markdown", expected))),
        }
    }
    Ok(())
}

/// Whether blocks of these documents are rows of databases; none becomes one before the call has ended.
pub(super) async fn are_in(docs: &[&DocId], cx: &Cx<'_>) -> Result<bool, ToolError> {
    cx.keeps_rows().await;
    // The index may lag behind the call that added a row.
    cx.ask(query::flush_transaction()).await?;
    let ids = || docs.iter().map(|it| it.as_str());
    let among = index::in_list("a.root_id", ids()).and(index::not_in("a.block_id", ids()));
    Ok(!cx.select_raw(&Raw::bound(&among)).await?.is_empty())
}
