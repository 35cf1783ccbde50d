//! `file.list_templates`: the templates of the workspace.

use serde_json::json;

use super::templates::TemplatePath;
use crate::args::Checked;
use crate::content::paging::{PageStart, page};
use crate::prelude::*;

/// List document templates.
#[derive(Debug, Action)]
#[action(
    file.list_templates,
    effect = Read,
    danger = None,
    idempotent = true,
    calls = [template::SEARCH_TEMPLATE],
    examples = [{ "query": "meeting" }, { "limit": 20 }],
)]
pub struct ListTemplates {
    /// Only results that contain this text.
    #[read_by()]
    pub query: Option<Text<1, 128>>,
    /// A page of the list.
    #[args]
    pub page: Paging<PageStart, 50, 100, 300>,
}

impl Run for ListTemplates {
    async fn run(self, cx: &Cx<'_>) -> Reply {
        let words = self.query.as_ref().map(Text::as_str).unwrap_or_default();
        let listed = cx.ask(template::search_template(words)).await?.templates;
        // A path that no other action takes is not offered.
        let usable = |path: &String| TemplatePath::parse(path).is_ok();
        let mut all: Vec<String> =
            listed.iter().flatten().filter_map(template::Template::path).filter(usable).collect();
        all.sort();
        let shown = page(&all, self.page.after(), self.page.limit.get(), String::as_str);
        let item = |path: &String| {
            let name = path.rsplit('/').next().unwrap_or_default();
            json!({ "template": path, "name": name.strip_suffix(".md").unwrap_or(name) })
        };
        Ok(Output::new()
            .with("items", shown.items.iter().map(item).collect::<Vec<_>>())
            .with("total", all.len())
            .with("next", shown.next))
    }
}

#[cfg(test)]
#[path = "list_templates_tests.rs"]
mod tests;
