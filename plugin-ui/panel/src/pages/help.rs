//! The help page: what to do in each state, the words, the keys, and links to the documentation.

use leptos::prelude::*;
use puppy_ui_parts::{Button, Card, Group, Hint, Link, Space};

use crate::state::page::PanelPage;
use crate::store::Store;
use puppy_ui_web::words::connection::ConnectionWords;
use puppy_ui_web::words::help::HelpWords;

/// The documentation of this version and later ones.
const DOCS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/");

/// The content of the page.
#[component]
pub(crate) fn Help() -> AnyView {
    let store = Store::here();
    let words = HelpWords::of(&store.lang());
    view! {
        <div>
            <Group title=words.troubles>
                <Card>{troubles(store, words)}</Card>
            </Group>
            <Group title=words.terms>
                <Card>{terms(store, words)}</Card>
            </Group>
            <Group title=words.keys>
                <Card>{keys(words)}</Card>
            </Group>
            <Group title=words.docs>
                <Card>
                    <div class="pup-drawn"><Hint text=words.docs_hint/>{links(store, words)}</div>
                </Card>
            </Group>
        </div>
    }
    .into_any()
}

/// A text, and the pages that it leads to.
#[component]
fn Way(store: Store, name: String, hint: &'static str, to: &'static [PanelPage]) -> AnyView {
    let hint = (!hint.is_empty()).then(|| view! { <Hint text=hint/> });
    let button = |to: &PanelPage| {
        let to = *to;
        view! { <Button name="go" text=to.title(store.words) press=move |_| store.go(to) attr:data-to=to.name()/> }
    };
    view! {
        <div class="fn__flex b3-label config-item config-wrap">
            <div class="fn__flex-1">
                <div class="config-name">{name}</div>
                {hint}
            </div>
            <Space/>
            <span class="pup-buttons">{to.iter().map(button).collect_view()}</span>
        </div>
    }
    .into_any()
}

fn troubles(store: Store, words: &HelpWords) -> Vec<AnyView> {
    use PanelPage::{Advanced, Agents, Connection, Home, Permissions, Tools};
    let rows: [(&str, &'static str, &[PanelPage]); 7] = [
        (words.off, words.off_do, &[Connection]),
        (words.no_tools, words.no_tools_do, &[Connection]),
        (words.unseen, words.unseen_do, &[Permissions, Agents, Tools]),
        (words.refused, words.refused_do, &[Home]),
        (words.waits, words.waits_do, &[Advanced]),
        (store.words.why_silent, words.silent_do, &[]),
        (words.readonly, words.readonly_do, &[]),
    ];
    let row = |(name, hint, to): (&str, _, _)| view! { <Way store name=name.to_owned() hint to/> }.into_any();
    rows.into_iter().map(row).collect()
}

fn terms(store: Store, words: &HelpWords) -> AnyView {
    let terms = [
        (words.level, words.level_means),
        (words.agent, words.agent_means),
        (words.errand, words.errand_means),
        (words.tool, words.tool_means),
        (words.draft, words.draft_means),
        (store.words.dangerous, words.dangerous_means),
    ];
    let term = |(term, means)| view! { <dt>{term}</dt><dd>{means}</dd> };
    view! { <dl class="pup-terms">{terms.map(term).collect_view()}</dl> }.into_any()
}

fn keys(words: &HelpWords) -> AnyView {
    let keys: [(&[&'static str], &'static str); 6] = [
        (&["Ctrl F", "⌘ F"], words.key_search),
        (&["↑", "↓", "Home", "End"], words.key_pages),
        (&["←", "→", "↑", "↓"], words.key_cells),
        (&["Space", "Enter"], words.key_choose),
        (&["Esc"], words.key_close),
        (&["Enter", "←", "→", "Shift F10"], words.key_puppy),
    ];
    let line = |(keys, does): (&[&'static str], _)| {
        let keys = keys.iter().map(|it| view! { <kbd>{*it}</kbd> }).collect_view();
        view! { <dt>{keys}</dt><dd>{does}</dd> }
    };
    view! { <dl class="pup-terms">{keys.map(line).collect_view()}</dl> }.into_any()
}

fn links(store: Store, words: &HelpWords) -> AnyView {
    let links = [
        ("install.md", words.doc_install),
        ("clients.md", ConnectionWords::of(&store.lang()).clients),
        ("permissions.md", store.words.permissions),
        ("agents.md", store.words.agents),
        ("danger.md", words.doc_danger),
        ("faq.md", words.doc_faq),
        ("reference/README.md", words.doc_reference),
    ];
    let link = |(file, name): (&str, &str)| {
        view! { <li><Link href=format!("{DOCS}{file}") text=name.to_owned() target="_blank"/></li> }
    };
    view! { <ul class="pup-links">{links.map(link).collect_view()}</ul> }.into_any()
}
