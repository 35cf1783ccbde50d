//! Checked Markdown as the blocks that SiYuan makes of it, judged in that form: one transaction can write them.

use std::collections::BTreeSet;

use crate::content::block_dom::{self, DomBlock};
use crate::content::incoming::{self, AllowedIds};
use crate::content::way_back::fresh_id;
use crate::cx::Cx;
use crate::error::ToolError;
use crate::id::BlockId;
use crate::kernel::Route;
use crate::kernel::api::lute;

/// The routes that `spin` calls.
pub const CALLS: &[Route] = &[lute::SPIN_BLOCK_DOM];

/// The longest part of a text that an error shows.
const SHOWN: usize = 60;

/// A block as it may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpunBlock {
    /// Its id: one of the replaced text, or a new one.
    pub id: BlockId,
    /// Its node type, such as `NodeParagraph`.
    pub kind: String,
    /// Its editor DOM.
    pub dom: String,
}

/// The outermost blocks of a checked text that replaces others, given as their editor DOM. `None` for a text that
/// SiYuan's editor reads otherwise than its API, or that it could not read: it goes as Markdown.
pub async fn spin(markdown: &str, before: &str, cx: &Cx<'_>) -> Result<Option<Vec<SpunBlock>>, ToolError> {
    cx.declares(CALLS)?;
    let Some(text) = incoming::for_editor(markdown) else { return Ok(None) };
    let Ok(spun) = cx.ask(lute::spin_markdown(&text)).await else { return Ok(None) };
    let known = block_dom::blocks(before).into_iter().map(|it| it.id).collect::<BTreeSet<&str>>();
    let Some((dom, fresh)) = renamed(&incoming::from_editor(&spun.dom), &known, || fresh_id(cx))? else {
        return Ok(None);
    };
    let allowed = AllowedIds { fresh, references: incoming::named_ids(markdown) };
    incoming::judge(&dom, before, &allowed).map_err(|what| refused(&what))?;
    Ok(outermost(&dom))
}

fn refused(what: &str) -> ToolError {
    ToolError::field(
        "markdown",
        "Markdown of which SiYuan makes plain blocks; it would make something else of this. Write it as code; nothing was written",
    )
    .with("found", what.chars().take(SHOWN).collect::<String>())
}

/// Editor DOM whose blocks have new ids, but for those that they keep; and the new ids. `None` if an id stands for
/// more than one block, before or then.
///
/// SiYuan would otherwise give the id of a block elsewhere to a new one, and no longer find the other.
fn renamed(
    dom: &str,
    kept: &BTreeSet<&str>,
    mut fresh: impl FnMut() -> Result<BlockId, ToolError>,
) -> Result<Option<(String, BTreeSet<String>)>, ToolError> {
    let (mut out, mut ids) = (dom.to_owned(), BTreeSet::new());
    for DomBlock { id, .. } in block_dom::blocks(dom) {
        if kept.contains(id) {
            continue;
        }
        let old = format!(" data-node-id=\"{id}\"");
        if dom.matches(&old).count() != 1 {
            return Ok(None);
        }
        let new = fresh()?.to_string();
        out = out.replace(&old, &format!(" data-node-id=\"{new}\""));
        if !ids.insert(new) {
            return Ok(None);
        }
    }
    Ok(Some((out, ids)))
}

/// The outermost blocks of editor DOM, if there is nothing beside them.
pub fn outermost(dom: &str) -> Option<Vec<SpunBlock>> {
    let mut all = block_dom::blocks(dom);
    all.sort_by_key(|it| it.whole.start);
    let (mut end, mut found) = (0, Vec::new());
    for block in all {
        if block.whole.start < end {
            continue;
        }
        (block.whole.start == end).then_some(())?;
        end = block.whole.end;
        found.push(spun(dom, &block)?);
    }
    (end == dom.len()).then_some(found)
}

fn spun(dom: &str, block: &DomBlock<'_>) -> Option<SpunBlock> {
    let kind = block_dom::attribute(dom.get(block.tag.clone())?, "data-type")?.to_owned();
    Some(SpunBlock { id: BlockId::parse(block.id)?, kind, dom: dom.get(block.whole.clone())?.to_owned() })
}

/// The items of a list; `None` for another block.
pub fn items(list: &SpunBlock) -> Option<Vec<SpunBlock>> {
    let mut inside = block_dom::blocks(&list.dom);
    let own = inside.pop().filter(|it| list.kind == "NodeList" && it.id == list.id.as_str())?;
    inside.sort_by_key(|it| it.whole.start);
    let (mut end, mut found) = (own.tag.end, Vec::new());
    for block in inside.iter().filter(|it| it.id != list.id.as_str()) {
        if block.whole.start < end {
            continue;
        }
        let item =
            spun(&list.dom, block).filter(|it| it.kind == "NodeListItem" && block.whole.start == end)?;
        end = block.whole.end;
        found.push(item);
    }
    Some(found)
}

/// The item with this id, of a list that has no other.
pub fn only_item(list: &SpunBlock, id: &BlockId) -> Option<SpunBlock> {
    let mut items = items(list)?;
    items.pop().filter(|it| items.is_empty() && it.id == *id)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "20250101000000-aaaaaaa";
    const B: &str = "20250101000000-bbbbbbb";
    const NEW: &str = "20250102000000-new0000";

    fn block(id: &str, kind: &str, inside: &str) -> String {
        format!("<div data-node-id=\"{id}\" data-type=\"{kind}\">{inside}</div>")
    }

    fn fresh() -> Result<BlockId, ToolError> {
        BlockId::parse(NEW).ok_or_else(ToolError::not_found)
    }

    #[test]
    fn blocks_that_are_not_kept_get_new_ids() {
        let dom = block(A, "NodeParagraph", "") + &block(B, "NodeParagraph", "");
        let (renamed, ids) = renamed(&dom, &BTreeSet::from([A]), fresh).unwrap().unwrap();
        assert_eq!(renamed, dom.replace(B, NEW));
        assert_eq!(ids, BTreeSet::from([NEW.to_owned()]));
        let twice = dom.clone() + &dom;
        assert!(super::renamed(&twice, &BTreeSet::new(), fresh).unwrap().is_none());
    }

    #[test]
    fn outermost_blocks_are_the_whole_text() {
        let dom = block(A, "NodeList", &block(B, "NodeListItem", "x"));
        let found = outermost(&dom).unwrap();
        assert_eq!(
            (found.len(), found[0].kind.as_str(), found[0].dom.as_str()),
            (1, "NodeList", dom.as_str())
        );
        assert_eq!(outermost(&format!("{dom}x")), None);
        assert_eq!(outermost(&format!("x{dom}")), None);
    }

    #[test]
    fn the_only_item_of_a_list_is_taken_out() {
        let item = block(B, "NodeListItem", "x");
        let list = |inside: &str| outermost(&block(A, "NodeList", inside)).unwrap().remove(0);
        let id = BlockId::parse(B).unwrap();
        assert_eq!(only_item(&list(&item), &id).map(|it| it.dom), Some(item.clone()));
        let two = item.clone() + &block(NEW, "NodeListItem", "y");
        assert_eq!(only_item(&list(&two), &id), None);
        assert_eq!(only_item(&list(&block(NEW, "NodeQuote", &item)), &id), None);
    }
}
