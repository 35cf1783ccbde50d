//! The caller's own agent and ceiling, as `system.get_info` returns them.

use serde_json::{Value, json};

use crate::permission::Ceiling;
use crate::prelude::*;

/// The agent as which the caller is known, and its ceiling; nothing for a caller without either.
pub(super) fn own_agent(cx: &Cx<'_>) -> Value {
    let known = cx.author().and_then(|it| it.agent.as_ref());
    let ceiling = &cx.grants().ceiling;
    if known.is_none() && *ceiling == Ceiling::OPEN {
        return Value::Null;
    }
    Value::Object(object([
        ("name", json!(known.map(|it| &it.name))),
        ("unknown", json!(known.is_none().then_some(true))),
        ("highest_level", json!(ceiling.level)),
        ("some_notebooks", json!(ceiling.notebooks.is_some().then_some(true))),
    ]))
}
