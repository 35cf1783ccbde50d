//! Documents: finding, creating, moving and removing them.

use serde::Deserialize;
use serde_json::json;

use super::endpoints;
use crate::grants::{Filter, Grants, Level, Unfiltered};
use crate::id::{AnyBlock, BlockId, DocId, NotebookId};
use crate::kernel::{NonEmpty, TypedRequest};

endpoints! { "/api/filetree/";
    /// Notebook and storage path of a block's document; always current.
    read GET_PATH_BY_ID get_path_by_id(id: &impl AnyBlock) -> DocLocation = "getPathByID" { "id": id };
    /// The hpath of a document inside its notebook.
    read GET_HPATH_BY_ID get_hpath_by_id(id: &DocId) -> String = "getHPathByID" { "id": id };
    /// The documents at an hpath; several if titles repeat.
    read GET_IDS_BY_HPATH get_ids_by_hpath(notebook: &NotebookId, hpath: &str) -> Vec<DocId>
        = "getIDsByHPath" { "notebook": notebook, "path": hpath };
    /// All documents directly below a storage path, in the person's order.
    read LIST_DOCS_BY_PATH list_docs_by_path(notebook: &NotebookId, below: &str) -> Unfiltered<DocList>
        = "listDocsByPath" { "notebook": notebook, "path": below, "maxListCount": 0, "ignoreMaxListHint": true };
    /// The new title of a document. The id of a block would rename its document, that of a notebook the notebook.
    silent RENAME_DOC_BY_ID rename_doc_by_id(id: &DocId, title: &str) -> ()
        = "renameDocByID" { "id": id, "title": title };
    /// Copies a document beside itself, without the documents below it.
    write DUPLICATE_DOC duplicate_doc(id: &DocId) -> NewDoc = "duplicateDoc" { "id": id };
    /// The person's order of documents. A list that lacks siblings leaves their places unclear.
    silent CHANGE_SORT change_sort(notebook: &NotebookId, paths: NonEmpty<'_, String>) -> ()
        = "changeSort" { "notebook": notebook, "paths": paths };
    /// Today's daily note of a notebook, which is created if it is missing.
    write CREATE_DAILY_NOTE create_daily_note(notebook: &NotebookId) -> NewDoc
        = "createDailyNote" { "notebook": notebook };
    /// Turns a heading with its section into a document below a storage path, `/` for the top, which keeps its id.
    silent HEADING_TO_DOC heading_to_doc(id: &BlockId, notebook: &NotebookId, below: &str, after: Option<&str>) -> ()
        = "heading2Doc" {
            "srcHeadingID": id, "targetNoteBook": notebook, "targetPath": below, "previousPath": after,
        };
    /// Like `HEADING_TO_DOC` for a list item with everything in it.
    silent ITEM_TO_DOC item_to_doc(id: &BlockId, notebook: &NotebookId, below: &str, after: Option<&str>) -> ()
        = "li2Doc" {
            "srcListItemID": id, "targetNoteBook": notebook, "targetPath": below, "previousPath": after,
        };
    /// Turns a document without documents below it into a heading beside a block. A document as the target would lose
    /// the text, and the document itself as the target ends the kernel.
    write DOC_TO_HEADING doc_to_heading(id: &DocId, target: &BlockId, after: bool) -> MovedDoc
        = "doc2Heading" { "srcID": id, "targetID": target, "after": after };
    /// Creates a document from Markdown. An existing id would move that document, so `id` is always a fresh one.
    /// Without a parent, the kernel creates the parents that the hpath names; without the field for Markdown, even an
    /// empty one, it creates nothing.
    write CREATE_DOC_WITH_MD create_doc_with_md(
        id: &DocId, notebook: &NotebookId, hpath: &str, parent: Option<&DocId>, tags: &str, markdown: &str,
    ) -> DocId = "createDocWithMd" {
        "id": id, "notebook": notebook, "path": hpath, "parentID": parent,
        "tags": Some(tags).filter(|it| !it.is_empty()), "markdown": markdown,
    };
    /// Moves documents, with everything below them, below a document; a notebook's own document stands for its top.
    silent MOVE_DOCS_BY_ID move_docs_by_id(ids: NonEmpty<'_, DocId>, to: &DocId) -> ()
        = "moveDocsByID" { "fromIDs": ids, "toID": to };
    /// Deletes a document with everything below it.
    silent REMOVE_DOC_BY_ID remove_doc_by_id(id: &DocId) -> () = "removeDocByID" { "id": id };
}

/// Like [`list_docs_by_path`], in one of the kernel's orders.
pub fn list_docs_sorted(notebook: &NotebookId, below: &str, sort: u8) -> TypedRequest<Unfiltered<DocList>> {
    TypedRequest::json(
        LIST_DOCS_BY_PATH,
        json!({
            "notebook": notebook, "path": below, "sort": sort, "maxListCount": 0, "ignoreMaxListHint": true,
        }),
    )
}

/// The documents below a place in the person's order, also those that they hide in the tree.
pub fn list_docs_in_order(notebook: &NotebookId, below: &str) -> TypedRequest<Unfiltered<DocList>> {
    TypedRequest::json(
        LIST_DOCS_BY_PATH,
        json!({
            "notebook": notebook, "path": below, "sort": 6, "showHidden": true, "maxListCount": 0,
            "ignoreMaxListHint": true,
        }),
    )
}

/// Like [`list_docs_by_path`], with the documents that a person hides in the tree (`custom-hidden`).
pub fn list_all_docs(notebook: &NotebookId, below: &str) -> TypedRequest<Unfiltered<DocList>> {
    TypedRequest::json(
        LIST_DOCS_BY_PATH,
        json!({
            "notebook": notebook, "path": below, "showHidden": true, "maxListCount": 0,
            "ignoreMaxListHint": true,
        }),
    )
}

/// Reply of endpoints that create a document.
#[derive(Debug, Deserialize)]
pub struct NewDoc {
    pub id: DocId,
}

/// Reply of `doc2Heading`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MovedDoc {
    /// The storage path that the document had; empty when the target does not exist and nothing was done.
    pub src_tree_path: String,
}

/// Reply of `getPathByID`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DocLocation {
    /// The notebook's id.
    pub notebook: String,
    /// The document's storage path.
    pub path: String,
}

