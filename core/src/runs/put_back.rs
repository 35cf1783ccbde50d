//! The words of putting back: what happens to a document, and the reasons for which it or a part of it stays.

/// The change of a document that goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BackDeed {
    /// It was removed, and comes again.
    Restored,
    /// It returns to its place.
    MovedBack,
    /// The run created it.
    Removed,
    /// It gets the text from before the run.
    Rewritten,
    /// A database in it gets its state from before the run.
    DatabaseRestored,
}

impl BackDeed {
    const ALL: [BackDeed; 5] = [
        BackDeed::Restored,
        BackDeed::MovedBack,
        BackDeed::Removed,
        BackDeed::Rewritten,
        BackDeed::DatabaseRestored,
    ];

    /// The deed as answers say it.
    pub fn sentence(self) -> &'static str {
        match self {
            BackDeed::Restored => "is restored",
            BackDeed::MovedBack => "is moved back",
            BackDeed::Removed => "is removed",
            BackDeed::Rewritten => "gets its text of before",
            BackDeed::DatabaseRestored => "gets its database of before",
        }
    }

    /// The deed in an answer.
    pub fn parse(sentence: &str) -> Option<BackDeed> {
        BackDeed::ALL.into_iter().find(|it| it.sentence() == sentence)
    }
}

/// The reason for which something stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StayReason {
    /// The document was changed after the run.
    Changed,
    /// Some blocks of it were; the rest goes back.
    BlocksChanged,
    /// A database in it was.
    DatabaseChanged,
    /// It was moved after the run.
    Moved,
    /// It no longer exists.
    Gone,
    /// The run removed it, and it exists again.
    BackAgain,
    /// The run created it, and documents were created below it.
    HasDocuments,
    /// Its parent is not where it was.
    NoPlace,
    /// Its notebook is closed, or its level is too low.
    NoLevel,
    /// A block of it is in another document now.
    Elsewhere,
    /// No version from before the run is left.
    NoVersion,
    /// Its file cannot be read.
    Unreadable,
    /// The server ended during the call.
    Unfinished,
    /// A call did something that no version brings back.
    Irreversible,
    /// Agents must not write what it contained.
    NotForAgents,
}

impl StayReason {
    const ALL: [StayReason; 15] = [
        StayReason::Changed,
        StayReason::BlocksChanged,
        StayReason::DatabaseChanged,
        StayReason::Moved,
        StayReason::Gone,
        StayReason::BackAgain,
        StayReason::HasDocuments,
        StayReason::NoPlace,
        StayReason::NoLevel,
        StayReason::Elsewhere,
        StayReason::NoVersion,
        StayReason::Unreadable,
        StayReason::Unfinished,
        StayReason::Irreversible,
        StayReason::NotForAgents,
    ];

    /// The reason as answers give it.
    pub fn sentence(self) -> &'static str {
        match self {
            StayReason::Changed => "somebody changed it since",
            StayReason::BlocksChanged => "somebody changed these blocks of it since",
            StayReason::DatabaseChanged => "somebody changed its database since",
            StayReason::Moved => "somebody moved it since",
            StayReason::Gone => "somebody removed it since",
            StayReason::BackAgain => "it exists again",
            StayReason::HasDocuments => "there are documents below it",
            StayReason::NoPlace => "its parent document is not where it was",
            StayReason::NoLevel => "its notebook is closed, or its level does not allow it",
            StayReason::Elsewhere => "a block of it is in another document now",
            StayReason::NoVersion => "there is no version from before the run",
            StayReason::Unreadable => "its file cannot be compared",
            StayReason::Unfinished => {
                "the server ended while it was changed; a person can put it back with `unfinished`, or by naming it as `document`"
            }
            StayReason::Irreversible => "a change of it cannot be put back",
            StayReason::NotForAgents => "only a person may bring back its text from before",
        }
    }

    /// The reason in an answer.
    pub fn parse(sentence: &str) -> Option<StayReason> {
        StayReason::ALL.into_iter().find(|it| it.sentence() == sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::{BackDeed, StayReason};

    #[test]
    fn each_reason_is_known_by_its_sentence() {
        for it in StayReason::ALL {
            assert_eq!(StayReason::parse(it.sentence()), Some(it));
        }
        assert_eq!(StayReason::parse(""), None);
        for it in BackDeed::ALL {
            assert_eq!(BackDeed::parse(it.sentence()), Some(it));
        }
    }
}
