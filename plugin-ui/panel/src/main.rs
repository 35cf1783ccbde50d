//! The program of the settings panel: the functions that the page calls. The native build prints the panel's Chinese texts.

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use puppy_ui_web::host::channel::ChannelHost;
    use puppy_ui_web::host::{Element, Host, Mounted};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Mounts the panel in an element of the page, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn mount(element: &Element, host: &Host) -> Mounted {
        puppy_ui_panel::view::mount(element, host)
    }

    /// Opens the channel to the servers, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn channel(host: &ChannelHost) -> Mounted {
        puppy_ui_panel::channel::begin(host)
    }

    /// Mounts the questions of servers in an element of the page: as `dialog` or as `bubble`.
    #[wasm_bindgen]
    pub fn questions(element: &Element, host: &ChannelHost, place: &str) -> Mounted {
        puppy_ui_panel::questions::mount(element, place, &host.lang())
    }

    /// Handles a request of the puppy and returns the answer; empty on failure.
    #[wasm_bindgen]
    pub async fn request(request: String) -> String {
        puppy_ui_panel::requests::run(&request).await.unwrap_or_default()
    }
}

/// The native build writes the file of the Chinese texts, which the recipe packs next to the module.
#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    use std::io::Write as _;
    std::io::stdout().lock().write_all(puppy_ui_web::words::file::panel_zh().as_bytes())
}

#[cfg(target_arch = "wasm32")]
fn main() {}
