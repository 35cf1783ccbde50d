//! The time limits of all connections (B-207).

use leptos::prelude::*;
use puppy_mcp_client::limits::Limit;
use puppy_ui_parts::{Card, Field, Group, Hint};
use puppy_ui_web::words::servers::ServerWords;

use crate::room::Room;
use crate::servers::Servers;

#[component]
pub(super) fn Limits(room: Room, servers: Servers, words: &'static ServerWords) -> AnyView {
    let value = move |limit| move || servers.limits.get().seconds(limit).to_string();
    let set = move |limit| {
        move |typed: String| {
            let fresh = servers.limits.get_untracked().with(limit, &typed);
            fresh.into_iter().for_each(|it| servers.limit(it));
            fresh.is_some()
        }
    };
    view! {
        <Group title=words.limits name="limits">
            <Hint text=words.limits_hint/>
            <Card>
                <Field
                    key="connect_limit"
                    name=words.connect_limit
                    hint=words.connect_limit_hint
                    wrong=words.connect_limit_wrong
                    disabled=room.readonly
                    value=value(Limit::Connect)
                    set=set(Limit::Connect)
                />
                <Field
                    key="call_limit"
                    name=words.call_limit
                    hint=words.call_limit_hint
                    wrong=words.call_limit_wrong
                    disabled=room.readonly
                    value=value(Limit::Call)
                    set=set(Limit::Call)
                />
            </Card>
        </Group>
    }
    .into_any()
}
