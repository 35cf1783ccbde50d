//! Workspace paths `/Notebook/Folder/Doc`, which only `fs` uses.

use crate::id::{DocId, is_node_id, resembles_id};

/// The maximum length of a title that the kernel keeps, in characters.
pub const MAX_TITLE: usize = 512;

/// A path of titles, checked before any request; segments may be ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspacePath {
    segments: Vec<String>,
    /// Whether it was written with a `/` at its end.
    ends_in_slash: bool,
}

impl WorkspacePath {
    /// The workspace itself.
    pub const fn root() -> Self {
        WorkspacePath { segments: Vec::new(), ends_in_slash: false }
    }

    /// Parses a path; the error names the problem.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if is_node_id(text) {
            return Ok(WorkspacePath { segments: vec![text.to_owned()], ends_in_slash: false });
        }
        let Some(rest) = text.strip_prefix('/') else {
            return Err("a path that begins with /, such as /Garden/Plants");
        };
        let ends_in_slash = rest.ends_with('/');
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.is_empty() {
            return Ok(Self::root());
        }
        let segments: Vec<String> = rest.split('/').map(|segment| segment.trim().to_owned()).collect();
        for segment in &segments {
            if segment.is_empty() {
                return Err("a path without empty segments");
            }
            if segment == "." || segment == ".." {
                return Err("a path without . and .. segments");
            }
            if segment.contains(['\n', '\r', '\t']) {
                return Err("a path without line breaks and tabs");
            }
            if segment.chars().count() > MAX_TITLE {
                return Err("a path whose segments have at most 512 characters");
            }
        }
        Ok(WorkspacePath { segments, ends_in_slash })
    }

    /// Whether it is `/`.
    pub fn is_root(&self) -> bool {
        self.segments.is_empty()
    }

    /// Whether it was written with a `/` at its end: a place to put something into, for an action that tells the two
    /// apart.
    pub fn ends_in_slash(&self) -> bool {
        self.ends_in_slash
    }

    /// The only segment, if the path is a bare id: of a document, or of a notebook and thereby of its own document.
    ///
    /// It is the caller's text; the document that may be read at a path is the one that was resolved there.
    pub fn bare_id(&self) -> Option<DocId> {
        match self.segments.as_slice() {
            [only] => DocId::parse(only),
            _ => None,
        }
    }

    /// The first segment: the notebook.
    pub fn notebook(&self) -> Option<&str> {
        self.segments.first().map(String::as_str)
    }

    /// The titles below the notebook.
    pub fn titles(&self) -> &[String] {
        self.segments.get(1..).unwrap_or_default()
    }

    /// The hpath inside the notebook: `/` or `/Folder/Doc`.
    pub fn hpath(&self) -> String {
        format!("/{}", self.titles().join("/"))
    }

    /// The path one segment up, and the title of the last segment.
    pub fn split_last(&self) -> Option<(WorkspacePath, &str)> {
        let (last, parents) = self.segments.split_last()?;
        Some((WorkspacePath { segments: parents.to_vec(), ends_in_slash: false }, last))
    }

    /// The path of a child.
    pub fn child(&self, title: &str) -> WorkspacePath {
        let mut segments = self.segments.clone();
        segments.push(title.to_owned());
        WorkspacePath { segments, ends_in_slash: false }
    }
}

impl std::fmt::Display for WorkspacePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "/{}", self.segments.join("/"))
    }
}

/// Prints a title so that it works as a path segment again; prints the id if the title would not.
///
/// `shared` says whether a sibling has the same title.
pub fn printed_segment(title: &str, id: &str, shared: bool) -> String {
    let unusable = title.trim().is_empty()
        || title.contains(['/', '\n', '\r', '\t'])
        || title == "."
        || title == ".."
        || resembles_id(title);
    if shared || unusable { id.to_owned() } else { title.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_paths_are_refused_before_any_request() {
        for wrong in ["", "Garden", "/a//b", "/..", "/a/./b", "/a\tb", "/a\nb"] {
            assert!(WorkspacePath::parse(wrong).is_err(), "{wrong:?}");
        }
        assert!(WorkspacePath::parse(&format!("/{}", "x".repeat(513))).is_err());
    }

    #[test]
    fn trailing_slash_and_blanks_are_ignored() {
        let path = WorkspacePath::parse("/Garden/ Plants /").unwrap();
        assert_eq!((path.to_string().as_str(), path.hpath().as_str()), ("/Garden/Plants", "/Plants"));
        assert!(path.ends_in_slash() && !WorkspacePath::parse("/Garden").unwrap().ends_in_slash());
        assert!(WorkspacePath::parse("/").unwrap().is_root());
    }

    #[test]
    fn printed_path_segment_parses_again() {
        let id = "20210808180117-czj9bvb";
        for title in ["", "a/b", ".", "..", id, "a\nb"] {
            assert_eq!(printed_segment(title, id, false), id, "{title:?}");
        }
        assert_eq!(printed_segment("Plants", id, false), "Plants");
        assert_eq!(printed_segment("Plants", id, true), id);
    }
}
