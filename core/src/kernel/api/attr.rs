//! Attributes of blocks.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::endpoints;
use crate::id::AnyBlock;

endpoints! { "/api/attr/";
    /// The attributes of a block; cached by the kernel for some seconds.
    read GET_BLOCK_ATTRS get_block_attrs(id: &impl AnyBlock) -> BlockAttrs = "getBlockAttrs" { "id": id };
    /// Sets attributes of a block.
    silent SET_BLOCK_ATTRS set_block_attrs(id: &impl AnyBlock, attrs: &Map<String, Value>) -> ()
        = "setBlockAttrs" { "id": id, "attrs": attrs };
}

/// The attributes of a block by name.
pub type BlockAttrs = BTreeMap<String, String>;
