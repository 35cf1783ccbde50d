//! The only door to the page: the bridge object of `index.js`, time, timers, the device's own storage.
//!
//! `JsValue` and its relatives are known here and in [`net`] and [`dom`] only.

pub mod dom;
pub mod net;

use gloo_events::EventListener;
use std::future::Future;
use wasm_bindgen::prelude::wasm_bindgen;

pub use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// What `index.js` tells a module, and does for it.
    pub type Bridge;

    /// The language of the page, such as `en` or `zh-CN`.
    #[wasm_bindgen(method, getter)]
    pub fn lang(this: &Bridge) -> String;

    /// Whether the kernel refuses every write.
    #[wasm_bindgen(method, getter)]
    pub fn readonly(this: &Bridge) -> bool;

    /// Asks the person in a dialog of the host; every other end than its yes is a no.
    #[wasm_bindgen(method, js_name = confirm)]
    async fn ask(this: &Bridge, title: &str, text: &str) -> wasm_bindgen::JsValue;
}

impl Bridge {
    /// Asks the person in a dialog of the host; every other end than its yes is a no.
    pub async fn confirm(&self, title: &str, text: &str) -> bool {
        self.ask(title, text).await.is_truthy()
    }

    /// Another reference to the same object.
    pub fn share(&self) -> Bridge {
        use wasm_bindgen::JsCast;
        (**self).clone().unchecked_into()
    }
}

/// A view in the page. It goes when this is dropped or told to.
#[wasm_bindgen]
pub struct Mounted {
    end: Option<Box<dyn FnOnce()>>,
}

impl Mounted {
    /// A view that `end` takes away.
    pub fn new(end: impl FnOnce() + 'static) -> Mounted {
        Mounted { end: Some(Box::new(end)) }
    }
}

#[wasm_bindgen]
impl Mounted {
    /// Takes the view away; a second time does nothing.
    pub fn unmount(&mut self) {
        if let Some(end) = self.end.take() {
            end();
        }
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.unmount();
    }
}

/// Milliseconds since 1970.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a clock before 1970 reads 0")]
pub fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// The local clock as the kernel writes it: `YYYYMMDDHHmmss`.
pub fn local_digits() -> String {
    let date = js_sys::Date::new_0();
    format!(
        "{:04}{:02}{:02}{:02}{:02}{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date(),
        date.get_hours(),
        date.get_minutes(),
        date.get_seconds()
    )
}

/// Random bits, good for looks and ids, not for secrets.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a fraction of one")]
pub fn random_bits() -> u64 {
    let half = || (js_sys::Math::random() * f64::from(u32::MAX)) as u64;
    (half() << 32) | half()
}

/// Waits.
pub async fn sleep(ms: u32) {
    gloo_timers::future::TimeoutFuture::new(ms).await;
}

/// Runs something once after a time, unless it is dropped before.
pub fn later(ms: u64, what: impl FnOnce() + 'static) -> gloo_timers::callback::Timeout {
    gloo_timers::callback::Timeout::new(u32::try_from(ms).unwrap_or(u32::MAX), what)
}

/// Runs a future of this page.
pub fn spawn(future: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(future);
}

/// Whether nobody can see the page.
pub fn is_hidden() -> bool {
    document().is_some_and(|it| it.hidden())
}

/// Runs something whenever the page is hidden or shown, until the listener is dropped.
pub fn on_visibility(what: impl Fn() + 'static) -> Option<EventListener> {
    Some(EventListener::new(&document()?.into(), "visibilitychange", move |_| what()))
}

/// Runs something whenever the window changes its size, until the listener is dropped.
pub fn on_resize(what: impl Fn() + 'static) -> Option<EventListener> {
    Some(EventListener::new(&web_sys::window()?.into(), "resize", move |_| what()))
}

/// Width and height of the window.
#[allow(clippy::cast_possible_truncation, reason = "pixels")]
pub fn window_size() -> (i32, i32) {
    let size = |value: Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue>| {
        value.ok().and_then(|it| it.as_f64()).unwrap_or_default() as i32
    };
    web_sys::window().map_or((0, 0), |it| (size(it.inner_width()), size(it.inner_height())))
}

/// Whether the person asked their system for less motion.
pub fn wants_calm() -> bool {
    let query = web_sys::window().and_then(|it| it.match_media("(prefers-reduced-motion: reduce)").ok());
    query.flatten().is_some_and(|it| it.matches())
}

/// What this device remembers under a key, outside the synced data.
pub fn remembered(key: &str) -> Option<String> {
    device_storage()?.get_item(key).ok().flatten()
}

/// Remembers something on this device; where the browser does not allow it, nothing is remembered.
pub fn remember(key: &str, value: &str) {
    if let Some(storage) = device_storage() {
        let _ = storage.set_item(key, value);
    }
}

fn device_storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}
