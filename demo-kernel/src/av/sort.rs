//! The order of rows by the sorting of a view.

use std::cmp::Ordering;

use super::database::{Database, Key};
use super::dates::day;
use super::format::number_of;
use super::render::{Item, RenderedView};
use super::value::{Value, ValueKind};

/// When the kernel began to tell edited cells from untouched ones.
const TELLS_EDITS_SINCE: i64 = 1_709_740_800_000;

/// Sorts the rows of a view.
pub(super) fn sort(out: &mut RenderedView, database: &Database) {
    let sorts = out.view.sorts.iter().filter_map(|sort| {
        let place = out.place(&sort.column)?;
        Some((place, sort.order == "ASC", database.key(&sort.column)?.clone()))
    });
    let sorts: Vec<(usize, bool, Key)> = sorts.collect();
    if out.view.sorts.is_empty() {
        return;
    }
    // Rows that were never edited stay after the others, in the order of their creation.
    let touched = |item: &Item| {
        sorts.iter().any(|(place, _, key)| {
            let cell = item.cells.get(*place);
            let row = (key.kind == ValueKind::Checkbox).then(|| item.row()).flatten();
            cell.is_some_and(is_edited) || row.is_some_and(is_edited)
        })
    };
    let (mut edited, mut rest): (Vec<Item>, Vec<Item>) =
        std::mem::take(&mut out.items).into_iter().partition(touched);
    let made = |item: &Item| item.row().map_or(0, |row| row.created_at);
    rest.sort_by_key(made);
    edited.sort_by(|a, b| {
        let by_cells = sorts
            .iter()
            .map(|(place, ascending, key)| order(a.cells.get(*place), b.cells.get(*place), *ascending, key));
        by_cells.fold(Ordering::Equal, Ordering::then).then_with(|| made(a).cmp(&made(b)))
    });
    edited.extend(rest);
    out.items = edited;
}

fn is_edited(value: &Value) -> bool {
    if value.created_at < TELLS_EDITS_SINCE
        || matches!(value.kind, Some(ValueKind::Updated | ValueKind::Created))
    {
        return true;
    }
    let changed = value.created_at != value.updated_at;
    if value.kind == Some(ValueKind::Checkbox) { changed } else { changed || !value.is_empty() }
}

/// Empty cells go last in both directions.
fn order(a: Option<&Value>, b: Option<&Value>, ascending: bool, key: &Key) -> Ordering {
    let filled = |value: Option<&'_ Value>| value.is_some_and(|value| !value.is_empty());
    match (filled(a), filled(b), a, b) {
        (true, true, Some(a), Some(b)) => {
            let order = compare(a, b, key);
            if ascending { order } else { order.reverse() }
        }
        (a, b, _, _) => b.cmp(&a),
    }
}

fn compare(a: &Value, b: &Value, key: &Key) -> Ordering {
    match key.kind {
        ValueKind::Number => {
            let number = |value: &Value| value.number.as_ref().map_or(0.0, |number| number.content);
            number(a).total_cmp(&number(b))
        }
        ValueKind::Date => {
            let date = |value: &Value| {
                let date = value.date.clone().unwrap_or_default();
                if date.is_not_time { day(date.content).start } else { date.content }
            };
            date(a).cmp(&date(b))
        }
        ValueKind::Created | ValueKind::Updated => {
            let moment = |value: &Value| {
                let moment = if key.kind == ValueKind::Created { &value.created } else { &value.updated };
                moment.as_ref().map_or(0, |moment| moment.content)
            };
            moment(a).cmp(&moment(b))
        }
        ValueKind::Select | ValueKind::MSelect => {
            let rank = |name: &str| (key.rank(name), name.to_owned());
            let pairs = a.m_select.iter().zip(&b.m_select);
            let orders = pairs.map(|(a, b)| rank(&a.content).cmp(&rank(&b.content)));
            orders.fold(Ordering::Equal, Ordering::then)
        }
        ValueKind::Checkbox => a.is_checked().cmp(&b.is_checked()),
        ValueKind::Url | ValueKind::Email | ValueKind::Phone => a.plain().cmp(&b.plain()),
        ValueKind::MAsset => {
            let paths =
                |value: &Value| value.m_asset.iter().map(|asset| asset.content.as_str()).collect::<String>();
            folded(&paths(a), &paths(b))
        }
        ValueKind::Template => match (number_of(&a.shown(true)), number_of(&b.shown(true))) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            _ => folded(&a.shown(true), &b.shown(true)),
        },
        ValueKind::Relation | ValueKind::Rollup => {
            let first = |value: &Value| {
                let first = value.contents().first().filter(|v| v.kind == Some(ValueKind::Number));
                first.and_then(|v| number_of(&v.shown(false)))
            };
            let all = |value: &Value| {
                let texts: Vec<_> = value.contents().iter().map(|v| v.shown(true)).collect();
                texts.join(" ").trim().to_owned()
            };
            match (first(a), first(b)) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                _ => folded(&all(a), &all(b)),
            }
        }
        ValueKind::Block | ValueKind::Text => folded(&a.shown(true), &b.shown(true)),
        ValueKind::LineNumber => Ordering::Equal,
    }
}

