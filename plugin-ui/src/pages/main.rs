//! The module of the pages that load when they are opened: the playground.

#[cfg(target_arch = "wasm32")]
mod playground;
#[cfg(target_arch = "wasm32")]
mod visit;

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use puppy_plugin_ui::host::{Bridge, Element, Mounted};
    use puppy_plugin_ui::words::chinese;
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Mounts a page in an element of the panel, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn mount(element: &Element, bridge: &Bridge, page: &str) -> Mounted {
        chinese::load(bridge.texts());
        match page {
            _ => super::playground::mount(element, bridge),
        }
    }
}

fn main() {}
