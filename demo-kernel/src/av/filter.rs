//! Which rows a view shows: conditions on cells, combined by "and" and "or".

use super::database::Database;
use super::filter_times::time_passes;
use super::render::fill::{Route, fill_relation};
use super::render::{Item, RenderedView, Source};
use super::rollup::has_part;
use super::value::{BlockCell, Value, ValueKind};
use super::view::Filter;
use crate::answer::Refusal;

/// Keeps the rows of a view that pass its filters.
pub(super) fn filter(
    source: &Source<'_>,
    database: &Database,
    out: &mut RenderedView,
) -> Result<(), Refusal> {
    let filters = std::mem::take(&mut out.view.filters);
    let own;
    let root = match filters.as_slice() {
        [] => return Ok(()),
        [root] if root.is_group() => root,
        list => {
            own = Filter::all(list.to_vec());
            &own
        }
    };
    let mut kept = Vec::new();
    for item in std::mem::take(&mut out.items) {
        if passes(source, database, out, root, &item)? {
            kept.push(item);
        }
    }
    out.items = kept;
    out.view.filters = filters;
    Ok(())
}

fn passes(
    source: &Source<'_>,
    database: &Database,
    view: &RenderedView,
    filter: &Filter,
    item: &Item,
) -> Result<bool, Refusal> {
    if filter.is_group() {
        let any = filter.combination == "or";
        for child in &filter.filters {
            if passes(source, database, view, child, item)? == any {
                return Ok(any);
            }
        }
        return Ok(!any);
    }
    let cell = view.place(&filter.column).and_then(|place| item.cells.get(place));
    let Some(cell) = cell else { return Ok(false) };
    if cell.kind == Some(ValueKind::Rollup) {
        return rollup_passes(source, database, filter, item, cell);
    }
    Ok(cell_passes(filter, cell))
}

/// Whether a filter does not apply to a cell.
fn is_idle(filter: &Filter, cell: &Value) -> bool {
    match &filter.value {
        None => filter.relative_date.is_none(),
        Some(value) => value.kind != cell.kind,
    }
}

fn cell_passes(filter: &Filter, cell: &Value) -> bool {
    if is_idle(filter, cell) {
        return true;
    }
    if filter.quantifier.is_empty() {
        match filter.operator.as_str() {
            "Is empty" => return cell.is_empty(),
            "Is not empty" => return !cell.is_empty(),
            _ => {}
        }
    }
    match (cell.kind, &filter.value) {
        (Some(ValueKind::Relation), Some(value)) if value.relation.is_some() => {
            relation_passes(filter, value, cell)
        }
        // Without files the kernel ignores the quantifier.
        (Some(ValueKind::MAsset), Some(value)) if !cell.m_asset.is_empty() => {
            assets_pass(filter, value, cell)
        }
        (_, value) => value_passes(filter, value.as_ref(), cell),
    }
}

fn relation_passes(filter: &Filter, value: &Value, cell: &Value) -> bool {
    let wanted = value.relation.as_ref().and_then(|relation| relation.ids().first());
    let Some(wanted) = wanted else { return true };
    let wanted = Value {
        kind: Some(ValueKind::Block),
        block: Some(BlockCell { content: wanted.clone(), ..BlockCell::default() }),
        ..Value::default()
    };
    let hit = |related: &Value| value_passes(filter, Some(&wanted), related);
    match filter.operator.as_str() {
        "Does not contains" => cell.contents().iter().all(hit),
        _ => cell.contents().iter().any(hit),
    }
}

fn assets_pass(filter: &Filter, value: &Value, cell: &Value) -> bool {
    let wanted = value.m_asset.first().map(|asset| asset.content.as_str());
    let blank = |asset: &super::value::Asset| asset.name.trim().is_empty() && asset.content.trim().is_empty();
    let hit = |asset: &super::value::Asset| match filter.operator.as_str() {
        "Is empty" => blank(asset),
        "Is not empty" => !blank(asset),
        operator => {
            let hit = |text: &str| text_passes(operator, text, wanted.unwrap_or_default());
            (asset.kind == "file" && hit(&asset.name))
                || (matches!(asset.kind.as_str(), "file" | "image") && hit(&asset.content))
        }
    };
    let of_content = !matches!(filter.operator.as_str(), "Is empty" | "Is not empty");
    if of_content && wanted.is_none() {
        return true;
    }
    match filter.quantifier.as_str() {
        "All" => cell.m_asset.iter().all(hit),
        "None" => !cell.m_asset.iter().any(hit),
        // A filter that finds no file still passes when files are compared whole.
        _ => {
            cell.m_asset.iter().any(hit) || (of_content && value_passes(filter, filter.value.as_ref(), cell))
        }
    }
}

