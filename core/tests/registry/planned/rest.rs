//! The plan of the other tools: arguments with their kinds and sentences, then actions.

use puppy_core::spec::Tool;

pub(super) const TABLES: [(Tool, &str); 1] = [(Tool::Search, SEARCH)];

const SEARCH: &str = "\
semantic(query,types?,notebook?,under?,limit?,cursor?) Find blocks by meaning, with the embedding model set up in SiYuan.
";
