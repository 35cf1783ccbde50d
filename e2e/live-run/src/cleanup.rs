//! Removes what a run made, and nothing else.

use std::collections::BTreeSet;
use std::time::Duration;

use demo_kernel::{Desk, RequestBody};
use puppy_core::id::is_node_id;
use puppy_core::kernel::api::notebook;
use puppy_core::spec::{ActionSpec, Effect};
use serde_json::{Value, json};

use crate::between;
use crate::kernel::Kernel;

/// The folders in which calls make files.
const FOLDERS: [&str; 3] = ["/data/assets", "/data/templates", "/data/storage/av"];
/// SiYuan may still write into the folder of a notebook while it removes it, and then keeps both.
const REMOVALS: usize = 5;
/// The time between two removals.
const BETWEEN: Duration = Duration::from_millis(500);
/// The deck that every workspace has.
const BUILT_IN_DECK: &str = "20230218211946-2kw8jgx";

/// The workspace before the run, and what the run made since.
pub(crate) struct Before {
    notebooks: BTreeSet<String>,
    decks: BTreeSet<String>,
    files: BTreeSet<String>,
    made: CreatedObjects,
}

/// The things of the run, each by its whole id or name.
#[derive(Default)]
struct CreatedObjects {
    notebooks: BTreeSet<String>,
    /// Files by their names, databases by their ids, decks by their names.
    others: BTreeSet<String>,
}

/// The names in requests that lay out a desk: those of files, decks and databases among them.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    /// Adds those of a request.
    pub(crate) fn of(&mut self, sent: RequestBody<'_>) {
        let body = match sent {
            RequestBody::File { path, .. } => {
                self.0.insert(leaf(path).to_owned());
                return;
            }
            RequestBody::Json(body) => body,
        };
        let mut open = vec![body];
        while let Some(value) = open.pop() {
            match value {
                Value::String(text) => {
                    self.0.insert(leaf(text).to_owned());
                    // A database is named in the block that shows it.
                    let words = text.split(|it: char| !(it.is_ascii_alphanumeric() || it == '-'));
                    self.0.extend(words.filter(|it| is_node_id(it)).map(str::to_owned));
                }
                Value::Array(items) => open.extend(items),
                Value::Object(fields) => open.extend(fields.values()),
                _ => {}
            }
        }
    }
}

impl Before {
    pub(crate) async fn read(kernel: &Kernel) -> Result<Before, String> {
        let mut files = BTreeSet::new();
        for folder in FOLDERS {
            files.extend(kernel.files(folder).await?);
        }
        let (notebooks, decks) = (notebooks(kernel).await?, decks(kernel).await?);
        Ok(Before {
            notebooks: notebooks.into_iter().map(|(id, _)| id).collect(),
            decks: decks.into_iter().map(|(id, _)| id).collect(),
            files,
            made: CreatedObjects::default(),
        })
    }

    /// Whether somebody's things are in the workspace.
    pub(crate) fn is_used(&self) -> bool {
        !self.notebooks.is_empty() || !self.files.is_empty()
    }

    /// Remembers a notebook that the run made.
    pub(crate) fn made_notebook(&mut self, id: &str) {
        self.made.notebooks.insert(id.to_owned());
    }

    /// Remembers what the requests of a desk may have made, whatever came of them.
    pub(crate) fn sent(&mut self, Names(names): Names) {
        self.made.others.extend(names);
    }

    /// Remembers what was laid out for a call.
    pub(crate) fn laid_out(&mut self, desk: &Desk) {
        self.made.notebooks.extend(desk.thing("spare").map(str::to_owned));
        self.made.others.extend(desk.things().map(|it| leaf(it).to_owned()));
    }

