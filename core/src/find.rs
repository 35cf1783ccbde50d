//! Step 1: which action is meant, by name or by another spelling of it.

use serde_json::{Map, Value};

use crate::args::{nearest, snake_case, told};
use crate::error::{ErrorType, ToolError};
use crate::registry::ACTIONS;
use crate::spec::{ActionSpec, Tool};

/// Verbs that mean the same in every tool; accepted, never advertised (B-023).
pub const SAME_VERBS: [&[&str]; 3] = [&["list", "ls"], &["remove", "delete", "rm"], &["move", "mv"]];

/// What a call asks for.
#[derive(Debug)]
pub(crate) enum Found {
    /// Help, with the name of an action.
    Help(Option<String>),
    /// An action.
    Action {
        /// Its declaration.
        spec: &'static ActionSpec,
        /// Whether it is to be shown only.
        preview: bool,
        /// What was sent to show that a person agreed; judged by the gate, never an argument of the action.
        confirm: Option<String>,
    },
}

/// The actions of a tool.
pub fn actions_of(tool: Tool) -> impl Iterator<Item = &'static ActionSpec> {
    ACTIONS.iter().copied().filter(move |spec| spec.tool == tool)
}

/// The action of a name, its alias, or a verb that means the same.
pub fn action_named(tool: Tool, name: &str) -> Option<&'static ActionSpec> {
    let name = snake_case(name);
    let same =
        |it: &str| SAME_VERBS.iter().any(|verbs| verbs.contains(&it) && verbs.contains(&name.as_str()));
    actions_of(tool)
        .find(|spec| spec.name == name)
        .or_else(|| actions_of(tool).find(|spec| spec.aliases.contains(&name.as_str())))
        .or_else(|| actions_of(tool).find(|spec| same(spec.name)))
}

/// Takes `action` and what belongs to every action out of the arguments.
pub(crate) fn find(tool: Tool, arguments: &mut Map<String, Value>) -> Result<Found, ToolError> {
    let known: Vec<&str> = actions_of(tool).map(|spec| spec.name).collect();
    let Some(Value::String(name)) = arguments.remove("action") else {
        return Err(ToolError::field("action", format!("one of {}, help", known.join(", "))));
    };
    if name == "help" {
        let topic = arguments.get("topic").and_then(Value::as_str).map(snake_case);
        return Ok(Found::Help(topic));
    }
    let Some(spec) = action_named(tool, &name) else {
        let near = nearest(&name, known.iter().copied()).unwrap_or("help");
        let message = format!(
            "{} has no action `{}`; did you mean `{near}`? It has {}.",
            tool.name(),
            told(&name),
            known.join(", ")
        );
        let mut error = ToolError::field("action", format!("one of {}, help", known.join(", ")));
        error.message = message;
        return Err(error);
    };
    let confirm = match arguments.remove("confirm") {
        None | Some(Value::Null) => None,
        Some(Value::String(token)) => Some(token),
        Some(_) => {
            return Err(ToolError::field(
                "confirm",
                "the `confirm` of a confirmation_required error, as text",
            ));
        }
    };
    let preview = match arguments.remove("preview") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(preview)) if spec.has_preview() => preview,
        Some(Value::Bool(_)) => {
            return Err(ToolError::new(
                ErrorType::Validation,
                format!("{} only reads, so it has no `preview`.", spec.path()),
            ));
        }
        Some(_) => return Err(ToolError::field("preview", "true or false")),
    };
    Ok(Found::Action { spec, preview, confirm })
}
