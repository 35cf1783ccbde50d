//! The page's side of the channel, `page/channel.js`: a socket, a place for questions, and the editor.

use wasm_bindgen::prelude::wasm_bindgen;

use super::Page;

#[wasm_bindgen]
extern "C" {
    /// The object through which `page/channel.js` connects the channel to the page.
    #[wasm_bindgen(extends = Page)]
    pub type ChannelHost;

    /// The version of the plugin.
    #[wasm_bindgen(method, getter)]
    pub fn version(this: &ChannelHost) -> String;

    /// Sends a text on the channel.
    #[wasm_bindgen(method)]
    pub fn send(this: &ChannelHost, text: &str);

    /// Shows questions in this place and in no other: `nothing`, `bubble` or `dialog`.
    #[wasm_bindgen(method)]
    pub fn shows(this: &ChannelHost, place: &str);

    /// Shows what an agent has touched: ids, and the level there.
    #[wasm_bindgen(method)]
    pub fn touched(this: &ChannelHost, doc: &str, block: &str, level: &str);

    /// Reads the levels again that the document tree shows.
    #[wasm_bindgen(method)]
    pub fn levels(this: &ChannelHost);

    /// Reads whether every call is paused, and tells the puppy.
    #[wasm_bindgen(method, js_name = tellPause)]
    pub fn tell_pause(this: &ChannelHost);

    /// Closes the panel, so that it covers no document.
    #[wasm_bindgen(method)]
    pub fn leave(this: &ChannelHost);

    #[wasm_bindgen(method, js_name = act)]
    async fn ask_to_act(this: &ChannelHost, call: &str, action: &str, args: &str) -> wasm_bindgen::JsValue;

    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;

    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn fill_randomly(bytes: &mut [u8]);
}

impl ChannelHost {
    /// Another reference to the same object.
    pub fn share(&self) -> ChannelHost {
        use wasm_bindgen::JsCast;
        (**self).clone().unchecked_into()
    }

    /// Does something in the page; the answer is JSON, empty on failure. `cancel` ends what this call has begun.
    pub async fn act(&self, call: &str, action: &str, args: &str) -> String {
        self.ask_to_act(call, action, args).await.as_string().unwrap_or_default()
    }
}

/// Milliseconds of a clock that does not jump.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it begins at 0")]
pub fn steady_ms() -> u64 {
    performance_now() as u64
}

/// Random bytes that nobody can guess.
pub fn secret_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    fill_randomly(&mut bytes);
    bytes
}

/// Whether somebody looks at this page.
pub fn is_looked_at() -> bool {
    super::document().is_some_and(|it| !it.hidden() && it.has_focus().unwrap_or_default())
}

/// Hours and minutes of the local clock at a moment since 1970.
#[allow(clippy::cast_precision_loss, reason = "moments of this century")]
pub fn clock(ms: u64) -> String {
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(ms as f64));
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}
