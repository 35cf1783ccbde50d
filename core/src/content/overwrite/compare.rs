//! Finds the blocks of a document that its new text keeps, and builds the kramdown that keeps them.

use std::collections::BTreeSet;
use std::convert::Infallible;

use similar::algorithms::{DiffHook, patience};

use super::Overwrite;
use crate::content::kramdown::{self, AttributeList, TopBlock};
use crate::content::referring::ReferringBlocks;
use crate::content::{blocks, hash};
use crate::sorted::IntoSorted as _;

/// The number of possible pairs from which on only a common beginning is searched.
const MOST_COMPARISONS: usize = 100_000_000;

/// The unit of comparison in the old text: one block, or several adjacent lists.
struct Unit<'a> {
    blocks: &'a [TopBlock],
    text: String,
    /// Its text with its attributes.
    whole: String,
}

impl Unit<'_> {
    fn of(blocks: &[TopBlock]) -> Unit<'_> {
        let text: Vec<String> = blocks.iter().map(TopBlock::markdown).collect();
        let kramdown: Vec<&str> = blocks.iter().map(|it| it.kramdown.as_str()).collect();
        let (text, kramdown) = (text.join("\n\n"), kramdown.join("\n\n"));
        Unit { blocks, whole: key(&text, &kramdown), text: said(&text) }
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|it| it.attributes.id())
    }
}

/// The units of the old text. Adjacent lists are one unit where the new text has them as one, because Markdown cannot
/// tell them apart.
fn units<'a>(old: &'a [TopBlock], new: &BTreeSet<&str>) -> Vec<Unit<'a>> {
    let is_list = |block: &TopBlock| kramdown::first_item(&block.kramdown).is_some();
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

/// Pairs the unchanged blocks, in order, and builds the new text around them.
pub(super) fn compare(old: &[TopBlock], markdown: &str) -> Overwrite {
    let new = blocks::split(markdown);
    let new_texts: Vec<String> = new.iter().map(|text| said(&kramdown::strip(text))).collect();
    let units = units(old, &new_texts.iter().map(String::as_str).collect());
    let pairs = paired(&units.iter().map(|it| it.text.clone()).collect::<Vec<_>>(), &new_texts);
    let staying: Vec<Option<&Unit<'_>>> = new
        .iter()
        .zip(&pairs)
        .map(|(text, pair)| {
            let unit = units.get((*pair)?)?;
            // A new block without attribute lists is unchanged whatever the old one's attributes are.
            let bare = kramdown::attribute_lists(text).is_empty();
            let same = bare || unit.whole == key(&kramdown::strip(text), text);
            (same && unit.ids().count() == unit.blocks.len()).then_some(unit)
        })
        .collect();
    let kept_units = || staying.iter().copied().flatten();
    let mut kept: BTreeSet<String> = kept_units().flat_map(Unit::ids).map(str::to_owned).into_set();
    let taken: BTreeSet<String> = kept_units()
        .flat_map(|unit| unit.blocks)
        .flat_map(|block| kramdown::attribute_lists(&block.kramdown))
        .filter_map(|list| list.id().map(str::to_owned))
        .into_set();
    let stays = |block: &&TopBlock| block.attributes.id().is_some_and(|id| kept.contains(id));
    let replaced = old.iter().filter(|it| !stays(it)).map(|it| size(&it.kramdown)).sum();
    let unchanged = kept.len() == old.len() && staying.iter().all(Option::is_some);
    let parts = together(markdown, &new, &staying, &taken);
    let old_ids: BTreeSet<&str> = old.iter().filter_map(|it| it.attributes.id()).into_set();
    for text in new.iter().zip(&staying).filter(|(_, unit)| unit.is_none()).map(|(text, _)| text) {
        // A changed block that names its old id keeps it.
        let own = kramdown::blocks(text).pop().and_then(|it| it.attributes.id().map(str::to_owned));
        kept.extend(own.filter(|id| old_ids.contains(id.as_str()) && !taken.contains(id)));
    }
    let new = new.len() + kept_units().map(|it| it.blocks.len() - 1).sum::<usize>();
    let (title, before) = (String::new(), String::new());
    let data = parts.join("\n\n");
    let referring = ReferringBlocks::default();
    Overwrite { title, data, kept, old: old.len(), new, changed: !unchanged, replaced, before, referring }
}

/// The size of a block: the number of blocks in it that have an attribute list on a line of their own, and of table
/// rows. For a list that is one more than its number of items.
pub fn size(kramdown: &str) -> usize {
    let lines = kramdown.lines().map(|line| line.trim_start_matches([' ', '\t', '>']).trim_end());
    let counts = |line: &&str| (line.starts_with("{: ") && line.ends_with('}')) || line.starts_with('|');
    lines.filter(counts).count().max(1)
}

/// A text with the attributes of each list in alphabetical order, because the kernel's order varies from call to
/// call.
pub fn canonical(kramdown: &str) -> String {
    kramdown::rewrite(kramdown, |list| Some(list.sorted()))
}

/// The hash of a document's text.
pub(super) fn hash_of(blocks: &[TopBlock]) -> String {
    let texts: Vec<String> = blocks.iter().map(TopBlock::markdown).collect();
    hash::of_blocks(texts.iter().map(String::as_str))
}

/// The new text: kept blocks as the kernel printed them, and between them the caller's text.
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

/// For each new block, the equal old one, in order.
fn paired(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; new.len()];
    // A block that the other side lacks cannot be paired; without such blocks, most comparisons are short.
    let [in_old, in_new] = [old, new].map(|all| all.iter().map(String::as_str).into_set());
    let (old_at, old): (Vec<usize>, Vec<&str>) =
        old.iter().map(String::as_str).enumerate().filter(|(_, it)| in_new.contains(it)).unzip();
    let (new_at, new): (Vec<usize>, Vec<&str>) =
        new.iter().map(String::as_str).enumerate().filter(|(_, it)| in_old.contains(it)).unzip();
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
    let mut equal = EqualBlocks(&mut pair);
    let Ok(()) = patience::diff(&mut equal, old.as_slice(), 0..old.len(), new.as_slice(), 0..new.len());
    pairs
}

/// Takes the blocks that a comparison finds equal, and nothing else of it: its operations need 10 kB of code.
struct EqualBlocks<'a>(&'a mut dyn FnMut(usize, usize));

impl DiffHook for EqualBlocks<'_> {
    type Error = Infallible;

    fn equal(&mut self, old_index: usize, new_index: usize, len: usize) -> Result<(), Infallible> {
        (0..len).for_each(|at| (self.0)(old_index + at, new_index + at));
        Ok(())
    }
}

/// Whether two pieces of kramdown are equivalent, attributes included.
pub fn same(one: &str, other: &str) -> bool {
    key(&kramdown::strip(one), one) == key(&kramdown::strip(other), other)
}

/// The key by which two blocks are equal: their text, and after a NUL their attributes.
fn key(text: &str, kramdown: &str) -> String {
    let mut lists: Vec<String> = kramdown::attribute_lists(kramdown).iter().map(sorted).collect();
    lists.sort();
    format!("{}\0{}", said(text), lists.concat())
}

/// A text without the parts that carry no meaning: blank lines inside lists and quotes, which the kernel sets its own
/// way, and blanks at line ends.
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