/// Reply of `listDocsByPath`.
#[derive(Debug, Deserialize)]
pub struct DocList {
    /// The notebook's id.
    #[serde(rename = "box")]
    pub notebook: String,
    /// The documents.
    #[serde(default, deserialize_with = "super::list")]
    pub files: Vec<DocFile>,
}

impl Filter for DocList {
    fn filter(mut self, grants: &Grants) -> Self {
        if grants.level_of(&self.notebook) < Level::Read {
            self.files.clear();
        }
        self
    }
}

/// One document of a list.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocFile {
    pub id: String,
    /// Its title, which the list shortens and escapes; without `.sy`.
    pub name: String,
    /// Its storage path.
    pub path: String,
    /// Its icon; often empty.
    #[serde(default)]
    pub icon: String,
    /// The label of its bookmark; often empty.
    #[serde(default)]
    pub bookmark: String,
    /// Size of the stored file in bytes.
    #[serde(default)]
    pub size: u64,
    /// Time of the last change, in seconds since 1970.
    #[serde(default)]
    pub mtime: u64,
    /// Number of documents directly below.
    #[serde(default)]
    pub sub_file_count: u64,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::create_doc_with_md;
    use crate::id::{DocId, NotebookId};
    use crate::kernel::Body;

    /// Without `markdown` the kernel reports success and creates nothing, so an empty text is sent; without
    /// `parentID` it creates the parents, so null is not sent.
    #[test]
    fn absent_arguments_are_omitted_but_empty_text_is_sent() {
        let id = "20250101000000-aaaaaaa";
        let (doc, notebook) = (DocId::parse(id).unwrap(), NotebookId::parse(id).unwrap());
        let body = |parent, tags| create_doc_with_md(&doc, &notebook, "/A", parent, tags, "").request().body;
        let bare = json!({ "id": id, "notebook": id, "path": "/A", "markdown": "" });
        assert_eq!(body(None, ""), Body::Json(bare.clone()));
        let mut full = bare;
        full["parentID"] = json!(id);
        full["tags"] = json!("a,b");
        assert_eq!(body(Some(&doc), "a,b"), Body::Json(full));
    }
}
