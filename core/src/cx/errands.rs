//! Errands as actions and the dispatch pipeline use them.

use std::collections::BTreeSet;

use futures_util::future::join_all;

use super::Cx;
use crate::errands::{ErrandBounds, ErrandCeilings, ErrandPlace, ErrandSpot, Errands, NewErrand, NotBegun};
use crate::error::ToolError;
use crate::id::DocId;
use crate::kernel;
use crate::kernel::api::filetree;
use crate::permission::StoragePath;

/// The number of documents that are looked up side by side.
const AT_ONCE: usize = 8;
/// The maximum number of documents that are looked up; others count as outside of every errand.
const MOST: usize = 250;

impl<'a> Cx<'a> {
    /// The same call with the bounds of errands that a person allows.
    pub(crate) fn bounded(self, ceilings: ErrandCeilings) -> Cx<'a> {
        Cx { ceilings, ..self }
    }

    /// The greatest bounds of an errand that a person allows.
    pub fn errand_ceilings(&self) -> ErrandCeilings {
        self.ceilings
    }

    /// Refuses a caller that cannot begin an errand now.
    ///
    /// # Errors
    /// If errands are off, if the caller has no session, or if it has an errand, with the minutes left.
    pub fn may_begin_errand(&self) -> Result<(), ToolError> {
        if self.ceilings.is_off() {
            return Err(ToolError::disabled("A person has turned errands off. Each call asks as usual."));
        }
        let principal = self.principal().ok_or_else(|| {
            ToolError::disabled(
                "An errand needs a session, and this connection has none. Each call asks as usual.",
            )
        })?;
        match self.process.errands.of(principal, self.kernel.now_ms()) {
            Some((_, left_ms)) if !self.is_person() => Err(another(left_ms)),
            _ => Ok(()),
        }
    }

    /// Begins the errand that a person has allowed, with its purpose as they read it; returns its id.
    ///
    /// # Errors
    /// As [`Cx::may_begin_errand`].
    pub fn begin_errand(
        &self,
        purpose: &str,
        place: ErrandPlace,
        bounds: ErrandBounds,
    ) -> Result<String, ToolError> {
        self.may_begin_errand()?;
        let (Some(author), Some(principal)) = (self.author, self.principal()) else {
            return Err(ToolError::not_found());
        };
        let new = NewErrand {
            principal: principal.to_owned(),
            identity: author.identity.clone(),
            ceiling: Some(self.scope.grants.ceiling.clone()),
            client: author.client.clone(),
            agent: author.agent.clone(),
            purpose: purpose.to_owned(),
            place,
            deed: None,
            bounds,
        };
        if self.is_person()
            && let Some((id, _)) = self.process.errands.of(principal, self.kernel.now_ms())
        {
            // A person who asks for another one wants that one.
            self.process.errands.revoke(&id);
        }
        let random = [self.kernel.random(), self.kernel.random()];
        self.process.errands.begin(new, random).map_err(|why| match why {
            NotBegun::Another(left_ms) => another(left_ms),
            NotBegun::Gone => ToolError::conflict("The session that asked for the errand is over."),
            NotBegun::Full => {
                ToolError::conflict("Too many errands are active. Try again when one of them has ended.")
            }
        })
    }

    fn is_person(&self) -> bool {
        self.author.is_some_and(|it| it.is_person)
    }

    /// The key of the caller's errands; `None` for a caller that another program could pose as.
    pub(crate) fn principal(&self) -> Option<&'a str> {
        self.author.and_then(|it| it.principal())
    }

    /// The session of the caller, if it has one.
    pub fn session(&self) -> Option<&str> {
        self.author.and_then(|it| it.session.as_deref())
    }

    /// All active errands of this process.
    pub(crate) fn errands(&self) -> &'a Errands {
        &self.process.errands
    }

    /// Records the caller's errand, so that the call's changes belong to the run of that errand.
    pub(crate) fn runs_errand(&self, id: String) {
        // A call is judged once, so this cannot fail.
        let _ = self.errand.set(id);
    }

    /// The errand that was recorded.
    pub(crate) fn errand(&self) -> Option<&str> {
        self.errand.get().map(String::as_str)
    }

    /// The time, in milliseconds since 1970.
    pub(crate) fn now_ms(&self) -> u64 {
        self.kernel.now_ms()
    }

    /// The current spots of documents. A document that is not found has a spot without a notebook.
    pub(crate) async fn spots_of(&self, ids: BTreeSet<String>) -> Vec<ErrandSpot> {
        let (mut spots, ids) = (Vec::with_capacity(ids.len()), Vec::from_iter(ids));
        for some in ids.chunks(AT_ONCE) {
            if spots.len() >= MOST {
                spots.push(ErrandSpot::default());
                break;
            }
            let each = some.iter().map(|id| async move { self.spot_of(id).await.unwrap_or_default() });
            spots.extend(join_all(each).await);
        }
        spots
    }

    async fn spot_of(&self, id: &str) -> Option<ErrandSpot> {
        let id = DocId::parse(id)?;
        let found = kernel::ask(self.kernel, filetree::get_path_by_id(&id)).await.ok()?;
        let storage = StoragePath::parse(&found.path).filter(|it| it.doc().as_ref() == Some(&id))?;
        Some(ErrandSpot::document(&found.notebook, &storage))
    }
}

/// The error of a second errand.
fn another(left_ms: u64) -> ToolError {
    let minutes = left_ms.div_ceil(60_000).max(1);
    let unit = if minutes == 1 { "minute" } else { "minutes" };
    let message = format!(
        "You already have an errand, for {minutes} more {unit}. A session has one at a time. Use it, or begin another one when it has ended."
    );
    ToolError::conflict(message).with("minutes", minutes)
}
