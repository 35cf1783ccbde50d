//! Keeps the channel: connects, listens, sends and ticks, until the process stops serving.

use std::time::Duration;

use puppy_core::channel::{Backoff, CHANNEL, Duty, Key, SidecarEnd};
use puppy_core::kernel::KernelError;
use puppy_core::permission::ScopeSource;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Channel, locked, random};
use crate::agent_tokens::AgentTokens;
use crate::kernel::Socket;
use crate::{Sidecar, aside};

/// The time that the kernel has to take a text.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time for the last message.
const FAREWELL: Duration = Duration::from_millis(200);
/// The time between a text that does not fit the key and reading the key: others may send much that is no message.
const KEY_REST: Duration = Duration::from_secs(1);

/// The task that keeps a channel.
#[derive(Debug)]
pub(crate) struct Keeper {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Keeper {
    /// Starts to keep the channel of a sidecar.
    pub(crate) fn start(sidecar: &Sidecar) -> Keeper {
        let stop = CancellationToken::new();
        let keeping = KeeperTask {
            channel: sidecar.channel.clone(),
            sidecar: sidecar.clone(),
            key: None,
            key_due: None,
        };
        let task = tokio::spawn(keeping.keep(stop.clone()));
        Keeper { stop, task }
    }

    /// Says goodbye to the pages.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        let _ = tokio::time::timeout(FAREWELL, self.task).await;
    }
}

struct KeeperTask {
    channel: Channel,
    sidecar: Sidecar,
    key: Option<Key>,
    /// The time to read the key again.
    key_due: Option<Instant>,
}

impl KeeperTask {
    async fn keep(mut self, stop: CancellationToken) {
        let mut backoff = Backoff::default();
        while !stop.is_cancelled() {
            let connected = tokio::select! {
                connected = self.connect() => connected,
                () = stop.cancelled() => return,
            };
            match connected {
                Ok(socket) => {
                    backoff.reset();
                    tracing::debug!("connected to the pages of SiYuan");
                    self.listen(socket, &stop).await;
                    self.channel.act(|end, _| end.disconnected());
                }
                Err(error) => tracing::debug!("no connection to the pages of SiYuan: {error:?}"),
            }
            let rest = Instant::now() + backoff.next_wait(fastrand::f64());
            while Instant::now() < rest && !stop.is_cancelled() {
                self.work(None).await;
                tokio::select! {
                    () = self.due_by(rest) => {}
                    () = stop.cancelled() => {}
                }
            }
        }
    }

    /// Joins the channel, with the key as it is now.
    async fn connect(&mut self) -> Result<Socket, KernelError> {
        let key = self.read_key().await?;
        let socket = self.sidecar.kernel.http().socket(CHANNEL).await?;
        locked(&self.channel.0.duties).retain(|it| !matches!(it, Duty::Send(_)));
        self.introduce(key);
        Ok(socket)
    }

    async fn read_key(&mut self) -> Result<Key, KernelError> {
        self.key_due = None;
        let mut fresh = [0; 32];
        // Without random bits there is no key that others do not know.
        getrandom::fill(&mut fresh).map_err(|_| KernelError::Refused)?;
        let key = Key::kept(self.sidecar.kernel.http(), Key::new(fresh)).await?;
        self.key = Some(key.clone());
        Ok(key)
    }

    fn introduce(&self, key: Key) {
        self.channel.note_change();
        self.channel.act(|end, now| end.connected(key, random(), now));
    }

    /// Receives and sends until the connection ends.
    async fn listen(&mut self, mut socket: Socket, stop: &CancellationToken) {
        loop {
            if !self.work(Some(&mut socket)).await {
                return;
            }
            let forever = Instant::now() + Duration::from_secs(3_600);
            let key_due = self.key_due;
            tokio::select! {
                text = socket.receive() => {
                    let Some(text) = text else { return };
                    let chance = [random(), random()];
                    self.channel.act(|end, now| end.receive(&text, now, chance));
                }
                () = self.due_by(forever) => {}
                () = tokio::time::sleep_until(key_due.unwrap_or(forever)) => self.look_at_key().await,
                () = stop.cancelled() => {
                    let bye = locked(&self.channel.0.end).leave(self.channel.now());
                    if let Some(bye) = bye {
                        socket.send(bye).await;
                    }
                    return;
                }
            }
        }
    }

