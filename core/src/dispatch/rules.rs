//! The rules that a notebook has of its own come with the first write into it in a session, once (B-017).
//!
//! They are a document titled `AGENTS` or `Agents` at the top of the notebook, or the attribute `custom-agent-rules` of
//! its own document. A notebook at `none` has none for anybody.

use serde_json::{Map, Value, json};

use crate::content::window::cut;
use crate::cx::World;
use crate::id::{DocId, is_node_id};
use crate::index::{Order, Select, Table, Visibility, any, eq, same};
use crate::kernel::api::notebook::Notebook;
use crate::kernel::{self, api::block};
use crate::output::Output;
use crate::permission::{Places, Scope};

const TITLES: [&str; 2] = ["/AGENTS", "/Agents"];
const ATTRIBUTE: &str = "custom-agent-rules";
/// The maximum length of one notebook's rules, in characters.
const LONGEST: usize = 4_000;
/// The maximum number of blocks of rules.
const BLOCKS: usize = 200;

/// The answer to a write, with the rules of each notebook that the session wrote into for the first time. Rules that
/// cannot be read are no reason to fail: the write is done.
pub(super) async fn with_rules(
    output: Output,
    session: &str,
    places: Option<&Places>,
    scope: &Scope,
    world: &World<'_>,
) -> Output {
    let scope = places.and_then(Places::scope).unwrap_or(scope);
    let written = |book: &&Notebook| {
        places.is_some_and(|it| it.iter().any(|place| place.notebook.as_str() == book.id))
            && world.process.is_first_write(session, &book.id)
    };
    let books: Vec<&Notebook> = scope.visible_notebooks().filter(written).collect();
    let mut rules = Map::new();
    for book in books {
        if let Some(text) = of_notebook(book, scope, world).await {
            rules.insert(book.name.clone(), json!(text));
        }
    }
    match rules.is_empty() {
        true => output,
        false => output
            .with("owner_rules", Value::Object(rules))
            .with("owner_rules_are", "the owner's word about these notebooks: follow it from here on"),
    }
}

async fn of_notebook(book: &Notebook, scope: &Scope, world: &World<'_>) -> Option<String> {
    if !is_node_id(&book.id) {
        return None;
    }
    let visibility = Visibility::new([book.id.as_str()], scope.grants.any_hidden());
    let titled = Select::documents()
        .filter(any(TITLES.map(|it| eq("b.hpath", it))))
        .order([Order::Up("b.id")])
        .limit(1);
    let noted = Select::from(Table::Attributes)
        .columns(["a.value"])
        .filter(eq("a.name", ATTRIBUTE).and(same("a.block_id", "a.box")))
        .limit(1);
    let attribute = noted
        .advisory(world.kernel, &visibility, &scope.grants)
        .await
        .first()
        .map(|it| it.text("value").to_owned());
    let document = titled.advisory(world.kernel, &visibility, &scope.grants).await;
    let text = match document.first().and_then(|it| DocId::parse(it.text("id"))) {
        Some(id) => {
            let blocks = kernel::ask(world.kernel, block::get_child_blocks(&id)).await.ok()?;
            let texts: Vec<String> = blocks.into_iter().map(|it| it.markdown).collect();
            let whole = cut(&texts, 0, Default::default(), BLOCKS, LONGEST / 4).text;
            [attribute.unwrap_or_default(), whole].join("\n\n")
        }
        None => attribute?,
    };
    let text: String = text.trim().chars().take(LONGEST).collect();
    (!text.is_empty()).then_some(text)
}
