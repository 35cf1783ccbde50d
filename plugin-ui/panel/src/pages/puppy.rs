//! The puppy's page: settings of its look and its manners, saved immediately, and a test mode with a preview.

use leptos::html;
use leptos::prelude::*;
use puppy_ui_parts::{Button, Card, Choice, Group, Row, Switch, Toggle, Trouble, once_drawn, options};
use puppy_ui_web::host::{self, Element, Preview};
use puppy_ui_web::state::message::Message;
use puppy_ui_web::state::settings::{Bubble, Choice as Words, Coat, Collar, Settings, Size};
use puppy_ui_web::state::stage::SceneGroup;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::puppy_page::PuppyPageWords;

use crate::requests::setting;
use crate::store::Store;

/// The time of a scene in "play all", in milliseconds.
const SCENE_MS: u32 = 1_800;
/// The slowest motion, as a factor.
const SLOWEST: u32 = 10;

/// The page's settings, its picture of the puppy and its test mode.
#[derive(Clone, Copy)]
struct PuppySignals {
    store: Store,
    words: &'static PuppyPageWords,
    settings: RwSignal<Settings>,
    preview: StoredValue<Option<Preview>, LocalStorage>,
    is_unsaved: RwSignal<bool>,
    /// The scene that was played last; empty before the first.
    played: RwSignal<String>,
    slow: RwSignal<u32>,
    /// Rises whenever "play all" starts or ends.
    round: RwSignal<u32>,
    plays_all: RwSignal<bool>,
}

impl PuppySignals {
    /// Changes a setting in the preview, for the puppy in the corner, and in the file.
    fn set(self, key: &'static str, value: String) {
        self.settings.update(|it| it.set(key, &value));
        self.tell_settings();
        let lines = self.settings.get_untracked().to_lines();
        let Some(host) = self.store.host() else { return };
        host.tell_puppy(Message::Settings(&lines));
        host::spawn(async move {
            let saved = setting::set(key, &value).await;
            self.is_unsaved.try_set(saved.is_none());
        });
    }

