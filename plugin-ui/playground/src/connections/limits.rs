//! The time limits of all connections (B-207).

use puppy_mcp_client::limits::Limit;
use puppy_ui_parts::el::El;
use puppy_ui_parts::{self as parts, Label};
use puppy_ui_web::words::servers::ServerWords;
use reactive_graph::prelude::*;

use crate::room::Room;
use crate::servers::Servers;

pub(super) fn view(room: Room, servers: Servers, words: &'static ServerWords) -> El {
    let field = |limit: Limit, key, name, hint, wrong| {
        parts::field(
            Label { key, name, hint },
            wrong,
            room.readonly,
            move || servers.limits.get().seconds(limit).to_string(),
            move |typed| {
                let fresh = servers.limits.get_untracked().with(limit, typed);
                fresh.into_iter().for_each(|it| servers.limit(it));
                fresh.is_some()
            },
        )
    };
    let connect = field(
        Limit::Connect,
        "connect_limit",
        words.connect_limit,
        words.connect_limit_hint,
        words.connect_limit_wrong,
    );
    let call =
        field(Limit::Call, "call_limit", words.call_limit, words.call_limit_hint, words.call_limit_wrong);
    let group = parts::group(words.limits).attr("data-name", "limits").put(parts::hint(words.limits_hint));
    group.put(parts::card().put(connect).put(call))
}
