//! The only door to the page: the `Host` of `index.js`, time, timers, the device's own storage.
//!
//! `JsValue` and its relatives are known here and in [`net`] and [`dom`] only.

pub mod channel;
pub mod dom;
pub mod net;
pub mod own;

use gloo_events::EventListener;
use std::future::Future;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::state::day::Clock;
use crate::state::message::Message;
use crate::state::own_agent::OwnAgentState;
use crate::state::panel_request::PanelRequest;
use crate::state::server::ServerStatus;

pub use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_namespace = location, js_name = origin)]
    static ORIGIN: String;

    /// The members shared by the objects that serve the modules.
    pub type Page;

    /// The language of the page, such as `en` or `zh-CN`.
    #[wasm_bindgen(method, getter)]
    pub fn lang(this: &Page) -> String;

    /// The panel's texts in a language that its module does not hold; empty on an English page.
    #[wasm_bindgen(method, getter)]
    pub fn texts(this: &Page) -> String;

    /// Shows a line of text for a moment.
    #[wasm_bindgen(method)]
    pub fn say(this: &Page, text: &str);

    /// Sends a message to the puppy, from another module.
    #[wasm_bindgen(method, js_name = tellPuppy)]
    fn send_to_puppy(this: &Page, text: &str);

    /// The object through which `index.js` serves a module.
    #[wasm_bindgen(extends = Page)]
    pub type Host;

    /// Whether the kernel refuses every write.
    #[wasm_bindgen(method, getter)]
    pub fn readonly(this: &Host) -> bool;

    /// The content of `puppySettings` as lines of key and value, read before the puppy was mounted.
    #[wasm_bindgen(method, getter)]
    pub fn settings(this: &Host) -> String;

    /// The requested page of the panel; empty for none.
    #[wasm_bindgen(method, getter)]
    pub fn page(this: &Host) -> String;

    /// Opens the panel at a page.
    #[wasm_bindgen(method, js_name = openPanel)]
    pub fn open_panel(this: &Host, page: &str);

    /// Pauses every call of agents, or lets them go on.
    #[wasm_bindgen(method)]
    pub fn pause(this: &Host, is: bool);

    /// Opens the host's menu at a point and returns the id of the picked line, empty for none.
    #[wasm_bindgen(method, js_name = menu)]
    async fn open_menu(this: &Host, lines: &str, x: i32, y: i32) -> wasm_bindgen::JsValue;

    /// Puts a picture of the puppy into an element; returns nothing on failure.
    #[wasm_bindgen(method, js_name = preview)]
    async fn picture(this: &Host, element: &Element) -> wasm_bindgen::JsValue;

    /// Puts the view of a module into an element; the answer is its handle, or a text with the reason why it cannot.
    #[wasm_bindgen(method, js_name = view)]
    async fn mount_view(this: &Host, module: &str, element: &Element) -> wasm_bindgen::JsValue;

    /// Runs a call in the module that contains the actions; the answer is text, nothing where it cannot be loaded.
    #[wasm_bindgen(method, js_name = act)]
    async fn run_action(this: &Host, number: u32, call: &str) -> wasm_bindgen::JsValue;

    /// Stops a call that runs there.
    #[wasm_bindgen(method)]
    pub fn halt(this: &Host, number: u32);

    /// A view, made by a module that loads late.
    pub type LateView;

    /// Removes it.
    #[wasm_bindgen(method, js_name = unmount)]
    pub fn leave(this: &LateView);

    /// Sends it a text, such as the address of the connected server.
    #[wasm_bindgen(method, js_name = tell)]
    pub fn hear(this: &LateView, text: &str);

    /// A picture of the puppy, made by another module.
    pub type Preview;

    /// Sends a message to the picture, which moves this many times slower than usual.
    #[wasm_bindgen(method, js_name = tell)]
    fn send(this: &Preview, text: &str, slow: u32);

    /// Removes the picture.
    #[wasm_bindgen(method)]
    pub fn unmount(this: &Preview);

    /// Runs a request in a module that is loaded for it; returns nothing on failure.
    #[wasm_bindgen(method, js_name = request)]
    async fn run(this: &Host, request: &str) -> wasm_bindgen::JsValue;

    /// Sends a request to the keeper of the server.
    #[wasm_bindgen(method, js_name = server)]
    async fn ask_keeper(this: &Host, what: &str) -> wasm_bindgen::JsValue;

    /// Looks at the entry of SiYuan's own assistant, adds it or removes it; the answer is a word.
    #[wasm_bindgen(method, js_name = assistant)]
    async fn ask_assistant(this: &Host, what: &str, entry: &str) -> wasm_bindgen::JsValue;

    /// Looks at SiYuan's own tools, denies them to its agent or leads to its settings; the answer is JSON.
    #[wasm_bindgen(method, js_name = native)]
    async fn ask_native(this: &Host, what: &str) -> wasm_bindgen::JsValue;

    /// Puts a text on the clipboard; whether that worked.
    #[wasm_bindgen(method, js_name = copy)]
    async fn put_on_clipboard(this: &Host, text: &str) -> wasm_bindgen::JsValue;

    /// A new secret that nobody can guess.
    #[wasm_bindgen(method)]
    pub fn secret(this: &Host) -> String;

    /// Hands a text to the person as a file of that name.
    #[wasm_bindgen(method)]
    pub fn save(this: &Host, name: &str, text: &str);

    /// Asks the person in a dialog of the host, where a word has to be typed unless it is empty; anything but its yes is
    /// a no.
    #[wasm_bindgen(method, js_name = confirm)]
    async fn ask(this: &Host, title: &str, text: &str, word: &str) -> wasm_bindgen::JsValue;

    /// Asks the person to allow something dangerous once; anything but their yes is a no.
    #[wasm_bindgen(method, js_name = approve)]
    async fn ask_to_allow(this: &Host, title: &str, text: &str) -> wasm_bindgen::JsValue;
}

