//! Formats of exports: their endpoints, and the endings of their files.

use crate::calls;
use crate::kernel::Route;
use crate::prelude::*;

/// The endpoints of all formats.
pub(super) const CALLS: &[Route] = calls![
    &[
        export::EXPORT_MDS,
        export::EXPORT_NOTEBOOK_MD,
        export::EXPORT_SYS,
        export::EXPORT_NOTEBOOK_SY,
        export::EXPORT_ATTRIBUTE_VIEW,
    ],
    export::CONVERTED,
];

/// Fails at the first step of an action that does not declare every format.
pub(super) fn declared(cx: &Cx<'_>) -> Result<(), ToolError> {
    cx.declares(CALLS)?;
    Ok(())
}

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum Format {
    /// Markdown of one document, as the answer.
    #[default]
    Md,
    /// Markdown files with their assets.
    MdZip,
    /// SiYuan's own files.
    SyZip,
    /// A book.
    Epub,
    /// For word processors.
    Odt,
    /// For word processors.
    Rtf,
    /// An outline.
    Opml,
    /// Org mode.
    Org,
    /// AsciiDoc.
    Asciidoc,
    /// reStructuredText.
    Rst,
    /// MediaWiki.
    Mediawiki,
    /// Textile.
    Textile,
    /// Rows of a database.
    Csv,
}

impl Format {
    /// The ending of a document in the file of an export.
    pub(super) const fn ending(self) -> &'static str {
        match self {
            Format::Md | Format::Csv => "",
            Format::MdZip => ".md",
            Format::SyZip => ".sy",
            Format::Epub => ".epub",
            Format::Odt => ".odt",
            Format::Rtf => ".rtf",
            Format::Opml => ".opml",
            Format::Org => ".org",
            Format::Asciidoc => ".adoc",
            Format::Rst => ".rst",
            Format::Mediawiki => ".wiki",
            Format::Textile => ".textile",
        }
    }

    /// The endpoint that converts one document.
    pub(super) const fn route(self) -> Option<Route> {
        Some(match self {
            Format::Epub => export::EXPORT_EPUB,
            Format::Odt => export::EXPORT_ODT,
            Format::Rtf => export::EXPORT_RTF,
            Format::Opml => export::EXPORT_OPML,
            Format::Org => export::EXPORT_ORG_MODE,
            Format::Asciidoc => export::EXPORT_ASCII_DOC,
            Format::Rst => export::EXPORT_RE_STRUCTURED_TEXT,
            Format::Mediawiki => export::EXPORT_MEDIA_WIKI,
            Format::Textile => export::EXPORT_TEXTILE,
            Format::Md | Format::MdZip | Format::SyZip | Format::Csv => return None,
        })
    }
}
