//! Import and export of settings: the older plugin's settings, the exported file, the defaults.

use crate::state::own_presets::OWN_PRESETS_FILE;
use crate::state::report::REPORT_FILE;
use leptos::prelude::*;
use puppy_core::config::{ACCESS_FILE, GRANTS_FILE, HTTP_FILE, MADE_FILE, SWITCHES_FILE, Switches};
use puppy_core::kernel::api::notebook::Notebook;
use puppy_core::kernel::files;
use puppy_core::permission::{Grants, Level, LevelTable};
use puppy_ui_parts::{Button, Card, Group, Hint, Row};
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::settings::SETTINGS_FILE;
use puppy_ui_web::words::fill;
use serde_json::{Map, Value};

use super::AdvancedSignals;
use crate::state::page::{DraftKind, PanelPage};
use puppy_ui_web::state::trouble::Load;

/// The older plugin's name, and the folder of its settings, which is read and never written.
const OLDER: &str = "SiYuan MCP sisyphus";
const OLDER_FOLDER: &str = "/data/storage/petal/siyuan-plugins-mcp-sisyphus/";
/// The name of the exported file.
const EXPORTED: &str = "siyuan-mcp-puppy-settings.json";
/// Every file of settings without a secret other than the token. The playground's connections are not exported, because of
/// their headers.
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

/// The group with import, export and reset.
#[component]
pub(super) fn Elsewhere(page: AdvancedSignals) -> AnyView {
    let (words, readonly) = (page.words, page.store.readonly);
    let import = move || {
        host::spawn(async move {
            let said = page.import().await;
            page.said.try_set(said);
        });
    };
    let reset = move || {
        let said = page.draft(words.reset, &|_| Some(Grants::DEFAULT), &Switches::default());
        page.said.set(said);
    };
    let older_hint = view! { <Hint text=fill(words.older_hint, &[("name", OLDER)])/> };
    view! {
        <Group title=words.settings>
            <Card>
                <Row key="import" name=words.older below=older_hint.into_any()>
                    <Button name="import" text=words.import disabled=readonly press=move |_| import()/>
                </Row>
                <Row key="export" name=words.export hint=words.export_hint>
                    <Button name="export" text=words.export press=move |_| page.export()/>
                </Row>
                <Row key="reset" name=words.reset hint=words.reset_hint>
                    <Button name="reset" text=words.reset disabled=readonly press=move |_| reset()/>
                </Row>
            </Card>
            <div class="fn__flex pup-below" class:fn__none=move || page.said.with(String::is_empty)>
                <div class="fn__flex-1" role="status" data-name="said">{page.said}</div>
                <span class="pup-buttons">
                    <Review page to=PanelPage::Permissions/>
                    <Review page to=PanelPage::Tools/>
                </span>
            </div>
        </Group>
    }
    .into_any()
}

/// A button that leads to a page with changes in its draft.
#[component]
fn Review(page: AdvancedSignals, to: PanelPage) -> AnyView {
    let store = page.store;
    let has_draft = move || DraftKind::of(to).is_some_and(|it| store.changes(it) > 0);
    view! {
        <Button
            name="review"
            text=fill(page.words.review, &[("page", to.title(store.words))])
            shown=has_draft
            press=move |_| store.go(to)
            attr:data-to=to.name()
        />
    }
    .into_any()
}

impl AdvancedSignals {
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
        let Some(table) =
            levels.map_or_else(|| Some(LevelTable::default()), |bytes| LevelTable::parse(&bytes))
        else {
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
                // A file that is not JSON is left out, because a token in it could not be removed.
                let content = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
                if let Some(Value::Object(mut content)) = content {
                    content.remove("token");
                    all.insert(name.to_owned(), Value::Object(content));
                }
            }
            let text = Value::Object(all).to_string();
            self.store.with_host(|host| host.save(EXPORTED, &text));
        });
    }
}