/// The origin of the page, such as `http://127.0.0.1:6806`.
pub fn origin() -> String {
    ORIGIN.with(Clone::clone)
}

impl Page {
    /// Tells the puppy something, if there is one.
    pub fn tell_puppy(&self, message: Message<'_>) {
        self.send_to_puppy(&message.to_text());
    }
}

impl Host {
    /// Asks the person in a dialog of the host; anything but its yes is a no.
    pub async fn confirm(&self, title: &str, text: &str) -> bool {
        self.ask(title, text, "").await.is_truthy()
    }

    /// Asks the person for a yes that takes typing a word.
    pub async fn confirm_typed(&self, title: &str, text: &str, word: &str) -> bool {
        self.ask(title, text, word).await.is_truthy()
    }

    /// Asks the person to allow something dangerous once; anything but their yes is a no.
    pub async fn approve(&self, title: &str, text: &str) -> bool {
        self.ask_to_allow(title, text).await.is_truthy()
    }

    /// Opens the host's menu at a point and returns the id of the picked line.
    pub async fn menu(&self, lines: &str, x: i32, y: i32) -> Option<String> {
        self.open_menu(lines, x, y).await.as_string().filter(|it| !it.is_empty())
    }

    /// Puts a picture of the puppy into an element.
    pub async fn preview(&self, element: &Element) -> Option<Preview> {
        use wasm_bindgen::JsCast;
        let picture = self.picture(element).await;
        picture.is_object().then(|| picture.unchecked_into())
    }

    /// Runs a call in the module that contains the actions; returns nothing where it cannot be loaded.
    pub async fn act(&self, number: u32, call: &str) -> Option<String> {
        self.run_action(number, call).await.as_string().filter(|it| !it.is_empty())
    }

    /// Puts the view of a module that loads late into an element.
    ///
    /// # Errors
    /// The reason why it cannot be loaded.
    pub async fn view(&self, module: &str, element: &Element) -> Result<LateView, String> {
        use wasm_bindgen::JsCast;
        let mounted = self.mount_view(module, element).await;
        if mounted.is_object() {
            return Ok(mounted.unchecked_into());
        }
        Err(mounted.as_string().unwrap_or_default())
    }

    /// Sends a request to the keeper of the server: `start`, `stop`, `restart`, `purge` or `status`. Returns the status
    /// of the server after it.
    pub async fn server(&self, what: &str) -> ServerStatus {
        let status = serde_wasm_bindgen::from_value(self.ask_keeper(what).await);
        ServerStatus::of(&status.unwrap_or_default())
    }

    /// The address of the server; empty while none runs. The playground needs nothing else of the status, and the code
    /// that reads the whole would be 3 kB of its module.
    pub async fn server_address(&self) -> String {
        let status = self.ask_keeper("status").await;
        let address = js_sys::Reflect::get(&status, &"url".into()).ok();
        address.and_then(|it| it.as_string()).unwrap_or_default()
    }

    /// The newest lines of the server's log; none where they cannot be read.
    pub async fn server_log(&self) -> Vec<String> {
        serde_wasm_bindgen::from_value(self.ask_keeper("log").await).unwrap_or_default()
    }

    /// Looks at the entry of SiYuan's own assistant, adds it or removes it; the answer is a word.
    pub async fn assistant(&self, what: &str, entry: &str) -> String {
        self.ask_assistant(what, entry).await.as_string().unwrap_or_default()
    }

    /// The state of SiYuan's own tools, after a request: `look`, `deny` for its agent, `deny-all` also for its MCP server,
    /// and `open`, which opens SiYuan's settings. `None` if the request failed.
    pub async fn native(&self, what: &str) -> Option<OwnAgentState> {
        let said = self.ask_native(what).await.as_string().filter(|it| !it.is_empty());
        said.map(|it| OwnAgentState::parse(&it))
    }

