//! `file.render_template`: fills in a template for a document.
//!
//! The kernel's own `template/render` takes any file of the workspace and answers editor DOM. So the source is read and
//! judged here and filled in as a text, and what is put into a document passes the gate of incoming Markdown.

use super::templates::{self, TemplatePath};
use crate::content::incoming::{self, Incoming, ReplacedContent};
use crate::content::template::{self as source, Marks};
use crate::content::{kramdown, part, written};
use crate::prelude::*;

/// Render a template for a document, and optionally append the result.
#[derive(Debug, Action)]
#[action(
    file.render_template,
    effect = When(Self::inserts, Write),
    danger = None,
    idempotent = false,
    tier = advanced,
    calls = [
        attr::GET_BLOCK_ATTRS, template::RENDER_SPRIG, block::APPEND_BLOCK, ..templates, ..incoming
    ],
    examples = [
        { "id": "{doc}", "template": "{template}", "insert": true },
        { "id": "{doc}", "text": "{{now | date \"2006-01-02\"}}", "budget": 500 },
    ],
)]
pub struct RenderTemplate {
    /// The document or block.
    #[needs(Read)]
    pub id: DocId,
    /// The source.
    #[one_of]
    pub source: RenderSource,
    /// Whether the result is appended to the document.
    pub insert: Flag<false>,
    /// Approximate maximum length of the text, in tokens.
    pub budget: Int<100, 32_000, 2_000>,
}

/// The template to fill in: a stored one, or a text.
#[derive(Debug, OneOf)]
pub enum RenderSource {
    /// Path below the templates folder, ending in .md.
    Template(TemplatePath),
    /// The content as text.
    #[read_by(Template)]
    Text(Text<1, 20_000>),
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    text: String,
    incoming: Option<Incoming>,
}

impl Change for RenderTemplate {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let place = cx.found(&self.id).await?;
        if self.insert.is_set() {
            cx.require(Level::Write, [place.notebook.as_str()])?;
        }
        let text = cx.ask(template::render_sprig(&self.text(cx).await?)).await?;
        let incoming = match self.insert.is_set() && !text.trim().is_empty() {
            true => Some(incoming::check(cx, &kramdown::strip(&text), &ReplacedContent::nothing()).await?),
            false => None,
        };
        let characters = text.chars().count();
        let changes = incoming.is_some().then(|| self.id.clone());
        Ok(Plan::new(if self.insert.is_set() { "append" } else { "render" }, Facts { text, incoming })
            .show("characters", characters)
            .changing(changes))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { text, incoming } = plan.facts;
        let output = match &incoming {
            Some(incoming) => {
                let added = cx.ask(block::append_block(&self.id, &incoming.markdown)).await?;
                Output::new().with("blocks", written::ids(&added)?)
            }
            None => Output::new(),
        };
        Ok(part::of(&text, 0, self.budget.get(), output))
    }
}

impl RenderTemplate {
    fn inserts(&self, _: &Plan<Facts>) -> bool {
        self.insert.is_set()
    }

    /// The text that the kernel fills in.
    async fn text(&self, cx: &Cx<'_>) -> Result<String, ToolError> {
        let path = match &self.source {
            RenderSource::Text(text) => {
                let pieces = templates::pieces(text.as_str(), Marks::Braces, "text")?;
                source::check(&pieces, "text", source::is_harmless)?;
                source::check_growth(&source::own(&pieces), "text")?;
                return Ok(text.as_str().to_owned());
            }
            RenderSource::Template(path) => path,
        };
        let file = templates::read(path, cx).await?.ok_or_else(ToolError::not_found)?;
        let pieces = templates::pieces(&file, Marks::File, "template")?;
        if cx.grants().any_hidden() && source::names(&pieces).into_iter().any(source::is_query) {
            return Err(ToolError::disabled(
                "This template reads notes of every notebook, and some notebook is hidden from agents. A person can use it in SiYuan.",
            ));
        }
        source::check(&pieces, "template", |name| source::is_harmless(name) || source::is_query(name))?;
        let attrs = cx.ask(attr::get_block_attrs(&self.id)).await?;
        let attr = |name: &str| attrs.get(name).map(String::as_str).unwrap_or_default();
        let fields = ["title", "id", "name", "alias"];
        Ok(source::with_braces(&pieces, fields.map(|name| (name, attr(name)))))
    }
}

#[cfg(test)]
#[path = "render_template_tests.rs"]
mod tests;
