//! `file.save_template`: creates or changes a template.
//!
//! People put templates into documents without reading them again. So the text passes the gate of incoming Markdown
//! with a word for each action, it is saved in the form in which every value is words, and what SiYuan makes of it for a
//! hostile document passes the gate again.

use super::templates::{self, TemplatePath};
use crate::content::incoming::{self, Incoming, ReplacedContent};
use crate::content::kramdown;
use crate::content::template::{self as source, Marks, TemplatePiece, TemplateUse};
use crate::id::is_node_id;
use crate::prelude::*;

/// Create or change a template.
///
/// Actions may compute, but not read notes. The saved text prints each value as words: letters, digits and single marks between them. A paragraph with actions must be plain text. A template with if, range or with must be plain text throughout.
#[derive(Debug, Action)]
#[action(
    file.save_template,
    some = Write,
    effect = When(Self::replaces, Destructive),
    danger = When(Self::replaces, "Replaces the template {name}."),
    deed = Overwrite(Never),
    idempotent = true,
    calls = [block::GET_BLOCK_KRAMDOWN, file::PUT_FILE, template::RENDER_SPRIG, ..templates, ..incoming],
    examples = [
        { "template": "{new}.md", "text": "## .action{now | date \"2006-01-02\"}" },
        { "template": "{template}", "id": "{doc}", "overwrite": true },
    ],
)]
pub struct SaveTemplate {
    /// Path below the templates folder, ending in .md.
    pub template: TemplatePath,
    /// The source.
    #[needs(Read)]
    #[one_of]
    pub source: TemplateSource,
    /// Whether to replace an existing template.
    pub overwrite: Flag<false>,
}

/// The source of the new template.
#[derive(Debug, OneOf)]
pub enum TemplateSource {
    /// The content as text.
    #[read_by(Template, Markdown, Html, Css, Embed, Script, Drawing)]
    Text(Text<1, { templates::LONGEST }>),
    /// The document or block.
    #[target]
    Id(DocId),
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    text: String,
    old: Option<String>,
}

impl Change for SaveTemplate {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let (text, kept) = match &self.source {
            TemplateSource::Text(text) => (text.as_str().to_owned(), ReplacedContent::nothing()),
            TemplateSource::Id(id) => {
                let kramdown = cx.ask(block::get_block_kramdown(id)).await?.kramdown;
                (as_template(&kramdown), ReplacedContent::of(&kramdown))
            }
        };
        let text = settled(&text, &kept, cx).await?;
        let old = templates::read(&self.template, cx).await?;
        if old.as_ref().is_some_and(|old| *old != text) && !self.overwrite.is_set() {
            let message =
                "A template with that name exists. Choose another name, or set `overwrite` to replace it.";
            return Err(ToolError::conflict(message).with("template", self.template.as_str()));
        }
        let path = self.template.as_str();
        Ok(Plan::new("save", Facts { text, old })
            .show("template", path)
            .about(ThingKind::Template, Things::of([Thing::titled(path)]))
            .touching(1, path))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { text, old } = plan.facts;
        let changed = old.as_ref() != Some(&text);
        if changed {
            cx.write_file(&self.template.in_workspace(), text.into_bytes()).await?;
        }
        Ok(Output::new().with("template", self.template.as_str()).with("changed", changed))
    }
}

impl SaveTemplate {
    #[allow(clippy::unused_self, reason = "the plan alone decides, and conditions are methods")]
    fn replaces(&self, plan: &Plan<Facts>) -> bool {
        plan.facts.old.as_ref().is_some_and(|old| *old != plan.facts.text)
    }
}

/// The text of a document for other documents: without the ids of blocks and the times of their changes. The kernel
/// prints attributes in any order; here it is always the same, because a person approves this text.
fn as_template(kramdown: &str) -> String {
    kramdown::rewrite(without_document(kramdown), |list| {
        let mut list = list.sorted();
        if list.id().is_some_and(is_node_id) {
            list.retain(|name, _| !matches!(name, "id" | "updated"));
        }
        (!list.is_empty()).then_some(list)
    })
}

/// Kramdown of a document without the document's own attributes, which the kernel prints last.
fn without_document(kramdown: &str) -> &str {
    let text = kramdown.trim_end();
    match text.rsplit_once("\n{:") {
        Some((before, list)) if list.contains("type=\"doc\"") && !list.contains('\n') => before.trim_end(),
        _ => text,
    }
}

/// The text that is saved.
async fn settled(text: &str, kept: &ReplacedContent, cx: &Cx<'_>) -> Result<String, ToolError> {
    let wrong = |expected| ToolError::field("text", expected);
    let settled = source::settle(&text.replace("\r\n", "\n"), (Marks::File, TemplateUse::Note), "text")?;
    let sent = settled.with_word("word");
    incoming::refuse_embeds_in("text", "a template", &sent)?;
    let Incoming { markdown, ids_dropped } = incoming::check(cx, &sent, kept).await?;
    if !ids_dropped.is_empty() {
        return Err(wrong("a template without ids of blocks").with("ids", ids_dropped));
    }
    if !settled.has_actions() {
        // A reference was completed with the text of its block.
        return match source::pieces(&markdown, Marks::File).as_deref() {
            Ok([] | [TemplatePiece::Text(_)]) => Ok(markdown),
            _ => Err(wrong("a template whose references have a text of their own, ((id 'text'))")),
        };
    }
    if markdown != sent {
        let expected = "a template with actions whose references have a text, ((id 'text')), whose code blocks are closed, and whose attribute lists have the form {: name=\"value\"} and none of SiYuan's own names";
        return Err(wrong(expected));
    }
    let printed = settled.printed();
    // The second lock: what SiYuan makes of it for a document that tries everything.
    let pieces = templates::pieces(&printed, Marks::File, "text")?;
    let filled = cx.ask(template::render_sprig(&source::with_braces(&pieces, source::HOSTILE))).await?;
    let filled = incoming::check(cx, &filled, kept).await?;
    if filled.ids_dropped.is_empty() { Ok(printed) } else { Err(wrong("a template without ids of blocks")) }
}

#[cfg(test)]
#[path = "save_template_tests.rs"]
mod tests;
