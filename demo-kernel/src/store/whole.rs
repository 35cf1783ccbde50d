//! The store as a whole: copied, shown, and a notebook of it emptied, for tests that compare workspaces.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use rusqlite::params;

use super::{Db, FILES, Store, lock};
use crate::answer::Refusal;
use crate::markdown::{Kind, Node};

impl Store {
    /// Writes the databases as they are now into another folder.
    pub(crate) fn copy_to(&self, folder: &Path) -> Result<(), Refusal> {
        std::fs::create_dir_all(folder)?;
        // No write happens while this is held, so the files are consistent.
        let writer = lock(&self.writer);
        for (name, schema) in FILES {
            let [all, written]: [i64; 2] =
                writer.query_row(&format!("PRAGMA {schema}.wal_checkpoint(PASSIVE)"), [], |row| {
                    Ok([row.get(1)?, row.get(2)?])
                })?;
            // Opening a copy reads its whole log, so a log that is completely in the database is left out.
            let is_in_database = written >= 0 && written == all;
            let needed = [Some(name.to_owned()), (!is_in_database).then(|| format!("{name}-wal"))];
            for file in needed.into_iter().flatten() {
                match std::fs::copy(self.folder.join(&file), folder.join(&file)) {
                    Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e.into()),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// All that is stored, by names.
    pub(crate) fn dump(&self) -> Result<BTreeMap<String, String>, Refusal> {
        self.read(|db| {
            let mut all: BTreeMap<String, String> = db.everything()?.into_iter().collect();
            let mut query = db.0.prepare_cached("SELECT 'block/' || id, root FROM node")?;
            let blocks = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            all.extend(blocks.collect::<Result<Vec<(String, String)>, _>>()?);
            Ok(all)
        })
    }
}

impl Db<'_> {
    /// Removes everything that was ever in a notebook except its own document, which is left without text.
    pub(crate) fn empty_notebook(&self, id: &str) -> Result<(), Refusal> {
        let mut gone: HashSet<String> = HashSet::new();
        for mut tree in self.trees_in(id)? {
            let mut nodes: Vec<&Node> = Vec::new();
            tree.root.walk(&mut |node| nodes.push(node));
            gone.extend(nodes.iter().map(|node| node.id.clone()));
            if tree.is_notebook() {
                tree.root.children.retain(|node| node.kind == Kind::Paragraph);
                tree.root.children.truncate(1);
                tree.root.walk(&mut |node| {
                    gone.remove(&node.id);
                });
                self.put(&tree)?;
            } else {
                self.forget(tree.id())?;
            }
        }
        self.forget_databases_shown_in(&gone)?;
        for mut deck in self.decks()? {
            let cards = deck.cards.len();
            deck.cards.retain(|_, card| !gone.contains(&card.block));
            if deck.cards.len() < cards {
                self.save_deck(&mut deck)?;
            }
        }
        let mut lost = self.0.prepare_cached(
            "UPDATE refs SET def_block_parent_id = '', def_block_root_id = '', def_block_path = '' WHERE def_block_id = ?1",
        )?;
        gone.iter().try_for_each(|id| lost.execute(params![id]).map(drop))?;
        Ok(())
    }

    /// Removes the databases that only blocks of this set show.
    fn forget_databases_shown_in(&self, gone: &HashSet<String>) -> Result<(), Refusal> {
        for database in self.databases()? {
            let carriers = self.carriers(&database.id)?;
            if !carriers.is_empty() && carriers.iter().all(|id| gone.contains(id)) {
                self.forget_database(&database.id)?;
            }
        }
        Ok(())
    }
}
