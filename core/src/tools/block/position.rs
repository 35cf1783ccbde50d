//! Positions as callers name them: beside a block, or at either end inside of it.

use super::shape::{self, DOCUMENT};
use crate::kernel::api::block::TreeInfos;
use crate::prelude::*;

/// The place as seen from the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Choice)]
pub enum Position {
    /// Before it.
    Before,
    /// Behind it.
    #[default]
    After,
    /// Its first child.
    First,
    /// Its last child.
    Last,
}

impl Position {
    /// Whether it is inside of the target.
    fn is_inside(self) -> bool {
        matches!(self, Position::First | Position::Last)
    }

    /// Refuses a place beside a document: blocks stand in documents only.
    pub(super) fn check(self, target_is_document: bool) -> Result<(), ToolError> {
        if target_is_document && !self.is_inside() {
            return Err(ToolError::field("position", "first or last where the target is a document"));
        }
        Ok(())
    }

    /// The id and the node type of the block that is to hold what goes there; refuses one that can hold nothing.
    ///
    /// A target without an entry in `infos` is missing, unless it is a document.
    pub(super) async fn parent<'a>(
        self,
        target: &'a BlockId,
        target_is_document: bool,
        infos: &'a TreeInfos,
        cx: &Cx<'_>,
    ) -> Result<(&'a str, &'a str), ToolError> {
        if target_is_document {
            return Ok((target.as_str(), DOCUMENT));
        }
        let info = infos.get(target.as_str()).ok_or_else(ToolError::not_found)?;
        if !self.is_inside() {
            return Ok((info.parent.as_str(), info.parent_kind.as_str()));
        }
        shape::check_container("target", target, &info.kind, cx).await?;
        Ok((target.as_str(), info.kind.as_str()))
    }
}
