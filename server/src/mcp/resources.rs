//! Resources in the shape of the protocol (B-110 to B-115).

use puppy_core::error::{ErrorType, ToolError};
use puppy_core::resources::uri::{ACTION_TEMPLATE, DOC_TEMPLATE, Uri};
use puppy_core::resources::{ListPage, ReadScope, ResourceText, fingerprint};
use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};

use super::Handler;
use super::changes::{Print, print};
use super::surface::MARKDOWN;

/// The time a client may cache a resource or a list, in milliseconds: notes change at any time.
pub(super) const TTL_MS: u64 = 1_000;

impl Handler {
    pub(super) async fn resource_page(&self, cursor: Option<&str>) -> Result<ListResourcesResult, ErrorData> {
        let ListPage { items, next } = self.sidecar.resources(cursor).await.map_err(refused)?;
        let items = items.into_iter().map(|it| {
            Resource::new(it.uri, it.title.clone())
                .with_title(it.title)
                .with_description(it.about)
                .with_mime_type(MARKDOWN)
        });
        let mut listed = ListResourcesResult::with_all_items(items.collect())
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Private);
        listed.next_cursor = next;
        Ok(listed)
    }

    pub(super) async fn resource(&self, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let read = async {
            let uri = Uri::parse(uri)?;
            self.sidecar.read_resource(&uri, self.transport).await
        };
        let contents = read.await.map_err(refused)?;
        let contents = contents
            .into_iter()
            .map(|ResourceText { uri, text }| ResourceContents::text(text, uri).with_mime_type(MARKDOWN));
        Ok(ReadResourceResult::new(contents.collect())
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }
}

impl Handler {
    /// The hash of a resource's present state; an address that the caller may not see is refused.
    pub(super) async fn resource_print(&self, uri: &str) -> Result<Option<Print>, ErrorData> {
        let Uri::Document { id, .. } = Uri::parse(uri).map_err(refused)? else {
            return Ok(Some(print(&String::new())));
        };
        let reader = self.sidecar.reader(ReadScope::Document).await.map_err(refused)?;
        match fingerprint(&reader, &id).await.map_err(refused)? {
            Some(now) => Ok(Some(print(&now))),
            None => Err(refused(ToolError::not_found())),
        }
    }
}

/// Both templates, on one page.
pub(super) fn templates() -> ListResourceTemplatesResult {
    let action = ResourceTemplate::new(ACTION_TEMPLATE, "action-help")
        .with_title("Help for an action")
        .with_description("One action in full: what it does, its arguments, level and danger, an example.")
        .with_mime_type(MARKDOWN);
    let document = ResourceTemplate::new(DOC_TEMPLATE, "document")
        .with_title("A document")
        .with_description(
            "A document with its metadata; with depth 1 to 3 also the documents it is linked to, nearest first.",
        )
        .with_mime_type(MARKDOWN);
    ListResourceTemplatesResult::with_all_items(vec![action, document])
        .with_ttl_ms(TTL_MS)
        .with_cache_scope(CacheScope::Private)
}

/// Converts an error for the protocol: an invisible resource and a missing one look the same (B-115).
pub(super) fn refused(error: ToolError) -> ErrorData {
    match error.kind {
        ErrorType::NotFound => ErrorData::resource_not_found(error.message, None),
        ErrorType::Validation => ErrorData::invalid_params(error.message, None),
        _ => ErrorData::internal_error(error.message, None),
    }
}
