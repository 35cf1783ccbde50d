//! Completion of arguments: tools and actions, notebooks, tags, documents; only readable ones (B-119).

use std::collections::BTreeMap;

use super::builtin::BUILTIN;
use crate::activity::Observer;
use crate::config::Offer;
use crate::cx::Cx;
use crate::dispatch::Engine;
use crate::error::ToolError;
use crate::find::actions_of;
use crate::id::is_node_id;
use crate::index::{self, Order, RowCondition, Select, Table};
use crate::kernel::Kernel;
use crate::kernel::api::query::Row;
use crate::resources::uri::{ACTION_TEMPLATE, DOC_TEMPLATE, MAX_DEPTH};
use crate::resources::{ReadScope, notebook_word, workspace_path};
use crate::sorted::SharedSort as _;
use crate::spec::{Kind, Tool};
use crate::visible;

/// The maximum number of proposals in one answer; the protocol allows no more.
pub const MOST: usize = 100;

/// The owner of the argument to complete.
#[derive(Debug, Clone, Copy)]
pub enum ArgumentOwner<'a> {
    /// A resource template's.
    Template(&'a str),
    /// A prompt's.
    Prompt(&'a str),
    /// An action's, of this kind.
    Kind(Kind),
}

/// Proposals, the best first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposals {
    /// At most a hundred.
    pub values: Vec<String>,
    /// Whether there are more.
    pub more: bool,
}

/// The kind of value to propose.
enum ValueKind {
    Words(Vec<String>),
    Notebooks,
    Documents,
    Ids,
    Tags,
}

impl<K: Kernel, O: Observer> Engine<K, O> {
    /// Proposes values for an argument that start with, or contain, the typed text.
    pub async fn complete(
        &self,
        of: ArgumentOwner<'_>,
        argument: &str,
        typed: &str,
        others: &BTreeMap<String, String>,
    ) -> Result<Proposals, ToolError> {
        let offer = self.policy().await.offer();
        let wanted = wanted(of, argument, others, &offer)?;
        let typed = visible::meant(typed.trim()).into_owned();
        let found = async {
            match wanted {
                ValueKind::Words(words) => Ok(words),
                ValueKind::Notebooks => Ok(notebooks(&self.reader(ReadScope::Notebooks).await?)),
                ValueKind::Documents => documents(&self.reader(ReadScope::Documents).await?, &typed).await,
                ValueKind::Ids => ids(&self.reader(ReadScope::Documents).await?, &typed).await,
                ValueKind::Tags => tags(&self.reader(ReadScope::Tags).await?, &typed).await,
            }
        };
        // A read that is refused or fails proposes nothing; an error here would only disturb typing.
        let found: Vec<String> = found.await.unwrap_or_else(|_: ToolError| Vec::new());
        Ok(best(found, if matches!(of, ArgumentOwner::Template(DOC_TEMPLATE)) { "" } else { &typed }))
    }
}

/// The values of a kind; of a list, those of its items.
fn of_kind(kind: Kind) -> ValueKind {
    match kind {
        Kind::NotebookRef => ValueKind::Notebooks,
        Kind::Path => ValueKind::Documents,
        Kind::Id => ValueKind::Ids,
        Kind::Tag => ValueKind::Tags,
        Kind::Choice(choice) => ValueKind::Words(choice.iter().map(|it| (*it).to_owned()).collect()),
        Kind::Int { low, high } => numbers(low, high),
        Kind::List { item, .. } => of_kind(*item),
        _ => ValueKind::Words(Vec::new()),
    }
}

fn wanted(
    of: ArgumentOwner<'_>,
    argument: &str,
    others: &BTreeMap<String, String>,
    offer: &Offer,
) -> Result<ValueKind, ToolError> {
    let words = |words: Vec<&str>| ValueKind::Words(words.into_iter().map(str::to_owned).collect());
    let offered = || Tool::ALL.into_iter().filter(|tool| offer.has_tool(*tool));
    match (of, argument) {
        (ArgumentOwner::Template(ACTION_TEMPLATE), "tool") => Ok(words(offered().map(Tool::name).collect())),
        (ArgumentOwner::Template(ACTION_TEMPLATE), "action") => {
            let tools = offered().filter(|tool| others.get("tool").is_none_or(|it| it == tool.name()));
            let names = tools.flat_map(actions_of).filter(|spec| offer.has(spec)).map(|spec| spec.name);
            Ok(words(names.collect()))
        }
        (ArgumentOwner::Template(DOC_TEMPLATE), "id") => Ok(ValueKind::Ids),
        (ArgumentOwner::Template(DOC_TEMPLATE), "depth") => Ok(numbers(0, MAX_DEPTH.into())),
        (ArgumentOwner::Prompt(name), _) => {
            let params = BUILTIN.iter().find(|it| it.name == name).map_or(&[][..], |it| it.arguments.params);
            let param = params.iter().find(|it| it.name == argument).ok_or_else(|| strange(argument))?;
            Ok(of_kind(param.kind))
        }
        (ArgumentOwner::Kind(kind), _) => Ok(of_kind(kind)),
        (ArgumentOwner::Template(_), _) => Err(strange(argument)),
    }
}

