//! The things that examples of calls are about: `{doc}` in an example stands for the id of a document.
//!
//! Help puts plausible values there, and a test the ids of its own desk. To add one, add a line here and a value to
//! the desk of the demo kernel.

macro_rules! holes {
    ($($(#[doc = $doc:literal])+ $hole:ident = $shown:literal,)+) => {
        /// A place in an example that is filled before the call is made. `{other_doc}` is `OtherDoc`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Hole {
            $($(#[doc = $doc])+ $hole,)+
        }

        impl Hole {
            /// Every hole.
            pub const ALL: &[Hole] = &[$(Hole::$hole),+];

            /// The value that help shows.
            pub const fn shown(self) -> &'static str {
                match self {
                    $(Hole::$hole => $shown,)+
                }
            }

            /// The name of the variant.
            const fn variant(self) -> &'static str {
                match self {
                    $(Hole::$hole => stringify!($hole),)+
                }
            }
        }
    };
}

holes! {
    /// Id of a document: `Mint grows in spring.`, then the headings `Summer` and `Autumn`, each with a paragraph
    /// below it.
    Doc = "20210808180117-6v0mkxr",
    /// Id of a second document like it, as a destination or neighbour.
    OtherDoc = "20210808180117-n0tebk2",
    /// Id of a document with one below it.
    Folder = "20210808180117-f0ld3rx",
    /// Id of the document below it.
    Below = "20210808180117-b3l0wit",
    /// A saved version of the document.
    Version = "2025-06-15-150640-update/20210808180117-g4rd3n0/20210808180117-6v0mkxr",
    /// Id of a run that changed the document.
    Run = "18c3f0a1b2c-0a1b2c3d",
    /// Id of the first paragraph of the document.
    Block = "20210808180117-czj9bvb",
    /// Id of the first paragraph of the second document.
    OtherBlock = "20210808180118-p4ragr2",
    /// Id of the heading of the document.
    Heading = "20210808180119-h3ad1ng",
    /// Id of a second heading of the document, after the first one's section.
    OtherHeading = "20210808180119-autumn1",
    /// Id of a paragraph in a third document, with a reference to the first paragraph of the document.
    Reference = "20210808180119-r3f3r3n",
    /// Id of an open item of a task list.
    Task = "20210808180120-t4sk0pn",
    /// Id of the notebook that holds all of these.
    Notebook = "Garden",
    /// Id of another notebook, which is empty.
    Spare = "20210808180117-sp4r3nb",
    /// Its name.
    SpareName = "Old garden",
    /// Workspace path of the document.
    Path = "/Garden/Plants",
    /// Workspace path of nothing yet.
    NewPath = "/Garden/Spring plan",
    /// Path of the document within its notebook.
    Hpath = "/Plants",
    /// A title or name that nothing has.
    New = "Spring plan",
    /// Id of a database with a row and, beside the primary one, a column of text.
    Av = "20210808180121-d4tab4s",
    /// Id of the block that shows the database.
    Carrier = "20210808180122-c4rr1er",
    /// Id of the row.
    Row = "20210808180123-r0wr0wr",
    /// Name of the column of text.
    Column = "Status",
    /// Name of a column that relates rows of the database to each other.
    Relation = "Link",
    /// Id of the view of the database that its block shows, a table.
    View = "20210808180124-v13wv13",
    /// Id of another view, a board with a group for the option `Todo`.
    SecondView = "20210808180125-v13wv14",
    /// Path of an asset that a document shows.
    Asset = "assets/plan-20210808180117-czj9bvb.png",
    /// Path of an asset that nothing uses.
    Unused = "assets/old-20210808180125-vn4s3d0.png",
    /// Path of a template below the folder of templates.
    Template = "Meeting.md",
    /// A tag on a document.
    Tag = "herbs",
    /// Id of a block that is a flashcard.
    Card = "20210808180125-c4rdc4r",
    /// Name of a deck of flashcards.
    Deck = "Botany",
}

impl Hole {
    /// The name in examples, in snake_case.
    pub fn name(self) -> String {
        let mut name = String::new();
        for character in self.variant().chars() {
            if character.is_ascii_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(character.to_ascii_lowercase());
        }
        name
    }

    /// The hole of that name.
    pub fn named(name: &str) -> Option<Hole> {
        Hole::ALL.iter().copied().find(|hole| hole.name() == name)
    }
}

/// A text with each `{hole}` in it replaced by its value; other braces stay.
pub fn fill(text: &str, value: impl Fn(Hole) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let hole = after.split_once('}').and_then(|(name, behind)| Some((Hole::named(name)?, behind)));
        rest = match hole {
            Some((hole, behind)) => {
                out.push_str(&value(hole));
                behind
            }
            None => {
                out.push('{');
                after
            }
        };
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_holes_are_filled() {
        let filled =
            fill("{{SELECT 1}} {doc} ({other_doc}) {docs} {: a=\"b\"} {doc", |hole| format!("{hole:?}"));
        assert_eq!(filled, "{{SELECT 1}} Doc (OtherDoc) {docs} {: a=\"b\"} {doc");
    }
}
