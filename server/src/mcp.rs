//! MCP: one hand-written handler over the registry, and the only place that uses rmcp.

mod changes;
mod confirm;
mod conversation;
mod events;
mod greeting;
mod lines;
#[expect(deprecated, reason = "clients of the older era ask for it")]
mod logging;
mod offline;
mod progress;
mod prompts;
mod resources;
mod running;
mod sessions;
mod skills;
mod stdio;
mod streamable;
mod surface;
mod tools;

use std::sync::Arc;
use std::time::Instant;

use axum::http::request::Parts;
use futures_util::FutureExt;
use puppy_core::activity::Transport;
use puppy_core::agents::Identity;
use puppy_core::config::Offer;
use puppy_core::dispatch::Call;
use puppy_core::find;
#[expect(deprecated, reason = "clients of the older era ask for it")]
use rmcp::model::SetLevelRequestParams;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, Extensions,
    GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio_util::task::TaskTracker;

use crate::gate::Client;
use crate::http::AgentOfToken;
use crate::{Sidecar, UncheckedToken, aside};
use changes::announcer::{Announcer, SharedClientState};
use changes::subscribing::NewSubscriptions;
use conversation::Conversation;
use logging::Log;
use tools::{Lists, answered, guarded, rendered, unknown_tool};

pub(crate) use confirm::InSession;
pub(crate) use offline::offline;
pub(crate) use sessions::Sessions;
pub use stdio::serve as serve_stdio;
pub use streamable::McpRoutes;
pub(crate) use streamable::endpoint;
pub use surface::Surface;

/// The log target of the protocol library.
pub(crate) const LIBRARY: &str = "rmcp";

/// The time a client may cache the list of tools, in milliseconds: the time the switches are cached.
const LIST_TTL_MS: u64 = 1_000;

/// The handler of one session; its clones share the state of the process.
#[derive(Debug, Clone)]
pub(crate) struct Handler {
    sidecar: Sidecar,
    lists: Lists,
    transport: Transport,
    /// The running calls, so that a stop lets them finish.
    running: TaskTracker,
    /// The changes that this session's client has been notified of.
    known: SharedClientState,
    announcer: Announcer,
    subscribing: NewSubscriptions,
    log: Log,
    /// The name that the process was given for its client, over stdio.
    agent: Option<Arc<str>>,
    conversation: Arc<Conversation>,
}

impl Handler {
    fn new(
        sidecar: &Sidecar,
        lists: Lists,
        transport: Transport,
        running: TaskTracker,
        announcer: Announcer,
    ) -> Handler {
        let (known, subscribing, log) =
            (SharedClientState::default(), NewSubscriptions::default(), Log::default());
        // A sidecar is for a person until a request identifies its caller.
        let sidecar = sidecar.known_as(Identity::Unknown);
        let conversation = Conversation::new(sidecar.channel.clone());
        Handler {
            sidecar,
            lists,
            transport,
            running,
            known,
            announcer,
            subscribing,
            log,
            agent: None,
            conversation,
        }
    }

    /// The same for the client of a process that was given a name for it.
    fn named(self, agent: Option<String>) -> Handler {
        Handler { agent: agent.map(Arc::from), ..self }
    }

    /// The handler for one request: everything that it reaches is under the ceiling of the caller. For a request that was
    /// admitted without asking SiYuan, SiYuan fails with the original error.
    fn for_request(&self, cx: &RequestContext<RoleServer>) -> Handler {
        self.under(&cx.extensions, cx.client_info().as_ref())
    }

    fn under(&self, extensions: &Extensions, client: Option<&Implementation>) -> Handler {
        let marks = extensions.get::<Parts>().map(|it| &it.extensions);
        let sidecar = match marks.and_then(|it| it.get::<UncheckedToken>()) {
            Some(UncheckedToken(why)) => &self.sidecar.away(why.clone()),
            None => &self.sidecar,
        };
        Handler { sidecar: sidecar.known_as(self.identity(client, marks)), ..self.clone() }
    }

    /// The way in which a caller is known: over HTTP by its token alone, over stdio by the name that the process or its client has.
    fn identity(&self, client: Option<&Implementation>, marks: Option<&axum::http::Extensions>) -> Identity {
        match marks {
            Some(marks) => match marks.get::<AgentOfToken>() {
                Some(AgentOfToken(proof)) => Identity::Proved(proof.agent().to_owned()),
                None => Identity::Unknown,
            },
            None => match (&self.agent, client) {
                (Some(name), _) => Identity::Given(name.to_string()),
                (None, Some(client)) => Identity::Claimed(client.name.clone()),
                (None, None) => Identity::Unknown,
            },
        }
    }

    /// Notifies the client of a changed offer, with its next call or list (B-010, B-015).
    async fn tell_of_change(&self, offer: &Offer, listing: bool, cx: &RequestContext<RoleServer>) {
        self.announcer.used();
        // Clients of the newer era receive changes on their subscription only.
        if is_older(cx)
            && self.known.tools(offer, listing)
            && let Err(error) = cx.peer.notify_tool_list_changed().await
        {
            tracing::debug!("a client could not be notified that the tools changed: {error}");
        }
    }

