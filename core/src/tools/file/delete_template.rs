//! `file.delete_template`: removes a template.
//!
//! The kernel removes any file of its machine that a request names, so the path is one that the kernel itself has
//! listed.

use super::everywhere;
use super::templates::{self, TemplatePath};
use crate::prelude::*;

/// Delete a template.
#[derive(Debug, Action)]
#[action(
    file.delete_template,
    workspace = Delete,
    danger = "Deletes the template {name}; SiYuan keeps no copy.",
    deed = Delete(Never),
    idempotent = false,
    default = off,
    tier = advanced,
    calls = [template::SEARCH_TEMPLATE, template::REMOVE_TEMPLATE],
    examples = [{ "template": "{template}" }],
)]
pub struct DeleteTemplate {
    /// Path below the templates folder, ending in .md.
    pub template: TemplatePath,
}

impl Change for DeleteTemplate {
    type Facts = ();

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<()>, ToolError> {
        everywhere::require(cx, Level::Delete, "Templates")?;
        templates::listed(&self.template, cx).await?;
        let path = self.template.as_str();
        Ok(Plan::new("delete", ())
            .show("template", path)
            .about(ThingKind::Template, Things::of([Thing::titled(path)]))
            .touching(1, path))
    }

    async fn run(self, _: Plan<()>, cx: &Cx<'_>) -> Reply {
        let template = templates::listed(&self.template, cx).await?;
        cx.ask(template::remove_template(&template)).await?;
        Ok(Output::new().with("template", self.template.as_str()))
    }
}

#[cfg(test)]
#[path = "delete_template_tests.rs"]
mod tests;
