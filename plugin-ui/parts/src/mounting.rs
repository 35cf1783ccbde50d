//! Mounts a view in an element of the host's page.

use any_spawner::Executor;
use leptos::prelude::*;
use leptos::tachys::view::Mountable;
use puppy_ui_web::host::{Element, Mounted};

/// Mounts a view in an element of the page, until the handle is unmounted. Unmounting disposes of the signals first, so
/// that no effect runs for elements that are being removed.
pub fn mount(parent: &Element, view: impl FnOnce() -> AnyView) -> Mounted {
    // Fails when the panel is opened again: the executor already exists.
    let _ = Executor::init_wasm_bindgen();
    // Not `new`: a view that is mounted in a handler of another view would be disposed of with that one.
    let owner = Owner::default();
    let mut state = owner.with(|| view().build());
    state.mount(parent, None);
    Mounted::new(move || {
        owner.cleanup();
        state.unmount();
    })
}
