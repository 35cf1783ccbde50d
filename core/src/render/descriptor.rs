//! The descriptor of one tool in `tools/list`, and how much it may say.

use serde_json::{Map, Value};

use crate::spec::Tool;

/// The keys and hints of a descriptor on the wire; its values and five marks between them come on top.
const FRAME: &str = r#"{"name":"title":"description":"inputSchema":"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}}"#;

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
    pub(super) fn bytes(&self) -> usize {
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
