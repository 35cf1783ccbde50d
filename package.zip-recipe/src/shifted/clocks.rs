//! The clocks, zones and languages of `cargo recipe shifted`, with the requirements of each on the machine.

use crate::house::House;
use crate::process::{capture, run};
use crate::surroundings::{Clock, Surroundings, now};
use anyhow::{Context as _, Result, bail};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use time::{Date, Duration, Month, OffsetDateTime, PrimitiveDateTime};

/// A time, place and language to run in.
pub(super) struct ShiftedClock {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    change: Change,
}

enum Change {
    /// A clock in this zone that starts at this moment in UTC.
    Clock(&'static str, fn(PrimitiveDateTime) -> Option<PrimitiveDateTime>),
    /// Messages in this language.
    Language(&'static str),
}

const fn clock(name: &'static str, what: &'static str, change: Change) -> ShiftedClock {
    ShiftedClock { name, what, change }
}

/// All clocks. Each is ahead of now, because every file on the machine has a time in the past.
pub(super) const CLOCKS: &[ShiftedClock] = &[
    clock("next-day", "tomorrow at this time", Change::Clock("UTC", |now| Some(now + Duration::DAY))),
    clock(
        "month-end",
        "the last day of a month to come, not of a year, one minute before midnight",
        Change::Clock("UTC", |now| before_midnight(end_of_a_month(now.date())?, 60)),
    ),
    clock(
        "new-year",
        "New Year's Eve, ten seconds before midnight",
        Change::Clock("UTC", |now| before_midnight(next(now.date(), Month::December, 31)?, 10)),
    ),
    clock(
        "leap-day",
        "the next 29 February at noon",
        Change::Clock("UTC", |now| next(now.date(), Month::February, 29)?.with_hms(12, 0, 0).ok()),
    ),
    clock(
        "far-east",
        "Kiritimati, where it is tomorrow already",
        Change::Clock("Pacific/Kiritimati", |now| now.date().next_day()?.with_hms(12, 0, 0).ok()),
    ),
    clock(
        "west",
        "St. John's, where it is yesterday and half an hour off",
        Change::Clock("America/St_Johns", |now| now.date().next_day()?.with_hms(1, 0, 0).ok()),
    ),
    clock("german", "a machine that speaks German", Change::Language("de_DE")),
    clock("chinese", "a machine that speaks Chinese", Change::Language("zh_CN")),
];

impl ShiftedClock {
    /// The surroundings of the steps; the clock starts with the first program of a step.
    pub(super) fn surroundings(&self, house: &House, library: &OsString) -> Result<Surroundings> {
        match self.change {
            Change::Clock(zone, start) => {
                if !["/usr/share/zoneinfo", "/usr/lib/zoneinfo"]
                    .iter()
                    .any(|at| Path::new(at).join(zone).is_file())
                {
                    bail!(
                        "the time zone {zone} is not known here; install it (Debian: apt-get install tzdata)"
                    );
                }
                let true_now = OffsetDateTime::from_unix_timestamp(now()).context("the clock is off")?;
                let start = start(PrimitiveDateTime::new(true_now.date(), true_now.time()))
                    .context("the calendar has an end")?;
                let start = start.assume_utc().unix_timestamp();
                Ok(Surroundings {
                    place: vec![("TZ", zone.into())],
                    clock: Some(Clock::new(library.clone(), start)),
                })
            }
            Change::Language(name) => Ok(Surroundings { place: speaking(house, name)?, clock: None }),
        }
    }
}

/// The library that fakes the clock, as reported by the program `faketime`.
pub(super) fn library() -> Result<OsString> {
    let mut ask = Command::new("faketime");
    // The variant for multi-threaded programs.
    ask.args(["-m", "-f", "+0", "sh", "-c", "printf %s \"$LD_PRELOAD\""]).stderr(Stdio::null());
    let said = capture(&mut ask).unwrap_or_default();
    if said.trim().is_empty() {
        bail!(
            "`faketime` was not found, which shows programs another clock. Install it (Debian: apt-get install faketime)"
        );
    }
    Ok(said.trim().into())
}

/// The variables for a language. Its locale is generated in `build/`, so that the machine remains unchanged.
fn speaking(house: &House, name: &str) -> Result<Vec<(&'static str, OsString)>> {
    let folder = house.build("locales");
    let locale = format!("{name}.UTF-8");
    if !folder.join(&locale).is_dir() {
        std::fs::create_dir_all(&folder).context("cannot create build/locales")?;
        run(Command::new("localedef").args(["-i", name, "-f", "UTF-8"]).arg(folder.join(&locale)))
            .context("the locale cannot be made; install its sources (Debian: apt-get install locales)")?;
    }
    let locale = OsString::from(locale);
    Ok(vec![
        ("LOCPATH", folder.into()),
        ("LANG", locale.clone()),
        ("LC_ALL", locale),
        ("LANGUAGE", name.into()),
    ])
}

fn before_midnight(day: Date, seconds: i64) -> Option<PrimitiveDateTime> {
    Some(day.next_day()?.midnight() - Duration::seconds(seconds))
}

/// The last day of next month; in November that of January, because December's would end the year.
fn end_of_a_month(today: Date) -> Option<Date> {
    let (year, month) = match today.month() {
        Month::November | Month::December => (today.year() + 1, Month::January),
        month => (today.year(), month.next()),
    };
    Date::from_calendar_date(year, month, month.length(year)).ok()
}

/// The next date after today with this month and day.
fn next(today: Date, month: Month, day: u8) -> Option<Date> {
    // Leap years are at most eight years apart.
    (today.year()..=today.year() + 8)
        .filter_map(|year| Date::from_calendar_date(year, month, day).ok())
        .find(|date| *date > today)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i32, month: u8, day: u8) -> Date {
        Date::from_calendar_date(year, month.try_into().unwrap(), day).unwrap()
    }

    fn start(name: &str, now: PrimitiveDateTime) -> PrimitiveDateTime {
        let clock = CLOCKS.iter().find(|clock| clock.name == name).unwrap();
        let Change::Clock(_, start) = clock.change else { panic!("{name} has no clock") };
        start(now).unwrap()
    }

    #[test]
    fn the_days_of_the_calendar_are_the_next_ones() {
        let noon = |date: Date| date.with_hms(12, 0, 0).unwrap();
        let now = noon(date(2026, 12, 31));
        assert_eq!(start("next-day", now), noon(date(2027, 1, 1)));
        assert_eq!(start("month-end", now), date(2027, 1, 31).with_hms(23, 59, 0).unwrap());
        assert_eq!(start("new-year", now), date(2027, 12, 31).with_hms(23, 59, 50).unwrap());
        assert_eq!(start("leap-day", now), noon(date(2028, 2, 29)));
        assert_eq!(start("leap-day", noon(date(2096, 2, 29))), noon(date(2104, 2, 29)));
        assert_eq!(start("month-end", noon(date(2028, 1, 31))).date(), date(2028, 2, 29));
        assert_eq!(start("month-end", noon(date(2026, 11, 22))).date(), date(2027, 1, 31));
    }

    #[test]
    fn every_clock_is_ahead_of_now() {
        let now = date(2026, 11, 22).with_hms(23, 59, 59).unwrap();
        for clock in CLOCKS {
            if let Change::Clock(zone, start) = clock.change {
                assert!(start(now).unwrap() > now, "{} in {zone}", clock.name);
            }
        }
    }
}