    /// Remembers what a call made. What a reading one answers may be anybody's, and only a call that can make a
    /// notebook tells the id of a new one.
    pub(crate) fn answered(&mut self, spec: &ActionSpec, answer: &Value) {
        if spec.worst <= Effect::Screen {
            return;
        }
        let makes_notebooks = spec.calls.iter().any(|it| it.path == notebook::CREATE_NOTEBOOK.path);
        let mut open = vec![answer];
        while let Some(value) = open.pop() {
            match value {
                Value::String(text) => {
                    self.made.others.insert(leaf(text).to_owned());
                    if makes_notebooks {
                        self.made.notebooks.insert(text.clone());
                    }
                }
                Value::Array(items) => open.extend(items),
                Value::Object(fields) => open.extend(fields.values()),
                _ => {}
            }
        }
    }

    /// Removes everything that was not there before and that the run made. Whatever a person made meanwhile stays.
    /// Returns a sentence about each thing that is left.
    pub(crate) async fn restore(&self, kernel: &Kernel, title: &str) -> Vec<String> {
        let mut left = Vec::new();
        for (id, name) in decks(kernel).await.unwrap_or_default() {
            if !self.decks.contains(&id) && (name.starts_with(title) || self.made.others.contains(&name)) {
                note(&mut left, kernel.ask("riff/removeRiffDeck", &json!({ "deckID": id })).await);
            }
        }
        for folder in FOLDERS {
            for file in kernel.files(folder).await.unwrap_or_default() {
                let name = leaf(&file);
                // A database is recognised by its id, which is its name without the ending.
                let known = self.made.others.contains(name.strip_suffix(".json").unwrap_or(name))
                    || self.made.others.contains(name);
                if !self.files.contains(&file) && known {
                    note(&mut left, kernel.ask("file/removeFile", &json!({ "path": file })).await);
                }
            }
        }
        note(&mut left, kernel.ask("file/removeFile", &json!({ "path": between::FOLDER })).await);
        // The last thing, because 3.7.3 may end over a damaged index then.
        for (id, name) in notebooks(kernel).await.unwrap_or_default() {
            let made = name.starts_with(title) || self.made.notebooks.contains(&id);
            if self.notebooks.contains(&id) || !made {
                continue;
            }
            if let Err(why) = remove_notebook(kernel, &id).await {
                left.push(format!("The notebook {name} is left: {why}"));
            }
        }
        if let Err(why) = notebooks(kernel).await {
            left.push(format!("SiYuan ended over the removal: {why}"));
        }
        left
    }
}

/// The name of a file.
fn leaf(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn note(left: &mut Vec<String>, removed: Result<Value, String>) {
    if let Err(why) = removed {
        left.push(format!("Something is left: {why}"));
    }
}

/// Removes a notebook and the flashcards in it, which SiYuan would keep.
async fn remove_notebook(kernel: &Kernel, id: &str) -> Result<(), String> {
    let body = json!({ "id": id, "page": 1, "pageSize": 10_000 });
    let cards = kernel.ask("riff/getNotebookRiffCards", &body).await.unwrap_or_default();
    let blocks = cards.get("blocks").and_then(Value::as_array).into_iter().flatten();
    let ids: Vec<&Value> = blocks.filter_map(|it| it.get("id")).collect();
    if !ids.is_empty() {
        let body = json!({ "deckID": BUILT_IN_DECK, "blockIDs": ids });
        kernel.ask("riff/removeRiffCards", &body).await?;
    }
    let mut removed = Err(String::new());
    for at in 0..REMOVALS {
        if at > 0 {
            tokio::time::sleep(BETWEEN).await;
        }
        removed = kernel.ask("notebook/removeNotebook", &json!({ "notebook": id })).await.map(drop);
        let is_there = || async { notebooks(kernel).await.is_ok_and(|all| all.iter().any(|it| it.0 == id)) };
        // A notebook that is half removed may be unknown from then on.
        if removed.is_ok() || !is_there().await {
            break;
        }
    }
    removed
}

async fn notebooks(kernel: &Kernel) -> Result<Vec<(String, String)>, String> {
    let list = kernel.ask("notebook/lsNotebooks", &json!({})).await?;
    Ok(named(list.get("notebooks")))
}

async fn decks(kernel: &Kernel) -> Result<Vec<(String, String)>, String> {
    Ok(named(Some(&kernel.ask("riff/getRiffDecks", &json!({})).await?)))
}

/// The ids and names in a list.
fn named(list: Option<&Value>) -> Vec<(String, String)> {
    let text = |it: &Value, key| it.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    list.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|it| (text(it, "id"), text(it, "name")))
        .collect()
}

