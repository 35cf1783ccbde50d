//! Bounds of the lengths of texts, from the statement alone.
//!
//! Nested calls of `replace` multiply a text by ten a level, and SiYuan has no limit below a gigabyte for each value. So
//! each expression carries a bound of its length, computed from those of its parts, and one that could get much longer
//! than the texts it is made of is refused.

use super::functions::{GATHER, NUMBERS};
use crate::index::Table;

/// The greatest length of an expression, as a multiple of the longest text of a table.
const TIMES: u64 = 4;
/// The maximum number of bytes that an expression may add: about as many as a statement has.
const PLUS: u64 = 16_384;
/// The maximum number of bytes that each row may add to a text that is gathered from many.
const PLUS_PER_ROW: u64 = 256;
/// The length of a number, a kind, an id.
const SHORT: u64 = 64;
/// The factor by which a text may grow as an element of JSON: a quote takes two bytes.
const JSON: u64 = 2;

/// A bound of the length of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// The multiple of the longest text of a table.
    times: u64,
    /// The bytes in addition to it.
    plus: u64,
    /// Whether a join or a select around it may repeat the text in many rows.
    is_repeated: bool,
    /// Whether it may have the texts of a whole table.
    is_whole: bool,
}

impl Size {
    /// A number, a kind or an id.
    pub(super) const NUMBER: Size = Size::literal(SHORT);
    /// A text of a table.
    pub(super) const TEXT: Size = Size { times: 1, plus: 0, is_repeated: false, is_whole: false };

    /// A text of the statement, in bytes.
    pub(super) const fn literal(bytes: u64) -> Size {
        Size { times: 0, plus: bytes, is_repeated: false, is_whole: false }
    }

    /// Whether it may be a long text.
    pub(super) fn is_long(self) -> bool {
        self.times > 0 || self.plus > SHORT
    }

    /// The same in rows that may repeat it.
    pub(super) fn repeated(self, is_repeated: bool) -> Size {
        Size { is_repeated: self.is_repeated || is_repeated, ..self }
    }

    /// One of the two.
    pub(super) fn or(self, other: Size) -> Size {
        let (times, plus) = (self.times.max(other.times), self.plus.max(other.plus));
        Size { times, plus, is_whole: self.is_whole || other.is_whole, ..self }.repeated(other.is_repeated)
    }

    /// The one after the other.
    pub(super) fn then(self, other: Size) -> Size {
        let (times, plus) = (self.times.saturating_add(other.times), self.plus.saturating_add(other.plus));
        Size { times, plus, is_whole: self.is_whole || other.is_whole, ..self }.repeated(other.is_repeated)
    }

    /// The value of a select, for each row around it: the same one, unless each of the rows around has rows of its own.
    pub(super) fn of_select(self, has_own_rows: bool) -> Size {
        Size { is_whole: self.is_whole && !has_own_rows, ..self }.repeated(true)
    }

    /// Several times as long.
    fn by(self, factor: u64) -> Size {
        Size { times: self.times.saturating_mul(factor), plus: self.plus.saturating_mul(factor), ..self }
    }

    /// Refuses an expression that could get too long.
    pub(super) fn check(self) -> Result<Size, String> {
        if self.is_whole && self.is_repeated {
            return Err("a text gathered from many rows that occurs in many rows: take length or substr of it inside its select, or gather the rows of one id for each row".to_owned());
        }
        match self.times > TIMES || self.plus > PLUS {
            true => Err(format!(
                "a text that could get more than {TIMES} times as long as those it is made of; nest no replace, hex or quote, and put fewer long texts together"
            )),
            false => Ok(self),
        }
    }

    /// The bound of `a || b`, of `a -> b` and the like.
    pub(super) fn of_operator(operator: sqlite3_parser::ast::Operator, lhs: Size, rhs: Size) -> Size {
        use sqlite3_parser::ast::Operator;
        match operator {
            Operator::Concat => lhs.then(rhs),
            Operator::ArrowRight | Operator::ArrowRightShift => lhs.by(JSON),
            _ => Size::NUMBER,
        }
    }

