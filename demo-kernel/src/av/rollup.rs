//! Rollups: the values of a column of related rows, and what is calculated of them.

use std::collections::HashSet;

use super::database::{Key, RollupCalculation};
use super::format::{number_of, span_text};
use super::value::{Date, TimeCell, Value, ValueKind};

/// The values behind a rollup cell; none is sent as null.
pub(super) fn contents(
    rows: &[String],
    key: &Key,
    calc: Option<&RollupCalculation>,
    find: impl Fn(&String) -> Option<Value>,
) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    for row in rows {
        let found = find(row);
        match found {
            None if key.kind == ValueKind::Checkbox => {
                values.push(Value::default_for(&crate::id::new_id(), &key.id, row, key.kind, false));
            }
            Some(mut value) => {
                if key.kind == ValueKind::Number {
                    value.format_number(Some(&key.number_format));
                }
                values.push(value);
            }
            None => {}
        }
    }
    let values = calculate(values, calc.map(|calc| calc.operator.as_str()).unwrap_or_default(), key);
    (!values.is_empty()).then_some(values)
}

/// Whether the part that a type means is there at all.
pub(super) fn has_part(value: &Value, kind: ValueKind) -> bool {
    match kind {
        ValueKind::Block => value.block.is_some(),
        ValueKind::Text => value.text.is_some(),
        ValueKind::Number => value.number.is_some(),
        ValueKind::Date => value.date.is_some(),
        ValueKind::Select | ValueKind::MSelect => !value.m_select.is_empty(),
        ValueKind::Url => value.url.is_some(),
        ValueKind::Email => value.email.is_some(),
        ValueKind::Phone => value.phone.is_some(),
        ValueKind::MAsset => !value.m_asset.is_empty(),
        ValueKind::Template => value.template.is_some(),
        ValueKind::Created => value.created.is_some(),
        ValueKind::Updated => value.updated.is_some(),
        ValueKind::Checkbox => value.checkbox.is_some(),
        ValueKind::Relation => value.relation.is_some(),
        ValueKind::Rollup => value.rollup.is_some(),
        ValueKind::LineNumber => false,
    }
}

fn number(content: f64, format: &str) -> Vec<Value> {
    vec![Value { kind: Some(ValueKind::Number), ..Value::of_number(content, format) }]
}

/// A value as a number: its own, else the digits of its text.
fn as_number(value: &Value) -> f64 {
    let held = value.number.as_ref().filter(|n| n.is_not_empty && value.kind == Some(ValueKind::Number));
    held.map_or_else(|| number_of(&value.shown(false)).unwrap_or(0.0), |n| n.content)
}

fn calculate(values: Vec<Value>, operator: &str, key: &Key) -> Vec<Value> {
    let count = values.len();
    let format = key.number_format.as_str();
    let empty = values.iter().filter(|value| value.shown(true).is_empty()).count();
    let distinct = values.iter().map(|value| value.shown(true)).collect::<HashSet<_>>().len();
    let checked = values.iter().filter(|value| value.is_checked()).count();
    let unchecked = values.iter().filter(|v| v.checkbox.is_some_and(|c| !c.checked)).count();
    let mut numbers: Vec<f64> = values.iter().map(as_number).collect();
    numbers.sort_by(f64::total_cmp);
    let part = |of: usize, values: Vec<Value>| match count {
        0 => values,
        _ => number(of as f64 / count as f64, "percent"),
    };
    match operator {
        "Unique values" => unique(values),
        "Count all" if key.kind == ValueKind::Relation => {
            let ids = values.iter().filter_map(|value| value.relation.as_ref()).map(|r| r.ids().len());
            number(ids.sum::<usize>() as f64, "")
        }
        "Count all" | "Count values" => number(count as f64, ""),
        "Count unique values" => number(distinct as f64, ""),
        "Count empty" => number(empty as f64, ""),
        "Count not empty" => number((count - empty) as f64, ""),
        "Percent empty" => part(empty, values),
        "Percent not empty" => part(count - empty, values),
        "Percent unique values" => part(distinct, values),
        "Sum" => number(sum(&numbers), format),
        "Average" if count > 0 => number(sum(&numbers) / count as f64, format),
        "Median" => median(&numbers).map_or(values, |middle| number(middle, format)),
        "Min" => numbers.first().map_or(values, |least| number(*least, format)),
        "Max" => numbers.last().map_or(values, |most| number(*most, format)),
        "Range" if count >= 2 => range(values, key),
        "Earliest" => moment(values, key, false),
        "Latest" => moment(values, key, true),
        "Checked" => number(checked as f64, ""),
        "Unchecked" => number(unchecked as f64, ""),
        "Percent checked" if count > 0 => number((checked * 100 / count) as f64, ""),
        "Percent unchecked" if count > 0 => number((unchecked * 100 / count) as f64, ""),
        _ => values,
    }
}

/// The sum; an empty sum is 0, not -0.
pub(super) fn sum(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |sum, number| sum + number)
}

/// The middle of sorted numbers.
pub(super) fn median(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    let upper = *sorted.get(half)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some((sorted.get(half - 1)? + upper) / 2.0)
}

