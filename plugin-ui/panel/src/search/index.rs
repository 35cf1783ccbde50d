//! The places that the search finds: each with its name, a text about it, its page and where it is there.

use crate::state::find::Query;
use puppy_core::find::actions_of;
use puppy_core::id::NotebookId;
use puppy_core::spec::Tool;
use puppy_ui_web::words::actions::{self, Told};
use puppy_ui_web::words::activity::ActivityWords;
use puppy_ui_web::words::advanced::AdvancedWords;
use puppy_ui_web::words::connection::ConnectionWords;
use puppy_ui_web::words::help::HelpWords;
use puppy_ui_web::words::home::HomeWords;
use puppy_ui_web::words::puppy_page::PuppyPageWords;
use puppy_ui_web::words::report::ReportWords;
use reactive_graph::prelude::*;

use crate::state::page::PanelPage;
use crate::store::Store;

/// Something that was found.
#[derive(Clone, PartialEq)]
pub(super) struct Hit {
    pub(super) name: String,
    pub(super) page: PanelPage,
    /// The selector of its control on the page; empty for the page itself.
    pub(super) place: String,
    pub(super) is_page: bool,
    rank: u8,
}

/// The hits so far.
struct Found<'q> {
    query: &'q Query,
    hits: Vec<Hit>,
}

impl Found<'_> {
    fn look(&mut self, page: PanelPage, name: &str, about: &str, place: &str, is_page: bool) {
        let Some(rank) = self.query.rank(name, about) else { return };
        let hit = Hit { name: name.to_owned(), page, place: place.to_owned(), is_page, rank };
        // Entries of one rank stay in the order in which they are looked at.
        let at = self.hits.partition_point(|it| it.rank <= rank);
        self.hits.insert(at, hit);
    }
}

/// Everything that matches, the best first.
pub(super) fn find(store: Store, query: &Query) -> Vec<Hit> {
    let mut found = Found { query, hits: Vec::new() };
    let lang = store.lang();
    for page in PanelPage::ALL {
        found.look(page, page.title(store.words), "", "", true);
    }
    settings(store, &mut found);
    for tool in Tool::ALL.into_iter().filter(|it| actions_of(*it).next().is_some()) {
        let told = actions::tool(&lang, tool);
        let place = format!("[data-tool=\"{}\"]", tool.name());
        found.look(PanelPage::Tools, tool.name(), &about(told), &place, false);
        for spec in actions_of(tool) {
            let (path, told) = (spec.path(), actions::action(&lang, spec));
            let place = format!("[data-action=\"{path}\"]");
            found.look(PanelPage::Tools, &path, &about(told), &place, false);
        }
    }
    store.notebooks.with(|all| {
        for notebook in all {
            // Ids come from a file that a person may edit; only a real one goes into a selector.
            if let Some(id) = NotebookId::parse(&notebook.id) {
                let place = format!("[data-notebook=\"{}\"] [aria-checked=true]", id.as_str());
                found.look(PanelPage::Permissions, &notebook.name, "", &place, false);
            }
        }
    });
    found.hits
}

/// The name and the summary in the language of the page.
fn about(told: Told) -> String {
    format!("{} {}", told.name.unwrap_or_default(), told.summary)
}

