//! The choice between presets: the built-in ones, those that a person has saved, and the saving of another.

use crate::state::own_presets::{self, OWN_PRESETS_FILE, OwnPresets};
use crate::state::page::Drafted;
use crate::state::preset::Preset;
use puppy_core::id::NotebookId;
use puppy_core::kernel::files;
use puppy_core::permission::{Level, Table};
use puppy_ui_parts::el::{El, el, is_checked, typed};
use puppy_ui_web::host::{self, dom};
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::trouble::{StorageTrouble, content};
use puppy_ui_web::words::fill;
use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::parts;
use crate::store::Store;

/// The beginning of the values of those that a person has saved.
const OWN: &str = "own ";

/// The signals of the choice.
#[derive(Clone, Copy)]
struct Presets {
    store: Store,
    drafted: Drafted,
    own: RwSignal<OwnPresets>,
    /// The name of the saved one that the draft has.
    chosen: Memo<Option<String>>,
    /// Whether rows that a person changed before are replaced too.
    replaces: RwSignal<bool>,
    /// Whether another one is being saved, and its name so far.
    is_saving: RwSignal<bool>,
    name: RwSignal<String>,
    said: RwSignal<String>,
}

/// The choice for a draft. `now` is the built-in preset that the draft has; `fill_in` fills the draft with one, and may
/// replace what was changed before.
pub(crate) fn view(
    store: Store,
    drafted: Drafted,
    hint: &str,
    now: impl Fn() -> Option<Preset> + 'static,
    fill_in: impl Fn(Preset, bool) + 'static,
) -> El {
    let [name, said] = [(); 2].map(|()| RwSignal::new(String::new()));
    let [replaces, is_saving] = [(); 2].map(|()| RwSignal::new(false));
    let own = RwSignal::new(OwnPresets::default());
    let chosen = Memo::new(move |_| own.with(|own| chosen(store, drafted, own)));
    let presets = Presets { store, drafted, own, chosen, replaces, is_saving, name, said };
    presets.read();
    let words = store.draft_words;
    let option = |word: &str, name: &str| el("option", "").attr("value", word).text(name);
    let options = Preset::ALL.into_iter().map(|it| option(it.word(), it.title(words)));
    let own = el("optgroup", "").attr("label", words.own_presets).follow(move |it| {
        let names = presets.own.with(|it| it.names(drafted));
        it.set_class("fn__none", names.is_empty());
        let _ = it.clone().html("").all(names.iter().map(|name| option(&format!("{OWN}{name}"), name)));
    });
    let choice = el("select", "b3-select").attr("aria-label", words.presets).attr("data-do", "preset");
    let choice = choice.attr("title", hint).flag("disabled", store.readonly);
    let choice = choice.put(option("", words.custom).attr("disabled", "")).all(options).put(own);
    let value = move || {
        // The options are made anew then, and none of them is chosen.
        presets.own.track();
        let own = || presets.chosen.get().map(|name| format!("{OWN}{name}")).unwrap_or_default();
        now().map_or_else(own, |it| it.word().to_owned())
    };
    let choice = choice.value(value).on("change", move |event| {
        let word = typed(event);
        if let Some(preset) = Preset::named(&word) {
            fill_in(preset, presets.replaces.get_untracked());
        } else if let Some(name) = word.strip_prefix(OWN) {
            presets.take(name);
        }
    });
    let replace = el("input", "pup-check").attr("type", "checkbox").flag("disabled", store.readonly);
    let replace =
        replace.attr("data-do", "replace").on("change", move |event| presets.replaces.set(is_checked(event)));
    let replace = el("label", "pup-quiet").put(replace).text(" ").text(words.replace);
    let title = el("span", "pup-quiet").attr("aria-hidden", "true").text(words.presets);
    el("span", "pup-presets")
        .put(title)
        .put(choice)
        .put(replace)
        .put(presets.saving())
        .put(presets.forgetting())
}

impl Presets {
    fn read(self) {
        host::spawn(async move {
            if let Ok(own) = read().await {
                self.own.try_set(own);
            }
        });
    }

    /// Fills the draft with a saved one.
    fn take(self, name: &str) {
        let (store, replaces) = (self.store, self.replaces.get_untracked());
        let own = self.own.get_untracked();
        match self.drafted {
            Drafted::Levels => {
                let rows = own.levels(name).map(|table| rows(self.store, &table)).unwrap_or_default();
                store.edit_levels(|draft| draft.fill_in(name.to_owned(), &rows, replaces));
            }
            Drafted::Switches => {
                if let Some(wanted) = own.switches(name) {
                    store.edit_switches(|draft| draft.fill_with(name.to_owned(), &wanted, replaces));
                }
            }
        }
        self.said.set(String::new());
    }

