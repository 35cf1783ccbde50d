//! A page of SiYuan as far as the bridge knows it: core's own end over a socket of the demo kernel.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use puppy_core::bridge::{CHANNEL, Key, News, PageAnswer, PageEnd, PeerId};
use puppy_core::kernel::page::PageRequest;
use puppy_server::kernel::HttpKernel;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::world::World;

/// Everything that a page can be asked for.
pub(crate) const ABILITIES: [&str; 5] =
    ["approve", "ask_user", "get_ui_state", "open_document", "scroll_to_block"];

/// The time a test waits for something before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Page {
    pub(crate) end: PageEnd,
    http: HttpKernel,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    key: Option<Key>,
    began: Instant,
    /// The news that nobody has taken.
    pub(crate) news: Vec<News>,
}

impl Page {
    /// Opens a page; it is there once `sidecars` servers know it.
    pub(crate) async fn open(world: &World, focus: bool, sidecars: usize) -> Page {
        let key = Key::kept(&world.http, Key::new([9; 32])).await.unwrap();
        let url = world.kernel.url().replacen("http", "ws", 1);
        let (socket, _) =
            tokio_tungstenite::connect_async(format!("{url}/ws/broadcast?channel={CHANNEL}")).await.unwrap();
        let end = PageEnd::new("0.1.0", &ABILITIES, focus);
        let mut page = Page {
            end,
            http: world.http.clone(),
            socket,
            key: Some(key.clone()),
            began: Instant::now(),
            news: Vec::new(),
        };
        page.greet(key).await;
        page.until("the servers", |page| (page.end.sidecars(page.now()) == sidecars).then_some(())).await;
        page
    }

    /// Introduces the page, or introduces it again with another key.
    pub(crate) async fn greet(&mut self, key: Key) {
        self.key = Some(key.clone());
        let hello = self.end.connected(key, fastrand::u64(..));
        self.send(Some(hello)).await;
    }

    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap()
    }

    pub(crate) async fn send(&mut self, text: Option<String>) {
        self.socket.send(Message::text(text.expect("something to say"))).await.unwrap();
    }

    /// Listens until `look` returns a value.
    pub(crate) async fn until<T>(&mut self, what: &str, mut look: impl FnMut(&mut Page) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look(self) {
                return found;
            }
            let heard = timeout_at(deadline, self.socket.next()).await;
            let heard = heard.unwrap_or_else(|_| panic!("waited in vain: {what}"));
            self.hear(heard.expect("an open socket").unwrap()).await;
        }
    }

    async fn hear(&mut self, heard: Message) {
        let Message::Text(text) = heard else { return };
        for news in self.end.hear(text.as_str(), self.now()) {
            match news {
                News::Send(text) => self.send(Some(text)).await,
                News::Forged => {
                    let key = Key::read(&self.http).await.unwrap().expect("a key");
                    if self.key.replace(key.clone()).as_ref() != Some(&key) {
                        self.greet(key).await;
                    }
                }
                news => self.news.push(news),
            }
        }
    }

    /// Listens for a while.
    pub(crate) async fn listen(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(Some(Ok(heard))) = timeout_at(end, self.socket.next()).await {
            self.hear(heard).await;
        }
    }

    /// Waits for a request.
    pub(crate) async fn asked(&mut self) -> ((PeerId, String), PageRequest) {
        self.until("a request", |page| {
            let at = page.news.iter().position(|it| matches!(it, News::Call { .. }))?;
            let News::Call { from, request, .. } = page.news.remove(at) else { return None };
            Some((from, request))
        })
        .await
    }

    pub(crate) async fn answer(&mut self, from: &(PeerId, String), answer: Value) {
        let text = self.end.answer_call(from, PageAnswer::Done(answer));
        self.send(text).await;
    }

    /// Announces changed files, and waits until every server holds the change.
    pub(crate) async fn apply(&mut self, files: &[&str]) {
        let (ticket, text) = self.end.changed(files, self.now());
        self.send(text).await;
        self.until("the servers to hold it", |page| page.end.holds(ticket, page.now()).then_some(())).await;
    }

    /// Says goodbye.
    pub(crate) async fn leave(mut self) {
        let bye = self.end.leave(self.now());
        self.send(bye).await;
        let _ = self.socket.close(None).await;
    }
}
