//! Times as replies print them: the kernel's digits and seconds as `YYYY-MM-DDTHH:MM:SS`.

use time::OffsetDateTime;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        assert_eq!(of_digits("20250406101500"), "2025-04-06T10:15:00");
        assert_eq!(of_digits("2025"), "");
        assert_eq!(of_seconds(1_700_000_000), "2023-11-14T22:13:20Z");
        assert_eq!(of_seconds(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(of_seconds(0), "");
    }
}
