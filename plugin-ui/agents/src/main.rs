//! The program of the agents and their runs: the functions that the page calls.

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls them; nothing in Rust does")]
mod exports {
    use puppy_ui_web::host::{Element, Host, Mounted};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Mounts the page of activity in an element of the panel, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn activity(element: &Element, host: &Host) -> Mounted {
        puppy_ui_agents::activity::mount(element, host)
    }

    /// Mounts the page of agents in an element of the panel, until the handle is unmounted.
    #[wasm_bindgen]
    pub fn agents(element: &Element, host: &Host) -> Mounted {
        puppy_ui_agents::agents::mount(element, host)
    }

    /// The answer to "Who wrote this" for a block: its title, its text, the button that leads to the run, and the run,
    /// each on a line; the last two are empty where no run is known.
    #[wasm_bindgen]
    pub async fn writer(host: Host, block: String) -> String {
        puppy_ui_agents::writer::told(&host, &block).await
    }
}

fn main() {}