    /// The text of the draft, as the file keeps it.
    fn text(self) -> String {
        let store = self.store;
        match self.drafted {
            Drafted::Levels => {
                let mut table = Table::default();
                store.notebooks.with_untracked(|all| {
                    for id in all.iter().filter(|it| !it.encrypted).filter_map(|it| NotebookId::parse(&it.id))
                    {
                        table.set(&id, store.levels.with_untracked(|draft| draft.level(id.as_str())));
                    }
                });
                table.to_json()
            }
            Drafted::Switches => store.switches.with_untracked(|draft| draft.now().to_json()),
        }
    }

    /// The button and the field that save the draft under a name.
    fn saving(self) -> El {
        let words = self.store.draft_words;
        let open = parts::button("save-preset", words.preset_save).flag("disabled", self.store.readonly);
        let open = open.is("aria-expanded", move || self.is_saving.get());
        let open = open.click(move || self.is_saving.set(!self.is_saving.get_untracked()));
        let field = el("input", "b3-text-field").attr("type", "text").attr("data-do", "preset-name");
        let field = field.attr("aria-label", words.preset_name).attr("placeholder", words.preset_name);
        let field =
            field.value(move || self.name.get()).on("input", move |event| self.name.set(typed(event)));
        let field = field.keys(move |event| {
            let is_enter = event.key() == "Enter" && !event.is_composing();
            if is_enter {
                self.save();
            }
            is_enter
        });
        let keep = parts::button("keep-preset", words.preset_keep).on("click", move |event| {
            dom::focus_near(event, ".pup-presets", "select");
            self.save();
        });
        let row = el("span", "pup-chips").put(field).put(keep).shown_if(move || self.is_saving.get());
        el("span", "pup-chips").put(open).put(row)
    }

    /// What deletes the saved one that the draft has, and what was done last.
    fn forgetting(self) -> El {
        let words = self.store.draft_words;
        let label = move || fill(words.preset_forget, &[("name", &self.chosen.get().unwrap_or_default())]);
        let button = parts::button("forget-preset", "").flag("disabled", self.store.readonly).says(label);
        let button = button.on("click", move |event| {
            let Some(name) = self.chosen.get_untracked() else { return };
            dom::focus_near(event, ".pup-presets", "select");
            let said = fill(words.preset_forgotten, &[("name", &name)]);
            self.change(said, move |own| own.forget(self.drafted, &name));
        });
        let button = button.shown_if(move || self.chosen.get().is_some());
        let said = el("span", "pup-quiet").attr("role", "status").says(move || self.said.get());
        el("span", "pup-chips").put(button).put(said)
    }

    fn save(self) {
        let Some(name) = own_presets::name(&self.name.get_untracked()) else { return };
        let text = self.text();
        self.is_saving.set(false);
        self.name.set(String::new());
        let said = fill(self.store.draft_words.preset_saved, &[("name", &name)]);
        self.change(said, move |own| own.save(self.drafted, &name, &text));
    }

    /// Changes the file as it is now: another window may have saved one.
    fn change(self, said: String, change: impl FnOnce(&mut OwnPresets) + 'static) {
        let change: Box<dyn FnOnce(&mut OwnPresets)> = Box::new(change);
        host::spawn(async move {
            let said = match save(change).await {
                Ok(own) => {
                    self.own.try_set(own);
                    said
                }
                Err(why) => {
                    let why = self.store.words.why(why);
                    fill(self.store.draft_words.preset_failed, &[("why", why)])
                }
            };
            self.said.try_set(said);
        });
    }
}

/// The name of the saved one that the draft has.
fn chosen(store: Store, drafted: Drafted, own: &OwnPresets) -> Option<String> {
    let is_chosen = |name: &String| match drafted {
        Drafted::Levels => own.levels(name).is_some_and(|table| {
            let rows = rows(store, &table);
            store.levels.with(|draft| own_presets::has_levels(draft, &rows))
        }),
        Drafted::Switches => {
            own.switches(name).is_some_and(|wanted| store.switches.with(|draft| draft.has(&wanted)))
        }
    };
    own.names(drafted).into_iter().find(is_chosen)
}

/// The rows that a table gives a level.
fn rows(store: Store, table: &Table) -> Vec<(String, Level)> {
    store
        .notebooks
        .with(|all| own_presets::rows(table, all.iter().filter(|it| !it.encrypted).map(|it| it.id.as_str())))
}

fn path() -> String {
    files::stored(OWN_PRESETS_FILE)
}

async fn read() -> Result<OwnPresets, StorageTrouble> {
    content(files::read(&PageKernel, &path()).await?, OwnPresets::parse)
}

async fn save(change: Box<dyn FnOnce(&mut OwnPresets)>) -> Result<OwnPresets, StorageTrouble> {
    let mut own = read().await?;
    change(&mut own);
    files::write(&PageKernel, &path(), own.to_json().into_bytes()).await?;
    Ok(own)
}
