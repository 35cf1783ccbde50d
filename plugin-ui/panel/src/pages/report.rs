//! The usage report: its address, its exact text, the switch that a person gets after seeing it, and its sending (B-270
//! to B-272).

use crate::state::report::{ReportSettings, is_address, report};
use leptos::prelude::*;
use puppy_ui_parts::{Button, Card, Field, Group, Hint, Pre, Row, Switch, Trouble, once_drawn, show};
use puppy_ui_web::host;
use puppy_ui_web::kernel::PageKernel;
use puppy_ui_web::record::Record;
use puppy_ui_web::state::trouble::StorageTrouble;
use puppy_ui_web::words::report::ReportWords;

use crate::store::Store;

/// The time that the receiver may take, in milliseconds.
const DEADLINE_MS: u32 = 15_000;

/// The group's signals.
#[derive(Clone, Copy)]
struct ReportSignals {
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
#[component]
pub(crate) fn Report(store: Store) -> AnyView {
    let words = ReportWords::of(&store.lang());
    let [address, hours, seen] = [(); 3].map(|()| RwSignal::new(String::new()));
    let (is_on, trouble) = (RwSignal::new(false), RwSignal::new(None));
    let own = ReportSignals { store, address, hours, is_on, seen, trouble };
    once_drawn(move || own.read());
    let readonly = store.readonly;
    let set_address = move |text: String| {
        let text = text.trim().to_owned();
        let is_sound = text.is_empty() || is_address(&text);
        if is_sound {
            own.change(move |it| it.set_address(&text));
        }
        is_sound
    };
    let set_hours = move |text: String| {
        let is_sound = ReportSettings::default().set_hours(&text);
        if is_sound {
            own.change(move |it| {
                it.set_hours(&text);
            });
        }
        is_sound
    };
    let is_seen = move || seen.with(|it| !it.is_empty());
    let has_switch = move || is_on.get() || (address.with(|it| is_address(it)) && is_seen());
    let below = view! {
        <div>
            <Hint text=words.what_hint/>
            <div class="pup-snippet" class:fn__none=move || !is_seen()>
                <Pre text=move || seen.get() name="report"/>
            </div>
        </div>
    };
    view! {
        <Group title=words.report>
            <div class="pup-hint b3-label__text">{words.about}</div>
            <Notice own/>
            <Card>
                <Field
                    key="report_address"
                    name=words.report_address
                    hint=words.address_hint
                    wrong=words.address_wrong
                    disabled=readonly
                    value=address
                    set=set_address
                />
                <Field
                    key="report_hours"
                    name=words.report_hours
                    hint=words.hours_hint
                    wrong=words.hours_wrong
                    disabled=readonly
                    value=hours
                    set=set_hours
                />
                <Row key="report_what" name=words.report_what below=below.into_any()>
                    <Button name="show-report" text=words.show press=move |_| own.show()/>
                </Row>
                <div>
                    <div class="b3-label config-item" class:fn__none=has_switch>
                        <Hint text=words.first role="note"/>
                    </div>
                </div>
                <div>
                    <Switch
                        key="report"
                        name=words.report_send
                        hint=words.send_hint
                        disabled=readonly
                        is_on
                        set=move |on| own.change(move |it| it.switch(on))
                        class:fn__none=move || !has_switch()
                    />
                </div>
            </Card>
        </Group>
    }
    .into_any()
}

/// The reason why something cannot be read or saved, with a way out.
#[component]
fn Notice(own: ReportSignals) -> AnyView {
    let panel = own.store.words;
    let why = move || own.trouble.get().map(|why| format!("{}.", panel.why(why))).unwrap_or_default();
    view! {
        <Trouble text=why shown=move || own.trouble.get().is_some()>
            <Button name="retry" text=panel.try_again press=move |_| own.read()/>
        </Trouble>
    }
    .into_any()
}

impl ReportSignals {
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
pub(crate) async fn send_report() -> Option<()> {
    let now = host::clock();
    due(now.now_ms).await?;
    let (calls, _) = Record::default().read().await.ok()?;
    // The record takes a while, in which a person may have changed their mind.
    let mut settings = due(now.now_ms).await?;
    // Saved first: a failing receiver gets no more requests than a working one.
    settings.note_sent(now.now_ms);
    settings.write(&PageKernel).await.ok()?;
    host::net::deliver(settings.address(), &report(&calls, now), DEADLINE_MS).await;
    Some(())
}

/// The settings as they are now, if a report is due by them.
async fn due(now_ms: u64) -> Option<ReportSettings> {
    ReportSettings::read(&PageKernel).await.ok().filter(|it| it.is_due(now_ms))
}
