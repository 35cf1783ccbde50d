//! The data of the panel: the files as read, the drafts, and the writing of both.

use futures_util::future::{join, join3};
use leptos::prelude::*;
use leptos::reactive::graph::Source;
use leptos::web_sys::VisibilityState;
use leptos_use_document_visibility::use_document_visibility;
use puppy_core::config::{GRANTS_FILE, MADE_FILE, SWITCHES_FILE, Switches};
use puppy_core::kernel::api::notebook::Notebook;
use puppy_core::kernel::files;
use puppy_core::permission::{Level, LevelTable};

use crate::channel::{self, Acknowledgement};
use crate::state::levels::{LevelDraft, differing};
use crate::state::page::{DraftKind, PanelPage};
use crate::state::switches::SwitchDraft;
use puppy_ui_web::host::{self, Host, dom};
use puppy_ui_web::kernel::{PageKernel, notebooks};
use puppy_ui_web::state::trouble::{Load, StorageTrouble, content};
use puppy_ui_web::words::permissions::PermissionWords;
use puppy_ui_web::words::{PanelWords, fill};

/// Time until the next request to a silent kernel.
const RETRY_MS: u32 = 3_000;
/// The time that "applied" is shown.
const APPLIED_MS: u32 = 2_000;
/// The time from a write of the table to its check: the kernel has no locks, so another window may have written
/// over it.
const CHECK_MS: u32 = 1_000;

/// The changes that a question names one by one.
const ASKED: usize = 30;

/// The drafts. They outlive a closed dialog, because Esc closes it without asking: their owner has no parent and stays as
/// long as SiYuan's page, and each panel that opens works on the same two signals.
#[derive(Clone, Copy)]
pub(crate) struct Drafts {
    levels: RwSignal<LevelDraft>,
    switches: RwSignal<SwitchDraft>,
}

thread_local! {
    static KEPT: (Owner, Drafts) = {
        let owner = Owner::default();
        let drafts = owner.with(|| Drafts { levels: RwSignal::default(), switches: RwSignal::default() });
        (owner, drafts)
    };
}

impl Drafts {
    /// The drafts of SiYuan's page.
    pub(crate) fn kept() -> Drafts {
        KEPT.with(|kept| kept.1)
    }

    /// Unsubscribes the effects of a panel that closes; otherwise the signals would keep every effect that ever read them.
    fn leave(self) {
        self.levels.clear_subscribers();
        self.switches.clear_subscribers();
    }
}

/// The progress of saving, as the bar shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Saving {
    Rests,
    Runs,
    Done(Acknowledgement),
    /// Done, and then overwritten by another window.
    Elsewhere,
    Failed(StorageTrouble),
}

/// The data of one opened panel, which its root provides as a context: see [`Store::here`]. It is copied like the signals
/// in it, and belongs to the panel's owner: once the dialog is closed, every signal but the two drafts is disposed of, so
/// that work which ends later has to use the `try_` functions.
#[derive(Clone, Copy)]
pub(crate) struct Store {
    pub(crate) words: &'static PanelWords,
    /// The texts of pages with a draft.
    pub(crate) draft_words: &'static PermissionWords,
    pub(crate) readonly: bool,
    pub(crate) host: StoredValue<Host, LocalStorage>,
    /// The page that is shown.
    pub(crate) page: RwSignal<PanelPage>,
    /// The notebook whose row the panel was opened for, or the tool or action that the search leads to, until it has been
    /// shown; empty for none.
    pub(crate) wanted: RwSignal<String>,
    pub(crate) notebooks_load: RwSignal<Load>,
    pub(crate) switches_load: RwSignal<Load>,
    pub(crate) notebooks: RwSignal<Vec<Notebook>>,
    pub(crate) levels: RwSignal<LevelDraft>,
    pub(crate) switches: RwSignal<SwitchDraft>,
    /// Rows that were changed in another window too.
    pub(crate) elsewhere: RwSignal<Vec<String>>,
    pub(crate) saving: RwSignal<Saving>,
    /// The text of the live region.
    pub(crate) said: RwSignal<String>,
    /// Whether a draft is left over from an earlier visit and the person has neither continued nor discarded it.
    levels_left: RwSignal<bool>,
    switches_left: RwSignal<bool>,
}

