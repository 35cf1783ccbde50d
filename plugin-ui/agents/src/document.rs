//! A document of a run, and opened the difference between the version from before the run and now.

use leptos::prelude::*;
use puppy_ui_parts::{Button, Loading, PLAIN, fresh, is_open};
use puppy_ui_web::host;
use puppy_ui_web::words::fill;

use crate::back::Back;
use crate::calls;
use crate::room::Room;
use crate::state::back::BackTarget;
use crate::state::difference::{Difference, MOST_BLOCKS, Piece};
use crate::state::list::RunPaper;

/// The comparison of a document.
#[derive(Clone, PartialEq)]
enum Compared {
    /// Nobody has opened it yet.
    Closed,
    Loading,
    Shown(Difference),
    /// There is nothing to compare with.
    NoVersion,
    Unread,
}

/// The line of a document.
pub(crate) fn line(room: Room, run: &str, paper: &RunPaper) -> AnyView {
    let words = room.words;
    let title = paper.title.clone().unwrap_or_else(|| words.gone.to_owned());
    let (was, was_then) = (words.was(&paper.was), paper.was.clone());
    let is_there = paper.title.is_some();
    let leads = is_there.then(|| {
        let label = fill(words.open_titled, &[("title", &title)]);
        // The page around it opens the document.
        view! { <Button class=PLAIN text=words.open label press=|_| () attr:data-look=paper.id.clone()/> }
    });
    let compared = RwSignal::new(Compared::Closed);
    let wanted = StoredValue::new(paper.clone());
    let read = move || {
        compared.set(Compared::Loading);
        host::spawn(async move {
            let Some(paper) = wanted.try_get_value() else { return };
            compared.try_set(compare(&paper).await);
        });
    };
    let open = move || {
        if compared.get_untracked() == Compared::Closed {
            read();
        }
    };
    Effect::new(move |before: Option<u32>| {
        let now = room.put_back.get();
        if before.is_some_and(|it| it != now) && compared.get_untracked() != Compared::Closed {
            read();
        }
        now
    });
    let content = move || match compared.get() {
        Compared::Closed => ().into_any(),
        Compared::Loading => view! { <Loading text=room.panel.loading/> }.into_any(),
        Compared::NoVersion => plain(words.no_version_text),
        Compared::Unread => plain(words.unread),
        Compared::Shown(it) if it.blocks.is_empty() => plain(words.same_text(&was_then)),
        Compared::Shown(it) => shown(room, &it),
    };
    view! {
        <div class="pup-paper" data-document=paper.id.clone()>
            <details on:toggle=move |event| if is_open(&event) { open() }>
                <summary><span class="pup-title">{title}</span>" "<span class="pup-quiet">{was}</span></summary>
                <div class="pup-difference">{fresh(content)}</div>
            </details>
            {leads}
            <Back
                room
                run=run.to_owned()
                target=BackTarget::Document(paper.id.clone())
                text=words.put_back
            />
        </div>
    }
    .into_any()
}

async fn compare(paper: &RunPaper) -> Compared {
    let before = match &paper.version {
        Some(token) => calls::version(token).await,
        None if paper.was == "created" => Some(Vec::new()),
        None => return Compared::NoVersion,
    };
    match (before, calls::present(&paper.id).await) {
        (Some(before), Some(now)) => Compared::Shown(Difference::of(&before, &now)),
        _ => Compared::Unread,
    }
}

fn plain(text: &'static str) -> AnyView {
    view! { <div class="pup-quiet" role="status">{text}</div> }.into_any()
}

fn shown(room: Room, difference: &Difference) -> AnyView {
    let words = room.words;
    let blocks = difference.blocks.iter().map(|block| {
        let pieces = block.iter().map(piece).collect_view();
        view! { <p>{pieces}</p> }
    });
    let most = MOST_BLOCKS.to_string();
    let more = (difference.more > 0).then(|| {
        let text = fill(words.more_blocks, &[("most", &most), ("n", &difference.more.to_string())]);
        view! { <div class="pup-quiet">{text}</div> }
    });
    view! {
        <div class="pup-words" tabindex="0" role="region" aria-label=words.difference>{blocks.collect_view()}</div>
        {more}
    }
    .into_any()
}

/// A stretch; screen readers read that it was removed or added.
fn piece(piece: &Piece) -> AnyView {
    match piece {
        Piece::Same(text) => view! { <span>{text.clone()}</span> }.into_any(),
        Piece::Gone(text) => view! { <del>{text.clone()}</del> }.into_any(),
        Piece::New(text) => view! { <ins>{text.clone()}</ins> }.into_any(),
    }
}
