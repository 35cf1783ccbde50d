//! The page's side of calls of SiYuan's own agent, `page/own.js`: questions to the person, and the editor.

use wasm_bindgen::prelude::wasm_bindgen;

use super::{Host, Page};

#[wasm_bindgen]
extern "C" {
    /// The object through which `page/own.js` serves calls of SiYuan's own agent.
    #[wasm_bindgen(extends = Host, extends = Page)]
    pub type OwnHost;

    /// The milliseconds after which a call has to be answered.
    #[wasm_bindgen(method, getter)]
    pub fn patience(this: &OwnHost) -> u32;

    /// Asks the person a question in JSON; the answer is a word.
    #[wasm_bindgen(method, js_name = ask)]
    async fn ask_person(this: &OwnHost, question: &str) -> wasm_bindgen::JsValue;

    /// Shows what the agent has touched: ids, and the level there.
    #[wasm_bindgen(method)]
    pub fn touched(this: &OwnHost, doc: &str, block: &str, level: &str);

    #[wasm_bindgen(method, js_name = screen)]
    async fn ask_screen(this: &OwnHost, call: &str, action: &str, args: &str) -> wasm_bindgen::JsValue;
}

impl OwnHost {
    /// Another reference to the same object.
    pub fn another(&self) -> OwnHost {
        use wasm_bindgen::JsCast;
        (**self).share().unchecked_into()
    }

    /// Asks the person a question in JSON; the answer is the word of [`crate::state::own_agent`].
    pub async fn question(&self, question: &str) -> String {
        self.ask_person(question).await.as_string().unwrap_or_default()
    }

    /// Does something in the page; the answer is JSON, empty on failure.
    pub async fn on_screen(&self, call: &str, action: &str, args: &str) -> String {
        self.ask_screen(call, action, args).await.as_string().unwrap_or_default()
    }
}
