//! Times as answers print them: the kernel's digits and seconds as `YYYY-MM-DDTHH:MM:SS`.

use time::OffsetDateTime;

use crate::kernel::clock::seconds_of_digits;

/// `20250406101500` as `2025-04-06T10:15:00`, in the kernel's local time; empty for anything else.
pub fn of_digits(digits: &str) -> String {
    let part = |range: std::ops::Range<usize>| digits.get(range).unwrap_or_default();
    if digits.len() != 14 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return String::new();
    }
    format!("{}-{}-{}T{}:{}:{}", part(0..4), part(4..6), part(6..8), part(8..10), part(10..12), part(12..14))
}

/// Seconds since 1970 as UTC `YYYY-MM-DDTHH:MM:SSZ`; empty for 0.
pub fn of_seconds(seconds: u64) -> String {
    let moment = i64::try_from(seconds).ok().filter(|it| *it > 0).map(OffsetDateTime::from_unix_timestamp);
    let Some(Ok(at)) = moment else { return String::new() };
    let (year, month, day) = at.to_calendar_date();
    let (hour, minute, second) = at.to_hms();
    format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", u8::from(month))
}

/// Seconds since 1970 on a clock that is `offset` minutes ahead of UTC, as ISO 8601 with that offset.
pub fn with_offset(seconds: u64, offset: i32) -> String {
    if offset == 0 {
        return of_seconds(seconds);
    }
    let local = seconds.saturating_add_signed(i64::from(offset) * 60);
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
    format!("{}{sign}{:02}:{:02}", of_seconds(local).trim_end_matches('Z'), minutes / 60, minutes % 60)
}

/// An RFC 3339 moment, as Go prints it, as seconds since 1970; `None` for anything else.
pub fn seconds_of_rfc3339(text: &str) -> Option<i64> {
    let (clock, zone) = text.split_at_checked("YYYY-MM-DDTHH:MM:SS".len())?;
    let digits: String = clock.chars().filter(char::is_ascii_digit).collect();
    let local = seconds_of_digits(&digits).filter(|_| clock.as_bytes().get(10) == Some(&b'T'))?;
    let zone = zone.trim_start_matches(|it: char| it == '.' || it.is_ascii_digit());
    if zone == "Z" {
        return Some(local);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = zone.strip_prefix(['+', '-'])?.split_once(':')?;
    let minutes = hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?;
    Some(local - sign * minutes * 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_formatted() {
        assert_eq!(of_digits("20250406101500"), "2025-04-06T10:15:00");
        assert_eq!(of_digits("2025"), "");
        assert_eq!(of_seconds(1_700_000_000), "2023-11-14T22:13:20Z");
        assert_eq!(of_seconds(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(of_seconds(0), "");
    }

    #[test]
    fn local_time_includes_its_offset() {
        assert_eq!(with_offset(1_700_000_000, 0), "2023-11-14T22:13:20Z");
        assert_eq!(with_offset(1_700_000_000, 345), "2023-11-15T03:58:20+05:45");
        assert_eq!(with_offset(1_700_000_000, -300), "2023-11-14T17:13:20-05:00");
    }

    #[test]
    fn moments_are_parsed_as_go_prints_them() {
        for same in ["2023-11-14T22:13:20Z", "2023-11-14T22:13:20.123456789Z", "2023-11-15T03:58:20.5+05:45"]
        {
            assert_eq!(seconds_of_rfc3339(same), Some(1_700_000_000), "{same}");
        }
        assert_eq!(seconds_of_rfc3339("2023-11-14T17:13:20-05:00"), Some(1_700_000_000));
        assert_eq!(seconds_of_rfc3339("0001-01-01T00:00:00Z"), Some(-62_135_596_800));
        for wrong in
            ["", "2023-11-14", "2023-11-14 22:13:20Z", "2023-11-14T22:13:20", "2023-11-14T22:13:20+5"]
        {
            assert_eq!(seconds_of_rfc3339(wrong), None, "{wrong}");
        }
    }
}
