//! The program of the pages that load when they are opened: the playground, and some pages of the panel.

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use leptos::prelude::*;
    use puppy_ui_panel::pages::help::Help;
    use puppy_ui_panel::pages::visit::Visit;
    use puppy_ui_panel::pages::{activity, connection, puppy, purse, report};
    use puppy_ui_parts as parts;
    use puppy_ui_parts::el;
    use puppy_ui_web::host::{Bridge, Element, Mounted};
    use puppy_ui_web::words::chinese;
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Mounts a page in an element of the panel, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn mount(element: &Element, bridge: &Bridge, page: &str) -> Mounted {
        chinese::load(bridge.texts());
        let view = match page {
            "activity" => activity::view,
            "connection" => connection::view,
            "help" => return parts::mount(element, || view! { <Help visit=Visit::new(bridge)/> }.into_any()),
            "puppy" => puppy::view,
            "report" => report::view,
            _ => return puppy_ui_playground::view::mount(element, bridge),
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
