//! The choice between presets: the built-in ones, those that a person has saved, and the saving of another.

use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;

use crate::state::own_presets::{self, OWN_PRESETS_FILE, OwnPresets};
use crate::state::page::DraftKind;
use crate::state::preset::Preset;
use puppy_core::id::NotebookId;
use puppy_core::kernel::files;
use puppy_core::permission::{Level, LevelTable};
use puppy_ui_parts::{Button, Check, Input, Select, keys, once_drawn, options, yes};
use puppy_ui_web::host::{self, dom};
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::trouble::{StorageTrouble, content};
use puppy_ui_web::words::fill;

use crate::store::Store;

/// The beginning of the values of those that a person has saved.
const OWN: &str = "own ";

/// The signals of the choice.
#[derive(Clone, Copy)]
struct Presets {
    store: Store,
    drafted: DraftKind,
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

/// The choice for a draft.
#[component]
pub(crate) fn PresetChoice(
    drafted: DraftKind,
    /// The tooltip.
    hint: &'static str,
    /// The built-in preset that the draft has.
    #[prop(into)]
    now: Signal<Option<Preset>>,
    /// Fills the draft with a preset; the second value is whether rows that a person changed before are replaced too.
    #[prop(into)]
    fill_in: Callback<(Preset, bool)>,
) -> AnyView {
    let store = Store::here();
    let words = store.draft_words;
    let own = RwSignal::new(OwnPresets::default());
    let chosen = Memo::new(move |_| own.with(|own| chosen(store, drafted, own)));
    let [name, said] = [(); 2].map(|()| RwSignal::new(String::new()));
    let [replaces, is_saving] = [(); 2].map(|()| RwSignal::new(false));
    let presets = Presets { store, drafted, own, chosen, replaces, is_saving, name, said };
    once_drawn(move || presets.read());
    let built_in = Preset::ALL.into_iter().map(|it| (it.word(), it.title(words)));
    let names = Memo::new(move |_| own.with(|it| it.names(drafted)));
    let own_options = move || {
        let option = |name: String| view! { <option value=format!("{OWN}{name}")>{name.clone()}</option> };
        names.get().into_iter().map(option).collect_view()
    };
    let value = move || {
        // New options replace the chosen one.
        names.track();
        let own = || chosen.get().map(|name| format!("{OWN}{name}")).unwrap_or_default();
        now.get().map_or_else(own, |it| it.word().to_owned())
    };
    let set = move |word: String| {
        if let Some(preset) = Preset::named(&word) {
            fill_in.run((preset, replaces.get_untracked()));
        } else if let Some(name) = word.strip_prefix(OWN) {
            presets.take(name);
        }
    };
    view! {
        <span class="pup-presets">
            <span class="pup-quiet" aria-hidden="true">{words.presets}</span>
            <Select
                label=words.presets
                title=hint
                disabled=store.readonly
                other=words.custom
                options=options(built_in)
                value
                set
                attr:data-do="preset"
            >
                <optgroup
                    label=words.own_presets
                    class:fn__none=move || names.with(Vec::is_empty)
                >
                    {own_options}
                </optgroup>
            </Select>
            <label class="pup-quiet">
                <Check
                    disabled=store.readonly
                    is_on=move || Some(replaces.get())
                    set=move |is| replaces.set(is)
                    attr:data-do="replace"
                />
                " "
                {words.replace}
            </label>
            <Saving presets/>
            <Forgetting presets/>
        </span>
    }
    .into_any()
}

/// The button and the field that save the draft under a name.
#[component]
fn Saving(presets: Presets) -> AnyView {
    let Presets { store, is_saving, name, .. } = presets;
    let words = store.draft_words;
    let save = move |event: MouseEvent| {
        dom::focus_near(&event, ".pup-presets", "select");
        presets.save();
    };
    let enter = move |event: &KeyboardEvent| {
        let is_enter = event.key() == "Enter" && !event.is_composing();
        if is_enter {
            presets.save();
        }
        is_enter
    };
    view! {
        <span class="pup-chips">
            <Button
                name="save-preset"
                text=words.preset_save
                disabled=store.readonly
                press=move |_| is_saving.update(|it| *it = !*it)
                attr:aria-expanded=move || yes(is_saving.get())
            />
            <span class="pup-chips" class:fn__none=move || !is_saving.get()>
                <Input
                    class="b3-text-field"
                    kind="text"
                    label=words.preset_name
                    placeholder=words.preset_name
                    value=name
                    input=move |text| name.set(text)
                    attr:data-do="preset-name"
                    on:keydown=keys(enter)
                />
                <Button name="keep-preset" text=words.preset_keep press=save/>
            </span>
        </span>
    }
    .into_any()
}

/// The button that deletes the saved preset that the draft has, and the outcome of the last change of the list.
#[component]
fn Forgetting(presets: Presets) -> AnyView {
    let Presets { store, drafted, chosen, said, .. } = presets;
    let words = store.draft_words;
    let label = move || fill(words.preset_forget, &[("name", &chosen.get().unwrap_or_default())]);
    let forget = move |event: MouseEvent| {
        let Some(name) = chosen.get_untracked() else { return };
        dom::focus_near(&event, ".pup-presets", "select");
        let said = fill(words.preset_forgotten, &[("name", &name)]);
        presets.change(said, move |own| own.forget(drafted, &name));
    };
    view! {
        <span class="pup-chips">
            <Button
                name="forget-preset"
                text=label
                disabled=store.readonly
                shown=move || chosen.with(Option::is_some)
                press=forget
            />
            <span class="pup-quiet" role="status">{said}</span>
        </span>
    }
    .into_any()
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
            DraftKind::Levels => {
                let rows = own.levels(name).map(|table| untrack(|| rows(store, &table))).unwrap_or_default();
                store.edit_levels(|draft| draft.fill_in(name.to_owned(), &rows, replaces));
            }
            DraftKind::Switches => {
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
            DraftKind::Levels => {
                let mut table = LevelTable::default();
                store.notebooks.with_untracked(|all| {
                    for id in all.iter().filter(|it| !it.encrypted).filter_map(|it| NotebookId::parse(&it.id))
                    {
                        table.set(&id, store.levels.with_untracked(|draft| draft.level(id.as_str())));
                    }
                });
                table.to_json()
            }
            DraftKind::Switches => store.switches.with_untracked(|draft| draft.now().to_json()),
        }
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
fn chosen(store: Store, drafted: DraftKind, own: &OwnPresets) -> Option<String> {
    let is_chosen = |name: &String| match drafted {
        DraftKind::Levels => own.levels(name).is_some_and(|table| {
            let rows = rows(store, &table);
            store.levels.with(|draft| own_presets::has_levels(draft, &rows))
        }),
        DraftKind::Switches => {
            own.switches(name).is_some_and(|wanted| store.switches.with(|draft| draft.has(&wanted)))
        }
    };
    own.names(drafted).into_iter().find(is_chosen)
}

/// The rows that a table gives a level.
fn rows(store: Store, table: &LevelTable) -> Vec<(String, Level)> {
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
