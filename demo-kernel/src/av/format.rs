//! The formats of numbers, dates and times in databases.

use time::OffsetDateTime;

/// The characters between groups of digits and before the fraction.
struct Signs {
    group: char,
    point: char,
    /// Whether only the last group has three digits and the others two.
    indian: bool,
    minus: &'static str,
}

fn signs(format: &str) -> Signs {
    let (group, point) = match format {
        "EUR" | "euro" | "TRY" | "turkishLira" => ('.', ','),
        "RUB" | "ruble" | "CHF" | "franc" | "SKK" => ('\u{a0}', ','),
        _ => (',', '.'),
    };
    // Hebrew is written from right to left; a mark keeps the character in front.
    let minus = if format == "ILS" { "\u{200e}-" } else { "-" };
    Signs { group, point, indian: matches!(format, "INR" | "rupee"), minus }
}

fn grouped(content: f64, digits: usize, signs: &Signs) -> String {
    let plain = format!("{:.digits$}", content.abs());
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut out = String::new();
    let count = whole.len();
    for (at, digit) in whole.chars().enumerate() {
        let left = count - at;
        let cut = if signs.indian && left > 3 { left % 2 == 1 } else { left % 3 == 0 };
        if at > 0 && cut {
            out.push(signs.group);
        }
        out.push(digit);
    }
    let minus = if content < 0.0 { signs.minus } else { "" };
    let point = if fraction.is_empty() { String::new() } else { format!("{}{fraction}", signs.point) };
    format!("{minus}{out}{point}")
}

fn without_zeros(text: &str) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number as a cell shows it.
pub(super) fn number_text(content: f64, format: &str) -> String {
    let (sign, digits) = match format {
        "commas" => return without_zeros(&grouped(content, 6, &signs(format))),
        "percent" => return without_zeros(&format!("{:.2}", content * 100.0)) + "%",
        "USD" | "usDollar" => ("$", 2),
        "CNY" | "yuan" => ("CN¥", 2),
        "EUR" | "euro" => ("€", 2),
        "GBP" | "pound" => ("£", 2),
        "JPY" | "yen" => ("¥", 0),
        "RUB" | "ruble" => ("₽", 2),
        "INR" | "rupee" => ("₹", 2),
        "KRW" | "won" => ("₩", 0),
        "TRY" | "turkishLira" => ("₺", 2),
        "CAD" | "canadianDollar" => ("CA$", 2),
        "CHF" | "franc" => ("CHF", 2),
        "THB" => ("฿", 2),
        "AUD" => ("A$", 2),
        "HKD" => ("HK$", 2),
        "TWD" => ("NT$", 2),
        "MOP" => ("MOP$", 2),
        "SGD" => ("S$", 2),
        "NZD" => ("NZ$", 2),
        "ILS" => ("ILS₪", 2),
        "SKK" => ("SKK", 2),
        _ => return content.to_string(),
    };
    format!("{sign}{}", grouped(content, digits, &signs(format)))
}

/// A number as a calculation shows it: at most five digits of a fraction.
pub(super) fn rounded_text(content: f64, format: &str) -> String {
    if format.is_empty() { without_zeros(&format!("{content:.5}")) } else { number_text(content, format) }
}

/// A time of milliseconds since 1970.
pub(super) fn time_of(ms: i64) -> OffsetDateTime {
    let nanos = i128::from(ms) * 1_000_000;
    OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

/// The day, with hour and minute when asked for.
pub(super) fn clock_text(ms: i64, with_time: bool) -> String {
    let clock = crate::id::clock(time_of(ms).unix_timestamp());
    clock.get(..if with_time { 16 } else { 10 }).unwrap_or_default().to_owned()
}

pub(super) fn moment_text(content: i64, content2: i64, with_time: bool) -> String {
    let start = clock_text(content, with_time);
    if content2 > 0 { format!("{start} → {}", clock_text(content2, true)) } else { start }
}

/// The number in a text after everything except digits, points and minus signs is removed.
pub(super) fn number_of(text: &str) -> Option<f64> {
    let digits: String = text.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | '-')).collect();
    digits.parse().ok()
}

/// The time between two moments, in one unit, as the kernel tells it.
pub(super) fn span_text(from: i64, to: i64) -> String {
    const SECOND: i64 = 1000;
    const MINUTE: i64 = 60 * SECOND;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    // From minutes on the kernel says "hours" for minutes; callers see that too.
    const STEPS: [(i64, &str, i64); 16] = [
        (SECOND, "now", 0),
        (2 * SECOND, "1 second", 0),
        (MINUTE, "seconds", SECOND),
        (2 * MINUTE, "1 minute", 0),
        (HOUR, "hours", MINUTE),
        (2 * HOUR, "1 hour", 0),
        (DAY, "hours", HOUR),
        (2 * DAY, "1 day", 0),
        (7 * DAY, "days", DAY),
        (14 * DAY, "1 week", 0),
        (30 * DAY, "weeks", 7 * DAY),
        (60 * DAY, "1 month", 0),
        (360 * DAY, "months", 30 * DAY),
        (690 * DAY, "1 year", 0),
        (720 * DAY, "2 years", 0),
        (37 * 360 * DAY, "years", 360 * DAY),
    ];
    let span = (to - from).abs();
    match STEPS.iter().find(|(limit, _, _)| span < *limit) {
        Some((_, label, 0)) => (*label).to_owned(),
        Some((_, label, unit)) => format!("{} {label}", span / unit),
        None => "a long while".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::av::value::Date;

    #[test]
    fn numbers_are_formatted_by_currency() {
        assert_eq!(number_text(12.5, ""), "12.5");
        assert_eq!(number_text(3.0, ""), "3");
        assert_eq!(number_text(1_234_567.5, "commas"), "1,234,567.5");
        assert_eq!(number_text(0.256, "percent"), "25.6%");
        assert_eq!(number_text(1234.5, "EUR"), "€1.234,50");
        assert_eq!(number_text(-1234.5, "USD"), "$-1,234.50");
        assert_eq!(number_text(1_234_567.0, "INR"), "₹12,34,567.00");
        assert_eq!(number_text(1234.5, "JPY"), "¥1,234");
        assert_eq!(rounded_text(1.0 / 3.0, ""), "0.33333");
        assert_eq!(rounded_text(100.0, ""), "100");
    }

    #[test]
    fn dates_show_end_and_time() {
        let mut date = Date { content: 1_735_689_600_000, is_not_time: true, ..Date::default() };
        assert_eq!(date.text(), "2025-01-01");
        date.is_not_time = false;
        date.has_end_date = true;
        date.content2 = 1_735_693_200_000;
        assert_eq!(date.text(), "2025-01-01 00:00 → 2025-01-01 01:00");
    }
}
