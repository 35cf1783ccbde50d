//! The due cards that SiYuan returns, and which of them count.
//!
//! Of a notebook without documents, or of a document that is just being removed, SiYuan finds no blocks, restricts
//! nothing and hands out the whole deck. A card therefore counts only if its block lies in what was asked for.

use std::collections::BTreeMap;

use super::card::NEW;
use crate::id::NotebookId;
use crate::index::{self, Select, Table};
use crate::kernel::api::query::Row;
use crate::kernel::api::riff::DueCard;
use crate::permission::Place;
use crate::prelude::*;
use crate::sorted::IntoSorted as _;

/// The part of the workspace whose cards SiYuan was asked for.
#[derive(Clone, Copy)]
pub(super) enum CardScope<'a> {
    Everywhere,
    Notebook(&'a NotebookId),
    Under(&'a Place),
}

impl CardScope<'_> {
    /// Whether a block lies in it.
    fn has(self, block: &Row) -> bool {
        match self {
            CardScope::Everywhere => true,
            CardScope::Notebook(id) => block.text("box") == id.as_str(),
            CardScope::Under(place) => place.storage.as_ref().is_some_and(|storage| {
                let path = block.text("path");
                block.text("box") == place.notebook.as_str()
                    && (path == storage.as_str() || path.starts_with(&storage.below()))
            }),
        }
    }
}

/// A due card that SiYuan returned, with the scope of the request.
pub(super) struct ScopedCard<'a> {
    card: DueCard,
    asked: CardScope<'a>,
}

impl<'a> ScopedCard<'a> {
    pub(super) fn all(cards: Vec<DueCard>, asked: CardScope<'a>) -> Vec<ScopedCard<'a>> {
        cards.into_iter().map(|card| ScopedCard { card, asked }).collect()
    }
}

/// The cards within the limits of the day.
pub(super) async fn limited(mut cards: Vec<DueCard>, cx: &Cx<'_>) -> Result<Vec<DueCard>, ToolError> {
    let conf = cx.conf().await?;
    let (mut new, mut old) = (conf.flashcard.new_card_limit, conf.flashcard.review_card_limit);
    cards.retain(|it| {
        let room = if it.state == NEW { &mut new } else { &mut old };
        let fits = *room > 0;
        *room = room.saturating_sub(1);
        fits
    });
    Ok(cards)
}

/// The cards that nobody skipped today, whose blocks the caller may see in what was asked for. One request
/// judges all of them; it is made for no cards, too, because those of closed notebooks may have been among them.
pub(super) async fn visible(mut found: Vec<ScopedCard<'_>>, cx: &Cx<'_>) -> Result<Vec<DueCard>, ToolError> {
    found.retain(|it| !cx.is_skipped(&it.card.card));
    let blocks = index::in_list("id", found.iter().map(|it| it.card.block.as_str()));
    let select = Select::from(Table::Blocks).columns(["id", "path"]).filter(blocks).limit(found.len().max(1));
    let rows = cx.select(select).await?.rows;
    let blocks: BTreeMap<&str, &Row> = rows.iter().map(|row| (row.text("id"), row)).into_map();
    found.retain(|it| blocks.get(it.card.block.as_str()).is_some_and(|block| it.asked.has(block)));
    Ok(found.into_iter().map(|it| it.card).collect())
}
