//! The answer of a call: its content, a tree of its data, or the message itself, with its size and time.

use std::sync::Arc;

use crate::state::answer::Answer;
use puppy_core::render::visible;
use puppy_mcp_client::content::Piece;
use puppy_ui_parts as parts;
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use serde_json::Value;

use crate::room::Room;

/// The most things of one list or object that the tree shows.
const MOST: usize = 500;

/// A way to look at an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Content,
    Tree,
    Raw,
}

/// The answer, once there is one.
pub(crate) fn view(room: Room, answer: RwSignal<Option<Arc<Answer>>>) -> El {
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
    let status = el("div", "config-name pup-outcome").attr("role", "status").says(line);
    let status =
        status.class_if("pup-failure", move || answer.with(|it| it.as_ref().is_some_and(|it| it.is_error)));
    let looks = [
        (Look::Content, "content", words.as_content),
        (Look::Tree, "tree", words.as_tree),
        (Look::Raw, "raw", words.as_raw),
    ];
    let looks = looks.map(|(own, name, title)| {
        parts::toggle(title, move || look.get() == own).attr("data-look", name).click(move || look.set(own))
    });
    let copied = move |what: fn(&Answer) -> String| {
        move || answer.with_untracked(|it| it.as_deref().map(what).unwrap_or_default())
    };
    let copy = room.copy_button("answer", words.copy_answer, copied(Answer::text));
    let choices =
        el("div", "pup-choices").attr("role", "group").attr("aria-label", words.answer).all(looks).put(copy);
    let shown = el("div", "pup-answer").shows(move || {
        let Some(answer) = answer.get() else { return el("div", "") };
        match look.get() {
            Look::Content => el("div", "").all(answer.pieces.iter().map(|it| piece(room, it))),
            Look::Tree => el("div", "pup-tree").put(branch("", &answer.data, true)),
            Look::Raw => text(&answer.raw),
        }
    });
    let card = el("div", "config-items pup-card-body").put(status).put(choices).put(shown);
    let group = parts::group(words.answer).attr("data-name", "answer").put(card);
    group.shown_if(move || answer.with(Option::is_some))
}

fn text(text: &str) -> El {
    el("pre", "").attr("tabindex", "0").text(text)
}

/// A piece of content. What a server sent is text, a picture or a file, never markup.
pub(crate) fn piece(room: Room, piece: &Piece) -> El {
    match piece {
        Piece::Text(words) => text(words),
        Piece::Document { uri, text: words, .. } => {
            el("figure", "pup-piece").put(el("figcaption", "pup-quiet").text(uri)).put(text(words))
        }
        Piece::Picture { mime, data } => {
            let picture = el("img", "pup-picture").attr("alt", room.words.picture);
            picture.attr("src", &format!("data:{mime};base64,{data}"))
        }
        Piece::Download { name, mime, data, .. } => {
            // Its own media type could make a browser show it.
            let link = el("a", "b3-button b3-button--outline").attr("download", name);
            let link = link.attr("href", &format!("data:application/octet-stream;base64,{data}"));
            link.text(&fill(room.words.save_file, &[("name", name)])).put(el("span", "pup-quiet").text(mime))
        }
        Piece::Link { uri, name, description, opens } => {
            let title = if name.is_empty() { uri } else { name };
            let link = if *opens {
                let link = el("a", "").attr("href", uri).attr("target", "_blank");
                link.attr("rel", "noopener noreferrer")
            } else {
                el("span", "")
            };
            // Letters that turn others around could make an address look like another one.
            let [title, uri, description] = [title, uri, description].map(|it| visible::shown(it));
            let link = link.text(&title);
            let about = el("span", "pup-quiet").text(" ").text(&uri).text(" ").text(&description);
            el("div", "pup-piece").put(link).put(about)
        }
        Piece::Json(value) => text(&serde_json::to_string_pretty(value).unwrap_or_default()),
    }
}

/// A part of the tree; what is in it is made when it is first opened.
fn branch(name: &str, value: &Value, is_open: bool) -> El {
    let count = match value {
        Value::Array(items) => format!("[{}]", items.len()),
        Value::Object(fields) => format!("{{{}}}", fields.len()),
        leaf => {
            let key = el("span", "pup-key").text(name).text(": ");
            return el("div", "pup-leaf").put(key).put(el("span", "pup-value").text(&leaf.to_string()));
        }
    };
    let summary = el("summary", "")
        .put(el("span", "pup-key").text(name).text(" "))
        .put(el("span", "pup-quiet").text(&count));
    let inside = el("div", "pup-inside");
    let details = el("details", "").put(summary).put(inside.clone());
    if is_open {
        let _ = filled(inside, value);
        return details.flag("open", true);
    }
    let (is_filled, value) = (std::cell::Cell::new(false), value.clone());
    details.on("toggle", move |_| {
        if !is_filled.replace(true) {
            let _ = filled(inside.clone(), &value);
        }
    })
}

fn filled(inside: El, value: &Value) -> El {
    let parts: Vec<(String, &Value)> = match value {
        Value::Array(items) => {
            items.iter().take(MOST).enumerate().map(|(n, it)| (n.to_string(), it)).collect()
        }
        Value::Object(fields) => fields.iter().take(MOST).map(|(name, it)| (name.clone(), it)).collect(),
        _ => Vec::new(),
    };
    let inside = inside.all(parts.iter().map(|(name, it)| branch(name, it, false)));
    let is_cut = parts.len() == MOST;
    if is_cut { inside.put(el("div", "pup-quiet").text("…")) } else { inside }
}
