//! Attributes of blocks.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::endpoints;
use crate::id::{AnyBlock, BlockId};
use crate::kernel::NonEmpty;
use crate::sorted::IntoSorted as _;

endpoints! { "/api/attr/";
    /// The attributes of a block; the kernel caches them for some seconds.
    read GET_BLOCK_ATTRS get_block_attrs(id: &impl AnyBlock) -> BlockAttrs = "getBlockAttrs" { "id": id };
    /// The attributes of several blocks, cached like those of one; a missing id has no key.
    read BATCH_GET_BLOCK_ATTRS batch_get_block_attrs(ids: NonEmpty<'_, BlockId>) -> BTreeMap<String, Value>
        = "batchGetBlockAttrs" { "ids": ids };
    /// Sets attributes of a block.
    silent SET_BLOCK_ATTRS set_block_attrs(id: &impl AnyBlock, attrs: &Map<String, Value>) -> ()
        = "setBlockAttrs" { "id": id, "attrs": attrs };
    /// Sets attributes of several blocks. After an unknown id the call fails, but earlier ones stay set.
    silent BATCH_SET_BLOCK_ATTRS batch_set_block_attrs(blocks: NonEmpty<'_, NewAttrs<'_>>) -> ()
        = "batchSetBlockAttrs" { "blockAttrs": blocks };
}

/// A block with attributes to set.
#[derive(Debug, Clone, Serialize)]
pub struct NewAttrs<'a> {
    id: &'a BlockId,
    attrs: BTreeMap<&'a str, Option<&'a str>>,
}

impl<'a> NewAttrs<'a> {
    /// This value of this attribute, for this block.
    pub fn of(id: &'a BlockId, name: &'a str, value: &'a str) -> Self {
        NewAttrs::all(id, [(name, Some(value))])
    }

    /// These values of these attributes, for this block; without a value an attribute is removed.
    pub fn all(id: &'a BlockId, attrs: impl IntoIterator<Item = (&'a str, Option<&'a str>)>) -> Self {
        NewAttrs { id, attrs: attrs.into_iter().into_map() }
    }
}

/// The attributes of a block by name.
pub type BlockAttrs = BTreeMap<String, String>;
