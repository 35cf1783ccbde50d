//! The time at which cards shall be due: a day, or a day with a time.

use crate::args::{Checked, Date};
use crate::kernel::clock;
use crate::spec::Interpreter;

/// A day, or a day with a time, of the local clock; the kernel's digits `YYYYMMDDHHmmss`. A day begins at midnight.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DueTime(String);

impl DueTime {
    /// The digits.
    pub(super) fn digits(&self) -> &str {
        &self.0
    }
}

impl Checked for DueTime {
    const MOST: usize = 19;
    const READ_BY: &'static [Interpreter] = &[];
    const EXPECTED: &'static str = "a day such as 2026-11-21, or a time such as 2026-11-21T08:30";

    fn parse(text: &str) -> Result<DueTime, &'static str> {
        let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
        let day = Date::parse(day).ok_or(Self::EXPECTED)?;
        let plain = time.chars().all(|it| it.is_ascii_digit() || it == ':');
        let parts: Vec<&str> = time.split(':').collect();
        let whole = matches!(parts.len(), 2 | 3) && parts.iter().all(|it| it.len() == 2);
        let (year, month, date) = day.parts();
        let digits = format!("{year:04}{month:02}{date:02}{:0<6}", parts.concat());
        let valid = plain && whole && clock::seconds_of_digits(&digits).is_some();
        valid.then_some(DueTime(digits)).ok_or(Self::EXPECTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_become_digits() {
        for (text, digits) in [
            ("2026-11-21", "20261121000000"),
            ("2026-11-21T08:30", "20261121083000"),
            ("2026-11-21 08:30:05", "20261121083005"),
        ] {
            assert_eq!(DueTime::parse(text).map(|it| it.0).as_deref(), Ok(digits), "{text}");
        }
        for wrong in [
            "",
            "tomorrow",
            "2026-02-30",
            "2026-11-21T8:30",
            "2026-11-21T25:00",
            "2026-11-21T08:30Z",
            "2026-11-21T",
        ] {
            assert_eq!(DueTime::parse(wrong), Err(DueTime::EXPECTED), "{wrong}");
        }
    }
}
