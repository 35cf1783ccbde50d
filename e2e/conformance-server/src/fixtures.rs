//! The tools, resources and prompts that the public conformance suite calls by name.

mod live;
mod script;

use std::sync::Arc;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
    CompleteResult, CompletionInfo, ContentBlock, ElicitationSchema, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt, PromptMessage,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, RequestStateCodec, Resource,
    ResourceContents, ResourceTemplate, Role, ServerCapabilities, ServerConfig, SetLevelRequestParams,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::broadcast;

use live::Live;
use script::{ClientAnswers, Script, Step, fill};

/// The time in milliseconds for which a client may cache a result.
const TTL_MS: u64 = 60_000;

/// `fixtures.json`.
#[derive(Debug, Deserialize)]
struct Data {
    tools: Vec<ToolFixture>,
    resources: Vec<ResourceFixture>,
    template: ResourceTemplate,
    prompts: Vec<PromptFixture>,
}

#[derive(Debug, Deserialize)]
struct ToolFixture {
    tool: Tool,
    #[serde(flatten)]
    does: Does,
}

/// The behaviour of a tool.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Does {
    /// Returns this.
    Answer(CallToolResult),
    /// Asks first, as in the era of 2026.
    Script(Script),
    /// Asks this while it runs, as in the era of 2025.
    Elicit(ElicitationSchema),
    /// Talks with the client while it runs.
    Live(Live),
}

/// The changes that listeners hear of.
#[derive(Debug, Clone, Copy)]
enum Change {
    Tools,
    Prompts,
}

#[derive(Debug, Deserialize)]
struct ResourceFixture {
    resource: Resource,
    contents: ResourceContents,
}

#[derive(Debug, Deserialize)]
struct PromptFixture {
    prompt: Prompt,
    #[serde(flatten)]
    says: Says,
}

/// The content of a prompt.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Says {
    /// A [`GetPromptResult`] whose texts may name arguments.
    Answer(Value),
    /// Asks first.
    Script(Script),
}

/// The handler; clones share everything.
#[derive(Debug, Clone)]
pub(crate) struct Fixtures(Arc<FixtureState>);

#[derive(Debug)]
struct FixtureState {
    data: Data,
    codec: RequestStateCodec,
    changes: broadcast::Sender<Change>,
}

impl Fixtures {
    /// Reads the fixtures.
    pub(crate) fn new() -> Result<Fixtures, String> {
        let data = serde_json::from_str(include_str!("fixtures.json"))
            .map_err(|error| format!("The conformance fixtures cannot be read: {error}."))?;
        let key: Vec<u8> = std::iter::repeat_with(|| fastrand::u8(..)).take(32).collect();
        let codec = RequestStateCodec::try_new(key).map_err(|error| error.to_string())?;
        Ok(Fixtures(Arc::new(FixtureState { data, codec, changes: broadcast::Sender::new(16) })))
    }

    fn tool(&self, name: &str) -> Option<&ToolFixture> {
        self.0.data.tools.iter().find(|it| it.tool.name == name)
    }

    fn tell(&self, change: Change) {
        // Sending fails only when nobody listens.
        let _ = self.0.changes.send(change);
    }

    fn step(&self, script: &Script, returned: &ClientAnswers) -> Result<Step, ErrorData> {
        script.step(&self.0.codec, returned)
    }
}

fn unknown(what: &str) -> ErrorData {
    ErrorData::invalid_params(format!("There is no such {what}."), None)
}

fn internal(error: &dyn std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn done(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .enable_completions()
            .enable_logging()
            .build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new(
            "siyuan-puppy-conformance-fixtures",
            env!("CARGO_PKG_VERSION"),
        ))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tool(name).map(|it| it.tool.clone())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _cx: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.0.data.tools.iter().map(|it| it.tool.clone()).collect();
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let fixture = self.tool(&request.name).ok_or_else(|| unknown("tool"))?;
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let result = match &fixture.does {
            Does::Answer(answer) => answer.clone(),
            Does::Script(script) => {
                match self
                    .step(script, &ClientAnswers::new(request.input_responses, request.request_state, &cx))?
                {
                    Step::Ask(questions) => return Ok(questions.into()),
                    Step::Done(text) => done(&text),
                }
            }
            Does::Elicit(schema) => live::elicit(schema.clone(), &arguments, &cx).await,
            Does::Live(live) => live.run(self, &arguments, &cx).await?,
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _cx: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resources = self.0.data.resources.iter().map(|it| it.resource.clone()).collect();
        Ok(ListResourcesResult::with_all_items(resources)
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _cx: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![self.0.data.template.clone()])
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _cx: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let fixed = self.0.data.resources.iter().find(|it| it.resource.uri == uri);
        let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        let contents = match (fixed, id) {
            (Some(it), _) => it.contents.clone(),
            (None, Some(id)) => {
                let text = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
                ResourceContents::text(text.to_string(), uri).with_mime_type("application/json")
            }
            (None, None) => {
                let data = json!({ "uri": uri });
                return Err(ErrorData::resource_not_found("There is no such resource.", Some(data)));
            }
        };
        let result = ReadResourceResult::new(vec![contents]);
        Ok(result.with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private).into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _cx: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompts = self.0.data.prompts.iter().map(|it| it.prompt.clone()).collect();
        Ok(ListPromptsResult::with_all_items(prompts)
            .with_ttl_ms(TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let named = self.0.data.prompts.iter().find(|it| it.prompt.name == request.name);
        let fixture = named.ok_or_else(|| unknown("prompt"))?;
        let result = match &fixture.says {
            Says::Answer(answer) => {
                let filled = fill(&answer.to_string(), &json!(request.arguments));
                serde_json::from_str(&filled).map_err(|error| internal(&error))?
            }
            Says::Script(script) => {
                match self
                    .step(script, &ClientAnswers::new(request.input_responses, request.request_state, &cx))?
                {
                    Step::Ask(questions) => return Ok(questions.into()),
                    Step::Done(text) => GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]),
                }
            }
        };
        Ok(result.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _cx: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let typed = request.argument.value;
        let values = ["paris", "park", "party"].into_iter().filter(|it| it.starts_with(&typed));
        let values = CompletionInfo::new(values.map(str::to_owned).collect());
        Ok(CompleteResult::new(values.map_err(|error| internal(&error))?))
    }

    async fn set_level(
        &self,
        _request: SetLevelRequestParams,
        _cx: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(
        &self,
        _request: SubscribeRequestParams,
        _cx: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _request: UnsubscribeRequestParams,
        _cx: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.0.changes.subscribe();
        loop {
            let sent = tokio::select! {
                () = context.cancelled() => return Ok(()),
                change = changes.recv() => match change {
                    Ok(Change::Tools) => context.sink().notify_tool_list_changed().await,
                    Ok(Change::Prompts) => context.sink().notify_prompt_list_changed().await,
                    Err(error) => return Err(internal(&error)),
                },
            };
            if let Err(error) = sent {
                tracing::debug!("a subscriber was not sent: {error}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fixtures_can_be_read() {
        let fixtures = Fixtures::new().unwrap();
        assert!(fixtures.get_tool("test_simple_text").is_some());
        assert!(fixtures.get_tool("notebook").is_none());
    }
}
