//! Connecting: agreeing on era, revision and session, and fetching the lists.

use super::{COURTESY_MS, Change, Inner};
use crate::failure::Failure;
use crate::greeting::{self, Greeting, object};
use crate::limits::Limit;
use crate::phase::{Phase, State};
use crate::revision::{Era, Eras, Revision};
use crate::wire::{Answer, Ask, Session, began};

impl Inner {
    /// Connects within a limit: waits for a turn, resumes or makes a session, and fetches the lists.
    pub(super) async fn attempt(&self, limit_ms: u64) -> Result<(), Failure> {
        self.set(State::Connecting);
        let _turn = self.turns.acquire().await;
        let _running = self.running.read().await;
        if self.is_closing.get() {
            return Err(Failure::Stopped);
        }
        let _making = self.making.lock().await;
        let made = self.world.within(limit_ms, self.connect()).await;
        made.unwrap_or(Err(Failure::TimedOut(limit_ms)))
    }

    async fn connect(&self) -> Result<(), Failure> {
        self.step(Phase::Creating, None);
        if !self.resume().await? {
            self.greet().await?;
        }
        self.step(Phase::Listing, None);
        self.fetch_all(&self.session()?).await?;
        self.resubscribe(&self.session()?).await;
        self.step(Phase::Connected, None);
        self.set(State::Connected);
        Ok(())
    }

    /// Whether the session of before still stands: a broken connection does not end it.
    async fn resume(&self) -> Result<bool, Failure> {
        let Ok(session) = self.session() else { return Ok(false) };
        if session.revision.era() == Era::Newer {
            // Without a session nothing has to be kept, and the server may have become another one.
            return Ok(false);
        }
        match self.probe().await {
            Ok(_) => {
                self.step(Phase::Ready, None);
                Ok(true)
            }
            Err(failure) if failure.may_pass() && failure != Failure::NoSession => Err(failure),
            Err(_) => {
                self.now.borrow_mut().session = None;
                Ok(false)
            }
        }
    }

    /// Agrees on era, revision and session.
    async fn greet(&self) -> Result<(), Failure> {
        let newer = match self.settings.eras {
            Eras::OnlyOlder => None,
            Eras::OnlyNewer => Some(self.discover().await?.ok_or_else(|| Failure::NoRevision(Vec::new()))?),
            Eras::Both => match self.discover().await {
                Ok(found) => found,
                Err(failure) => greeting::refused(failure).map(|()| None)?,
            },
        };
        let (greeting, session) = match newer {
            Some(greeting) => {
                let session = Session { id: None, revision: greeting.revision };
                (greeting, session)
            }
            None => self.initialize().await?,
        };
        let is_older = session.revision.era() == Era::Older;
        {
            let mut now = self.now.borrow_mut();
            now.greeting = Some(greeting);
            now.session = Some(session.clone());
        }
        if is_older {
            self.wire.notify(&session, "notifications/initialized", object([])).await?;
        }
        self.step(Phase::Exchanged, None);
        Ok(())
    }

    /// Asks in the newer era; `None` if the server answers that it speaks the older one only.
    async fn discover(&self) -> Result<Option<Greeting>, Failure> {
        let session = Session { id: None, revision: Revision::NEWER };
        let (answer, _) = self.first(&session, &Ask::new("server/discover", object([]))).await?;
        Greeting::discovered(&answer.result)
    }

    async fn initialize(&self) -> Result<(Greeting, Session), Failure> {
        let unsaid = Session { id: None, revision: Revision::OLDER };
        let (answer, id) = self.first(&unsaid, &Ask::new("initialize", greeting::initialize())).await?;
        // The session stands from now on, whatever becomes of it.
        let begun = Session { id, revision: Revision::OLDER };
        self.now.borrow_mut().session = Some(begun.clone());
        match Greeting::initialized(&answer.result) {
            Ok(greeting) => {
                let revision = greeting.revision;
                Ok((greeting, Session { revision, ..begun }))
            }
            Err(failure) => Err(failure),
        }
    }

    /// Sends a first request and tells when anything answers; returns the id of the session with the answer.
    async fn first(&self, session: &Session, ask: &Ask) -> Result<(Answer, Option<String>), Failure> {
        let (id, asked_ms) = (self.wire.id(), self.world.now_ms());
        let head = self.wire.open(session, id, ask).await?;
        self.step(Phase::Ready, None);
        self.step(Phase::Initialising, None);
        let begun = began(&head);
        let answer = self.wire.finish(session, id, ask, head).await?;
        self.now.borrow_mut().latency_ms = Some(self.world.now_ms().saturating_sub(asked_ms));
        Ok((answer, begun))
    }

    /// Begins a lost session anew, unless somebody else has done so.
    pub(super) async fn renew(&self, lost: &Session) -> Result<Session, Failure> {
        let _making = self.making.lock().await;
        let now = self.session()?;
        if now != *lost {
            return Ok(now);
        }
        if self.is_closing.get() {
            return Err(Failure::Stopped);
        }
        self.now.borrow_mut().session = None;
        let limit = self.limit(Limit::Connect);
        self.step(Phase::Creating, Some(Failure::NoSession));
        let greeted = self.world.within(limit, self.greet()).await.unwrap_or(Err(Failure::TimedOut(limit)));
        if greeted.is_err() {
            // A later attempt finds out again that this one is gone.
            let mut now = self.now.borrow_mut();
            now.session = now.session.take().or_else(|| Some(lost.clone()));
        }
        greeted?;
        self.step(Phase::Connected, None);
        // The new session knows nothing of subscriptions, and the server may offer other things.
        self.is_stale.set(true);
        self.interrupt();
        self.session()
    }

    /// Ends the session, if there is one, and forgets it.
    pub(super) async fn forget(&self) {
        let session = self.now.borrow_mut().session.take();
        if let Some(session) = session {
            self.world.within(COURTESY_MS, self.wire.end(&session)).await;
        }
    }

    /// Asks for the least that every server answers, and keeps the time that it took.
    pub(super) async fn probe(&self) -> Result<u64, Failure> {
        let session = self.session()?;
        let method = match session.revision.era() {
            Era::Older => "ping",
            Era::Newer => "server/discover",
        };
        let limit = self.limit(Limit::Connect);
        let began = self.world.now_ms();
        let ask = Ask::new(method, object([]));
        let asked = self.wire.ask(&session, self.wire.id(), &ask);
        let answer = self.world.within(limit, asked).await.unwrap_or(Err(Failure::TimedOut(limit)))?;
        let took = self.world.now_ms().saturating_sub(began);
        {
            let mut now = self.now.borrow_mut();
            now.latency_ms = Some(took);
            if let Ok(Some(greeting)) = Greeting::discovered(&answer.result) {
                now.greeting = Some(greeting);
            }
        }
        self.tell(Change::State);
        Ok(took)
    }
}
