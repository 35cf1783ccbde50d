//! The functions of a caller's statement, an explicit list.
//!
//! None of them reads anything but its arguments, and none makes a text longer by a number of the caller's, as `printf`,
//! `format` and `zeroblob` do. Those that make a longer text of texts are bounded in `growth`.

/// Functions over one row, and aggregates.
const PLAIN: &[&str] = &[
    "abs",
    "avg",
    "char",
    "coalesce",
    "concat",
    "concat_ws",
    "count",
    "date",
    "datetime",
    "glob",
    "group_concat",
    "hex",
    "ifnull",
    "iif",
    "instr",
    "json_array_length",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_type",
    "json_valid",
    "julianday",
    "length",
    "like",
    "lower",
    "ltrim",
    "max",
    "min",
    "nullif",
    "quote",
    "replace",
    "round",
    "rtrim",
    "sign",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "sum",
    "time",
    "timediff",
    "total",
    "trim",
    "typeof",
    "unicode",
    "unixepoch",
    "upper",
];

/// Functions that need OVER.
const OVER: &[&str] =
    &["dense_rank", "first_value", "lag", "last_value", "lead", "ntile", "rank", "row_number"];

/// Functions whose result is a number or a word, whatever goes in.
pub(super) const NUMBERS: [&str; 26] = [
    "abs",
    "avg",
    "count",
    "date",
    "datetime",
    "dense_rank",
    "glob",
    "instr",
    "json_array_length",
    "json_type",
    "json_valid",
    "julianday",
    "length",
    "like",
    "ntile",
    "rank",
    "round",
    "row_number",
    "sign",
    "sum",
    "time",
    "timediff",
    "total",
    "typeof",
    "unicode",
    "unixepoch",
];

/// Functions that gather a text from the rows of a group.
pub(super) const GATHER: [&str; 4] = ["group_concat", "json_group_array", "json_group_object", "string_agg"];

/// Functions that stand for a table, with the columns of it.
pub(super) const JSON_TABLES: [&str; 2] = ["json_each", "json_tree"];
pub(super) const JSON_COLUMNS: [&str; 8] =
    ["key", "value", "type", "atom", "id", "parent", "fullkey", "path"];

/// The name of a function as it is printed.
pub(super) fn named(name: &str, arguments: usize, has_over: bool) -> Result<String, String> {
    let known = name.to_ascii_lowercase();
    if known == "like" && arguments > 2 {
        return Err("ESCAPE is not available: use instr or GLOB".to_owned());
    }
    if PLAIN.contains(&known.as_str()) || (has_over && OVER.contains(&known.as_str())) {
        return Ok(known);
    }
    Err(match OVER.contains(&known.as_str()) {
        true => format!("function {known} needs OVER"),
        false => super::cut(&format!("function {known} is not available")),
    })
}
