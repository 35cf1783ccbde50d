//! Charts as text in SVG: bars for days, and a map of a year. They are made of numbers and dates alone.

use puppy_ui_web::state::calls::{DayCount, Sums};
use puppy_ui_web::state::day::{Clock, Day};

/// Height of the bars.
const HEIGHT: u32 = 60;
/// Width of a bar with its gap.
const STEP: usize = 10;
/// Weeks of the map.
const WEEKS: usize = 53;
/// Side of a square with its gap.
const SQUARE: usize = 12;

/// A bar for each day: its calls, and in front of them the bad ones.
pub fn bars(sums: &Sums, clock: Clock) -> String {
    let most = sums.days.iter().map(|it| it.all).max().unwrap_or_default().max(1);
    let mut shapes = String::new();
    for (place, (day, count)) in sums.by_day(clock).enumerate() {
        let x = sums.days.len().saturating_sub(place + 1) * STEP;
        let height = |part: u32| part.saturating_mul(HEIGHT).div_ceil(most).min(HEIGHT);
        shapes.push_str(&format!("<g>{}", title(day, count)));
        for (class, part) in [("pup-all", count.all), ("pup-bad", count.bad)] {
            if part > 0 {
                let (tall, y) = (height(part), HEIGHT - height(part));
                shapes.push_str(&format!(
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"8\" height=\"{tall}\"/>"
                ));
            }
        }
        shapes.push_str("</g>");
    }
    shapes
}

/// Width and height of the bars.
pub fn bars_box(sums: &Sums) -> String {
    format!("0 0 {} {HEIGHT}", sums.days.len() * STEP)
}

/// A square for each day of a year, a column for each week, Monday first. Fuller squares have had more calls.
pub fn year(sums: &Sums, clock: Clock) -> String {
    let today = clock.today();
    let first = today.back(today.weekday() + (WEEKS - 1) * 7);
    let most = sums.days.iter().map(|it| it.all).max().unwrap_or_default();
    let mut shapes = String::new();
    for (day, count) in sums.by_day(clock) {
        let Some(place) = day.since(first) else { break };
        let (x, y) = (place / 7 * SQUARE, place % 7 * SQUARE);
        let class = shade(count.all, most);
        shapes.push_str(&format!(
            "<rect class=\"pup-heat-{class}\" x=\"{x}\" y=\"{y}\" width=\"10\" height=\"10\" rx=\"2\">{}</rect>",
            title(day, count)
        ));
    }
    shapes
}

/// Width and height of the map.
pub fn year_box() -> String {
    format!("0 0 {} {}", WEEKS * SQUARE - 2, 7 * SQUARE - 2)
}

/// One of five shades: none for no calls, the fullest for the upper quarter.
pub const fn shade(count: u32, most: u32) -> u32 {
    match (count, most) {
        (0, _) | (_, 0) => 0,
        (count, most) => {
            let quarter = count.saturating_mul(4).div_ceil(most);
            if quarter > 4 { 4 } else { quarter }
        }
    }
}

fn title(day: Day, count: DayCount) -> String {
    format!("<title>{}: {}</title>", day.date(), count.all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puppy_ui_web::state::calls::{Calls, Filter};

    /// A Monday.
    const CLOCK: Clock = Clock { now_ms: 1_795_392_000_000 + 3_600_000, minutes_west: 0 };
    const DAY: u64 = 86_400_000;

    fn sums(days: &[(u64, usize)], filter: &Filter) -> Sums {
        let mut lines = String::new();
        for (ago, count) in days {
            for _ in 0..*count {
                let at = CLOCK.now_ms - ago * DAY;
                lines.push_str(&format!(
                    r#"{{"timestamp":{at},"transport":"http","category":"fs","action":"read","duration_ms":1,"status":"success"}}"#
                ));
                lines.push('\n');
            }
        }
        Sums::of(&Calls::parse(lines.as_bytes()), filter, CLOCK)
    }

    /// B-257: today is the last bar, and the tallest one fills the height.
    #[test]
    fn bars_have_the_height_of_their_day() {
        let sums = sums(&[(0, 4), (6, 1)], &Filter::default());
        let drawn = bars(&sums, CLOCK);
        assert_eq!(bars_box(&sums), "0 0 70 60");
        assert!(
            drawn.contains(
                r#"<title>2026-11-23: 4</title><rect class="pup-all" x="60" y="0" width="8" height="60"/>"#
            ),
            "{drawn}"
        );
        assert!(
            drawn.contains(
                r#"<title>2026-11-17: 1</title><rect class="pup-all" x="0" y="45" width="8" height="15"/>"#
            ),
            "{drawn}"
        );
        assert_eq!(drawn.matches("<rect").count(), 2);
    }

    /// B-257: the map ends today and begins on the Monday 52 weeks before.
    #[test]
    fn year_has_a_square_for_each_day() {
        let sums = sums(&[(0, 8), (7, 1), (364, 2), (365, 3)], &Filter::default().over_a_year());
        let drawn = year(&sums, CLOCK);
        assert_eq!(drawn.matches("<rect").count(), 365);
        assert!(drawn.contains(r#"<rect class="pup-heat-4" x="624" y="0" width="10" height="10" rx="2"><title>2026-11-23: 8<"#), "{drawn}");
        assert!(drawn.contains(r#"x="612" y="0" width="10" height="10" rx="2"><title>2026-11-16: 1<"#));
        assert!(drawn.contains(
            r#"<rect class="pup-heat-1" x="0" y="0" width="10" height="10" rx="2"><title>2025-11-24: 2<"#
        ));
        assert!(!drawn.contains("2025-11-23"));
        assert_eq!(year_box(), "0 0 634 82");
    }

    #[test]
    fn shades_are_quarters_of_the_most() {
        assert_eq!([0, 1, 25, 26, 50, 75, 76, 100].map(|it| shade(it, 100)), [0, 1, 1, 2, 2, 3, 4, 4]);
        assert_eq!((shade(1, 1), shade(0, 0), shade(u32::MAX, u32::MAX)), (4, 0, 1));
    }
}
