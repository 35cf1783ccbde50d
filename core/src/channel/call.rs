//! Requests to a page in the form in which they travel: the action's name and arguments, as the caller spelled them.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::message::PageCall;
use crate::id::is_node_id;
use crate::kernel::page::PageRequest;
use crate::output::object;

/// The greatest length of a question, and of an option, in characters.
const QUESTION: usize = 500;
const OPTION: usize = 80;

impl PageCall {
    /// The call for a request.
    pub(super) fn of(request: &PageRequest, call_id: String) -> PageCall {
        let args = match request {
            PageRequest::AskUser { question, options, allow_text, time } => object([
                ("question", json!(question)),
                ("options", json!(options)),
                ("allow_text", json!(allow_text)),
                ("seconds", json!(time.as_secs())),
            ]),
            PageRequest::UiState => Map::new(),
            PageRequest::OpenDocument { id, focus, zoom } => {
                object([("id", json!(id)), ("focus", json!(focus)), ("zoom", json!(zoom))])
            }
            PageRequest::ScrollToBlock { id, open } => object([("id", json!(id)), ("open", json!(open))]),
        };
        let deadline_ms = u64::try_from(request.deadline().as_millis()).unwrap_or(u64::MAX);
        PageCall { call_id, action: request.action().to_owned(), args, deadline_ms }
    }

    /// The request of a call; `None` unless the page understands every argument (B-183).
    pub fn request(&self) -> Option<PageRequest> {
        let args = &self.args;
        let flag = |name: &str| args.get(name)?.as_bool();
        let block = || text(args, "id").filter(|id| is_node_id(id)).map(str::to_owned);
        match self.action.as_str() {
            "ask_user" => {
                let question = text(args, "question").filter(|it| fits(it, QUESTION))?.to_owned();
                let options: Option<Vec<String>> =
                    args.get("options")?.as_array()?.iter().map(option).collect();
                let options = options.filter(|it| it.len() <= 4)?;
                let seconds = args.get("seconds")?.as_u64().filter(|it| (5..=300).contains(it))?;
                let (allow_text, time) = (flag("allow_text")?, Duration::from_secs(seconds));
                Some(PageRequest::AskUser { question, options, allow_text, time })
            }
            "get_ui_state" => args.is_empty().then_some(PageRequest::UiState),
            "open_document" => {
                let (id, focus, zoom) = (block()?, flag("focus")?, flag("zoom")?);
                Some(PageRequest::OpenDocument { id, focus, zoom })
            }
            "scroll_to_block" => {
                let (id, open) = (block()?, flag("open")?);
                Some(PageRequest::ScrollToBlock { id, open })
            }
            _ => None,
        }
    }
}

fn text<'a>(args: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    args.get(name)?.as_str()
}

fn fits(text: &str, most: usize) -> bool {
    !text.trim().is_empty() && text.chars().nth(most).is_none()
}

fn option(value: &Value) -> Option<String> {
    value.as_str().filter(|it| fits(it, OPTION)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::action_named;
    use crate::spec::Tool;

    fn requests() -> [PageRequest; 4] {
        let id = "20250101000000-block00".to_owned();
        let options = vec!["North".to_owned(), "South".to_owned()];
        let (question, time) = ("Which bed?".to_owned(), Duration::from_secs(30));
        [
            PageRequest::AskUser { question, options, allow_text: true, time },
            PageRequest::UiState,
            PageRequest::OpenDocument { id: id.clone(), focus: true, zoom: false },
            PageRequest::ScrollToBlock { id, open: true },
        ]
    }

    /// B-182: names and arguments travel as the caller knows them, with an id and a deadline beside them.
    #[test]
    fn requests_travel_with_their_names_and_arguments() {
        for request in requests() {
            let call = PageCall::of(&request, "c1".to_owned());
            let spec = action_named(Tool::System, &call.action).unwrap();
            for name in call.args.keys() {
                assert!(spec.params().any(|it| it.name == name), "{}.{name}", call.action);
            }
            assert_eq!(u128::from(call.deadline_ms), request.deadline().as_millis());
            assert_eq!(call.request(), Some(request));
        }
    }

    /// B-183: a page does nothing of which it does not understand every argument.
    #[test]
    fn arguments_are_judged_again_in_the_page() {
        let call = |action: &str, args: Value| {
            let Value::Object(args) = args else { panic!("an object") };
            PageCall { call_id: String::new(), action: action.to_owned(), args, deadline_ms: 1 }.request()
        };
        for request in requests() {
            let whole = PageCall::of(&request, String::new());
            for name in whole.args.keys() {
                let mut args = whole.args.clone();
                args.remove(name);
                assert_eq!(call(&whole.action, args.clone().into()), None, "without {name}");
                args.insert(name.clone(), json!([[]]));
                assert_eq!(call(&whole.action, args.into()), None, "{name}");
            }
        }
        let ask = |question: &str, options: Value, seconds: u64| {
            let args =
                json!({ "question": question, "options": options, "allow_text": true, "seconds": seconds });
            call("ask_user", args).is_some()
        };
        assert!(ask("?", json!([]), 5) && ask(&"?".repeat(500), json!(["a"]), 300));
        assert!(!ask(" ", json!([]), 5) && !ask(&"?".repeat(501), json!([]), 5));
        assert!(!ask("?", json!(["a", " "]), 5) && !ask("?", json!(["a".repeat(81)]), 5));
        assert!(!ask("?", json!(["a", "b", "c", "d", "e"]), 5) && !ask("?", json!([]), 301));
        assert_eq!(call("open_document", json!({ "id": "../x", "focus": true, "zoom": true })), None);
        assert_eq!(call("run_script", json!({})), None);
    }
}
