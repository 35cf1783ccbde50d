//! The help pages: texts for an agent to read before its first call (B-110).

use super::ResourceEntry;
use crate::config::Offer;
use crate::find::{action_named, actions_of};
use crate::render::{result, signature};
use crate::spec::{Danger, Tier, Tool};
use serde_json::{Map, Value};

/// One page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HelpPage {
    /// The choice of a tool.
    ToolOverview,
    /// The kinds of paths and ids.
    PathSemantics,
    /// Calls for common requests.
    Examples,
    /// The layout of good notes.
    AiLayoutGuide,
}

impl HelpPage {
    /// Every page, in order.
    pub const ALL: [HelpPage; 4] =
        [HelpPage::ToolOverview, HelpPage::PathSemantics, HelpPage::Examples, HelpPage::AiLayoutGuide];

    /// The last part of its address.
    pub const fn name(self) -> &'static str {
        match self {
            HelpPage::ToolOverview => "tool-overview",
            HelpPage::PathSemantics => "path-semantics",
            HelpPage::Examples => "examples",
            HelpPage::AiLayoutGuide => "ai-layout-guide",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            HelpPage::ToolOverview => "Which tool for what",
            HelpPage::PathSemantics => "Paths and ids",
            HelpPage::Examples => "Example calls",
            HelpPage::AiLayoutGuide => "Laying out notes",
        }
    }

    const fn about(self) -> &'static str {
        match self {
            HelpPage::ToolOverview => {
                "The tools that are on, when to use which, their actions, and what all calls have in common."
            }
            HelpPage::PathSemantics => {
                "Workspace path, hpath, storage path and id: what each is, what it may contain, and how to convert them."
            }
            HelpPage::Examples => "Calls for common tasks, ready to send.",
            HelpPage::AiLayoutGuide => {
                "What SiYuan's Markdown can do, and how to write documents that people like to read and link."
            }
        }
    }

    pub(super) fn listed(self) -> ResourceEntry {
        ResourceEntry {
            uri: format!("siyuan://help/{}", self.name()),
            title: self.title().to_owned(),
            about: self.about().to_owned(),
        }
    }

    /// The text, with the tools and actions that are offered.
    pub fn text(self, offer: &Offer) -> String {
        match self {
            HelpPage::ToolOverview => overview(offer),
            HelpPage::PathSemantics => include_str!("pages/path-semantics.md").to_owned(),
            HelpPage::Examples => examples(offer),
            HelpPage::AiLayoutGuide => include_str!("pages/ai-layout-guide.md").to_owned(),
        }
    }
}

fn overview(offer: &Offer) -> String {
    let mut out = include_str!("pages/tool-overview.md").trim_end().to_owned();
    for tool in Tool::ALL.into_iter().filter(|tool| offer.has_tool(*tool)) {
        out.push_str(&format!("\n\n## {}\n\n{}\n", tool.name(), tool.purpose()));
        let on: Vec<_> = actions_of(tool).filter(|spec| offer.has(spec)).collect();
        for spec in on.iter().filter(|spec| spec.tier == Tier::Basic) {
            let danger = if spec.danger == Danger::None { "" } else { " *A person may have to approve.*" };
            out.push_str(&format!("\n- `{}`: {}{danger}", signature(spec), spec.summary()));
        }
        let more: Vec<String> = on
            .iter()
            .filter(|spec| spec.tier == Tier::Advanced)
            .map(|spec| format!("`{}`", spec.name))
            .collect();
        if !more.is_empty() {
            out.push_str(&format!("\n- and {}", more.join(", ")));
        }
    }
    out.push('\n');
    out
}

/// A request in words, and the call that answers it.
struct Sample {
    wish: &'static str,
    tool: Tool,
    action: &'static str,
    arguments: &'static str,
    remark: &'static str,
}

const fn sample(
    wish: &'static str,
    tool: Tool,
    action: &'static str,
    arguments: &'static str,
    remark: &'static str,
) -> Sample {
    Sample { wish, tool, action, arguments, remark }
}

