//! Open windows: asking them to draw something anew. Each answers code 0 whatever it gets.

use super::endpoints;
use crate::id::{AvId, DocId};

endpoints! { "/api/ui/";
    /// Draws a document anew.
    silent RELOAD_PROTYLE reload_protyle(id: &DocId) -> () = "reloadProtyle" { "id": id };
    /// Draws a database anew.
    silent RELOAD_ATTRIBUTE_VIEW reload_attribute_view(id: &AvId) -> () = "reloadAttributeView" { "id": id };
    /// Draws the tree of documents anew.
    silent RELOAD_FILETREE reload_filetree() -> () = "reloadFiletree" {};
    /// Draws the tags anew.
    silent RELOAD_TAG reload_tag() -> () = "reloadTag" {};
}
