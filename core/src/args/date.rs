//! A day of the calendar.

use super::{Arg, Plain, Spot, Value};
use crate::spec::{Kind, ReadBy};

/// A valid day of the calendar, `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(time::Date);

impl Date {
    /// Parses a day.
    pub fn parse(text: &str) -> Option<Date> {
        let digits = |from: usize, to: usize| -> Option<u16> {
            let part = text.get(from..to)?;
            part.bytes().all(|it| it.is_ascii_digit()).then(|| part.parse().ok())?
        };
        let dashes = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
        let month = time::Month::try_from(u8::try_from(digits(5, 7)?).ok()?).ok()?;
        let day = u8::try_from(digits(8, 10)?).ok()?;
        let date = time::Date::from_calendar_date(digits(0, 4)?.into(), month, day).ok()?;
        dashes.then_some(Date(date))
    }

    /// Year, month and day.
    pub fn parts(self) -> (i32, u8, u8) {
        (self.0.year(), self.0.month().into(), self.0.day())
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[diagnostic::do_not_recommend]
impl Plain for Date {}

impl Arg for Date {
    const KIND: Kind = Kind::Text { min: 10, max: 10 };
    const READ_BY: ReadBy = ReadBy::NOTHING;

    fn take(value: Option<Value>, spot: &mut Spot<'_>) -> Option<Self> {
        match value.as_ref().and_then(Value::as_str).and_then(Date::parse) {
            Some(date) => Some(date),
            None => spot.expected("a day such as 2026-11-21"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Arg, Date, Spot};
    use crate::args::taken;

    #[test]
    fn an_argument_is_its_day_or_is_refused_with_an_example() {
        assert_eq!(taken(json!("2024-02-29")).map(Date::parts), Some((2024, 2, 29)));
        for wrong in [json!("2023-02-29"), json!("today"), json!(20_240_229), json!(["2024-02-29"])] {
            let mut problems = Vec::new();
            let mut spot = Spot { path: "since".to_owned(), problems: &mut problems };
            assert_eq!(Date::take(Some(wrong), &mut spot), None);
            assert_eq!(problems[0].expected, "a day such as 2026-11-21");
        }
    }

    #[test]
    fn nonexistent_days_are_refused() {
        for day in ["2026-11-21", "2024-02-29", "0001-01-01"] {
            assert_eq!(Date::parse(day).map(|it| it.to_string()).as_deref(), Some(day));
        }
        let wrong = [
            "2026-02-29",
            "2026-13-01",
            "2026-1-1",
            "20261121",
            "2026-11-21 ",
            "+026-11-21",
            "2026/11/21",
            "",
        ];
        for text in wrong {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }
}
