//! The module that the page loads when an action is first tried in it: all actions, and the pipeline of their calls.

#[cfg(target_arch = "wasm32")]
mod here;

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use puppy_ui_web::host::Host;
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Runs a call, which is JSON, and returns its answer in JSON; [`stop`] knows it by the number.
    #[wasm_bindgen]
    pub async fn run(host: Host, number: u32, call: String) -> String {
        super::here::run(host, number, &call).await
    }

    /// Stops a call that runs.
    #[wasm_bindgen]
    pub fn stop(number: u32) {
        super::here::stop(number);
    }
}

fn main() {}
