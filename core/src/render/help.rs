//! `action: "help"`: one page about a tool, or one action in full, without a kernel request (B-022).

use crate::args::nearest;
use crate::config::Offer;
use crate::error::ToolError;
use crate::find::{action_named, actions_of};
use crate::output::{Output, Reply};
use crate::permission::{Level, MORE_ALLOWED};
use crate::render::{constraints, example, result, signature};
use crate::runs::touched::{is_irreversible, leaves_behind};
use crate::spec::{ActionSpec, Danger, Param, Presence, Slot, Tool};

/// Answers a call for help.
pub fn help(tool: Tool, topic: Option<&str>, offer: &Offer) -> Reply {
    let Some(topic) = topic else {
        return Ok(Output::new().body(overview(tool, offer)));
    };
    match action_named(tool, topic) {
        Some(spec) => Ok(Output::new().body(page(spec, Some(offer)))),
        None => {
            let known: Vec<&str> = actions_of(tool).map(|spec| spec.name).collect();
            let near = nearest(topic, known.iter().copied())
                .map(|it| format!("; did you mean `{it}`?"))
                .unwrap_or_default();
            Err(ToolError::field("topic", format!("one of {}{near}", known.join(", "))))
        }
    }
}

fn overview(tool: Tool, offer: &Offer) -> String {
    let mut out = format!("# {}\n\n{}\n", tool.name(), tool.purpose());
    for spec in actions_of(tool).filter(|spec| !offer.withholds(spec)) {
        let off = if offer.is_on(spec) { "" } else { " (turned off)" };
        out.push_str(&format!("\n- `{}`{off}: {}", signature(spec), spec.summary()));
    }
    if actions_of(tool).any(|spec| offer.withholds(spec)) {
        out.push_str(&format!("\n\nNo notebook allows more than this. {MORE_ALLOWED}"));
    }
    out.push_str("\n\nOne action in full: `action: \"help\", topic: \"<action>\"`.");
    out
}

/// One action in full. Help, the resource and the reference page all show this text (B-112).
pub fn page(spec: &ActionSpec, offer: Option<&Offer>) -> String {
    let mut out = format!("# {}\n\n{}\n\n", spec.path(), spec.doc);
    if offer.is_some_and(|offer| offer.withholds(spec)) {
        out.push_str(&format!("**Not allowed in any notebook.** {MORE_ALLOWED}\n\n"));
    }
    if offer.is_some_and(|offer| !offer.is_on(spec)) {
        out.push_str(
            "**Turned off.** A person can turn it on in SiYuan: Settings of the plugin MCP Puppy, Tools.\n\n",
        );
    }
    let level = spec.level().map_or("none needed".to_owned(), |level| format!("`{level}`"));
    out.push_str(&format!("- Level: {level}\n- Effect: {}\n", spec.worst.word()));
    if let Some(sentence) = spec.danger.sentence() {
        let place = if spec.danger.is_for_siyuan() { " in SiYuan" } else { "" };
        out.push_str(&format!("- Dangerous: {sentence} A person must approve{place}.\n"));
    }
    if is_irreversible(spec) {
        out.push_str("- Not all of it can be put back with its run\n");
    } else if leaves_behind(spec) {
        out.push_str("- A file, database or snapshot that it makes stays when its run is put back\n");
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
            Slot::OneOf(groups, level) => out.push_str(&choice(groups, *level)),
        }
    }
    if spec.has_preview() {
        out.push_str(
            "- `preview` (true or false, default false): show what would change without changing anything.\n",
        );
    }
    if spec.danger != Danger::None {
        out.push_str(
            "- `confirm` (text): the `confirm` of a confirmation_required error, after a person has approved.\n",
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

/// A choice between groups: one bullet a group, its arguments nested below.
fn choice(groups: &[&[Param]], level: Option<Level>) -> String {
    let mut out = "- Exactly one of:\n".to_owned();
    for group in groups {
        if let [one] = group {
            out.push_str(&format!("  {}", argument(one, level)));
            continue;
        }
        out.push_str(&format!("  - {}:\n", together(group)));
        for param in *group {
            out.push_str(&format!("    {}", argument(param, level)));
        }
    }
    out
}

/// The names of a group: "`id` and `markdown`, optionally `expect`".
fn together(group: &[Param]) -> String {
    let names = |is_required: bool| {
        let of_kind = group.iter().filter(|it| (it.presence == Presence::Required) == is_required);
        of_kind.map(|it| format!("`{}`", it.name)).collect::<Vec<_>>().join(" and ")
    };
    match (names(true), names(false)) {
        (required, optional) if optional.is_empty() => required,
        (required, optional) => format!("{required}, optionally {optional}"),
    }
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

    /// Help names the level of every target, in groups too, by which a call is judged.
    #[test]
    fn help_names_the_level_of_each_target() {
        for spec in ACTIONS {
            let page = page(spec, None);
            for (param, level) in spec.leveled() {
                let start = format!("- `{}` (", param.name);
                let line = page.lines().find(|it| it.trim_start().starts_with(&start));
                let level_text = level.map(|level| format!(", needs `{level}`)"));
                let level_text = level_text
                    .as_deref()
                    .is_none_or(|level_text| line.is_some_and(|line| line.contains(level_text)));
                assert!(level_text, "{} {}: {line:?}", spec.path(), param.name);
            }
        }
        let create = crate::find::action_named(Tool::Document, "create").map(|spec| page(spec, None));
        assert!(create.is_some_and(|page| page.contains("- `parent` (id, needs `rw`)")));
    }

    /// A group is one bullet that names its arguments; arguments beside the choice are not nested in it.
    #[test]
    fn help_prints_a_group_as_one_bullet() {
        let page = |tool, name| crate::find::action_named(tool, name).map(|spec| page(spec, None));
        let update = page(Tool::Block, "update").unwrap_or_default();
        let bullets = |start: &str| {
            let lines = update.lines().skip_while(|it| *it != "- Exactly one of:").skip(1);
            lines.take_while(|it| it.starts_with("  ")).filter(|it| it.starts_with(start)).count()
        };
        assert!(
            update.contains("\n  - `id` and `markdown`, optionally `expect`:\n    - `id` (id,"),
            "{update}"
        );
        assert!(update.contains("\n  - `updates` (list"), "{update}");
        assert!(update.contains("\n- `keep_attrs` ("), "{update}");
        assert_eq!((bullets("  - "), bullets("    - ")), (2, 3), "{update}");
        let info = page(Tool::Document, "info").unwrap_or_default();
        assert!(info.contains("\n  - `hpath` and `notebook`:\n    - `hpath` (text"), "{info}");
    }
}
