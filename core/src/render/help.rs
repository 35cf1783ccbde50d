//! `action: "help"`: a tool in a page, or one action in full; no kernel request (B-022).

use crate::args::nearest;
use crate::config::Switches;
use crate::error::ToolError;
use crate::find::{action_named, actions_of};
use crate::output::{Output, Reply};
use crate::permission::Level;
use crate::render::{constraints, example, result, signature};
use crate::spec::{ActionSpec, Danger, Param, Slot, Tool};

/// Answers a call for help.
pub fn help(tool: Tool, topic: Option<&str>, switches: &Switches) -> Reply {
    let Some(topic) = topic else {
        return Ok(Output::new().body(overview(tool, switches)));
    };
    match action_named(tool, topic) {
        Some(spec) => Ok(Output::new().body(page(spec, Some(switches)))),
        None => {
            let known: Vec<&str> = actions_of(tool).map(|spec| spec.name).collect();
            let near = nearest(topic, known.iter().copied())
                .map(|it| format!("; did you mean `{it}`?"))
                .unwrap_or_default();
            Err(ToolError::field("topic", format!("one of {}{near}", known.join(", "))))
        }
    }
}

fn overview(tool: Tool, switches: &Switches) -> String {
    let mut out = format!("# {}\n\n{}\n", tool.name(), tool.purpose());
    for spec in actions_of(tool) {
        let off = if switches.is_on(spec) { "" } else { " (switched off)" };
        out.push_str(&format!("\n- `{}`{off}: {}", signature(spec), spec.summary()));
    }
    out.push_str("\n\nOne action in full: `action: \"help\", topic: \"<action>\"`.");
    out
}

/// One action in full, as help, resource and reference page show it (B-112).
pub fn page(spec: &ActionSpec, switches: Option<&Switches>) -> String {
    let mut out = format!("# {}\n\n{}\n\n", spec.path(), spec.doc);
    if switches.is_some_and(|switches| !switches.is_on(spec)) {
        out.push_str("**Switched off.** A person can switch it on in SiYuan: Settings of the plugin MCP Puppy, Tools.\n\n");
    }
    let level = spec.level().map_or("none needed".to_owned(), |level| format!("`{level}`"));
    out.push_str(&format!("- Level: {level}\n- Effect: {}\n", spec.worst.word()));
    if let Some(sentence) = spec.danger.sentence() {
        out.push_str(&format!("- Dangerous: {sentence} A person must approve.\n"));
    }
    if !spec.default_on {
        out.push_str("- Off by default\n");
    }
    out.push_str("\n## Arguments\n\n");
    if spec.slots.is_empty() {
        out.push_str("None.\n");
    }
    for slot in spec.slots {
        match slot {
            Slot::One(param) => out.push_str(&argument(param, None)),
            Slot::OneOf(groups, level) => {
                out.push_str("Exactly one of these groups:\n\n");
                for group in *groups {
                    for (at, param) in group.iter().enumerate() {
                        if at > 0 {
                            out.push_str("  with ");
                        }
                        out.push_str(&argument(param, *level));
                    }
                }
                out.push('\n');
            }
        }
    }
    if spec.has_preview() {
        out.push_str("- `preview` (true or false, default false): show what would change, change nothing.\n");
    }
    if spec.danger != Danger::None {
        out.push_str(
            "- `confirm` (text): the `confirm` of a confirmation_required error, once a person has agreed.\n",
        );
    }
    let arguments = example::arguments(spec);
    out.push_str(&format!(
        "\n## Example\n\n`{}`\n\n`{}`\n",
        result::as_call(spec.tool, spec.name, &arguments),
        result::as_command(spec.tool, spec.name, &arguments)
    ));
    out
}

fn argument(param: &Param, of_the_choice: Option<Level>) -> String {
    let needs =
        param.needs.level(of_the_choice).map(|level| format!(", needs `{level}`")).unwrap_or_default();
    format!("- `{}` ({}{needs}): {}\n", param.name, constraints(param), param.doc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::ACTIONS;

    /// Help says of every target, in groups too, the level that a call is judged by.
    #[test]
    fn help_tells_the_level_of_each_target() {
        for spec in ACTIONS {
            let page = page(spec, None);
            for (param, level) in spec.leveled() {
                let start = format!("- `{}` (", param.name);
                let line = page.lines().find_map(|it| {
                    it.trim_start()
                        .strip_prefix("with ")
                        .or(Some(it))
                        .filter(|it| it.trim_start().starts_with(&start))
                });
                let told = level.map(|level| format!(", needs `{level}`)"));
                let told = told.as_deref().is_none_or(|told| line.is_some_and(|line| line.contains(told)));
                assert!(told, "{} {}: {line:?}", spec.path(), param.name);
            }
        }
        let create = crate::find::action_named(Tool::Document, "create").map(|spec| page(spec, None));
        assert!(create.is_some_and(|page| page.contains("- `parent` (id, needs `rw`)")));
    }
}
