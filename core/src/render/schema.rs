//! `tools/list`, derived from the declarations that are on (B-001 to B-007).

use serde_json::{Map, Value};

use super::draft::Draft;
use super::ladder::Ladder;
use crate::config::Switches;
use crate::registry::ACTIONS;
use crate::spec::{ActionSpec, Tool};

/// One tool as a client sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Descriptor {
    /// The tool.
    pub tool: Tool,
    /// The purpose of the tool, the signatures of its actions, and the names of the dangerous ones.
    pub description: String,
    /// A plain object schema.
    pub input_schema: Map<String, Value>,
    /// Whether nothing that is on changes anything.
    pub read_only: bool,
    /// Whether something that is on loses anything.
    pub destructive: bool,
    /// Whether everything that is on can be repeated.
    pub idempotent: bool,
    /// Whether something that is on sends anything out.
    pub open_world: bool,
}

impl Descriptor {
    /// Bytes on the wire, with all four hints and the comma behind it.
    fn bytes(&self) -> usize {
        let told = (self.tool.name(), self.tool.title(), &self.description, &self.input_schema);
        // Serializing strings and a JSON map cannot fail.
        FRAME.len() + serde_json::to_string(&told).map_or(0, |it| it.len())
    }
}

/// The amount of detail in the list of tools (B-006).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// Sentences for actions and arguments; at most 12,000 bytes.
    #[default]
    Full,
    /// Names and shapes; help has the sentences. At most 8,000 bytes.
    Compact,
}

impl Detail {
    /// The maximum size of the whole list in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Detail::Full => 12_000,
            Detail::Compact => 8_000,
        }
    }
}

/// Bytes around the list on the wire.
const LIST_FRAME_BYTES: usize = 120;
/// The keys and hints of a descriptor on the wire; its values and five marks between them come on top.
const FRAME: &str = r#"{"name":"title":"description":"inputSchema":"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}}"#;

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
