//! The puppy's page: how it looks and behaves, saved at once, and test mode on a picture of it.

use puppy_core::kernel::files;
use puppy_ui_parts::el::{El, el, typed};
use puppy_ui_parts::{self as parts, Label};
use puppy_ui_web::host::{self, Preview};
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::message::Message;
use puppy_ui_web::state::settings::{Bubble, Coat, Collar, SETTINGS_FILE, Settings, SettingsFile, Size};
use puppy_ui_web::state::stage::SceneGroup;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::puppy_page::PuppyPageWords;
use reactive_graph::owner::{LocalStorage, StoredValue, on_cleanup};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::errands::setting;
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
        let Some(bridge) = self.store.bridge() else { return };
        bridge.tell_puppy(Message::Settings(&lines));
        host::spawn(async move {
            let saved = setting::set(key, &value).await;
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

    /// Puts a picture of the puppy into its place.
    fn show(self, place: &El) {
        let Some(place) = place.node().cloned() else { return };
        host::spawn(async move {
            let Some(bridge) = self.store.bridge() else { return };
            let preview = bridge.preview(&place).await;
            // The page may have been left in the meantime.
            if self.preview.try_set_value(preview).is_none() {
                self.tell_settings();
            }
        });
    }

    fn switch(self, key: &'static str, name: &'static str, hint: &'static str) -> El {
        let is_on = move || self.settings.with(|it| it.get(key) == "true");
        let set = move |is: bool| self.set(key, is.to_string());
        parts::switch(Label { key, name, hint }, self.store.readonly, is_on, set)
    }

    fn choice(
        self,
        key: &'static str,
        name: &'static str,
        hint: &'static str,
        words: impl IntoIterator<Item = &'static str>,
    ) -> El {
        let options: Vec<_> = words.into_iter().map(|word| (word, self.words.choice(word))).collect();
        let value = move || self.settings.with(|it| it.get(key).to_owned());
        let set = move |value| self.set(key, value);
        parts::choice(Label { key, name, hint }, self.store.readonly, &options, value, set)
    }
}

fn scenes() -> impl Iterator<Item = (SceneGroup, &'static str)> {
    SceneGroup::ALL.into_iter().flat_map(|group| group.names().into_iter().map(move |name| (group, name)))
}

/// The content of the page.
pub(crate) fn page(store: Store) -> El {
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
    host::spawn(async move {
        let settings = files::read(&PageKernel, &format!("{}{SETTINGS_FILE}", files::STORAGE)).await;
        let settings = settings.ok().flatten().map(|bytes| SettingsFile::parse(&bytes).settings());
        let settings = settings.unwrap_or_default();
        // The page may have been left in the meantime.
        if page.settings.try_set(settings).is_none() {
            page.tell_settings();
        }
    });
    on_cleanup(move || {
        let preview = page.preview.try_update_value(Option::take).flatten();
        if let Some(preview) = preview {
            preview.unmount();
        }
    });
    let place = el("div", "");
    page.show(&place);
    let mark = el("span", "pup-test").text(words.test_mark).shown_if(move || !page.played.get().is_empty());
    let unsaved = el("div", "pup-trouble").attr("role", "alert").text(words.not_saved);
    let view = el("div", "").put(unsaved.shown_if(move || page.is_unsaved.get()));
    let view = view.put(el("div", "pup-stage").put(place).put(mark));
    view.put(look(page)).put(manners(page)).put(test_mode(page))
}

fn look(page: PuppyPage) -> El {
    let words = page.words;
    let home = parts::button("home", words.reset)
        .attr("class", "b3-button b3-button--outline fn__flex-center fn__size200");
    let home = home.click(move || {
        if let Some(bridge) = page.store.bridge() {
            bridge.tell_puppy(Message::Home);
        }
    });
    let home_label = Label { key: "home", name: page.words.puppy_home, hint: "" };
    let card = parts::card()
        .put(page.switch("show", page.words.show, page.words.show_hint))
        .put(page.choice(
            "size",
            page.words.size,
            "",
            [Size::Small, Size::Medium, Size::Large].map(Size::word),
        ))
        .put(page.choice("coat", page.words.coat, "", Coat::ALL.iter().map(|it| it.word())))
        .put(page.choice("collar", page.words.collar, "", Collar::ALL.iter().map(|it| it.word())))
        .put(parts::row(home_label, None, home));
    parts::group(words.look).put(card)
}

fn manners(page: PuppyPage) -> El {
    let words = page.words;
    let bubbles = Bubble::ALL.iter().map(|it| it.word());
    let switches = [
        ("quiet", page.words.quiet, page.words.quiet_hint),
        ("hearts", page.words.hearts, page.words.hearts_hint),
        ("calm", page.words.calm, page.words.calm_hint),
        ("trot", page.words.trot, page.words.trot_hint),
        ("follow", page.words.follow, page.words.follow_hint),
        ("fade", page.words.fade, page.words.fade_hint),
        ("speak", page.words.speak, page.words.speak_hint),
        ("phones", page.words.phones, page.words.phones_hint),
    ];
    let card = parts::card().put(page.choice("bubble", page.words.bubble, page.words.bubble_hint, bubbles));
    let card = card.all(switches.into_iter().map(|(key, name, hint)| page.switch(key, name, hint)));
    parts::group(words.manners).put(card)
}

fn test_mode(page: PuppyPage) -> El {
    let words = page.words;
    let all = move || if page.plays_all.get() { words.stop } else { words.play_all };
    let times = move || match page.slow.get() {
        1 => words.usual.to_owned(),
        n => fill(words.times, &[("n", &n.to_string())]),
    };
    let slower = el("input", "b3-slider").attr("type", "range").attr("min", "1");
    let slower = slower.attr("max", &SLOWEST.to_string()).has("aria-valuetext", times);
    let slower = slower.value(move || page.slow.get().to_string()).on("input", move |event| {
        page.slow.set(typed(event).parse().unwrap_or(1).clamp(1, SLOWEST));
    });
    let slow = el("label", "fn__flex pup-slow").put(el("span", "").text(words.slow)).put(slower);
    let slow = slow.put(el("span", "pup-quiet").says(times));
    let play = parts::button("play-all", "").says(all).click(move || page.play_all());
    let card =
        el("div", "config-items pup-tests").put(el("div", "fn__flex pup-test-bar").put(play).put(slow));
    let card = card.all(SceneGroup::ALL.into_iter().map(|group| scenes_of(page, group)));
    let hint = el("div", "pup-hint b3-label__text").text(page.words.test_hint);
    parts::group(page.words.test).attr("data-name", "test").put(hint).put(card)
}

fn scenes_of(page: PuppyPage, group: SceneGroup) -> El {
    let lang = page.store.lang();
    let buttons = group.names().into_iter().map(move |name| {
        let scene = format!("{} {name}", group.word());
        let is_played = {
            let scene = scene.clone();
            move || page.played.with(|it| *it == scene)
        };
        let button = parts::toggle(page.words.scene(&lang, group, name), is_played);
        button.attr("data-play", &scene).click(move || {
            page.round.update(|it| *it += 1);
            page.plays_all.set(false);
            page.play(scene.clone());
        })
    });
    let title = page.words.group(group);
    let view = el("div", "pup-test-group").attr("role", "group").attr("aria-label", title);
    view.put(el("div", "pup-quiet").text(title)).put(el("div", "pup-test-list").all(buttons))
}
