//! The answer of a call: its content, a tree of its data, or the message itself, with its size and time.

use std::sync::Arc;

use crate::state::answer::Answer;
use crate::state::connection_text::seen;
use leptos::prelude::*;
use puppy_mcp_client::content::Piece;
use puppy_ui_parts::{Choices, CopyButton, Group, Pre, Toggle, fresh, show};
use puppy_ui_web::words::fill;
use serde_json::Value;

use crate::room::Room;

/// The number of items of one list or object that the tree shows.
const MOST: usize = 500;

/// A way to look at an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Content,
    Tree,
    Raw,
}

/// The answer, once there is one.
#[component]
pub(crate) fn Answered(room: Room, answer: RwSignal<Option<Arc<Answer>>>) -> AnyView {
    let words = room.words;
    let look = RwSignal::new(Look::Content);
    let line = move || {
        answer.with(|it| {
            let Some(it) = it else { return String::new() };
            let outcome = if it.is_error { words.failed } else { words.done };
            let [ms, bytes, tokens] =
                [it.took_ms, it.bytes() as u64, it.tokens() as u64].map(|it| it.to_string());
            let size = fill(words.size, &[("ms", &ms), ("bytes", &bytes), ("tokens", &tokens)]);
            format!("{outcome} · {size}")
        })
    };
    let is_failure = move || answer.with(|it| it.as_ref().is_some_and(|it| it.is_error));
    let looks = [
        (Look::Content, "content", words.as_content),
        (Look::Tree, "tree", words.as_tree),
        (Look::Raw, "raw", words.as_raw),
    ];
    let button = move |(own, name, title): (Look, &'static str, &'static str)| {
        view! {
            <Toggle
                text=title
                is_chosen=move || look.get() == own
                press=move |_| look.set(own)
                attr:data-look=name
            />
        }
    };
    let copied = move |()| answer.with_untracked(|it| it.as_deref().map(Answer::text).unwrap_or_default());
    let shown = move || {
        let Some(answer) = answer.get() else { return view! { <div></div> }.into_any() };
        match look.get() {
            Look::Content => {
                let pieces = answer.pieces.iter().map(|it| piece(room, it)).collect_view();
                view! { <div>{pieces}</div> }.into_any()
            }
            Look::Tree => {
                view! { <div class="pup-tree">{branch(String::new(), &answer.data, true)}</div> }.into_any()
            }
            Look::Raw => view! { <Pre text=answer.raw.clone()/> }.into_any(),
        }
    };
    view! {
        <Group title=words.answer name="answer" shown=move || answer.with(Option::is_some)>
            <div class="config-items pup-card-body">
                <div class="config-name pup-outcome" class:pup-failure=is_failure role="status">{line}</div>
                <Choices label=words.answer>
                    {looks.map(button).collect_view()}
                    <CopyButton copies=room.copies action="copy" name="answer" text=words.copy_answer copied/>
                </Choices>
                <div class="pup-answer">{fresh(shown)}</div>
            </div>
        </Group>
    }
    .into_any()
}

/// A piece of content. A server sends texts, pictures and files, never markup.
pub(crate) fn piece(room: Room, piece: &Piece) -> AnyView {
    match piece {
        Piece::Text(words) => view! { <Pre text=words.clone()/> }.into_any(),
        Piece::Document { uri, text, .. } => view! {
            <figure class="pup-piece">
                <figcaption class="pup-quiet">{seen(uri)}</figcaption>
                <Pre text=text.clone()/>
            </figure>
        }
        .into_any(),
        Piece::Picture { mime, data } => {
            let src = format!("data:{mime};base64,{data}");
            view! { <img class="pup-picture" alt=room.words.picture src=src/> }.into_any()
        }
        Piece::Download { name, mime, data, .. } => {
            // Its own media type could make a browser show it.
            let href = format!("data:application/octet-stream;base64,{data}");
            view! {
                <a class="b3-button b3-button--outline" download=name.clone() href=href>
                    {fill(room.words.save_file, &[("name", &seen(name))])}
                    <span class="pup-quiet">{seen(mime)}</span>
                </a>
            }
            .into_any()
        }
        Piece::Link { uri, name, description, opens } => {
            let href = opens.then(|| uri.clone());
            let title = if name.is_empty() { uri } else { name };
            // Characters that reverse the text direction could make an address look like another one.
            let [title, uri, description] = [title, uri, description].map(|it| seen(it));
            let link = match href {
                Some(href) => view! {
                    <a href=href target="_blank" rel="noopener noreferrer">{title}</a>
                }
                .into_any(),
                None => view! { <span>{title}</span> }.into_any(),
            };
            view! {
                <div class="pup-piece">
                    {link}
                    <span class="pup-quiet">" "{uri}" "{description}</span>
                </div>
            }
            .into_any()
        }
        Piece::Json(value) => {
            view! { <Pre text=serde_json::to_string_pretty(value).unwrap_or_default()/> }.into_any()
        }
    }
}

/// A part of the tree; the parts in it are made when it is first opened.
fn branch(name: String, value: &Value, is_open: bool) -> AnyView {
    let count = match value {
        Value::Array(items) => format!("[{}]", items.len()),
        Value::Object(fields) => format!("{{{}}}", fields.len()),
        leaf => {
            return view! {
                <div class="pup-leaf">
                    <span class="pup-key">{name}": "</span>
                    <span class="pup-value">{leaf.to_string()}</span>
                </div>
            }
            .into_any();
        }
    };
    let is_filled = RwSignal::new(is_open);
    let value = value.clone();
    view! {
        <details open=is_open on:toggle=move |_| show(is_filled, true)>
            <summary>
                <span class="pup-key">{name}" "</span>
                <span class="pup-quiet">{count}</span>
            </summary>
            <div class="pup-inside">{fresh(move || filled(is_filled.get(), &value))}</div>
        </details>
    }
    .into_any()
}

fn filled(is_filled: bool, value: &Value) -> AnyView {
    let parts: Vec<AnyView> = match value {
        Value::Array(items) if is_filled => {
            items.iter().take(MOST).enumerate().map(|(n, it)| branch(n.to_string(), it, false)).collect()
        }
        Value::Object(fields) if is_filled => {
            fields.iter().take(MOST).map(|(name, it)| branch(name.clone(), it, false)).collect()
        }
        _ => Vec::new(),
    };
    let is_cut = parts.len() == MOST;
    view! { {parts}{is_cut.then(|| view! { <div class="pup-quiet">"…"</div> })} }.into_any()
}