/// The same without regard to capitals.
fn folded(a: &str, b: &str) -> Ordering {
    natural(&a.to_lowercase(), &b.to_lowercase()).then_with(|| a.cmp(b))
}

/// Text with runs of digits as numbers.
pub(super) fn natural(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    loop {
        let (digits_a, digits_b) = (leading_digits(rest_a), leading_digits(rest_b));
        if !digits_a.is_empty() && !digits_b.is_empty() {
            let short = |digits: &str| digits.trim_start_matches('0').to_owned();
            let (a, b) = (short(digits_a), short(digits_b));
            let order = a.len().cmp(&b.len()).then(a.cmp(&b));
            if order != Ordering::Equal {
                return order;
            }
            rest_a = rest_a.get(digits_a.len()..).unwrap_or_default();
            rest_b = rest_b.get(digits_b.len()..).unwrap_or_default();
            continue;
        }
        match (rest_a.chars().next(), rest_b.chars().next()) {
            (Some(x), Some(y)) if x == y => {
                rest_a = rest_a.get(x.len_utf8()..).unwrap_or_default();
                rest_b = rest_b.get(y.len_utf8()..).unwrap_or_default();
            }
            (None, None) => return a.cmp(b),
            (x, y) => return x.cmp(&y),
        }
    }
}

fn leading_digits(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::av::value::{Choice, Number, Text};

    #[test]
    fn texts_sort_in_natural_order() {
        let mut names = ["b10", "B9", "a", "b1"];
        names.sort_by(|a, b| folded(a, b));
        assert_eq!(names, ["a", "b1", "B9", "b10"]);
    }

    #[test]
    fn empty_cells_stay_last_in_both_directions() {
        let key = Key::new("k", "K", "", ValueKind::Number);
        let cell = |content: f64, is_not_empty| Value {
            kind: Some(ValueKind::Number),
            number: Some(Number { content, is_not_empty, ..Number::default() }),
            ..Value::default()
        };
        let (one, two, none) = (cell(1.0, true), cell(2.0, true), cell(0.0, false));
        assert_eq!(order(Some(&one), Some(&two), true, &key), Ordering::Less);
        assert_eq!(order(Some(&one), Some(&two), false, &key), Ordering::Greater);
        assert_eq!(order(Some(&none), Some(&two), true, &key), Ordering::Greater);
        assert_eq!(order(Some(&none), Some(&two), false, &key), Ordering::Greater);
    }

    #[test]
    fn options_sort_in_column_order() {
        let mut key = Key::new("k", "K", "", ValueKind::Select);
        let option =
            |name: &str| crate::av::database::SelectOption { name: name.into(), ..Default::default() };
        key.options = vec![option("todo"), option("done")];
        let cell = |name: &str| Value {
            kind: Some(ValueKind::Select),
            m_select: vec![Choice { content: name.into(), color: String::new() }],
            ..Value::default()
        };
        assert_eq!(compare(&cell("todo"), &cell("done"), &key), Ordering::Less);
    }

    #[test]
    fn untouched_cell_is_not_edited() {
        let mut value = Value::default_for("20260101000000-aaaaaaa", "k", "i", ValueKind::Text, false);
        assert!(!is_edited(&value));
        value.text = Some(Text { content: "x".into() });
        assert!(is_edited(&value));
    }
}
