//! The presentation of the tools to clients: their names and the detail of the list (B-006, B-011).

use puppy_core::render::schema::Detail;
use puppy_core::spec::Tool;

/// The media type of documents and help.
pub(super) const MARKDOWN: &str = "text/markdown";

/// The maximum length of a tool's name with its prefix, in characters (B-004).
const NAME_CHARS: usize = 40;

/// The presentation that a person chose for all clients of this process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surface {
    prefix: String,
    detail: Detail,
}

impl Surface {
    /// Prefixed names, and a compact or a full list.
    ///
    /// # Errors
    /// Returns a sentence for the user if a prefix leads to names that clients refuse.
    pub fn new(prefix: &str, compact: bool) -> Result<Surface, String> {
        let plain = prefix.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        let longest = Tool::ALL.into_iter().map(|tool| tool.name().len()).max().unwrap_or_default();
        if !plain || prefix.len() + longest > NAME_CHARS {
            return Err(format!(
                "--tool-prefix takes at most {} letters, digits and underscores, such as siyuan_.",
                NAME_CHARS - longest
            ));
        }
        let detail = if compact { Detail::Compact } else { Detail::Full };
        Ok(Surface { prefix: prefix.to_owned(), detail })
    }

    /// The detail of the list.
    pub(super) fn detail(&self) -> Detail {
        self.detail
    }

    /// The maximum size of the list in bytes, without the prefixes.
    pub(super) fn room(&self) -> usize {
        self.detail.bytes().saturating_sub(Tool::ALL.len() * self.prefix.len())
    }

    /// The name of a tool for clients.
    pub(super) fn name(&self, tool: Tool) -> String {
        format!("{}{}", self.prefix, tool.name())
    }

    /// The tool with this name.
    pub(super) fn tool(&self, name: &str) -> Option<Tool> {
        name.strip_prefix(&self.prefix).and_then(Tool::named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-004, B-011: a prefix that clients would refuse is refused at startup.
    #[test]
    fn invalid_tool_prefix_is_refused_at_startup() {
        for wrong in ["my tools", "a.b", "ä", &"x".repeat(32)] {
            assert!(Surface::new(wrong, false).unwrap_err().contains("--tool-prefix"), "{wrong}");
        }
        let surface = Surface::new("siyuan_", true).unwrap();
        assert_eq!(surface.name(Tool::Fs), "siyuan_fs");
        assert_eq!(surface.tool("siyuan_fs"), Some(Tool::Fs));
        assert_eq!((surface.tool("fs"), Surface::default().tool("fs")), (None, Some(Tool::Fs)));
    }
}
