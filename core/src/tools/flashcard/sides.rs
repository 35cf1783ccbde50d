//! The question and the answer of a card, from its block.

use futures_util::future::join_all;
use serde_json::{Map, Value, json};

use super::deck::AT_ONCE;
use crate::index::{self, Select};
use crate::kernel::Route;
use crate::kernel::api::query::Row;
use crate::output::object;
use crate::prelude::*;

/// The routes that `rows` and `of` call.
pub(super) const CALLS: &[Route] = &[query::SQL, block::GET_CHILD_BLOCKS, filetree::GET_PATH_BY_ID];

/// The maximum number of characters of a side.
const LONGEST: usize = 4_000;

/// The two sides of a card.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sides {
    front: String,
    pub(super) back: String,
    /// The marked words that the front leaves out.
    pub(super) cloze: Vec<String>,
}

impl Sides {
    pub(super) fn to_map(&self) -> Map<String, Value> {
        let cloze = if self.cloze.is_empty() { Value::Null } else { json!(self.cloze) };
        object([("front", json!(self.front)), ("back", json!(self.back)), ("cloze", cloze)])
    }

    /// With at most so much text as is shown, however much the block holds.
    fn short(self) -> Sides {
        Sides { front: cut(&self.front), back: cut(&self.back), ..self }
    }

    /// Without the answer.
    pub(super) fn asking(self) -> Sides {
        Sides { front: self.front, ..Sides::default() }
    }

    /// The sides of a block in parts: the first asks, the others answer.
    fn parts(mut parts: Vec<String>) -> Sides {
        let front = if parts.is_empty() { String::new() } else { parts.remove(0) };
        Sides { front, back: parts.join("\n\n"), cloze: Vec::new() }
    }
}

/// The rows of cards' blocks, as far as the caller may see them.
pub(super) async fn rows<'i>(
    ids: impl ExactSizeIterator<Item = &'i str>,
    cx: &Cx<'_>,
) -> Result<Vec<Row>, ToolError> {
    if ids.len() == 0 {
        return Ok(Vec::new());
    }
    let limit = ids.len();
    let columns = ["id", "type", "root_id", "hpath", "content", "markdown"];
    let select = Select::from(index::Table::Blocks).columns(columns).filter(index::in_list("id", ids));
    Ok(cx.select(select.limit(limit)).await?.rows)
}

/// The sides of the cards of these blocks. Blocks in parts cost two requests each, so this is for one page of cards.
pub(super) async fn of(rows: &[&Row], cx: &Cx<'_>) -> Result<Vec<Sides>, ToolError> {
    cx.declares(CALLS)?;
    let mut all = Vec::with_capacity(rows.len());
    for some in rows.chunks(AT_ONCE) {
        for sides in join_all(some.iter().map(|row| one(row, cx))).await {
            all.push(sides?.short());
        }
    }
    Ok(all)
}

async fn one(row: &Row, cx: &Cx<'_>) -> Result<Sides, ToolError> {
    let markdown = row.text("markdown").trim();
    match row.text("type") {
        "d" => Ok(Sides { front: row.text("content").to_owned(), ..Sides::default() }),
        "h" => {
            let title = markdown.lines().next().unwrap_or_default().trim_start_matches('#').trim().to_owned();
            let below = children(row, cx).await?;
            Ok(Sides::parts(std::iter::once(title).chain(below).collect()))
        }
        "l" | "s" => Ok(Sides::parts(children(row, cx).await?)),
        _ => {
            let (front, cloze) = without_marks(markdown);
            Ok(Sides { front, back: String::new(), cloze })
        }
    }
}

/// The Markdown of the blocks inside of another or, for a heading, below it. The index lags, so the block's current
/// place is judged again.
async fn children(row: &Row, cx: &Cx<'_>) -> Result<Vec<String>, ToolError> {
    let Some(id) = BlockId::parse(row.text("id")) else { return Ok(Vec::new()) };
    if !cx.may_read(&id).await? {
        return Ok(Vec::new());
    }
    Ok(cx
        .ask(block::get_child_blocks(&id))
        .await?
        .into_iter()
        .map(|it| it.markdown.trim().to_owned())
        .collect())
}

/// A text with each `==mark==` left out, and the marked words. Code keeps its signs.
fn without_marks(markdown: &str) -> (String, Vec<String>) {
    const SIGN: &str = "==";
    let (mut front, mut marks) = (String::with_capacity(markdown.len()), Vec::new());
    for (at, part) in markdown.split('`').enumerate() {
        if at > 0 {
            front.push('`');
        }
        // Every second part is code.
        let mut rest = if at % 2 == 1 { "" } else { part };
        if at % 2 == 1 {
            front.push_str(part);
        }
        while let Some((before, after)) = rest.split_once(SIGN) {
            front.push_str(before);
            match after.split_once(SIGN) {
                Some((mark, behind)) if !mark.trim().is_empty() => {
                    front.push_str("[...]");
                    marks.push(mark.to_owned());
                    rest = behind;
                }
                _ => {
                    front.push_str(SIGN);
                    rest = after;
                }
            }
        }
        front.push_str(rest);
    }
    (front, marks)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::without_marks;

    #[test]
    fn marked_words_become_gaps() {
        let gaps = |text: &str| {
            let (front, marks) = without_marks(text);
            (front, marks.join("|"))
        };
        let expected = |front: &str, marks: &str| (front.to_owned(), marks.to_owned());
        assert_eq!(gaps("Mint ==grows== in ==spring==."), expected("Mint [...] in [...].", "grows|spring"));
        assert_eq!(gaps("`a == b` and ==c=="), expected("`a == b` and [...]", "c"));
        for plain in ["a == b", "====", "== ==", "", "plain"] {
            assert_eq!(gaps(plain), expected(plain, ""), "{plain}");
        }
    }
}
