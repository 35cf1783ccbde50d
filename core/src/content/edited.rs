//! The kramdown of a block after exact-string edits, put together so that ids and attributes stay.

use serde_json::json;

use super::blocks;
use super::edits::{StrippedKramdown, TextEdit};
use crate::args::Replacement;
use crate::error::{ErrorType, ToolError};

impl<'a> From<&'a Replacement> for TextEdit<'a> {
    fn from(it: &'a Replacement) -> TextEdit<'a> {
        TextEdit { old: it.old.as_str(), new: it.new.as_str(), all: it.all.is_set() }
    }
}

/// A block's kramdown with these edits, each with its number in the call; every one matches in the block.
pub fn edited<'a>(
    original: &str,
    edits: impl Iterator<Item = (usize, &'a Replacement)>,
    id: &str,
) -> Result<String, ToolError> {
    let mut stripped = StrippedKramdown::of(original.to_owned());
    for (number, edit) in edits {
        let changed = stripped.edit(edit.into()).ok_or_else(|| {
            ToolError::field(
                &format!("edits[{number}].old"),
                "text within one nested block; make one edit for each list item or paragraph",
            )
            .with("blocks", json!([id]))
        })?;
        if !changed {
            return Err(ToolError::new(
                ErrorType::Conflict,
                "SiYuan stores this block in a different form than it shows. Replace it with block.update.",
            )
            .with("block", id));
        }
    }
    let text = stripped.kramdown();
    // If the block became several, its attribute list goes with the first.
    Ok(match text.trim_end().rsplit_once('\n') {
        Some((body, list)) if list.starts_with("{: ") => blocks::bearing(body, list),
        _ => text,
    })
}