    /// Carries out a call and renders its answer.
    async fn called(
        &self,
        mut request: CallToolRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some((tool, part)) = self.lists.surface.tool(&request.name) else {
            return Err(unknown_tool(&request.name, &self.lists.surface));
        };
        running::short(&cx.id, cx.meta.get_progress_token().as_ref())?;
        if self.running.is_closed() {
            return Err(ErrorData::internal_error("siyuan-puppy is stopping; start it again", None));
        }
        let _running = self.running.token();
        let began = Instant::now();
        let action = request.arguments.as_ref().and_then(|it| it.get("action")).and_then(|it| it.as_str());
        let what = format!(
            "{}.{}",
            tool.name(),
            find::action_named(tool, action.unwrap_or_default()).map_or("help", |it| it.name)
        );
        let asking = confirm::ClientPrompt::new(&mut request, &cx);
        let here = self.for_request(&cx);
        let sidecar = &here.sidecar;
        let caller = confirm::caller(&cx, self.transport, sidecar.cache.identity().clone());
        let client = Client::name(&asking);
        let gate = sidecar.gate(asking, caller.clone());
        let session = caller.session();
        self.conversation.note(session);
        let arguments = request.arguments.unwrap_or_default();
        let call = Call { tool, arguments, part, transport: self.transport, client };
        let reply = tokio::select! {
            reply = progress::reporting(&what, &cx, guarded(sidecar.dispatch_in(session, call, &gate))) => reply,
            // Dropping the call cancels its request to the kernel (B-030).
            () = cx.ct.cancelled() => return Err(ErrorData::internal_error("cancelled", None)),
        };
        // Uses the policy of the call itself: reading a newer one would delay the answer.
        if let Some(offer) = here.sidecar.known().and_then(|policy| policy.known_offer()) {
            self.tell_of_change(&offer, false, &cx).await;
        }
        self.log.call(&what, &reply, began.elapsed(), &cx).await;
        Ok(match gate.into_open() {
            Some((question, state)) => confirm::input_required(&question, state).into(),
            None => rendered(tool, &reply, understands_links(&cx)).into(),
        })
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        greeting::greeting()
    }

    async fn on_initialized(&self, cx: NotificationContext<RoleServer>) {
        let peer = cx.peer.peer_info();
        let here = self.under(&cx.extensions, peer.as_ref().map(|it| &it.client_info));
        self.announcer.join(&self.known, cx, &here.sidecar);
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        cx: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(request)?;
        let here = self.for_request(&cx);
        let offer = async { Ok(here.sidecar.policy().await.offer()) };
        let offer = answered(&cx.ct, offer.boxed()).await?;
        self.tell_of_change(&offer, true, &cx).await;
        let client = cx.client_info().map(|it| it.name).unwrap_or_default();
        Ok(ListToolsResult::with_all_items(self.lists.of(&offer, &client).to_vec())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        cx: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.announcer.used();
        let here = self.for_request(&cx);
        let cursor = request.and_then(|it| it.cursor);
        answered(&cx.ct, here.resource_page(cursor.as_deref()).boxed()).await
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _cx: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(request)?;
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let here = self.for_request(&cx);
        Ok(answered(&cx.ct, here.resource(&request.uri).boxed()).await?.into())
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        _cx: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        one_page(request)?;
        Ok(skills::listed())
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _cx: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        skills::one(&request.uri)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        cx: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.announcer.used();
        one_page(request)?;
        let here = self.for_request(&cx);
        answered(&cx.ct, async { Ok(here.prompt_list().await) }.boxed()).await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let here = self.for_request(&cx);
        Ok(answered(&cx.ct, here.filled_prompt(request).boxed()).await?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let here = self.for_request(&cx);
        answered(&cx.ct, here.completion(request).boxed()).await
    }

    #[expect(deprecated, reason = "clients of the older era ask for it")]
    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _cx: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.log.set(request.level);
        Ok(())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // A resource that cannot be read cannot be subscribed to.
        let here = self.for_request(&cx);
        let now = answered(&cx.ct, here.resource_print(&request.uri).boxed()).await?;
        self.known.subscribe(request.uri, now)
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _cx: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.known.unsubscribe(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let accepted = Handler::accepted(requested);
        self.begin(&accepted);
        Some(accepted)
    }

    async fn listen(&self, listener: SubscriptionContext) -> Result<(), ErrorData> {
        self.notify(listener).await;
        Ok(())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let size = request.arguments.as_ref().map_or(0, aside::size_of);
        // Boxed, because rmcp reserves room for the largest request in the task of every session.
        Box::pin(aside::aside(size, self.called(request, cx))).await
    }
}

/// Whether a request belongs to the era that begins with `initialize`.
fn is_older(cx: &RequestContext<RoleServer>) -> bool {
    cx.protocol_version().is_none_or(|version| version.has_initialize())
}

/// Whether the client understands resource links, which came with the revision of June 2025.
fn understands_links(cx: &RequestContext<RoleServer>) -> bool {
    cx.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2025_06_18)
}

/// Refuses a cursor: every list has one page.
fn one_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|it| it.cursor) {
        Some(_) => Err(ErrorData::invalid_params("This list has one page; leave `cursor` out.", None)),
        None => Ok(()),
    }
}
