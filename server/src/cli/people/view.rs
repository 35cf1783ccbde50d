//! The conditions for the layout of an answer: the window, the clock, and the names of notebooks.

use std::collections::HashMap;

use puppy_core::content::stamp;
use puppy_core::kernel::clock;

use crate::words::AnswerWords;

/// The surroundings of a text for people.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    /// The columns of the window; `None` where a line may have any length.
    pub(crate) width: Option<usize>,
    /// The clock by which times and sizes are worded for people; `None` leaves them exact, for programs.
    pub(crate) clock: Option<Clock>,
    /// The names of notebooks by their ids.
    pub(crate) notebooks: HashMap<String, String>,
    /// Whether ids are left out: nobody types them from a window.
    pub(crate) hides_ids: bool,
    /// Whether words between `**` are those that a search found.
    pub(crate) has_found_words: bool,
}

impl View {
    /// The same with so many columns less on the left.
    pub(crate) fn indented(&self, columns: usize) -> View {
        View { width: self.width.map(|it| it.saturating_sub(columns)), ..self.clone() }
    }
}

/// The present moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    /// Seconds since 1970.
    now: i64,
    /// Minutes by which the local clock is ahead of UTC.
    offset: i32,
}

impl Clock {
    /// The clock that shows these milliseconds since 1970, and these digits `YYYYMMDDhhmmss` where the person is.
    pub(crate) fn new(now_ms: u64, local_digits: &str) -> Clock {
        Clock {
            now: i64::try_from(now_ms / 1_000).unwrap_or(i64::MAX),
            offset: clock::offset(local_digits, now_ms),
        }
    }

    /// The distance of a moment from now, such as `3 minutes ago`, or its day if that is longer than a week; `None` for
    /// a text that is no moment. One without a zone is in local time.
    pub(crate) fn relative(self, moment: &str) -> Option<String> {
        let seconds = match moment.get("YYYY-MM-DDTHH:MM:SS".len()..)? {
            "" => {
                stamp::seconds_of_rfc3339(&format!("{moment}Z"))?.saturating_sub(i64::from(self.offset) * 60)
            }
            _ => stamp::seconds_of_rfc3339(moment)?,
        };
        let (away, is_past) = (self.now.abs_diff(seconds), seconds <= self.now);
        match away {
            0..691_200 if is_past => Some(ago(away)),
            0..691_200 => Some(ahead(away)),
            _ => moment.get(.."YYYY-MM-DD".len()).map(str::to_owned),
        }
    }
}

/// So many seconds ago.
pub(crate) fn ago(seconds: u64) -> String {
    let words = AnswerWords::here();
    match (seconds / 60, seconds / 3_600, seconds / 86_400) {
        (0, _, _) => words.just_now().to_owned(),
        (1, 0, _) => words.minute_ago().to_owned(),
        (n, 0, _) => words.minutes_ago(n),
        (_, 1, 0) => words.hour_ago().to_owned(),
        (_, n, 0) => words.hours_ago(n),
        (_, _, 1) => words.day_ago().to_owned(),
        (_, _, n) => words.days_ago(n),
    }
}

/// In so many seconds.
fn ahead(seconds: u64) -> String {
    let words = AnswerWords::here();
    match (seconds / 60, seconds / 3_600, seconds / 86_400) {
        (0, _, _) => words.now().to_owned(),
        (1, 0, _) => words.in_minute().to_owned(),
        (n, 0, _) => words.in_minutes(n),
        (_, 1, 0) => words.in_hour().to_owned(),
        (_, n, 0) => words.in_hours(n),
        (_, _, 1) => words.in_day().to_owned(),
        (_, _, n) => words.in_days(n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times are relative to now for a week, then a day; the zone of the person counts for those without one.
    #[test]
    fn moments_are_told_from_now() {
        // 2025-06-15T15:00:00Z, at a clock that is two hours ahead.
        let clock = Clock::new(1_750_000_000_000 - 400_000, "20250615170000");
        for (moment, expected) in [
            ("2025-06-15T15:00:00Z", Some("just now")),
            ("2025-06-15T16:59:00", Some("1 minute ago")),
            ("2025-06-15T14:57:00Z", Some("3 minutes ago")),
            ("2025-06-15T17:00:00+05:00", Some("3 hours ago")),
            ("2025-06-14T15:00:00", Some("1 day ago")),
            ("2025-06-08T15:00:00Z", Some("7 days ago")),
            ("2025-06-01T15:00:00Z", Some("2025-06-01")),
            ("2025-06-17T15:00:00Z", Some("in 2 days")),
            ("2025-06-15", None),
            ("no moment, but a long text", None),
            ("小白菜小白菜小白菜小白菜", None),
        ] {
            assert_eq!(clock.relative(moment).as_deref(), expected, "{moment}");
        }
    }
}