fn rollup_passes(
    source: &Source<'_>,
    database: &Database,
    filter: &Filter,
    item: &Item,
    cell: &Value,
) -> Result<bool, Refusal> {
    let Some(wanted) = filter.value.as_ref().and_then(|value| value.rollup.as_ref()) else {
        return Ok(cell_passes(filter, cell));
    };
    if is_idle(filter, cell) {
        return Ok(true);
    }
    if filter.quantifier.is_empty() && matches!(filter.operator.as_str(), "Is empty" | "Is not empty") {
        return Ok(cell_passes(filter, cell));
    }
    let Some(key) = database.key(&cell.key) else { return Ok(false) };
    let Some(route) = Route::of(source, database, key)? else { return Ok(false) };
    let empty = || Value::default_for(&item.id, &route.relation.id, &item.id, ValueKind::Relation, false);
    let mut relation = database.value(&route.relation.id, &item.id).cloned().unwrap_or_else(empty);
    if relation.relation.is_none() {
        return Ok(false);
    }
    fill_relation(source, database, &mut relation)?;
    let values = cell.contents();
    let missing = values.len() < relation.contents().len();
    let there = |value: &Value| value.kind.is_some_and(|kind| has_part(value, kind));
    Ok(match (filter.quantifier.as_str(), filter.operator.as_str()) {
        ("All", "Is empty") => values.is_empty() || (!missing && !values.iter().any(there)),
        ("All", "Is not empty") => !values.is_empty() && !missing && values.iter().all(there),
        ("None", "Is empty") => !values.is_empty() && (missing || values.iter().all(there)),
        ("None", "Is not empty") => !values.iter().any(there),
        (_, "Is empty") => values.is_empty() || missing || !values.iter().all(there),
        (_, "Is not empty") => values.iter().any(there),
        (quantifier, _) => {
            let wanted = wanted.contents.as_ref().and_then(|contents| contents.first());
            let is_time =
                |kind| matches!(kind, Some(ValueKind::Date | ValueKind::Created | ValueKind::Updated));
            let Some(wanted) = wanted.filter(|w| {
                w.kind.is_some_and(|kind| has_part(w, kind))
                    || (filter.relative_date.is_some() && is_time(w.kind))
            }) else {
                return Ok(true);
            };
            let hit = |value: &Value| value_passes(filter, Some(wanted), value);
            match quantifier {
                "All" => values.iter().all(hit),
                "None" => !values.iter().any(hit),
                _ => values.iter().any(hit),
            }
        }
    })
}

/// One value against another.
fn value_passes(filter: &Filter, wanted: Option<&Value>, value: &Value) -> bool {
    let operator = filter.operator.as_str();
    match operator {
        "Is empty" => return value.is_empty(),
        "Is not empty" => return !value.is_empty(),
        _ => {}
    }
    let no_value = Value::default();
    let wanted = wanted.unwrap_or(&no_value);
    match value.kind {
        Some(ValueKind::Number) => number_passes(operator, wanted, value),
        Some(ValueKind::Date) => {
            let Some(date) = &value.date else { return false };
            let unset = wanted.date.as_ref().is_some_and(|date| !date.is_not_empty);
            if unset && filter.relative_date.is_none() {
                return true;
            }
            let end = wanted.date.as_ref().map(|date| (date.content, date.content2));
            date.is_not_empty && time_passes(filter, date.content, end)
        }
        Some(ValueKind::Created) => value.created.as_ref().is_some_and(|moment| {
            time_passes(filter, moment.content, wanted.created.as_ref().map(|m| (m.content, m.content2)))
        }),
        Some(ValueKind::Updated) => value.updated.as_ref().is_some_and(|moment| {
            time_passes(filter, moment.content, wanted.updated.as_ref().map(|m| (m.content, m.content2)))
        }),
        Some(ValueKind::Select | ValueKind::MSelect) => {
            let both = |name: &str| wanted.m_select.iter().any(|choice| choice.content == name);
            let shared = value.m_select.iter().any(|choice| both(&choice.content));
            wanted.m_select.is_empty() || shared_passes(operator, shared)
        }
        Some(ValueKind::MAsset) if !value.m_asset.is_empty() && !wanted.m_asset.is_empty() => {
            let both = |path: &str| wanted.m_asset.iter().any(|asset| asset.content == path);
            shared_passes(operator, value.m_asset.iter().any(|asset| both(&asset.content)))
        }
        Some(ValueKind::Checkbox) => {
            let ticked = value.is_checked();
            let expected = wanted.checkbox.is_none_or(|checkbox| checkbox.checked);
            match operator {
                "Is true" | "=" => ticked == expected,
                "Is false" => !ticked,
                "!=" => ticked != expected,
                _ => false,
            }
        }
        Some(ValueKind::Template) => template_passes(operator, value, wanted),
        Some(ValueKind::Relation) => {
            let first = value.contents().first().and_then(Value::plain);
            let wanted = wanted.relation.as_ref().and_then(|relation| relation.ids().first());
            first.zip(wanted).is_some_and(|(text, wanted)| text_passes(operator, text, wanted))
        }
        _ => match (value.plain(), wanted.plain()) {
            (Some(text), Some(wanted)) => text_passes(operator, text, wanted),
            _ => false,
        },
    }
}

