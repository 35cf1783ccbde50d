//! Dates written as Go's layouts say: `2006-01-02 15:04:05`.

use time::OffsetDateTime;

/// A date in a layout; other text is kept as it is.
pub(crate) fn format(date: OffsetDateTime, layout: &str) -> String {
    let month = date.month().to_string();
    let day = date.weekday().to_string();
    let short = |name: &str| name.get(..3).unwrap_or_default().to_owned();
    let (hour, half) = (date.hour(), if date.hour() < 12 { "AM" } else { "PM" });
    let hour12 = if hour % 12 == 0 { 12 } else { hour % 12 };
    let two = |number: u8| format!("{number:02}");
    // A longer character before the shorter one that it starts with.
    let signs: [(&str, String); 22] = [
        ("2006", format!("{:04}", date.year())),
        ("January", month.clone()),
        ("Jan", short(&month)),
        ("Monday", day.clone()),
        ("Mon", short(&day)),
        ("MST", "UTC".into()),
        ("002", format!("{:03}", date.ordinal())),
        ("01", two(date.month().into())),
        ("02", two(date.day())),
        ("03", two(hour12)),
        ("04", two(date.minute())),
        ("05", two(date.second())),
        ("06", format!("{:02}", date.year() % 100)),
        ("15", two(hour)),
        ("_2", format!("{:2}", date.day())),
        ("1", u8::from(date.month()).to_string()),
        ("2", date.day().to_string()),
        ("3", hour12.to_string()),
        ("4", date.minute().to_string()),
        ("5", date.second().to_string()),
        ("PM", half.into()),
        ("pm", half.to_lowercase()),
    ];
    let mut out = String::new();
    let mut rest = layout;
    while let Some(first) = rest.chars().next() {
        match signs.iter().find_map(|(sign, value)| rest.strip_prefix(sign).map(|after| (value, after))) {
            Some((value, after)) => {
                out += value;
                rest = after;
            }
            None => {
                out.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_date_layouts_are_formatted() {
        let date = OffsetDateTime::from_unix_timestamp(1_738_367_999).unwrap();
        for (layout, shown) in [
            ("2006-01-02", "2025-01-31"),
            ("2006/01", "2025/01"),
            ("Monday, 2. January 06", "Friday, 31. January 25"),
            ("Mon Jan _2 03:04:05 PM", "Fri Jan 31 11:59:59 PM"),
            ("第002天 15h", "第031天 23h"),
        ] {
            assert_eq!(format(date, layout), shown, "{layout}");
        }
    }
}
