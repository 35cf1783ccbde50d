//! Putting a view into an element of the host's page, and taking it out.

use any_spawner::Executor;
use leptos::prelude::*;
use leptos::tachys::view::Mountable;
use puppy_ui_web::host::{Element, Mounted};

/// Puts a view into an element of the page, until the handle is unmounted. That disposes of the signals first, so that no
/// effect runs for elements that are going.
pub fn mount(parent: &Element, view: impl FnOnce() -> AnyView) -> Mounted {
    // It is there already when the panel is opened again.
    let _ = Executor::init_wasm_bindgen();
    let owner = Owner::new();
    let mut state = owner.with(|| view().build());
    state.mount(parent, None);
    Mounted::new(move || {
        owner.cleanup();
        state.unmount();
    })
}
