//! Times as text: Go's layouts and durations.

use time::{Date, Duration, Month, OffsetDateTime, UtcOffset};

/// The parts of layouts, longer ones before their prefixes.
const PARTS: [&str; 24] = [
    "January", "Monday", "-07:00", "-0700", "Z07:00", "2006", "Jan", "Mon", "MST", ".000", "01", "02", "03",
    "04", "05", "06", "15", "PM", "pm", "_2", "1", "2", "3", "4",
];

/// Cuts the next part off a layout; returns the text before it, and the part.
fn next_part(layout: &str) -> Option<(&str, &'static str, &str)> {
    let at = |part: &&'static str| layout.find(*part).map(|at| (at, std::cmp::Reverse(part.len()), *part));
    let (at, _, part) = PARTS.iter().filter_map(at).min()?;
    Some((layout.get(..at)?, part, layout.get(at + part.len()..)?))
}

/// A time in a layout.
pub(super) fn layout(time: OffsetDateTime, layout: &str) -> String {
    let mut out = String::new();
    let mut rest = layout;
    while let Some((before, part, after)) = next_part(rest) {
        out += before;
        out += &written(time, part);
        rest = after;
    }
    out + rest
}

fn written(time: OffsetDateTime, part: &str) -> String {
    let hour12 = match time.hour() % 12 {
        0 => 12,
        hour => hour,
    };
    let short = |name: String| name.chars().take(3).collect::<String>();
    match part {
        "2006" => format!("{:04}", time.year()),
        "06" => format!("{:02}", time.year().rem_euclid(100)),
        "January" => time.month().to_string(),
        "Jan" => short(time.month().to_string()),
        "01" => format!("{:02}", u8::from(time.month())),
        "1" => u8::from(time.month()).to_string(),
        "Monday" => time.weekday().to_string(),
        "Mon" => short(time.weekday().to_string()),
        "02" => format!("{:02}", time.day()),
        "_2" => format!("{:>2}", time.day()),
        "2" => time.day().to_string(),
        "15" => format!("{:02}", time.hour()),
        "03" => format!("{hour12:02}"),
        "3" => hour12.to_string(),
        "04" => format!("{:02}", time.minute()),
        "4" => time.minute().to_string(),
        "05" => format!("{:02}", time.second()),
        ".000" => format!(".{:03}", time.millisecond()),
        "PM" => if time.hour() < 12 { "AM" } else { "PM" }.into(),
        "pm" => if time.hour() < 12 { "am" } else { "pm" }.into(),
        "MST" => "UTC".into(),
        "-0700" => "+0000".into(),
        "-07:00" => "+00:00".into(),
        _ => "Z".into(),
    }
}

/// Reads a time in a layout.
pub(super) fn read(layout: &str, text: &str) -> Option<OffsetDateTime> {
    let (mut year, mut month, mut day, mut hour, mut minute, mut second) = (1, 1_u8, 1_u8, 0_u8, 0_u8, 0_u8);
    let (mut rest, mut text) = (layout, text);
    while let Some((before, part, after)) = next_part(rest) {
        text = text.strip_prefix(before)?;
        let width = match part {
            "2006" => 4,
            "1" | "2" | "3" | "4" => text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()).min(2),
            "01" | "02" | "03" | "04" | "05" | "06" | "15" => 2,
            _ => return None,
        };
        let number = text.get(..width)?;
        text = text.get(width..)?;
        match part {
            "2006" => year = number.parse().ok()?,
            "06" => year = 2000 + number.parse::<i32>().ok()?,
            "01" | "1" => month = number.parse().ok()?,
            "02" | "2" => day = number.parse().ok()?,
            "15" | "03" | "3" => hour = number.parse().ok()?,
            "04" | "4" => minute = number.parse().ok()?,
            _ => second = number.parse().ok()?,
        }
        rest = after;
    }
    if text != rest {
        return None;
    }
    let date = Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()?;
    Some(date.with_hms(hour, minute, second).ok()?.assume_offset(UtcOffset::UTC))
}

/// A Go duration such as `-1h30m`.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.trim_start_matches('+')),
    };
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest.get(..end)?.parse().ok()?;
        rest = rest.get(end..)?;
        let units = [("ms", 0.001), ("h", 3600.0), ("m", 60.0), ("s", 1.0)];
        let (unit, factor) = units.into_iter().find(|(unit, _)| rest.starts_with(unit))?;
        rest = rest.get(unit.len()..)?;
        seconds += number * factor;
    }
    Some(Duration::seconds_f64(sign * seconds))
}
