//! SiYuan's own agent: the switch that has it ask the puppy, and SiYuan's own tools beside it, which know no levels.

use leptos::prelude::*;
use puppy_ui_parts::{Button, Card, Group, Hint, Switch, once_drawn, show};
use puppy_ui_web::host;
use puppy_ui_web::state::own_agent::OwnAgentState;
use puppy_ui_web::state::server::HttpChange;
use puppy_ui_web::words::fill;
use puppy_ui_web::words::own_agent::OwnAgentWords;

use crate::setting_files::{read_server, save_server};
use crate::store::Store;

/// The signals of the group.
#[derive(Clone, Copy)]
struct OwnAgentSignals {
    store: Store,
    words: &'static OwnAgentWords,
    is_on: RwSignal<bool>,
    state: RwSignal<OwnAgentState>,
    /// The outcome of the last change; empty for none.
    said: RwSignal<String>,
}

/// The group.
#[component]
pub(super) fn OwnAgent(store: Store) -> AnyView {
    let words = OwnAgentWords::of(&store.lang());
    let own = OwnAgentSignals {
        store,
        words,
        is_on: RwSignal::new(false),
        state: RwSignal::new(OwnAgentState::default()),
        said: RwSignal::new(String::new()),
    };
    once_drawn(move || host::spawn(own.read()));
    let is_supported = Memo::new(move |_| own.state.with(|it| it.is_supported));
    let is_open = Memo::new(move |_| own.state.with(|it| !it.bypassing.is_empty()));
    let is_exposed = Memo::new(move |_| own.state.with(|it| it.exposed > 0));
    let native = move || own.native();
    let exposed = move || fill(words.exposed, &[("n", &own.state.with(|it| it.exposed).to_string())]);
    view! {
        <Group title=words.title name="own_agent">
            <Card>
                <Switch
                    key="own_agent"
                    name=words.switch
                    hint=words.switch_hint
                    disabled=store.readonly
                    is_on=own.is_on
                    set=move |is| own.set(is)
                />
                <div class="b3-label config-item pup-lines">
                    <Hint text=words.too_old name="too-old" shown=Signal::derive(move || !is_supported.get())/>
                    <div class:fn__none=move || !is_supported.get()>
                        <div class="config-name">{words.native}</div>
                        <div
                            class="b3-label__text"
                            class:pup-failure=is_open
                            data-name="native"
                            data-n=move || own.state.with(|it| it.bypassing.len().to_string())
                            role="status"
                        >
                            {native}
                        </div>
                        <Hint text=exposed name="exposed" shown=is_exposed/>
                        <Hint text=words.stays/>
                        <div class="pup-buttons">
                            <Button
                                name="deny-native"
                                text=words.deny
                                disabled=store.readonly
                                shown=is_open
                                press=move |_| own.deny("deny")
                            />
                            <Button
                                name="deny-all-native"
                                text=words.deny_all
                                disabled=store.readonly
                                shown=is_exposed
                                press=move |_| own.deny("deny-all")
                            />
                            <Button name="open-native" text=words.open press=move |_| own.open()/>
                        </div>
                    </div>
                    <Hint text=move || own.said.get() role="status" name="own-said"/>
                </div>
            </Card>
        </Group>
    }
    .into_any()
}

impl OwnAgentSignals {
    async fn read(self) {
        if let Ok(settings) = read_server().await {
            show(self.is_on, settings.has_own_agent());
        }
        let Some(host) = self.store.host() else { return };
        show(
            self.state,
            host.native("look").await.unwrap_or(OwnAgentState { is_supported: true, ..Default::default() }),
        );
    }

    /// The sentence about SiYuan's own tools.
    fn native(self) -> String {
        self.state.with(|it| match it.bypassing.len() {
            _ if !it.is_known => self.words.unknown.to_owned(),
            0 => self.words.none.to_owned(),
            n => fill(self.words.some, &[("n", &n.to_string()), ("names", &it.names())]),
        })
    }

    fn set(self, is: bool) {
        self.is_on.set(is);
        host::spawn(async move {
            let saved = save_server(&HttpChange::OwnAgent(is)).await;
            let text = match saved {
                Err(why) => {
                    self.is_on.try_set(!is);
                    let words = self.store.words;
                    fill(words.not_saved, &[("why", words.why(why))])
                }
                Ok(()) if is => String::new(),
                Ok(()) => self.words.off.to_owned(),
            };
            self.said.try_set(text);
        });
    }

    /// Denies SiYuan's own tools, after a question.
    fn deny(self, what: &'static str) {
        let Some(host) = self.store.host() else { return };
        host::spawn(async move {
            let n = self.state.with_untracked(|it| it.bypassing.len().max(it.exposed)).to_string();
            if !host.confirm(self.words.deny_ask, &fill(self.words.deny_text, &[("n", &n)])).await {
                return;
            }
            let denied = host.native(what).await;
            let text = if denied.is_some() { self.words.denied } else { self.words.failed };
            self.said.try_set(text.to_owned());
            self.read().await;
        });
    }

    fn open(self) {
        let Some(host) = self.store.host() else { return };
        host::spawn(async move {
            host.native("open").await;
        });
    }
}
