//! The module that the page loads when the playground is opened: forms, answers and connections.

#[cfg(target_arch = "wasm32")]
mod answer;
#[cfg(target_arch = "wasm32")]
mod attempt;
#[cfg(target_arch = "wasm32")]
mod calls;
#[cfg(target_arch = "wasm32")]
mod connections;
#[cfg(target_arch = "wasm32")]
mod fields;
#[cfg(target_arch = "wasm32")]
mod prompts;
#[cfg(target_arch = "wasm32")]
mod resources;
#[cfg(target_arch = "wasm32")]
mod room;
#[cfg(target_arch = "wasm32")]
mod run;
#[cfg(target_arch = "wasm32")]
mod servers;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use puppy_plugin_ui::host::{Bridge, Element, Mounted};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Mounts the playground in an element of the page, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn mount(element: &Element, bridge: &Bridge) -> Mounted {
        super::view::mount(element, bridge)
    }
}

fn main() {}
