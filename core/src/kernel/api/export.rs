//! Exports: the kernel writes a file, which lies below `/export/` until SiYuan clears it.
//!
//! The exporter runs query embeds, follows references and prints the rows of databases, whatever notebook they are
//! from.

use serde::Deserialize;

use super::endpoints;
use crate::id::{AvId, BlockId, DocId, NotebookId};
use crate::kernel::{NonEmpty, Route, TypedRequest};

endpoints! { "/api/export/";
    /// Documents as Markdown.
    read EXPORT_MDS export_mds(ids: NonEmpty<'_, DocId>) -> ExportReply = "exportMds" { "ids": ids };
    /// A notebook as Markdown.
    read EXPORT_NOTEBOOK_MD export_notebook_md(id: &NotebookId) -> ExportReply = "exportNotebookMd" { "notebook": id };
    /// Documents in SiYuan's own format.
    read EXPORT_SYS export_sys(ids: NonEmpty<'_, DocId>) -> ExportReply = "exportSYs" { "ids": ids };
    /// A notebook in SiYuan's own format.
    read EXPORT_NOTEBOOK_SY export_notebook_sy(id: &NotebookId) -> ExportReply = "exportNotebookSY" { "id": id };
    /// A database, as the block shows it.
    read EXPORT_ATTRIBUTE_VIEW export_attribute_view(id: &AvId, block: &BlockId) -> ExportReply
        = "exportAttributeView" { "id": id, "blockID": block };
}

macro_rules! converted {
    ($($route:ident = $path:literal,)*) => {
        $(
            /// A document in this format.
            pub const $route: Route = Route::read(concat!("/api/export/", $path));
        )*
        /// Each format that one document is exported to.
        pub const CONVERTED: &[Route] = &[$($route),*];
    };
}
converted! {
    EXPORT_EPUB = "exportEPUB",
    EXPORT_ODT = "exportODT",
    EXPORT_RTF = "exportRTF",
    EXPORT_OPML = "exportOPML",
    EXPORT_ORG_MODE = "exportOrgMode",
    EXPORT_ASCII_DOC = "exportAsciiDoc",
    EXPORT_RE_STRUCTURED_TEXT = "exportReStructuredText",
    EXPORT_MEDIA_WIKI = "exportMediaWiki",
    EXPORT_TEXTILE = "exportTextile",
}

/// A document in the format of a route of [`CONVERTED`].
pub fn converted(route: Route, id: &DocId) -> TypedRequest<ExportReply> {
    TypedRequest::json(route, serde_json::json!({ "id": id }))
}

#[derive(Debug, Deserialize)]
pub struct ExportReply {
    /// The address of the file, `/export/...`, with percent signs; empty when nothing was exported.
    #[serde(default)]
    pub zip: String,
}
