//! `file.save_template`: creates or changes a template.
//!
//! People put templates into documents without reading them again. So the text passes the gate of incoming Markdown,
//! with each action in it as a word and as nothing, and actions may hold no text that could become markup.

use super::templates::{self, TemplatePath};
use crate::content::incoming::{self, Kept};
use crate::content::kramdown;
use crate::content::template::{self, Marks, Piece};
use crate::id::is_node_id;
use crate::prelude::*;

/// Create or change a template.
#[derive(Debug, Action)]
#[action(
    file.save_template,
    some = Write,
    effect = When(Self::replaces, Destructive),
    danger = When(Self::replaces, "Replaces the template {name}."),
    idempotent = true,
    calls = [block::GET_BLOCK_KRAMDOWN, file::PUT_FILE, ..templates, ..incoming],
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
    pub source: Source,
    /// Whether an existing one is replaced.
    pub overwrite: Flag<false>,
}

/// What becomes a template.
#[derive(Debug, OneOf)]
pub enum Source {
    /// The content as text.
    #[read_by(Template, Markdown, Html, Css, Embed, Script)]
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
            Source::Text(text) => (text.as_str().to_owned(), Kept::nothing()),
            Source::Id(id) => {
                let kramdown = cx.ask(block::get_block_kramdown(id)).await?.kramdown;
                (as_template(&kramdown), Kept::of(&kramdown))
            }
        };
        check(&text, &kept, cx).await?;
        let old = templates::read(&self.template, cx).await?;
        if old.as_ref().is_some_and(|old| *old != text) && !self.overwrite.is_set() {
            let told = "There is a template of that name. Choose another, or set overwrite to replace it.";
            return Err(ToolError::conflict(told).with("template", self.template.as_str()));
        }
        let path = self.template.as_str();
        Ok(Plan::new(Facts { text, old }).show("would", "save").show("template", path).touching(1, path))
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

async fn check(text: &str, kept: &Kept, cx: &Cx<'_>) -> Result<(), ToolError> {
    let pieces = templates::pieces(text, Marks::File, "text")?;
    // `printf` makes any character out of its number.
    template::check(&pieces, "text", |name| template::is_harmless(name) && name != "printf")?;
    template::check_growth(&pieces, "text")?;
    let markup =
        |it: char| matches!(it, '<' | '>' | '&' | '\\' | '{' | '}' | '(' | ')' | '[' | ']' | '`' | '"');
    let actions = pieces.iter().filter_map(|it| if let Piece::Action(it) = it { Some(it) } else { None });
    if actions.flat_map(|it| &it.literals).any(|it| it.contains(markup)) {
        let expected = "a template whose actions hold no brackets, quotes and backslashes between their quotes; write them outside of actions";
        return Err(ToolError::field("text", expected));
    }
    let filled = ["x", ""].map(|word| -> String {
        pieces.iter().map(|it| if let Piece::Text(text) = it { text } else { word }).collect()
    });
    incoming::refuse_embeds_of_template("text", text, &filled)?;
    for filled in filled {
        let incoming = incoming::check(cx, &filled, kept).await?;
        if !incoming.ids_dropped.is_empty() {
            return Err(ToolError::field("text", "a template without ids of blocks")
                .with("ids", incoming.ids_dropped));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel prints attributes in any order, differently from call to call.
    #[test]
    fn the_text_of_a_document_does_not_depend_on_the_order_of_attributes() {
        let document = |first: &str, second: &str| {
            format!(
                "Mint.\n{{: {first} {second} memo=\"x\"}}\n\n* {{: {second} {first}}}Sage\n{{: {first} {second}}}\n\n{{: id=\"20250101000000-aaaaaaa\" type=\"doc\"}}"
            )
        };
        let (id, updated) = ("id=\"20250101000000-bbbbbbb\"", "updated=\"20250101000000\"");
        let text = as_template(&document(id, updated));
        assert_eq!(text, as_template(&document(updated, id)));
        assert_eq!(text, "Mint.\n{: memo=\"x\"}\n\n* Sage\n");
    }
}
