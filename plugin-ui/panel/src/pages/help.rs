//! The help page: the first steps, what to do in each state, the words, the keys, and links to the documentation.

use puppy_ui_parts::el::{El, el};
use puppy_ui_web::words::help::HelpWords;

use crate::pages::visit::Visit;
use crate::state::page::PanelPage;
use puppy_ui_parts as parts;

/// The documentation of this version and later ones.
const DOCS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/");

/// What the page shows.
pub fn view(visit: Visit) -> El {
    let words = HelpWords::of(&visit.lang());
    let view = el("div", "").put(steps(visit, words)).put(troubles(visit, words));
    view.put(terms(visit, words)).put(keys(visit, words)).put(docs(visit, words))
}

/// A text, and the pages that it leads to.
fn row(visit: Visit, name: &str, hint: &str, to: &[PanelPage]) -> El {
    let text = el("div", "fn__flex-1").put(el("div", "config-name").text(name));
    let text = if hint.is_empty() { text } else { text.put(parts::hint(hint)) };
    let ways = to.iter().map(|to| {
        let to = *to;
        parts::button("go", to.title(visit.panel)).attr("data-to", to.name()).click(move || visit.go(to))
    });
    let ways = el("span", "pup-buttons").all(ways);
    el("div", "fn__flex b3-label config-item config-wrap").put(text).put(parts::space()).put(ways)
}

fn steps(visit: Visit, words: &HelpWords) -> El {
    let steps = [
        (words.step_connect, PanelPage::Connection),
        (words.step_levels, PanelPage::Permissions),
        (words.step_watch, PanelPage::Activity),
    ];
    let rows = (1..).zip(steps).map(|(at, (text, to))| row(visit, &format!("{at}. {text}"), "", &[to]));
    parts::group(visit.names.steps).put(parts::card().all(rows))
}

fn troubles(visit: Visit, words: &HelpWords) -> El {
    use PanelPage::{Advanced, Connection, Home, Permissions, Tools};
    let rows: [(&str, &str, &[PanelPage]); 7] = [
        (words.off, words.off_do, &[Connection]),
        (words.no_tools, words.no_tools_do, &[Connection]),
        (words.unseen, words.unseen_do, &[Permissions, Tools]),
        (words.refused, words.refused_do, &[Home]),
        (words.waits, words.waits_do, &[Advanced]),
        (visit.panel.why_silent, words.silent_do, &[]),
        (words.readonly, words.readonly_do, &[]),
    ];
    let rows = rows.map(|(name, hint, to)| row(visit, name, hint, to));
    parts::group(visit.names.troubles).put(parts::card().all(rows))
}

fn terms(visit: Visit, words: &HelpWords) -> El {
    let terms = [
        (words.level, words.level_means),
        (words.tool, words.tool_means),
        (words.draft, words.draft_means),
        (visit.panel.dangerous, words.dangerous_means),
    ];
    let list = el("dl", "pup-terms")
        .all(terms.into_iter().flat_map(|(term, means)| [el("dt", "").text(term), el("dd", "").text(means)]));
    parts::group(visit.names.terms).put(parts::card().put(list))
}

fn keys(visit: Visit, words: &HelpWords) -> El {
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
    parts::group(visit.names.keys).put(parts::card().put(list))
}

fn docs(visit: Visit, words: &HelpWords) -> El {
    let links = [
        ("install.md", words.doc_install),
        ("clients.md", visit.names.clients),
        ("permissions.md", visit.panel.permissions),
        ("danger.md", words.doc_danger),
        ("faq.md", words.doc_faq),
        ("reference/README.md", words.doc_reference),
    ];
    let links = links.map(|(file, name)| {
        let link = el("a", "").attr("href", &format!("{DOCS}{file}")).attr("target", "_blank");
        el("li", "").put(link.attr("rel", "noopener noreferrer").text(name))
    });
    let list = el("ul", "pup-links").all(links);
    parts::group(visit.names.docs)
        .put(parts::card().put(el("div", "pup-drawn").put(parts::hint(words.docs_hint)).put(list)))
}
