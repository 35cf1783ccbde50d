//! `tools/list`, derived from the declarations that are on (B-001 to B-007).

pub use super::descriptor::{Descriptor, Detail};
use super::draft::Draft;
use super::ladder::Ladder;
use crate::config::Offer;
use crate::part::{Grouping, Part};
use crate::registry::ACTIONS;
use crate::spec::{ActionSpec, Tool};

/// Bytes around the list on the wire.
pub const LIST_FRAME_BYTES: usize = 120;

/// The way in which the tools are presented to the clients of a process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// The grouping of actions into tools.
    pub grouping: Grouping,
    /// The amount of detail.
    pub detail: Detail,
}

impl Style {
    /// The maximum size of the whole list in bytes. Halves have a name, a title and a hint each, which takes room.
    pub const fn bytes(self) -> usize {
        match self.grouping {
            Grouping::Grouped => self.detail.bytes(),
            Grouping::Split => self.detail.bytes() + 6_000,
        }
    }
}

/// Every tool that is offered, in order.
pub fn descriptors(offer: &Offer) -> Vec<Descriptor> {
    descriptors_within(offer, Style::default(), Detail::Full.bytes())
}

/// Like `descriptors`, in a given style and number of bytes.
pub fn descriptors_within(offer: &Offer, style: Style, bytes: usize) -> Vec<Descriptor> {
    let those = |is: fn(&Offer, &ActionSpec) -> bool| -> Vec<&ActionSpec> {
        ACTIONS.iter().copied().filter(|spec| is(offer, spec)).collect()
    };
    descriptors_of(&those(Offer::has), &those(Offer::withholds), style, bytes)
}

/// The tools of these actions, with as many rungs of the ladder (`ladder.rs`) as fit, and a mark on those that would
/// have more if a person raised a level.
///
/// The server accepts and decodes an argument that finds no room all the same, and `help` names it (B-004).
/// The list depends on these parameters alone.
pub fn descriptors_of(
    actions: &[&ActionSpec],
    withheld: &[&ActionSpec],
    style: Style,
    bytes: usize,
) -> Vec<Descriptor> {
    let Style { grouping, detail } = style;
    let parts = Tool::ALL.into_iter().flat_map(|tool| grouping.parts(tool).iter().map(move |it| (tool, *it)));
    let among = |all: &[&ActionSpec], (tool, part): (Tool, Part)| {
        all.iter().any(|spec| spec.tool == tool && grouping.part_of(spec) == part)
    };
    let listed: Vec<(Tool, Part)> = parts.clone().filter(|it| among(actions, *it)).collect();
    let mut drafts: Vec<Draft<'_>> = listed
        .iter()
        .enumerate()
        .map(|(place, &(tool, part))| {
            let of_part = |spec: &&ActionSpec| spec.tool == tool && grouping.part_of(spec) == part;
            let on = actions.iter().copied().filter(of_part).collect();
            // A part that is not listed is missed in the other one.
            let mut missed =
                parts.clone().filter(|it| it.0 == tool && (it.1 == part || !listed.contains(it)));
            let has_more = missed.any(|it| among(withheld, it));
            Draft::new((tool, part), place, detail, on, has_more)
        })
        .collect();
    let turns = drafts.iter().map(Draft::turns).max().unwrap_or_default();
    let ladder = Ladder { turns, tools: drafts.len() };
    for draft in &mut drafts {
        draft.bound(ladder);
    }
    let list = |reach| -> Vec<Descriptor> { drafts.iter().map(|it| it.descriptor(reach)).collect() };
    let room = bytes.saturating_sub(LIST_FRAME_BYTES);
    list(ladder.highest(|reach| list(reach).iter().map(Descriptor::bytes).sum::<usize>() <= room))
}
