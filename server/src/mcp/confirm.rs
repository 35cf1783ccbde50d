//! Asks a person through the client: `elicitation/create` in the older era, `input_required` in the newer.

use std::time::Duration;

use puppy_core::activity::Transport;
use puppy_core::agents::Identity;
use puppy_core::dispatch::{Fingerprint, PlanQuestion};
use rmcp::RoleServer;
use rmcp::model::{
    BooleanSchema, CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, ErrorCode, InputRequest, InputRequests, InputRequiredResult,
    PrimitiveSchemaDefinition,
};
use rmcp::service::{RequestContext, ServiceError};

use crate::caller::Caller;
use crate::gate::{Answer, Client, PATIENCE, Reach, deed_of, form_text};
use crate::http::AgentOfToken;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";
/// The field that must be true, which is also the name of the question.
const CONFIRM: &str = "confirm";
/// rmcp times out a little before the gate, because it also tells the client to withdraw the question.
const GIVE_UP: Duration = PATIENCE.saturating_sub(Duration::from_millis(100));

/// The client of one call.
#[derive(Debug)]
pub(super) struct ClientPrompt<'a> {
    cx: &'a RequestContext<RoleServer>,
    brought: Option<(String, Answer)>,
}

impl<'a> ClientPrompt<'a> {
    pub(super) fn new(
        request: &mut CallToolRequestParams,
        cx: &'a RequestContext<RoleServer>,
    ) -> ClientPrompt<'a> {
        let answers = request.input_responses.take().unwrap_or_default();
        let brought = request.request_state.take().map(|state| {
            let answer = answers.get(CONFIRM).cloned().and_then(|it| serde_json::from_value(it).ok());
            let nothing = Answer::No("The client sent its state back without a person's answer.");
            (state, answer.as_ref().map_or(nothing, meant))
        });
        ClientPrompt { cx, brought }
    }
}

impl Client for ClientPrompt<'_> {
    fn reach(&self) -> Reach {
        let asks = self.cx.client_capabilities().and_then(|it| it.elicitation);
        // A client that names no kind of elicitation supports the original one, a form.
        if !asks.is_some_and(|it| it.form.is_some() || it.url.is_none()) {
            return Reach::Never;
        }
        let older = self.cx.protocol_version().is_none_or(|version| version.has_initialize());
        if older { Reach::Now } else { Reach::NextCall }
    }

    fn brought(&self) -> Option<(&str, Answer)> {
        self.brought.as_ref().map(|(state, answer)| (state.as_str(), *answer))
    }

    fn name(&self) -> String {
        self.cx.client_info().map(|it| it.title.unwrap_or(it.name)).unwrap_or_default()
    }

    fn is_patient(&self) -> bool {
        self.cx.meta.get_progress_token().is_some()
    }

    async fn ask(&self, question: &PlanQuestion) -> Answer {
        match self.cx.peer.create_elicitation_with_timeout(form(question), Some(GIVE_UP)).await {
            Ok(result) => meant(&result),
            Err(ServiceError::McpError(error)) if error.code == ErrorCode::METHOD_NOT_FOUND => Answer::Cannot,
            Err(ServiceError::Timeout { .. }) => Answer::No("The question was not answered in time."),
            Err(_) => Answer::No("The client could not ask the person."),
        }
    }
}

/// The meaning of an answer: only an accept with the field set counts (B-073).
fn meant(result: &ElicitResult) -> Answer {
    let filled = result.content.as_ref().and_then(|it| it.get(CONFIRM)).and_then(serde_json::Value::as_bool);
    match (&result.action, filled) {
        (ElicitationAction::Accept, Some(true)) => Answer::Yes,
        (ElicitationAction::Accept, _) => Answer::No("The question was accepted without ticking its box."),
        (ElicitationAction::Decline, _) => Answer::No("The person declined."),
        _ => Answer::No("The question was closed without an answer."),
    }
}

/// The question as a form with one checkbox, initially not ticked.
fn form(question: &PlanQuestion) -> ElicitRequestParams {
    let tick = BooleanSchema::new().title("Yes, do it").description(deed_of(&question.ask));
    let fields = std::iter::once((CONFIRM.to_owned(), PrimitiveSchemaDefinition::Boolean(tick))).collect();
    let schema = ElicitationSchema::new(fields).with_required(vec![CONFIRM.to_owned()]);
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: form_text(&question.ask),
        requested_schema: schema,
    }
}

/// The answer to a call whose client must ask the person and call again.
pub(super) fn input_required(question: &PlanQuestion, state: String) -> InputRequiredResult {
    let request = InputRequest::Elicitation(ElicitRequest::new(form(question)));
    let requests: InputRequests = std::iter::once((CONFIRM.to_owned(), request)).collect();
    InputRequiredResult::new(Some(requests), Some(state))
}

/// The caller: all requests with the same token in the same session, or the one client over stdio. Without a session
/// the caller's own claim serves as the session, which distinguishes a caller from nobody but itself.
fn principal(cx: &RequestContext<RoleServer>) -> String {
    let head = cx.extensions.get::<axum::http::request::Parts>();
    let said = |name: &str| {
        let value = head.and_then(|it| it.headers.get(name)).map(|it| String::from_utf8_lossy(it.as_bytes()));
        value.unwrap_or_default().into_owned()
    };
    let (token, session) = (said("authorization"), said(SESSION));
    format!("{:?}", Fingerprint::of([token.as_str(), session.as_str()]))
}

/// The mark of an HTTP request that is served in a session that exists. The header of a session proves nothing: a
/// request without one may carry any text in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InSession;

/// The caller of a request. Its requests are known to be of one conversation over stdio and in a session.
pub(super) fn caller(cx: &RequestContext<RoleServer>, transport: Transport, identity: Identity) -> Caller {
    let head = cx.extensions.get::<axum::http::request::Parts>();
    let is_in_session = head.is_none_or(|it| it.extensions.get::<InSession>().is_some());
    let proof = head.and_then(|it| it.extensions.get::<AgentOfToken>()).map(|it| it.0.clone());
    Caller { principal: principal(cx), is_in_session, transport, identity, proof }
}
