//! Documents that a person tagged as prompts, by the tag of `accessSettings.prompt_tag`.

use super::PromptEntry;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::index::{Order, Select, contains};
use crate::resources::workspace_path;
use crate::visible;

/// The maximum number of documents that become prompts.
const MOST: usize = 100;

/// A document that is a prompt.
#[derive(Debug, Clone)]
pub(super) struct PromptDocument {
    pub(super) name: String,
    pub(super) id: String,
    title: String,
    path: String,
}

impl PromptDocument {
    pub(super) fn about(&self) -> String {
        format!("Your document {}", self.path)
    }

    pub(super) fn listed(self) -> PromptEntry {
        PromptEntry { about: self.about(), name: self.name, title: self.title, arguments: &[] }
    }
}

/// The tagged documents that the caller may read, by title; a duplicate name gets the end of the id appended.
pub(super) async fn all(cx: &Cx<'_>) -> Result<Vec<PromptDocument>, ToolError> {
    let tag = cx.scope().access.prompt_tag.trim();
    if tag.is_empty() {
        return Ok(Vec::new());
    }
    let select = Select::documents().filter(contains("b.tag", &format!("#{tag}#")));
    let select = select.order([Order::Up("b.content"), Order::Up("b.id")]).limit(MOST);
    let mut all: Vec<PromptDocument> = Vec::new();
    for row in cx.select(select).await?.rows {
        let (id, title) = (row.text("id"), row.text("content"));
        let slug = slug(title);
        let taken = super::BUILTIN.iter().any(|it| it.name == slug) || all.iter().any(|it| it.name == slug);
        let name = match id.get(15..) {
            Some(end) if taken || slug.is_empty() => format!("{slug}_{end}").trim_matches('_').to_owned(),
            _ => slug,
        };
        all.push(PromptDocument {
            name,
            id: id.to_owned(),
            title: visible::shown(title).into_owned(),
            path: visible::shown(&workspace_path(cx.scope(), &row)).into_owned(),
        });
    }
    Ok(all)
}

/// A title in the form of a command: lower-case letters and digits, everything else as `_`.
fn slug(title: &str) -> String {
    let mut out = String::new();
    for character in title.chars().take(60) {
        if character.is_alphanumeric() {
            out.extend(character.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    out.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn title_becomes_a_typable_prompt_name() {
        assert_eq!(slug("Ask the Garden: why?"), "ask_the_garden_why");
        assert_eq!((slug("唐诗 2"), slug("!?")), ("唐诗_2".to_owned(), String::new()));
    }
}
