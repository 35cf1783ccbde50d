//! The usage report: its address, its exact text, and the switch that a person gets after seeing it (B-270 to B-272).

use puppy_plugin_ui::host;
use puppy_plugin_ui::host::el::{El, el};
use puppy_plugin_ui::kernel::PageKernel;
use puppy_plugin_ui::state::report::{ReportSettings, is_address, report};
use puppy_plugin_ui::state::trouble::StorageTrouble;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

use super::Advanced;
use crate::parts;
use crate::record::Record;

/// The group's signals.
#[derive(Clone, Copy)]
struct Report {
    page: Advanced,
    address: RwSignal<String>,
    hours: RwSignal<String>,
    is_on: RwSignal<bool>,
    /// The text that a person sees; empty before.
    seen: RwSignal<String>,
}

pub(super) fn group(page: Advanced) -> El {
    let words = page.words;
    let [address, hours, seen] = [(); 3].map(|()| RwSignal::new(String::new()));
    let own = Report { page, address, hours, is_on: RwSignal::new(false), seen };
    own.read();
    let readonly = page.store.readonly;
    let address = parts::field(
        Advanced::label("report_address", words.report_address, words.report_address_hint),
        words.report_address_wrong,
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
        Advanced::label("report_hours", words.report_hours, words.report_hours_hint),
        words.report_hours_wrong,
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
    let below = el("div", "").put(parts::hint(words.report_what_hint)).put(text);
    let show = parts::button("show-report", words.report_show).click(move || own.show());
    let what = parts::row(Advanced::label("report_what", words.report_what, ""), Some(below), show);
    let is_on = move || own.is_on.get();
    let may_be = move || own.address.with(|it| is_address(it)) && own.seen.with(|it| !it.is_empty());
    let label = Advanced::label("report", words.report_send, words.report_send_hint);
    let switch = parts::switch(label, readonly, is_on, move |on| own.change(move |it| it.switch(on)));
    let first = el("div", "b3-label config-item").put(parts::hint(words.report_first).attr("role", "note"));
    let switch = switch.shown_if(move || is_on() || may_be());
    let first = first.shown_if(move || !is_on() && !may_be());
    let card = parts::card()
        .put(address)
        .put(hours)
        .put(what)
        .put(el("div", "").put(first))
        .put(el("div", "").put(switch));
    let about = el("div", "pup-hint b3-label__text").text(words.report_about);
    parts::group(words.report).put(about).put(card)
}

impl Report {
    fn read(self) {
        host::spawn(async move {
            match ReportSettings::read(&PageKernel).await {
                Ok(settings) => self.show_settings(&settings),
                Err(why) => self.page.after(Err(why.into())),
            }
        });
    }

    fn change(self, change: impl FnOnce(&mut ReportSettings) + 'static) {
        let change: Box<dyn FnOnce(&mut ReportSettings)> = Box::new(change);
        host::spawn(async move {
            let saved = save(change).await;
            match saved {
                Ok(settings) => self.show_settings(&settings),
                Err(why) => self.page.after(Err(why)),
            }
        });
    }

    fn show_settings(self, settings: &ReportSettings) {
        self.address.try_set(settings.address().to_owned());
        self.hours.try_set(settings.hours().to_string());
        self.is_on.try_set(settings.is_on());
    }

    /// Shows what would be sent now.
    fn show(self) {
        host::spawn(async move {
            match Record::default().read().await {
                Ok((calls, _)) => {
                    self.seen.try_set(report(&calls, host::clock()));
                }
                Err(why) => self.page.after(Err(why)),
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
