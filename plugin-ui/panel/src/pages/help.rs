//! The help page: the first steps, what to do in each state, the words, the keys, and links to the documentation.

use puppy_ui_parts::el::{El, el};
use puppy_ui_web::words::connection::ConnectionWords;
use puppy_ui_web::words::help::HelpWords;

use crate::state::page::PanelPage;
use crate::store::Store;
use puppy_ui_parts as parts;

/// The documentation of this version and later ones.
const DOCS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/");

/// The content of the page.
pub(crate) fn page(store: Store) -> El {
    let words = HelpWords::of(&store.lang());
    let view = el("div", "").put(steps(store, words)).put(troubles(store, words));
    view.put(terms(store, words)).put(keys(words)).put(docs(store, words))
}

/// A text, and the pages that it leads to.
fn row(store: Store, name: &str, hint: &str, to: &[PanelPage]) -> El {
    let text = el("div", "fn__flex-1").put(el("div", "config-name").text(name));
    let text = if hint.is_empty() { text } else { text.put(parts::hint(hint)) };
    let ways = to.iter().map(|to| {
        let to = *to;
        parts::button("go", to.title(store.words)).attr("data-to", to.name()).click(move || store.go(to))
    });
    let ways = el("span", "pup-buttons").all(ways);
    el("div", "fn__flex b3-label config-item config-wrap").put(text).put(parts::space()).put(ways)
}

fn steps(store: Store, words: &HelpWords) -> El {
    let steps = [
        (words.step_connect, PanelPage::Connection),
        (words.step_levels, PanelPage::Permissions),
        (words.step_watch, PanelPage::Activity),
    ];
    let rows = (1..).zip(steps).map(|(at, (text, to))| row(store, &format!("{at}. {text}"), "", &[to]));
    parts::group(words.steps).put(parts::card().all(rows))
}

fn troubles(store: Store, words: &HelpWords) -> El {
    use PanelPage::{Advanced, Connection, Home, Permissions, Tools};
    let rows: [(&str, &str, &[PanelPage]); 7] = [
        (words.off, words.off_do, &[Connection]),
        (words.no_tools, words.no_tools_do, &[Connection]),
        (words.unseen, words.unseen_do, &[Permissions, Tools]),
        (words.refused, words.refused_do, &[Home]),
        (words.waits, words.waits_do, &[Advanced]),
        (store.words.why_silent, words.silent_do, &[]),
        (words.readonly, words.readonly_do, &[]),
    ];
    let rows = rows.map(|(name, hint, to)| row(store, name, hint, to));
    parts::group(words.troubles).put(parts::card().all(rows))
}

fn terms(store: Store, words: &HelpWords) -> El {
    let terms = [
        (words.level, words.level_means),
        (words.tool, words.tool_means),
        (words.draft, words.draft_means),
        (store.words.dangerous, words.dangerous_means),
    ];
    let list = el("dl", "pup-terms")
        .all(terms.into_iter().flat_map(|(term, means)| [el("dt", "").text(term), el("dd", "").text(means)]));
    parts::group(words.terms).put(parts::card().put(list))
}

fn keys(words: &HelpWords) -> El {
    let keys: [(&[&str], &str); 6] = [
        (&["Ctrl F", "⌘ F"], words.key_search),
        (&["↑", "↓", "Home", "End"], words.key_pages),
        (&["←", "→", "↑", "↓"], words.key_cells),
        (&["Space", "Enter"], words.key_choose),
        (&["Esc"], words.key_close),
        (&["Enter", "←", "→", "Shift F10"], words.key_puppy),
    ];
    let list = el("dl", "pup-terms").all(keys.into_iter().flat_map(|(keys, does)| {
        let keys = keys.iter().map(|it| el("kbd", "").text(it));
        [el("dt", "").all(keys), el("dd", "").text(does)]
    }));
    parts::group(words.keys).put(parts::card().put(list))
}

fn docs(store: Store, words: &HelpWords) -> El {
    let links = [
        ("install.md", words.doc_install),
        ("clients.md", ConnectionWords::of(&store.lang()).clients),
        ("permissions.md", store.words.permissions),
        ("danger.md", words.doc_danger),
        ("faq.md", words.doc_faq),
        ("reference/README.md", words.doc_reference),
    ];
    let links = links.map(|(file, name)| {
        let link = el("a", "").attr("href", &format!("{DOCS}{file}")).attr("target", "_blank");
        el("li", "").put(link.attr("rel", "noopener noreferrer").text(name))
    });
    let list = el("ul", "pup-links").all(links);
    parts::group(words.docs)
        .put(parts::card().put(el("div", "pup-drawn").put(parts::hint(words.docs_hint)).put(list)))
}
