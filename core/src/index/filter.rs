//! Conditions on rows. Columns are part of the program; values are quoted here and nowhere else.

use super::{ASSET, Table};
use crate::kernel::sql;
use crate::permission::Place;

/// A condition on a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowCondition(pub(super) String);

impl RowCondition {
    /// Holds if both hold.
    #[must_use]
    pub fn and(self, other: RowCondition) -> RowCondition {
        let (RowCondition(one), RowCondition(other)) = (self, other);
        RowCondition(format!("({one} AND {other})"))
    }
}

/// The column equals this text.
pub fn eq(column: &'static str, value: &str) -> RowCondition {
    RowCondition(format!("{column} = {}", sql::text(value)))
}

/// The column differs from this text.
pub fn is_not(column: &'static str, value: &str) -> RowCondition {
    RowCondition(format!("{column} <> {}", sql::text(value)))
}

/// The two columns are equal.
pub fn same(column: &'static str, other: &'static str) -> RowCondition {
    RowCondition(format!("{column} = {other}"))
}

/// The column equals one of these texts; never for an empty list.
pub fn in_list<'a>(column: &'static str, values: impl IntoIterator<Item = &'a str>) -> RowCondition {
    RowCondition(format!("{column} IN ({})", sql::list(values)))
}

/// The column equals none of these texts.
pub fn not_in<'a>(column: &'static str, values: impl IntoIterator<Item = &'a str>) -> RowCondition {
    not(in_list(column, values))
}

/// The column contains the text. It avoids LIKE, whose ESCAPE breaks the kernel's printer of statements.
pub fn contains(column: &'static str, text: &str) -> RowCondition {
    RowCondition(format!("instr({column}, {}) > 0", sql::text(text)))
}

/// The column begins with the text.
pub fn starts_with(column: &'static str, text: &str) -> RowCondition {
    RowCondition(format!("instr({column}, {}) = 1", sql::text(text)))
}

/// The column is this text or comes after it.
pub fn at_least(column: &'static str, text: &str) -> RowCondition {
    RowCondition(format!("{column} >= {}", sql::text(text)))
}

/// The column is a moment of 14 digits that is not after this one. A note may carry any text as a moment.
pub fn is_moment(column: &'static str, latest: &str) -> RowCondition {
    RowCondition(format!("(length({column}) = 14 AND {column} >= '1' AND {column} <= {})", sql::text(latest)))
}

/// The column matches the regular expression (RE2), which the caller has checked: a broken one finds nothing.
pub fn matches(column: &'static str, pattern: &str) -> RowCondition {
    RowCondition(format!("{column} REGEXP {}", sql::text(pattern)))
}

/// The column contains the text in any case. SQLite lowers ASCII only, so the usual spellings of other scripts are
/// tried one by one.
pub fn in_any_case(column: &'static str, text: &str) -> RowCondition {
    any(spellings(text)
        .iter()
        .map(|it| RowCondition(format!("instr(lower({column}), {}) > 0", sql::text(it)))))
}

/// As [`in_any_case`], where the column has nothing but the text.
pub fn all_in_any_case(column: &'static str, text: &str) -> RowCondition {
    any(spellings(text).iter().map(|it| RowCondition(format!("lower(trim({column})) = {}", sql::text(it)))))
}

/// The spellings of a text that a column may have once SQLite has made its ASCII letters small.
fn spellings(text: &str) -> Vec<String> {
    let mut capital = text.to_lowercase();
    if let Some(first) = capital.chars().next() {
        capital.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    let mut spellings = [text.to_owned(), text.to_lowercase(), text.to_uppercase(), capital];
    spellings.iter_mut().for_each(|it| it.make_ascii_lowercase());
    let mut spellings = spellings.to_vec();
    spellings.sort();
    spellings.dedup();
    spellings
}

/// The row lies in one of these documents or below. A place without a storage path matches no rows.
pub fn within<'a>(table: Table, places: impl IntoIterator<Item = &'a Place>) -> RowCondition {
    let letter = table.letter();
    any(places.into_iter().filter_map(|place| {
        let storage = place.storage.as_ref()?;
        let (own, below) = (sql::text(storage.as_str()), sql::text(&storage.below()));
        let notebook = sql::text(place.notebook.as_str());
        Some(RowCondition(format!(
            "({letter}.box = {notebook} AND ({letter}.path = {own} OR instr({letter}.path, {below}) = 1))"
        )))
    }))
}

/// The span is a tag.
pub fn is_tag() -> RowCondition {
    any([eq("s.type", "tag"), contains("s.type", " tag")]).and(is_not("s.content", ""))
}

/// The document `b` is, or contains, a row of this database, of which the caller already knows.
///
/// The attribute is compared and never returned: it may also name databases of hidden notebooks.
pub fn is_row_of(database: &str) -> RowCondition {
    RowCondition(format!(
        "EXISTS (SELECT 1 FROM main.attributes AS a WHERE a.root_id = b.id AND a.box = b.box \
         AND a.name = 'custom-avs' AND instr(a.value, {}) > 0)",
        sql::text(database)
    ))
}

/// The block `b` has a reference to this block, or to anything in this document.
///
/// The caller may read both: `b` comes from a view, and the id is a target of the call.
pub fn links_to(id: &str) -> RowCondition {
    let id = sql::text(id);
    RowCondition(format!(
        "EXISTS (SELECT 1 FROM main.refs AS x WHERE x.block_id = b.id AND x.box = b.box \
         AND (x.def_block_id = {id} OR x.def_block_root_id = {id}))"
    ))
}

/// The path of the asset ends in this, in any case.
pub fn asset_ends_in(end: &str) -> RowCondition {
    let end = end.to_lowercase();
    RowCondition(format!("substr(lower({ASSET}), -{}) = {}", end.chars().count(), sql::text(&end)))
}

/// Holds if any of them does; never for an empty list.
pub fn any(filters: impl IntoIterator<Item = RowCondition>) -> RowCondition {
    let each: Vec<String> = filters.into_iter().map(|it| it.0).collect();
    if each.is_empty() {
        RowCondition("0 = 1".to_owned())
    } else {
        RowCondition(format!("({})", each.join(" OR ")))
    }
}

/// Holds if the other does not.
pub fn not(RowCondition(other): RowCondition) -> RowCondition {
    RowCondition(format!("NOT ({other})"))
}
