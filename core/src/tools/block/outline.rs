//! The outline of a document: sections, and their order and levels after a move.

use std::ops::Range;

use crate::kernel::api::block::ChildBlock;
use crate::prelude::*;

/// The new place of a section.
#[derive(Debug, Hash)]
pub(super) enum SectionPlace {
    After(BlockId),
    Into(BlockId),
    Front,
}

/// The blocks of a document in its order, with the levels of headings.
pub(super) type HeadingOutline = Vec<(String, Option<usize>)>;

/// The ids of blocks with the levels of headings.
pub(super) fn outline(children: &[ChildBlock]) -> HeadingOutline {
    let level = |it: &ChildBlock| it.subtype.strip_prefix('h').filter(|_| it.kind == "h")?.parse().ok();
    children.iter().map(|it| (it.id.clone(), level(it))).collect()
}

/// The places of a heading and of the blocks below it.
pub(super) fn section(outline: &[(String, Option<usize>)], id: &str) -> Option<Range<usize>> {
    let at = outline.iter().position(|(it, level)| it == id && level.is_some())?;
    let level = outline.get(at)?.1;
    let below = outline.iter().skip(at + 1).take_while(|(_, it)| it.is_none() || *it > level);
    Some(at..at + 1 + below.count())
}

/// The outline after a move, as the kernel makes it, and the number of levels by which the section rises.
pub(super) fn moved(
    before: &HeadingOutline,
    own: &Range<usize>,
    goal: &SectionPlace,
) -> Option<(HeadingOutline, i64)> {
    const DEEPEST: usize = 6;
    let level_of = |at: usize| before.get(at).and_then(|(_, level)| *level);
    let (level, shift, end) = match goal {
        SectionPlace::After(id) => {
            let other = section(before, id.as_str())?;
            let level = level_of(other.start)?;
            (level, level, other.end)
        }
        SectionPlace::Into(id) => {
            let other = section(before, id.as_str())?;
            let level = level_of(other.start)? + 1;
            let lead = before.get(other.start + 1..other.end)?.iter().take_while(|(_, it)| it.is_none());
            (level.min(DEEPEST), level, other.start + 1 + lead.count())
        }
        SectionPlace::Front => {
            let first = before.iter().position(|(_, level)| level.is_some())?;
            // The first section stays as it is.
            let level = level_of(first)?;
            (level, level, first)
        }
    };
    let rises = i64::try_from(level_of(own.start)?).ok()? - i64::try_from(shift).ok()?;
    let inner = |at: usize| {
        let inner = usize::try_from(i64::try_from(level_of(at)?).ok()? - rises).ok()?;
        Some(inner.min(DEEPEST))
    };
    let new = |at: usize| if at == own.start { Some(level) } else { inner(at) };
    let section = own.clone().filter_map(|at| Some((before.get(at)?.0.clone(), new(at))));
    let stays = |at: &usize| !own.contains(at);
    let part = |range: Range<usize>| range.filter(stays).filter_map(|at| before.get(at).cloned());
    Some((part(0..end).chain(section).chain(part(end..before.len())).collect(), rises))
}
