//! Versions of documents.

use super::endpoints;
use crate::id::DocId;

endpoints! { "/api/history/";
    /// Saves a version of a document.
    silent CREATE_DOC_HISTORY create_doc_history(id: &DocId) -> () = "createDocHistory" { "id": id };
}
