//! Days, weeks, months and years for filters and groups of databases.

use time::{Date, Duration, Month};

use super::format::time_of;
use super::view::RelativeDate;

/// From the first to the last millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DateRange {
    pub(super) start: i64,
    pub(super) end: i64,
}

impl DateRange {
    pub(super) fn holds(&self, at: i64) -> bool {
        (self.start..=self.end).contains(&at)
    }

    /// From the start of one day to that of another, which is not in it.
    fn until(start: Date, next: Date) -> DateRange {
        DateRange { start: midnight(start), end: midnight(next) - 1 }
    }
}

pub(super) fn midnight(date: Date) -> i64 {
    date.midnight().assume_utc().unix_timestamp() * 1000
}

/// The day of a moment.
pub(super) fn day(ms: i64) -> DateRange {
    let date = time_of(ms).date();
    DateRange::until(date, date + Duration::DAY)
}

pub(super) fn today() -> Date {
    crate::moment::now().date()
}

/// The first day of the month that is this many months away.
fn month_after(date: Date, months: i32) -> Date {
    let count = date.year() * 12 + i32::from(u8::from(date.month())) - 1 + months;
    let month = u8::try_from(count.rem_euclid(12) + 1).ok().and_then(|m| Month::try_from(m).ok());
    Date::from_calendar_date(count.div_euclid(12), month.unwrap_or(Month::January), 1).unwrap_or(date)
}

/// The span of a date relative to now. "Before" ends with the last full unit; its end is the start of this one.
pub(super) fn around_now(relative: RelativeDate) -> DateRange {
    let today = today();
    let start_of = |away: i32| match relative.unit {
        0 => today + Duration::days(away.into()),
        1 => {
            let monday = today - Duration::days(today.weekday().number_days_from_monday().into());
            monday + Duration::weeks(away.into())
        }
        2 => month_after(today, away),
        _ => Date::from_calendar_date(today.year() + away, Month::January, 1).unwrap_or(today),
    };
    match relative.direction {
        -1 => DateRange { start: midnight(start_of(-relative.count)), end: midnight(start_of(0)) },
        0 => DateRange::until(start_of(0), start_of(1)),
        _ => DateRange::until(start_of(relative.count), start_of(relative.count + 1)),
    }
}

/// The group of a time, by day, week, month or year, or relative to today.
pub(super) fn group_of(ms: i64, method: i64) -> String {
    let date = time_of(ms).date();
    let month = format!("{:04}-{:02}", date.year(), u8::from(date.month()));
    match method {
        3 => format!("{month}-{:02}", date.day()),
        4 => {
            let (year, week, _) = date.to_iso_week_date();
            format!("{year}-W{week:02}")
        }
        5 => month,
        6 => format!("{:04}", date.year()),
        _ => {
            let days = |count: i64| midnight(today() + Duration::days(count));
            match ms {
                _ if ms < days(-30) => month,
                _ if ms < days(-7) => "_@last30Days@_".into(),
                _ if ms < days(-1) => "_@last7Days@_".into(),
                _ if ms < days(0) => "_@yesterday@_".into(),
                _ if ms < days(1) => "_@today@_".into(),
                _ if ms > days(30) => month,
                _ if ms > days(7) => "_@next30Days@_".into(),
                _ if ms >= days(2) => "_@next7Days@_".into(),
                _ => "_@tomorrow@_".into(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_grouped_by_relative_date() {
        let at = 1_735_689_600_000; // 2025-01-01
        assert_eq!(group_of(at, 3), "2025-01-01");
        assert_eq!(group_of(at, 4), "2025-W01");
        assert_eq!(group_of(at, 5), "2025-01");
        assert_eq!(group_of(at, 6), "2025");
        assert_eq!(group_of(midnight(today()), 2), "_@today@_");
        assert_eq!(group_of(midnight(today()) - 1, 2), "_@yesterday@_");
        assert_eq!(group_of(midnight(today() + Duration::days(5)), 2), "_@next7Days@_");
        assert_eq!(group_of(0, 2), "1970-01");
    }

    #[test]
    fn relative_date_units_are_adjacent() {
        for unit in 0..4 {
            let this = around_now(RelativeDate { count: 1, unit, direction: 0 });
            let after = around_now(RelativeDate { count: 1, unit, direction: 1 });
            let before = around_now(RelativeDate { count: 1, unit, direction: -1 });
            assert_eq!(after.start, this.end + 1, "unit {unit}");
            assert_eq!(before.end, this.start, "unit {unit}");
        }
    }
}
