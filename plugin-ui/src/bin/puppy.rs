//! The module that the page loads at its start: the puppy.

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use puppy_plugin_ui::host::{Bridge, Element, Mounted};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Puts the puppy into an element of the page, until the handle is told to unmount it.
    #[wasm_bindgen]
    pub fn mount(element: Element, bridge: Bridge) -> Mounted {
        puppy_plugin_ui::puppy::mount(element, bridge)
    }
}

fn main() {}
