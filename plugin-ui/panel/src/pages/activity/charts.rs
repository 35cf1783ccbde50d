//! The charts of the activity page: drawn from numbers, each with its text, and the days as a table too.

use crate::state::calls::Sums;
use crate::state::charts;
use puppy_ui_parts::el::{El, el, svg};
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use super::Activity;
use puppy_ui_parts as parts;

/// The actions in the list of the most used ones.
const TOP: usize = 8;

/// The calls of each day in the period.
pub(super) fn days(page: Activity) -> El {
    let words = page.words;
    let said = move || {
        page.shown.with(|it| {
            let most = it.sums.by_day(it.clock).max_by_key(|(_, count)| count.all);
            let (date, most) = most.map(|(day, count)| (day.date(), count.all)).unwrap_or_default();
            let (calls, most) = (it.sums.calls.to_string(), most.to_string());
            fill(words.chart_said, &[("calls", &calls), ("most", &most), ("date", &date)])
        })
    };
    let chart = svg("pup-chart", "").attr("role", "img").attr("preserveAspectRatio", "none");
    let chart = chart.attr("data-name", "days").has("aria-label", said);
    let chart = chart.has("viewBox", move || page.shown.with(|it| charts::bars_box(&it.sums)));
    let chart = chart.draws(move || page.shown.with(|it| charts::bars(&it.sums, it.clock)));
    let key = |class: &str, name: &str| {
        let sign = el("i", class).attr("aria-hidden", "true");
        el("span", "").put(sign).text(name)
    };
    let keys = el("div", "pup-legend pup-quiet")
        .put(key("pup-all", words.calls))
        .put(key("pup-bad", words.only_bad));
    parts::group(page.words.chart)
        .put(parts::card().put(el("div", "pup-drawn").put(chart).put(keys).put(table(page))))
}

/// The days of the chart as a table, made when it is opened.
fn table(page: Activity) -> El {
    let words = page.words;
    let is_open = RwSignal::new(false);
    let cell = |role: &str, text: &str| el("span", "").attr("role", role).text(text);
    let row = move |role: &str, texts: [&str; 3]| {
        el("div", "pup-line").attr("role", "row").all(texts.map(|text| cell(role, text)))
    };
    let rows = move || {
        let table =
            el("div", "pup-table pup-days").attr("role", "table").attr("aria-label", page.words.chart);
        if !is_open.get() {
            return table;
        }
        let table = table.put(row("columnheader", [words.date, words.calls, words.only_bad]));
        page.shown.with(|it| {
            table.all(it.sums.by_day(it.clock).map(|(day, count)| {
                row("cell", [&day.date(), &count.all.to_string(), &count.bad.to_string()])
            }))
        })
    };
    let opener = parts::toggle(words.as_table, move || is_open.get()).attr("data-do", "table");
    let opener = opener.click(move || is_open.set(!is_open.get_untracked()));
    el("div", "").put(opener).put(el("div", "").shows(rows))
}

/// A square for each day of a year.
pub(super) fn year(page: Activity) -> El {
    let words = page.words;
    let said = move || {
        page.shown.with(|it| {
            let days = it.year.days.iter().filter(|it| it.all > 0).count().to_string();
            fill(words.map_said, &[("calls", &it.year.calls.to_string()), ("days", &days)])
        })
    };
    let map = svg("pup-year", "").attr("role", "img").attr("viewBox", &charts::year_box());
    let map = map.attr("data-name", "year").has("aria-label", said);
    let map = map.draws(move || page.shown.with(|it| charts::year(&it.year, it.clock)));
    let shades = ["0", "1", "2", "3", "4"].map(|it| el("i", &format!("pup-heat-{it}")));
    let keys = el("div", "pup-legend pup-quiet").attr("aria-hidden", "true");
    let keys = keys.text(words.less).all(shades).text(words.more);
    parts::group(page.words.map).put(parts::card().put(el("div", "pup-drawn").put(map).put(keys)))
}

/// The most used actions with their numbers.
pub(super) fn top(page: Activity) -> El {
    let rows = move || {
        page.shown.with(|it| {
            let top = it.sums.top(TOP);
            let most = top.first().map_or(1, |it| it.1.max(1));
            el("ol", "pup-top").all(top.iter().map(|(name, count)| {
                let share = count.saturating_mul(100).div_ceil(most);
                let bar = el("i", "").attr("style", &format!("width: {share}%"));
                el("li", "")
                    .put(el("span", "").text(name))
                    .put(el("span", "pup-share").attr("aria-hidden", "true").put(bar))
                    .put(el("span", "pup-quiet").text(&count.to_string()))
            }))
        })
    };
    let group = parts::group(page.words.top).put(parts::card().put(el("div", "pup-drawn").shows(rows)));
    group.shown_if(move || page.shown.with(|it| has_calls(&it.sums)))
}

fn has_calls(sums: &Sums) -> bool {
    sums.calls > 0
}