#[cfg(test)]
mod tests {
    use demo_kernel::{Content, Options, Siyuan};
    use puppy_core::registry::ACTIONS;

    use super::*;

    const TITLE: &str = "Live check 1790000000";

    /// An empty SiYuan, and the folder that it works in.
    async fn siyuan() -> (demo_kernel::Running, Kernel, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let running = demo_kernel::start(Options {
            siyuan: Siyuan::default(),
            port: 0,
            workspace: folder.path().to_owned(),
            content: Content::Empty,
            token: None,
            stage: None,
        });
        let running = running.await.unwrap();
        let kernel = Kernel::new(&running.url(), None).unwrap();
        // The settings of the run.
        kernel.put(&format!("{}/storage/toolConfig", between::FOLDER), &json!({})).await.unwrap();
        (running, kernel, folder)
    }

    async fn make_notebook(kernel: &Kernel, name: &str) -> String {
        let made = kernel.ask("notebook/createNotebook", &json!({ "name": name })).await.unwrap();
        made["notebook"]["id"].as_str().unwrap().to_owned()
    }

    /// A desk for a call, in a notebook of the run.
    async fn desk(kernel: &Kernel, before: &mut Before) -> Desk {
        let notebook = make_notebook(kernel, TITLE).await;
        before.made_notebook(&notebook);
        let (here, kernel) = (tokio::runtime::Handle::current(), kernel.clone());
        let laid_out = tokio::task::spawn_blocking(move || {
            let ask = |path: &str, sent: RequestBody<'_>| here.block_on(kernel.send(path, sent));
            Desk::lay_out(ask, &notebook, &format!("{TITLE} call"), |thing| thing == "spare")
        });
        let desk = laid_out.await.unwrap().unwrap();
        before.laid_out(&desk);
        desk
    }

