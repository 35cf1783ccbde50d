//! Step 1: finds the action that a call names, also by another spelling of its name.

use serde_json::{Map, Value};

use crate::args::{Args, nearest, shown_name, snake_case};
use crate::error::{ErrorType, ToolError};
use crate::fingerprint::Fingerprint;
use crate::registry::ACTIONS;
use crate::spec::{ActionSpec, Effect, Param, Presence, Slot, Tool};

/// Verbs that mean the same in every tool; accepted, never advertised (B-023).
pub const SAME_VERBS: [&[&str]; 3] = [&["list", "ls"], &["remove", "delete", "rm"], &["move", "mv"]];

/// The target of a call.
#[derive(Debug)]
pub(crate) enum CallTarget {
    /// Help, perhaps about one action.
    Help(Option<String>),
    Action(ResolvedCall),
}

/// A call with a known action.
#[derive(Debug)]
pub(crate) struct ResolvedCall {
    /// The declaration.
    pub(crate) spec: &'static ActionSpec,
    /// The arguments, under their declared names.
    pub(crate) arguments: Map<String, Value>,
    /// Whether the call only asks for a preview.
    pub(crate) preview: bool,
    /// The proof that a person agreed, as sent; the gate judges it, and it is never an argument of the action.
    pub(crate) confirm: Option<String>,
}

impl ResolvedCall {
    /// The fingerprint of the call.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_call(self.spec, &self.arguments)
    }
}

/// The actions of a tool.
pub fn actions_of(tool: Tool) -> impl Iterator<Item = &'static ActionSpec> {
    ACTIONS.iter().copied().filter(move |spec| spec.tool == tool)
}

/// The action with this name, with this alias, or with a verb that means the same.
pub fn action_named(tool: Tool, name: &str) -> Option<&'static ActionSpec> {
    let name = snake_case(name);
    let same =
        |it: &str| SAME_VERBS.iter().any(|verbs| verbs.contains(&it) && verbs.contains(&name.as_str()));
    actions_of(tool)
        .find(|spec| spec.name == name)
        .or_else(|| actions_of(tool).find(|spec| spec.aliases.contains(&name.as_str())))
        .or_else(|| actions_of(tool).find(|spec| same(spec.name)))
}

/// Takes `action` and the arguments common to all actions out of a call, and settles the names of the others.
pub(crate) fn find(tool: Tool, mut arguments: Map<String, Value>) -> Result<CallTarget, ToolError> {
    let known: Vec<&str> = actions_of(tool).map(|spec| spec.name).collect();
    let Some(Value::String(name)) = arguments.remove("action") else {
        return Err(ToolError::field("action", format!("one of {}, help", known.join(", "))));
    };
    if name == "help" {
        let topic = arguments.get("topic").and_then(Value::as_str).map(snake_case);
        return Ok(CallTarget::Help(topic));
    }
    let Some(spec) = action_named(tool, &name) else {
        return Err(no_such_action(tool, &name, &known, arguments));
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
            )
            .try_call(spec.tool, spec.name, Value::Object(Args::settled(spec, arguments))));
        }
        Some(_) => return Err(ToolError::field("preview", "true or false")),
    };
    let arguments = Args::settled(spec, arguments);
    Ok(CallTarget::Action(ResolvedCall { spec, arguments, preview, confirm }))
}

