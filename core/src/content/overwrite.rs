//! Replacing the whole text of a document while blocks that stay the same keep their ids and attributes.
//!
//! The kernel takes a document's kramdown in one request and makes every block of it anew, those with
//! their old ids too. What hangs on more than an id (rows of databases, databases, widgets, embeds)
//! does not survive that, so a document that holds such a block is refused.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::incoming::{self, Incoming, Kept};
use super::kramdown::{self, AttributeList, Block};
use super::{blocks, hash, written};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::DocId;
use crate::kernel::{Kernel, api};
use crate::output::{Output, object};

/// From how many replaced blocks on a person must approve.
const MUCH: usize = 50;

/// From how many possible pairs on only a common beginning is looked for.
const MOST_COMPARISONS: usize = 100_000_000;

/// A replacement that was read up and not yet done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overwrite {
    /// The kramdown to send.
    data: String,
    /// Ids of the blocks that stay.
    kept: BTreeSet<String>,
    old: usize,
    new: usize,
    changed: bool,
}

/// What a replacement did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Ids of the new top-level blocks.
    pub ids: Vec<String>,
    /// How many blocks kept their id.
    pub kept: usize,
    /// Whether anything was written.
    pub changed: bool,
}

impl Overwrite {
    /// What `preview` shows.
    pub fn shows(&self) -> Map<String, Value> {
        object([
            ("would", json!("overwrite")),
            ("changed", json!(self.changed)),
            ("kept", json!(self.kept.len())),
            ("removed", json!(self.old - self.kept.len())),
            ("added", json!(self.new - self.kept.len())),
        ])
    }

    /// Whether more than 50 blocks would be replaced.
    pub fn replaces_much(&self) -> bool {
        self.changed && self.old - self.kept.len() > MUCH
    }

    /// How many blocks the document has now.
    pub fn blocks(&self) -> usize {
        self.old
    }

    /// Whether anything would be written.
    pub fn changes(&self) -> bool {
        self.changed
    }
}

/// Compares a document with its new text (`GET_BLOCK_KRAMDOWN`, and what `incoming::check` asks).
pub async fn plan<K: Kernel>(
    cx: &Cx<'_, K>,
    doc: &DocId,
    markdown: &str,
    expect: Option<&str>,
) -> Result<(Incoming, Overwrite), ToolError> {
    let printed = cx.call(api::GET_BLOCK_KRAMDOWN, json!({ "id": doc.as_str() })).await?.kramdown;
    let old = kramdown::blocks(&printed);
    let texts: Vec<String> = old.iter().map(Block::markdown).collect();
    expected(expect, &hash::of_blocks(texts.iter().map(String::as_str)))?;
    let incoming = incoming::check(cx, markdown, &Kept::of(&printed)).await?;
    let what = compare(&old, &incoming.markdown);
    if what.changed {
        refuse_fragile(&old)?;
    }
    Ok((incoming, what))
}

/// Refuses a text that has changed since the caller read it (B-035).
pub fn expected(expect: Option<&str>, hash: &str) -> Result<(), ToolError> {
    match expect {
        Some(expect) if expect != hash => Err(ToolError::conflict(
            "The text has changed since you read it; nothing was written. Read it again, then decide anew.",
        )
        .with("hash", hash)),
        _ => Ok(()),
    }
}

/// Saves a version and replaces the text (`CREATE_DOC_HISTORY`, `UPDATE_BLOCK`).
pub async fn write<K: Kernel>(cx: &Cx<'_, K>, doc: &DocId, what: Overwrite) -> Result<Written, ToolError> {
    let kept = what.kept.len();
    if !what.changed {
        return Ok(Written { ids: Vec::new(), kept, changed: false });
    }
    cx.call(api::CREATE_DOC_HISTORY, json!({ "id": doc.as_str() })).await?;
    let body = json!({ "id": doc.as_str(), "dataType": "markdown", "data": what.data });
    let mut ids = written::ids(&cx.call(api::UPDATE_BLOCK, body).await?)?;
    ids.retain(|id| !what.kept.contains(id));
    Ok(Written { ids, kept, changed: true })
}

/// As `write`, as the answer of a call.
pub async fn run<K: Kernel>(cx: &Cx<'_, K>, doc: &DocId, what: Overwrite) -> Result<Output, ToolError> {
    let Written { ids, kept, changed } = write(cx, doc, what).await?;
    Ok(Output::new().with("id", doc.as_str()).with("ids", ids).with("kept", kept).with("changed", changed))
}

/// What the comparison takes for one block of the old text: a block, or lists beside each other.
struct Unit<'a> {
    blocks: &'a [Block],
    /// Its text.
    text: String,
    /// Its text with its attributes.
    whole: String,
}

