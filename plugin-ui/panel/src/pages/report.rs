//! The usage report: its address, its exact text, the switch that a person gets after seeing it, and its sending (B-270
//! to B-272).

use std::pin::pin;

use crate::state::report::{ReportSettings, is_address, report};
use futures_util::future::select;
use puppy_mcp_client::fetch::Page;
use puppy_mcp_client::http::{HttpRequest, Method};
use puppy_mcp_client::world::Transport as _;
use puppy_ui_parts::el::{El, el};
use puppy_ui_parts::{self as parts, Label, show};
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::report::ReportWords;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use super::record::Record;
use crate::store::Store;

/// The time that the receiver may take, in milliseconds.
const DEADLINE_MS: u32 = 15_000;

/// The group's signals.
#[derive(Clone, Copy)]
struct Report {
    store: Store,
    address: RwSignal<String>,
    hours: RwSignal<String>,
    is_on: RwSignal<bool>,
    /// The text that a person sees; empty before.
    seen: RwSignal<String>,
    /// Why something cannot be read or saved.
    trouble: RwSignal<Option<StorageTrouble>>,
}

/// The group of the report on the page Advanced.
pub(crate) fn group(store: Store) -> El {
    let words = ReportWords::of(&store.lang());
    let [address, hours, seen] = [(); 3].map(|()| RwSignal::new(String::new()));
    let (is_on, trouble) = (RwSignal::new(false), RwSignal::new(None));
    let own = Report { store, address, hours, is_on, seen, trouble };
    own.read();
    let readonly = store.readonly;
    let address = parts::field(
        label("report_address", words.report_address, words.address_hint),
        words.address_wrong,
        readonly,
        move || own.address.get(),
        move |typed| {
            let typed = typed.trim().to_owned();
            let is_sound = typed.is_empty() || is_address(&typed);
            if is_sound {
                own.change(move |it| it.set_address(&typed));
            }
            is_sound
        },
    );
    let hours = parts::field(
        label("report_hours", words.report_hours, words.hours_hint),
        words.hours_wrong,
        readonly,
        move || own.hours.get(),
        move |typed| {
            let is_sound = ReportSettings::default().set_hours(typed);
            if is_sound {
                let typed = typed.to_owned();
                own.change(move |it| {
                    it.set_hours(&typed);
                });
            }
            is_sound
        },
    );
    let text = el("pre", "").attr("tabindex", "0").attr("data-name", "report").says(move || own.seen.get());
    let text = el("div", "pup-snippet").put(text).shown_if(move || own.seen.with(|it| !it.is_empty()));
    let below = el("div", "").put(parts::hint(words.what_hint)).put(text);
    let show = parts::button("show-report", words.show).click(move || own.show());
    let what = parts::row(label("report_what", words.report_what, ""), Some(below), show);
    let is_on = move || own.is_on.get();
    let may_be = move || own.address.with(|it| is_address(it)) && own.seen.with(|it| !it.is_empty());
    let label = label("report", words.report_send, words.send_hint);
    let switch = parts::switch(label, readonly, is_on, move |on| own.change(move |it| it.switch(on)));
    let first = el("div", "b3-label config-item").put(parts::hint(words.first).attr("role", "note"));
    let switch = switch.shown_if(move || is_on() || may_be());
    let first = first.shown_if(move || !is_on() && !may_be());
    let card = parts::card()
        .put(address)
        .put(hours)
        .put(what)
        .put(el("div", "").put(first))
        .put(el("div", "").put(switch));
    let about = el("div", "pup-hint b3-label__text").text(words.about);
    parts::group(words.report).put(about).put(notice(own)).put(card)
}

fn label(key: &'static str, name: &'static str, hint: &'static str) -> Label {
    Label { key, name, hint }
}

/// Why something cannot be read or saved, with a way out.
fn notice(own: Report) -> El {
    let panel = own.store.words;
    let why = move || own.trouble.get().map(|why| format!("{}.", panel.why(why))).unwrap_or_default();
    let retry = parts::button("retry", panel.try_again).click(move || own.read());
    let notice = el("div", "pup-trouble").attr("role", "alert");
    let notice = notice.put(el("span", "fn__flex-1").says(why)).put(retry);
    notice.shown_if(move || own.trouble.get().is_some())
}

impl Report {
    fn read(self) {
        host::spawn(async move {
            match ReportSettings::read(&PageKernel).await {
                Ok(settings) => self.show_settings(&settings),
                Err(why) => self.fail(why.into()),
            }
        });
    }

    fn change(self, change: impl FnOnce(&mut ReportSettings) + 'static) {
        let change: Box<dyn FnOnce(&mut ReportSettings)> = Box::new(change);
        host::spawn(async move {
            let saved = save(change).await;
            match saved {
                Ok(settings) => self.show_settings(&settings),
                Err(why) => self.fail(why),
            }
        });
    }

    fn fail(self, why: StorageTrouble) {
        self.trouble.try_set(Some(why));
    }

    fn show_settings(self, settings: &ReportSettings) {
        self.trouble.try_set(None);
        show(self.address, settings.address().to_owned());
        show(self.hours, settings.hours().to_string());
        show(self.is_on, settings.is_on());
    }

    /// Shows what would be sent now.
    fn show(self) {
        host::spawn(async move {
            match Record::default().read().await {
                Ok((calls, _)) => {
                    self.seen.try_set(report(&calls, host::clock()));
                }
                Err(why) => self.fail(why),
            }
        });
    }
}

/// Changes the file as it is now; the moment of the last report may have been written meanwhile.
async fn save(change: Box<dyn FnOnce(&mut ReportSettings)>) -> Result<ReportSettings, StorageTrouble> {
    let mut settings = ReportSettings::read(&PageKernel).await?;
    change(&mut settings);
    settings.write(&PageKernel).await?;
    Ok(settings)
}

/// Sends the report if it was switched on and is due; `None` where it is not, or where it cannot be made.
pub async fn send_report() -> Option<()> {
    let now = host::clock();
    due(now.now_ms).await?;
    let (calls, _) = Record::default().read().await.ok()?;
    // The record takes a while, in which a person may have changed their mind.
    let mut settings = due(now.now_ms).await?;
    // Noted first: a receiver that fails is not asked more often than one that works.
    settings.note_sent(now.now_ms);
    settings.write(&PageKernel).await.ok()?;
    let request = HttpRequest {
        method: Method::Post,
        url: settings.address().to_owned(),
        headers: Vec::new(),
        body: Some(report(&calls, now)),
        through_kernel: None,
    };
    // The way of the playground's requests: nothing goes along, and no redirection is followed.
    select(Page.send(request), pin!(host::sleep(DEADLINE_MS))).await;
    Some(())
}

/// The settings as they are now, if a report is due by them.
async fn due(now_ms: u64) -> Option<ReportSettings> {
    ReportSettings::read(&PageKernel).await.ok().filter(|it| it.is_due(now_ms))
}