/// The error for an action that the tool lacks: it names the tools that have it, or the nearest name.
/// If only one can be meant, it proposes the caller's own call of it.
fn no_such_action(tool: Tool, name: &str, known: &[&str], arguments: Map<String, Value>) -> ToolError {
    // `search.text` means the same in any tool.
    let dotted = name.split_once('.').and_then(|(of, name)| action_named(Tool::named(of)?, name));
    // No action has a name long enough to be cut.
    let is_short = shown_name(name).len() == name.len();
    let others = Tool::ALL.into_iter().filter(|it| is_short && *it != tool);
    let mut elsewhere: Vec<&ActionSpec> = others.filter_map(|it| action_named(it, name)).collect();
    let near = nearest(name, known.iter().copied());
    // A slip is likelier here than a synonym.
    if near.is_some() && !elsewhere.iter().any(|spec| spec.name == snake_case(name)) {
        elsewhere.clear();
    }
    // A tool's name as an action means what that tool is for, if it takes the arguments.
    let of_tool = Tool::named(name).and_then(|of| actions_of(of).find(|spec| takes_all(spec, &arguments)));
    let of_tool = of_tool.filter(|spec| spec.tool != tool && spec.worst == Effect::Read);
    if let Some(spec) = dotted {
        elsewhere = vec![spec];
    } else if let Some(spec) = of_tool {
        elsewhere.insert(0, spec);
    }
    let meant = match elsewhere.as_slice() {
        _ if of_tool.is_some() => of_tool,
        // A slip must not become a loss.
        [] => near.and_then(|near| action_named(tool, near)).filter(|it| it.worst != Effect::Destructive),
        [only] => Some(*only),
        _ => None,
    };
    let hint = match (elsewhere.as_slice(), near) {
        ([], None) => String::new(),
        ([], Some(near)) => format!("; did you mean `{near}`?"),
        (some, _) => {
            let paths: Vec<String> = some.iter().map(|spec| format!("`{}`", spec.path())).collect();
            format!("; there is {}.", paths.join(", "))
        }
    };
    let stop = if hint.is_empty() { "." } else { "" };
    let known = known.join(", ");
    let mut error = ToolError::field("action", format!("one of {known}, help"));
    error.message =
        format!("{} has no action `{}`{hint}{stop} It has {known}, help.", tool.name(), shown_name(name));
    match meant {
        Some(spec) => {
            let arguments = Args::settled(spec, arguments);
            error.try_call(spec.tool, spec.name, Value::Object(arguments))
        }
        None => error,
    }
}

/// Whether an action has all of these arguments, and needs no others.
fn takes_all(spec: &ActionSpec, arguments: &Map<String, Value>) -> bool {
    let settled = Args::settled(spec, arguments.clone());
    let is_given = |it: &Param| settled.contains_key(it.name) || it.presence != Presence::Required;
    let is_known = settled.keys().all(|name| spec.params().any(|it| it.name == name));
    let is_whole = spec.slots.iter().all(|slot| match slot {
        Slot::One(param) => is_given(param),
        Slot::OneOf(groups, _) => groups.iter().any(|group| group.iter().all(is_given)),
    });
    !settled.is_empty() && is_known && is_whole
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(tool: Tool, action: &str) -> String {
        let arguments = Map::from_iter([("action".to_owned(), json!(action))]);
        find(tool, arguments).unwrap_err().message
    }

    /// An error for a missing action of another tool names that tool; a name that is far from any gets no proposal.
    #[test]
    fn missing_action_error_names_the_tool_that_has_it() {
        for spec in ACTIONS {
            for tool in Tool::ALL.into_iter().filter(|it| action_named(*it, spec.name).is_none()) {
                let text = message(tool, spec.name);
                assert!(text.contains(&format!("`{}`", spec.path())), "{text}");
            }
        }
        assert!(message(Tool::Document, "text").contains("there is `search.text`."));
        assert!(message(Tool::Fs, "raed").contains("did you mean `read`?"));
        // The verb has the same meaning.
        let verb = Map::from_iter([("action".to_owned(), json!("delete"))]);
        assert!(
            matches!(find(Tool::Fs, verb), Ok(CallTarget::Action(called)) if called.spec.name == "remove")
        );
        for far in ["add_to_everything", "zzzz", "hello"] {
            let text = message(Tool::Fs, far);
            assert!(!text.contains("did you mean") && !text.contains("there is"), "{text}");
            assert!(text.contains("It has list,") && text.ends_with("help."), "{text}");
        }
    }
}
