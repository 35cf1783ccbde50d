//! Removes what a run made, and nothing else.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::between;
use crate::kernel::Kernel;

/// The folders in which calls make files.
const FOLDERS: [&str; 3] = ["/data/assets", "/data/templates", "/data/storage/av"];
/// The deck that every workspace has.
const BUILT_IN_DECK: &str = "20230218211946-2kw8jgx";

/// The workspace before the run, and the words by which the things of the run are known.
pub(crate) struct Before {
    notebooks: BTreeSet<String>,
    decks: BTreeSet<String>,
    files: BTreeSet<String>,
    /// Everything that was laid out and that calls answered.
    words: String,
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
            words: String::new(),
        })
    }

    /// Whether somebody's things are in the workspace.
    pub(crate) fn is_used(&self) -> bool {
        !self.notebooks.is_empty() || !self.files.is_empty()
    }

    /// Remembers words that name things of the run.
    pub(crate) fn remember(&mut self, words: &str) {
        self.words.push_str(words);
        self.words.push('\n');
    }

    /// Removes everything that was not there before and whose name the run knows. Whatever a person made meanwhile has
    /// no such name. Returns a sentence about each thing that is left.
    pub(crate) async fn restore(&self, kernel: &Kernel, title: &str) -> Vec<String> {
        let mut left = Vec::new();
        for (id, name) in decks(kernel).await.unwrap_or_default() {
            if !self.decks.contains(&id) && name.contains(title) {
                note(&mut left, kernel.ask("riff/removeRiffDeck", &json!({ "deckID": id })).await);
            }
        }
        for folder in FOLDERS {
            for file in kernel.files(folder).await.unwrap_or_default() {
                let name = file.rsplit('/').next().unwrap_or_default();
                // A database is told by its id, which is its name without the ending.
                let known = self.words.contains(name.strip_suffix(".json").unwrap_or(name));
                if !self.files.contains(&file) && known {
                    note(&mut left, kernel.ask("file/removeFile", &json!({ "path": file })).await);
                }
            }
        }
        note(&mut left, kernel.ask("file/removeFile", &json!({ "path": between::FOLDER })).await);
        // The last thing, because 3.7.3 may end over a damaged index then.
        for (id, name) in notebooks(kernel).await.unwrap_or_default() {
            if self.notebooks.contains(&id) || !(name.contains(title) || self.words.contains(&id)) {
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
    kernel.ask("notebook/removeNotebook", &json!({ "notebook": id })).await.map(drop)
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
