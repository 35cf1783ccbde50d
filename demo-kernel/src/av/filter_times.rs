//! Conditions on times: a day, a range of days, or days relative to now.

use super::dates::{self, DateRange};
use super::view::{Filter, RelativeDate};

/// A time against a day, a range of days, or days relative to now.
pub(super) fn time_passes(filter: &Filter, at: i64, wanted: Option<(i64, i64)>) -> bool {
    let operator = filter.operator.as_str();
    if let Some(relative) = filter.relative_date {
        let second = filter.relative_date2.unwrap_or(relative);
        return relative_passes(operator, at, relative, second);
    }
    let Some((mut start, mut end)) = wanted else { return true };
    if operator == "Is between" {
        if start == 0 || end == 0 {
            return true;
        }
        if start > end {
            (start, end) = (end, start);
        }
        return dates::day(start).start <= at && at <= dates::day(end).end;
    }
    day_passes(operator, at, &dates::day(start))
}

fn day_passes(operator: &str, at: i64, day: &DateRange) -> bool {
    match operator {
        "=" => day.holds(at),
        "!=" => !day.holds(at),
        ">" => at > day.end,
        ">=" => at >= day.start,
        "<" => at < day.start,
        "<=" => at <= day.end,
        _ => false,
    }
}

fn relative_passes(operator: &str, at: i64, first: RelativeDate, second: RelativeDate) -> bool {
    let (mut a, mut b) = (dates::around_now(first), dates::around_now(second));
    if operator != "Is between" {
        return day_passes(operator, at, &a);
    }
    if a.start > b.start {
        std::mem::swap(&mut a, &mut b);
    }
    let start = a.start.min(b.start);
    let end = match (first.direction, second.direction) {
        (0, _) | (_, 0) => return a.holds(at) || b.holds(at),
        (-1, -1) => a.end.min(b.start),
        _ => a.end.max(b.end),
    };
    (start..=end).contains(&at)
}