impl Store {
    pub(crate) fn new(host: Host, drafts: Drafts) -> Store {
        let Drafts { levels, switches } = drafts;
        on_cleanup(move || drafts.leave());
        let asked = host.page();
        // A page may be followed by what to show there.
        let (page, wanted) = asked.split_once(' ').unwrap_or((&asked, ""));
        Store {
            words: PanelWords::of(&host.lang()),
            draft_words: PermissionWords::of(&host.lang()),
            readonly: host.readonly(),
            page: RwSignal::new(PanelPage::named(page)),
            wanted: RwSignal::new(wanted.to_owned()),
            levels_left: RwSignal::new(levels.with_untracked(|draft| !draft.is_empty())),
            switches_left: RwSignal::new(switches.with_untracked(|draft| !draft.is_empty())),
            host: StoredValue::new_local(host),
            notebooks_load: RwSignal::new(Load::Loading),
            switches_load: RwSignal::new(Load::Loading),
            notebooks: RwSignal::new(Vec::new()),
            levels,
            switches,
            elsewhere: RwSignal::new(Vec::new()),
            saving: RwSignal::new(Saving::Rests),
            said: RwSignal::new(String::new()),
        }
    }

    /// The store of the panel that contains a component. Components and their effects have it; futures take a copy with
    /// them.
    pub(crate) fn here() -> Store {
        expect_context()
    }

    /// Shows a page. A page that is already shown is rebuilt only if `rebuilds` is set.
    pub(crate) fn show(self, to: PanelPage, rebuilds: bool) {
        if rebuilds || self.page.try_get_untracked() != Some(to) {
            self.page.try_set(to);
        }
    }

    /// Shows another page, and leads the focus there: what had it is gone.
    pub(crate) fn go(self, to: PanelPage) {
        self.show(to, false);
        dom::focus_anywhere(&format!(".pup-panel [role=tab][data-name={}]", to.name()));
    }

    /// The [`Host`], while the panel is open.
    pub(crate) fn host(self) -> Option<Host> {
        self.host.try_with_value(Host::share)
    }

    /// Does something with the [`Host`], while the panel is open.
    pub(crate) fn with_host(self, what: impl FnOnce(&Host)) {
        self.host.try_with_value(what);
    }

