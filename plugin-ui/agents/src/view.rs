//! The runs in their place on the page of Activity: one line each, the newest first.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use puppy_ui_parts::{Button, Card, Empty, Group, Keyed, Loading, Trouble, fresh, once_drawn};
use puppy_ui_web::words::fill;

use crate::room::{Room, RunsLoad};
use crate::run;

/// The list of runs, which is read once it is drawn.
#[component]
pub(crate) fn Runs(room: Room) -> AnyView {
    let words = room.words;
    once_drawn(move || {
        room.read();
        room.watch();
    });
    // A run that goes on is drawn anew.
    let rows = move || {
        let row = |item: crate::state::list::RunItem| {
            let key = format!("{} {}", item.run, item.latest);
            (key, ViewFn::from(move || run::line(room, item.clone())))
        };
        room.items.get().into_iter().map(row).collect::<Vec<_>>()
    };
    let retry = move |_: MouseEvent| {
        room.load.set(RunsLoad::Loading);
        room.read();
    };
    let state = move || match room.load.get() {
        RunsLoad::Loading => view! { <Loading text=room.panel.loading/> }.into_any(),
        RunsLoad::Failed(why) => view! {
            <Trouble text=fill(words.not_read, &[("why", &why)])>
                <Button name="retry" text=room.panel.try_again press=retry/>
            </Trouble>
        }
        .into_any(),
        RunsLoad::Ready if room.items.with(Vec::is_empty) => view! { <Empty text=words.none/> }.into_any(),
        RunsLoad::Ready => ().into_any(),
    };
    let has_more = Signal::derive(move || room.next.with(Option::is_some));
    view! {
        <Group title=words.title name="runs">
            <div class="pup-hint b3-label__text">{words.about}</div>
            <Card>
                <div class="pup-runs">
                    {fresh(state)}
                    <Keyed rows=Signal::derive(rows)/>
                    <Button name="more" text=words.more shown=has_more press=move |_| room.read_more()/>
                </div>
            </Card>
        </Group>
    }
    .into_any()
}
