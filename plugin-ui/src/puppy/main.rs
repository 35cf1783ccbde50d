//! The module that the page loads at its start: [`look`] chooses the puppy's pose, [`paint`] draws it, `life` moves it.
//!
//! The features (menu, card, bubble, touch, notice) know nothing of each other or of the life: they return or send a
//! [`wish::Wish`], and the life grants it. Natively the program prints its contact sheet.
#![cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, reason = "natively there is only what is tested without a page")
)]

#[cfg(test)]
mod geometry_tests;
mod look;
mod menu;
#[cfg(not(target_arch = "wasm32"))]
mod motion;
mod paint;
mod pose;
#[cfg(not(target_arch = "wasm32"))]
mod sheet;

#[cfg(target_arch = "wasm32")]
mod bubble;
#[cfg(target_arch = "wasm32")]
mod card;
#[cfg(target_arch = "wasm32")]
mod life;
#[cfg(target_arch = "wasm32")]
mod notice;
#[cfg(target_arch = "wasm32")]
mod position;
#[cfg(target_arch = "wasm32")]
mod stage;
#[cfg(target_arch = "wasm32")]
mod touch;
#[cfg(target_arch = "wasm32")]
mod view;
mod wish;

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use puppy_plugin_ui::host::{Bridge, Element, Mounted};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Mounts the puppy in an element of the page, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn mount(element: &Element, bridge: &Bridge) -> Mounted {
        super::life::mount(element, bridge)
    }

    /// Mounts a picture of the puppy in an element of the panel, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn preview(element: &Element, bridge: &Bridge) -> Mounted {
        super::stage::mount(element, bridge)
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    sheet::write(std::io::stdout().lock())
}

#[cfg(target_arch = "wasm32")]
fn main() {}
