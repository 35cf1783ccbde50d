//! The form of one server: a new one, or one that is changed.

use crate::state::connection_text;
use crate::state::servers::{AUTHORIZATION, ServerForm, Unfit, is_allowed};
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use puppy_ui_parts::{Button, FILLED, Group, Hint, Input, Space};
use puppy_ui_web::host::{self, dom};
use puppy_ui_web::words::fill;
use puppy_ui_web::words::servers::ServerWords;

use crate::room::Room;
use crate::servers::Servers;

/// One line of the form: its key, its name, and where its text lies.
type FormLine = (&'static str, &'static str, fn(&mut ServerForm) -> &mut String);

#[component]
pub(super) fn Entry(
    room: Room,
    servers: Servers,
    words: &'static ServerWords,
    /// The name of the server that is changed; `None` for a new one.
    edited: RwSignal<Option<String>>,
) -> AnyView {
    let empty = || ServerForm { header: AUTHORIZATION.to_owned(), ..ServerForm::default() };
    let entered = RwSignal::new(empty());
    let unfit = RwSignal::new(None::<Unfit>);
    let before = move || {
        let name = edited.get_untracked()?;
        servers.saved().into_iter().find(|it| it.name == name)
    };
    Effect::new(move || {
        if edited.with(Option::is_some) {
            entered.set(before().as_ref().map_or_else(empty, ServerForm::of));
            unfit.set(None);
            dom::focus_anywhere(".pup-playground [data-entry=name]");
        }
    });
    let lines: [FormLine; 4] = [
        ("name", words.name, |it| &mut it.name),
        ("url", words.url, |it| &mut it.url),
        ("header", words.header, |it| &mut it.header),
        ("value", words.value, |it| &mut it.value),
    ];
    let line = move |(key, title, part): FormLine| {
        let id = format!("pup-entry-{key}");
        // A secret is masked, so that other people in the room cannot read it.
        let kind = (key == "value").then_some("password");
        view! {
            <div class="pup-field">
                <label class="config-name" for=id.clone()>{title}</label>
                <Input
                    value=move || part(&mut entered.get()).clone()
                    input=move |text| entered.update(|it| *part(it) = text)
                    nostrip:kind=kind
                    attr:id=id
                    attr:data-entry=key
                    attr:autocomplete="off"
                    attr:spellcheck="false"
                />
            </div>
        }
    };
    let done = move || {
        edited.try_set(None);
        entered.try_set(empty());
        unfit.try_set(None);
    };
    let save = move || {
        let before = before();
        let saved = entered.with_untracked(|it| it.saved(before.as_ref(), &servers.saved()));
        match saved {
            Ok(saved) => host::spawn(async move {
                if is_allowed(before.as_ref(), &saved) || ask(room, words, &saved.url).await {
                    servers.keep(before.as_ref().map(|it| it.name.as_str()), vec![saved]);
                    done();
                }
            }),
            Err(why) => unfit.set(Some(why)),
        }
    };
    let is_change = move || edited.with(Option::is_some);
    let title = move || match edited.get() {
        Some(name) => fill(words.edit_what, &[("name", &name)]),
        None => words.add.to_owned(),
    };
    let said = move || unfit.get().map_or("", |why| connection_text::unfit(words, why));
    let cancel = move |event: MouseEvent| {
        dom::focus_near(&event, "[data-name=entry]", "[data-entry=name]");
        done();
    };
    view! {
        <Group title name="entry">
            <div class="config-items pup-card-body">
                <div class="pup-fields">
                    {lines.map(line).collect_view()}
                    <Hint text=words.headers_kept shown=is_change/>
                    <label class="fn__flex b3-label config-item">
                        <div class="fn__flex-1">
                            <div class="config-name">{words.through_kernel}</div>
                            <Hint text=words.through_kernel_hint/>
                        </div>
                        <Space/>
                        <input
                            class="b3-switch fn__flex-center"
                            type="checkbox"
                            data-entry="kernel"
                            prop:checked=move || entered.with(|it| it.through_kernel)
                            on:change=move |event| {
                                entered.update(|it| it.through_kernel = event_target_checked(&event));
                            }
                        />
                    </label>
                </div>
                <Hint text=words.secrets/>
                <div class="pup-buttons">
                    <Button
                        name="keep"
                        class=FILLED
                        text=move || if is_change() { words.save } else { words.add_it }
                        press=move |_| save()
                    />
                    <Button name="cancel" text=words.cancel shown=is_change press=cancel/>
                    <span class="pup-failure" role="alert" data-name="unfit">{said}</span>
                </div>
            </div>
        </Group>
    }
    .into_any()
}

/// Whether the person allows the kernel to send requests to an address.
async fn ask(room: Room, words: &ServerWords, url: &str) -> bool {
    let Some(host) = room.host() else { return false };
    host.confirm(words.ask_kernel, &fill(words.ask_kernel_what, &[("url", url)])).await
}