    fn read(self) {
        host::spawn(async move {
            let settings = setting::read().await.unwrap_or_default().settings();
            // The page may have been left in the meantime.
            if self.settings.try_set(settings).is_none() {
                self.tell_settings();
            }
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
    fn show(self, place: Element) {
        host::spawn(async move {
            let Some(host) = self.store.host() else { return };
            let preview = host.preview(&place).await;
            match self.preview.try_set_value(preview) {
                None => self.tell_settings(),
                // The page has been left in the meantime.
                Some(left) => left.into_iter().for_each(|it| it.unmount()),
            }
        });
    }
}

fn scenes() -> impl Iterator<Item = (SceneGroup, &'static str)> {
    SceneGroup::ALL.into_iter().flat_map(|group| group.names().into_iter().map(move |name| (group, name)))
}

/// The content of the page.
#[component]
pub(crate) fn Puppy() -> AnyView {
    let store = Store::here();
    let words = PuppyPageWords::of(&store.lang());
    let page = PuppySignals {
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
    once_drawn(move || page.read());
    on_cleanup(move || {
        let preview = page.preview.try_update_value(Option::take).flatten();
        if let Some(preview) = preview {
            preview.unmount();
        }
    });
    let place = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if let Some(place) = place.get() {
            page.show(place.into());
        }
    });
    let is_played = move || page.played.with(|it| !it.is_empty());
    view! {
        <div>
            <Trouble text=words.not_saved shown=page.is_unsaved/>
            <div class="pup-stage">
                <div node_ref=place></div>
                <span class="pup-test" class:fn__none=move || !is_played()>{words.test_mark}</span>
            </div>
            <Look page/>
            <Manners page/>
            <TestMode page/>
        </div>
    }
    .into_any()
}

/// A switch of one setting.
#[component]
fn OwnSwitch(page: PuppySignals, key: &'static str, name: &'static str, hint: &'static str) -> AnyView {
    let is_on = move || page.settings.with(|it| it.get(key) == "true");
    let set = move |is: bool| page.set(key, is.to_string());
    view! { <Switch key name hint disabled=page.store.readonly is_on set/> }.into_any()
}

/// A choice between the words of one setting.
#[component]
fn OwnChoice(
    page: PuppySignals,
    key: &'static str,
    name: &'static str,
    #[prop(optional)] hint: &'static str,
    words: Vec<&'static str>,
) -> AnyView {
    let options = options(words.into_iter().map(|word| (word, page.words.choice(word))));
    let value = move || page.settings.with(|it| it.get(key).to_owned());
    let set = move |word| page.set(key, word);
    view! { <Choice key name hint disabled=page.store.readonly options value set/> }.into_any()
}

#[component]
fn Look(page: PuppySignals) -> AnyView {
    let words = page.words;
    let home = move || page.store.with_host(|host| host.tell_puppy(Message::Home));
    let sizes = Size::all().map(Words::word).collect();
    let coats = Coat::all().map(Words::word).collect();
    let collars = Collar::all().map(Words::word).collect();
    view! {
        <Group title=words.look>
            <Card>
                <OwnSwitch page key="show" name=words.show hint=words.show_hint/>
                <OwnChoice page key="size" name=words.size words=sizes/>
                <OwnChoice page key="coat" name=words.coat words=coats/>
                <OwnChoice page key="collar" name=words.collar words=collars/>
                <Row key="home" name=words.puppy_home>
                    <Button
                        class="b3-button b3-button--outline fn__flex-center fn__size200"
                        name="home"
                        text=words.reset
                        press=move |_| home()
                    />
                </Row>
            </Card>
        </Group>
    }
    .into_any()
}

#[component]
fn Manners(page: PuppySignals) -> AnyView {
    let words = page.words;
    let bubbles = Bubble::all().map(Words::word).collect();
    let switches = [
        ("quiet", words.quiet, words.quiet_hint),
        ("hearts", words.hearts, words.hearts_hint),
        ("calm", words.calm, words.calm_hint),
        ("trot", words.trot, words.trot_hint),
        ("follow", words.follow, words.follow_hint),
        ("fade", words.fade, words.fade_hint),
        ("speak", words.speak, words.speak_hint),
        ("phones", words.phones, words.phones_hint),
    ];
    let switches = switches.map(|(key, name, hint)| view! { <OwnSwitch page key name hint/> });
    view! {
        <Group title=words.manners>
            <Card>
                <OwnChoice page key="bubble" name=words.bubble hint=words.bubble_hint words=bubbles/>
                {switches.collect_view()}
            </Card>
        </Group>
    }
    .into_any()
}

#[component]
fn TestMode(page: PuppySignals) -> AnyView {
    let words = page.words;
    let all = move || if page.plays_all.get() { words.stop } else { words.play_all };
    let times = move || match page.slow.get() {
        1 => words.usual.to_owned(),
        n => fill(words.times, &[("n", &n.to_string())]),
    };
    let groups = SceneGroup::ALL.map(|group| view! { <Scenes page group/> });
    view! {
        <Group title=words.test name="test">
            <div class="pup-hint b3-label__text">{words.test_hint}</div>
            <div class="config-items pup-tests">
                <div class="fn__flex pup-test-bar">
                    <Button name="play-all" text=all press=move |_| page.play_all()/>
                    <label class="fn__flex pup-slow">
                        <span>{words.slow}</span>
                        <input
                            class="b3-slider"
                            type="range"
                            min="1"
                            max=SLOWEST.to_string()
                            aria-valuetext=times
                            prop:value=move || page.slow.get().to_string()
                            on:input=move |event| {
                                page.slow.set(event_target_value(&event).parse().unwrap_or(1).clamp(1, SLOWEST));
                            }
                        />
                        <span class="pup-quiet">{times}</span>
                    </label>
                </div>
                {groups.collect_view()}
            </div>
        </Group>
    }
    .into_any()
}

/// The scenes of a group, each with a button that plays it.
#[component]
fn Scenes(page: PuppySignals, group: SceneGroup) -> AnyView {
    let lang = page.store.lang();
    let title = page.words.group(group);
    let button = |name: &'static str| {
        let scene = format!("{} {name}", group.word());
        let (own, play) = (scene.clone(), scene.clone());
        let press = move || {
            page.round.update(|it| *it += 1);
            page.plays_all.set(false);
            page.play(play.clone());
        };
        view! {
            <Toggle
                text=page.words.scene(&lang, group, name)
                is_chosen=move || page.played.with(|it| *it == own)
                press=move |_| press()
                attr:data-play=scene
            />
        }
    };
    view! {
        <div class="pup-test-group" role="group" aria-label=title>
            <div class="pup-quiet">{title}</div>
            <div class="pup-test-list">{group.names().into_iter().map(button).collect_view()}</div>
        </div>
    }
    .into_any()
}