    /// Waits until something is due or there is news, at most until `end`; does what is due.
    async fn due_by(&self, end: Instant) {
        let due = self.channel.end().due().map(|ms| self.channel.0.began + Duration::from_millis(ms));
        tokio::select! {
            () = self.channel.0.news.notified() => {}
            () = tokio::time::sleep_until(due.map_or(end, |it| it.min(end))) => {
                self.channel.act(SidecarEnd::tick);
            }
        }
    }

    /// Does what waits; false when the connection is closed. What needs no connection is done all the same: a person may
    /// have approved it.
    async fn work(&mut self, mut socket: Option<&mut Socket>) -> bool {
        let duties = std::mem::take(&mut *locked(&self.channel.0.duties));
        let mut is_open = true;
        for duty in duties {
            match duty {
                Duty::Send(text) => {
                    let Some(socket) = socket.as_mut().filter(|_| is_open) else { continue };
                    is_open = tokio::time::timeout(PATIENCE, socket.send(text)).await.unwrap_or(false);
                }
                Duty::Reread { ticket, rights } => {
                    let (channel, sidecar) = (self.channel.clone(), self.sidecar.clone());
                    tokio::spawn(async move {
                        sidecar.cache.forget().await;
                        if rights {
                            channel.forget_texts();
                            sidecar.review_errands().await;
                            channel.act(SidecarEnd::news);
                        }
                        if let Some((page, ticket)) = ticket {
                            channel.act(|end, _| end.held(page, ticket));
                        }
                    });
                }
                Duty::Token { notice, page } => {
                    let channel = self.channel.clone();
                    tokio::task::spawn_blocking(move || {
                        // The page reports a missing confirmation.
                        let place = AgentTokens::place();
                        if place.is_some_and(|it| AgentTokens::take_notice(&it, &notice).is_ok()) {
                            channel.act(|end, _| end.held(page, notice.ticket));
                        }
                    });
                }
                Duty::Forged => {
                    // Two ends that make a key at the same moment hear this too; only one of their keys stays.
                    self.key_due.get_or_insert_with(|| Instant::now() + KEY_REST);
                }
                Duty::CarryOut { question, means, page } => {
                    let (channel, sidecar) = (self.channel.clone(), self.sidecar.clone());
                    tokio::spawn(async move {
                        let done = channel.carry_out(&sidecar, &question, means, page);
                        // The arguments of the call wait here, however large.
                        aside::aside(usize::MAX, done).await;
                    });
                }
                Duty::Over { question } => self.channel.settle(&self.sidecar, &question),
                // Passed on where it arises.
                Duty::Ended { .. } => {}
            }
        }
        is_open
    }

    /// Reads the key again after a text that does not fit it: another end may have written a new one.
    async fn look_at_key(&mut self) {
        let before = self.key.take();
        match self.read_key().await {
            Ok(key) if before.as_ref() != Some(&key) => self.introduce(key),
            Ok(_) => {
                self.channel.act(SidecarEnd::introduce);
            }
            Err(_) => self.key = before,
        }
    }
}

#[cfg(test)]
mod tests {
    use demo_kernel::{Content, Fault, FaultKind, Options, Running, Siyuan};
    use puppy_core::channel::{NewQuestion, PeerId};
    use puppy_core::config::GRANTS_FILE;
    use puppy_core::dispatch::Fingerprint;
    use puppy_core::output::Output;
    use tempfile::TempDir;

