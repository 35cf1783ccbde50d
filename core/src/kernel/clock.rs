//! The kernel's local clock: its digits `YYYYMMDDHHmmss`, and their distance from UTC.

/// The kernel's digits as seconds since 1970 on the same clock; `None` for anything else.
pub fn seconds_of_digits(digits: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| digits.get(range)?.parse::<u8>().ok();
    let year: i32 = digits.get(0..4)?.parse().ok()?;
    let month = time::Month::try_from(number(4..6)?).ok()?;
    let date = time::Date::from_calendar_date(year, month, number(6..8)?).ok()?;
    let moment = date.with_hms(number(8..10)?, number(10..12)?, number(12..14)?).ok()?;
    (digits.len() == 14).then(|| moment.assume_utc().unix_timestamp())
}

/// Minutes by which the local clock is ahead of UTC, from both readings of it; 0 if they make no sense.
pub fn offset(local_digits: &str, now_ms: u64) -> i32 {
    let (Some(local), Ok(now)) = (seconds_of_digits(local_digits), i64::try_from(now_ms / 1_000)) else {
        return 0;
    };
    // Zones lie on quarters of an hour; the readings may be some seconds apart.
    let quarters = (local - now + 450).div_euclid(900);
    i32::try_from(quarters * 15).ok().filter(|it| it.abs() <= 14 * 60).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_timestamp_digits_are_parsed_as_written() {
        assert_eq!(seconds_of_digits("20231114221320"), Some(1_700_000_000));
        for wrong in ["", "2023", "20231314221320", "20230230000000", "2023111422132x", "202311142213200"] {
            assert_eq!(seconds_of_digits(wrong), None, "{wrong}");
        }
    }
}
