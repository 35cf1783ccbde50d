//! The rules that a notebook has of its own come with the first write into it in a session, once (B-017).
//!
//! They are a document titled `AGENTS` or `Agents` at the top of the notebook, or the attribute `custom-agent-rules` of
//! its own document. A notebook at `none` has none for anybody.

use serde_json::{Map, Value, json};

use crate::content::incoming::AGENT_RULES;
use crate::content::window::{CHARS_PER_TOKEN, cut};
use crate::cx::World;
use crate::error::ToolError;
use crate::id::{BlockId, is_node_id};
use crate::index::{Order, Select, Table, Visibility, any, eq, same};
use crate::kernel::api::notebook::Notebook;
use crate::kernel::{self, Kernel, api::block};
use crate::output::Output;
use crate::permission::{Grants, Places, Scope, locate};

const TITLES: [&str; 2] = ["/AGENTS", "/Agents"];
/// The maximum length of one notebook's rules, in characters.
const LONGEST: usize = 4_000;
/// The maximum number of blocks of rules.
const BLOCKS: usize = 200;

/// The answer to a write, with the rules of each notebook that it wrote into, unless the session has heard them. Rules
/// that cannot be read are no reason to fail, because the write is done; they come with the next one.
pub(super) async fn with_rules(
    output: Output,
    session: Option<&str>,
    places: Option<&Places>,
    scope: &Scope,
    world: &World<'_>,
) -> Output {
    let scope = places.and_then(Places::scope).unwrap_or(scope);
    let written = |book: &&Notebook| {
        places.is_some_and(|it| it.iter().any(|place| place.notebook.as_str() == book.id))
            && !session.is_some_and(|it| world.process.has_heard(it, &book.id))
    };
    let books: Vec<&Notebook> = scope.visible_notebooks().filter(written).collect();
    let mut rules = Map::new();
    for book in books {
        let Ok(found) = of_notebook(book, scope, world).await else { continue };
        if let Some(session) = session {
            world.process.note_heard(session, &book.id);
        }
        if let Some(text) = found {
            rules.insert(scope.word(book), json!(text));
        }
    }
    match rules.is_empty() {
        true => output,
        false => output
            .with("owner_rules", Value::Object(rules))
            .with("owner_rules_are", "the owner's rules for these notebooks: follow them from now on"),
    }
}

async fn of_notebook(book: &Notebook, scope: &Scope, world: &World<'_>) -> Result<Option<String>, ToolError> {
    if !is_node_id(&book.id) {
        return Ok(None);
    }
    let visibility = Visibility::new([book.id.as_str()], scope.grants.any_hidden());
    let titled = Select::documents()
        .filter(any(TITLES.map(|it| eq("b.hpath", it))))
        .order([Order::Up("b.id")])
        .limit(1);
    let noted = Select::from(Table::Attributes)
        .columns(["a.value"])
        .filter(eq("a.name", AGENT_RULES).and(same("a.block_id", "a.box")))
        .limit(1);
    let attribute = noted.visible_rows(world.kernel, &visibility, &scope.grants).await?;
    let attribute = attribute.first().map(|it| it.text("value").to_owned());
    let document = titled.visible_rows(world.kernel, &visibility, &scope.grants).await?;
    let document = match document.first().and_then(|it| BlockId::parse(it.text("id"))) {
        Some(id) => text_of(&id, &book.id, world.kernel, &scope.grants).await?,
        None => None,
    };
    let text = [attribute, document].into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let text: String = text.trim().chars().take(LONGEST).collect();
    Ok((!text.is_empty()).then_some(text))
}

/// The text of a document that is at the top of this notebook now: the index may still have one that was moved away.
async fn text_of(
    id: &BlockId,
    notebook: &str,
    kernel: &dyn Kernel,
    grants: &Grants,
) -> Result<Option<String>, ToolError> {
    let place = locate(kernel, grants, id).await?;
    if place.is_none_or(|it| it.notebook != notebook || it.path != format!("/{id}.sy")) {
        return Ok(None);
    }
    let blocks = kernel::ask(kernel, block::get_child_blocks(id)).await?;
    let texts: Vec<String> = blocks.into_iter().map(|it| it.markdown).collect();
    Ok(Some(cut(&texts, 0, Default::default(), BLOCKS, LONGEST / CHARS_PER_TOKEN).text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::world::ready;
    use crate::testing::{FakeKernel, GARDEN, PRIVATE};

    /// B-017, B-055: the index still has rules at the top of a notebook that a person has just moved away.
    #[test]
    fn rules_that_were_moved_away_are_not_told() {
        let id = BlockId::parse("20250101000001-agents0").unwrap();
        let grants = Grants::of(crate::permission::LevelTable::default());
        let rules = |notebook: &'static str, path: String| {
            let place = json!({ "notebook": notebook, "path": path });
            let kernel =
                FakeKernel::new().answer("/api/filetree/getPathByID", move |_| place.clone()).answer(
                    "/api/block/getChildBlocks",
                    |_| json!([{ "id": "20250101000002-block00", "type": "p", "markdown": "Water." }]),
                );
            ready(text_of(&id, GARDEN, &kernel, &grants)).unwrap()
        };
        let top = || format!("/{id}.sy");
        assert_eq!(rules(GARDEN, top()).as_deref(), Some("Water."));
        assert_eq!(rules(PRIVATE, top()), None);
        assert_eq!(rules(GARDEN, format!("/20250101000003-other00{}", top())), None);
    }
}