fn unique(values: Vec<Value>) -> Vec<Value> {
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for mut value in values {
        let stays = match value.kind {
            Some(ValueKind::Relation) => {
                let contents = value.relation.get_or_insert_default().contents.get_or_insert_default();
                contents.retain(|content| seen.insert(content.shown(true)));
                !contents.is_empty()
            }
            Some(ValueKind::MSelect) => {
                value.m_select.retain(|choice| seen.insert(choice.content.clone()));
                !value.m_select.is_empty()
            }
            Some(ValueKind::MAsset) => {
                value.m_asset.retain(|asset| seen.insert(asset.content.clone()));
                !value.m_asset.is_empty()
            }
            _ => seen.insert(value.shown(true)),
        };
        if stays {
            kept.push(value);
        }
    }
    kept
}

/// The time of a date or moment.
fn time(value: &Value) -> Option<i64> {
    match value.kind? {
        ValueKind::Date => value.date.as_ref().filter(|d| d.is_not_empty).map(|d| d.content),
        ValueKind::Created => value.created.as_ref().filter(|m| m.is_not_empty).map(|m| m.content),
        ValueKind::Updated => value.updated.as_ref().filter(|m| m.is_not_empty).map(|m| m.content),
        _ => None,
    }
}

/// The range of numbers or times.
fn range(values: Vec<Value>, key: &Key) -> Vec<Value> {
    let kind = values.first().and_then(|value| value.kind);
    if matches!(kind, Some(ValueKind::Date | ValueKind::Created | ValueKind::Updated)) {
        let times = || values.iter().filter_map(time);
        let (Some(first), Some(last)) = (times().min(), times().max()) else { return values };
        return at(&values, key, first, last, span_text(first, last));
    }
    let others = values.iter().filter(|value| time(value).is_none()).map(as_number);
    let numbers: Vec<f64> = others.collect();
    let most = numbers.iter().copied().fold(f64::MIN, f64::max);
    let least = numbers.iter().copied().fold(f64::MAX, f64::min);
    if numbers.is_empty() { values } else { number(most - least, &key.number_format) }
}

fn moment(values: Vec<Value>, key: &Key, last: bool) -> Vec<Value> {
    let times = || values.iter().filter_map(time);
    let Some(found) = (if last { times().max() } else { times().min() }) else { return values };
    at(&values, key, found, 0, String::new())
}

/// A value of the type of the first one at a time; `text` replaces what it would show.
fn at(values: &[Value], key: &Key, content: i64, content2: i64, text: String) -> Vec<Value> {
    let kind = values.first().and_then(|value| value.kind);
    let mut value = Value { kind, ..Value::default() };
    let moment = |with_time: bool| {
        let mut moment = TimeCell { is_not_empty: false, ..TimeCell::at(content, content2, with_time) };
        if !text.is_empty() {
            moment.formatted_content.clone_from(&text);
        }
        moment
    };
    match kind {
        Some(ValueKind::Date) => {
            let model = values
                .iter()
                .find(|value| time(value) == Some(content.max(content2)))
                .and_then(|v| v.date.clone());
            let model = model.unwrap_or_default();
            let mut date = Date { content, content2, is_not_empty: true, is_not_empty2: true, ..model };
            date.formatted_content = if text.is_empty() { date.text() } else { text };
            value.date = Some(date);
        }
        Some(ValueKind::Created) => value.created = Some(moment(key.created.is_none_or(|c| c.include_time))),
        _ => value.updated = Some(moment(key.updated.is_none_or(|u| u.include_time))),
    }
    vec![value]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::av::value::{Checkbox, Number};

    fn numbers(list: &[f64]) -> Vec<Value> {
        let cell = |content: &f64| Value {
            kind: Some(ValueKind::Number),
            number: Some(Number { content: *content, is_not_empty: true, ..Number::default() }),
            ..Value::default()
        };
        list.iter().map(cell).collect()
    }

    fn shown(values: &[Value], operator: &str, kind: ValueKind) -> String {
        let rows: Vec<String> = (0..values.len()).map(|at| at.to_string()).collect();
        let calc = RollupCalculation { operator: operator.into(), result: None };
        let key = Key::new("k", "K", "", kind);
        let find = |row: &String| values.get(row.parse::<usize>().unwrap()).cloned();
        let contents = contents(&rows, &key, Some(&calc), find).unwrap_or_default();
        contents.iter().map(|value| value.shown(true)).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn rollups_calculate_numbers() {
        let of = |operator| shown(&numbers(&[4.0, 1.0, 2.5, 2.5]), operator, ValueKind::Number);
        assert_eq!(of("Sum"), "10");
        assert_eq!(of("Average"), "2.5");
        assert_eq!(of("Median"), "2.5");
        assert_eq!(of("Range"), "3");
        assert_eq!(of("Max"), "4");
        assert_eq!(of("Count unique values"), "3");
        assert_eq!(of("Percent unique values"), "75%");
        assert_eq!(of(""), "4,1,2.5,2.5");
    }

    #[test]
    fn rollups_count_choices_and_checkboxes() {
        let values = vec![Value::choices(&["a", "b"]), Value::choices(&["b", "c"])];
        assert_eq!(shown(&values, "Unique values", ValueKind::MSelect), "a b,c");
        let tick = |checked| Value {
            kind: Some(ValueKind::Checkbox),
            checkbox: Some(Checkbox { checked }),
            ..Value::default()
        };
        let values = vec![tick(true), tick(false), tick(true)];
        assert_eq!(shown(&values, "Checked", ValueKind::Checkbox), "2");
        assert_eq!(shown(&values, "Percent checked", ValueKind::Checkbox), "66");
    }
}
