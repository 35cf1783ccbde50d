//! A question to a person as keys and values: each reader words it in its own language ([`words`]).
//!
//! The plan of an action says what it is about ([`About`]); the declaration adds verb and way back. Ids lead to what a
//! person may open. No reader shows them.

mod clean;
pub mod words;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use clean::{LONGEST, clean};

use crate::id::DocId;
use crate::spec::{Back, Verb};

/// The maximum number of things in a list; the rest is a number.
pub const MOST: usize = 10;

/// The maximum number of characters of a text that is shown whole; no argument that needs it is longer.
const WHOLE: usize = 1_000;

/// The number of digits of the creation time at the start of an id.
const TIME: usize = 14;

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// The deed.
    pub verb: Verb,
    /// The way back.
    pub back: Back,
    /// Its subject and consequences.
    #[serde(default)]
    pub about: About,
}

/// The things that a plan is about, and what becomes of others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct About {
    /// The kind of the things.
    #[serde(default)]
    pub kind: ThingKind,
    /// The things.
    #[serde(default)]
    pub things: Things,
    /// The other party: a destination, a new name, the database of rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<Thing>,
    /// Its further effects, the gravest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Consequence>,
}

/// Things: the first ones and their number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Things {
    /// The first ones, at most [`MOST`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<Thing>,
    /// The number of all.
    pub n: u64,
}

/// One thing. Its texts come from notes and agents, and have been through [`clean`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Thing {
    /// Its title, name or first words.
    #[serde(default)]
    pub title: String,
    /// The hpath of the place that holds it; empty at the top of a notebook.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// Its notebook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notebook: Option<Book>,
    /// The id of the document or block, for a link; never shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// A notebook.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Book {
    /// Its name.
    pub name: String,
    /// Its icon as the kernel stores it; often empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub icon: String,
}

/// The kind of things.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThingKind {
    /// The whole workspace, or nothing that has a name.
    #[default]
    Workspace,
    /// Notebooks.
    Notebook,
    /// Documents.
    Document,
    /// Blocks.
    Block,
    /// Databases.
    Database,
    /// Rows of a database.
    Row,
    /// Columns of a database.
    Column,
    /// Options of a column.
    Choice,
    /// Views of a database.
    View,
    /// Flashcards.
    Card,
    /// Tags.
    Tag,
    /// Bookmarks.
    Bookmark,
    /// Assets and other files.
    File,
    /// Templates.
    Template,
    /// References.
    Reference,
    /// A piece of text.
    Text,
}

/// One more thing that a deed does, or that a person must know.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consequence {
    /// Documents below go along.
    Below(Things),
    /// Documents are removed.
    Removed(Things),
    /// Documents are moved.
    Moved(Things),
    /// Documents stay as they are.
    Stays(Things),
    /// Documents keep the blocks that somebody changed.
    Keeps(Things),
    /// Documents in which also what somebody changed meanwhile goes back.
    Overwrites(Things),
    /// So many changes of other things than documents stay.
    Others(u64),
    /// Putting back the run does not undo the change.
    Irreversible,
    /// References elsewhere break: the documents that hold them, as far as they were read.
    Breaks {
        /// The number of references.
        refs: u64,
        /// Their documents; `n` is 0 where they were not all read.
        documents: Things,
    },
    /// Rows of databases elsewhere go along.
    Rows(Things),
    /// It happens in so many blocks of so many documents.
    Across {
        /// The number of blocks; 0 where it does not matter.
        #[serde(default)]
        blocks: u64,
        /// The number of documents.
        documents: u64,
        /// The first of them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        first: Vec<Thing>,
    },
    /// So many blocks are replaced or lost.
    Blocks(u64),
    /// So many values of cells are lost.
    Values(u64),
    /// Texts that go.
    Goes(Texts),
    /// Texts that come.
    Comes(Texts),
    /// Texts that change.
    Changes(Texts),
    /// Icon, cover and place in the tree are lost.
    Look,
    /// Another notebook has levels and readers of its own.
    OtherRules,
    /// The documents of the notebook cannot be found until it is opened again.
    Vanishes,
    /// Afterwards nobody can tell the two labels apart.
    Merges,
    /// The learning history is lost.
    Learning,
    /// The level of agents changes.
    Level {
        /// The word of the present level.
        from: String,
        /// The word of the new level.
        to: String,
    },
    /// The size of files, in bytes.
    Size(u64),
    /// A format of files, by its word.
    Format(String),
    /// The bounds of an errand, and its purpose.
    Bounds {
        /// The most changes.
        changes: u64,
        /// The most deletions of documents.
        deletes: u64,
        /// The minutes.
        minutes: u64,
        /// The agent's own sentence, cleaned.
        purpose: String,
    },
    /// A setting changes.
    Setting {
        /// Its name, as the kernel has it.
        name: String,
        /// The present value.
        from: String,
        /// The new value.
        to: String,
    },
}

/// Pieces of text from notes: the first ones and their number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Texts {
    /// The first ones; a change has both of its texts.
    pub texts: Vec<(String, String)>,
    /// The number of all.
    #[serde(default)]
    pub n: u64,
}

