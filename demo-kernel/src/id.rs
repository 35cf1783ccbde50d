//! Node ids, and times as the kernel writes them.

use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use crate::moment;

const STAMP: &[BorrowedFormatItem<'_>] = format_description!("[year][month][day][hour][minute][second]");
const CLOCK: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");

/// A fresh node id: the time and seven letters or digits.
pub(crate) fn new_id() -> String {
    format!("{}-{}", stamp(), letters())
}

/// The id of a row of the index; nothing refers to it.
pub(crate) fn row_id() -> String {
    format!("{}-{}", stamp(), moment::draw_for_row(seven))
}

/// Seven random letters or digits, as ids and messages carry them.
pub(crate) fn letters() -> String {
    moment::draw(seven)
}

fn seven(dice: &mut fastrand::Rng) -> String {
    let digit = || char::from_digit(dice.u32(0..36), 36).unwrap_or('0');
    std::iter::repeat_with(digit).take(7).collect()
}

/// The time as attributes and ids carry it: `20250131235959`.
pub(crate) fn stamp() -> String {
    moment::now().format(STAMP).unwrap_or_default()
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    i64::try_from(moment::now().unix_timestamp_nanos() / 1_000_000).unwrap_or_default()
}

/// The time as people read it, of seconds since 1970.
pub(crate) fn clock(seconds: i64) -> String {
    let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    time.format(CLOCK).unwrap_or_default()
}

/// Seconds since 1970 of a stamp such as `20250131235959`; 0 for anything else.
pub(crate) fn seconds_of(stamp: &str) -> i64 {
    time::PrimitiveDateTime::parse(stamp, STAMP).map_or(0, |t| t.assume_utc().unix_timestamp())
}

/// Whether a text has the form of a node id.
pub(crate) fn is_node_id(text: &str) -> bool {
    let Some((time, rest)) = text.split_once('-') else { return false };
    time.len() == 14
        && rest.len() == 7
        && time.bytes().all(|b| b.is_ascii_digit())
        && rest.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_ids_are_recognized() {
        assert!(is_node_id(&new_id()));
        for bad in
            ["", "x", "20250101000000", "20250101000000-ABCDEFG", "2025010100000-abcdefgh", "../../etc"]
        {
            assert!(!is_node_id(bad), "{bad}");
        }
    }

    #[test]
    fn stamps_and_seconds_agree() {
        assert_eq!(seconds_of("20250131235959"), 1_738_367_999);
        assert_eq!(clock(1_738_367_999), "2025-01-31 23:59:59");
        assert_eq!(seconds_of("nonsense"), 0);
    }
}