impl Unit<'_> {
    fn of(blocks: &[Block]) -> Unit<'_> {
        let text: Vec<String> = blocks.iter().map(Block::markdown).collect();
        let kramdown: Vec<&str> = blocks.iter().map(|it| it.kramdown.as_str()).collect();
        let (text, kramdown) = (text.join("\n\n"), kramdown.join("\n\n"));
        Unit { blocks, whole: key(&text, &kramdown), text: said(&text) }
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|it| it.attributes.id())
    }
}

/// Blocks of the old text; lists beside each other are one where the new text has them as one: Markdown
/// cannot tell them apart.
fn units<'a>(old: &'a [Block], new: &BTreeSet<&str>) -> Vec<Unit<'a>> {
    let is_list = |block: &Block| kramdown::first_item(&block.kramdown).is_some();
    let mut units = Vec::new();
    for run in old.chunk_by(|one, next| is_list(one) && is_list(next)) {
        let together = Unit::of(run);
        if run.len() > 1 && new.contains(together.text.as_str()) {
            units.push(together);
        } else {
            units.extend(run.chunks(1).map(Unit::of));
        }
    }
    units
}

/// Pairs the blocks that stay the same, in order, and puts the new text together around them.
fn compare(old: &[Block], markdown: &str) -> Overwrite {
    let new = blocks::split(markdown);
    let new_texts: Vec<String> = new.iter().map(|text| said(&kramdown::strip(text))).collect();
    let units = units(old, &new_texts.iter().map(String::as_str).collect());
    let pairs = paired(&units.iter().map(|it| it.text.clone()).collect::<Vec<_>>(), &new_texts);
    let staying: Vec<Option<&Unit<'_>>> = new
        .iter()
        .zip(&pairs)
        .map(|(text, pair)| {
            let unit = units.get((*pair)?)?;
            // A new block without lists stays whatever the attributes of the old one are.
            let bare = kramdown::attribute_lists(text).is_empty();
            let same = bare || unit.whole == key(&kramdown::strip(text), text);
            (same && unit.ids().count() == unit.blocks.len()).then_some(unit)
        })
        .collect();
    let kept_units = || staying.iter().copied().flatten();
    let mut kept: BTreeSet<String> = kept_units().flat_map(Unit::ids).map(str::to_owned).collect();
    let taken: BTreeSet<String> = kept_units()
        .flat_map(|unit| unit.blocks)
        .flat_map(|block| kramdown::attribute_lists(&block.kramdown))
        .filter_map(|list| list.id().map(str::to_owned))
        .collect();
    let unchanged = kept.len() == old.len() && staying.iter().all(Option::is_some);
    let parts = together(markdown, &new, &staying, &taken);
    let old_ids: BTreeSet<&str> = old.iter().filter_map(|it| it.attributes.id()).collect();
    for text in new.iter().zip(&staying).filter(|(_, unit)| unit.is_none()).map(|(text, _)| text) {
        // A changed block that names its old id keeps it.
        let own = kramdown::blocks(text).pop().and_then(|it| it.attributes.id().map(str::to_owned));
        kept.extend(own.filter(|id| old_ids.contains(id.as_str()) && !taken.contains(id)));
    }
    let new = new.len() + kept_units().map(|it| it.blocks.len() - 1).sum::<usize>();
    Overwrite { data: parts.join("\n\n"), kept, old: old.len(), new, changed: !unchanged }
}