/// The numbers of a range that has no more than an answer.
fn numbers(low: i64, high: i64) -> ValueKind {
    let all: Vec<String> = (low..=high).take(MOST + 1).map(|it| it.to_string()).collect();
    ValueKind::Words(if all.len() > MOST { Vec::new() } else { all })
}

fn strange(argument: &str) -> ToolError {
    ToolError::field("argument", format!("one of a listed template or prompt; `{argument}` is none"))
}

/// Values that start with the typed text, then values that contain it; each once, in their order.
fn best(found: Vec<String>, typed: &str) -> Proposals {
    let typed = typed.to_lowercase();
    let rank = |it: &String| {
        let it = it.to_lowercase();
        if it.starts_with(&typed) { Some(0) } else { it.contains(&typed).then_some(1) }
    };
    let mut ranked: Vec<(i32, String)> = found.into_iter().filter_map(|it| Some((rank(&it)?, it))).collect();
    ranked.sort_shared_by_key(|(rank, _)| *rank);
    let mut values: Vec<String> = Vec::new();
    for (_, value) in ranked {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let more = values.len() > MOST;
    values.truncate(MOST);
    Proposals { values: values.iter().map(|it| visible::shown(it).into_owned()).collect(), more }
}

fn notebooks(cx: &Cx<'_>) -> Vec<String> {
    cx.scope().visible_notebooks().map(|it| notebook_word(it).to_owned()).collect()
}

/// Tags that contain the typed text, the most used first.
async fn tags(cx: &Cx<'_>, typed: &str) -> Result<Vec<String>, ToolError> {
    let select = Select::from(Table::Spans).column("s.content", "tag").per(["s.content"]);
    let select = select.filter(index::is_tag()).filter(index::in_any_case("s.content", typed));
    let select = select.order([Order::Most("s.block_id"), Order::Up("s.content")]).limit(MOST + 1);
    Ok(cx.select(select).await?.rows.iter().map(|row| row.text("tag").to_owned()).collect())
}

/// Workspace paths of documents, and their ids where the typed text begins like one.
async fn documents(cx: &Cx<'_>, typed: &str) -> Result<Vec<String>, ToolError> {
    let is_id = typed.starts_with(|it: char| it.is_ascii_digit());
    let mut all = if is_id { ids(cx, typed).await? } else { Vec::new() };
    // The title, or notebook, contains the text typed after the last slash.
    let title = typed.rsplit('/').next().unwrap_or_default();
    let rows = documents_where(cx, index::in_any_case("b.hpath", title)).await?;
    all.extend(rows.iter().map(|row| workspace_path(cx.scope(), row)));
    Ok(all)
}

/// Ids that start with the typed text, or whose title contains it.
async fn ids(cx: &Cx<'_>, typed: &str) -> Result<Vec<String>, ToolError> {
    let begins = index::starts_with("b.id", &typed.to_lowercase());
    let rows = documents_where(cx, index::any([begins, index::in_any_case("b.content", typed)])).await?;
    Ok(rows.iter().map(|row| row.text("id").to_owned()).filter(|id| is_node_id(id)).collect())
}

/// The documents for which this holds, last changed first; one more than an answer has room for.
async fn documents_where(cx: &Cx<'_>, filter: RowCondition) -> Result<Vec<Row>, ToolError> {
    let select = Select::documents().below_notebooks().filter(filter);
    let select = select.order([Order::Down("b.updated"), Order::Up("b.id")]).limit(MOST + 1);
    Ok(cx.select(select).await?.rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_matches_come_before_substring_matches() {
        let found = ["remove", "mint", "Move", "move"].map(str::to_owned).to_vec();
        assert_eq!(best(found, "mo").values, ["Move", "move", "remove"]);
        let many: Vec<String> = (0..150).map(|it| it.to_string()).collect();
        let many = best(many, "");
        assert_eq!((many.values.len(), many.more), (MOST, true));
    }
}
