//! Functions of templates that work on times, and the methods of a time.

use time::{Date, Duration, Month, OffsetDateTime};

use super::call::{Failure, at, string};
use super::clock;
use super::value::Any;
use crate::answer::Refusal;

pub(super) fn call(name: &str, args: &[Any]) -> Result<Option<Any>, Failure> {
    let time = |place: usize| time_of(&at(args, place));
    let text = Any::Text;
    let weekday = |place: usize| i64::from(time(place).weekday().number_days_from_sunday());
    let chinese =
        |names: &str| Any::text(names.chars().nth(weekday(0) as usize).map(String::from).unwrap_or_default());
    Ok(Some(match name {
        "now" => Any::Time(crate::moment::now()),
        "date" => text(clock::layout(time(1), &string(args, 0))),
        "dateInZone" if matches!(string(args, 2).as_str(), "UTC" | "") => {
            text(clock::layout(time(1), &string(args, 0)))
        }
        "dateInZone" => return Err(Failure::NotHere),
        "htmlDate" => text(clock::layout(time(0), "2006-01-02")),
        "dateModify" | "date_modify" => {
            Any::Time(clock::duration(&string(args, 0)).map_or(time(1), |span| time(1) + span))
        }
        "toDate" => {
            let zero = || clock::read("2006-01-02", "0001-01-01");
            clock::read(&string(args, 0), &string(args, 1)).or_else(zero).map_or(Any::Nil, Any::Time)
        }
        "parseTime" => {
            let given = string(args, 0);
            let layouts = [
                "2006-01-02 15:04:05",
                "2006-01-02 15:04",
                "2006-01-02",
                "20060102150405",
                "2006/01/02",
                "2006-01-02T15:04:05",
            ];
            let found = layouts.iter().find_map(|layout| clock::read(layout, &given));
            Any::Time(found.ok_or(Failure::NotHere)?)
        }
        "unixEpoch" => text(time(0).unix_timestamp().to_string()),
        "duration" => {
            let seconds = at(args, 0).to_int();
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            text(match (hours, minutes) {
                (0, 0) => format!("{seconds}s"),
                (0, _) => format!("{minutes}m{}s", seconds % 60),
                _ => format!("{hours}h{minutes}m{}s", seconds % 60),
            })
        }
        "durationRound" => {
            let span = clock::duration(&string(args, 0)).ok_or(Failure::NotHere)?.whole_seconds().abs();
            let units =
                [(31_536_000, "y"), (2_592_000, "mo"), (86_400, "d"), (3600, "h"), (60, "m"), (1, "s")];
            let unit = units.iter().find(|(length, _)| span >= *length);
            text(unit.map_or("0s".into(), |(length, unit)| format!("{}{unit}", span / length)))
        }
        "Weekday" => Any::Int(weekday(0)),
        "WeekdayCN" => chinese("日一二三四五六"),
        "WeekdayCN2" => chinese("天一二三四五六"),
        "ISOWeek" => Any::Int(time(0).to_iso_week_date().1.into()),
        "ISOYear" => Any::Int(time(0).to_iso_week_date().0.into()),
        "ISOMonth" => {
            let days = 3 - i64::from(time(0).weekday().number_days_from_monday());
            Any::Int(u8::from((time(0) + Duration::days(days)).month()).into())
        }
        "ISOWeekDate" => {
            let days = at(args, 0).to_int() - 1 - i64::from(time(1).weekday().number_days_from_monday());
            Any::Time(time(1) + Duration::days(days))
        }
        _ => return Ok(None),
    }))
}

/// A value that Sprig takes for a time: a time, or seconds since 1970. Anything else is now.
pub(super) fn time_of(value: &Any) -> OffsetDateTime {
    match value {
        Any::Time(time) => *time,
        Any::Int(seconds) => {
            OffsetDateTime::from_unix_timestamp(*seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
        }
        _ => crate::moment::now(),
    }
}

/// A method of a time; none when it has no such method.
pub(super) fn method(time: OffsetDateTime, name: &str, args: &[Any]) -> Result<Option<Any>, Refusal> {
    let int = |at: usize| args.get(at).map(Any::to_int).unwrap_or_default();
    Ok(Some(match name {
        "Year" => Any::Int(time.year().into()),
        "Month" => Any::text(time.month().to_string()),
        "Day" => Any::Int(time.day().into()),
        "Hour" => Any::Int(time.hour().into()),
        "Minute" => Any::Int(time.minute().into()),
        "Second" => Any::Int(time.second().into()),
        "YearDay" => Any::Int(time.ordinal().into()),
        "Weekday" => Any::text(time.weekday().to_string()),
        "Unix" => Any::Int(time.unix_timestamp()),
        "UnixMilli" => Any::Int(time.unix_timestamp() * 1000 + i64::from(time.millisecond())),
        "Format" => Any::text(clock::layout(time, &args.first().map(Any::show).unwrap_or_default())),
        "AddDate" => Any::Time(add_date(time, int(0), int(1), int(2))),
        "UTC" | "Local" => Any::Time(time),
        "After" | "Before" | "Equal" => {
            let other = args.first().map_or(time, time_of);
            Any::Bool(match name {
                "After" => time > other,
                "Before" => time < other,
                _ => time == other,
            })
        }
        "Add" | "Sub" | "Truncate" | "Round" | "IsZero" | "ISOWeek" | "Date" | "Clock" | "In" => {
            return Err(Refusal::not_here(&format!("the method {name} of times in templates")));
        }
        _ => return Ok(None),
    }))
}

/// Years, months and days later; days beyond the end of a month run into the next one.
fn add_date(time: OffsetDateTime, years: i64, months: i64, days: i64) -> OffsetDateTime {
    let count = (i64::from(time.year()) + years) * 12 + i64::from(u8::from(time.month())) - 1 + months;
    let month = u8::try_from(count.rem_euclid(12) + 1).ok().and_then(|month| Month::try_from(month).ok());
    let year = i32::try_from(count.div_euclid(12)).unwrap_or(time.year());
    let first = Date::from_calendar_date(year, month.unwrap_or(Month::January), 1).unwrap_or(time.date());
    time.replace_date(first + Duration::days(i64::from(time.day()) - 1 + days))
}
