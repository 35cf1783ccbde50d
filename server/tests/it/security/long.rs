//! No action that takes a long text delays other clients, whatever the text: the walk over all declarations.

use puppy_core::registry::ACTIONS;
use puppy_core::spec::{ActionSpec, Kind, Param, Presence, Slot};
use serde_json::{Value, json};

use super::hostile::{document, lines, tool, undelayed};
use crate::resources::doc;
use crate::world::World;

/// The length from which a text counts as long, and a text of it, out of signs that begin something in Markdown, SQL
/// and templates.
const LONG: usize = 10_000;
const SIGNS: &str = "- {: a=\"b\"}[!((<a b=\"{{ SELECT &amp; ```\n> ";

/// The arguments of an action with this text, as long as it may be, in each long argument; `None` if it has none.
fn with_long_texts(spec: &ActionSpec, ids: &[String], text: &str) -> Option<Value> {
    fn value(kind: Kind, ids: &[String], text: &str) -> Value {
        match kind {
            Kind::Text { max, .. } if max >= LONG => {
                json!(text.chars().cycle().take(max.min(250_000)).collect::<String>())
            }
            Kind::Text { min, .. } => json!("a".repeat(min.max(1))),
            Kind::Int { low, .. } => json!(low),
            Kind::Bool => json!(true),
            Kind::Id => json!(ids[0]),
            Kind::NotebookRef => json!("Garden"),
            Kind::Path => json!("/Garden/Plain"),
            Kind::Asset => json!("assets/leaf.png"),
            Kind::Tag | Kind::Cell => json!("a"),
            Kind::Choice(words) => json!(words[0]),
            Kind::List { item, min, .. } => json!(vec![value(*item, ids, text); min.max(1)]),
            Kind::Record(fields) => record(fields, ids, text).into(),
            Kind::Attrs => json!({ "memo": "a" }),
            Kind::Object => json!({}),
        }
    }
    fn record(fields: &[Param], ids: &[String], text: &str) -> serde_json::Map<String, Value> {
        let is_sent = |it: &&Param| it.presence == Presence::Required || is_long(it.kind);
        let sent = fields.iter().filter(is_sent);
        sent.map(|it| (it.name.to_owned(), value(it.kind, ids, text))).collect()
    }
    fn is_long(kind: Kind) -> bool {
        match kind {
            Kind::Text { max, .. } => max >= LONG,
            Kind::List { item, .. } => is_long(*item),
            Kind::Record(fields) => fields.iter().any(|it| is_long(it.kind)),
            _ => false,
        }
    }
    let slots = spec.slots.iter().map(|slot| match slot {
        Slot::One(param) => std::slice::from_ref(param),
        Slot::OneOf(groups, _) => groups[0],
    });
    let params: Vec<&[Param]> = slots.collect();
    if !params.iter().any(|some| some.iter().any(|it| is_long(it.kind))) {
        return None;
    }
    let mut all: serde_json::Map<String, Value> =
        params.iter().flat_map(|some| record(some, ids, text)).collect();
    all.insert("action".to_owned(), json!(spec.name));
    if spec.has_preview() {
        all.insert("preview".to_owned(), json!(true));
    }
    Some(all.into())
}

/// F10: the same for every action that takes a long text, as its declaration says.
#[tokio::test(flavor = "multi_thread")]
async fn long_arguments_do_not_delay_other_clients() {
    let world = World::new().await;
    document(&world, "Plain", &lines(2_000, "", "\n")).await;
    let ids = [doc(&world, "Garden", "/Plain").await];
    let pairs: Vec<_> = ACTIONS
        .iter()
        .filter_map(|spec| {
            let message = |text: &str| Some(tool(spec.tool.name(), &with_long_texts(spec, &ids, text)?));
            Some((spec.name, message(SIGNS)?, message("word ")?))
        })
        .collect();
    assert!(pairs.len() > 5, "{}", pairs.len());
    undelayed(&world, pairs).await;
}
