//! The components of pages that are not views yet.

use crate::el::{El, el, svg};

/// A page: the tab's panel, and in it what grows above a bar.
pub fn page(name: &str, title: &str, readonly: Option<&str>) -> (El, El) {
    let page = el("div", "config__tab-container pup-page").attr("role", "tabpanel");
    let grow = el("div", "pup-grow");
    let grow = match readonly {
        Some(text) => grow.put(el("div", "pup-notice").attr("role", "note").text(text)),
        None => grow,
    };
    (page.attr("data-name", name).attr("aria-label", title), grow)
}

/// A group of rows with a title.
pub fn group(title: &str) -> El {
    el("div", "config-group").put(el("div", "config-title").text(title))
}

/// The card around the rows of a group.
pub fn card() -> El {
    el("div", "config-items")
}

/// A placeholder while files are read.
pub fn loading(text: &str) -> El {
    let lines = el("div", "pup-loading").attr("role", "status").attr("aria-label", text);
    lines.html("<i></i><i></i><i></i>")
}

/// A secondary text.
pub fn hint(text: &str) -> El {
    el("div", "b3-label__text").text(text)
}

/// The host's space between two things.
pub fn space() -> El {
    el("span", "fn__space")
}

/// A button of the host; `name` is its name in the page's attributes.
pub fn button(name: &str, title: &str) -> El {
    let button = el("button", "b3-button b3-button--outline fn__flex-center").attr("type", "button");
    button.attr("data-do", name).text(title)
}

/// An icon of the host.
pub fn icon(symbol: &str) -> El {
    // Our own names only, so this is never a person's text.
    let svg = svg("b3-list-item__graphic", &format!("<use href=\"#{symbol}\"></use>"));
    svg.attr("aria-hidden", "true")
}
