//! The puppy's page: how it looks and behaves, saved at once, and test mode on a picture of it.

use leptos::prelude::*;
use puppy_plugin_ui::host::{self, Preview};
use puppy_plugin_ui::state::message::Message;
use puppy_plugin_ui::state::settings::{Bubble, Coat, Collar, Settings, Size};
use puppy_plugin_ui::state::stage::SceneGroup;
use puppy_plugin_ui::words::fill;
use puppy_plugin_ui::words::puppy_page::PuppyPageWords;

use crate::errands;
use crate::store::Store;

/// The time of a scene in "play all", in milliseconds.
const SCENE_MS: u32 = 1_800;
/// The slowest motion, as a factor.
const SLOWEST: u32 = 10;

/// The page's settings, its picture of the puppy and its test mode.
#[derive(Clone, Copy)]
struct PuppyPage {
    store: Store,
    words: &'static PuppyPageWords,
    settings: RwSignal<Settings>,
    preview: StoredValue<Option<Preview>, LocalStorage>,
    is_unsaved: RwSignal<bool>,
    /// The scene that was played last; empty before the first.
    played: RwSignal<String>,
    slow: RwSignal<u32>,
    /// Rises with every "play all" and every end of it.
    round: RwSignal<u32>,
    plays_all: RwSignal<bool>,
}

impl PuppyPage {
    /// Changes a setting, here, in the corner and in the file.
    fn set(self, key: &'static str, value: String) {
        self.settings.update(|it| it.set(key, &value));
        self.tell_settings();
        let lines = self.settings.get_untracked().to_lines();
        self.store.with_bridge(|bridge| bridge.tell_puppy(Message::Settings(&lines)));
        host::spawn(async move {
            let saved = errands::set(key, &value).await;
            self.is_unsaved.try_set(saved.is_none());
        });
    }

    fn tell_settings(self) {
        self.tell(Message::Settings(&self.settings.get_untracked().to_lines()));
    }

    fn tell(self, message: Message<'_>) {
        let slow = self.slow.get_untracked();
        self.preview.with_value(|it| {
            if let Some(preview) = it {
                preview.tell(message, slow);
            }
        });
    }

    fn play(self, scene: String) {
        self.tell(Message::Play(&scene));
        self.played.set(scene);
    }

    /// Plays every scene once, or stops doing so.
    fn play_all(self) {
        self.round.update(|it| *it += 1);
        let round = self.round.get_untracked();
        let plays = !self.plays_all.get_untracked();
        self.plays_all.set(plays);
        if !plays {
            return;
        }
        host::spawn(async move {
            for (group, name) in scenes() {
                if self.round.try_get_untracked() != Some(round) {
                    return;
                }
                self.play(format!("{} {name}", group.word()));
                host::sleep(SCENE_MS * self.slow.try_get_untracked().unwrap_or(1)).await;
            }
            if self.round.try_get_untracked() == Some(round) {
                self.plays_all.set(false);
            }
        });
    }
}

fn scenes() -> impl Iterator<Item = (SceneGroup, &'static str)> {
    SceneGroup::ALL.into_iter().flat_map(|group| group.names().into_iter().map(move |name| (group, name)))
}

pub(crate) fn page(store: Store) -> impl IntoView {
    let words = PuppyPageWords::of(&store.lang());
    let page = PuppyPage {
        store,
        words,
        settings: RwSignal::new(Settings::default()),
        preview: StoredValue::new_local(None),
        is_unsaved: RwSignal::new(false),
        played: RwSignal::new(String::new()),
        slow: RwSignal::new(1),
        round: RwSignal::new(0),
        plays_all: RwSignal::new(false),
    };
    let place = NodeRef::<leptos::html::Div>::new();
    host::spawn(async move {
        let settings = errands::settings().await.unwrap_or_default();
        page.settings.try_set(settings);
        page.tell_settings();
    });
    Effect::new(move |_| {
        let Some(place) = place.get() else { return };
        host::spawn(async move {
            let Some(bridge) = store.bridge() else { return };
            let preview = bridge.preview(&place).await;
            // The page may have been left in the meantime.
            if page.preview.try_set_value(preview).is_none() {
                page.tell_settings();
            }
        });
    });
    on_cleanup(move || {
        let preview = page.preview.try_update_value(Option::take).flatten();
        if let Some(preview) = preview {
            preview.unmount();
        }
    });
    view! {
        <div class="config__tab-container pup-page" role="tabpanel" data-name="puppy" aria-label=words.puppy>
            <div class="pup-grow">
                {store.readonly.then(|| view! { <div class="pup-notice" role="note">{store.words.readonly}</div> })}
                <div class=("fn__none", move || !page.is_unsaved.get()) class="pup-trouble" role="alert">
                    {words.not_saved}
                </div>
                <div class="pup-stage">
                    <div node_ref=place></div>
                    <span class=("fn__none", move || page.played.get().is_empty()) class="pup-test">{words.test_mark}</span>
                </div>
                {look(page)}
                {manners(page)}
                {test_mode(page)}
            </div>
        </div>
    }
}

