//! Days and times of the day in the person's time zone, from milliseconds since 1970.

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;

/// The person's clock: now, and the time zone now. Days before a change of clocks may be an hour off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Clock {
    /// Now, in milliseconds since 1970.
    pub now_ms: u64,
    /// Minutes behind UTC, as JavaScript tells them.
    pub minutes_west: i32,
}

impl Clock {
    fn local(self, ms: u64) -> i64 {
        i64::try_from(ms).unwrap_or_default() - i64::from(self.minutes_west) * 60_000
    }

    /// The day of a moment.
    pub fn day(self, ms: u64) -> Day {
        Day(self.local(ms).div_euclid(DAY_MS))
    }

    /// The present day.
    pub fn today(self) -> Day {
        self.day(self.now_ms)
    }

    /// The time of the day, as `10:41:07`.
    pub fn time(self, ms: u64) -> String {
        let seconds = self.local(ms).rem_euclid(DAY_MS) / 1_000;
        format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }
}

/// A day: the number of days since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub i64);

impl Day {
    /// The number of days since another day; nothing for a later one.
    pub fn since(self, other: Day) -> Option<usize> {
        usize::try_from(self.0 - other.0).ok()
    }

    /// The day so many days earlier.
    #[must_use]
    pub fn back(self, days: usize) -> Day {
        Day(self.0 - i64::try_from(days).unwrap_or_default())
    }

    /// The day of the week: 0 is Monday.
    pub fn weekday(self) -> usize {
        usize::try_from((self.0 + 3).rem_euclid(7)).unwrap_or_default()
    }

    /// The date, as `2026-11-23`; the first one for days before 1970.
    pub fn date(self) -> String {
        let mut rest = self.0.max(0);
        let mut year = 1970;
        let is_leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        // A file can name a day far away; nobody reads dates beyond four digits.
        while year < 9_999 {
            let days = if is_leap(year) { 366 } else { 365 };
            if rest < days {
                break;
            }
            rest -= days;
            year += 1;
        }
        let february = if is_leap(year) { 29 } else { 28 };
        let mut month = 1;
        for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
            if rest < days {
                break;
            }
            rest -= days;
            month += 1;
        }
        format!("{year}-{month:02}-{:02}", rest.min(30) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_date_and_weekday() {
        let utc = Clock::default();
        for (ms, date, weekday) in [
            (0, "1970-01-01", 3),
            (951_782_400_000, "2000-02-29", 1),
            (951_868_800_000, "2000-03-01", 2),
            (1_767_225_599_999, "2025-12-31", 2),
            (1_795_392_000_000, "2026-11-23", 0),
        ] {
            let day = utc.day(ms);
            assert_eq!((day.date().as_str(), day.weekday()), (date, weekday));
        }
        assert_eq!(Day(i64::MAX).date().get(..4), Some("9999"));
        assert_eq!(Day(-5).date(), "1970-01-01");
    }

    #[test]
    fn zone_moves_the_day_and_the_time() {
        let ms = 1_795_392_000_000 + 3_661_000;
        let [east, west] = [-480, 300].map(|minutes_west| Clock { now_ms: ms, minutes_west });
        assert_eq!((east.day(ms).date(), east.time(ms)), ("2026-11-23".into(), "09:01:01".into()));
        assert_eq!((west.day(ms).date(), west.time(ms)), ("2026-11-22".into(), "20:01:01".into()));
        assert_eq!((east.today().since(west.today()), west.today().since(east.today())), (Some(1), None));
    }
}
