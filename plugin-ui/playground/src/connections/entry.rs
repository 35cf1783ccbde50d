//! The form of one server: a new one, or one that is changed.

use crate::state::servers::{AUTHORIZATION, Entered, Unfit, is_allowed};
use crate::state::shown;
use puppy_ui_parts as parts;
use puppy_ui_parts::el::{El, el, is_checked, keep_in_step, typed};
use puppy_ui_web::host::{self, dom};
use puppy_ui_web::words::fill;
use puppy_ui_web::words::servers::ServerWords;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use crate::room::Room;
use crate::servers::Servers;

/// One line of the form: its key, its name, and where its text lies.
type Line = (&'static str, &'static str, fn(&mut Entered) -> &mut String);

pub(super) fn view(
    room: Room,
    servers: Servers,
    words: &'static ServerWords,
    edited: RwSignal<Option<String>>,
) -> El {
    let empty = || Entered { header: AUTHORIZATION.to_owned(), ..Entered::default() };
    let entered = RwSignal::new(empty());
    let unfit = RwSignal::new(None::<Unfit>);
    let before = move || {
        let name = edited.get_untracked()?;
        servers.kept().into_iter().find(|it| it.name == name)
    };
    keep_in_step(Box::new(move || {
        if edited.with(Option::is_some) {
            entered.set(before().as_ref().map_or_else(empty, Entered::of));
            unfit.set(None);
            dom::focus_anywhere(".pup-playground [data-entry=name]");
        }
    }));
    let lines: [Line; 4] = [
        ("name", words.name, |it| &mut it.name),
        ("url", words.url, |it| &mut it.url),
        ("header", words.header, |it| &mut it.header),
        ("value", words.value, |it| &mut it.value),
    ];
    let line = |(key, title, part): Line| {
        let id = format!("pup-entry-{key}");
        let field = el("input", "b3-text-field fn__block").attr("id", &id).attr("data-entry", key);
        let field = field.attr("autocomplete", "off").attr("spellcheck", "false");
        // A secret is shown to nobody who looks over a shoulder.
        let field = if key == "value" { field.attr("type", "password") } else { field };
        let field = field.value(move || part(&mut entered.get()).clone());
        let field = field.on("input", move |event| entered.update(|it| *part(it) = typed(event)));
        el("div", "pup-field").put(el("label", "config-name").attr("for", &id).text(title)).put(field)
    };
    let done = move || {
        edited.set(None);
        entered.set(empty());
        unfit.set(None);
    };
    let save = move || {
        let before = before();
        let saved = entered.with_untracked(|it| it.saved(before.as_ref(), &servers.kept()));
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
    let kernel =
        el("input", "b3-switch fn__flex-center").attr("type", "checkbox").attr("data-entry", "kernel");
    let kernel = kernel.checked(move || entered.with(|it| it.through_kernel));
    let kernel = kernel.on("change", move |event| entered.update(|it| it.through_kernel = is_checked(event)));
    let names = el("div", "fn__flex-1").put(el("div", "config-name").text(words.through_kernel));
    let names = names.put(parts::hint(words.through_kernel_hint));
    let kernel = el("label", "fn__flex b3-label config-item").put(names).put(parts::space()).put(kernel);
    let title = move || match edited.get() {
        Some(name) => fill(words.edit_what, &[("name", &name)]),
        None => words.add.to_owned(),
    };
    let said = move || unfit.get().map_or("", |why| shown::unfit(words, why));
    let said = el("span", "pup-failure").attr("role", "alert").attr("data-name", "unfit").says(said);
    let keep = el("button", "b3-button").attr("type", "button").attr("data-do", "keep");
    let keep =
        keep.says(move || if edited.with(Option::is_some) { words.save } else { words.add_it }).click(save);
    let cancel = parts::button("cancel", words.cancel).shown_if(move || edited.with(Option::is_some));
    let cancel = cancel.on("click", move |event| {
        dom::focus_near(event, "[data-name=entry]", "[data-entry=name]");
        done();
    });
    let buttons = el("div", "pup-buttons").put(keep).put(cancel).put(said);
    let kept = parts::hint(words.headers_kept).shown_if(move || edited.with(Option::is_some));
    let fields = el("div", "pup-fields").all(lines.map(line)).put(kept).put(kernel);
    let card =
        el("div", "config-items pup-card-body").put(fields).put(parts::hint(words.secrets)).put(buttons);
    let title = el("div", "config-title").says(title);
    el("div", "config-group").attr("data-name", "entry").put(title).put(card)
}

/// Whether the person allows the kernel to send requests to an address.
async fn ask(room: Room, words: &ServerWords, url: &str) -> bool {
    let Some(bridge) = room.bridge() else { return false };
    bridge.confirm(words.ask_kernel, &fill(words.ask_kernel_what, &[("url", url)])).await
}
