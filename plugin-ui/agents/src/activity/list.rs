//! The newest calls of the activity page, one a line.

use leptos::prelude::*;
use puppy_core::find::action_named;
use puppy_core::spec::{ActionSpec, Danger, Tool};
use puppy_ui_parts::{Card, Empty, Group};
use puppy_ui_web::state::calls::{Call, End};
use puppy_ui_web::words::activity::ActivityWords;
use puppy_ui_web::words::fill;

use super::{ActivitySignals, LISTED, ShownCalls};

/// The group with the list.
#[component]
pub(super) fn Recent(page: ActivitySignals) -> AnyView {
    let words = page.words;
    let content = move || {
        page.shown.with(|it| {
            let calls = it.calls.newest(&it.filter, it.clock, LISTED);
            if calls.is_empty() {
                return view! { <Empty text=words.no_match/> }.into_any();
            }
            let titles = [words.time, words.agent, words.action, words.place, words.took, words.result];
            let titles = titles.map(|it| view! { <span role="columnheader">{it}</span> }).collect_view();
            let lines = calls.into_iter().map(|call| line(page, it, call)).collect_view();
            view! {
                <div class="pup-table" role="table" aria-label=words.recent>
                    <div class="pup-line pup-line-head" role="row">{titles}</div>
                    {lines}
                </div>
            }
            .into_any()
        })
    };
    view! {
        <Group title=words.recent>
            <Card>
                <div class="pup-drawn" data-name="recent">{content}</div>
            </Card>
        </Group>
    }
    .into_any()
}

fn line(page: ActivitySignals, shown: &ShownCalls, call: &Call) -> AnyView {
    let words = page.words;
    let day = shown.clock.day(call.at);
    let time = shown.clock.time(call.at);
    let when = if day == shown.clock.today() { time } else { format!("{} {time}", day.date()) };
    let effect = spec(&call.action).map(|spec| {
        let sign = if spec.danger == Danger::None { "" } else { " ⚠\u{fe0e}" };
        let effect = format!("{}{sign}", page.panel.effect(spec.effect));
        view! { " "<span class="pup-quiet">{effect}</span> }
    });
    // A narrow page may break the path after its dot, and nowhere else.
    let (tool, own_name) = call.action.split_once('.').unwrap_or((&call.action, ""));
    let (tool, own_name) = (format!("{tool}."), own_name.to_owned());
    let name = if call.title.is_empty() {
        call.place.as_ref().and_then(|it| shown.name_of(it)).unwrap_or_default().to_owned()
    } else {
        fill(words.deleted_doc, &[("title", &call.title)])
    };
    let (took, waited) = (call.took_ms.to_string(), (call.waited_ms / 1_000).to_string());
    let took = match call.end {
        End::Runs => String::new(),
        _ if call.waited_ms >= 1_000 => fill(words.ms_waited, &[("n", &took), ("waited", &waited)]),
        _ => fill(words.ms, &[("n", &took)]),
    };
    let source = words.transport(call.transport);
    let agent = if call.caller().is_empty() { source.to_owned() } else { call.caller().to_owned() };
    let known = call.agent.as_ref().map(|it| if it.is_proved { words.proved } else { words.claimed });
    let title = [Some(source), known].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let collar = call.agent.as_ref().map(|it| {
        view! { <span class="pup-collar pup-collar-small" data-color=it.color.word() aria-hidden="true"></span>" " }
    });
    view! {
        <div class="pup-line" role="row">
            <span class="pup-quiet" role="cell">{when}</span>
            <span class="pup-quiet pup-title" role="cell" title=title>{collar}{agent}</span>
            <span class="pup-line-action" role="cell">{tool}<wbr/>{own_name}{effect}</span>
            <span class="pup-title" role="cell" title=name.clone()>{place(words, call, name.clone())}</span>
            <span class="pup-quiet" role="cell">{took}</span>
            {end(page, &call.end)}
        </div>
    }
    .into_any()
}

/// The place of a call: it leads to the document, or, where that was deleted, to the runs.
fn place(words: &ActivityWords, call: &Call, name: String) -> AnyView {
    if !call.title.is_empty() {
        return view! { <button class="pup-link" type="button" data-runs="" title=words.to_runs>{name}</button> }.into_any();
    }
    match call.document().map(str::to_owned) {
        Some(id) if !name.is_empty() => {
            let label = fill(words.open_doc, &[("name", &name)]);
            view! { <button class="pup-link" type="button" data-look=id aria-label=label>{name}</button> }
                .into_any()
        }
        _ => name.into_any(),
    }
}

/// The last cell of a line: a sign, its name, and the reason of a failure.
fn end(page: ActivitySignals, end: &End) -> AnyView {
    let (sign, name, class) = page.words.end(end);
    let why = match end {
        End::Failed(why) if !why.is_empty() => {
            Some(view! { <span class="pup-quiet">{format!(" {}", page.words.reason(why))}</span> })
        }
        _ => None,
    };
    view! { <span class=class role="cell"><span aria-hidden="true">{sign}</span>" "{name}{why}</span> }
        .into_any()
}

/// The declaration of an action; none for one of another version.
fn spec(path: &str) -> Option<&'static ActionSpec> {
    let (tool, name) = path.split_once('.')?;
    action_named(Tool::named(tool)?, name)
}
