//! `notebook.reorder`: sets the order of the notebooks.

use serde_json::{Value, json};

use crate::prelude::*;

/// Set the order of the notebooks: the given ones first, then the others in their current order.
#[derive(Debug, Action)]
#[action(
    notebook.reorder,
    danger = None,
    idempotent = true,
    calls = [notebook::CHANGE_SORT_NOTEBOOK],
    tier = advanced,
    examples = [{ "notebooks": ["{notebook}"] }],
)]
pub struct Reorder {
    /// Ids or names, in the new order; others follow.
    #[needs(Write)]
    pub notebooks: Many<NotebookRef, 1, 256>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    /// Every visible notebook with its name, in the new order.
    order: Vec<(String, String)>,
    changed: bool,
}

impl Facts {
    fn order_json(&self) -> Vec<Value> {
        self.order.iter().map(|(id, name)| json!({ "id": id, "name": name })).collect()
    }
}

impl Change for Reorder {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let mut given: Vec<&str> = Vec::new();
        for notebook in self.notebooks.as_slice() {
            let id = cx.found(notebook).await?.notebook.as_str();
            if !given.contains(&id) {
                given.push(id);
            }
        }
        let all = || cx.scope().visible_notebooks();
        let first = given.iter().filter_map(|id| all().find(|it| it.id == *id));
        let others = all().filter(|it| !given.contains(&it.id.as_str()));
        let order: Vec<_> = first.chain(others).collect();
        let changed = !order.iter().map(|it| &it.id).eq(all().map(|it| &it.id));
        let order = order.into_iter().map(|it| (it.id.clone(), it.name.clone())).collect();
        let (facts, n) = (Facts { order, changed }, given.len());
        let shown = facts.order_json();
        Ok(Plan::new("reorder", facts).show("order", shown).touching(n, ""))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { order, changed } = &plan.facts;
        if *changed {
            let visible: Vec<&str> = order.iter().map(|(id, _)| id.as_str()).collect();
            let whole = cx.scope().in_whole_order(&visible);
            let all = NonEmpty::of(&whole).ok_or_else(ToolError::not_found)?;
            let sorted = cx.ask(notebook::change_sort_notebook(all)).await;
            cx.policy_changed(&[]).await;
            sorted?;
        }
        Ok(Output::new().with("order", plan.facts.order_json()).with("changed", *changed))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::dispatch::{Approval, Engine};
    use crate::error::ErrorType;
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, World, call};

    /// Four notebooks in the person's order; new ones are put first.
    fn engine() -> Engine<World, Nobody> {
        let world = World::new().notebook("D", "r").notebook("C", "rw");
        Engine::new(world.notebook("Private", "none").notebook("A", "rw"), Nobody)
    }

    fn order(engine: &Engine<World, Nobody>) -> Vec<String> {
        let all = engine.kernel.ask("notebook/lsNotebooks", &json!({}));
        all["notebooks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["name"].as_str().unwrap().to_owned())
            .collect()
    }

    fn reorder(engine: &Engine<World, Nobody>, notebooks: &Value) -> crate::output::Reply {
        engine.kernel.pass(2_000);
        let arguments = json!({ "action": "reorder", "notebooks": notebooks });
        call(engine, Tool::Notebook, &arguments, &Approval::Missing)
    }

    /// B-055: hidden notebooks stay in their places and are not named.
    #[test]
    fn given_notebooks_come_first_and_hidden_ones_keep_their_places() {
        let engine = engine();
        assert_eq!(order(&engine), ["A", "Private", "C", "D"]);
        let data = reorder(&engine, &json!(["C", "A", "C"])).unwrap().data;
        let names: Vec<Value> =
            data["order"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
        assert_eq!((Value::Array(names), &data["changed"]), (json!(["C", "A", "D"]), &json!(true)));
        assert_eq!(order(&engine), ["C", "Private", "A", "D"]);
        engine.kernel.take_paths();
        let again = reorder(&engine, &json!(["C"])).unwrap().data;
        assert_eq!(again["changed"], json!(false));
        let paths = engine.kernel.take_paths();
        assert!(!paths.iter().any(|path| path.ends_with("changeSortNotebook")), "{paths:?}");
    }

    /// B-063, and the kernel would create a notebook for an unknown id.
    #[test]
    fn reorder_needs_rw_in_the_given_notebooks() {
        for (notebooks, kind) in [
            (json!(["D", "A"]), ErrorType::PermissionDenied),
            (json!(["Private", "A"]), ErrorType::NotFound),
            (json!(["20250101000000-nowhere"]), ErrorType::NotFound),
        ] {
            let engine = engine();
            assert_eq!(reorder(&engine, &notebooks).unwrap_err().kind, kind);
            assert_eq!(order(&engine), ["A", "Private", "C", "D"]);
        }
    }
}
