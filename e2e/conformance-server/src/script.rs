//! Fixtures that ask the client for something first: rounds of questions, then a text made of the answers.

use std::collections::BTreeMap;

use rmcp::model::{
    ClientCapabilities, InputRequest, InputRequests, InputRequiredResult, InputResponses, RequestStateCodec,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::Deserialize;
use serde_json::{Value, json};

/// What a fixture asks for, round by round.
#[derive(Debug, Deserialize)]
pub(crate) struct Script {
    rounds: Vec<BTreeMap<String, InputRequest>>,
    /// The text at the end; `{/key/content/name}` stands for what was answered there.
    done: String,
    /// Whether the round travels with the client, sealed.
    #[serde(default)]
    sealed: bool,
    /// Whether only that is asked which the client says it can do.
    #[serde(default)]
    as_declared: bool,
}

/// What the client sent back.
pub(crate) struct Returned {
    responses: Option<InputResponses>,
    state: Option<String>,
    capabilities: ClientCapabilities,
}

impl Returned {
    pub(crate) fn new(
        responses: Option<InputResponses>,
        state: Option<String>,
        cx: &RequestContext<RoleServer>,
    ) -> Returned {
        Returned { responses, state, capabilities: cx.client_capabilities().unwrap_or_default() }
    }
}

/// How one request goes on.
pub(crate) enum Step {
    Ask(InputRequiredResult),
    Done(String),
}

impl Script {
    /// The next step; a state that was not sealed here is refused.
    pub(crate) fn step(&self, codec: &RequestStateCodec, returned: &Returned) -> Result<Step, ErrorData> {
        let round = match &returned.state {
            Some(sealed) => codec.open_json::<usize>(sealed).map_err(|_| {
                ErrorData::invalid_params("requestState was not made here, or was changed", None)
            })?,
            None => 0,
        };
        let responses = json!(returned.responses);
        if !self.is_answered(round, &responses, returned) {
            return self.ask(round, codec, returned);
        }
        if round + 1 < self.rounds.len() {
            return self.ask(round + 1, codec, returned);
        }
        Ok(Step::Done(fill(&self.done, &responses)))
    }

    /// Any object is an answer; what else a client sends is asked for again.
    fn is_answered(&self, round: usize, responses: &Value, returned: &Returned) -> bool {
        self.due(round, returned).all(|(key, _)| responses.get(key).is_some_and(Value::is_object))
    }

    fn due<'a>(
        &'a self,
        round: usize,
        returned: &'a Returned,
    ) -> impl Iterator<Item = (&'a String, &'a InputRequest)> {
        let all = self.rounds.get(round).into_iter().flatten();
        all.filter(|(_, request)| !self.as_declared || can(&returned.capabilities, request))
    }

    fn ask(&self, round: usize, codec: &RequestStateCodec, returned: &Returned) -> Result<Step, ErrorData> {
        let requests: InputRequests =
            self.due(round, returned).map(|(key, request)| (key.clone(), request.clone())).collect();
        let state = self.sealed.then(|| codec.seal_json(&round)).transpose();
        let state = state.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(Step::Ask(InputRequiredResult::new(Some(requests), state)))
    }
}

fn can(client: &ClientCapabilities, request: &InputRequest) -> bool {
    match request {
        InputRequest::Elicitation(_) => client.elicitation.is_some(),
        InputRequest::CreateMessage(_) => client.sampling.is_some(),
        InputRequest::ListRoots(_) => client.roots.is_some(),
        _ => false,
    }
}

/// Puts values in the place of `{/json/pointer}`.
pub(crate) fn fill(text: &str, values: &Value) -> String {
    let mut parts = text.split("{/");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (pointer, rest) = part.split_once('}').unwrap_or((part, ""));
        match values.pointer(&format!("/{pointer}")) {
            Some(Value::String(text)) => filled.push_str(text),
            Some(other) => filled.push_str(&other.to_string()),
            None => {}
        }
        filled.push_str(rest);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_answered_stands_in_the_text() {
        let values = json!({ "a": { "b": "x" }, "n": [1] });
        assert_eq!(fill("<{/a/b}> {/n} {/none}.", &values), "<x> [1] .");
        assert_eq!(fill("plain {x}", &values), "plain {x}");
    }
}