impl Ask {
    /// The title of the first document that it deletes.
    pub(crate) fn deleted(&self) -> Option<&str> {
        let is_deletion = self.verb == Verb::Delete && self.about.kind == ThingKind::Document;
        let first = self.about.things.first.first().filter(|_| is_deletion)?;
        Some(first.title.as_str()).filter(|it| !it.is_empty())
    }
}

impl Thing {
    /// A thing with a title.
    pub fn titled(title: &str) -> Thing {
        Thing { title: clean(title, LONGEST), ..Thing::default() }
    }

    /// A text that a person must see to its end, such as one that is sent out.
    pub fn whole(text: &str) -> Thing {
        Thing { title: clean(text, WHOLE), ..Thing::default() }
    }

    /// A path, whose end names the file: a long one is cut in its middle.
    pub fn path(path: &str) -> Thing {
        Thing { title: clean::middle(path, LONGEST), ..Thing::default() }
    }

    /// A document or block, whose title and place are looked up where it has none.
    pub fn of(id: &str) -> Thing {
        Thing { id: Some(id.to_owned()), ..Thing::default() }
    }

    /// An asset by its path, without the folder and the id that SiYuan puts into every file name.
    pub fn file(path: &str) -> Thing {
        let path = path.strip_prefix("assets/").unwrap_or(path);
        let name = clean::without_ids(path);
        // If the whole stem is an id, its date replaces it.
        let is_id = name.starts_with('.') && !path.starts_with('.');
        let time = path.get(..TIME).filter(|_| is_id).unwrap_or_default();
        Thing::titled(&format!("{time}{name}"))
    }

    /// The thing with the id that a link opens.
    #[must_use]
    pub fn with_id(self, id: &str) -> Thing {
        Thing { id: Some(id.to_owned()), ..self }
    }
}

impl Things {
    /// Things, of which the first are kept.
    pub fn of(all: impl IntoIterator<Item = Thing>) -> Things {
        let (mut first, mut n) = (Vec::new(), 0);
        for thing in all {
            n += 1;
            if first.len() < MOST {
                first.push(thing);
            }
        }
        Things { first, n }
    }

    /// The number of things beyond the first ones.
    pub fn more(&self) -> u64 {
        self.n.saturating_sub(self.first.len() as u64)
    }
}

impl Texts {
    /// Texts, of which the first are kept.
    pub fn of<'a>(all: impl IntoIterator<Item = &'a str>) -> Texts {
        Texts::changed(all.into_iter().map(|it| (it, "")))
    }

    /// The texts of entries `{text}`.
    pub fn of_entries(entries: &[Value]) -> Texts {
        Texts::of(entries.iter().filter_map(|it| it.get("text")?.as_str()))
    }

    /// The changes of entries `{before, after}`.
    pub fn of_changes(entries: &[Value]) -> Texts {
        let text =
            |it: &'_ Value, key: &str| it.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let both: Vec<_> = entries.iter().map(|it| (text(it, "before"), text(it, "after"))).collect();
        Texts::changed(both.iter().map(|(old, new)| (old.as_str(), new.as_str())))
    }

    /// Changes of texts, of which the first are kept.
    pub fn changed<'a>(all: impl IntoIterator<Item = (&'a str, &'a str)>) -> Texts {
        let mut all = all.into_iter();
        let texts: Vec<_> = all.by_ref().take(MOST).map(|(old, new)| clean::apart(old, new)).collect();
        let n = texts.len() + all.count();
        Texts { texts, n: n as u64 }
    }

    /// The number of texts beyond the first ones.
    pub fn more(&self) -> u64 {
        self.n.saturating_sub(self.texts.len() as u64)
    }
}

impl Consequence {
    /// That it happens in so many blocks of these documents.
    pub fn across<'d>(blocks: usize, documents: impl IntoIterator<Item = &'d DocId>) -> Consequence {
        let Things { first, n } = Things::of(documents.into_iter().map(|it| Thing::of(it.as_str())));
        Consequence::Across { blocks: blocks as u64, documents: n, first }
    }
}

impl About {
    /// The one document in which it happens; `None` for several, and for one without a title.
    pub(crate) fn document(&self) -> Option<&Thing> {
        let one = |it: &'_ &Consequence| matches!(it, Consequence::Across { documents: 1, .. });
        let Consequence::Across { first, .. } = self.effects.iter().find(one)? else { return None };
        first.first().filter(|it| !it.title.is_empty())
    }

    /// The number of documents below.
    pub fn below(&self) -> u64 {
        let of = |it: &Consequence| if let Consequence::Below(below) = it { below.n } else { 0 };
        self.effects.iter().map(of).sum()
    }

    /// Every thing in it whose place may be looked up.
    pub(crate) fn things_mut(&mut self) -> impl Iterator<Item = &mut Thing> {
        let of_effects = self.effects.iter_mut().flat_map(|it| match it {
            Consequence::Below(things)
            | Consequence::Removed(things)
            | Consequence::Moved(things)
            | Consequence::Rows(things)
            | Consequence::Breaks { documents: things, .. } => things.first.as_mut_slice(),
            Consequence::Across { first, .. } => first.as_mut_slice(),
            _ => &mut [],
        });
        self.things.first.iter_mut().chain(&mut self.other).chain(of_effects)
    }
}