fn look(page: PuppyPage) -> impl IntoView {
    let words = page.words;
    let sizes = [Size::Small, Size::Medium, Size::Large].map(Size::word);
    view! {
        <div class="config-group">
            <div class="config-title">{words.look}</div>
            <div class="config-items">
                {switch(page, "show", words.show, words.show_hint)}
                {choice(page, "size", words.size, "", sizes.into())}
                {choice(page, "coat", words.coat, "", Coat::ALL.iter().map(|it| it.word()).collect())}
                {choice(page, "collar", words.collar, "", Collar::ALL.iter().map(|it| it.word()).collect())}
                <div class="fn__flex b3-label config-item">
                    <div class="fn__flex-1"><div class="config-name">{words.home}</div></div>
                    <span class="fn__space"></span>
                    <button
                        class="b3-button b3-button--outline fn__flex-center fn__size200"
                        data-do="home"
                        on:click=move |_| page.store.with_bridge(|bridge| bridge.tell_puppy(Message::Home))
                    >
                        {words.reset}
                    </button>
                </div>
            </div>
        </div>
    }
}

fn manners(page: PuppyPage) -> impl IntoView {
    let words = page.words;
    let bubbles = Bubble::ALL.iter().map(|it| it.word()).collect();
    view! {
        <div class="config-group">
            <div class="config-title">{words.manners}</div>
            <div class="config-items">
                {choice(page, "bubble", words.bubble, words.bubble_hint, bubbles)}
                {switch(page, "quiet", words.quiet, words.quiet_hint)}
                {switch(page, "hearts", words.hearts, words.hearts_hint)}
                {switch(page, "calm", words.calm, words.calm_hint)}
                {switch(page, "follow", words.follow, words.follow_hint)}
                {switch(page, "fade", words.fade, words.fade_hint)}
                {switch(page, "speak", words.speak, words.speak_hint)}
                {switch(page, "phones", words.phones, words.phones_hint)}
            </div>
        </div>
    }
}

fn switch(page: PuppyPage, key: &'static str, name: &'static str, hint: &'static str) -> impl IntoView {
    view! {
        <label class="fn__flex b3-label config-item">
            <div class="fn__flex-1">
                <div class="config-name">{name}</div>
                <div class="b3-label__text">{hint}</div>
            </div>
            <span class="fn__space"></span>
            <input
                class="b3-switch fn__flex-center"
                type="checkbox"
                data-setting=key
                disabled=page.store.readonly
                prop:checked=move || page.settings.get().get(key) == "true"
                on:change=move |event| page.set(key, event_target_checked(&event).to_string())
            />
        </label>
    }
}

fn choice(
    page: PuppyPage,
    key: &'static str,
    name: &'static str,
    hint: &'static str,
    words: Vec<&'static str>,
) -> impl IntoView {
    let id = format!("pup-setting-{key}");
    let options = words.into_iter().map(|word| {
        let is_chosen = move || page.settings.get().get(key) == word;
        view! { <option value=word selected=is_chosen>{page.words.choice(word)}</option> }
    });
    view! {
        <div class="fn__flex b3-label config-item">
            <div class="fn__flex-1">
                <div class="config-name" id=id.clone()>{name}</div>
                {(!hint.is_empty()).then(|| view! { <div class="b3-label__text">{hint}</div> })}
            </div>
            <span class="fn__space"></span>
            <select
                class="b3-select fn__flex-center fn__size200"
                aria-labelledby=id
                data-setting=key
                disabled=page.store.readonly
                prop:value=move || page.settings.get().get(key)
                on:change=move |event| page.set(key, event_target_value(&event))
            >
                {options.collect_view()}
            </select>
        </div>
    }
}

fn test_mode(page: PuppyPage) -> impl IntoView {
    let words = page.words;
    let all = move || if page.plays_all.get() { words.stop } else { words.play_all };
    let times = move || match page.slow.get() {
        1 => words.usual.to_owned(),
        n => fill(words.times, &[("n", &n.to_string())]),
    };
    let set_slow =
        move |event| page.slow.set(event_target_value(&event).parse().unwrap_or(1).clamp(1, SLOWEST));
    view! {
        <div class="config-group" data-name="test">
            <div class="config-title">{words.test}</div>
            <div class="pup-hint b3-label__text">{words.test_hint}</div>
            <div class="config-items pup-tests">
                <div class="fn__flex pup-test-bar">
                    <button class="b3-button b3-button--outline" data-do="play-all" on:click=move |_| page.play_all()>
                        {all}
                    </button>
                    <label class="fn__flex pup-slow">
                        <span>{words.slow}</span>
                        <input
                            class="b3-slider"
                            type="range"
                            min="1"
                            max=SLOWEST
                            aria-valuetext=times
                            prop:value=move || page.slow.get().to_string()
                            on:input=set_slow
                        />
                        <span class="pup-quiet">{times}</span>
                    </label>
                </div>
                {SceneGroup::ALL.into_iter().map(|group| scenes_of(page, group)).collect_view()}
            </div>
        </div>
    }
}

fn scenes_of(page: PuppyPage, group: SceneGroup) -> impl IntoView {
    let buttons = group.names().into_iter().map(move |name| {
        let scene = format!("{} {name}", group.word());
        let is_played = {
            let scene = scene.clone();
            move || (page.played.get() == scene).to_string()
        };
        let data = scene.clone();
        view! {
            <button
                class="b3-button b3-button--outline b3-button--small"
                data-play=data
                aria-pressed=is_played
                on:click=move |_| {
                    page.round.update(|it| *it += 1);
                    page.plays_all.set(false);
                    page.play(scene.clone());
                }
            >
                {page.words.scene(&page.store.lang(), group, name)}
            </button>
        }
    });
    view! {
        <div class="pup-test-group" role="group" aria-label=page.words.group(group)>
            <div class="pup-quiet">{page.words.group(group)}</div>
            <div class="pup-test-list">{buttons.collect_view()}</div>
        </div>
    }
}
