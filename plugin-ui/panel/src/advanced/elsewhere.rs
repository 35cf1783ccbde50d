//! Settings from elsewhere and to elsewhere: the older plugin's, the exported file, the defaults.

use crate::state::own_presets::OWN_PRESETS_FILE;
use crate::state::report::REPORT_FILE;
use puppy_core::config::{ACCESS_FILE, GRANTS_FILE, HTTP_FILE, MADE_FILE, SWITCHES_FILE, Switches};
use puppy_core::kernel::api::notebook::Notebook;
use puppy_core::kernel::files;
use puppy_core::permission::{Grants, Level, Table};
use puppy_ui_parts::el::{El, el};
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::settings::SETTINGS_FILE;
use puppy_ui_web::words::fill;
use reactive_graph::prelude::*;
use serde_json::{Map, Value};

use super::Advanced;
use crate::parts;
use crate::state::page::{Drafted, PanelPage};
use puppy_ui_web::state::trouble::Load;

/// The older plugin's name, and the folder of its settings, which is read and never written.
const OLDER: &str = "SiYuan MCP sisyphus";
const OLDER_FOLDER: &str = "/data/storage/petal/siyuan-plugins-mcp-sisyphus/";
/// The name of the exported file.
const EXPORTED: &str = "siyuan-mcp-puppy-settings.json";
/// Every file of settings that holds no secret but the token. The playground's connections stay here for their headers.
const FILES: [&str; 8] = [
    SWITCHES_FILE,
    GRANTS_FILE,
    MADE_FILE,
    ACCESS_FILE,
    HTTP_FILE,
    SETTINGS_FILE,
    OWN_PRESETS_FILE,
    REPORT_FILE,
];

pub(super) fn group(page: Advanced) -> El {
    let (words, store) = (page.words, page.store);
    let hint = fill(words.older_hint, &[("name", OLDER)]);
    let import = parts::button("import", words.import).flag("disabled", store.readonly);
    let import = import.click(move || {
        host::spawn(async move {
            let said = page.import().await;
            page.said.try_set(said);
        });
    });
    let export = parts::button("export", words.export).click(move || page.export());
    let reset = parts::button("reset", words.reset).flag("disabled", store.readonly);
    let reset = reset.click(move || {
        let said = page.draft(words.reset, &|_| Some(Grants::DEFAULT), &Switches::default());
        page.said.set(said);
    });
    let has_draft = move |to| Drafted::of(to).is_some_and(|it| store.changes(it) > 0);
    let way = |to: PanelPage| {
        let title = fill(words.review, &[("page", to.title(store.words))]);
        let way = parts::button("review", &title).attr("data-to", to.name());
        way.click(move || store.go(to)).shown_if(move || has_draft(to))
    };
    let said = el("div", "").attr("role", "status").attr("data-name", "said").says(move || page.said.get());
    let ways = el("span", "pup-buttons").put(way(PanelPage::Permissions)).put(way(PanelPage::Tools));
    let below = el("div", "fn__flex pup-below").put(said.attr("class", "fn__flex-1")).put(ways);
    let card = parts::card()
        .put(row("import", words.older, &hint, import))
        .put(row("export", words.export, words.export_hint, export))
        .put(row("reset", words.reset, words.reset_hint, reset));
    let below = below.shown_if(move || page.said.with(|it| !it.is_empty()));
    parts::group(words.settings).put(card).put(below)
}

fn row(key: &'static str, name: &'static str, hint: &str, control: El) -> El {
    parts::row(Advanced::label(key, name, ""), Some(parts::hint(hint)), control)
}

impl Advanced {
    /// Takes the older plugin's settings over as a draft, and says what came of it (B-238).
    async fn import(self) -> String {
        let words = self.words;
        let older = async |name| files::read(&PageKernel, &format!("{OLDER_FOLDER}{name}")).await;
        let (levels, switches) = match (older(GRANTS_FILE).await, older(SWITCHES_FILE).await) {
            (Ok(None), Ok(None)) => return words.no_older.to_owned(),
            (Ok(levels), Ok(switches)) => (levels, switches),
            (Err(why), _) | (_, Err(why)) => return self.store.words.why(why.into()).to_owned(),
        };
        let torn = |file| fill(words.older_torn, &[("file", file)]);
        let Some(table) = levels.map_or_else(|| Some(Table::default()), |bytes| Table::parse(&bytes)) else {
            return torn(GRANTS_FILE);
        };
        let own = self.store.switches.with_untracked(|draft| draft.now().clone());
        let Some(wanted) = switches.map_or_else(|| Some(own.clone()), |bytes| own.with_older(&bytes)) else {
            return torn(SWITCHES_FILE);
        };
        self.draft(words.older, &|notebook| table.get(notebook), &wanted)
    }

    /// Changes each draft in one step of this name, and says how much that changed.
    fn draft(self, name: &str, level: &dyn Fn(&str) -> Option<Level>, switches: &Switches) -> String {
        let (store, words) = (self.store, self.words);
        let loads = [store.notebooks_load, store.switches_load].map(|it| it.get_untracked());
        if loads != [Load::Ready; 2] {
            return words.not_read.to_owned();
        }
        let own = |it: &&Notebook| !it.encrypted;
        let row = |it: &Notebook| Some((it.id.clone(), level(&it.id)?));
        let rows: Vec<_> =
            store.notebooks.with_untracked(|all| all.iter().filter(own).filter_map(row).collect());
        let (mut levels, mut tools) = (0, 0);
        store.edit_levels(|draft| draft.gesture(name.to_owned(), |it| levels = it.take(&rows)));
        store.edit_switches(|draft| draft.gesture(name.to_owned(), |it| tools = it.take(switches)));
        if levels + tools == 0 {
            return words.same.to_owned();
        }
        fill(words.taken, &[("levels", &levels.to_string()), ("switches", &tools.to_string())])
    }

    /// Hands out every file of settings in one; the token stays here.
    fn export(self) {
        host::spawn(async move {
            let mut all = Map::new();
            for name in FILES {
                let bytes = match files::read(&PageKernel, &files::stored(name)).await {
                    Ok(bytes) => bytes,
                    Err(why) => {
                        self.unread(Some(why.into()));
                        return;
                    }
                };
                // A file that is no JSON is left out: nobody could tell a token in it.
                let content = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
                if let Some(Value::Object(mut content)) = content {
                    content.remove("token");
                    all.insert(name.to_owned(), Value::Object(content));
                }
            }
            let text = Value::Object(all).to_string();
            self.store.with_bridge(|bridge| bridge.save(EXPORTED, &text));
        });
    }
}
