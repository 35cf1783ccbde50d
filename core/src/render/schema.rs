//! `tools/list`, derived from the declarations that are on (B-001 to B-007).

pub use super::descriptor::{Descriptor, Detail};
use super::draft::Draft;
use super::ladder::Ladder;
use crate::config::Switches;
use crate::registry::ACTIONS;
use crate::spec::{ActionSpec, Tool};

/// Bytes around the list on the wire.
const LIST_FRAME_BYTES: usize = 120;

/// Every tool that is on, in order.
pub fn descriptors(switches: &Switches) -> Vec<Descriptor> {
    descriptors_within(switches, Detail::Full, Detail::Full.bytes())
}

/// Like `descriptors`, within a given number of bytes.
pub fn descriptors_within(switches: &Switches, detail: Detail, bytes: usize) -> Vec<Descriptor> {
    let on: Vec<&ActionSpec> = ACTIONS.iter().copied().filter(|spec| switches.is_on(spec)).collect();
    descriptors_of(&on, detail, bytes)
}

/// The tools of these actions, with as many rungs of the ladder (`ladder.rs`) as fit.
///
/// The server accepts and decodes an argument that finds no room all the same, and `help` names it (B-004).
/// The list depends on these parameters alone.
pub fn descriptors_of(actions: &[&ActionSpec], detail: Detail, bytes: usize) -> Vec<Descriptor> {
    let of_tool = |tool: Tool| actions.iter().copied().filter(move |spec| spec.tool == tool);
    let tools = Tool::ALL.into_iter().filter(|tool| of_tool(*tool).next().is_some());
    let mut drafts: Vec<Draft<'_>> = tools
        .enumerate()
        .map(|(place, tool)| Draft::new(tool, place, detail, of_tool(tool).collect()))
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
