//! A moment from which changes count: a day, or the kernel's digits.

use crate::args::{Checked, Date};
use crate::spec::Interpreter;

/// A moment as the 14 digits of the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Since(String);

impl Checked for Since {
    const MOST: usize = 14;
    const READ_BY: &'static [Interpreter] = &[];
    const EXPECTED: &'static str = "a day such as 2026-11-21, or a moment such as 20261121093000";

    fn parse(text: &str) -> Result<Since, &'static str> {
        if let Some(day) = Date::parse(text) {
            return Ok(Since(format!("{}000000", day.to_string().replace('-', ""))));
        }
        let is_moment = crate::kernel::clock::seconds_of_digits(text).is_some();
        if is_moment { Ok(Since(text.to_owned())) } else { Err(Since::EXPECTED) }
    }
}

impl Since {
    /// The digits.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Checked, Since};

    #[test]
    fn a_day_begins_at_midnight_and_only_moments_that_exist_are_taken() {
        let read = |text: &str| Since::parse(text).map(|it| it.digits().to_owned());
        assert_eq!(read("2026-11-21").as_deref(), Ok("20261121000000"));
        assert_eq!(read("20261121093000").as_deref(), Ok("20261121093000"));
        for wrong in ["", "yesterday", "2026-13-01", "20261301000000", "2026112109300", "20261121"] {
            assert_eq!(read(wrong), Err(Since::EXPECTED), "{wrong}");
        }
    }
}