/// The settings and buttons of each page, by the names that they have there.
fn settings(store: Store, found: &mut Found<'_>) {
    let lang = store.lang();
    let home = HomeWords::of(&lang);
    let server = ConnectionWords::of(&lang);
    let calls = ActivityWords::of(&lang);
    let puppy = PuppyPageWords::of(&lang);
    let report = ReportWords::of(&lang);
    let help = HelpWords::of(&lang);
    let more = AdvancedWords::of(&lang);
    let control = |key: &str| format!("[data-setting=\"{key}\"]");
    let button = |key: &str| format!("[data-do=\"{key}\"]");
    let all = [
        (PanelPage::Home, home.pause, "", button("pause")),
        (PanelPage::Connection, server.server, server.start, button("toggle")),
        (PanelPage::Connection, server.autostart, server.autostart_hint, control("autostart")),
        (PanelPage::Connection, server.port, server.port_hint, control("port")),
        (PanelPage::Connection, server.encrypted, server.encrypted_hint, control("tls")),
        (PanelPage::Connection, server.origins, server.origins_hint, control("origins")),
        (PanelPage::Connection, server.token, server.token_make, String::new()),
        (PanelPage::Connection, server.clients, "", "[data-client]".to_owned()),
        (PanelPage::Connection, server.assistant_use, server.assistant_hint, control("assistant")),
        (
            PanelPage::Permissions,
            store.draft_words.made,
            store.draft_words.made_hint,
            control("new_notebook_level"),
        ),
        (PanelPage::Activity, calls.recent, calls.filter_calls, control("text")),
        (PanelPage::Activity, calls.export_calls, "", button("export")),
        (PanelPage::Activity, calls.clear, calls.clear_title, button("clear")),
        (PanelPage::Activity, calls.chart, calls.map, String::new()),
        (PanelPage::Activity, calls.top, "", String::new()),
        (PanelPage::Puppy, puppy.show, puppy.show_hint, control("show")),
        (PanelPage::Puppy, puppy.size, "", control("size")),
        (PanelPage::Puppy, puppy.coat, "", control("coat")),
        (PanelPage::Puppy, puppy.collar, "", control("collar")),
        (PanelPage::Puppy, puppy.puppy_home, "", button("home")),
        (PanelPage::Puppy, puppy.bubble, puppy.bubble_hint, control("bubble")),
        (PanelPage::Puppy, puppy.quiet, puppy.quiet_hint, control("quiet")),
        (PanelPage::Puppy, puppy.hearts, puppy.hearts_hint, control("hearts")),
        (PanelPage::Puppy, puppy.calm, puppy.calm_hint, control("calm")),
        (PanelPage::Puppy, puppy.trot, puppy.trot_hint, control("trot")),
        (PanelPage::Puppy, puppy.follow, puppy.follow_hint, control("follow")),
        (PanelPage::Puppy, puppy.fade, puppy.fade_hint, control("fade")),
        (PanelPage::Puppy, puppy.speak, puppy.speak_hint, control("speak")),
        (PanelPage::Puppy, puppy.phones, puppy.phones_hint, control("phones")),
        (PanelPage::Puppy, puppy.test, puppy.test_hint, button("play-all")),
        (PanelPage::Advanced, more.confirm, more.danger, control("confirm")),
        (PanelPage::Advanced, more.confirm_next, more.confirm, control("confirm_2")),
        (PanelPage::Advanced, more.patience, more.patience_hint, control("question_minutes")),
        (PanelPage::Advanced, more.folder, more.folder_hint, control("transfer_folder")),
        (PanelPage::Advanced, more.tag, more.tag_hint, control("prompt_tag")),
        (PanelPage::Advanced, more.older, more.import, button("import")),
        (PanelPage::Advanced, more.export, more.export_hint, button("export")),
        (PanelPage::Advanced, more.reset, more.reset_hint, button("reset")),
        (PanelPage::Advanced, report.report_address, report.report, control("report_address")),
        (PanelPage::Advanced, report.report_hours, report.report, control("report_hours")),
        (PanelPage::Advanced, report.report_send, report.report_what, button("show-report")),
        (PanelPage::Advanced, more.remove, more.uninstall, button("remove")),
        (PanelPage::Help, help.steps, "", String::new()),
        (PanelPage::Help, help.troubles, "", String::new()),
        (PanelPage::Help, help.terms, "", String::new()),
        (PanelPage::Help, help.keys, "", String::new()),
        (PanelPage::Help, help.docs, "", ".pup-links a".to_owned()),
    ];
    for (page, name, about, place) in all {
        found.look(page, name, about, &place, false);
    }
}
