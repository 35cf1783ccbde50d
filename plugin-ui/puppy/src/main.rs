//! The program of the puppy: the functions that the page calls. The native build prints the contact sheet.

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use puppy_ui_web::host::{Element, Host, Mounted};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Mounts the puppy in an element of the page, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn mount(element: &Element, host: &Host) -> Mounted {
        puppy_ui_puppy::life::mount(element, host)
    }

    /// Mounts a picture of the puppy in an element of the panel, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn preview(element: &Element, host: &Host) -> Mounted {
        puppy_ui_puppy::stage::mount(element, host)
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    puppy_ui_puppy::sheet::write(std::io::stdout().lock())
}

#[cfg(target_arch = "wasm32")]
fn main() {}
