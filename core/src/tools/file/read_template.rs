//! `file.read_template`: the source of a template.

use super::templates::{self, TemplatePath};
use crate::content::{part, template};
use crate::prelude::*;

/// Read the source of a template.
#[derive(Debug, Action)]
#[action(
    file.read_template,
    effect = Read,
    danger = None,
    idempotent = true,
    calls = [..templates],
    examples = [{ "template": "{template}", "offset": 0, "budget": 500 }],
)]
pub struct ReadTemplate {
    /// Path below the templates folder, ending in .md.
    pub template: TemplatePath,
    /// Characters to skip.
    pub offset: Int<0, 1_000_000_000, 0>,
    /// Approximate maximum length of the text, in tokens.
    pub budget: Int<100, 32_000, 2_000>,
}

impl Run for ReadTemplate {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let text = templates::read(&self.template, cx).await?.ok_or_else(ToolError::not_found)?;
        let functions: Vec<String> = template::pieces(&text, template::Marks::File)
            .map(|pieces| template::names(&pieces).into_iter().map(str::to_owned).collect())
            .unwrap_or_default();
        Ok(part::of(&text, self.offset.get(), self.budget.get(), Output::new().list("functions", functions)))
    }
}

#[cfg(test)]
#[path = "read_template_tests.rs"]
mod tests;
