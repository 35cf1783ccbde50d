//! Prompts and completion in the shape of the protocol (B-118, B-119).

use std::collections::BTreeMap;

use puppy_core::prompts::complete::ArgumentOwner;
use puppy_core::prompts::{PromptEntry, PromptPart};
use puppy_core::spec::{Kind, Param, Presence};
use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, CompleteRequestParams, CompleteResult, CompletionInfo, GetPromptRequestParams,
    GetPromptResult, ListPromptsResult, Prompt, PromptArgument, PromptMessage, Reference, Role,
};

use super::Handler;
use super::resources::{TTL_MS, refused};
use super::surface::MARKDOWN;

impl Handler {
    pub(super) async fn prompt_list(&self) -> ListPromptsResult {
        let prompts = self.sidecar.prompts().await.into_iter().map(listed).collect();
        ListPromptsResult::with_all_items(prompts).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Private)
    }

    pub(super) async fn filled_prompt(
        &self,
        request: GetPromptRequestParams,
    ) -> Result<GetPromptResult, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let filled = self.sidecar.prompt(&request.name, &arguments, self.transport).await;
        // The protocol has no "not found" for prompts: an unknown prompt is an invalid argument.
        let filled = filled.map_err(|error| match error.kind {
            puppy_core::error::ErrorType::NotFound => ErrorData::invalid_params(error.message, None),
            _ => refused(error),
        })?;
        let messages = filled.parts.into_iter().map(|part| match part {
            PromptPart::Text(text) => PromptMessage::new_text(Role::User, text),
            PromptPart::Document(document) => PromptMessage::new_resource(
                Role::User,
                document.uri,
                Some(MARKDOWN.to_owned()),
                Some(document.text),
                None,
                None,
                None,
            ),
        });
        Ok(GetPromptResult::new(messages.collect()).with_description(filled.about))
    }

    pub(super) async fn completion(
        &self,
        request: CompleteRequestParams,
    ) -> Result<CompleteResult, ErrorData> {
        let of = match &request.r#ref {
            Reference::Resource(template) => ArgumentOwner::Template(&template.uri),
            Reference::Prompt(prompt) => ArgumentOwner::Prompt(&prompt.name),
            _ => return Err(ErrorData::invalid_params("`ref` must be a template or a prompt.", None)),
        };
        let others: BTreeMap<String, String> =
            request.context.and_then(|it| it.arguments).unwrap_or_default().into_iter().collect();
        let (name, typed) = (&request.argument.name, &request.argument.value);
        let found = self.sidecar.complete(of, name, typed, &others).await.map_err(refused)?;
        let total = (!found.more).then(|| u32::try_from(found.values.len()).unwrap_or_default());
        let info = CompletionInfo::with_pagination(found.values, total, found.more);
        info.map(CompleteResult::new).map_err(|error| ErrorData::internal_error(error, None))
    }
}

fn listed(prompt: PromptEntry) -> Prompt {
    let arguments: Vec<PromptArgument> = prompt.arguments.iter().map(argument).collect();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    Prompt::new(prompt.name, Some(prompt.about), arguments).with_title(prompt.title)
}

/// An argument; the protocol has no argument types, so the description names the allowed values.
fn argument(it: &Param) -> PromptArgument {
    let limits = match it.kind {
        Kind::Int { low, high } => format!(" ({low} to {high})"),
        Kind::Choice(words) => format!(" ({})", words.join(" | ")),
        Kind::Text { min, max } if min < max => format!(" (at most {max} characters)"),
        _ => String::new(),
    };
    PromptArgument::new(it.name)
        .with_description(format!("{}{limits}", it.doc))
        .with_required(it.presence == Presence::Required)
}