/// The new text: kept blocks as the kernel printed them, what lies between them as the caller wrote it.
fn together(
    markdown: &str,
    new: &[&str],
    staying: &[Option<&Unit<'_>>],
    taken: &BTreeSet<String>,
) -> Vec<String> {
    let mut parts = Vec::new();
    let mut run: Option<(usize, usize)> = None;
    let without_taken = |run: (usize, usize)| {
        let text = markdown.get(run.0..run.1).unwrap_or_default();
        kramdown::rewrite(text, |list| {
            let mut list = list.clone();
            if list.id().is_some_and(|id| taken.contains(id)) {
                list.remove("id");
            }
            (!list.is_empty()).then_some(list)
        })
    };
    let mut from = 0;
    for (text, unit) in new.iter().zip(staying) {
        let start = markdown.get(from..).and_then(|rest| rest.find(text)).map_or(from, |at| from + at);
        from = start + text.len();
        match unit {
            Some(unit) => {
                parts.extend(run.take().map(without_taken));
                parts.extend(unit.blocks.iter().map(|it| it.kramdown.clone()));
            }
            None => run = Some((run.map_or(start, |(first, _)| first), from)),
        }
    }
    parts.extend(run.map(without_taken));
    parts
}

/// For each new block the old one that is the same, in order.
fn paired(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; new.len()];
    // What the other side does not have cannot be paired; without it most comparisons are short.
    let (in_old, in_new): (BTreeSet<&String>, BTreeSet<&String>) =
        (old.iter().collect(), new.iter().collect());
    let (old_at, old): (Vec<usize>, Vec<&String>) =
        old.iter().enumerate().filter(|(_, it)| in_new.contains(it)).unzip();
    let (new_at, new): (Vec<usize>, Vec<&String>) =
        new.iter().enumerate().filter(|(_, it)| in_old.contains(it)).unzip();
    let mut pair = |old_index: usize, new_index: usize| {
        let (old, new) = (old_at.get(old_index).copied(), new_at.get(new_index).copied());
        if let Some(slot) = new.and_then(|at| pairs.get_mut(at)) {
            *slot = old;
        }
    };
    if old.len().saturating_mul(new.len()) > MOST_COMPARISONS {
        for at in (0..old.len().min(new.len())).take_while(|at| old.get(*at) == new.get(*at)) {
            pair(at, at);
        }
        return pairs;
    }
    for operation in capture_diff_slices(Algorithm::Patience, &old, &new) {
        if let DiffOp::Equal { old_index, new_index, len } = operation {
            (0..len).for_each(|at| pair(old_index + at, new_index + at));
        }
    }
    pairs
}

/// Whether two pieces of kramdown say the same, attributes included.
pub fn same(one: &str, other: &str) -> bool {
    key(&kramdown::strip(one), one) == key(&kramdown::strip(other), other)
}

/// What makes two blocks the same: their text, and behind a NUL their attributes.
fn key(text: &str, kramdown: &str) -> String {
    let mut lists: Vec<String> = kramdown::attribute_lists(kramdown).iter().map(sorted).collect();
    lists.sort();
    format!("{}\0{}", said(text), lists.concat())
}

/// A text without what means nothing: blank lines inside of lists and quotes, which the kernel sets its
/// own way, and blanks at line ends.
fn said(text: &str) -> String {
    let exact = text.contains("```") || text.contains("~~~") || text.contains("$$") || text.starts_with('<');
    let lines = text.lines().map(str::trim_end);
    let said: Vec<&str> =
        lines.filter(|line| exact || !line.trim_matches([' ', '\t', '>']).is_empty()).collect();
    said.join("\n")
}

fn sorted(list: &AttributeList) -> String {
    let mut pairs: Vec<(&str, &str)> = list.iter().filter(|(name, _)| *name != "updated").collect();
    pairs.sort_unstable();
    format!("{pairs:?}")
}

/// Refuses to make anew what would not survive it.
fn refuse_fragile(old: &[Block]) -> Result<(), ToolError> {
    let fragile: Vec<Value> = old
        .iter()
        .filter_map(|block| Some(json!({ "id": block.attributes.id()?, "kind": fragile(&block.kramdown)? })))
        .collect();
    if fragile.is_empty() {
        return Ok(());
    }
    Err(ToolError::conflict(
        "The document holds databases, rows of databases, widgets or embeds, which replacing the whole text would lose; nothing was written. Use fs.edit or block.update on the other blocks.",
    )
    .with("blocks", fragile))
}

