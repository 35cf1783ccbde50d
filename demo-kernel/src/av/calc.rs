//! Calculations below the columns of a view.

use std::collections::HashSet;

use super::database::Key;
use super::format::{number_of, span_text};
use super::render::RenderedView;
use super::rollup::{median, sum};
use super::value::{Date, TimeCell, Value, ValueKind};
use super::view::Calculation;
use crate::answer::Refusal;

/// Fills in the results of all calculations of a view.
pub(super) fn calculate(out: &mut RenderedView) -> Result<(), Refusal> {
    for at in 0..out.columns.len() {
        let Some((field, key)) = out.columns.get(at) else { continue };
        let Some(calc) = field.calc.as_ref().filter(|calc| !calc.operator.is_empty()) else { continue };
        if calc.operator == "Template" {
            return Err(Refusal::not_here("calculations by template"));
        }
        let cells: Vec<&Value> = out.items.iter().filter_map(|item| item.cells.get(at)).collect();
        let result = of_column(calc, key, &cells).map(Box::new);
        if let Some(calc) = out.columns.get_mut(at).and_then(|(field, _)| field.calc.as_mut()) {
            calc.result = result.or_else(|| calc.result.take());
        }
    }
    Ok(())
}

/// Whether a cell counts as empty here; a checkbox without a tick does.
fn is_empty(cell: &Value, kind: ValueKind) -> bool {
    match kind {
        ValueKind::Relation => cell.contents().is_empty(),
        ValueKind::Checkbox => !cell.is_checked(),
        _ => cell.is_empty(),
    }
}

/// The values that distinguish one cell from another.
fn marks(cell: &Value, kind: ValueKind) -> Vec<String> {
    match kind {
        ValueKind::MSelect | ValueKind::Select => cell.m_select.iter().map(|c| c.content.clone()).collect(),
        ValueKind::MAsset => cell.m_asset.iter().map(|a| a.content.clone()).collect(),
        ValueKind::Relation => cell.relation.as_ref().map(|r| r.ids().to_vec()).unwrap_or_default(),
        ValueKind::Rollup => cell.contents().iter().map(|v| v.shown(true)).collect(),
        ValueKind::Number => cell.number.iter().map(|n| n.content.to_string()).collect(),
        ValueKind::Date | ValueKind::Created | ValueKind::Updated => {
            time(cell).iter().map(ToString::to_string).collect()
        }
        _ => vec![cell.plain().unwrap_or_default().to_owned()],
    }
}

/// The numbers of a cell; for a rollup, all numbers in it.
fn numbers(cell: &Value, kind: ValueKind) -> Vec<f64> {
    match kind {
        ValueKind::Rollup => {
            let filled = cell.contents().iter().filter_map(|value| number_of(&value.shown(false)));
            filled.collect()
        }
        ValueKind::Template => vec![number_of(&cell.shown(true)).unwrap_or(0.0)],
        _ => cell.number.iter().map(|n| n.content).collect(),
    }
}

fn time(cell: &Value) -> Option<i64> {
    match cell.kind? {
        ValueKind::Date => cell.date.as_ref().filter(|d| d.is_not_empty).map(|d| d.content),
        ValueKind::Created => cell.created.as_ref().map(|m| m.content),
        ValueKind::Updated => cell.updated.as_ref().map(|m| m.content),
        _ => None,
    }
}