    /// Puts a text on the clipboard; whether that worked.
    pub async fn copy(&self, text: &str) -> bool {
        self.put_on_clipboard(text).await.is_truthy()
    }

    /// Runs a request; returns nothing on failure.
    pub async fn request(&self, request: &PanelRequest) -> Option<String> {
        self.run(&request.to_text()).await.as_string().filter(|it| !it.is_empty())
    }

    /// Another reference to the same object.
    pub fn share(&self) -> Host {
        use wasm_bindgen::JsCast;
        (**self).clone().unchecked_into()
    }
}

impl Preview {
    /// Tells the picture something; it moves this many times slower than usual.
    pub fn tell(&self, message: Message<'_>, slow: u32) {
        self.send(&message.to_text(), slow);
    }
}

/// A view in the page. It is removed when this is dropped or unmounted.
#[wasm_bindgen]
pub struct Mounted {
    end: Option<Box<dyn FnOnce()>>,
    hear: Option<Hear>,
}

type Hear = Box<dyn Fn(&str)>;

impl Mounted {
    /// A view that `end` removes.
    pub fn new(end: impl FnOnce() + 'static) -> Mounted {
        Mounted { end: Some(Box::new(end)), hear: None }
    }

    /// The same view, listening to messages.
    #[must_use]
    pub fn hearing(self, hear: impl Fn(&str) + 'static) -> Mounted {
        let mut view = self;
        view.hear = Some(Box::new(hear));
        view
    }
}

#[wasm_bindgen]
impl Mounted {
    /// Sends a message to the view.
    pub fn tell(&self, what: &str) {
        if let Some(hear) = &self.hear {
            hear(what);
        }
    }

    /// Removes the view; a second call does nothing.
    pub fn unmount(&mut self) {
        self.hear = None;
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

/// The person's clock.
#[allow(clippy::cast_possible_truncation, reason = "minutes of a day")]
pub fn clock() -> Clock {
    Clock { now_ms: now_ms(), minutes_west: js_sys::Date::new_0().get_timezone_offset() as i32 }
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

/// Random bits: good enough for looks and ids, not for secrets.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a fraction of one")]
pub fn random_bits() -> u64 {
    let half = || (js_sys::Math::random() * f64::from(u32::MAX)) as u64;
    (half() << 32) | half()
}

/// A text without case and accents, for searches. The page knows small letters; a table of ours is 8 KB after gzip.
pub fn plain(text: &str) -> String {
    let parts: String = js_sys::JsString::from(text).normalize("NFD").to_lower_case().into();
    parts.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).collect()
}

/// Waits.
pub async fn sleep(ms: u32) {
    gloo_timers::future::TimeoutFuture::new(ms).await;
}

/// Runs something once after a delay, unless the handle is dropped first.
pub fn later(ms: u64, what: impl FnOnce() + 'static) -> gloo_timers::callback::Timeout {
    gloo_timers::callback::Timeout::new(u32::try_from(ms).unwrap_or(u32::MAX), what)
}

/// Runs a future of this page.
pub fn spawn(future: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(future);
}

/// Whether the page is hidden.
pub fn is_hidden() -> bool {
    document().is_some_and(|it| it.hidden())
}

/// Runs something whenever the page is hidden or shown, until the listener is dropped.
pub fn on_visibility(what: impl Fn() + 'static) -> Option<EventListener> {
    Some(EventListener::new(&document()?.into(), "visibilitychange", move |_| what()))
}

/// Runs something whenever caret or selection move, until the listener is dropped.
pub fn on_selection(what: impl Fn() + 'static) -> Option<EventListener> {
    Some(EventListener::new(&document()?.into(), "selectionchange", move |_| what()))
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

/// Whether the page fills the screen, as in a presentation.
pub fn is_full_screen() -> bool {
    let is_element = document().is_some_and(|it| it.fullscreen_element().is_some());
    is_element || matches("(display-mode: fullscreen)")
}

/// Whether the person asked their system for less motion.
pub fn wants_calm() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

fn matches(query: &str) -> bool {
    let query = web_sys::window().and_then(|it| it.match_media(query).ok());
    query.flatten().is_some_and(|it| it.matches())
}

/// The value that this device remembers under a key, outside of the synced data.
pub fn remembered(key: &str) -> Option<String> {
    device_storage()?.get_item(key).ok().flatten()
}

/// Remembers a value on this device; does nothing where the browser does not allow it.
pub fn remember(key: &str, value: &str) {
    if let Some(storage) = device_storage() {
        let _ = storage.set_item(key, value);
    }
}

/// Forgets everything on this device whose key begins like this.
pub fn forget(start: &str) {
    let Some(storage) = device_storage() else { return };
    let keys: Vec<String> =
        (0..storage.length().unwrap_or_default()).filter_map(|at| storage.key(at).ok().flatten()).collect();
    for key in keys.iter().filter(|it| it.starts_with(start)) {
        let _ = storage.remove_item(key);
    }
}

fn device_storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

/// The document of the page.
pub fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}
