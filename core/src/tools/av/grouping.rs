//! The grouping of a view: the checks of the argument, and the grouping as it is sent.

use serde_json::{Map, Value};

use super::view::GROUPS;
use crate::content::database::Visible;
use crate::kernel::api::av::{NewGroup, NewRange};
use crate::prelude::*;

/// The types of columns whose values agents write as words, or whose groups have names of SiYuan's own. SiYuan shows the
/// name of a group as HTML, and for other columns that is text of a block, a template or a file.
const NAMED: [&str; 11] = [
    "select", "mSelect", "checkbox", "number", "date", "created", "updated", "text", "url", "email", "phone",
];
const UNNAMED: &str = "a column of text, options, numbers, dates or checkboxes: SiYuan shows the names of groups as HTML, so only a person groups by titles, relations, rollups, templates and files";

/// Judges a grouping for a database.
pub(super) fn grouping(group: &Map<String, Value>, of: &Visible) -> Result<NewGroup, ToolError> {
    let expected = || ToolError::field("group", "{column, by?, range?: {start, end, step}, hide_empty?}");
    let (mut column, mut by, mut range, mut hide_empty) = (None, None, None, None);
    for (name, part) in group {
        match name.as_str() {
            "column" => column = part.as_str(),
            "by" => by = Some(part),
            "range" => range = part.as_object(),
            "hide_empty" => hide_empty = Some(part),
            _ => return Err(expected()),
        }
    }
    let key = &of.column("group.column", column.ok_or_else(expected)?)?.key;
    if !NAMED.contains(&key.kind.as_str()) {
        return Err(ToolError::field("group.column", UNNAMED));
    }
    let by = by.map_or(Some("value"), Value::as_str).ok_or_else(expected)?;
    let method = GROUPS.iter().position(|it| *it == by);
    let method =
        method.ok_or_else(|| ToolError::field("group.by", format!("one of {}", GROUPS.join(", "))))?;
    let fits = match method {
        0 => true,
        1 => key.kind == "number",
        _ => matches!(key.kind.as_str(), "date" | "created" | "updated"),
    };
    if !fits {
        return Err(ToolError::field(
            "group.by",
            format!("another way: the column is of the type {}", key.kind),
        ));
    }
    let hide_empty = hide_empty.map(|it| it.as_bool().ok_or_else(expected)).transpose()?;
    let range = (method == 1).then(|| range_of(range.ok_or_else(expected)?, expected)).transpose()?;
    Ok(NewGroup { field: key.id.clone(), method: method as u64, order: 0, hide_empty, range })
}

/// The smallest step of a range, as a share of its largest number. The kernel adds steps until it has passed the end; a
/// step that rounding loses keeps it there for ever, and no later change is stored.
const SMALLEST_STEP: f64 = 1e-12;

fn range_of(range: &Map<String, Value>, expected: impl FnOnce() -> ToolError) -> Result<NewRange, ToolError> {
    let of = |name: &str| range.get(name)?.as_f64();
    let (Some(start), Some(end), Some(step)) = (of("start"), of("end"), of("step")) else {
        return Err(expected());
    };
    // The kernel makes a group for each step.
    if !(step > 0.0 && end > start && (end - start) / step <= 200.0) {
        return Err(ToolError::field("group.range", "at most 200 steps from start to a larger end"));
    }
    if step <= start.abs().max(end.abs()) * SMALLEST_STEP {
        return Err(ToolError::field(
            "group.range",
            "a step that is not lost to rounding next to start and end",
        ));
    }
    Ok(NewRange { num_start: start, num_end: end, num_step: step })
}
