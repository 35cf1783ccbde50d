//! Tools in the shape of the protocol: descriptors, answers, and protection of the process from panics.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use puppy_core::config::Offer;
use puppy_core::error::{ErrorType, ToolError};
use puppy_core::output::Reply;
use puppy_core::render::result::{Audience, error, texts};
use puppy_core::render::schema::{Descriptor, Style, descriptors_within};
use puppy_core::resources;
use puppy_core::spec::Tool;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject, Resource, Tool as McpTool, ToolAnnotations};
use tokio_util::sync::CancellationToken;

use super::surface::{MARKDOWN, Surface};
use crate::aside;

/// The message after a panic.
const MISTAKE: &str = "A bug in siyuan-puppy stopped this call. Its change may be partly done: read before you try again. Other calls work.";

/// Runs a call; a panic in it becomes an error of that call only (B-032).
pub(super) async fn guarded(call: impl Future<Output = Reply>) -> Reply {
    let ended = AssertUnwindSafe(call).catch_unwind().await;
    ended.unwrap_or_else(|_| Err(ToolError::new(ErrorType::Internal, MISTAKE)))
}

/// The same for every other request: rmcp leaves a request that panicked without an answer, and lets a request run on
/// whose client has cancelled it or disconnected, though its place is free by then (B-030). Boxed, because rmcp
/// reserves room for the largest request in the task of every session, and each wrapper around a large future takes its
/// size from the stack.
pub(super) async fn answered<T>(
    cancelled: &CancellationToken,
    request: BoxFuture<'_, Result<T, ErrorData>>,
) -> Result<T, ErrorData> {
    tokio::select! {
        ended = aside::aside(0, AssertUnwindSafe(request).catch_unwind()) => {
            ended.unwrap_or_else(|_| Err(ErrorData::internal_error(MISTAKE, None)))
        }
        // Dropping the request cancels its requests to the kernel.
        () = cancelled.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
    }
}

/// Renders an answer for a client: texts, pictures (B-120), links if the client understands them, and the error flag (B-027, B-080,
/// B-117).
pub(super) fn rendered(tool: Tool, reply: &Reply, links: bool) -> CallToolResult {
    match reply {
        Ok(output) => {
            let mut blocks: Vec<ContentBlock> = texts(output).into_iter().map(ContentBlock::text).collect();
            let pictures = output.pictures.iter();
            blocks.extend(pictures.map(|it| ContentBlock::image(STANDARD.encode(&it.bytes), it.mime)));
            if links {
                blocks.extend(resources::links(tool, output).into_iter().map(|(uri, title)| {
                    ContentBlock::resource_link(Resource::new(uri, title).with_mime_type(MARKDOWN))
                }));
            }
            CallToolResult::success(blocks)
        }
        Err(failed) => {
            CallToolResult::error(vec![ContentBlock::text(error(failed, Audience::Model).to_string())])
        }
    }
}

/// B-025.
pub(super) fn unknown_tool(name: &str, surface: &Surface) -> ErrorData {
    let known = surface.names();
    let near = puppy_core::args::nearest(name, known.iter().map(String::as_str));
    let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
    ErrorData::invalid_params(
        format!("There is no such tool.{near} The tools are {}.", known.join(", ")),
        None,
    )
}

/// A list with the offer and the style that it was drafted for.
type CachedList = (Offer, Style, Arc<[McpTool]>);

/// The lists on one surface, of which those that were drafted last are kept: the ladder is climbed once for each offer,
/// and not again for each request.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    pub(super) surface: Surface,
    kept: Arc<Mutex<VecDeque<CachedList>>>,
}

impl Lists {
    /// The maximum number of lists: switches and levels change one after the other.
    const MOST: usize = 4;

    pub(super) fn new(surface: Surface) -> Lists {
        Lists { surface, kept: Arc::default() }
    }

    /// The list of what is offered to a client that gives itself this name.
    pub(super) fn of(&self, offer: &Offer, client: &str) -> Arc<[McpTool]> {
        let style = self.surface.style(client);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., list)) = kept.iter().find(|it| (&it.0, it.1) == (offer, style)) {
            return list.clone();
        }
        let list: Arc<[McpTool]> = listed(&self.surface, offer, style).into();
        kept.push_front((offer.clone(), style, list.clone()));
        kept.truncate(Self::MOST);
        list
    }
}

/// The list of what is offered, in a style.
pub(super) fn listed(surface: &Surface, offer: &Offer, style: Style) -> Vec<McpTool> {
    let list = descriptors_within(offer, style, surface.room(style));
    list.into_iter().map(|it| described(surface.name(it.tool, it.part), it)).collect()
}

/// A tool for a client, with its display name and the keys that some clients read; all four hints are set (B-007,
/// B-016).
fn described(name: String, tool: Descriptor) -> McpTool {
    let annotations = ToolAnnotations::new()
        .read_only(tool.read_only)
        .destructive(tool.destructive)
        .idempotent(tool.idempotent)
        .open_world(tool.open_world);
    let mut meta = MetaObject::new();
    meta.0.insert(Descriptor::ALWAYS_LOAD.to_owned(), true.into());
    meta.0.extend(tool.hint.map(|hint| (Descriptor::SEARCH_HINT.to_owned(), hint.into())));
    let title = tool.title();
    McpTool::new(name, tool.description, tool.input_schema)
        .with_title(title)
        .with_annotations(annotations)
        .with_meta(meta)
}

#[cfg(test)]
mod tests {
    use puppy_core::permission::Level;
    use puppy_core::registry::ACTIONS;

    use super::*;

    /// B-032.
    #[tokio::test]
    async fn panic_becomes_an_error_of_its_call() {
        let broken = async { panic!("injected") };
        let Err(error) = guarded(broken).await else { panic!("no error") };
        assert_eq!(error.kind, ErrorType::Internal);
        assert!(guarded(async { Ok(puppy_core::output::Output::new()) }).await.is_ok());
    }

    /// B-005: one offer is drafted once; another has a list of its own, and few are kept.
    #[test]
    fn list_is_drafted_once_for_each_offer() {
        let lists = Lists::new(Surface::default());
        let offer = |level| Offer::new(Default::default(), Some(level));
        let list = |level| lists.of(&offer(level), "claude-code");
        let first = list(Level::Write);
        assert!(Arc::ptr_eq(&first, &list(Level::Write)));
        let other = list(Level::None);
        assert_ne!(first.len(), other.len());
        assert_eq!(*other, *listed(&lists.surface, &offer(Level::None), Style::default()));
        for _ in 0..3 {
            let mut switches = puppy_core::config::Switches::default();
            switches.set_tool(Tool::ALL[lists.kept.lock().unwrap().len()], false);
            lists.of(&Offer::new(switches, None), "");
        }
        assert_eq!(lists.kept.lock().unwrap().len(), Lists::MOST);
        assert!(!Arc::ptr_eq(&first, &list(Level::Write)));
    }

    /// B-025.
    #[test]
    fn unknown_tool_error_lists_the_tools() {
        let error = unknown_tool("notebok", &Surface::default());
        assert_eq!(error.code.0, -32602);
        assert!(
            error.message.contains("`notebook`") && error.message.contains("mascot"),
            "{}",
            error.message
        );
        for tool in Tool::ALL {
            let has_actions = ACTIONS.iter().any(|spec| spec.tool == tool);
            assert_eq!(error.message.contains(tool.name()), has_actions, "{}", error.message);
        }
    }
}
