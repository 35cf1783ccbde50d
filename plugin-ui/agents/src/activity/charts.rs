//! The charts of the activity page: drawn from numbers, each with its text, and the days as a table too.

use crate::state::charts;
use leptos::prelude::*;
use puppy_ui_parts::{Card, Group, Toggle};
use puppy_ui_web::state::calls::Sums;
use puppy_ui_web::words::fill;

use super::ActivitySignals;

/// The actions in the list of the most used ones.
const TOP: usize = 8;

/// The calls of each day in the period.
#[component]
pub(super) fn Days(page: ActivitySignals) -> AnyView {
    let words = page.words;
    let label = move || {
        page.shown.with(|it| {
            let most = it.sums.by_day(it.clock).max_by_key(|(_, count)| count.all);
            let (date, most) = most.map(|(day, count)| (day.date(), count.all)).unwrap_or_default();
            let (calls, most) = (it.sums.calls.to_string(), most.to_string());
            fill(words.chart_said, &[("calls", &calls), ("most", &most), ("date", &date)])
        })
    };
    view! {
        <Group title=words.chart>
            <Card>
                <div class="pup-drawn">
                    <svg
                        class="pup-chart"
                        role="img"
                        preserveAspectRatio="none"
                        data-name="days"
                        aria-label=label
                        viewBox=move || page.shown.with(|it| charts::bars_box(&it.sums))
                        inner_html=move || page.shown.with(|it| charts::bars(&it.sums, it.clock))
                    ></svg>
                    <div class="pup-legend pup-quiet">
                        <span><i class="pup-all" aria-hidden="true"></i>{words.calls}</span>
                        <span><i class="pup-bad" aria-hidden="true"></i>{words.only_bad}</span>
                    </div>
                    <Table page/>
                </div>
            </Card>
        </Group>
    }
    .into_any()
}

/// The days of the chart as a table, made when it is opened.
#[component]
fn Table(page: ActivitySignals) -> AnyView {
    let words = page.words;
    let is_open = RwSignal::new(false);
    let rows = move || {
        if !is_open.get() {
            return Vec::new();
        }
        let head = row("columnheader", [words.date, words.calls, words.only_bad].map(str::to_owned));
        page.shown.with(|it| {
            let days = it
                .sums
                .by_day(it.clock)
                .map(|(day, count)| row("cell", [day.date(), count.all.to_string(), count.bad.to_string()]));
            std::iter::once(head).chain(days).collect()
        })
    };
    view! {
        <div>
            <Toggle
                text=words.as_table
                is_chosen=is_open
                press=move |_| is_open.update(|it| *it = !*it)
                attr:data-do="table"
            />
            <div>
                <div class="pup-table pup-days" role="table" aria-label=words.chart>{rows}</div>
            </div>
        </div>
    }
    .into_any()
}

fn row(role: &'static str, texts: [String; 3]) -> AnyView {
    let cells = texts.map(|text| view! { <span role=role>{text}</span> }).collect_view();
    view! { <div class="pup-line" role="row">{cells}</div> }.into_any()
}

/// A square for each day of a year.
#[component]
pub(super) fn Year(page: ActivitySignals) -> AnyView {
    let words = page.words;
    let label = move || {
        page.shown.with(|it| {
            let days = it.year.days.iter().filter(|it| it.all > 0).count().to_string();
            fill(words.map_said, &[("calls", &it.year.calls.to_string()), ("days", &days)])
        })
    };
    let shades = ["pup-heat-0", "pup-heat-1", "pup-heat-2", "pup-heat-3", "pup-heat-4"];
    view! {
        <Group title=words.map>
            <Card>
                <div class="pup-drawn">
                    <svg
                        class="pup-year"
                        role="img"
                        preserveAspectRatio="xMaxYMid slice"
                        viewBox=charts::year_box()
                        data-name="year"
                        aria-label=label
                        inner_html=move || page.shown.with(|it| charts::year(&it.year, it.clock))
                    ></svg>
                    <div class="pup-legend pup-quiet" aria-hidden="true">
                        {words.less}{shades.map(|it| view! { <i class=it></i> }).collect_view()}{words.more}
                    </div>
                </div>
            </Card>
        </Group>
    }
    .into_any()
}

/// The most used actions with their numbers.
#[component]
pub(super) fn Top(page: ActivitySignals) -> AnyView {
    let rows = move || {
        page.shown.with(|it| {
            let top = it.sums.top(TOP);
            let most = top.first().map_or(1, |it| it.1.max(1));
            let line = |&(name, count): &(&str, u64)| {
                let share = count.saturating_mul(100).div_ceil(most);
                view! {
                    <li>
                        <span>{name.to_owned()}</span>
                        <span class="pup-share" aria-hidden="true"><i style=format!("width: {share}%")></i></span>
                        <span class="pup-quiet">{count}</span>
                    </li>
                }
            };
            top.iter().map(line).collect_view()
        })
    };
    view! {
        <Group title=page.words.top shown=move || page.shown.with(|it| has_calls(&it.sums))>
            <Card>
                <div class="pup-drawn"><ol class="pup-top">{rows}</ol></div>
            </Card>
        </Group>
    }
    .into_any()
}

fn has_calls(sums: &Sums) -> bool {
    sums.calls > 0
}
