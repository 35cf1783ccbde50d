//! `document.reorder`: the person's order of the documents below one place.

use futures_util::future::try_join;
use serde_json::{Value, json};

use super::destination::{self, Destination};
use crate::kernel::api::filetree::DocFile;
use crate::prelude::*;

/// The kernel's number for "sorted by hand".
const BY_HAND: u64 = 6;
/// The kernel's number for "as the settings of the file tree say".
const AS_SETTINGS: u64 = 15;

/// Set the order of sibling documents.
#[derive(Debug, Action)]
#[action(
    document.reorder,
    danger = None,
    idempotent = true,
    tier = advanced,
    calls = [
        filetree::LIST_DOCS_BY_PATH, filetree::CHANGE_SORT, notebook::GET_NOTEBOOK_CONF, system::GET_CONF,
    ],
    examples = [
        { "notebook": "{notebook}", "order": ["{other_doc}", "{doc}"] },
        { "parent": "{folder}", "order": ["{below}"] },
    ],
)]
pub struct Reorder {
    /// Below a document or at the top of a notebook.
    #[needs(Write)]
    #[one_of]
    pub destination: Destination,
    /// Documents from first to last; others follow.
    pub order: Ids<Child<DocId>, 256>,
}

/// The facts that the plan read.
#[derive(Debug, Hash)]
pub struct Facts {
    notebook: NotebookId,
    /// The storage paths of all children in the new order.
    paths: Vec<String>,
    /// Ids and titles of those that were named, in the new order.
    named: Vec<(String, String)>,
    changed: bool,
}

impl Change for Reorder {
    type Facts = Facts;

    async fn plan(&self, cx: &Cx<'_>) -> Result<Plan<Facts>, ToolError> {
        let place = self.destination.place(cx).await?;
        let list = filetree::list_docs_by_path(&place.notebook, destination::storage(place));
        let conf = notebook::get_notebook_conf(&place.notebook);
        let (files, conf) = try_join(cx.ask(list), cx.ask(conf)).await?;
        let files = cx.visible(files).files;
        let mode = conf.conf.get("sortMode").and_then(Value::as_u64).unwrap_or(AS_SETTINGS);
        let mode = if mode == AS_SETTINGS { cx.conf().await?.file_tree.sort() } else { mode };
        if mode != BY_HAND {
            return Err(ToolError::field(
                "order",
                "sent for a notebook with manual order, because another one does not show it; notebook.set_conf with conf {\"sort_mode\": 6} sets manual order",
            ));
        }
        let mut first: Vec<&DocFile> = Vec::new();
        for Child(id) in self.order.as_slice() {
            let Some(file) = files.iter().find(|it| it.id == id.as_str()) else {
                return Err(ToolError::field("order", format!("documents directly below; {id} is not")));
            };
            first.push(file);
        }
        let rest = files.iter().filter(|it| !first.iter().any(|named| named.id == it.id));
        let all: Vec<&DocFile> = first.iter().copied().chain(rest).collect();
        let changed = all.iter().map(|it| &it.id).ne(files.iter().map(|it| &it.id));
        let named: Vec<(String, String)> = first.iter().map(|it| (it.id.clone(), it.name.clone())).collect();
        let shown = order_json(&named);
        let n = named.len();
        let paths = all.iter().map(|it| it.path.clone()).collect();
        Ok(Plan::new("reorder", Facts { notebook: place.notebook.clone(), paths, named, changed })
            .show("order", shown)
            .touching(n, place.notebook_name.as_str()))
    }

    async fn run(self, plan: Plan<Facts>, cx: &Cx<'_>) -> Reply {
        let Facts { notebook, paths, named, changed } = plan.facts;
        if let Some(paths) = NonEmpty::of(&paths).filter(|_| changed) {
            cx.ask(filetree::change_sort(&notebook, paths)).await?;
        }
        Ok(Output::new().with("order", order_json(&named)).with("changed", changed))
    }
}

