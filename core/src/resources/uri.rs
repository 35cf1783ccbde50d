//! Addresses of resources: `siyuan://help/...`, `siyuan://doc/{id}{?depth}` and `skill://...` (B-018, B-110, B-111).

use std::fmt;

use super::pages::HelpPage;
use crate::error::ToolError;
use crate::find::action_named;
use crate::id::DocId;
use crate::skills::Skill;
use crate::spec::{ActionSpec, Tool};

/// Template of an action's help.
pub const ACTION_TEMPLATE: &str = "siyuan://help/action/{tool}/{action}";
/// Template of a document.
pub const DOC_TEMPLATE: &str = "siyuan://doc/{id}{?depth}";
/// The maximum number of steps from a document to those it is linked to.
pub const MAX_DEPTH: u8 = 3;

/// The meaning of an address.
#[derive(Debug, Clone)]
pub enum Uri {
    /// A help page.
    Page(HelpPage),
    /// A skill.
    Skill(Skill),
    /// The help of one action.
    Action(&'static ActionSpec),
    /// A document.
    Document {
        /// The document.
        id: DocId,
        /// The number of steps along its links.
        depth: u8,
    },
}

impl Uri {
    /// Parses an address; one without a meaning is `not_found`, like a document that does not exist.
    pub fn parse(text: &str) -> Result<Uri, ToolError> {
        if let Some(skill) = Skill::at(text) {
            return Ok(Uri::Skill(skill));
        }
        let rest = text.strip_prefix("siyuan://").ok_or_else(ToolError::not_found)?;
        if let Some(name) = rest.strip_prefix("help/") {
            return help(name).ok_or_else(ToolError::not_found);
        }
        let rest = rest.strip_prefix("doc/").ok_or_else(ToolError::not_found)?;
        let (id, query) = rest.split_once('?').unwrap_or((rest, ""));
        let id = DocId::parse(id).ok_or_else(ToolError::not_found)?;
        Ok(Uri::Document { id, depth: depth(query)? })
    }
}

/// The address of a document.
pub fn of_document(id: &str) -> String {
    format!("siyuan://doc/{id}")
}

fn help(name: &str) -> Option<Uri> {
    if let Some(page) = HelpPage::ALL.into_iter().find(|page| page.name() == name) {
        return Some(Uri::Page(page));
    }
    let (tool, action) = name.strip_prefix("action/").unwrap_or(name).split_once('/')?;
    action_named(Tool::named(tool)?, action).map(Uri::Action)
}

fn depth(query: &str) -> Result<u8, ToolError> {
    let wrong = || ToolError::field("depth", format!("a whole number from 0 to {MAX_DEPTH}, as ?depth=1"));
    if query.is_empty() {
        return Ok(0);
    }
    let value = query.strip_prefix("depth=").ok_or_else(wrong)?;
    // It is one digit: an address has one form, and no length that a caller chooses.
    let digit = Some(value).filter(|it| it.len() == 1).and_then(|it| it.parse().ok());
    digit.filter(|depth| *depth <= MAX_DEPTH).ok_or_else(wrong)
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uri::Skill(skill) => f.write_str(&skill.uri()),
            Uri::Page(page) => write!(f, "siyuan://help/{}", page.name()),
            Uri::Action(spec) => write!(f, "siyuan://help/action/{}/{}", spec.tool.name(), spec.name),
            Uri::Document { id, depth: 0 } => f.write_str(&of_document(id.as_str())),
            Uri::Document { id, depth } => write!(f, "siyuan://doc/{id}?depth={depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error::ErrorType;

    /// B-111: the short form reads the same page as the long one.
    #[test]
    fn short_addresses_equal_their_long_form() {
        for (text, long) in [
            ("siyuan://help/examples", "siyuan://help/examples"),
            ("siyuan://help/fs/read", "siyuan://help/action/fs/read"),
            ("siyuan://help/action/document/rm", "siyuan://help/action/document/remove"),
            ("siyuan://doc/20210808180117-czj9bvb?depth=2", "siyuan://doc/20210808180117-czj9bvb?depth=2"),
            ("siyuan://doc/20210808180117-czj9bvb?depth=0", "siyuan://doc/20210808180117-czj9bvb"),
        ] {
            assert_eq!(Uri::parse(text).unwrap().to_string(), long);
        }
    }

    #[test]
    fn unknown_address_is_not_found_and_bad_depth_is_reported() {
        for text in
            ["", "http://x", "siyuan://help/no", "siyuan://help/fs/no", "siyuan://doc/x", "siyuan://doc/../x"]
        {
            assert_eq!(Uri::parse(text).unwrap_err().kind, ErrorType::NotFound, "{text}");
        }
        for query in ["depth=4", "depth=-1", "depth", "deep=1", "depth=1&depth=2"] {
            let error = Uri::parse(&format!("siyuan://doc/20210808180117-czj9bvb?{query}")).unwrap_err();
            assert_eq!(error.kind, ErrorType::Validation, "{query}");
        }
    }

    proptest! {
        /// Any text either parses as an address that prints the same, or is refused.
        #[test]
        fn any_address_is_parsed_or_refused(
            text in "(siyuan://)?(help/|doc/|action/)*([a-z]{0,8}|20210808180117-[a-z0-9]{6,8}|\\PC{0,12})[?/]?(depth=)?\\PC{0,6}"
        ) {
            if let Ok(uri) = Uri::parse(&text) {
                let long = uri.to_string();
                prop_assert_eq!(Uri::parse(&long).unwrap().to_string(), long);
            }
        }
    }
}