fn of_column(calc: &Calculation, key: &Key, cells: &[&Value]) -> Option<Value> {
    let kind = key.kind;
    let filled: Vec<&Value> = cells.iter().filter(|cell| !is_empty(cell, kind)).copied().collect();
    let (all, some) = (cells.len(), filled.len());
    let plain = |count: usize| Some(Value::of_number(count as f64, ""));
    let part = |count: usize| (all > 0).then(|| Value::of_number(count as f64 / all as f64, "percent"));
    let distinct = || filled.iter().flat_map(|cell| marks(cell, kind)).collect::<HashSet<_>>().len();
    let is_number = matches!(kind, ValueKind::Number | ValueKind::Template | ValueKind::Rollup);
    match calc.operator.as_str() {
        _ if kind == ValueKind::LineNumber => None,
        "Count all" => plain(all),
        "Checked" if kind == ValueKind::Checkbox => plain(some),
        "Unchecked" if kind == ValueKind::Checkbox => plain(all - some),
        "Percent checked" if kind == ValueKind::Checkbox => part(some),
        "Percent unchecked" if kind == ValueKind::Checkbox => part(all - some),
        _ if kind == ValueKind::Checkbox => None,
        "Count values"
            if kind.is_choice()
                || matches!(kind, ValueKind::MAsset | ValueKind::Relation | ValueKind::Rollup) =>
        {
            plain(filled.iter().map(|cell| marks(cell, kind).len()).sum())
        }
        "Count values" | "Count not empty" => plain(some),
        "Count unique values" => plain(distinct()),
        "Count empty" => plain(all - some),
        "Percent empty" => part(all - some),
        "Percent not empty" => part(some),
        "Percent unique values" => part(distinct()),
        "Earliest" | "Latest" | "Range" if !is_number => of_times(calc, key, &filled),
        operator if is_number => {
            let mut list: Vec<f64> = filled.iter().flat_map(|cell| numbers(cell, kind)).collect();
            list.sort_by(f64::total_cmp);
            let (least, most) = (list.first().copied(), list.last().copied());
            let result = match operator {
                "Sum" => Some(sum(&list)),
                "Average" if !list.is_empty() => Some(sum(&list) / list.len() as f64),
                "Median" => median(&list),
                "Min" => least,
                "Max" => most,
                "Range" => least.zip(most).map(|(least, most)| most - least),
                _ => None,
            };
            result.map(|number| Value::of_number(number, &key.number_format))
        }
        _ => None,
    }
}

fn of_times(calc: &Calculation, key: &Key, filled: &[&Value]) -> Option<Value> {
    let (first, last) =
        (filled.iter().filter_map(|c| time(c)).min()?, filled.iter().filter_map(|c| time(c)).max()?);
    let (at, until, text) = match calc.operator.as_str() {
        "Earliest" => (first, 0, None),
        "Latest" => (last, 0, None),
        _ => (first, last, Some(span_text(first, last))),
    };
    let moment = |with_time: bool| {
        let mut moment = TimeCell { is_not_empty: false, ..TimeCell::at(at, until, with_time) };
        moment.formatted_content = text.clone().unwrap_or(moment.formatted_content);
        Some(moment)
    };
    let mut value = Value::default();
    match key.kind {
        ValueKind::Date => {
            let model = filled.iter().find(|cell| time(cell) == Some(at.max(until)))?.date.clone()?;
            let mut date =
                Date { content: at, content2: until, is_not_empty: true, is_not_empty2: true, ..model };
            date.formatted_content = text.unwrap_or_else(|| date.text());
            value.date = Some(date);
        }
        ValueKind::Created => value.created = moment(key.created.is_none_or(|c| c.include_time)),
        ValueKind::Updated => value.updated = moment(key.updated.is_none_or(|u| u.include_time)),
        _ => return None,
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::av::value::{Checkbox, Number, Text};

    fn result(operator: &str, kind: ValueKind, cells: &[Value]) -> String {
        let calc = Calculation { operator: operator.into(), ..Calculation::default() };
        let value = of_column(&calc, &Key::new("k", "K", "", kind), &cells.iter().collect::<Vec<_>>());
        value.and_then(|value| value.number).map(|number| number.formatted_content).unwrap_or_default()
    }

    #[test]
    fn calculations_skip_empty_numbers() {
        let cell = |content: f64, is_not_empty| Value {
            kind: Some(ValueKind::Number),
            number: Some(Number { content, is_not_empty, ..Number::default() }),
            ..Value::default()
        };
        let cells = [cell(4.0, true), cell(0.0, false), cell(1.0, true)];
        assert_eq!(result("Sum", ValueKind::Number, &cells), "5");
        assert_eq!(result("Average", ValueKind::Number, &cells), "2.5");
        assert_eq!(result("Count empty", ValueKind::Number, &cells), "1");
        assert_eq!(result("Percent empty", ValueKind::Number, &cells), "33.33%");
        assert_eq!(result("Range", ValueKind::Number, &cells), "3");
    }

    #[test]
    fn calculations_count_texts_and_checkboxes() {
        let text = |content: &str| Value {
            kind: Some(ValueKind::Text),
            text: Some(Text { content: content.into() }),
            ..Value::default()
        };
        assert_eq!(result("Count unique values", ValueKind::Text, &[text("a"), text("a"), text("")]), "1");
        assert_eq!(result("Sum", ValueKind::Text, &[text("1")]), "");
        let tick = |checked| Value {
            kind: Some(ValueKind::Checkbox),
            checkbox: Some(Checkbox { checked }),
            ..Value::default()
        };
        assert_eq!(result("Percent checked", ValueKind::Checkbox, &[tick(true), tick(false)]), "50%");
    }
}
