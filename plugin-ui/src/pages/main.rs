//! The module of the pages that load when they are opened: the connection, calls, the playground,
//! the puppy, help, and the usage report.

#[cfg(target_arch = "wasm32")]
mod activity;
#[cfg(target_arch = "wasm32")]
mod connection;
#[cfg(target_arch = "wasm32")]
mod copying;
#[cfg(target_arch = "wasm32")]
mod help;
#[cfg(target_arch = "wasm32")]
mod playground;
#[cfg(target_arch = "wasm32")]
mod puppy;
#[cfg(target_arch = "wasm32")]
mod purse;
#[cfg(target_arch = "wasm32")]
mod record;
#[cfg(target_arch = "wasm32")]
mod report;
#[cfg(target_arch = "wasm32")]
mod visit;

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use crate::visit::Visit;
    use crate::{activity, connection, help, playground, puppy, purse, report};
    use puppy_plugin_ui::host::el;
    use puppy_plugin_ui::host::{Bridge, Element, Mounted};
    use puppy_plugin_ui::words::chinese;
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Mounts a page in an element of the panel, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn mount(element: &Element, bridge: &Bridge, page: &str) -> Mounted {
        chinese::load(bridge.texts());
        let view = match page {
            "activity" => activity::view,
            "connection" => connection::view,
            "help" => help::view,
            "puppy" => puppy::view,
            "report" => report::view,
            _ => return playground::mount(element, bridge),
        };
        el::mount(element, || view(Visit::new(bridge)))
    }

    /// Sends the usage report, where a person has switched it on and it is due.
    #[wasm_bindgen]
    pub async fn send_report() {
        report::send().await;
    }

    /// Runs an errand of the puppy about coins; empty on failure.
    #[wasm_bindgen]
    pub async fn errand(errand: String) -> String {
        purse::run(&errand).await
    }
}

fn main() {}