fn shared_passes(operator: &str, shared: bool) -> bool {
    match operator {
        "=" | "Contains" => shared,
        "!=" | "Does not contains" => !shared,
        _ => false,
    }
}

fn number_passes(operator: &str, wanted: &Value, value: &Value) -> bool {
    let (Some(number), Some(other)) = (&value.number, &wanted.number) else { return false };
    let (a, b) = (number.content, other.content);
    if !other.is_not_empty {
        return true;
    }
    match operator {
        "=" => a == b && number.is_not_empty,
        "!=" => a != b || !number.is_not_empty,
        ">" => a > b,
        ">=" => a >= b,
        "<" => a < b,
        "<=" => a <= b,
        _ => false,
    }
}

fn template_passes(operator: &str, value: &Value, wanted: &Value) -> bool {
    let (Some(text), Some(other)) = (&value.template, &wanted.template) else { return false };
    let (text, other) = (text.content.as_str(), other.content.as_str());
    let result = match operator {
        "=" => text == other,
        "!=" => text != other,
        ">" => text > other,
        ">=" => text >= other,
        "<" => text < other,
        "<=" => text <= other,
        "Contains" => text.contains(other),
        "Does not contains" => !text.contains(other),
        "Starts with" => text.starts_with(other),
        "Ends with" => text.ends_with(other),
        _ => return false,
    };
    result || other.trim().is_empty()
}

/// Text compared without regard to capitals.
fn text_passes(operator: &str, text: &str, other: &str) -> bool {
    let (text, low) = (text.to_lowercase(), other.to_lowercase());
    let result = match operator {
        "=" => text == low,
        "!=" => text != low,
        "Contains" => text.contains(&low),
        "Does not contains" => !text.contains(&low),
        "Starts with" => text.starts_with(&low),
        "Ends with" => text.ends_with(&low),
        _ => return false,
    };
    result || other.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::av::value::{Date, Number, Text};

    fn condition(operator: &str, value: Value) -> Filter {
        Filter { column: "k".into(), operator: operator.into(), value: Some(value), ..Filter::default() }
    }

    fn text(content: &str) -> Value {
        let text = Some(Text { content: content.into() });
        Value { kind: Some(ValueKind::Text), text, ..Value::default() }
    }

    fn number(content: f64) -> Value {
        let number = Number { content, is_not_empty: true, ..Number::default() };
        Value { kind: Some(ValueKind::Number), number: Some(number), ..Value::default() }
    }

    #[test]
    fn text_filters_ignore_case() {
        assert!(cell_passes(&condition("Contains", text("ROW")), &text("A row")));
        assert!(!cell_passes(&condition("Does not contains", text("row")), &text("A row")));
        assert!(cell_passes(&condition("Starts with", text("a ")), &text("A row")));
        // An empty search text finds everything.
        assert!(cell_passes(&condition("=", text(" ")), &text("A row")));
        assert!(cell_passes(&condition("Is empty", text("")), &text("")));
    }

    #[test]
    fn filter_on_another_type_passes() {
        assert!(cell_passes(&condition(">", number(5.0)), &text("1")));
        assert!(!cell_passes(&condition(">", number(5.0)), &number(1.0)));
        assert!(cell_passes(&condition("<=", number(5.0)), &number(5.0)));
    }

    #[test]
    fn select_filter_matches_one_shared_choice() {
        assert!(cell_passes(
            &condition("Contains", Value::choices(&["b", "z"])),
            &Value::choices(&["a", "b"])
        ));
        assert!(!cell_passes(
            &condition("Does not contains", Value::choices(&["b"])),
            &Value::choices(&["a", "b"])
        ));
    }

    #[test]
    fn date_filters_compare_days() {
        let noon = 1_735_732_800_000;
        let date = |content: i64, content2: i64| Value {
            kind: Some(ValueKind::Date),
            date: Some(Date { content, content2, is_not_empty: true, ..Date::default() }),
            ..Value::default()
        };
        let midnight = 1_735_689_600_000;
        assert!(cell_passes(&condition("=", date(midnight, 0)), &date(noon, 0)));
        assert!(!cell_passes(&condition(">", date(midnight, 0)), &date(noon, 0)));
        let week = 7 * 86_400_000;
        assert!(cell_passes(
            &condition("Is between", date(midnight, midnight + week)),
            &date(noon + week, 0)
        ));
        assert!(!cell_passes(
            &condition("Is between", date(midnight, midnight + week)),
            &date(noon + week + week, 0)
        ));
    }
}
