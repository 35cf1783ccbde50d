//! Rules for the end of the plugin: what a script began ends with it, and nothing is written while it goes.

use super::Findings;
use super::code::scripts;
use crate::archive::Package;

/// Observers that go on after the element that they watch.
const OBSERVERS: [&str; 3] = ["new MutationObserver(", "new ResizeObserver(", "new IntersectionObserver("];
/// A beginning whose end must be in the same script.
const PAIRS: [(&str, &str); 2] = [("setInterval(", "clearInterval("), ("new WebSocket(", ".close(")];
/// The receivers of listeners that outlive our elements; the empty one is the window.
const LASTING: [&str; 7] =
    ["", "body", "document", "document.body", "document.documentElement", "target", "window"];
/// Words that write or remove something stored.
const WRITES: [&str; 7] =
    ["putFile", "removeData", "removeFile", "saveData", "setItem", "store(", "writeFile"];
/// The methods that the host calls at the end, and the part of ours that they share.
const ENDS: [&str; 2] = ["onunload() {", "dispose() {"];

/// A listener or observer that stays would work for a plugin that is gone, once for each time it was loaded.
pub(super) fn what_began_ends(package: &Package) -> Findings {
    scripts(package).flat_map(|(name, script)| endless(name, script)).collect()
}

fn endless(name: &str, script: &str) -> Findings {
    let mut found = Findings::new();
    let mut must = |began: &str, end: &str| {
        if !script.contains(end) {
            found.push(format!("{name} begins {began} and never ends it: `{end}` is missing"));
        }
    };
    for made in OBSERVERS {
        for (at, _) in script.match_indices(made) {
            let named = script[..at].trim_end().strip_suffix('=').map(str::trim_end);
            let owner = named.map_or("", |it| last_word(it, &['#', '.']));
            must(&format!("`{made}`"), &format!("{owner}.disconnect("));
        }
    }
    for (began, end) in PAIRS {
        if script.contains(began) {
            must(&format!("`{began}`"), end);
        }
    }
    for (listens, stops) in [("addEventListener(", "removeEventListener("), ("eventBus.on(", "eventBus.off(")]
    {
        for (at, _) in script.match_indices(listens) {
            // A listener on the result of a call disappears with the element that the call returned.
            let receiver = match script[..at].strip_suffix('.') {
                Some(before) => Some(last_word(before, &['.'])).filter(|it| !it.is_empty()),
                None => Some(""),
            };
            let event = script[at + listens.len()..].split(',').next().unwrap_or_default();
            if listens == "eventBus.on(" || receiver.is_some_and(|it| LASTING.contains(&it)) {
                must(&format!("a listener for {event}"), &format!("{stops}{event},"));
            }
        }
    }
    found
}

/// The identifier at the end of a text, with these characters in it.
fn last_word<'a>(text: &'a str, more: &[char]) -> &'a str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || more.contains(&c);
    let start =
        text.rfind(|c| !is_part(c)).map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
    &text[start..]
}

/// The host calls `onunload` at each reload and on every device that got an update: a write there is a conflict of sync.
pub(super) fn nothing_is_written_at_the_end(package: &Package) -> Findings {
    let script = package.files.text("index.js");
    let mut found = Findings::new();
    for method in ["onunload(", "uninstall("] {
        if !script.contains(method) {
            found.push(format!("index.js has no `{method})`"));
        }
    }
    for end in ENDS {
        let body = script.split_once(end).map_or("", |(_, rest)| body(rest));
        let written = WRITES.iter().filter(|it| body.contains(*it));
        found.extend(written.map(|it| format!("`{it}` is in `{end}` of index.js: nothing is written there")));
    }
    found
}

/// The text up to the brace that closes a body.
fn body(text: &str) -> &str {
    let mut depth = 1_u32;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}
