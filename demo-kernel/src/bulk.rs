//! Many documents at once for tests of size; the texts are the same every time.

use crate::answer::Refusal;
use crate::markdown::scan;
use crate::store::{Store, Tree};

/// The number of documents in one folder; they are written together.
const FOLDER: usize = 100;

const WORDS: [&str; 24] = [
    "amber", "basil", "cedar", "dew", "ember", "fern", "garden", "harvest", "ivy", "juniper", "kelp",
    "larch", "moss", "nettle", "orchard", "pollen", "quartz", "root", "seed", "thyme", "umbel", "violet",
    "willow", "yarrow",
];

/// Makes a notebook with this number of documents and of blocks in all; returns its id.
pub(crate) fn load(store: &Store, documents: usize, blocks: usize) -> Result<String, Refusal> {
    let notebook = store.write(|db| Ok(db.create_notebook("Bulk")?.id))?;
    let mut words = Words(1);
    let each = blocks.div_ceil(documents.max(1)).max(1);
    for (part, first) in (0..documents).step_by(FOLDER).enumerate() {
        store.write(|db| {
            let mut folder = Tree::new(&notebook, "/", &crate::id::new_id(), &format!("Part {}", part + 1));
            folder.root.children = scan("A folder of notes.");
            let place = folder.folder();
            db.add(folder)?;
            for number in first..documents.min(first + FOLDER) {
                let title = format!("Note {} {}", number + 1, words.some(1));
                let mut tree = Tree::new(&notebook, &place, &crate::id::new_id(), &title);
                tree.root.children = scan(&text(&mut words, each));
                db.add(tree)?;
            }
            Ok(())
        })?;
    }
    Ok(notebook)
}

/// The text of a document with this number of blocks: a heading, then paragraphs.
fn text(words: &mut Words, blocks: usize) -> String {
    let mut parts = vec![format!("# About {}", words.some(2))];
    parts.extend((1..blocks).map(|_| words.some(14)));
    parts.join("\n\n")
}

/// Words in an order that only looks random.
struct Words(u32);

impl Words {
    fn some(&mut self, count: usize) -> String {
        let mut words: Vec<&str> = Vec::with_capacity(count);
        for _ in 0..count {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = usize::try_from(self.0 >> 16).unwrap_or_default() % WORDS.len();
            words.extend(WORDS.get(at));
        }
        words.join(" ")
    }
}
