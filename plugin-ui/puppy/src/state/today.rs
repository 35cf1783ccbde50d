//! The number of today's calls, from a counter of all calls and its remembered value when the day began.

/// A day and the counter at its beginning and now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Today {
    day: String,
    begin: u64,
    now: u64,
}

impl Today {
    /// The day after a look at the counter; `before` is the text that this device remembers, and `newest` is the number of
    /// this day's calls among the newest ones.
    pub fn look(before: Option<&str>, day: &str, total: u64, newest: u64) -> Today {
        let begin = match before.and_then(Today::parse) {
            // A counter that went back has been reset.
            Some(it) if total < it.now => total,
            Some(it) if it.day == day => it.begin,
            // Calls between two looks count for the new day.
            Some(it) => it.now,
            // At least these, on a device that sees the counter for the first time.
            None => total.saturating_sub(newest),
        };
        Today { day: day.to_owned(), begin, now: total }
    }

    /// Calls of this day.
    pub fn calls(&self) -> u64 {
        self.now.saturating_sub(self.begin)
    }

    /// The text that the device remembers.
    pub fn to_text(&self) -> String {
        format!("{} {} {}", self.day, self.begin, self.now)
    }

    fn parse(text: &str) -> Option<Today> {
        let mut words = text.split(' ');
        let day = words.next()?.to_owned();
        let begin = words.next()?.parse().ok()?;
        let now = words.next()?.parse().ok()?;
        Some(Today { day, begin, now })
    }
}

/// The time since midnight in milliseconds, from a local time: `HHmmss`.
pub fn since_midnight(time: &str) -> u64 {
    let time: u64 = time.parse().unwrap_or_default();
    (time / 10_000 * 3_600 + time / 100 % 100 * 60 + time % 100) * 1_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn midnight_is_as_long_ago_as_the_clock_says() {
        assert_eq!(
            [since_midnight("010203"), since_midnight("000000"), since_midnight("x")],
            [3_723_000, 0, 0]
        );
    }

    #[test]
    fn day_counter_begins_where_the_last_day_ended() {
        let first = Today::look(None, "20260101", 100, 3);
        let later = Today::look(Some(&first.to_text()), "20260101", 130, 32);
        let next = Today::look(Some(&later.to_text()), "20260102", 135, 5);
        let anew = Today::look(Some(&next.to_text()), "20260102", 2, 2);
        assert_eq!([first.calls(), later.calls(), next.calls(), anew.calls()], [3, 33, 5, 0]);
    }

    #[test]
    fn malformed_memory_is_ignored() {
        for text in ["", "20260101", "20260101 x 3", "{}"] {
            assert_eq!(Today::look(Some(text), "20260101", 7, 0).calls(), 0, "{text}");
        }
    }
}
