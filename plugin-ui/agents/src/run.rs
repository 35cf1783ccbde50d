//! A run: its line, and opened its documents, its single changes and the way back.

use leptos::html;
use leptos::prelude::*;
use puppy_ui_parts::{fresh, is_open};
use puppy_ui_web::host;
use puppy_ui_web::words::actions;

use crate::back::Back;
use crate::document;
use crate::room::Room;
use crate::state::back::BackTarget;
use crate::state::list::{RunCall, RunItem, when};

/// The line of a run; what is in it is made when it is first opened.
pub(crate) fn line(room: Room, item: RunItem) -> AnyView {
    let words = room.words;
    let today = host::clock().today().date();
    let (who, time, did) = (item.maker(words), when(&item.latest, &today), item.sentence(words));
    let mark = item.mark(words);
    let is_wanted = room.takes_wanted(&item.run);
    let opened = RwSignal::new(is_wanted);
    let head = NodeRef::<html::Summary>::new();
    if is_wanted {
        lead_to(head);
    }
    let run = item.run.clone();
    let item = StoredValue::new(item);
    let content = move || match opened.get() {
        true => item.try_get_value().map_or_else(|| ().into_any(), |it| content(room, &it)),
        false => ().into_any(),
    };
    view! {
        <details
            class="pup-run"
            data-run=run
            open=is_wanted
            on:toggle=move |event| if is_open(&event) && !opened.get_untracked() { opened.set(true) }
        >
            <summary node_ref=head>
                <span class="pup-run-who">{who}</span>
                " "
                <span class="pup-quiet">{time}</span>
                " "
                <span class="pup-run-mark">{mark}</span>
                <span class="pup-run-did">{did}</span>
            </summary>
            <div class="pup-run-in">{fresh(content)}</div>
        </details>
    }
    .into_any()
}

/// Leads the focus, and with it the view, to a run once it is in the page.
fn lead_to(head: NodeRef<html::Summary>) {
    Effect::new(move || {
        head.track();
        host::spawn(async move {
            host::sleep(0).await;
            if let Some(head) = head.try_get_untracked().flatten() {
                let _ = head.focus();
            }
        });
    });
}

fn content(room: Room, item: &RunItem) -> AnyView {
    let words = room.words;
    let documents = item.documents.iter().map(|it| document::line(room, &item.run, it)).collect_view();
    let others = item.n_documents.saturating_sub(item.documents.len());
    let others = (others > 0).then(|| words.counted(others, words.more_document, words.more_documents));
    let calls: Vec<RunCall> = item.calls.iter().rev().cloned().collect();
    let run = item.run.clone();
    // Of one change, the run is the way back.
    let calls = (calls.len() > 1).then(|| {
        let calls =
            calls.into_iter().map(|it| call(room, &run, &it, &item.documents_of(&it, words))).collect_view();
        view! {
            <details class="pup-run-calls">
                <summary>{words.single}</summary>
                {calls}
            </details>
        }
    });
    view! {
        <Back room run=item.run.clone() target=BackTarget::Run text=words.put_back_run/>
        <div class="pup-papers">{documents}</div>
        <div class="pup-quiet">{others}</div>
        {calls}
    }
    .into_any()
}

/// A single change, with the titles of its documents.
fn call(room: Room, run: &str, call: &RunCall, documents: &str) -> AnyView {
    let today = host::clock().today().date();
    let (time, action) = (when(&call.at, &today), actions::title(&room.lang(), &call.action));
    view! {
        <div class="pup-run-call" data-call=call.call.to_string()>
            <span>
                <span class="pup-quiet">{time}</span>
                " "
                {action}
                " "
                <span class="pup-quiet">{documents.to_owned()}</span>
            </span>
            <Back room run=run.to_owned() target=BackTarget::Call(call.call) text=room.words.put_back/>
        </div>
    }
    .into_any()
}
