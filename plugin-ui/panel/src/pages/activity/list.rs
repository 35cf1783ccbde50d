//! The newest calls of the activity page, one a line.

use crate::state::calls::{Call, End};
use puppy_core::find::action_named;
use puppy_core::spec::{ActionSpec, Danger, Tool};
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;

use super::{Activity, LISTED, Shown};
use puppy_ui_parts as parts;

pub(super) fn recent(page: Activity) -> El {
    let words = page.words;
    let content = move || {
        page.shown.with(|it| {
            let calls = it.calls.newest(&it.filter, it.clock, LISTED);
            if calls.is_empty() {
                return el("div", "pup-empty").attr("role", "status").text(words.no_match);
            }
            let titles = [words.time, words.source, words.action, words.place, words.took, words.result];
            let head = el("div", "pup-line pup-line-head").attr("role", "row");
            let head = head.all(titles.map(|it| cell("columnheader", "").text(it)));
            let table =
                el("div", "pup-table").attr("role", "table").attr("aria-label", page.words.recent).put(head);
            table.all(calls.into_iter().map(|call| line(page, it, call)))
        })
    };
    let list = el("div", "pup-drawn").attr("data-name", "recent").shows(content);
    parts::group(page.words.recent).put(parts::card().put(list))
}

fn cell(role: &str, class: &str) -> El {
    el("span", class).attr("role", role)
}

fn line(page: Activity, shown: &Shown, call: &Call) -> El {
    let words = page.words;
    let day = shown.clock.day(call.at);
    let time = shown.clock.time(call.at);
    let when = if day == shown.clock.today() { time } else { format!("{} {time}", day.date()) };
    let mut action = cell("cell", "pup-line-action").text(&call.action);
    if let Some(spec) = spec(&call.action) {
        let sign = if spec.danger == Danger::None { "" } else { " ⚠\u{fe0e}" };
        let effect = format!("{}{sign}", page.store.words.effect(spec.effect));
        action = action.put(el("span", "pup-quiet").text(&effect));
    }
    let name = call.place.as_ref().and_then(|it| shown.name_of(it)).unwrap_or_default();
    let took = match call.end {
        End::Runs => String::new(),
        _ => fill(words.ms, &[("n", &call.took_ms.to_string())]),
    };
    let (sign, end, class) = match &call.end {
        End::Runs => ("…", words.runs, ""),
        End::Done => ("✓", words.done, "pup-good"),
        End::Cancelled => ("–", words.cancelled, ""),
        End::Waits => ("⚠\u{fe0e}", words.waits, "pup-warned"),
        End::Denied => ("⊘", words.denied, "pup-failure"),
        End::Failed(_) => ("✗", words.failed, "pup-failure"),
    };
    let mut end =
        cell("cell", class).put(el("span", "").attr("aria-hidden", "true").text(sign)).text(" ").text(end);
    if let End::Failed(why) = &call.end
        && !why.is_empty()
    {
        end = end.put(el("span", "pup-quiet").text(" ").text(why));
    }
    el("div", "pup-line")
        .attr("role", "row")
        .put(cell("cell", "pup-quiet").text(&when))
        .put(cell("cell", "pup-quiet").text(words.transport(call.transport)))
        .put(action)
        .put(cell("cell", "pup-title").attr("title", name).text(name))
        .put(cell("cell", "pup-quiet").text(&took))
        .put(end)
}

/// The declaration of an action; none for one of another version.
fn spec(path: &str) -> Option<&'static ActionSpec> {
    let (tool, name) = path.split_once('.')?;
    action_named(Tool::named(tool)?, name)
}
