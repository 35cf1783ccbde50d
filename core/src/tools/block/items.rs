//! Texts that become items of the list into which they are put.

use std::borrow::Cow;

use super::source::kramdowns;
use super::spot::InsertPoint;
use crate::content::replacement;
use crate::prelude::*;

/// The texts as they go into their places: beside an item of a list each becomes an item. `named` gives an error the
/// argument of its text.
pub(super) async fn fitted<'a>(
    texts: &[&'a str],
    places: &[(InsertPoint, Option<DocId>)],
    named: impl Fn(usize, ToolError) -> ToolError,
    cx: &Cx<'_>,
) -> Result<Vec<Cow<'a, str>>, ToolError> {
    let items = places.iter().filter_map(|(spot, doc)| Some((spot.item_beside()?.clone(), doc.clone())));
    let neighbours = kramdowns(&items.collect::<Vec<_>>(), cx).await?;
    let mut fitted = Vec::with_capacity(texts.len());
    for (at, (text, (spot, _))) in texts.iter().zip(places).enumerate() {
        fitted.push(match spot.item_beside() {
            Some(id) => {
                let neighbour = neighbours.get(id.as_str()).ok_or_else(ToolError::not_found)?;
                Cow::Owned(replacement::item_beside(neighbour, text).map_err(|error| named(at, error))?)
            }
            None => Cow::Borrowed(*text),
        });
    }
    Ok(fitted)
}
