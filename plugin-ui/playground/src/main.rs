//! The program of the playground: the function that the page calls.

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use puppy_ui_web::host::{Element, Host, Mounted};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Mounts the playground in an element of the panel, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn playground(element: &Element, host: &Host) -> Mounted {
        puppy_ui_playground::view::mount(element, host)
    }
}

fn main() {}