    /// The bound of a call of one of our functions; `literals` are the arguments that are texts or numbers.
    pub(super) fn of_call(name: &str, arguments: &[Size], literals: &[Option<&str>]) -> Result<Size, String> {
        let any = || arguments.iter().copied().reduce(Size::or).unwrap_or(Size::NUMBER);
        let all = || arguments.iter().copied().reduce(Size::then).unwrap_or(Size::NUMBER);
        let first = || arguments.first().copied().unwrap_or(Size::NUMBER);
        let literal = |at: usize| literals.get(at).copied().flatten();
        let count = u64::try_from(arguments.len()).unwrap_or(u64::MAX);
        if NUMBERS.contains(&name) {
            return Ok(Size::NUMBER);
        }
        let size = match name {
            "replace" => return Size::replaced(arguments, literal(1)),
            "substr" | "substring" => match literal(2).and_then(|it| it.parse::<u64>().ok()) {
                // A letter takes at most four bytes.
                Some(letters) if letters <= PLUS / 8 => {
                    Size::literal(letters * 4).repeated(first().is_repeated)
                }
                _ => first(),
            },
            "hex" | "quote" => first().by(2).then(Size::literal(2)),
            "json_extract" => first().by(JSON).by(count.saturating_sub(1).max(1)),
            "char" => Size::literal(count.saturating_mul(4)),
            "concat" => all(),
            "concat_ws" => all().then(first().by(count)),
            // The longest item of a format, a Julian day, is eight times as long as its letters.
            "strftime" => first().by(16).then(Size::NUMBER),
            _ => any(),
        };
        Ok(size)
    }

    /// `replace(text, old, new)`: each old text of n bytes becomes a new one.
    fn replaced(arguments: &[Size], old: Option<&str>) -> Result<Size, String> {
        let [text, _, new] = arguments else { return Ok(Size::TEXT) };
        if new.times > 0 {
            return Err("replace puts no text of a table into a text".to_owned());
        }
        let old = old.map_or(1, |it| u64::try_from(it.len()).unwrap_or(u64::MAX)).max(1);
        let factor = new.plus.div_ceil(old).max(1);
        Ok(match text.times {
            0 => Size::literal(text.plus.saturating_mul(factor).saturating_add(new.plus)),
            _ => text.by(factor),
        }
        .repeated(text.is_repeated))
    }

    /// The bound of a text that is gathered from the rows of a group; `is_single` tells whether the group has at most as
    /// many rows as one table.
    pub(super) fn gathered(name: &str, arguments: &[Size], is_single: bool) -> Result<Size, String> {
        let all = arguments.iter().copied().reduce(Size::then).unwrap_or(Size::NUMBER);
        if !is_single || (all.is_repeated && all.times > 0) {
            return Err(format!(
                "{name} needs texts that no join repeats: gather them in a select of their own, and join its result"
            ));
        }
        if all.plus > PLUS_PER_ROW {
            return Err(format!(
                "{name} gathers at most {PLUS_PER_ROW} letters besides the columns of each row"
            ));
        }
        let factor = if name.starts_with("json") { JSON } else { 1 };
        Size { times: all.times.max(1), plus: 0, is_repeated: false, is_whole: true }.by(factor).check()
    }

    /// The bound of a column of a table.
    pub(super) fn of_column(table: Table, column: &str) -> Size {
        match (table, column) {
            (_, "id" | "parent_id" | "root_id" | "block_id" | "box" | "hash" | "length" | "sort") => {
                Size::NUMBER
            }
            (_, "def_block_id" | "def_block_parent_id" | "def_block_root_id") => Size::NUMBER,
            (Table::Blocks, "type" | "subtype") => Size::NUMBER,
            _ => Size::TEXT,
        }
    }
}

/// Whether a function gathers texts from many rows.
pub(super) fn gathers(name: &str) -> bool {
    GATHER.contains(&name)
}
