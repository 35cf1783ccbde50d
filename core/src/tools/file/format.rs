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
pub enum ExportFormat {
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

impl ExportFormat {
    /// The ending of a document in the file of an export.
    pub(super) const fn ending(self) -> &'static str {
        match self {
            ExportFormat::Md | ExportFormat::Csv => "",
            ExportFormat::MdZip => ".md",
            ExportFormat::SyZip => ".sy",
            ExportFormat::Epub => ".epub",
            ExportFormat::Odt => ".odt",
            ExportFormat::Rtf => ".rtf",
            ExportFormat::Opml => ".opml",
            ExportFormat::Org => ".org",
            ExportFormat::Asciidoc => ".adoc",
            ExportFormat::Rst => ".rst",
            ExportFormat::Mediawiki => ".wiki",
            ExportFormat::Textile => ".textile",
        }
    }

    /// The endpoint that converts one document.
    pub(super) const fn route(self) -> Option<Route> {
        Some(match self {
            ExportFormat::Epub => export::EXPORT_EPUB,
            ExportFormat::Odt => export::EXPORT_ODT,
            ExportFormat::Rtf => export::EXPORT_RTF,
            ExportFormat::Opml => export::EXPORT_OPML,
            ExportFormat::Org => export::EXPORT_ORG_MODE,
            ExportFormat::Asciidoc => export::EXPORT_ASCII_DOC,
            ExportFormat::Rst => export::EXPORT_RE_STRUCTURED_TEXT,
            ExportFormat::Mediawiki => export::EXPORT_MEDIA_WIKI,
            ExportFormat::Textile => export::EXPORT_TEXTILE,
            ExportFormat::Md | ExportFormat::MdZip | ExportFormat::SyZip | ExportFormat::Csv => return None,
        })
    }
}
