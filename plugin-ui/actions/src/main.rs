//! The module that the page loads when an action is first tried in it, or when SiYuan's own agent first calls: all actions,
//! and the pipeline of their calls.

#[cfg(target_arch = "wasm32")]
mod engine;
#[cfg(target_arch = "wasm32")]
mod here;
#[cfg(target_arch = "wasm32")]
mod journal;
#[cfg(target_arch = "wasm32")]
mod kernel;
#[cfg(target_arch = "wasm32")]
mod own;
#[cfg(target_arch = "wasm32")]
mod own_gate;
#[cfg(target_arch = "wasm32")]
mod own_page;
#[cfg(target_arch = "wasm32")]
mod screen;

#[cfg(target_arch = "wasm32")]
#[expect(unreachable_pub, reason = "the page calls it; nothing in Rust does")]
mod exports {
    use puppy_ui_web::host::Host;
    use puppy_ui_web::host::own::OwnHost;
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Runs a call, which is JSON, and returns its answer in JSON; [`stop`] knows it by the number.
    #[wasm_bindgen]
    pub async fn run(host: Host, number: u32, call: String) -> String {
        super::here::run(host, number, &call).await
    }

    /// Runs a call of SiYuan's own agent, which is JSON, and returns its answer in JSON.
    #[wasm_bindgen]
    pub async fn agent(host: OwnHost, call: String) -> String {
        super::own::agent(host, &call).await
    }

    /// Ends the record of such calls: the page no longer serves the agent.
    #[wasm_bindgen]
    pub async fn rest() {
        super::own::leave().await;
    }

    /// Stops a call that runs.
    #[wasm_bindgen]
    pub fn stop(number: u32) {
        super::here::stop(number);
    }
}

fn main() {}
