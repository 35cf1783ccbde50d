//! Looks at everything that must be right for an agent to reach the notes, and says what to do where it is not (B-103).
//!
//! A finding shows no token and no path below the home folder by its whole name, so that people can send all of it to
//! others.

mod clients;
mod machine;
mod notes;
mod overview;
mod stored;

use puppy_core::kernel::KernelError;

use crate::discover;
use crate::kernel::Options;
use crate::words::{AboutWords, DoctorWords};

pub(crate) use overview::{Calls, Overview, overview};

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The thing, in a word or two.
    pub(crate) about: &'static str,
    /// Whether it is good, and the kind of fault otherwise.
    pub(crate) state: State,
    /// The finding in a sentence.
    pub(crate) says: String,
    /// The next step for the person; empty if there is none.
    pub(crate) fix: String,
}

/// The state of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// As it should be.
    Good,
    /// It works, and a person may want to know.
    Note,
    /// It must be fixed.
    Bad(Fault),
}

/// The kind of a fault; each has an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Anything else.
    Other,
    /// SiYuan does not answer.
    Unreachable,
    /// SiYuan refuses the token.
    NotAuthorised,
}

impl State {
    /// The word for programs.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            State::Good => "good",
            State::Note => "note",
            State::Bad(_) => "bad",
        }
    }
}

impl Finding {
    fn good(about: &'static str, says: impl Into<String>) -> Finding {
        Finding { about, state: State::Good, says: says.into(), fix: String::new() }
    }

    fn note(about: &'static str, says: impl Into<String>, fix: impl Into<String>) -> Finding {
        Finding { about, state: State::Note, says: says.into(), fix: fix.into() }
    }

    fn bad(about: &'static str, says: impl Into<String>, fix: impl Into<String>) -> Finding {
        Finding { about, state: State::Bad(Fault::Other), says: says.into(), fix: fix.into() }
    }

    fn of(self, fault: Fault) -> Finding {
        Finding { state: State::Bad(fault), ..self }
    }
}

/// The kernel to look at.
#[derive(Debug)]
pub(crate) struct Patient {
    /// The options of the connection.
    pub(crate) options: Options,
    /// The origin of its address.
    pub(crate) address_from: String,
    /// The origin of its token; `None` without a token.
    pub(crate) token_from: Option<String>,
}

/// Looks at everything; a kernel that was not even named, because of its settings, is the first fault.
pub(crate) async fn look(patient: Result<Patient, String>) -> Vec<Finding> {
    let about = AboutWords::here();
    let program = format!("siyuan-puppy {}", env!("CARGO_PKG_VERSION"));
    let mut findings = vec![Finding::good(about.program(), program)];
    let mut http = None;
    let siyuan = address(&patient);
    match patient {
        Ok(patient) => {
            let (found, settings) = notes::look(patient).await;
            findings.extend(found);
            http = settings;
        }
        Err(why) => {
            let fix = DoctorWords::here().settings_fix();
            findings.push(Finding::bad(about.settings(), why, fix));
        }
    }
    findings.extend(machine::look(http, siyuan.as_deref()).await);
    findings.extend(clients::look());
    findings
}

/// The address of the SiYuan that is looked at.
fn address(patient: &Result<Patient, String>) -> Option<String> {
    patient.as_ref().ok().map(|it| discover::shown(&it.options.address.url()))
}

/// The fault behind an error of the kernel.
fn fault(error: &KernelError) -> Fault {
    match error {
        KernelError::Refused | KernelError::TimedOut | KernelError::Broken(_) | KernelError::Untrusted(_) => {
            Fault::Unreachable
        }
        KernelError::Unauthorized | KernelError::Forbidden => Fault::NotAuthorised,
        _ => Fault::Other,
    }
}
