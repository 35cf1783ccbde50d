//! The descriptor of one tool in `tools/list`, and how much it may say.

use serde_json::{Map, Value};

use crate::part::Part;
use crate::spec::Tool;

/// The keys and hints of a descriptor on the wire; its values and five marks between them come on top.
const FRAME: &str = r#"{"name":"title":"description":"inputSchema":"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false},"_meta":{"anthropic/alwaysLoad":true}}"#;

/// One tool as a client sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Descriptor {
    /// The tool.
    pub tool: Tool,
    /// The part of it.
    pub part: Part,
    /// The purpose of the tool, the signatures of its actions, and the names of the dangerous ones.
    pub description: String,
    /// The words by which a client finds it, where there is room for them.
    pub hint: Option<&'static str>,
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
    /// A key that some clients read: load this tool at the start, however many others there are.
    pub const ALWAYS_LOAD: &str = "anthropic/alwaysLoad";
    /// A key that some clients read: the words by which they find this tool among others (B-016).
    pub const SEARCH_HINT: &str = "anthropic/searchHint";

    /// The name on the wire, without a prefix.
    pub fn name(&self) -> String {
        format!("{}{}", self.tool.name(), self.part.suffix())
    }

    /// The name for people, as clients show it beside a call.
    pub fn title(&self) -> String {
        let what = match self.part {
            // The tool for the text itself says so: its name says nothing to people.
            Part::Whole if self.tool != Tool::Fs => "",
            Part::Whole if !self.read_only => ": read and write",
            Part::Whole | Part::Reads => ": read",
            Part::Changes => ": edit",
        };
        format!("{}{what}", self.tool.title())
    }

    /// Bytes on the wire, with all four hints and the comma behind it.
    pub fn bytes(&self) -> usize {
        // The key, its colon and the comma, and the quotes of two strings.
        let hint = self.hint.map_or(0, |hint| hint.len() + Self::SEARCH_HINT.len() + 6);
        FRAME.len() + hint + self.serialized().len()
    }

    /// Like `bytes`, in characters.
    pub fn characters(&self) -> usize {
        let beyond = |text: &str| text.len() - text.chars().count();
        self.bytes() - beyond(&self.serialized()) - self.hint.map_or(0, beyond)
    }

    fn serialized(&self) -> String {
        let fields = (self.name(), self.title(), &self.description, &self.input_schema);
        // Serializing strings and a JSON map cannot fail.
        serde_json::to_string(&fields).unwrap_or_default()
    }
}

/// The amount of detail in the list of tools (B-006).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// Sentences for actions and arguments, as far as they fit into 13,500 bytes.
    #[default]
    Full,
    /// Every argument in the schema, for clients that send only these; at most 18,000 bytes.
    Complete,
    /// Names and shapes; help has the sentences. At most 8,000 bytes.
    Compact,
}

impl Detail {
    /// The maximum size of the whole list in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Detail::Full => 13_500,
            Detail::Complete => 18_000,
            Detail::Compact => 8_000,
        }
    }
}
