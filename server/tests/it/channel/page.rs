//! A page of SiYuan as far as the channel knows it: core's own end over a socket of the demo kernel.
//!
//! A task of its own hears and answers while a test waits for something else, as a page does: a page that is silent for
//! some seconds is gone.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use puppy_core::channel::{CHANNEL, Key, News, PageAnswer, PageEnd, PeerId};
use puppy_core::kernel::page::PageRequest;
use puppy_server::kernel::HttpKernel;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::world::World;

/// Everything that a page can be asked for.
pub(crate) const ABILITIES: [&str; 5] =
    ["approve", "ask_user", "get_ui_state", "open_document", "scroll_to_block"];

/// The time a test waits for something before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A page; it says nothing more once it is dropped.
pub(crate) struct Page {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    state: Mutex<State>,
    heard: Notify,
}

pub(crate) struct State {
    pub(crate) end: PageEnd,
    /// The news that nobody has taken.
    pub(crate) news: Vec<News>,
    /// The texts to send; none once it has left. Messages are numbered, so each is put here before the next is made.
    texts: Option<mpsc::UnboundedSender<String>>,
    key: Key,
    began: Instant,
}

impl State {
    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap()
    }

    fn greet(&mut self, key: Key) {
        self.key = key.clone();
        let hello = self.end.connected(key, fastrand::u64(..));
        self.send(hello);
    }

    fn send(&self, text: String) {
        if let Some(texts) = &self.texts {
            // A page whose socket is closed is gone; what it should have heard is missed elsewhere.
            let _ = texts.send(text);
        }
    }
}

impl Page {
    /// Opens a page; it is there once `sidecars` servers know it.
    pub(crate) async fn open(world: &World, focus: bool, sidecars: usize) -> Page {
        let key = Key::kept(&world.http, Key::new([9; 32])).await.unwrap();
        let url = world.kernel.url().replacen("http", "ws", 1);
        let (socket, _) =
            tokio_tungstenite::connect_async(format!("{url}/ws/broadcast?channel={CHANNEL}")).await.unwrap();
        let end = PageEnd::new("0.1.0", &ABILITIES, focus);
        let (sender, texts) = mpsc::unbounded_channel();
        let state =
            State { end, news: Vec::new(), texts: Some(sender), key: key.clone(), began: Instant::now() };
        let shared = Arc::new(Shared { state: Mutex::new(state), heard: Notify::new() });
        let task = tokio::spawn(live(shared.clone(), world.http.clone(), socket, texts));
        let page = Page { shared, task };
        page.greet(key);
        page.until("the servers", |page| (page.end.sidecars(page.now()) == sidecars).then_some(())).await;
        // The page's own greeting may still be on its way; who answers what follows it has heard it.
        page.apply(&[]).await;
        page
    }

    /// Introduces the page, or introduces it again with another key.
    pub(crate) fn greet(&self, key: Key) {
        self.state().greet(key);
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says what the end has to say.
    pub(crate) fn send(&self, make: impl FnOnce(&mut PageEnd, u64) -> Option<String>) {
        let mut state = self.state();
        let now = state.now();
        let text = make(&mut state.end, now).expect("something to send");
        state.send(text);
    }

    /// Waits until `look` returns a value.
    pub(crate) async fn until<T>(&self, what: &str, mut look: impl FnMut(&mut State) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let heard = self.shared.heard.notified();
            tokio::pin!(heard);
            heard.as_mut().enable();
            if let Some(found) = look(&mut self.state()) {
                return found;
            }
            assert!(timeout_at(deadline, heard).await.is_ok(), "waited in vain: {what}");
        }
    }

    /// Waits for a request.
    pub(crate) async fn asked(&self) -> ((PeerId, String), PageRequest) {
        self.until("a request", |page| {
            let at = page.news.iter().position(|it| matches!(it, News::Call { .. }))?;
            let News::Call { from, request, .. } = page.news.remove(at) else { return None };
            Some((from, request))
        })
        .await
    }

    pub(crate) fn answer(&self, from: &(PeerId, String), answer: Value) {
        self.send(|end, _| end.answer_call(from, PageAnswer::Done(answer)));
    }

    /// Announces changed files, and waits until every server holds the change.
    pub(crate) async fn apply(&self, files: &[&str]) {
        let ticket = {
            let mut state = self.state();
            let now = state.now();
            let (ticket, text) = state.end.changed(files, now);
            state.send(text.expect("something to send"));
            ticket
        };
        self.until("the servers to hold it", |page| page.end.holds(ticket, page.now()).then_some(())).await;
    }

    /// Says goodbye.
    pub(crate) async fn leave(mut self) {
        self.send(PageEnd::leave);
        // The task says everything before it ends.
        self.state().texts = None;
        let _ = (&mut self.task).await;
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Hears and says, until the page leaves or the kernel does.
async fn live(
    shared: Arc<Shared>,
    http: HttpKernel,
    mut socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    mut texts: mpsc::UnboundedReceiver<String>,
) {
    let state = || shared.state.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        tokio::select! {
            heard = socket.next() => {
                let Some(Ok(heard)) = heard else { return };
                let Message::Text(text) = heard else { continue };
                let mut is_forged = false;
                {
                    let mut state = state();
                    let now = state.now();
                    for news in state.end.receive(text.as_str(), now) {
                        match news {
                            News::Send(text) => state.send(text),
                            News::Forged => is_forged = true,
                            news => state.news.push(news),
                        }
                    }
                }
                if is_forged {
                    let key = Key::read(&http).await.unwrap().expect("a key");
                    let mut state = state();
                    if state.key != key {
                        state.greet(key);
                    }
                }
                shared.heard.notify_waiters();
            }
            text = texts.recv() => {
                let Some(text) = text else {
                    let _ = socket.close(None).await;
                    return;
                };
                if socket.send(Message::text(text)).await.is_err() {
                    return;
                }
            }
        }
    }
}