    /// The notice at the top of a page while the kernel refuses every write.
    pub(crate) fn readonly_note(self) -> Option<&'static str> {
        self.readonly.then_some(self.words.readonly)
    }

    /// The language of the page.
    pub(crate) fn lang(self) -> String {
        self.host.try_with_value(|it| it.lang()).unwrap_or_default()
    }

    /// Whether a draft is left over from an earlier visit.
    pub(crate) fn left(self, drafted: DraftKind) -> RwSignal<bool> {
        match drafted {
            DraftKind::Levels => self.levels_left,
            DraftKind::Switches => self.switches_left,
        }
    }

    /// Changes the draft of the matrix as a person does, who thereby goes on with what was left.
    pub(crate) fn edit_levels(self, edit: impl FnOnce(&mut LevelDraft)) {
        self.levels_left.try_set(false);
        self.keep_levels(edit);
    }

    /// Changes the draft of the switches as a person does.
    pub(crate) fn edit_switches(self, edit: impl FnOnce(&mut SwitchDraft)) {
        self.switches_left.try_set(false);
        self.keep_switches(edit);
    }

    fn keep_levels(self, edit: impl FnOnce(&mut LevelDraft)) {
        self.levels.try_update(edit);
        self.saving.try_set(Saving::Rests);
    }

    fn keep_switches(self, edit: impl FnOnce(&mut SwitchDraft)) {
        self.switches.try_update(edit);
        self.saving.try_set(Saving::Rests);
    }

    /// Discards everything read and drafted and reads again, because the files were deleted.
    pub(crate) fn start_over(self) {
        self.keep_levels(|draft| *draft = LevelDraft::default());
        self.keep_switches(|draft| *draft = SwitchDraft::default());
        self.elsewhere.try_set(Vec::new());
        self.read();
    }

    /// The number of changes of a draft that wait for Apply.
    pub(crate) fn changes(self, drafted: DraftKind) -> usize {
        match drafted {
            DraftKind::Levels => self.levels.with(LevelDraft::len),
            DraftKind::Switches => self.switches.with(SwitchDraft::len),
        }
    }

    /// Reads the files again whenever the page is seen again: another window may have written them meanwhile.
    pub(crate) fn watch(self) {
        let seen = use_document_visibility();
        let look = move |now: &VisibilityState, _: Option<&VisibilityState>, _: Option<()>| {
            if *now == VisibilityState::Visible && self.saving.try_get_untracked() != Some(Saving::Runs) {
                host::spawn(self.look());
            }
        };
        Effect::watch(move || seen.get(), look, false);
    }

    async fn look(self) {
        if let Ok(table) = read_table().await {
            self.keep_levels(|draft| draft.rebase(table));
        }
        if let Ok(file) = read_switches().await {
            self.keep_switches(|draft| draft.rebase(file));
        }
    }

    /// Reads everything, and again while the kernel is silent. The files are requested together, so that a page shows after
    /// one answer's time instead of four.
    pub(crate) fn read(self) {
        host::spawn(async move {
            let load = |it: Result<(), StorageTrouble>| it.map_or_else(Load::Trouble, |()| Load::Ready);
            loop {
                let levels = async {
                    let read = self.read_levels().await;
                    self.notebooks_load.try_set(load(read));
                    read
                };
                let switches = async {
                    let read =
                        read_switches().await.map(|file| self.keep_switches(|draft| draft.rebase(file)));
                    self.switches_load.try_set(load(read));
                    read
                };
                let (levels, switches) = join(levels, switches).await;
                let is_silent = [levels, switches].contains(&Err(StorageTrouble::Silent));
                // The panel may have been closed in the meantime.
                if !is_silent || self.notebooks_load.is_disposed() {
                    return;
                }
                host::sleep(RETRY_MS).await;
            }
        });
    }

    async fn read_levels(self) -> Result<(), StorageTrouble> {
        let (table, made, notebooks) = join3(read_table(), read_made(), notebooks()).await;
        let (table, made, notebooks) = (table?, made?, notebooks?);
        self.notebooks.try_set(notebooks);
        self.keep_levels(|draft| {
            draft.know_made(made);
            draft.rebase(table);
        });
        Ok(())
    }

    /// Merges a draft into its file.
    pub(crate) fn apply(self, drafted: DraftKind) {
        if self.readonly || self.saving.get_untracked() == Saving::Runs {
            return;
        }
        host::spawn(async move {
            let list = match drafted {
                DraftKind::Levels => self.wider(),
                DraftKind::Switches => self.newly_dangerous(),
            };
            if !list.is_empty() && !self.confirm(&list, drafted).await {
                return;
            }
            self.saving.try_set(Saving::Runs);
            let outcome = match drafted {
                DraftKind::Levels => self.apply_levels().await.map(Some),
                DraftKind::Switches => self.apply_switches().await.map(|()| None),
            };
            let written = outcome.as_ref().ok().cloned().flatten();
            let saving = match outcome {
                Ok(_) => Saving::Done(channel::changed(&[GRANTS_FILE, SWITCHES_FILE]).await),
                Err(why) => Saving::Failed(why),
            };
            self.saving.try_set(saving);
            host::sleep(CHECK_MS).await;
            if let Some(written) = written {
                self.look_again(&written).await;
            }
            host::sleep(APPLIED_MS - CHECK_MS).await;
            if matches!(self.saving.try_get_untracked(), Some(Saving::Done(_))) {
                self.saving.try_set(Saving::Rests);
            }
        });
    }

    /// Writes the levels and returns the written table.
    async fn apply_levels(self) -> Result<LevelTable, StorageTrouble> {
        let Some(draft) = self.levels.try_get_untracked() else { return read_table().await };
        let (merged, elsewhere) = draft.merge(read_table().await?);
        files::write(&PageKernel, &files::stored(GRANTS_FILE), merged.to_json().into_bytes()).await?;
        self.elsewhere.try_set(elsewhere);
        self.keep_levels(|now| {
            now.settle(&draft);
            now.rebase(merged.clone());
        });
        Ok(merged)
    }

    /// Reports rows of the table that differ from the write a moment ago, and marks them.
    async fn look_again(self, written: &LevelTable) {
        let now = match read_table().await {
            Ok(now) => now,
            Err(StorageTrouble::Broken) => {
                self.notebooks_load.try_set(Load::Trouble(StorageTrouble::Broken));
                return;
            }
            // The next attempt finds out; the write itself succeeded.
            Err(_) => return,
        };
        let differing = differing(written, &now);
        if differing.is_empty() {
            return;
        }
        self.keep_levels(|draft| draft.rebase(now));
        self.elsewhere.try_update(|rows| rows.extend(differing));
        self.saving.try_set(Saving::Elsewhere);
    }

    async fn apply_switches(self) -> Result<(), StorageTrouble> {
        let Some(draft) = self.switches.try_get_untracked() else { return Ok(()) };
        let merged = draft.merge(read_switches().await?);
        files::write(&PageKernel, &files::stored(SWITCHES_FILE), merged.to_json().into_bytes()).await?;
        self.keep_switches(|now| {
            now.settle(&draft);
            now.rebase(merged);
        });
        Ok(())
    }

    async fn confirm(self, list: &[String], drafted: DraftKind) -> bool {
        let list = self.draft_words.names(list, ASKED, self.words.list_comma);
        let text = fill(self.words.wider, &[("list", &list)]);
        let Some(host) = self.host() else { return false };
        if drafted == DraftKind::Levels && self.opens_all() {
            let word = self.words.level(Level::Delete);
            let text = format!("{text}\n\n{}", fill(self.draft_words.type_word, &[("word", word)]));
            return host.confirm_typed(self.words.wider_title, &text, word).await;
        }
        host.confirm(self.words.wider_title, &text).await
    }

    /// Whether the draft lets agents delete in every notebook, which they could not before.
    fn opens_all(self) -> bool {
        self.notebooks.with_untracked(|all| {
            let open = all.iter().filter(|it| !it.encrypted).map(|it| it.id.as_str());
            self.levels.with_untracked(|draft| draft.opens_all(open))
        })
    }

    /// The notebooks that would be opened further than they are.
    fn wider(self) -> Vec<String> {
        let changes = self.levels.with_untracked(LevelDraft::changes);
        let wider = changes.into_iter().filter(|change| change.is > change.was);
        wider
            .map(|change| {
                let name = self.name(&change.notebook);
                fill(self.words.to, &[("name", &name), ("level", self.words.level(change.is))])
            })
            .collect()
    }

    fn newly_dangerous(self) -> Vec<String> {
        let specs = self.switches.with_untracked(SwitchDraft::newly_dangerous);
        specs.into_iter().map(puppy_core::spec::ActionSpec::path).collect()
    }

    /// The name of a notebook.
    pub(crate) fn name(self, id: &str) -> String {
        let name = |all: &Vec<Notebook>| all.iter().find(|it| it.id == id).map(|it| it.name.clone());
        self.notebooks.with_untracked(name).unwrap_or_else(|| id.to_owned())
    }
}

pub(crate) async fn read_table() -> Result<LevelTable, StorageTrouble> {
    content(files::read(&PageKernel, &files::stored(GRANTS_FILE)).await?, LevelTable::parse)
}

/// The levels of notebooks that agents made; where their file is broken, those have the default level, for agents too.
pub(crate) async fn read_made() -> Result<LevelTable, StorageTrouble> {
    let bytes = files::read(&PageKernel, &files::stored(MADE_FILE)).await?;
    Ok(content(bytes, LevelTable::parse).unwrap_or_default())
}

/// The switches of tools and actions.
pub(crate) async fn read_switches() -> Result<Switches, StorageTrouble> {
    content(files::read(&PageKernel, &files::stored(SWITCHES_FILE)).await?, Switches::parse)
}
