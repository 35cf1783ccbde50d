//! Templates by their path below the folder of templates.

use crate::args::Checked;
use crate::content::template::{self, TemplatePiece};
use crate::kernel::Route;
use crate::kernel::api::template::Template;
use crate::prelude::*;
use crate::spec::Interpreter;

/// The folder of templates.
const FOLDER: &str = "/data/templates/";
/// The largest template, in characters.
pub(super) const LONGEST: usize = 200_000;

/// The routes that `read` calls.
pub(super) const CALLS: &[Route] = &[file::GET_FILE];

/// The path of a template below the folder of templates. It cannot leave the folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TemplatePath(String);

impl TemplatePath {
    /// The path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path from the workspace on.
    pub(super) fn in_workspace(&self) -> String {
        format!("{FOLDER}{}", self.0)
    }
}

impl Checked for TemplatePath {
    const MOST: usize = 256;
    const READ_BY: &'static [Interpreter] = &[];
    const EXPECTED: &'static str = "the path of a template, such as Meeting.md or work/Report.md";

    fn parse(text: &str) -> Result<Self, &'static str> {
        // The kernel lists no hidden files and no README.md, and other systems give some characters a meaning.
        let is_part = |part: &str| !part.trim().is_empty() && part.trim() == part && !part.starts_with('.');
        let odd = |it: char| it.is_control() || "\\:*?\"<>|".contains(it);
        let fits = text.len() <= Self::MOST && text.split('/').all(is_part) && !text.contains(odd);
        let name = text.rsplit('/').next().unwrap_or_default();
        let is_one = name.ends_with(".md") && name.len() > 3 && name != "README.md";
        if fits && is_one { Ok(TemplatePath(text.to_owned())) } else { Err(Self::EXPECTED) }
    }
}

/// The text of a template; `None` if there is none.
pub(super) async fn read(path: &TemplatePath, cx: &Cx<'_>) -> Result<Option<String>, ToolError> {
    cx.declares(CALLS)?;
    let Some(bytes) = cx.read_file(&path.in_workspace()).await? else { return Ok(None) };
    let text =
        String::from_utf8(bytes).map_err(|_| ToolError::conflict("This template is not UTF-8 text."))?;
    Ok(Some(text))
}

/// The template as the kernel lists it.
pub(super) async fn listed(path: &TemplatePath, cx: &Cx<'_>) -> Result<Template, ToolError> {
    let all = cx.ask(crate::kernel::api::template::search_template("")).await?.templates;
    let is_it = |it: &Template| it.path().as_deref() == Some(path.as_str());
    all.into_iter().flatten().find(is_it).ok_or_else(ToolError::not_found)
}

/// The pieces of a template, or the error for the argument of this name.
pub(super) fn pieces<'a>(
    text: &'a str,
    marks: template::Marks,
    field: &str,
) -> Result<Vec<TemplatePiece<'a>>, ToolError> {
    template::pieces(text, marks).map_err(|expected| ToolError::field(field, expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B-059: no path leads out of the folder of templates, on any system.
    #[test]
    fn a_template_lies_in_the_folder_of_templates() {
        for path in ["a.md", "work/Report 1.md", "日記/今日.md"] {
            assert_eq!(TemplatePath::parse(path).map(|it| it.0), Ok(path.to_owned()));
        }
        let long = format!("{}.md", "x".repeat(300));
        for wrong in [
            "",
            ".md",
            "a",
            "a.txt",
            "/a.md",
            "a//b.md",
            "../a.md",
            "a/../b.md",
            "a/..",
            "./a.md",
            "..\\a.md",
            "a\\b.md",
            "C:/a.md",
            "C:a.md",
            ".hidden.md",
            ".git/a.md",
            "a/ ../b.md",
            " a.md",
            "a.md ",
            "a\n.md",
            "a\0.md",
            "README.md",
            "x/README.md",
            "%2e%2e/a.md/..",
            "a.md/",
            "a.md/.",
            "a.md?x",
            "file:///a.md",
            &long,
        ] {
            assert!(TemplatePath::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
