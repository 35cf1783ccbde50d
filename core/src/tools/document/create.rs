//! `document.create`: creates a document below a document or at the top of a notebook.

use serde_json::{Map, Value};

use super::destination::{self, Destination, hpath, kernel_id};
use crate::content::attrs;
use crate::content::icon::Icon;
use crate::content::incoming::{self, Incoming, ReplacedContent};
use crate::content::new_document::{self, NewDocument};
use crate::content::tag::{self, Tags};
use crate::content::title::Title;
use crate::prelude::*;

/// Create a document.
#[derive(Debug, Action)]
#[action(
    document.create,
    danger = None,
    idempotent = false,
    calls = [..destination, ..incoming, ..new_document],
    examples = [
        { "parent": "{doc}", "title": "{new}", "markdown": "First the beds." },
        {
            "notebook": "{notebook}", "title": "{new}", "markdown": "First the beds.\n\nThen the herbs.", "icon": "🌱",
            "tags": ["herbs"], "attrs": { "custom-status": "done" }, "allow_duplicate": true
        },
    ],
)]
pub struct Create {
    /// Below a document or at the top of a notebook.
    #[needs(Write)]
    #[one_of]
    pub destination: Destination,
    /// The title, without slashes, tabs and line breaks.
    pub title: Title,
    /// The text, as Markdown.
    pub markdown: Option<Markdown>,
    /// An emoji, its code points in hex (1f331), or a path emojis/....
    pub icon: Option<Icon>,
    /// Tags without commas and #.
    pub tags: Option<Tags>,
    /// Attributes: name, alias, memo, bookmark, style, or your own as custom-....
    pub attrs: Option<Attrs>,
    /// Whether a sibling may have the same title.
    pub allow_duplicate: Flag<false>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    new: NewDocument,
    incoming: Incoming,
}

impl Change for Create {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let attrs = self.attributes(cx)?;
        let tags = tag::given(self.tags.iter().flat_map(Many::as_slice), cx)?;
        let place = self.destination.place(cx).await?;
        let title = self.title.as_str();
        let hpath = format!("{}/{title}", hpath(place, cx).await?);
        let notebook = place.notebook.clone();
        let twins = cx.ask(filetree::get_ids_by_hpath(&notebook, &hpath)).await?;
        destination::refuse_twin(&twins, self.allow_duplicate.is_set())?;
        let incoming = incoming::check(cx, self.text(), &ReplacedContent::nothing()).await?;
        let new = NewDocument { notebook, hpath, parent: Some(kernel_id(place)), tags, attrs };
        let (hpath, notebook) = (new.hpath.clone(), new.notebook.to_string());
        let plan = Plan::new("create", Facts { new, incoming }).show("hpath", hpath);
        Ok(plan.show("notebook", notebook).touching(1, title))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { new, incoming } = plan.facts;
        let made = new.make(cx, &incoming.markdown, "attributes").await?;
        let output = Output::new()
            .with("id", made.id.as_str())
            .with("title", self.title.as_str())
            .with("hpath", new.hpath)
            .with("notebook", new.notebook.as_str());
        Ok(made.add_to(output).list("ids_dropped", incoming.ids_dropped))
    }
}

impl Create {
    fn text(&self) -> &str {
        self.markdown.as_ref().map(Markdown::as_str).unwrap_or_default()
    }

    fn attributes(&self, cx: &Cx<'_>) -> Result<Map<String, Value>, ToolError> {
        let given = self.attrs.as_ref().map(|given| attrs::of_new_document(given, cx));
        let mut all = given.transpose()?.unwrap_or_default();
        if let Some(icon) = &self.icon {
            all.insert("icon".to_owned(), icon.as_str().into());
        }
        Ok(all)
    }
}

#[cfg(test)]
#[path = "create_tests.rs"]
mod tests;
