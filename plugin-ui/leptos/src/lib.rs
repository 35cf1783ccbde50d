//! Leptos for a page without a server of its own, under the names that its `view!` writes and its readers know.
//!
//! All of it is Leptos: `tachys` renders, `reactive_graph` holds the signals, `leptos_macro` reads `view!`. Only what
//! its crate `leptos` adds for pages like ours is written anew here, because that crate cannot be had without server
//! functions and their HTTP client, routes, settings files and hot reloading.
#![cfg(target_arch = "wasm32")]

pub use tachys;
pub use tachys::html::{element as html, event as ev};

pub mod mount;

/// Whatever a file with views imports.
pub mod prelude {
    pub use crate::mount::{CollectView, IntoView, Marked, View};
    pub use crate::{event_target_checked, event_target_value};
    pub use leptos_macro::view;
    pub use reactive_graph::computed::Memo;
    pub use reactive_graph::effect::Effect;
    pub use reactive_graph::owner::{LocalStorage, StoredValue, on_cleanup};
    pub use reactive_graph::prelude::*;
    pub use reactive_graph::signal::RwSignal;
    pub use tachys::prelude::*;
    pub use tachys::reactive_graph::node_ref::NodeRef;
}

use wasm_bindgen::JsCast as _;
use web_sys::{Event, HtmlInputElement};

/// The value of the field that an event is about; empty for an event without one.
pub fn event_target_value(event: &Event) -> String {
    field(event).map(|field| field.value()).unwrap_or_default()
}

/// Whether the box that an event is about is ticked.
pub fn event_target_checked(event: &Event) -> bool {
    field(event).is_some_and(|field| field.checked())
}

/// The field. A `select` and a `textarea` have the same properties, so the class is not checked.
fn field(event: &Event) -> Option<HtmlInputElement> {
    Some(event.target()?.unchecked_into())
}
