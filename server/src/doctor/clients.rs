//! The clients of this user that know this program.

use puppy_core::clients::Client;

use super::Finding;
use crate::installed::{self, EntryState};
use crate::words::{AboutWords, DoctorWords, comma};

pub(super) fn look() -> Vec<Finding> {
    let found: Vec<(Client, EntryState)> =
        Client::ALL.into_iter().map(|it| (it, installed::look(it))).collect();
    let mut findings: Vec<Finding> = found.iter().filter_map(|(client, found)| of(*client, found)).collect();
    findings.push(set_up(&found));
    findings
}

/// Those that are set up, in one line.
pub(super) fn ready() -> Finding {
    set_up(&Client::ALL.into_iter().map(|it| (it, installed::look(it))).collect::<Vec<_>>())
}

fn set_up(found: &[(Client, EntryState)]) -> Finding {
    let ready: Vec<&str> =
        found.iter().filter(|(_, found)| is_ready(found)).map(|(client, _)| client.title()).collect();
    let (about, words) = (AboutWords::here().clients(), DoctorWords::here());
    if ready.is_empty() {
        return Finding::note(about, words.clients_none(), words.clients_none_fix());
    }
    Finding::good(about, words.clients_ready(ready.join(comma())))
}

/// The fault of a client; `None` if it is set up.
fn of(client: Client, found: &EntryState) -> Option<Finding> {
    let (about, words) = (AboutWords::here().clients(), DoctorWords::here());
    match found {
        EntryState::Stale => {
            let fix = words.client_install(client.id());
            Some(Finding::bad(about, words.client_stale(client.title()), fix))
        }
        EntryState::Broken(why) => {
            let says = words.client_broken(client.title(), why);
            Some(Finding::bad(about, says, words.client_broken_fix()))
        }
        EntryState::Form | EntryState::NoFile | EntryState::Absent | EntryState::Ready | EntryState::Http => {
            None
        }
    }
}

const fn is_ready(found: &EntryState) -> bool {
    matches!(found, EntryState::Ready | EntryState::Http)
}