    fn spec(path: &str) -> &'static ActionSpec {
        ACTIONS.iter().find(|spec| spec.path() == path).unwrap()
    }

    /// Notebooks, files and decks by their names.
    async fn everything(kernel: &Kernel) -> BTreeSet<String> {
        let notebooks = notebooks(kernel).await.unwrap().into_iter().map(|(_, name)| name);
        let decks = decks(kernel).await.unwrap().into_iter().map(|(_, name)| name);
        let mut found: BTreeSet<String> = notebooks.chain(decks).collect();
        for folder in FOLDERS {
            found.extend(kernel.files(folder).await.unwrap());
        }
        found
    }

    /// A person works in the same SiYuan while the run reads and lists all that is there.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_a_person_makes_during_a_run_stays() {
        let (_running, kernel, _folder) = siyuan().await;
        let at_first = everything(&kernel).await;
        let mut before = Before::read(&kernel).await.unwrap();
        let desk = desk(&kernel, &mut before).await;

        let taxes = make_notebook(&kernel, "Taxes").await;
        let asset = desk.thing("asset").unwrap();
        // The ends of names of the run, and a database of a person's own.
        let (short, av) = (&asset[asset.len() - 9..], "20260101000000-taxes00");
        let files = [
            format!("/data/assets/{short}"),
            "/data/templates/tax.md".to_owned(),
            format!("/data/storage/av/{av}.json"),
        ];
        for file in &files {
            kernel.put(file, &json!({})).await.unwrap();
        }
        kernel.ask("riff/createRiffDeck", &json!({ "name": "Tax law" })).await.unwrap();
        let listed = json!({ "notebooks": [{ "id": taxes, "name": "Taxes" }] });
        before.answered(spec("notebook.list"), &listed);
        before.answered(
            spec("file.list_assets"),
            &json!({ "assets": [{ "path": format!("assets/{short}") }] }),
        );
        before.answered(spec("file.list_templates"), &json!({ "templates": [{ "template": "tax.md" }] }));
        before.answered(spec("av.search"), &json!({ "databases": [{ "id": av, "name": "Taxes" }] }));
        before.answered(spec("flashcard.list_decks"), &json!({ "decks": [{ "name": "Tax law" }] }));
        // Changing calls name notebooks that they did not make.
        before.answered(spec("notebook.reorder"), &listed);
        before.answered(spec("document.create"), &json!({ "notebook": taxes }));

        assert_eq!(before.restore(&kernel, TITLE).await, Vec::<String>::new());
        let mut wanted = at_first;
        wanted.extend(files);
        wanted.extend(["Taxes".to_owned(), "Tax law".to_owned()]);
        assert_eq!(everything(&kernel).await, wanted);
    }

    /// A desk may fail at any of its requests, and what it made before is removed all the same.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_half_a_desk_made_is_removed() {
        let (_running, kernel, _folder) = siyuan().await;
        let at_first = everything(&kernel).await;
        let mut before = Before::read(&kernel).await.unwrap();
        let notebook = make_notebook(&kernel, TITLE).await;
        before.made_notebook(&notebook);
        for last in ["/api/riff/createRiffDeck", "/api/av/renderAttributeView", "/api/transactions"] {
            let (here, kernel, notebook) =
                (tokio::runtime::Handle::current(), kernel.clone(), notebook.clone());
            let laid_out = tokio::task::spawn_blocking(move || {
                let names = std::cell::RefCell::new(Names::default());
                let ask = |path: &str, sent: RequestBody<'_>| {
                    names.borrow_mut().of(sent);
                    let answer = here.block_on(kernel.send(path, sent))?;
                    if path == last { Err("SiYuan does not answer.".to_owned()) } else { Ok(answer) }
                };
                let title = format!("{TITLE} {}", leaf(last));
                let desk = Desk::lay_out(ask, &notebook, &title, |thing| matches!(thing, "spare" | "av"));
                assert!(desk.is_err(), "{last} is no request of a desk");
                names.into_inner()
            });
            before.sent(laid_out.await.unwrap());
        }
        assert!(everything(&kernel).await.len() > at_first.len() + 8);
        assert_eq!(before.restore(&kernel, TITLE).await, Vec::<String>::new());
        assert_eq!(everything(&kernel).await, at_first);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_the_run_made_is_removed() {
        let (_running, kernel, _folder) = siyuan().await;
        let at_first = everything(&kernel).await;
        let mut before = Before::read(&kernel).await.unwrap();
        let desk = desk(&kernel, &mut before).await;
        assert!(desk.thing("spare").is_some() && everything(&kernel).await.len() > at_first.len() + 5);

        let made = make_notebook(&kernel, "Garden").await;
        before.answered(spec("notebook.create"), &json!({ "id": made, "name": "Garden" }));
        kernel.put("/data/assets/leaf-20260101000000-abcdefg.png", &json!({})).await.unwrap();
        let uploaded = json!({ "path": "assets/leaf-20260101000000-abcdefg.png", "size": 2 });
        before.answered(spec("file.upload_asset"), &uploaded);
        kernel.put("/data/templates/weekly.md", &json!({})).await.unwrap();
        before.answered(spec("file.save_template"), &json!({ "template": "weekly.md", "changed": true }));

        assert_eq!(before.restore(&kernel, TITLE).await, Vec::<String>::new());
        assert_eq!(everything(&kernel).await, at_first);
    }
}
