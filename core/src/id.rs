//! Ids of the kernel as types, so that a block is never mistaken for a notebook.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Fourteen digits, a dash, seven of `[0-9a-z]`: the form of every id that the kernel creates.
pub fn is_node_id(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 22
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            0..14 => byte.is_ascii_digit(),
            14 => *byte == b'-',
            _ => byte.is_ascii_digit() || byte.is_ascii_lowercase(),
        })
}

/// Whether a text could be mistaken for an id: blanks, marks and invisible characters are ignored, and digits and
/// dashes of any script count. The kernel drops some of these from names, and a reader takes the rest for the id
/// itself.
pub fn resembles_id(text: &str) -> bool {
    let is_dash = |it: char| {
        matches!(
            it,
            '-' | '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'
        )
    };
    let seen: Vec<char> = text.chars().filter(|it| it.is_alphanumeric() || is_dash(*it)).take(23).collect();
    seen.len() == 22
        && seen.iter().enumerate().all(|(at, it)| match at {
            0..14 => it.is_numeric(),
            14 => is_dash(*it),
            _ => !is_dash(*it),
        })
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The id, if the text has the form of an id.
            pub fn parse(text: &str) -> Option<Self> {
                is_node_id(text).then(|| $name(text.to_owned()))
            }

            /// The id as the kernel writes it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                $name::parse(&text).ok_or_else(|| D::Error::custom("not the form of an id"))
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

ids! {
    /// Id of a notebook (the kernel's `box`).
    NotebookId;
    /// Id of a document: the root block of one file.
    DocId;
    /// Id of any block, documents included.
    BlockId;
    /// Id of a database (attribute view).
    AvId;
    /// Id of a database's row, or of the block that is a row: they have one form.
    RowId;
    /// Id of a deck of flashcards.
    DeckId;
}

/// The id of a block or of a document, for endpoints that take any block.
pub trait AnyBlock: Serialize + sealed::Sealed {}

impl AnyBlock for BlockId {}
impl AnyBlock for DocId {}

mod sealed {
    pub trait Sealed {}

    impl Sealed for super::BlockId {}
    impl Sealed for super::DocId {}
}

impl DeckId {
    /// The deck that is always there for callers.
    pub fn built_in() -> DeckId {
        DeckId("20230218211946-2kw8jgx".to_owned())
    }
}

impl DocId {
    /// The same id as that of a block.
    pub fn block(&self) -> BlockId {
        BlockId(self.0.clone())
    }
}

impl NotebookId {
    /// The id of the notebook's own document, which is the notebook's id (kernel 3.7, `boxDocEnabled`).
    pub fn own_document(&self) -> DocId {
        DocId(self.0.clone())
    }
}

/// Creates an id of the kernel's form from local time digits (`YYYYMMDDHHmmss`) and 64 random bits.
pub fn fresh_doc_id(digits: &str, random: u64) -> Option<DocId> {
    const ALPHABET: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut rest = random;
    let mut tail = String::with_capacity(7);
    for _ in 0..7 {
        let at = usize::try_from(rest % 36).ok()?;
        tail.push(char::from(*ALPHABET.get(at)?));
        rest /= 36;
    }
    DocId::parse(&format!("{digits}-{tail}"))
}

/// A notebook as a caller names it: by id or by exact name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotebookRef(pub(crate) String);

impl NotebookRef {
    /// The text that the caller sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&NotebookId> for NotebookRef {
    fn from(id: &NotebookId) -> Self {
        NotebookRef(id.as_str().to_owned())
    }
}

/// An id that has a meaning only inside another target, which is the one that a person grants or refuses.
///
/// It names no target and so needs no level of its own. Therefore it is only available to a look-up among its
/// parent's children.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Child<T>(pub(crate) T);

impl<T> Child<T> {
    /// The child, if it is among those of its parent.
    pub fn among<C>(&self, children: impl FnOnce(&T) -> Option<C>) -> Option<C> {
        children(&self.0)
    }
}

/// An asset as notes name it: `assets/x.png`. It stays inside the folder of assets, however the kernel reads it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetPath(String);

impl Serialize for AssetPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl AssetPath {
    /// The description of a valid path, for errors.
    pub const EXPECTED: &str = "the path of an asset, such as assets/plan-20210808180117-czj9bvb.png";
    /// The maximum length of a path in bytes.
    const MOST: usize = 512;

    /// The path without its query, if it cannot leave the folder of assets.
    pub fn parse(text: &str) -> Option<AssetPath> {
        let path = text.split('?').next().unwrap_or_default();
        let below = path.strip_prefix("assets/")?;
        let plain = |part: &str| !matches!(part.trim(), "" | "." | "..");
        let fits = text.len() <= AssetPath::MOST && below.split('/').all(plain);
        let clean = !path.contains(|it: char| it.is_control() || it == '\\');
        (fits && clean).then(|| AssetPath(path.to_owned()))
    }

    /// The path, from `assets/` on.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the file, with its extension.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_must_have_the_kernels_form() {
        assert!(is_node_id("20210808180117-czj9bvb"));
        for wrong in [
            "",
            "20210808180117",
            "20210808180117-CZJ9BVB",
            "2021080818011x-czj9bvb",
            "20210808180117-czj9bv",
            "20210808180117-czj9bvb0",
        ] {
            assert!(!is_node_id(wrong), "{wrong}");
        }
    }

    /// F1: a text that the kernel, or a reader, would take for an id is not a name.
    #[test]
    fn text_that_could_pass_for_an_id_resembles_an_id() {
        for text in [
            "20210808180117-czj9bvb",
            " 20210808180117-czj9bvb\t",
            "2021\u{200b}0808180117-czj9bvb\u{feff}",
            "20210808180117\u{2011}CZJ9BVB",
            "２０２１０８０８１８０１１７－ｃｚｊ９ｂｖｂ",
            "20210808180117-czj9bvb\u{e000}",
            "/20210808180117-czj9bvb",
            "2021 0808 180117 - czj9bvb",
        ] {
            assert!(resembles_id(text), "{text:?}");
        }
        for text in ["", "Garden", "20210808180117", "2021-08-08 18:01:17 meeting", "20210808180117-czj9bvb2"]
        {
            assert!(!resembles_id(text), "{text:?}");
        }
    }

    /// B-059: nothing outside of the folder of assets has the path of an asset.
    #[test]
    fn asset_path_stays_in_the_assets_folder() {
        assert_eq!(AssetPath::parse("assets/a/b c.pdf?p=3").unwrap().as_str(), "assets/a/b c.pdf");
        let long = format!("assets/{}", "x".repeat(512));
        for wrong in [
            "",
            "assets",
            "assets/",
            "assets/?p=3",
            "/assets/a.png",
            "Assets/a.png",
            "assets//a.png",
            "assets/../storage/petal/x",
            "assets/a/..",
            "assets/ ../x",
            "assets/./a.png",
            "assets/a\\..\\b",
            "assets/a\n",
            "assets/a\0",
            "data/assets/a.png",
            "file:///assets/a.png",
            &long,
        ] {
            assert_eq!(AssetPath::parse(wrong), None, "{wrong:?}");
        }
    }

    /// A child's id is available only if its parent has it.
    #[test]
    fn child_id_requires_its_parent() {
        let child = Child(RowId("20210808180117-czj9bvb".to_owned()));
        let among = |children: &[&str]| child.among(|id| children.iter().position(|it| *it == id.as_str()));
        assert_eq!(among(&["20210808180117-aaaaaaa", "20210808180117-czj9bvb"]), Some(1));
        assert_eq!(among(&["20210808180117-aaaaaaa"]), None);
    }

    #[test]
    fn fresh_ids_are_valid_for_any_random_bits() {
        for random in [0, 1, u64::MAX, 36_u64.pow(7)] {
            assert!(fresh_doc_id("20261121104500", random).is_some());
        }
        assert_eq!(fresh_doc_id("2026", 1), None);
    }
}
