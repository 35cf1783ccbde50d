//! `/api/filetree`: copies of documents, and documents made of list items.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{by_path, clean_title};
use crate::answer::{Args, Outcome, Refusal};
use crate::edit;
use crate::kernel::Kernel;
use crate::markdown::plain::{self, Take};
use crate::markdown::{Kind, Node};
use crate::store::Tree;

/// Attributes that a copy does not keep: its place in databases and in decks of cards.
const LEFT_BEHIND: [&str; 5] =
    ["custom-avs", "custom-sy-av-view", "av-names", "custom-riff-decks", "custom-hidden"];

/// A copy with new ids next to the document; references inside it lead inside the copy.
pub(crate) fn duplicate(kernel: &Kernel, args: &Args) -> Outcome {
    let id = args.text("id")?;
    kernel.store.write(|db| {
        let mut tree = db.need_tree(id).map_err(|refusal| refusal.closing_after(7000))?;
        let hpath = if tree.is_notebook() { "/".to_owned() } else { db.hpath(&tree.path)? };
        let untitled = tree.is_untitled() || tree.title() == "Untitled";
        renew_ids(&mut tree.root);
        let made = crate::id::seconds_of(tree.id().get(..14).unwrap_or_default());
        let suffix = format!("  (Duplicated {})", crate::id::clock(made));
        if !untitled {
            let title = format!("{}{}", tree.title(), suffix.get(1..).unwrap_or_default());
            tree.root.attrs.set("title", &title);
        }
        tree.root.attrs.set("scroll", "");
        let folder = tree.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        tree.path = format!("{folder}/{}.sy", tree.id());
        let shown = if untitled { hpath + " " } else { hpath + &suffix };
        let answer = json!({
            "id": tree.id(), "notebook": tree.notebook, "path": tree.path, "hPath": shown,
        });
        db.add(tree)?;
        Ok(answer)
    })
}

/// Gives all blocks new ids and removes their ties to databases and cards.
fn renew_ids(root: &mut Node) {
    let mut renewed = HashMap::new();
    root.walk_mut(&mut |node| {
        let id = crate::id::new_id();
        renewed.insert(std::mem::replace(&mut node.id, id.clone()), id);
        LEFT_BEHIND.iter().for_each(|name| node.attrs.set(name, ""));
    });
    root.walk_mut(&mut |node| {
        for span in node.texts_mut().into_iter().flatten().filter(|span| span.is("block-ref")) {
            if let Some(id) = renewed.get(span.attrs.text("data-id")) {
                span.attrs.set("data-id", id);
            }
        }
    });
}

/// Turns a list item with its contents into a document, which keeps its id.
pub(crate) fn item_to_document(kernel: &Kernel, args: &Args) -> Outcome {
    let (id, notebook) = (args.text("srcListItemID")?, args.text("targetNoteBook")?);
    let target = args.text_or("targetPath", "");
    let previous = args.text_or("previousPath", "");
    kernel.store.write(|db| {
        let closing = |refusal: Refusal| refusal.closing_after(5000);
        let missing = || closing(Refusal::new("block not found"));
        let mut source = db.tree_of(id)?.ok_or_else(missing)?;
        let item = source.root.find(id).ok_or_else(missing)?;
        if !matches!(item.kind, Kind::Item { .. }) {
            return Err(Refusal::not_here("documents made of blocks that are no list items"));
        }
        let folder = match (previous, target) {
            ("", "/") => "/".to_owned(),
            ("", path) if path.trim_end_matches(".sy").trim_matches('/') == notebook => "/".to_owned(),
            ("", path) => by_path(db, path).map_err(closing)?.folder(),
            (path, _) => {
                let beside = by_path(db, path).map_err(closing)?;
                beside.path.rsplit_once('/').map_or("/".to_owned(), |(folder, _)| format!("{folder}/"))
            }
        };
        db.open_notebook(notebook)?;
        let mut tree = Tree::new(notebook, &folder, id, &clean_title(&text(item)));
        for (name, value) in item.attrs.iter().filter(|(name, _)| *name != "fold") {
            tree.root.attrs.set(name, value);
        }
        tree.root.attrs.set("updated", &crate::id::stamp());
        tree.root.children.clone_from(&item.children);
        if tree.root.children.is_empty() {
            tree.root.children.push(Node::new(Kind::Paragraph));
        }
        edit::remove(&mut source.root, id).ok_or_else(missing)?;
        db.save(&source)?;
        db.add(tree)?;
        Ok(Value::Null)
    })
}

/// The text of an item without the lists in it.
fn text(item: &Node) -> String {
    let own = item.children.iter().filter(|child| !matches!(child.kind, Kind::List(_)));
    own.map(|child| plain::content(child, Take::Seen).trim().to_owned()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copied_document_has_new_ids_and_own_references() {
        let mut root = Node::new(Kind::Document);
        root.children = crate::markdown::scan("one\n{: custom-avs=\"x\" custom-a=\"1\"}");
        let old = root.children[0].id.clone();
        root.children.extend(crate::markdown::scan(&format!(
            "see (({old} 'one')) and ((20200101000000-elsewhr 'b'))"
        )));
        renew_ids(&mut root);
        let new = root.children[0].id.clone();
        assert_ne!(old, new);
        assert_eq!(root.children[0].attrs.get("custom-avs"), None);
        assert_eq!(root.children[0].attrs.get("custom-a"), Some("1"));
        let leads: Vec<&str> = root.children[1]
            .spans
            .iter()
            .filter(|s| s.is("block-ref"))
            .map(|s| s.attrs.text("data-id"))
            .collect();
        assert_eq!(leads, [new.as_str(), "20200101000000-elsewhr"]);
    }
}