fn order_json(named: &[(String, String)]) -> Vec<Value> {
    named.iter().map(|(id, title)| json!({ "id": id, "title": title })).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::dispatch::{Approval, Engine};
    use crate::spec::Tool;
    use crate::testing::world::{Nobody, World, call, check, checks, world};

    fn garden() -> World {
        world().notebook("Attic", "r").notebook("Private", "none").docs([
            "/Garden/A",
            "/Garden/B",
            "/Garden/C",
            "/Garden/C/D",
            "/Attic/Box",
            "/Private/Plan",
        ])
    }

    #[test]
    fn those_that_are_named_come_first_and_the_others_keep_their_order() {
        let order = json!({ "notebook": "Garden", "order": ["{/Garden/C}", "{/Garden/A}"] });
        check(
            "document.reorder",
            garden(),
            &order,
            &expect![[r#"
            listDocsByPath getNotebookConf getConf changeSort
            {"order":[{"id":"{/Garden/C}","title":"C"},{"id":"{/Garden/A}","title":"A"}],"changed":true}
        "#]],
        );
        let engine = Engine::new(garden(), Nobody);
        let mut arguments = order;
        arguments["action"] = json!("reorder");
        arguments["order"] = json!([engine.kernel.id("/Garden/C"), engine.kernel.id("/Garden/A")]);
        let mut changed = Vec::new();
        for _ in 0..2 {
            let reply = call(&engine, Tool::Document, &arguments, &Approval::Missing).unwrap();
            changed.push(reply.data["changed"].clone());
        }
        assert_eq!(changed, [json!(true), json!(false)]);
        let body = json!({ "notebook": engine.kernel.id("/Garden"), "path": "/", "maxListCount": 0 });
        let files = engine.kernel.ask("filetree/listDocsByPath", &body)["files"].take();
        let titles: Vec<_> = files.as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
        assert_eq!(titles, ["C", "A", "B"]);
    }

    #[test]
    fn only_children_are_put_in_order() {
        checks(
            "document.reorder",
            garden,
            ["{/Garden/C/D}", "{/Attic/Box}", "{/Private/Plan}", "20250101000000-nothing"]
                .map(|other| json!({ "notebook": "Garden", "order": [other] })),
            &expect![[r#"
            listDocsByPath getNotebookConf getConf
            {"error":{"type":"validation_error","message":"`order` must be documents directly below; {/Garden/C/D} is not.","fields":{"order":"documents directly below; {/Garden/C/D} is not"}}}
            listDocsByPath getNotebookConf getConf
            {"error":{"type":"validation_error","message":"`order` must be documents directly below; {/Attic/Box} is not.","fields":{"order":"documents directly below; {/Attic/Box} is not"}}}
            listDocsByPath getNotebookConf getConf
            {"error":{"type":"validation_error","message":"`order` must be documents directly below; {/Private/Plan} is not.","fields":{"order":"documents directly below; {/Private/Plan} is not"}}}
            listDocsByPath getNotebookConf getConf
            {"error":{"type":"validation_error","message":"`order` must be documents directly below; {new 1} is not.","fields":{"order":"documents directly below; {new 1} is not"}}}
        "#]],
        );
    }

    #[test]
    fn an_order_that_would_not_show_is_refused() {
        let world = garden();
        let conf = json!({ "notebook": world.id("/Garden"), "conf": { "sortMode": 0 } });
        world.ask("notebook/setNotebookConf", &conf);
        check(
            "document.reorder",
            world,
            &json!({ "notebook": "Garden", "order": ["{/Garden/C}"] }),
            &expect![[r#"
            listDocsByPath getNotebookConf
            {"error":{"type":"validation_error","message":"`order` must be sent for a notebook with manual order, because another one does not show it; notebook.set_conf with conf {\"sort_mode\": 6} sets manual order.","fields":{"order":"sent for a notebook with manual order, because another one does not show it; notebook.set_conf with conf {\"sort_mode\": 6} sets manual order"}}}
        "#]],
        );
    }
}
