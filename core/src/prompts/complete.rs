//! Completion of arguments: tools and actions, notebooks, tags, documents; only readable ones (B-119).

use std::collections::BTreeMap;

use super::builtin::BUILTIN;
use super::{Argument, Kind};
use crate::activity::Observer;
use crate::config::Switches;
use crate::dispatch::Engine;
use crate::error::ToolError;
use crate::find::actions_of;
use crate::id::is_node_id;
use crate::kernel::{Kernel, sql};
use crate::render::visible;
use crate::resources::Library;
use crate::resources::uri::{ACTION_TEMPLATE, DOC_TEMPLATE, MAX_DEPTH};
use crate::spec::Tool;

/// The maximum number of proposals in one answer; the protocol allows no more.
pub const MOST: usize = 100;

/// The owner of the argument to complete.
#[derive(Debug, Clone, Copy)]
pub enum Of<'a> {
    /// A resource template's.
    Template(&'a str),
    /// A prompt's.
    Prompt(&'a str),
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
enum Wanted<'a> {
    Words(Vec<&'a str>),
    Ids,
    Of(Kind),
}

impl<K: Kernel, O: Observer> Engine<K, O> {
    /// Proposes values for an argument that start with, or contain, the typed text.
    pub async fn complete(
        &self,
        of: Of<'_>,
        argument: &str,
        typed: &str,
        others: &BTreeMap<String, String>,
    ) -> Result<Proposals, ToolError> {
        let switches = self.policy().await.rules.switches_or_default();
        let wanted = wanted(of, argument, others, &switches)?;
        let typed = visible::meant(typed.trim()).into_owned();
        let found = match wanted {
            Wanted::Words(words) => words.into_iter().map(str::to_owned).collect(),
            Wanted::Of(Kind::Choice(words)) => words.iter().map(|it| (*it).to_owned()).collect(),
            // A closed library proposes nothing; an error here would only disturb typing.
            Wanted::Of(kind) => match self.library().await {
                Ok(library) => library.proposed(kind, &typed).await.unwrap_or_default(),
                Err(_) => Vec::new(),
            },
            Wanted::Ids => match self.library().await {
                Ok(library) => library.ids(&typed).await.unwrap_or_default(),
                Err(_) => Vec::new(),
            },
        };
        Ok(best(found, if matches!(of, Of::Template(DOC_TEMPLATE)) { "" } else { &typed }))
    }
}

fn wanted<'a>(
    of: Of<'_>,
    argument: &str,
    others: &BTreeMap<String, String>,
    switches: &Switches,
) -> Result<Wanted<'a>, ToolError> {
    const DEPTHS: [&str; MAX_DEPTH as usize + 1] = ["0", "1", "2", "3"];
    let on = || Tool::ALL.into_iter().filter(|tool| switches.tool_is_on(*tool));
    match (of, argument) {
        (Of::Template(ACTION_TEMPLATE), "tool") => Ok(Wanted::Words(on().map(Tool::name).collect())),
        (Of::Template(ACTION_TEMPLATE), "action") => {
            let tools = on().filter(|tool| others.get("tool").is_none_or(|it| it == tool.name()));
            let names = tools.flat_map(actions_of).filter(|spec| switches.is_on(spec)).map(|spec| spec.name);
            Ok(Wanted::Words(names.collect()))
        }
        (Of::Template(DOC_TEMPLATE), "id") => Ok(Wanted::Ids),
        (Of::Template(DOC_TEMPLATE), "depth") => Ok(Wanted::Words(DEPTHS.to_vec())),
        (Of::Prompt(name), _) => {
            let arguments = BUILTIN.iter().find(|it| it.name == name).map_or(&[][..], |it| it.arguments);
            let found: Option<&Argument> = arguments.iter().find(|it| it.name == argument);
            found.map(|it| Wanted::Of(it.kind)).ok_or_else(|| strange(argument))
        }
        (Of::Template(_), _) => Err(strange(argument)),
    }
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
    ranked.sort_by_key(|(rank, _)| *rank);
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

impl Library<'_> {
    async fn proposed(&self, kind: Kind, typed: &str) -> Result<Vec<String>, ToolError> {
        Ok(match kind {
            Kind::Notebook => {
                self.lists_notebooks()?;
                self.scope.visible_notebooks().map(|it| Self::notebook_word(it).to_owned()).collect()
            }
            Kind::Document if typed.starts_with(|it: char| it.is_ascii_digit()) => {
                let mut all = self.ids(typed).await?;
                all.extend(self.paths(typed).await?);
                all
            }
            Kind::Document => self.paths(typed).await?,
            Kind::Tag => {
                self.lists_tags()?;
                let Some(boxes) = self.boxes() else { return Ok(Vec::new()) };
                let stmt = format!(
                    "SELECT s.content AS tag, MIN(s.box) AS box, COUNT(DISTINCT s.block_id) AS n FROM spans AS s \
                     WHERE (s.type = 'tag' OR s.type LIKE '% tag%') AND s.content <> '' AND s.box IN ({boxes}) \
                     AND instr(lower(s.content), {}) > 0 GROUP BY s.content ORDER BY n DESC, s.content LIMIT {}",
                    sql::text(&typed.to_lowercase()),
                    MOST + 1
                );
                self.rows(&stmt).await?.iter().map(|row| row.text("tag").to_owned()).collect()
            }
            Kind::Number { low, high } => (low..=high).map(|it| it.to_string()).collect(),
            Kind::Choice(_) | Kind::Date | Kind::Text(_) => Vec::new(),
        })
    }

    /// Workspace paths whose title, or notebook, contains the text typed after the last slash; last changed first.
    async fn paths(&self, typed: &str) -> Result<Vec<String>, ToolError> {
        let title = typed.rsplit('/').next().unwrap_or_default();
        let held = format!("instr(lower(hpath), {}) > 0", sql::text(&title.to_lowercase()));
        let rows = self.documents_where(&held).await?;
        Ok(rows.iter().map(|row| self.workspace_path(row)).collect())
    }

    /// Ids that start with the typed text, or whose title contains it.
    async fn ids(&self, typed: &str) -> Result<Vec<String>, ToolError> {
        let text = sql::text(&typed.to_lowercase());
        let held = format!("(instr(id, {text}) = 1 OR instr(lower(content), {text}) > 0)");
        let rows = self.documents_where(&held).await?;
        Ok(rows.iter().map(|row| row.text("id").to_owned()).filter(|id| is_node_id(id)).collect())
    }

    async fn documents_where(&self, held: &str) -> Result<Vec<crate::kernel::api::query::Row>, ToolError> {
        self.lists_documents()?;
        let Some(boxes) = self.boxes() else { return Ok(Vec::new()) };
        let stmt = format!(
            "SELECT id, box, hpath, content FROM blocks WHERE type = 'd' AND id <> box AND box IN ({boxes}) AND {held} \
             GROUP BY id ORDER BY updated DESC, id LIMIT {}",
            MOST + 1
        );
        self.rows(&stmt).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_so_comes_before_what_holds_it() {
        let found = ["remove", "mint", "Move", "move"].map(str::to_owned).to_vec();
        assert_eq!(best(found, "mo").values, ["Move", "move", "remove"]);
        let many: Vec<String> = (0..150).map(|it| it.to_string()).collect();
        let many = best(many, "");
        assert_eq!((many.values.len(), many.more), (MOST, true));
    }
}
