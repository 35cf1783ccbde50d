//! The presentation of the tools to clients: names, grouping and the detail of the list (B-006, B-011, B-015).

use puppy_core::clients::sends_listed_arguments_only;
use puppy_core::part::Part;
use puppy_core::registry::ACTIONS;
use puppy_core::render::schema::{Detail, Style};
use puppy_core::spec::Tool;

/// The media type of documents and help.
pub(super) const MARKDOWN: &str = "text/markdown";

/// The maximum length of a tool's name with its prefix, in characters (B-004).
const NAME_CHARS: usize = 40;

/// The length of a prefix for which every list leaves room, so that none of this length changes anything else (B-011).
const ROOM_FOR_PREFIX: usize = 12;

/// The presentation that a person chose for all clients of this process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surface {
    prefix: String,
    style: Style,
}

impl Surface {
    /// Prefixed names, and a list in a style.
    ///
    /// # Errors
    /// Returns a sentence for the user if a prefix leads to names that clients refuse.
    pub fn new(prefix: &str, style: Style) -> Result<Surface, String> {
        let plain = prefix.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        let surface = Surface { prefix: prefix.to_owned(), style };
        let names = surface.tools().map(|(tool, part)| Surface::bare(tool, part).len());
        let longest = names.max().unwrap_or_default();
        if !plain || prefix.len() + longest > NAME_CHARS {
            return Err(format!(
                "--tool-prefix takes at most {} letters, digits and underscores, such as siyuan_.",
                NAME_CHARS - longest
            ));
        }
        Ok(surface)
    }

    /// The grouping and the detail of the list for a client that gives itself this name.
    pub(super) fn style(&self, client: &str) -> Style {
        match self.style {
            Style { grouping, detail: Detail::Full } if sends_listed_arguments_only(client) => {
                Style { grouping, detail: Detail::Complete }
            }
            style => style,
        }
    }

    /// The maximum size of a list in bytes, without the prefixes.
    pub(super) fn room(&self, style: Style) -> usize {
        style.bytes().saturating_sub(self.tools().count() * self.prefix.len().max(ROOM_FOR_PREFIX))
    }

    /// Every tool that there can be in the list, in order.
    fn tools(&self) -> impl Iterator<Item = (Tool, Part)> + use<> {
        let grouping = self.style.grouping;
        Tool::ALL.into_iter().flat_map(move |tool| grouping.parts(tool).iter().map(move |part| (tool, *part)))
    }

    fn bare(tool: Tool, part: Part) -> String {
        format!("{}{}", tool.name(), part.suffix())
    }

    /// The name of a tool for clients.
    pub(super) fn name(&self, tool: Tool, part: Part) -> String {
        format!("{}{}", self.prefix, Surface::bare(tool, part))
    }

    /// The names of all tools that have actions.
    pub(super) fn names(&self) -> Vec<String> {
        let has_actions = |(tool, _): &(Tool, Part)| ACTIONS.iter().any(|spec| spec.tool == *tool);
        self.tools().filter(has_actions).map(|(tool, part)| self.name(tool, part)).collect()
    }

    /// The tool with this name.
    pub(super) fn tool(&self, name: &str) -> Option<(Tool, Part)> {
        self.tools().find(|(tool, part)| self.name(*tool, *part) == name)
    }
}

#[cfg(test)]
mod tests {
    use puppy_core::part::Grouping;

    use super::*;

    /// B-004, B-011: a prefix that clients would refuse is refused at startup.
    #[test]
    fn invalid_tool_prefix_is_refused_at_startup() {
        for wrong in ["my tools", "a.b", "ä", &"x".repeat(32)] {
            assert!(Surface::new(wrong, Style::default()).unwrap_err().contains("--tool-prefix"), "{wrong}");
        }
        let surface = Surface::new("siyuan_", Style::default()).unwrap();
        let fs = Some((Tool::Fs, Part::Whole));
        assert_eq!(surface.name(Tool::Fs, Part::Whole), "siyuan_fs");
        assert_eq!(surface.tool("siyuan_fs"), fs);
        assert_eq!((surface.tool("fs"), Surface::default().tool("fs")), (None, fs));
    }

    /// B-006: a client that obeys schemas gets every argument, unless a person chose a small list.
    #[test]
    fn client_that_obeys_schemas_gets_every_argument() {
        let detail = |detail, client| {
            Surface::new("", Style { detail, ..Style::default() }).unwrap().style(client).detail
        };
        assert_eq!(detail(Detail::Full, "gemini-cli-mcp-client"), Detail::Complete);
        assert_eq!(detail(Detail::Full, "claude-code"), Detail::Full);
        assert_eq!(detail(Detail::Compact, "LM Studio"), Detail::Compact);
        assert_eq!(detail(Detail::Complete, ""), Detail::Complete);
    }

    /// B-011, B-015: the halves of a tool have prefixed names too, and longer ones.
    #[test]
    fn halves_have_names_of_their_own() {
        let split = Style { grouping: Grouping::Split, ..Style::default() };
        let surface = Surface::new("siyuan_", split).unwrap();
        assert_eq!(surface.tool("siyuan_document"), Some((Tool::Document, Part::Reads)));
        assert_eq!(surface.tool("siyuan_document_edit"), Some((Tool::Document, Part::Changes)));
        assert_eq!(surface.tool("siyuan_search_edit"), Some((Tool::Search, Part::Changes)));
        assert_eq!(Surface::default().tool("document_edit"), None);
        let longest = "x".repeat(NAME_CHARS - "flashcard".len());
        assert!(Surface::new(&longest, Style::default()).is_ok());
        assert!(Surface::new(&longest, split).is_err());
    }
}