/// What a block is or holds that does not survive being made anew.
pub fn fragile(kramdown: &str) -> Option<&'static str> {
    if kramdown.contains("data-av-id=") {
        return Some("database");
    }
    if kramdown::attribute_lists(kramdown).iter().any(|it| it.get("custom-avs").is_some()) {
        return Some("database row");
    }
    if kramdown.contains("data-subtype=\"widget\"") {
        return Some("widget");
    }
    let embed = kramdown.lines().any(|line| {
        let line = line.trim_start_matches([' ', '\t', '>']);
        line.starts_with("{{") && !line.starts_with("{{{")
    });
    embed.then_some("embed")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(at: usize) -> String {
        format!("20250101000000-{at:07}")
    }

    /// A document as the kernel prints it.
    fn printed(texts: &[&str]) -> Vec<Block> {
        let blocks: Vec<String> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| format!("{text}\n{{: id=\"{}\" custom-a=\"{at}\"}}", id(at)))
            .collect();
        kramdown::blocks(&blocks.join("\n\n"))
    }

    fn against(old: &[&str], markdown: &str) -> Overwrite {
        compare(&printed(old), markdown)
    }

    #[test]
    fn equal_blocks_keep_id_and_attributes() {
        let what = against(&["# T", "one", "two"], "# T\n\nnew\nline\n\ntwo");
        assert_eq!(what.kept, BTreeSet::from([id(0), id(2)]));
        assert_eq!(
            what.data,
            format!(
                "# T\n{{: id=\"{}\" custom-a=\"0\"}}\n\nnew\nline\n\ntwo\n{{: id=\"{}\" custom-a=\"2\"}}",
                id(0),
                id(2)
            )
        );
        assert_eq!((what.old - what.kept.len(), what.changed), (1, true));
    }

    #[test]
    fn the_same_text_changes_nothing() {
        let what = against(&["# T", "one\ntwo", "- a\n\n  - b"], "# T\n\none  \ntwo\n\n- a\n  - b\n");
        assert!(!what.changed && !what.replaces_much());
    }

    /// Markdown has no way to say that two lists beside each other are two.
    #[test]
    fn lists_beside_each_other_stay_two() {
        let what = against(&["- a", "- b", "c"], "- a\n\n- b\n\nd");
        assert_eq!(what.kept, BTreeSet::from([id(0), id(1)]));
        assert!(what.data.ends_with(&format!("- b\n{{: id=\"{}\" custom-a=\"1\"}}\n\nd", id(1))));
        assert!(!against(&["- a", "- b"], "- a\n\n- b").changed);
    }

    #[test]
    fn blank_lines_in_code_count() {
        assert!(against(&["```\na\n\nb\n```"], "```\na\nb\n```").changed);
    }

    #[test]
    fn nested_ids_stay_with_their_list() {
        let list = format!("- {{: id=\"{}\"}}a\n  {{: id=\"{}\"}}\n{{: id=\"{}\"}}", id(11), id(12), id(10));
        let old = kramdown::blocks(&list);
        let what = compare(&old, "intro\n\n- a");
        assert_eq!(what.data, format!("intro\n\n{list}"));
    }

    #[test]
    fn a_text_with_attributes_of_its_own_wins_and_keeps_its_id() {
        let what = against(
            &["one", "two"],
            &format!("changed\n{{: id=\"{}\"}}\n\ntwo\n{{: id=\"{}\" custom-a=\"9\"}}", id(0), id(1)),
        );
        assert_eq!(what.kept, BTreeSet::from([id(0), id(1)]));
        assert!(
            what.changed && what.data.contains("custom-a=\"9\"") && !what.data.contains("custom-a=\"1\"")
        );
        let same = against(&["one"], &format!("one\n{{: custom-a=\"0\" id=\"{}\"}}", id(0)));
        assert!(!same.changed);
    }

    /// The same id twice would make two blocks of one id.
    #[test]
    fn an_id_of_a_kept_block_is_not_given_again() {
        let what = against(&["one"], &format!("one\n\nother\n{{: id=\"{}\" custom-b=\"1\"}}", id(0)));
        assert_eq!(
            what.data,
            format!("one\n{{: id=\"{}\" custom-a=\"0\"}}\n\nother\n{{: custom-b=\"1\"}}", id(0))
        );
    }

    #[test]
    fn what_would_be_lost_is_refused_by_kind() {
        for (kramdown, kind) in [
            (
                "<div data-type=\"NodeAttributeView\" data-av-id=\"x\" data-av-type=\"table\"></div>",
                Some("database"),
            ),
            ("row\n{: id=\"x\" custom-avs=\"y\"}", Some("database row")),
            ("<iframe data-subtype=\"widget\"></iframe>", Some("widget")),
            ("{{SELECT * FROM blocks}}", Some("embed")),
            ("{{{row\na\n\nb\n}}}", None),
            ("plain", None),
        ] {
            assert_eq!(fragile(kramdown), kind, "{kramdown}");
        }
        let error = refuse_fragile(&printed(&["a", "{{SELECT 1}}"])).unwrap_err();
        assert_eq!(error.details["blocks"], json!([{ "id": id(1), "kind": "embed" }]));
    }

    proptest! {
        /// Whatever is rewritten: the text that is sent says what the caller wrote, and no id stands twice.
        #[test]
        fn the_text_sent_says_what_was_written(
            old in prop::collection::vec("[ab]{1,2}", 0..6),
            new in prop::collection::vec("[abc]{1,2}", 0..6),
        ) {
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            let what = against(&old, &new.join("\n\n"));
            let sent = kramdown::blocks(&format!("{}\n", what.data));
            let said: Vec<String> = sent.iter().flat_map(|it| {
                blocks::split(&it.kramdown).iter().map(|it| kramdown::strip(it)).collect::<Vec<_>>()
            }).collect();
            prop_assert_eq!(&said, &new);
            prop_assert_eq!(what.changed, old != new);
            let ids: Vec<&str> = sent.iter().filter_map(|it| it.attributes.id()).collect();
            prop_assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        }
    }
}
