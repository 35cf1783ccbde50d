//! The module that the page loads for the settings, or for the first errand of the puppy: the panel.

#[cfg(target_arch = "wasm32")]
mod advanced;
#[cfg(target_arch = "wasm32")]
mod bar;
#[cfg(target_arch = "wasm32")]
mod changes;
#[cfg(target_arch = "wasm32")]
mod errands;
#[cfg(target_arch = "wasm32")]
mod frame;
#[cfg(target_arch = "wasm32")]
mod home;
#[cfg(target_arch = "wasm32")]
mod late;
#[cfg(target_arch = "wasm32")]
mod line;
#[cfg(target_arch = "wasm32")]
mod permissions;
#[cfg(target_arch = "wasm32")]
mod picked;
#[cfg(target_arch = "wasm32")]
mod presets;
#[cfg(target_arch = "wasm32")]
mod questions;
#[cfg(target_arch = "wasm32")]
mod search;
#[cfg(target_arch = "wasm32")]
mod setting_files;
#[cfg(target_arch = "wasm32")]
mod store;
#[cfg(target_arch = "wasm32")]
mod tools;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(target_arch = "wasm32")]
use puppy_plugin_ui::parts;

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use puppy_plugin_ui::host::wire::Wire;
    use puppy_plugin_ui::host::{Bridge, Element, Mounted};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Mounts the panel in an element of the page, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn mount(element: &Element, bridge: &Bridge) -> Mounted {
        super::view::mount(element, bridge)
    }

    /// Begins the line to the servers, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn line(wire: &Wire) -> Mounted {
        super::line::begin(wire)
    }

    /// Mounts the questions of servers in an element of the page: as `dialog` or as `bubble`.
    #[wasm_bindgen]
    pub fn questions(element: &Element, wire: &Wire, place: &str) -> Mounted {
        super::questions::mount(element, place, &wire.lang())
    }

    /// Runs an errand of the puppy; empty on failure.
    #[wasm_bindgen]
    pub async fn errand(errand: String) -> String {
        super::errands::run(&errand).await.unwrap_or_default()
    }
}

/// Natively the module is the file of its Chinese texts, which the recipe puts beside it.
#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    use std::io::Write as _;
    std::io::stdout().lock().write_all(puppy_plugin_ui::words::file::panel_zh().as_bytes())
}

#[cfg(target_arch = "wasm32")]
fn main() {}
