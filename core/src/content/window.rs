//! A body cut near a budget at block boundaries, and the cursor to continue from (B-028, B-029).

/// Characters per approximate token.
pub const CHARS_PER_TOKEN: usize = 4;

/// The position to continue from: a block's number, and a character inside it if one block was too big.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The number of the block.
    pub block: usize,
    /// The character inside it.
    pub char: usize,
}

impl std::str::FromStr for Cursor {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Cursor, Self::Err> {
        let (block, char) = text.split_once('.').unwrap_or((text, "0"));
        Ok(Cursor { block: block.parse()?, char: char.parse()? })
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.char {
            0 => write!(f, "{}", self.block),
            char => write!(f, "{}.{char}", self.block),
        }
    }
}

/// Blocks that were cut to a budget.
#[derive(Debug, PartialEq, Eq)]
pub struct Window {
    /// The text, blocks separated by a blank line.
    pub text: String,
    /// The number of blocks in it, the last one perhaps in part.
    pub shown: usize,
    /// The position to continue from, if there is more.
    pub next: Option<Cursor>,
    /// Whether the first or last block is incomplete.
    pub partial: bool,
}

/// Takes blocks from a cursor on until the budget (in tokens) or the limit is reached.
///
/// It takes at least one block; a block that exceeds the whole budget is cut at a line end. `from` and `next` count
/// in the numbering of `blocks`, whose first has number `first`.
pub fn cut(blocks: &[String], first: usize, from: Cursor, limit: usize, budget: usize) -> Window {
    let room = budget * CHARS_PER_TOKEN;
    let mut window = Window { text: String::new(), shown: 0, next: None, partial: false };
    let mut used = 0;
    let skipped = from.block.saturating_sub(first);
    for (at, block) in blocks.iter().enumerate().skip(skipped) {
        let number = first + at;
        let start = if at == skipped { from.char } else { 0 };
        let rest: String = block.chars().skip(start).collect();
        let length = rest.chars().count();
        let fits = used + length <= room;
        if window.shown == limit || (!fits && window.shown > 0) {
            window.next = Some(Cursor { block: number, char: 0 });
            return window;
        }
        if window.shown > 0 {
            window.text.push_str("\n\n");
        }
        window.shown += 1;
        window.partial |= start > 0;
        if !fits {
            let part = line_end(&rest, room);
            window.next = Some(Cursor { block: number, char: start + part.chars().count() });
            window.text.push_str(part);
            window.partial = true;
            return window;
        }
        window.text.push_str(&rest);
        used += length + 2;
    }
    window
}

/// The first `room` characters of a text, back to the last line end if there is one.
fn line_end(text: &str, room: usize) -> &str {
    let end = text.char_indices().nth(room.max(1)).map_or(text.len(), |(at, _)| at);
    let part = text.get(..end).unwrap_or(text);
    match part.rfind('\n') {
        Some(at) if at > 0 => part.get(..=at).unwrap_or(part),
        _ => part,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn blocks(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn window_ends_at_a_block_boundary_where_possible() {
        let window = cut(&blocks(&["aaaa", "bbbb", "cccc"]), 0, Cursor::default(), 10, 3);
        assert_eq!((window.text.as_str(), window.shown), ("aaaa\n\nbbbb", 2));
        assert_eq!(window.next, Some(Cursor { block: 2, char: 0 }));
    }

    #[test]
    fn block_larger_than_the_budget_is_split() {
        let window = cut(&blocks(&["one\ntwo\nthree"]), 0, Cursor::default(), 10, 2);
        assert_eq!((window.text.as_str(), window.partial), ("one\ntwo\n", true));
        assert_eq!(window.next.map(|it| it.to_string()).as_deref(), Some("0.8"));
    }

    proptest! {
        /// B-029: following `next` yields every character once, in order, whatever the budget.
        #[test]
        fn following_next_yields_every_character_once(
            texts in prop::collection::vec("[a-z\n小🌱]{0,40}", 0..8),
            budget in 1_usize..12,
            limit in 1_usize..4,
        ) {
            let (mut from, mut all) = (Cursor::default(), vec![String::new(); texts.len()]);
            for _ in 0..1_000 {
                let window = cut(&texts, 0, from, limit, budget);
                // Rebuild block by block: the separator is not part of any block.
                let mut rest = window.text.as_str();
                for (n, (text, sink)) in texts.iter().zip(&mut all).skip(from.block).take(window.shown).enumerate() {
                    let whole: String = text.chars().skip(if n == 0 { from.char } else { 0 }).collect();
                    let taken = if rest.starts_with(whole.as_str()) { whole.as_str() } else { rest };
                    sink.push_str(taken);
                    rest = &rest[taken.len()..];
                    rest = rest.strip_prefix("\n\n").filter(|_| n + 1 < window.shown).unwrap_or(rest);
                }
                match window.next {
                    Some(next) => { prop_assert!(next != from); from = next; }
                    None => break,
                }
            }
            prop_assert_eq!(all, texts);
        }

        #[test]
        fn window_cursor_survives_a_round_trip(block in 0_usize..9_999, char in 0_usize..9_999) {
            let cursor = Cursor { block, char };
            prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
    }
}