    use super::*;
    use crate::channel::QuestionOutcome;
    use crate::channel::testing::{Window, call, question, stranger};
    use crate::discover::Address;
    use crate::kernel::{HttpKernel, Options as Client};

    async fn keeping() -> (KeeperTask, Running, TempDir) {
        let folder = TempDir::new().unwrap();
        let options = Options {
            siyuan: Siyuan::V3_7,
            port: 0,
            workspace: folder.path().to_owned(),
            content: Content::Fixture(concat!(env!("CARGO_MANIFEST_DIR"), "/../demo-kernel/fixture").into()),
            token: None,
            stage: None,
        };
        let kernel = demo_kernel::start(options).await.unwrap();
        let http = HttpKernel::new(Client::new(Address::Given(kernel.url()), None)).unwrap();
        let sidecar = crate::sidecar(http, false);
        let keeping = KeeperTask { channel: sidecar.channel.clone(), sidecar, key: None, key_due: None };
        (keeping, kernel, folder)
    }

    async fn soon<T>(future: impl Future<Output = T>) -> T {
        tokio::time::timeout(Duration::from_secs(20), future).await.expect("no end")
    }

    /// B-072: what a person has approved is carried out also when the connection breaks at that moment.
    #[tokio::test]
    async fn duties_outlive_a_broken_connection() {
        let (mut keeping, kernel, _folder) = keeping().await;
        let mut socket = keeping.sidecar.kernel.http().socket(CHANNEL).await.unwrap();
        let path = "/api/file/getFile".to_owned();
        kernel.set_faults(vec![Fault { path, fault: FaultKind::Restart, ms: Some(1), times: Some(1) }]);
        let _ = puppy_core::kernel::files::read(keeping.sidecar.kernel.http(), "/data/nothing").await;
        assert_eq!(soon(socket.receive()).await, None);
        let channel = keeping.channel.clone();
        let mut window = Window::at(&channel);
        let id = channel.ask(question(), call(), &stranger()).unwrap();
        window.approve();
        let duties = std::mem::take(&mut *locked(&channel.0.duties));
        channel.stir();
        channel.pass(duties);
        channel.pass([Duty::Forged]);
        assert!(!keeping.work(Some(&mut socket)).await);
        assert!(matches!(soon(channel.outcome(&id)).await, QuestionOutcome::Ran(_)));
        assert!(keeping.key_due.is_some());
    }

    /// B-061: the text of an answer that is kept for its caller goes when rights have changed, here or elsewhere, and stays
    /// when only the list of notebooks has.
    #[tokio::test]
    async fn kept_answers_lose_their_texts_with_the_rights() {
        let (mut keeping, _kernel, _folder) = keeping().await;
        let channel = keeping.channel.clone();
        for is_here in [true, false] {
            let mut window = Window::at(&channel);
            let new = NewQuestion { call: Fingerprint::of([is_here.to_string().as_str()]), ..question() };
            let id = channel.ask(new, call(), &stranger()).unwrap();
            window.approve();
            keeping.work(None).await;
            let kept = soon(channel.outcome(&id)).await;
            let QuestionOutcome::Ran(whole) = &kept else { panic!("{kept:?}") };
            let mut texts = whole.clone();
            texts.reply = Ok(Output::new().with("done", true));
            let gone = QuestionOutcome::Ran(texts);
            assert_ne!(kept, gone);
            for (files, left) in [(&[][..], &kept), (&[GRANTS_FILE], &gone)] {
                if is_here {
                    channel.changed(files);
                } else {
                    channel
                        .pass([Duty::Reread { ticket: Some((PeerId::of(9), 1)), rights: !files.is_empty() }]);
                    keeping.work(None).await;
                    soon(async {
                        while locked(&channel.0.duties).is_empty() {
                            tokio::task::yield_now().await;
                        }
                    })
                    .await;
                    locked(&channel.0.duties).clear();
                }
                assert_eq!(&soon(channel.outcome(&id)).await, left, "{files:?} {is_here}");
            }
        }
    }
}
