//! The plan of the other tools: arguments with their kinds and sentences, then actions.

use puppy_core::spec::Tool;

pub(super) const TABLES: [(Tool, &str); 0] = [];