const SAMPLES: [Sample; 12] = [
    sample(
        "See what there is",
        Tool::Fs,
        "tree",
        r#"{"depth":2}"#,
        "Each line ends in the document's id; ids are safer than paths in the calls that follow.",
    ),
    sample(
        "Find notes about something",
        Tool::Search,
        "text",
        r#"{"query":"winter pruning","group":"doc"}"#,
        "All words must be in one block. `total` counts all results, `next` continues.",
    ),
    sample(
        "Read a document",
        Tool::Fs,
        "read",
        r#"{"path":"/Garden/Plants/Mint"}"#,
        "Keep `hash`: an edit that sends it as `expect` never overwrites a person's change.",
    ),
    sample(
        "Read one section of a long document",
        Tool::Fs,
        "read",
        r#"{"path":"/Garden/Beds","section":"North bed"}"#,
        "An unknown section returns the headings of the document.",
    ),
    sample(
        "Change some words",
        Tool::Fs,
        "edit",
        r#"{"path":"/Garden/Plants/Mint","edits":[{"old":"in spring","new":"in early spring"}]}"#,
        "`old` must occur exactly once. Everything else stays unchanged, including ids and links.",
    ),
    sample(
        "Add to the end",
        Tool::Fs,
        "write",
        r##"{"path":"/Garden/Jobs","markdown":"- [ ] Order seeds","mode":"append"}"##,
        "Existing text stays unchanged.",
    ),
    sample(
        "Preview a change",
        Tool::Fs,
        "write",
        r#"{"path":"/Garden/Plans/Spring","markdown":"First the beds.","preview":true}"#,
        "Every write takes `preview: true`, which shows what would change or be lost without changing anything.",
    ),
    sample(
        "Create a document",
        Tool::Document,
        "create",
        r#"{"title":"Spring plan","notebook":"Garden","markdown":"First the beds."}"#,
        "Folders are documents too: a document can contain text and have documents below it.",
    ),
    sample(
        "Look documents up by id",
        Tool::Document,
        "info",
        r#"{"ids":["20210808180117-czj9bvb"]}"#,
        "Up to 64 at a time; what you may not see is listed as missing.",
    ),
    sample(
        "Link to a block",
        Tool::Block,
        "append",
        r#"{"id":"20210808180117-czj9bvb","markdown":"See ((20210808180117-6v0mkxr 'the list'))."}"#,
        "A reference keeps working when its target is moved or renamed.",
    ),
    sample(
        "See which tags are used",
        Tool::Tag,
        "list",
        r#"{"sort":"count","limit":20}"#,
        "With `label`, it lists the blocks that have it.",
    ),
    sample(
        "See what you may do where",
        Tool::Notebook,
        "list",
        r"{}",
        "`level` is r, rw or rwd; a notebook that is not listed does not exist for you.",
    ),
];

fn examples(offer: &Offer) -> String {
    let mut out = include_str!("pages/examples.md").trim_end().to_owned();
    for it in &SAMPLES {
        let on = action_named(it.tool, it.action).is_some_and(|spec| offer.has(spec));
        let arguments: Map<String, Value> =
            serde_json::from_slice(it.arguments.as_bytes()).unwrap_or_default();
        if on {
            let call = result::as_call(it.tool, it.action, &arguments);
            out.push_str(&format!("\n\n## {}\n\n`{call}`\n\n{}", it.wish, it.remark));
        }
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use crate::dispatch::Approval;
    use crate::error::ErrorType;
    use crate::testing::{FakeKernel, approved, engine};

    use super::*;
    use crate::config::Switches;

    /// B-112: no example is refused for its arguments.
    #[test]
    fn every_example_of_help_decodes() {
        for it in &SAMPLES {
            let mut call: Value = serde_json::from_str(it.arguments).unwrap();
            call["action"] = Value::from(it.action);
            let reply = approved(&engine(FakeKernel::new()), it.tool, call, Approval::Missing);
            let kind = reply.err().map(|error| (error.kind, error.message));
            assert!(!matches!(kind, Some((ErrorType::Validation, _))), "{}: {kind:?}", it.wish);
        }
    }

    /// B-002, B-003.
    #[test]
    fn switched_off_action_is_in_no_help_page() {
        let mut switches = Switches::default();
        switches.set_tool(Tool::Tag, false);
        switches.set(Tool::Fs, "tree", false);
        let offer = Offer::new(switches, None);
        for page in HelpPage::ALL {
            let text = page.text(&offer);
            assert!(!text.contains("tag(action"), "{}", page.name());
            assert!(!text.contains("\n## tag\n") && !text.contains("tree("), "{}", page.name());
            assert!(!text.contains("`tree"), "{}", page.name());
        }
        assert!(HelpPage::ToolOverview.text(&Offer::default()).contains("\n## tag\n"));
    }

    #[test]
    fn help_pages_begin_with_a_title_and_are_short() {
        for page in HelpPage::ALL {
            let text = page.text(&Offer::default());
            assert!(text.starts_with("# "), "{}", page.name());
            assert!(text.chars().count() < 24_000, "{}: {}", page.name(), text.chars().count());
        }
    }
}
